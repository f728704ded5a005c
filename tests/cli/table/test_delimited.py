"""CSV and TSV: what is read, and what is said of what cannot be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cgraph.cli.table import streams
from cgraph.cli.table.arrow import arrow

from ..conftest import Run


@pytest.mark.parametrize(
    ("content", "options"),
    [
        (b"x,y\n1.5,2\n-3,4\n", ()),
        (b"x,y\r\n1.5,2\r\n-3,4\r\n", ()),
        (b"x,y\n1.5,2\n-3,4", ()),
        (b"\xef\xbb\xbfx,y\n1.5,2\n-3,4\n", ()),
        (b"\n\n x , y \n\n 1.5 ,+2\n\n-3,4.0e0\n", ()),
        (b'"x","y"\n"1.5","2"\n-3,"4"\n', ()),
        (b"x;y\n1,5;2\n-3;4\n", ("--decimal", ",")),
        (b"x;y\n1.5;2\n-3;4\n", ("--delimiter", ";")),
        (b"x\ty\n1.5\t2\n-3\t4\n", ("--delimiter", "tab")),
        (b"sep=;\r\nx;y\r\n1.5;2\r\n-3;4\r\n", ()),
        (b"\xef\xbb\xbfsep=;\nx;y\n1,5;2\n-3;4\n", ("--decimal", ",")),
        (b"sep=\t\nx\ty\n1.5\t2\n-3\t4\n", ()),
        (b"x\ty\n1.5\t2\n-3\t4\n", ("--delimiter", r"\t")),
        (b'x,z,y\n1.5,"a\nb,",2\n-3,"""",4\n', ()),
        (b'x,z,y\n1.5,5" pipe,2\n-3,6" pipe,4\n', ()),
        (b"x,z,y\n1.5,\xe9,2\n-3,\xff,4\n", ()),
    ],
)
@pytest.mark.parametrize("first", [streams.FIRST, 8])
def test_files_that_are_read(
    run: Run, monkeypatch: pytest.MonkeyPatch, content: bytes, options: tuple[str, ...], first: int
) -> None:
    monkeypatch.setattr(streams, "FIRST", first)
    monkeypatch.setattr(streams, "BLOCK", first)
    Path("rows.csv").write_bytes(content)
    done = run("eval", "x*y", "--data", "rows.csv", *options, "--json")
    assert done.output == '{"value": 3}\n{"value": -12}\n'


def test_a_tsv_is_separated_by_tabs(run: Run) -> None:
    Path("rows.tsv").write_text("x\tn\n2\ta,b\n")
    assert run("eval", "x", "--data", "rows.tsv", "--keep", "n").output == 'n,value\n"a,b",2\n'
    run("eval", "x", "--data", "rows.tsv", "--keep", "n", "-o", "out.tsv")
    assert Path("out.tsv").read_text() == "n\tvalue\na,b\t2\n"


def test_results_have_the_form_that_is_told(run: Run) -> None:
    Path("rows.csv").write_text("x;n\n1,5;a\n")
    done = run("eval", "x*2.5", "--data", "rows.csv", "--decimal", ",", "--keep", "x,n")
    assert done.output == "x;n;value\n1,5;a;3,75\n"


@pytest.mark.parametrize("cell", ["", "NA", "null", "nan", "NaN", " ", "N/A"])
def test_cells_without_a_value(run: Run, cell: str) -> None:
    Path("rows.csv").write_text(f"x,y\n1,2\n{cell},4\n")
    for options in ((), ("--keep", "x")):
        done = run("eval", "x*y", "--data", "rows.csv", *options)
        assert done.stdout.endswith(",nan\n" if options else "\nnan\n")
        assert done.stderr == "warning: 1 of 2 rows lacks a value, row 2: column 'x'\n"


