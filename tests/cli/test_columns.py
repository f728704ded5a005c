"""Which columns give inputs their values."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Run


@pytest.fixture(autouse=True)
def _files() -> None:
    Path("rows.csv").write_text("A,P,Temp (C),e\n1,2,3,4\n")


def test_a_column_that_is_chosen(run: Run) -> None:
    words = ("eval", "A*T", "--data", "rows.csv", "--col", "T=Temp (C)")
    assert run(*words).output == "value\n3\n"
    assert run(*words, "--col", "A=P").output == "value\n6\n"


def test_names_are_compared_in_one_form(run: Run) -> None:
    Path("rows.csv").write_text("e\u0301\n2\n")
    assert run("eval", "2*\u00e9", "--data", "rows.csv").output == "value\n4\n"


def test_a_column_leaves_a_constant_alone(run: Run) -> None:
    done = run("eval", "A*e", "--data", "rows.csv")
    assert done.stdout == "value\n2.718281828459045\n"
    told = "column 'e' of rows.csv leaves the constant e alone"
    assert done.stderr == f"warning: {told}: to make it an input write --col e=e\n"
    assert run("eval", "A*e", "--data", "rows.csv", "--col", "e=e").output == "value\n4\n"


def test_a_column_wins_over_files_and_defaults(run: Run) -> None:
    Path("b.json").write_text('{"A": 10, "k": 10}')
    words = ("eval", "input P = 7; A + P + k", "--data", "rows.csv", "--bindings", "b.json")
    assert run(*words).output == "value\n13\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("A*P", "--A", "2"), "A is given twice: by --A and by column 'A' of rows.csv"),
        (("A*P", "--set", "A=2"), "A is given twice: by --set A and by column 'A' of rows.csv"),
        (
            ("A*S",),
            "no value for S: add --S VALUE, or --col S=COLUMN (rows.csv has A, P, Temp (C), e)",
        ),
        (
            ("A*p*T",),
            "no value for p, T: add --p VALUE --T VALUE, or --col NAME=COLUMN "
            "(did you mean --col p=P?)",
        ),
        (
            ("A*temp",),
            "no value for temp: add --temp VALUE, or --col temp=COLUMN "
            "(did you mean --col temp='Temp (C)'?)",
        ),
        (("A*alpha", "--alpah", "2"), "unknown --alpah; did you mean --alpha?"),
        (("A", "--keep", "Q"), "--keep: rows.csv has no column 'Q' (there are A, P, Temp (C), e)"),
        (
            ("A", "--keep", "Temp(C)"),
            "--keep: rows.csv has no column 'Temp(C)' (did you mean 'Temp (C)'?)",
        ),
        (
            ("A", "--col", "A=Temp (D)"),
            "--col A: rows.csv has no column 'Temp (D)' (did you mean 'Temp (C)'?)",
        ),
        (("A", "--col", "B=A"), "--col: 'B' is not an input of the formula (inputs: A)"),
        (("A", "--col", "A"), "--col takes NAME=COLUMN, not 'A'"),
        (
            ("A", "--col", "A=P", "--col", "A=e"),
            "--col gives A two columns: 'P' and 'e'",
        ),
    ],
)
def test_columns_that_do_not_fit(run: Run, words: tuple[str, ...], told: str) -> None:
    done = run("eval", *words, "--data", "rows.csv")
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"error: {told}\n")


def test_a_separator_that_was_not_told(run: Run) -> None:
    Path("rows.csv").write_text("A;P\n1;2\n")
    note = "note: rows.csv: cells are separated by ';', as its header says\n"
    done = run("eval", "A*P", "--data", "rows.csv")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "value\n2\n", note)
    done = run("eval", "a*P", "--data", "rows.csv", "--col", "a=A")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "value\n2\n", note)
    done = run("eval", "a", "--a", "1", "--data", "rows.csv", "--keep", "P")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "P,value\n2,1\n", note)


def test_a_column_that_is_there_twice(run: Run) -> None:
    Path("rows.csv").write_text("x,x,y\n1,2,3\n")
    done = run("eval", "x", "--data", "rows.csv")
    assert (done.exit_code, done.stderr) == (1, "error: rows.csv has 2 columns 'x'\n")
    assert run("eval", "y", "--data", "rows.csv").output == "value\n3\n"


def test_a_name_with_a_comma(run: Run) -> None:
    Path("rows.csv").write_text('x,"a,b"\n1,2\n')
    done = run("eval", "x", "--data", "rows.csv", "--keep", "a,b")
    assert done.output == '"a,b",value\n2,1\n'


def test_many_columns(run: Run) -> None:
    names = [f"c{k}" for k in range(5000)]
    Path("rows.csv").write_text(",".join(names) + "\n" + ",".join(["1"] * 5000) + "\n")
    assert run("eval", "c1 + c4999", "--data", "rows.csv").output == "value\n2\n"
    assert run("eval", "d", "--data", "rows.csv").stderr.endswith("and 4,980 more)\n")
