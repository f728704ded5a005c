"""`--data`: an answer for each row of a table."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from cgraph.cli import rows
from cgraph.cli.table import streams

from .conftest import Run

TABLE = 'id,x,y,name\n1,1.5,2,"a,b"\n2,3,4,c\n3,-1,0.5,"q""x"\n'


@pytest.fixture(autouse=True)
def _files() -> None:
    Path("rows.csv").write_text(TABLE)
    Path("gaps.csv").write_text("x,y\n1,2\n,3\n2,NA\n4,5\n")
    Path("logs.csv").write_text("x\n1\n-1\n0\n-3\n")


def test_a_value_for_each_row(run: Run) -> None:
    done = run("eval", "x*y", "--data", "rows.csv")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == "value\n3\n12\n-0.5\n"


def test_value_and_gradient_for_each_row(run: Run) -> None:
    done = run("grad", "a*x*y", "--data", "rows.csv", "--a", "2")
    assert done.stdout == "value,d_a,d_x,d_y\n6,3,4,3\n24,12,8,6\n-1,-0.5,1,-2\n"
    done = run("grad", "a*x*y", "--data", "rows.csv", "--a", "2", "--wrt", "y,a")
    assert done.stdout == "value,d_y,d_a\n6,3,3\n24,6,12\n-1,-2,-0.5\n"


@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_modes(run: Run, mode: str) -> None:
    done = run("grad", "x*y", "--data", "rows.csv", "--mode", mode)
    assert done.stdout == "value,d_x,d_y\n3,2,1.5\n12,4,3\n-0.5,0.5,-1\n"


def test_several_outputs_carry_their_names(run: Run) -> None:
    done = run("jac", "u = x*y; v = x + y", "--output", "u,v", "--data", "rows.csv")
    assert done.stdout.splitlines()[:2] == ["u,d_u_x,d_u_y,v,d_v_x,d_v_y", "3,2,1.5,3.5,1,1"]
    done = run("grad", "x*y; x + 1", "--data", "rows.csv")
    assert done.stdout.splitlines()[0] == "x*y,d_x*y_x,d_x*y_y,x + 1,d_x + 1_x,d_x + 1_y"
    done = run("eval", "p = x*y; 2p", "--output", "p", "--data", "rows.csv")
    assert done.stdout == "p\n3\n12\n-0.5\n"


def test_columns_that_are_kept_come_first_and_unchanged(run: Run) -> None:
    done = run("eval", "x*y", "--data", "rows.csv", "--keep", "name,x")
    assert done.stdout == 'name,x,value\n"a,b",1.5,3\nc,3,12\n"q""x",-1,-0.5\n'
    done = run("eval", "x*y", "--data", "rows.csv", "--keep", "*")
    assert done.stdout.splitlines()[0] == "id,x,y,name,value"
    Path("rows.csv").write_text("x,n\n1.50,007\n1e3, 2020-01-01\n")
    done = run("eval", "x", "--data", "rows.csv", "--keep", "*")
    assert done.stdout == "x,n,value\n1.50,007,1.5\n1e3, 2020-01-01,1000\n"


def test_json(run: Run) -> None:
    done = run("grad", "log(x)", "--data", "logs.csv", "--json", "--keep", "x")
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {"x": 1, "value": 0, "d_x": 1},
        {"x": -1, "value": "NaN", "d_x": "NaN"},
        {"x": 0, "value": "-Infinity", "d_x": "Infinity"},
        {"x": -3, "value": "NaN", "d_x": "NaN"},
    ]


def test_digits_round_results_and_nothing_else(run: Run) -> None:
    Path("rows.csv").write_text("x\n0.123456\n1e11\n")
    done = run("eval", "x/3", "--data", "rows.csv", "--digits", "3", "--keep", "x")
    assert done.stdout == "x,value\n0.123456,0.0412\n1e11,3.33e+10\n"


def test_rows_from_stdin(run: Run) -> None:
    done = run("eval", "x*y", "--data", "-", stdin=TABLE)
    assert done.stdout == "value\n3\n12\n-0.5\n"
    Path("f.cg").write_text("x*y")
    assert run("eval", "-f", "f.cg", "--data", "-", stdin=TABLE).stdout == done.stdout


def test_a_constant_formula_has_a_row_for_each_row(run: Run) -> None:
    assert run("eval", "2*a", "--data", "rows.csv", "--a", "3").stdout == "value\n6\n6\n6\n"


def test_no_rows_give_a_header(run: Run) -> None:
    Path("rows.csv").write_text("x,y\n")
    done = run("grad", "x*y", "--data", "rows.csv", "--keep", "x")
    assert (done.exit_code, done.output) == (0, "x,value,d_x,d_y\n")


def test_many_blocks_are_one_table(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "FIRST", 64)
    monkeypatch.setattr(streams, "BLOCK", 256)
    values = np.random.default_rng(0).normal(size=(500, 2))
    lines = [f"{x},{y}" for x, y in values.tolist()]
    Path("rows.csv").write_text("\n".join(["x,y", *lines, ""]))
    found: list[str] = []
    for threads in ("1", "3"):
        done = run("eval", "x*y", "--data", "rows.csv", "--threads", threads)
        found.append(done.stdout)
    assert found[0] == found[1]
    assert list(map(float, found[0].splitlines()[1:])) == (values[:, 0] * values[:, 1]).tolist()


# -- over all rows --------------------------------------------------------------------------------


def test_one_gradient_over_all_rows(run: Run) -> None:
    done = run("grad", "a*x^2", "--data", "rows.csv", "--a", "2", "--wrt", "a", "--reduce", "sum")
    assert done.output == "d/da = 12.25\n"
    words = ("grad", "a*x^2", "--data", "rows.csv", "--a", "2", "--wrt", "a", "--value")
    done = run(*words, "--reduce", "mean", "--json")
    assert json.loads(done.stdout) == {"value": 24.5 / 3, "gradient": {"a": 12.25 / 3}}
    assert run("eval", "x; y", "--data", "rows.csv", "--reduce", "sum").output == "3.5\n6.5\n"


def test_a_sum_is_accurate(run: Run) -> None:
    Path("rows.csv").write_text("x\n1e16\n1\n-1e16\n" + "0.1\n" * 1000)
    done = run("eval", "x", "--data", "rows.csv", "--reduce", "sum")
    assert float(done.stdout) == pytest.approx(101.0, abs=3.0)


def test_reduced_results_are_written_as_others_are(run: Run) -> None:
    run("grad", "x*y", "--data", "rows.csv", "--reduce", "sum", "-o", "g.npz")
    assert {name: float(value) for name, value in np.load("g.npz").items()} == {"x": 6.5, "y": 3.5}
    done = run("grad", "x*y", "--data", "rows.csv", "--reduce", "sum", "-o", "g.xlsx")
    told = "results of --reduce are not written as .xlsx"
    hint = (
        "known: .txt .json .csv .tsv .jsonl .ndjson .parquet .arrow .feather .npy .npz, and folder/"
    )
    assert (done.exit_code, done.stderr) == (2, f"error: {told} ({hint})\n")


def test_reduced_results_are_a_table_of_one_row(run: Run) -> None:
    words = ("--data", "rows.csv", "--reduce", "sum", "-o")
    assert run("grad", "x*y", *words, "g.csv").output == ""
    assert Path("g.csv").read_text() == "value,d_x,d_y\n14.5,6.5,3.5\n"
    run("eval", "p = x*y; q = x", "--output", "p,q", *words, "g.jsonl")
    assert Path("g.jsonl").read_text() == '{"p": 14.5, "q": 3.5}\n'
    run("grad", "x*sum(w)", "--w", "[1, 2]", "--wrt", "w", *words, "g.csv")
    assert Path("g.csv").read_text() == 'value,d_w\n10.5,"[3.5, 3.5]"\n'
    run("eval", "x*y", *words, "g.csv.gz")
    assert gzip.decompress(Path("g.csv.gz").read_bytes()) == b"value\n14.5\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("eval", "sum(x)"), "sum(x) is over one row's number; for all rows: --reduce sum or mean"),
        (
            ("grad", "mean((a*x - y)^2) + sum(x)", "--a", "2"),
            "mean((a*x - y)^2) is over one row's number; for all rows: --reduce sum or mean",
        ),
        (("eval", "x - mean(x)", "--reduce", "sum"), "mean(x) is over one row's number"),
        (
            ("check", "max(x)"),
            "max(x) is over one row's number; for all rows: --reduce sum or mean",
        ),
    ],
)
def test_a_reduction_over_the_one_number_of_a_row(
    run: Run, words: tuple[str, ...], told: str
) -> None:
    assert run(*words, "--data", "rows.csv").stderr == f"note: {told}\n"


@pytest.mark.parametrize(
    "words",
    [
        ("x*sum(w)", "--w", "[1, 2]"),
        ("x*sum(w)", "--w", "3"),
        ("sum(w*x)", "--w", "[1, 2]"),
        ("sum([x, y])",),
        ("max(x, y)",),
    ],
)
def test_reductions_of_more_than_the_number_of_a_row(run: Run, words: tuple[str, ...]) -> None:
    assert run("eval", *words, "--data", "rows.csv").stderr == ""


def test_the_mean_of_no_rows(run: Run) -> None:
    Path("rows.csv").write_text("x\n")
    done = run("eval", "x", "--data", "rows.csv", "--reduce", "mean")
    assert (done.exit_code, done.stderr) == (
        1,
        "error: rows.csv has no rows to take the mean of\n",
    )
    assert run("eval", "x", "--data", "rows.csv", "--reduce", "sum").output == "0\n"


# -- what is said of rows -------------------------------------------------------------------------


def test_missing_values(run: Run) -> None:
    done = run("eval", "x*y", "--data", "gaps.csv")
    assert done.stdout == "value\n2\nnan\nnan\n20\n"
    assert done.stderr == "warning: 2 of 4 rows lack a value, the first is row 2: column 'x'\n"
    done = run("eval", "x*y", "--data", "gaps.csv", "--nulls", "skip", "--keep", "y")
    assert done.stdout == "y,value\n2,2\n5,20\n"
    told = "2 of 4 rows lack a value and are left out, the first is row 2: column 'x'"
    assert done.stderr == f"note: {told}\n"
    done = run("eval", "x*y", "--data", "gaps.csv", "--nulls", "error", "-o", "out.csv")
    assert done.exit_code == 1
    assert done.stderr.splitlines()[0] == "gaps.csv:3:1: error: column 'x': there is no value"
    assert not os.path.exists("out.csv")


def test_rows_left_out_do_not_count_for_a_mean(run: Run) -> None:
    words = ("eval", "x", "--data", "gaps.csv", "--nulls", "skip", "--reduce", "mean", "-q")
    assert run(*words).output == f"{7 / 3}\n"


def test_missing_values_in_columns_that_are_not_used_are_nothing(run: Run) -> None:
    Path("rows.csv").write_text("x,z\n1,\n")
    done = run("eval", "x", "--data", "rows.csv", "--keep", "z")
    assert done.output == "z,value\n,1\n"


def test_who_made_rows_nan(run: Run) -> None:
    done = run("eval", "log(x)", "--data", "logs.csv")
    assert done.stdout == "value\n0\nnan\n-inf\nnan\n"
    assert done.stderr == (
        "warning: 2 of 4 rows are nan, the first is row 2: "
        "log(x) is nan at x = -1 (line 1, column 1)\n"
        "warning: 1 of 4 rows is infinite, row 3: log(x) is -inf at x = 0 (line 1, column 1)\n"
    )
    assert run("eval", "log(x)", "--data", "logs.csv", "--strict").exit_code == 1
    done = run("eval", "log(x)", "--data", "logs.csv", "-q")
    assert (done.exit_code, done.stderr) == (0, "")


def test_who_made_derivatives_infinite(run: Run) -> None:
    Path("rows.csv").write_text("x\n4\n0\n")
    done = run("grad", "sqrt(x)", "--data", "rows.csv")
    told = "the derivative of sqrt(x) is inf at x = 0 (line 1, column 1)"
    assert done.stderr == f"warning: 1 of 2 rows is infinite, row 2: {told}\n"


def test_infinite_data_blames_nobody(run: Run) -> None:
    Path("rows.csv").write_text("x\ninf\n")
    done = run("eval", "x", "--data", "rows.csv")
    assert done.output == "value\ninf\nwarning: 1 of 1 rows is infinite, row 1\n"


# -- arrays in rows -------------------------------------------------------------------------------


def test_an_array_given_by_option(run: Run) -> None:
    done = run("grad", "sum(w*x)", "--data", "rows.csv", "--w", "[1, 2]", "--wrt", "w,x")
    assert done.stdout == 'value,d_w,d_x\n4.5,"[1.5, 1.5]",3\n9,"[3, 3]",3\n-3,"[-1, -1]",3\n'


def test_arrays_over_all_rows(run: Run) -> None:
    words = ("grad", "sum(w*x)", "--data", "rows.csv", "--w", "[1, 2]", "--wrt", "w")
    assert run(*words, "--reduce", "sum").stdout == "d/dw = [3.5, 3.5]\n"


def test_columns_of_lists(run: Run) -> None:
    table = '{"x": [1, 2], "k": "a"}\n{"x": [3, 4, 5], "k": "b"}\n'
    done = run("grad", "sum(x^2)", "--data", "-", "--keep", "k", stdin=table)
    assert done.stdout == 'k,value,d_x\na,5,"[2, 4]"\nb,50,"[6, 8, 10]"\n'
    done = run("grad", "sum(x^2)", "--data", "-", "--reduce", "sum", stdin=table)
    assert (done.exit_code, done.stderr) == (1, "error: rows of different shapes have no sum\n")


def test_a_jacobian_in_each_row(run: Run) -> None:
    done = run("jac", "w*x", "--data", "rows.csv", "--w", "[1, 2]", "--wrt", "x", "--json")
    assert json.loads(done.stdout.splitlines()[0]) == {"value": [1.5, 3.0], "d_x": [1.0, 2.0]}


# -- options that do not go together --------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ("eval", "x", "--dynamic"),
            "--dynamic runs a program at one set of values, --data has many "
            "(without it `if` and `where` choose in each row)",
        ),
        (("eval", "x", "--stats"), "--stats tells of one run, --data has many"),
        (
            ("jac", "x", "--format", "matrix"),
            "--format lays out one matrix, --data has many rows",
        ),
        (("jac", "x", "--sparse"), "--sparse is for one matrix, and --data has one in each row"),
        (
            ("grad", "x", "--shapes"),
            "--shapes needs no values, and --data has many: leave one out",
        ),
        (("eval", "--lines"), "--lines reads many formulas, --data many rows: give one formula"),
        (
            ("eval", "x", "--keep", "x", "--reduce", "sum"),
            "--keep carries columns along for each row, and --reduce leaves one result",
        ),
        (
            ("eval", "x*2", "--keep", "*", "-o", "out.xlsx"),
            "rows are not written as .xlsx "
            "(known: .csv .tsv .jsonl .ndjson .json .parquet .arrow .feather .npz .npy)",
        ),
    ],
)
def test_options_that_do_not_go_together(run: Run, words: tuple[str, ...], told: str) -> None:
    done = run(*words, "--data", "rows.csv")
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"error: {told}\n")


def test_a_column_that_is_kept_is_called_like_a_result(run: Run) -> None:
    Path("rows.csv").write_text("x,value\n1,2\n")
    done = run("eval", "2x", "--data", "rows.csv", "--keep", "*")
    told = "two columns would be called 'value': a result, and one of --keep"
    hint = "leave 'value' out of --keep, or name the output: p = ..., --output p"
    assert (done.exit_code, done.stderr) == (2, f"error: {told} ({hint})\n")


@pytest.mark.parametrize(
    ("formula", "outputs", "name"),
    [
        ("p = x^2; d_p_x = 3*x", "p,d_p_x", "d_p_x"),
        ("d_x = x^2", "d_x", "d_x"),
        ("p = x; p_x = x; d_p_x = x", "p,p_x,d_p_x", "d_p_x"),
    ],
)
def test_results_that_are_called_alike(run: Run, formula: str, outputs: str, name: str) -> None:
    done = run("grad", formula, "--output", outputs, "--data", "rows.csv", "--wrt", "x")
    told = f"two columns of results would be called '{name}'"
    hint = "call an output by another name: q = ..., --output q"
    assert (done.exit_code, done.output) == (2, f"error: {told} ({hint})\n")


@pytest.mark.parametrize("option", ["--keep", "--col", "--delimiter", "--reduce"])
def test_options_that_go_with_data_alone(run: Run, option: str) -> None:
    done = run("eval", "x", "--x", "1", f"{option}=sum")
    assert (done.exit_code, done.stderr) == (2, f"error: {option} goes with --data FILE\n")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("hess", "x^2"), "hess has no option --data (eval, grad, jac and check have it)"),
        (("hvp", "x^2"), "hvp has no option --data (eval, grad, jac and check have it)"),
        (("diff", "x^2"), "diff has no option --data (eval, grad, jac and check have it)"),
        (("render", "x^2"), "render has no option --data (eval, grad, jac and check have it)"),
        (("export", "x^2"), "export has no option --data (eval, grad, jac and check have it)"),
        (("parse", "x^2"), "parse has no option --data (eval, grad, jac and check have it)"),
        (("hess", "data^2"), "--data is an option; for the variable write --set data=rows.csv"),
        (
            ("hess", "-f", "square.cg"),
            "hess has no option --data (eval, grad, jac and check have it; "
            "for a variable of that name write --set data=rows.csv)",
        ),
        (("jac", "x^2", "--reduce", "sum"), "jac has no option --reduce (eval and grad have it)"),
    ],
)
def test_options_of_data_that_other_commands_have(
    run: Run, words: tuple[str, ...], told: str
) -> None:
    Path("square.cg").write_text("x^2")
    done = run(*words, "--data", "rows.csv")
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"error: {told}\n")


def test_one_table_alone(run: Run) -> None:
    done = run("eval", "x*y", "--data", "rows.csv", "--data", "gaps.csv")
    told = "--data is given twice: rows.csv and gaps.csv"
    assert (done.exit_code, done.output) == (2, f"error: {told}\n")


@pytest.mark.parametrize("name", ["out.parquet.gz", "out.npz.gz", "out.feather.zst", "out.npy.xz"])
def test_files_that_are_not_text_are_not_compressed(run: Run, name: str) -> None:
    whole, ending = name.rpartition(".")[0], f".{name.split('.')[1]}"
    done = run("eval", "x*y", "--data", "rows.csv", "-o", name)
    told = f"only text is compressed, not a {ending} (-o {whole})"
    assert (done.exit_code, done.output) == (2, f"error: {told}\n")


def test_stdin_is_read_once(run: Run) -> None:
    done = run("eval", "--data", "-", stdin=TABLE)
    told = "stdin can be read once, not for the formula and for --data -"
    assert (done.exit_code, done.stderr) == (2, f"error: {told}\n")


# -- files ----------------------------------------------------------------------------------------


def test_a_file_may_be_written_over_what_is_read(run: Run) -> None:
    done = run("eval", "x*y", "--data", "rows.csv", "--keep", "id", "-o", "rows.csv")
    assert done.output == ""
    assert Path("rows.csv").read_text() == "id,value\n1,3\n2,12\n3,-0.5\n"


@pytest.mark.parametrize("name", ["out.csv", "out.parquet", "out.npz"])
def test_an_error_leaves_no_file(run: Run, name: str) -> None:
    Path("rows.csv").write_text("x\n" + "1\n" * 100_000 + "oops\n")
    assert run("eval", "x", "--data", "rows.csv", "-o", name).exit_code == 1
    assert sorted(os.listdir()) == ["gaps.csv", "logs.csv", "rows.csv"]


def test_a_place_that_cannot_be_written(run: Run) -> None:
    done = run("eval", "x", "--data", "rows.csv", "-o", "no/out.csv")
    told = "cannot write no/out.csv: No such file or directory"
    assert (done.exit_code, done.stderr) == (1, f"error: {told}\n")


# -- in a shell -----------------------------------------------------------------------------------


def shell(command: str) -> subprocess.CompletedProcess[str]:
    cgraph = f"{sys.executable} -m cgraph"
    return subprocess.run(
        ["bash", "-c", command.replace("cgraph ", f"{cgraph} ")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_closed_pipe_ends_it_quietly() -> None:
    many = "(echo x; while echo 1; do :; done)"
    done = shell(f"{many} | cgraph eval 2x --data - | head -2; echo ${{PIPESTATUS[1]}}")
    assert (done.stdout, done.stderr) == ("value\n2\n0\n", "")


def test_first_rows_come_at_once() -> None:
    slow = "(echo x; echo 1; sleep 20; echo 2)"
    done = shell(f"{slow} | cgraph eval 2x --data - | head -2; kill %1 2> /dev/null")
    assert done.stdout == "value\n2\n"


@pytest.mark.parametrize(("signal", "code"), [("INT", 130), ("TERM", 143)])
def test_a_run_that_is_interrupted_leaves_nothing(signal: str, code: int) -> None:
    begun = "until ls -A | grep -q '^.cgraph-'; do sleep 0.05; done"
    done = shell(
        "set -m; mkfifo pipe; (echo x; yes 1) > pipe & "
        "cgraph eval 2x --data - -o out.csv < pipe & "
        f"{begun}; kill -{signal} $!; wait $!; echo $?; ls -A"
    )
    assert done.stdout.split() == [str(code), "gaps.csv", "logs.csv", "pipe", "rows.csv"]


def test_a_full_disk() -> None:
    done = shell("cgraph eval 2x --data rows.csv > /dev/full; echo $?")
    assert done.stdout == "1\n"
    assert done.stderr == "error: cannot write to stdout: No space left on device\n"


class Stdout(io.StringIO):
    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


@pytest.mark.parametrize(
    ("out", "terminal", "silent"),
    [
        (None, True, False),
        ("-", True, False),
        ("/dev/stdout", True, False),
        (None, False, True),
        ("out.csv", True, True),
    ],
)
def test_rows_of_a_terminal_are_not_drawn_over(
    monkeypatch: pytest.MonkeyPatch, out: str | None, terminal: bool, silent: bool
) -> None:
    monkeypatch.setattr(sys, "stdout", Stdout(terminal))
    assert rows.silent(SimpleNamespace(out=out)) is silent  # type: ignore[arg-type]


# -- checks ---------------------------------------------------------------------------------------


def test_derivatives_are_checked_at_rows(run: Run) -> None:
    done = run("check", "sin(x)*y", "--data", "rows.csv")
    assert done.exit_code == 0
    first, *_, last = done.stdout.splitlines()
    assert first.startswith("3 rows of rows.csv checked, none differs; the worst is row ")
    assert last == "✓ all agree to 1e-06"
    done = run("check", "x*a", "--data", "gaps.csv", "--a", "2", "--limit", "2", "--json")
    assert done.stderr.splitlines() == [
        "note: rows after the first 2 are not checked (--limit N)",
        "note: 1 row lacks a value and is not checked",
    ]
    told = json.loads(done.stdout)
    assert (told["rows"], told["differing"], told["row"], told["agree"]) == (1, 0, 1, True)
    assert told["at"] == {"x": 1.0, "a": 2.0}


def test_derivatives_that_differ_at_rows(run: Run) -> None:
    done = run("check", "x^3/(1+x^2)", "--data", "rows.csv", "--tol", "1e-30", "--precision", "40")
    assert done.exit_code == 1
    first = done.stdout.splitlines()[0]
    told = "the derivatives differ in 2; the worst is row 2: x = 3"
    assert first == f"3 rows of rows.csv checked, {told}"


def test_rows_that_cannot_be_compared_are_not_the_worst(run: Run) -> None:
    Path("rows.csv").write_text("x\n1\n2\n3\n4\n5\n")
    done = run("check", "sqrt(x-3)", "--data", "rows.csv")
    told = "5 rows of rows.csv checked, 2 can be compared, none differs; the worst is row 4: x = 4"
    assert (done.exit_code, done.stdout.splitlines()[0]) == (0, told)
    assert done.stdout.splitlines()[-1] == "✓ all agree to 1e-06"
    found = json.loads(run("check", "sqrt(x-3)", "--data", "rows.csv", "--json").stdout)
    assert (found["rows"], found["compared"], found["differing"], found["row"]) == (5, 2, 0, 4)


def test_no_row_that_can_be_compared(run: Run) -> None:
    Path("rows.csv").write_text("x\n1\n2\n")
    done = run("check", "sqrt(x-3)", "--data", "rows.csv")
    told = "2 rows of rows.csv checked, none can be compared; the first is row 1: x = 1"
    assert done.stdout.splitlines()[0] == told
    last = "nothing could be compared: 1 without a derivative"
    assert done.stdout.splitlines()[-1] == last


@pytest.mark.parametrize("claim", [(), ("--claim", "1/(2*sqrt(x))")])
def test_a_check_stops_at_what_is_missing_if_told(run: Run, claim: tuple[str, ...]) -> None:
    Path("rows.csv").write_text("n,x\na,1\nb,\n")
    words = ("check", "sqrt(x)", "--data", "rows.csv", *claim, "--nulls")
    done = run(*words, "error")
    told = "rows.csv:3:3: error: column 'x': there is no value\n  3 | b,\n    |   ^\n"
    assert (done.exit_code, done.output) == (1, told)
    assert run(*words, "error", "--limit", "1").exit_code == 0
    assert run(*words, "skip").stderr == "note: 1 row lacks a value and is not checked\n"


@pytest.mark.parametrize("more", [(), ("--json",), ("--claim", "1")])
def test_a_check_of_no_rows(run: Run, more: tuple[str, ...]) -> None:
    Path("rows.csv").write_text("x\n")
    done = run("check", "exp(x)", "--data", "rows.csv", *more)
    assert (done.exit_code, done.output) == (1, "error: rows.csv has no rows to check\n")
    Path("rows.csv").write_text("x\nNA\n")
    done = run("check", "exp(x)", "--data", "rows.csv", *more)
    told = "note: 1 row lacks a value and is not checked\nerror: rows.csv has no rows to check\n"
    assert (done.exit_code, done.output) == (1, told)


def test_a_claim_is_checked_at_rows(run: Run) -> None:
    words = ("check", "x^2*y", "--wrt", "x", "--data", "rows.csv", "--claim")
    assert run(*words, "2*x*y").output == "✓ this is d/dx: it agrees at 3 rows\n"
    done = run(*words, "3*x")
    told = "row 1: wrong: at x = 1.5, y = 2 yours is 4.5, the derivative is 6"
    assert (done.exit_code, done.stdout) == (1, f"{told}\n")
    assert json.loads(run(*words, "2*x*y", "--json").stdout) == {"right": True, "rows": 3}
    assert json.loads(run(*words, "3*x", "--json").stdout)["row"] == 1


def test_bad_cells_are_told_by_check_too(run: Run) -> None:
    Path("rows.csv").write_text("x\n1\nabc\n")
    done = run("check", "x^2", "--data", "rows.csv")
    assert done.stderr.startswith("rows.csv:3:1: error: column 'x': 'abc' is not a number\n")


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ("x\n1\n0\n-2\n0\n", "note: the derivative of abs(x) at 0 is by convention "
         "(line 1, column 1): just beside it is another (cgraph functions abs)\n"),
        ("x\n1\n2\n", ""),
    ],
)  # fmt: skip
def test_conventions_are_told_once_for_all_rows(run: Run, rows: str, told: str) -> None:
    done = run("grad", "abs(x)*y", "--y", "3", "--wrt", "x", "--data", "-", stdin=rows)
    assert (done.exit_code, done.stderr) == (0, told)
    assert run("grad", "abs(x)^2", "--data", "-", stdin=rows).stderr == ""