@pytest.mark.parametrize("first", [streams.FIRST, 8])
def test_marks_of_no_value(run: Run, monkeypatch: pytest.MonkeyPatch, first: int) -> None:
    monkeypatch.setattr(streams, "FIRST", first)
    Path("rows.csv").write_text("x,y\n1,-\n2,-999\n3, ? \n4,5\nNA,6\n")
    words = ("eval", "x*y", "--data", "rows.csv", "--keep", "y")
    done = run(*words, "--na=-", "--na", "?", "--na", "-999")
    assert done.stdout == "y,value\n-,nan\n-999,nan\n ? ,nan\n5,20\n6,nan\n"
    assert done.stderr == "warning: 4 of 5 rows lack a value, the first is row 1: column 'y'\n"
    done = run(*words, "--na", "-", "--na", "?", "-q", "--json", "--nulls", "skip")
    assert done.output == '{"y": -999, "value": -1998}\n{"y": 5, "value": 20}\n'


def test_marks_where_no_cells_are(run: Run) -> None:
    Path("rows.jsonl").write_text('{"x": "-"}\n')
    done = run("eval", "x", "--data", "rows.jsonl", "--na", "-")
    told = "--na is for cells of CSV and TSV, and rows.jsonl has none"
    assert (done.exit_code, done.output) == (2, f"error: {told}\n")


@pytest.mark.parametrize("options", [(), ("--keep", "x")])
def test_booleans_are_numbers_as_they_are_in_parquet(run: Run, options: tuple[str, ...]) -> None:
    Path("rows.csv").write_text("x\ntrue\nFalse\nTRUE\n0.5\n")
    done = run("eval", "2x", "--data", "rows.csv", *options)
    assert [line.split(",")[-1] for line in done.output.split()] == ["value", "2", "0", "2", "1"]


