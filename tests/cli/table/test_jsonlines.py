"""JSON lines: an object for each row."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cgraph.cli.table import streams

from ..conftest import Run


@pytest.mark.parametrize("ending", ["jsonl", "ndjson", "json"])
def test_a_file(run: Run, ending: str) -> None:
    Path(f"rows.{ending}").write_text('{"x": 1.5, "z": {"q": 1}}\n\n{"x": 2}\n')
    done = run("eval", "2x", "--data", f"rows.{ending}")
    assert done.output == "value\n3\n4\n"


def test_stdin_that_begins_with_an_object(run: Run) -> None:
    assert run("eval", "2x", "--data", "-", stdin='{"x": 1}\r\n').output == "value\n2\n"


def test_what_is_written_is_read(run: Run) -> None:
    Path("rows.csv").write_text("x\n1\ninf\n-inf\n-1\n")
    run("eval", "log(x)", "--data", "rows.csv", "-o", "out.jsonl", "-q")
    done = run("eval", "value", "--data", "out.jsonl", "-q", "--keep", "*", "--col", "value=value")
    assert "called 'value'" in done.stderr
    done = run("eval", "p = value; p", "--output", "p", "--data", "out.jsonl", "-q", "--keep", "*")
    assert done.output == "value,p\n0,0\ninf,inf\n,nan\n,nan\n"


def test_values_that_are_missing(run: Run) -> None:
    done = run("eval", "x", "--data", "-", stdin='{"x": 1}\n{"y": 2}\n{"x": null}\n')
    assert done.stdout == "value\n1\nnan\nnan\n"
    assert done.stderr == "warning: 2 of 3 rows lack a value, the first is row 2: column 'x'\n"


def test_what_is_kept(run: Run) -> None:
    rows: list[dict[str, Any]] = [
        {"x": 1.0, "s": 'a"b\n', "i": 3, "b": True, "l": [1, 2], "o": {"k": None}, "m": 1},
        {"x": 2.0, "s": "ä", "i": None, "b": False, "l": [], "o": None, "m": "one"},
    ]
    table = "".join(f"{json.dumps(row)}\n" for row in rows)
    done = run("eval", "x", "--data", "-", "--keep", "*", "--json", stdin=table)
    assert done.stderr == ""
    rows[0]["m"] = "1"
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {**row, "value": row["x"]} for row in rows
    ]


def test_times_are_kept_as_they_are(run: Run) -> None:
    table = '{"x": 1, "t": "2020-01-01T00:00:00"}\n'
    done = run("eval", "x", "--data", "-", "--keep", "t", stdin=table)
    assert done.output == "t,value\n2020-01-01T00:00:00,1\n"


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (
            '{"x": 1}\n{"x": \n',
            "rows.jsonl:2:7: error: this is no JSON: expecting value\n"
            '  2 | {"x": \n    |       ^\n',
        ),
        (
            '{"x": 1}\n[2]\n',
            "rows.jsonl:2:1: error: this is no object\n  2 | [2]\n    | ^^^\n",
        ),
        (
            '{"x": 1}\n\n{"x": "abc"}\n',
            "rows.jsonl:3:2: error: column 'x': 'abc' is not a number\n"
            '  3 | {"x": "abc"}\n    |  ^^^\n',
        ),
        (
            '{"x": 1}\n{"x": {"y": 2}}\n',
            "rows.jsonl:2:2: error: column 'x': an object is not a number\n"
            '  2 | {"x": {"y": 2}}\n    |  ^^^\n',
        ),
        (
            '{"x": 1}\n{"x": [2]}\n',
            "rows.jsonl:2:2: error: column 'x': [2] is not what rows before have\n"
            '  2 | {"x": [2]}\n    |  ^^^\n',
        ),
        (
            '[{"x": 1}',
            "error: rows.jsonl is an array that is never closed\n",
        ),
        (
            "[1, 2]\n",
            "rows.jsonl:1:1: error: this is no object\n  1 |  1\n    | ^^\n",
        ),
        ("", "error: rows.jsonl is empty\n"),
    ],
)
def test_lines_that_are_not_read(run: Run, lines: str, told: str) -> None:
    Path("rows.jsonl").write_text(lines)
    done = run("eval", "x", "--data", "rows.jsonl")
    assert (done.exit_code, done.stdout, done.stderr) == (1, "", told)


def test_a_bad_line_far_down_is_found(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "FIRST", 64)
    monkeypatch.setattr(streams, "BLOCK", 128)
    Path("rows.jsonl").write_text('{"x": 1}\n' * 500 + "oops\n")
    done = run("eval", "x", "--data", "rows.jsonl")
    assert done.stderr.startswith("rows.jsonl:501:1: error: this is no JSON")


def test_what_is_kept_has_the_type_of_the_first_rows(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "FIRST", 16)
    Path("rows.jsonl").write_text('{"x": 1, "i": 1}\n{"x": 1, "i": 2}\n{"x": 1, "i": "a"}\n')
    done = run("eval", "x", "--data", "rows.jsonl", "--keep", "i", "-o", "out.parquet")
    told = "rows.jsonl:3:10: error: column 'i': 'a' is not int64, as rows before"
    told += " (make it text: jq -c '.\"i\" |= tostring')\n"
    assert done.stderr.startswith(told)


def test_a_list_that_is_missing_is_nan_throughout(run: Run) -> None:
    Path("rows.jsonl").write_text('{"x": [1, 2]}\n{"x": null}\n{"x": [3, null]}\n')
    done = run("eval", "sum(x)", "--data", "rows.jsonl")
    assert done.stdout == "value\n3\nnan\nnan\n"
    assert "2 of 3 rows lack a value, the first is row 2: column 'x'" in done.stderr
    assert run("eval", "sum(x)", "--data", "rows.jsonl", "--nulls", "skip").stdout == "value\n3\n"


def test_what_is_to_be_mended_on_stdin_is_mended_before() -> None:
    assert streams.mended_by("tr 'a' 'b' <", "-") == "... | tr 'a' 'b' | cgraph ... --data -"
    assert streams.mended_by("tr 'a' 'b' <", "f") == "tr 'a' 'b' < f | cgraph ... --data -"


@pytest.mark.parametrize(
    ("text", "stderr"),
    [
        (
            '[{"x":1},]',
            "<stdin>:1:9: error: nothing follows the last comma of the array\n"
            '  1 | [{"x":1},]\n    |         ^\n',
        ),
        (
            '{"x":1}\n{"x":"\\ud800"}\n',
            "<stdin>:2:7: error: \\ud800 is half of a letter "
            "(two of them, as in \\ud83d\\ude00, are one)\n"
            '  2 | {"x":"\\ud800"}\n    |       ^^^^^^\n',
        ),
        (
            '{"x":1,"s\\udfff":1}\n',
            "<stdin>:1:10: error: \\udfff is half of a letter "
            "(two of them, as in \\ud83d\\ude00, are one)\n"
            '  1 | {"x":1,"s\\udfff":1}\n    |          ^^^^^^\n',
        ),
    ],
)
def test_what_is_no_text_or_no_array(run: Run, text: str, stderr: str) -> None:
    done = run("eval", "x", "--data", "-", "--keep", "*", stdin=text)
    assert (done.exit_code, done.stderr) == (1, stderr)


@pytest.mark.parametrize(
    "text", ['{"x":1}\n', '[{"x":1}]', "x\n1\n", '{"x":1,"s":"\\ud83d\\ude00"}']
)
def test_a_mark_of_the_byte_order_on_stdin(run: Run, text: str) -> None:
    assert run("eval", "x", "--data", "-", stdin="\ufeff" + text).output == "value\n1\n"


def test_rows_of_lists_that_are_all_left_out(run: Run) -> None:
    done = run("eval", "2x", "--data", "-", "--nulls", "skip", stdin='{"x":[1,null]}\n')
    assert (done.exit_code, done.stdout) == (0, "value\n")


@pytest.mark.parametrize("ending", ["arrow", "parquet", "csv", "jsonl", "npz"])
def test_empty_lists_are_carried_along(run: Run, ending: str) -> None:
    words = ("--data", "-", "--keep", "x", "-o", f"out.{ending}")
    assert run("eval", "2x", *words, stdin='{"x":[]}\n{"x":[]}\n').exit_code == 0
    if ending not in ("csv", "npz"):  # there they are text
        assert run("eval", "len(x)", "--data", f"out.{ending}").stdout == "value\n0\n0\n"
