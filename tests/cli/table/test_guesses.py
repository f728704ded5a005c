"""Tables as people have them: other separators, blanks, comments, one array of objects."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cgraph.cli.table import streams

from ..conftest import Run

ANSWER = "value\n2\n12\n"


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ("x,y\n1,2\n3,4\n", []),
        ("x;y\n1;2\n3;4\n", ["cells are separated by ';', as its header says"]),
        ("x\ty\n1\t2\n3\t4\n", ["cells are separated by a tab, as its header says"]),
        ("x   y\n 1   2\n3 \t 4\n", ["cells are separated by blanks, as its header says"]),
        ("  x y\r\n  1 2\r\n  3 4\r\n", ["cells are separated by blanks, as its header says"]),
        ("# by me\n# today\nx,y\n1,2\n3,4\n", ["the first 2 lines are comments"]),
        ("# by me, today\nx,y\n1,2\n3,4\n", ["the first line is a comment"]),
        ("# by me\nx;y\n1;2\n3;4\n",
         ["the first line is a comment", "cells are separated by ';', as its header says"]),
        ("# x y\n1 2\n3 4\n",
         ["its header is a comment", "cells are separated by blanks, as its header says"]),
        ("#x,y\n1,2\n3,4\n", ["its header is a comment"]),
    ],
)  # fmt: skip
def test_tables_are_taken_with_a_note(run: Run, text: str, notes: list[str]) -> None:
    Path("t.csv").write_text(text, newline="")
    done = run("eval", "x*y", "--data", "t.csv")
    assert (done.exit_code, done.stdout) == (0, ANSWER)
    assert done.stderr == "".join(f"note: t.csv: {note}\n" for note in notes)


def test_a_separator_that_is_told_is_not_guessed(run: Run) -> None:
    Path("t.csv").write_text("x;y\n1;2\n")
    done = run("eval", "x*y", "--data", "t.csv", "--delimiter", ",")
    assert done.exit_code == 2
    done = run("eval", "x*y", "--data", "t.csv", "--delimiter", ";")
    assert (done.stdout, done.stderr) == ("value\n2\n", "")


def test_one_column_with_a_name_of_two_words(run: Run) -> None:
    Path("t.csv").write_text("Temp C\n1\n2\n")
    done = run("eval", "2T", "--data", "t.csv", "--col", "T=Temp C")
    assert (done.stdout, done.stderr) == ("value\n2\n4\n", "")


def test_a_fault_is_told_at_its_line(run: Run) -> None:
    Path("t.csv").write_text("# by me\nx  y\n1  2\n3  q\n")
    done = run("eval", "x*y", "--data", "t.csv")
    assert "t.csv:4:3: error: column 'y': 'q' is not a number\n" in done.stderr


ROWS = [{"x": 1, "y": 2, "t": 'a, [b]\\" {'}, {"x": 3, "y": 4, "t": "c"}]


@pytest.mark.parametrize("indent", [None, 0, 2])
@pytest.mark.parametrize("name", ["r.json", "-"])
def test_an_array_of_objects(run: Run, indent: int | None, name: str) -> None:
    text = json.dumps(ROWS, indent=indent)
    Path("r.json").write_text(text)
    done = run("eval", "x*y", "--data", name, "--keep", "t", "--json", stdin=text)
    assert (done.exit_code, done.stderr) == (0, "")
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert told == [
        {"t": row["t"], "value": value} for row, value in zip(ROWS, (2, 12), strict=True)
    ]


@pytest.mark.parametrize("form", ["lines", "one line", "indented"])
def test_a_long_array(run: Run, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "FIRST", 64)
    monkeypatch.setattr(streams, "BLOCK", 128)
    rows = [{"x": k, "y": [1, k]} for k in range(500)]
    text = json.dumps(rows, indent=1 if form == "indented" else None)
    if form == "lines":
        text = text.replace("}, {", "},\n {")
    Path("r.json").write_text(text)
    done = run("eval", "x + sum(y)", "--data", "r.json", "--reduce", "sum")
    assert (done.stdout, done.stderr) == (f"{500 + 2 * sum(range(500))}\n", "")


def test_a_bad_entry_is_found_at_its_line(run: Run) -> None:
    Path("r.json").write_text('[\n {"x":\n 1},\n\n {"x": 2}, {"x": []}\n]\n')
    done = run("eval", "x", "--data", "r.json")
    assert done.stderr.startswith("r.json:6:")
    Path("r.json").write_text('[\n {"x":\n 1},\n\n {"x": "q"}\n]\n')
    assert run("eval", "x", "--data", "r.json").stderr.startswith("r.json:5:")