@pytest.mark.parametrize("name", ["out.parquet", "out.arrow"])
def test_a_block_of_odd_numbers_has_the_type_of_the_others(
    run: Run, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(streams, "FIRST", 8)
    monkeypatch.setattr(streams, "BLOCK", 8)
    Path("rows.csv").write_text("x\n1\n2\n3\n4\nInfinity\n5\n6\n NA \n7\n")
    done = run("eval", "2x", "--data", "rows.csv", "--keep", "x", "-o", name, "-q")
    assert (done.exit_code, done.output) == (0, "")
    found = reader(name).read_table(name)["x"].to_pylist()
    assert found == [1.0, 2.0, 3.0, 4.0, float("inf"), 5.0, 6.0, None, 7.0]


@pytest.mark.parametrize("cell", ["inf", "Infinity", "-inf", "-Infinity", "1e300", "5e-324"])
def test_numbers_read_back(run: Run, cell: str) -> None:
    Path("rows.csv").write_text(f"x\n{cell}\n")
    done = run("eval", "x", "--data", "rows.csv", "-q")
    assert float(done.stdout.splitlines()[1]) == float(cell)
    kept = run("eval", "x", "--data", "rows.csv", "-q", "--keep", "x")
    assert kept.stdout.splitlines()[1] == f"{cell},{done.stdout.splitlines()[1]}"


BAD = {
    "text": (
        b"x,y\n1,2\n3,abc\n",
        "rows.csv:3:3: error: column 'y': 'abc' is not a number\n  3 | 3,abc\n    |   ^^^\n",
    ),
    "text among lines": (
        b'x,y,z\n1,2,"a\nb"\n\n3,0x10,c\n',
        "rows.csv:5:3: error: column 'y': '0x10' is not a number\n  5 | 3,0x10,c\n    |   ^^^^\n",
    ),
    "the place of a cell among others like it": (
        b"x,z,y\n11,1 1,1\nx,x,x\n",
        "rows.csv:3:1: error: column 'x': 'x' is not a number\n  3 | x,x,x\n    | ^\n",
    ),
    "a cell after quotes": (
        b'z,y,x\n"a,b",2,three\n',
        "rows.csv:2:9: error: column 'x': 'three' is not a number\n"
        '  2 | "a,b",2,three\n    |         ^^^^^\n',
    ),
    "short": (
        b"x,y\n1,2\n3\n",
        "rows.csv:3:1: error: 1 cell, where the header has 2 "
        "(an empty cell has its ',' too)\n  3 | 3\n    | ^\n",
    ),
    "long": (
        b"x,y\n1,2,3\n",
        "rows.csv:2:5: error: 3 cells, where the header has 2 "
        "(a cell that has a ',' in it is written in quotes)\n  2 | 1,2,3\n    |     ^\n",
    ),
    "comment": (
        b"x,y\n# metres\n1,2\n",
        "rows.csv:2:1: error: 1 cell, where the header has 2 "
        "(a comment is not read: delete it)\n  2 | # metres\n    | ^\n",
    ),
    "empty": (b"", "error: rows.csv is empty\n"),
    "blank": (b"\n \n", "error: rows.csv is empty\n"),
    "no header": (
        b"1,2\n3,4\n",
        "error: rows.csv has no header: its first line is '1,2' (write names in a line above)\n",
    ),
    "Latin 1": (
        b"x,y\xb0\n1,2\n",
        "error: rows.csv is not text in UTF-8 (byte 0xb0 at offset 3) "
        "(iconv -f LATIN1 -t UTF-8 rows.csv | cgraph ... --data -)\n",
    ),
    "old Mac": (
        b"x,y\r1,2\r",
        "error: the lines of rows.csv end in a carriage return alone "
        "(tr '\\r' '\\n' < rows.csv | cgraph ... --data -)\n",
    ),
    "UTF-16": (
        "x,y\n1,2\n".encode("utf-16"),
        "error: rows.csv is not text in UTF-8 (UTF-16) "
        "(iconv -f UTF-16 -t UTF-8 rows.csv | cgraph ... --data -)\n",
    ),
    "UTF-16 without a mark": (
        "x,y\r\n1,2\r\n".encode("utf-16-le"),
        "error: rows.csv is not text in UTF-8 (UTF-16) "
        "(iconv -f UTF-16LE -t UTF-8 rows.csv | cgraph ... --data -)\n",
    ),
}


@pytest.mark.parametrize("what", BAD)
def test_files_that_are_not_read(run: Run, what: str) -> None:
    content, told = BAD[what]
    Path("rows.csv").write_bytes(content)
    done = run("eval", "x*y", "--data", "rows.csv")
    assert (done.exit_code, done.stdout, done.stderr) == (1, "", told)


@pytest.mark.parametrize(
    ("content", "options", "told"),
    [
        (
            "x;y\n1;1,5\n",
            ("--delimiter", ";"),
            "rows.csv:2:3: error: column 'y': '1,5' is not a number (--decimal ,)\n"
            "  2 | 1;1,5\n    |   ^^^\n",
        ),
        (
            "sep=;\nx;y\n1;1,5\n",
            (),
            "rows.csv:3:3: error: column 'y': '1,5' is not a number (--decimal ,)\n"
            "  3 | 1;1,5\n    |   ^^^\n",
        ),
        (
            "x;y\n1;1.001\n",
            ("--decimal", ","),
            "rows.csv:2:3: error: column 'y': '1.001' is not a number "
            "(with --decimal , its points would separate thousands: leave them out)\n"
            "  2 | 1;1.001\n    |   ^^^^^\n",
        ),
        (
            "x;y\n1;a.b\n",
            ("--decimal", ","),
            "rows.csv:2:3: error: column 'y': 'a.b' is not a number\n  2 | 1;a.b\n    |   ^^^\n",
        ),
        (
            "sep=,\nx,y\n1,2\n",
            ("--decimal", ","),
            "error: the cells of rows.csv are separated by ',', as its first line says: "
            "--decimal is another\n",
        ),
        ("sep=;\n", (), "error: rows.csv is empty\n"),
        (
            "x,y\n1,-\n",
            (),
            "rows.csv:2:3: error: column 'y': '-' is not a number "
            "(--na='-' says that it is no value)\n  2 | 1,-\n    |   ^\n",
        ),
        (
            "x,y\n1,Missing\n",
            ("--nulls", "skip"),
            "rows.csv:2:3: error: column 'y': 'Missing' is not a number "
            "(--na='Missing' says that it is no value)\n  2 | 1,Missing\n    |   ^^^^^^^\n",
        ),
    ],
)
def test_numbers_of_another_form(
    run: Run, content: str, options: tuple[str, ...], told: str
) -> None:
    Path("rows.csv").write_text(content)
    done = run("eval", "x*y", "--data", "rows.csv", *options)
    assert (done.exit_code, done.stdout, done.stderr) == (1, "", told)


def test_more_cells_than_one(run: Run) -> None:
    Path("rows.csv").write_text("x\n1,5\n")
    assert run("eval", "x", "--data", "rows.csv").stderr == (
        "rows.csv:2:3: error: 2 cells, where the header has 1 "
        "(cells are separated by ',': is that the --delimiter?)\n  2 | 1,5\n    |   ^\n"
    )


def test_a_bad_cell_far_down_is_found(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "FIRST", 64)
    monkeypatch.setattr(streams, "BLOCK", 128)
    Path("rows.csv").write_text("x\n" + "1\n" * 1000 + "one\n" + "1\n" * 100)
    for options in ((), ("--keep", "x")):
        done = run("eval", "x", "--data", "rows.csv", *options)
        assert done.stderr.startswith("rows.csv:1002:1: error: column 'x': 'one' is not a number\n")


def test_letters_that_are_none_in_what_is_kept(run: Run) -> None:
    Path("rows.csv").write_bytes(b"x,n\n1,a\n2,\xe9\n")
    done = run("eval", "x", "--data", "rows.csv", "--keep", "n")
    assert done.stderr.startswith("rows.csv:3:3: error: column 'n': '\ufffd' is not text in UTF-8")


CODES = ("007", "01067", "1e5", "+1", "1.50", "", "NA", "true", " 2020-01-01", "7", "A17")


@pytest.mark.parametrize("first", [streams.FIRST, 8])
@pytest.mark.parametrize("name", ["out.csv", "out.jsonl", "out.parquet", "out.arrow", "out.npz"])
def test_what_is_kept_is_text_whatever_rows_hold(
    run: Run, monkeypatch: pytest.MonkeyPatch, name: str, first: int
) -> None:
    monkeypatch.setattr(streams, "FIRST", first)
    monkeypatch.setattr(streams, "BLOCK", first)
    Path("rows.csv").write_text("x,code\n" + "".join(f"1,{code}\n" for code in CODES))
    done = run("eval", "2x", "--data", "rows.csv", "--keep", "code", "-o", name)
    assert (done.exit_code, done.output) == (0, "")
    assert tuple(kept_in(name)) == CODES


def kept_in(name: str) -> list[str]:
    """Return the first column of a table that was written."""
    if name.endswith(".csv"):
        return [line.rpartition(",")[0] for line in Path(name).read_text().splitlines()[1:]]
    if name.endswith(".jsonl"):
        return [json.loads(line)["code"] for line in Path(name).read_text().splitlines()]
    if name.endswith(".npz"):
        with np.load(name) as arrays:
            return list(arrays["code"])
    kept: list[str] = reader(name).read_table(name)["code"].to_pylist()
    return kept


def reader(name: str) -> Any:
    """Return the module of PyArrow's that reads such a file."""
    return arrow("parquet" if name.endswith(".parquet") else "feather")


def test_what_is_kept_and_an_input_is_a_number_where_there_are_numbers(run: Run) -> None:
    Path("rows.csv").write_text("x,n\n1.50,007\nNA,8\n")
    words = ("eval", "2x", "--data", "rows.csv", "--keep", "*", "-q")
    assert run(*words).stdout == "x,n,value\n1.50,007,3\nNA,8,nan\n"
    assert run(*words, "--json").stdout == (
        '{"x": 1.5, "n": "007", "value": 3}\n{"x": null, "n": "8", "value": "NaN"}\n'
    )


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--delimiter", "ab"), "--delimiter takes one character, or tab, not 'ab'"),
        (("--delimiter", '"'), "--delimiter takes one character, or tab, not '\"'"),
        (
            ("--delimiter", "e"),
            "--delimiter cannot be a letter, a digit or a sign, as 'e' is",
        ),
        (
            ("--delimiter", "1"),
            "--delimiter cannot be a letter, a digit or a sign, as '1' is",
        ),
        (
            ("--delimiter", "-"),
            "--delimiter cannot be a letter, a digit or a sign, as '-' is",
        ),
        (("--delimiter", "."), "--delimiter and --decimal are both '.'"),
        (("--delimiter", ",", "--decimal", ","), "--delimiter and --decimal are both ','"),
    ],
)
def test_forms_that_cannot_be(run: Run, options: tuple[str, ...], told: str) -> None:
    done = run("eval", "x", "--data", "rows.csv", *options)
    assert (done.exit_code, done.stderr) == (2, f"error: {told}\n")


def test_the_place_of_an_empty_cell(run: Run) -> None:
    Path("rows.csv").write_text("n,x\nabc,\n")
    done = run("eval", "x", "--data", "rows.csv", "--nulls", "error")
    assert done.stderr == (
        "rows.csv:2:5: error: column 'x': there is no value\n  2 | abc,\n    |     ^\n"
    )


ODD_QUOTES = {
    "in a row": (b'x,y\n1,2\n3,"4\n5,6\n', "2", '3,"4', "rows.csv:3:3"),
    "in the last row": (b'x,y\r\n1,2\r\n3,"4\r\n', "2", '3,"4', "rows.csv:3:3"),
    "in a cell that is not the last": (b'x,y\n"1,2\n3,4\n', "2", '"1,2', "rows.csv:2:1"),
    "after others": (b'x,y\n"a\nb",1\n5" pipe,"2\n3,4', "2", '5" pipe,"2', "rows.csv:4:9"),
    "in the header": (b'\nx,"y\n1,2\n', "2", 'x,"y', "rows.csv:2:3"),
    "after what is not ASCII": (b'x,y\n\xc3\xa9,"1\n', "2", 'é,"1', "rows.csv:2:3"),
}


@pytest.mark.parametrize("what", ODD_QUOTES)
@pytest.mark.parametrize("first", [streams.FIRST, 8])
def test_a_quote_that_is_not_closed(
    run: Run, monkeypatch: pytest.MonkeyPatch, what: str, first: int
) -> None:
    monkeypatch.setattr(streams, "FIRST", first)
    monkeypatch.setattr(streams, "BLOCK", first)
    content, formula, line, place = ODD_QUOTES[what]
    Path("rows.csv").write_bytes(content)
    number = place.split(":")[1]
    at = " " * (int(place.split(":")[2]) - 1)
    shown = f"error: a quote is not closed\n  {number} | {line}\n    | {at}^\n"
    done = run("eval", formula, "--data", "rows.csv", "-o", "out.csv")
    assert (done.exit_code, done.output) == (1, f"{place}: {shown}")
    assert not Path("out.csv").exists()
    done = run("eval", formula, "--data", "-", "--reduce", "sum", stdin=content)
    assert (done.exit_code, done.output) == (1, f"{place.replace('rows.csv', '<stdin>')}: {shown}")


def test_a_quote_that_is_not_closed_in_a_large_file(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("FIRST", "BLOCK", "LONGEST"):
        monkeypatch.setattr(streams, name, 1 << 10)
    Path("rows.csv").write_text("x,n\n" + "1,a\n" * 9 + '1,"q\n' + "1,a\n" * 10_000)
    done = run("eval", "x", "--data", "rows.csv", "-o", "out.csv")
    told = 'rows.csv:11:3: error: a quote is not closed\n  11 | 1,"q\n     |   ^\n'
    assert (done.exit_code, done.output) == (1, told)
    assert not Path("out.csv").exists()


POINTED = " (with --decimal , a number has no .)"
GROUPED = " (with --decimal , its points would separate thousands: leave them out)"


@pytest.mark.parametrize(
    ("cell", "decimal", "hint"),
    [
        ("1.234", ",", GROUPED),
        ("-1.234.567,5", ",", GROUPED),
        ("1.5", ",", POINTED),
        ("1.2345", ",", POINTED),
        ("1,5.5", ",", POINTED),
        ("1,500", ".", " (--decimal ,)"),
        ("1.234.567", ".", ""),
    ],
)
def test_the_other_mark_is_no_decimal_point(run: Run, cell: str, decimal: str, hint: str) -> None:
    Path("rows.csv").write_text(f"x;y\n1;2\n{cell};2\n")
    words = ("--data", "rows.csv", "--decimal", decimal, "--delimiter", ";")
    done = run("eval", "x*y", *words)
    carets = "^" * len(cell)
    told = f"rows.csv:3:1: error: column 'x': '{cell}' is not a number{hint}\n"
    assert (done.exit_code, done.output) == (1, f"{told}  3 | {cell};2\n    | {carets}\n")


def test_words_beside_decimal_commas(run: Run) -> None:
    Path("rows.csv").write_text("x\n1,5\nInfinity\n1.#IND\n +2,5e1\n")
    done = run("eval", "x", "--data", "rows.csv", "--decimal", ",", "-q")
    assert done.output == "value\n1,5\ninf\nnan\n25\n"


@pytest.mark.parametrize("delimiter", [*"!#$%&'()*/:<=>?@[\\]^_`{|}~ ;,", "tab"])
def test_any_delimiter_is_read_and_written(run: Run, delimiter: str) -> None:
    char = "\t" if delimiter == "tab" else delimiter
    odd = '"^-]"' if char in "^]" else "^-]"
    content = f'n{char}x\n"a{char}b"{char}1\n""""{char}2\n{odd}{char}3\n'
    Path("rows.csv").write_text(content)
    words = ("eval", "x", "--delimiter", delimiter, "--keep", "n", "--data")
    assert run(*words, "rows.csv", "-o", "out.csv").output == ""
    written = Path("out.csv").read_text()
    assert written == content.replace(f"n{char}x", f"n{char}value")
    done = run(*words, "out.csv", "--col", "x=value")
    assert done.output == written


def test_a_cell_may_be_as_long_as_a_line(run: Run) -> None:
    cell = "a" * 200_000
    done = run("eval", "2x", "--data", "-", stdin=f"x,y\n1,{cell}\nq,2\n")
    assert done.stderr.startswith("<stdin>:3:1: error: column 'x': 'q' is not a number\n")
    done = run("eval", "2x", "--data", "-", stdin=f"x\n{cell}\n")
    told = f"{'a' * 39}…{'a' * 20}"
    assert done.stderr.startswith(f"<stdin>:2:1: error: column 'x': '{told}' is not a number\n")
    assert run("eval", "2x", "--data", "-", stdin=f"x,{cell}\n1,2\n").stdout == "value\n2\n"


@pytest.mark.parametrize("cell", ['"1"2', '"1" ', '"a""b"c', '"""1"""2'])
def test_nothing_follows_a_closing_quote(run: Run, cell: str) -> None:
    done = run("eval", "x", "--data", "-", stdin=f"x,s\n1,{cell}\n")
    assert done.exit_code == 1
    assert done.stderr.splitlines()[0] == (
        "<stdin>:2:3: error: something follows the quote that closes this cell "
        '(a quote in quotes is written "")'
    )


def test_quotes_as_they_may_be(run: Run) -> None:
    rows = 'x,s\n1,"a,""b""c"\n2,"d\ne"\r\n3,f"g"\n4,""\n5,\n"6","7"'
    done = run("eval", "x", "--data", "-", stdin=rows)
    assert done.stdout == "value\n1\n2\n3\n4\n5\n6\n"


@pytest.mark.parametrize("content", [b"\x89HDF\r\n\x1a\n\0\0abc", b"\x1f\x9d\x90", b"x\0y\n1\n"])
def test_what_is_no_text(run: Run, content: bytes) -> None:
    done = run("eval", "x", "--data", "-", stdin=content)
    assert done.stderr == (
        "error: cannot read <stdin>: it is no text, and no table that is known "
        "(cgraph reads CSV, TSV, JSON, Parquet, Arrow, .npy and .npz)\n"
    )
