"""Parquet and Arrow's files."""

from __future__ import annotations

import datetime
import decimal
from pathlib import Path
from typing import Any

import pytest

from cgraph.cli.table.arrow import arrow

from ..conftest import Run

pa = arrow()


@pytest.fixture(autouse=True)
def _files() -> None:
    table = pa.table(
        {
            "f": pa.array([1.5, 2.0], pa.float32()),
            "i": [1, 2],
            "b": [True, False],
            "d": pa.array([decimal.Decimal("1.25"), None]),
            "c": pa.array(["1", "2"]).dictionary_encode(),
            "t": pa.array([datetime.datetime(2020, 1, 1)] * 2),
            "s": ["a", 'b"'],
            "m": [{"q": 1}, None],
            "l": [[1, 2], [3, 4]],
            "r": [["a"], [None]],
        }
    )
    arrow("parquet").write_table(table, "rows.parquet", row_group_size=1)
    with arrow("ipc").new_file("rows.arrow", table.schema) as file:
        file.write_table(table, max_chunksize=1)
    with arrow("ipc").new_stream("rows.stream", table.schema) as stream:
        stream.write_table(table)


NAMES = ("rows.parquet", "rows.arrow", "rows.stream")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("piped", [False, True])
def test_numbers_of_all_types(run: Run, name: str, piped: bool) -> None:
    content = Path(name).read_bytes() if piped else b""
    words = ("eval", "f + i + b + d + c + sum(l)", "--data", "-" if piped else name)
    done = run(*words, "--nulls", "skip", stdin=content)
    assert done.stdout == "value\n8.75\n"


@pytest.mark.parametrize("name", NAMES)
def test_what_is_kept(run: Run, name: str) -> None:
    done = run("eval", "f", "--data", name, "--keep", "*")
    assert done.stdout == (
        "f,i,b,d,c,t,s,m,l,r,value\n"
        '1.5,1,true,1.25,1,2020-01-01 00:00:00.000000,a,"{""q"": 1}","[1, 2]","[""a""]",1.5\n'
        '2,2,false,,2,2020-01-01 00:00:00.000000,"b""",,"[3, 4]",[null],2\n'
    )
    done = run("eval", "f", "--data", name, "--keep", "d,t,m,l", "--json")
    assert done.stdout == (
        '{"d": "1.25", "t": "2020-01-01 00:00:00", "m": {"q": 1}, "l": [1, 2], "value": 1.5}\n'
        '{"d": null, "t": "2020-01-01 00:00:00", "m": null, "l": [3, 4], "value": 2}\n'
    )


@pytest.mark.parametrize("ending", ["parquet", "arrow", "feather"])
def test_types_are_carried_unchanged(run: Run, ending: str) -> None:
    done = run("grad", "sum(l*w)", "--w", "[1, 2]", "--data", "rows.parquet", "--keep", "*",
               "--wrt", "l", "-o", f"out.{ending}")  # fmt: skip
    assert done.output == ""
    table: Any
    if ending == "parquet":
        table = arrow("parquet").read_table("out.parquet")
    else:
        table = arrow("feather").read_table(f"out.{ending}")
    before = arrow("parquet").read_table("rows.parquet")
    for name in before.column_names:
        assert table[name].to_pylist() == before[name].to_pylist()
        if name != "c":
            assert table[name].type == before[name].type
    assert table["d_l"].to_pylist() == [[1.0, 2.0], [1.0, 2.0]]


def test_no_rows_keep_their_types(run: Run) -> None:
    empty = pa.table({"x": pa.array([], pa.int32()), "s": pa.array([], pa.string())})
    arrow("parquet").write_table(empty, "empty.parquet")
    run("grad", "x^2", "--data", "empty.parquet", "--keep", "*", "-o", "out.parquet")
    found = arrow("parquet").read_table("out.parquet").schema
    assert [str(field.type) for field in found] == ["int32", "string", "double", "double"]


@pytest.mark.parametrize(
    ("formula", "told"),
    [
        ("t*2", "row 1: column 't': timestamp[us] is not a number"),
        ("m*2", "row 1: column 'm': struct<q: int64> is not a number"),
        ("s*2", "row 1: column 's': 'a' is not a number"),
        ("r*2", "row 1: column 'r': ['a'] is not an array of numbers"),
    ],
)
def test_columns_that_are_no_numbers(run: Run, formula: str, told: str) -> None:
    done = run("eval", formula, "--data", "rows.arrow")
    assert (done.exit_code, done.stderr) == (1, f"error: rows.arrow, {told}\n")


def test_a_damaged_file_that_asks_for_too_much_is_named(run: Run) -> None:
    buffers = arrow("ipc").IpcWriteOptions(compression="lz4")
    table = pa.table({"x": [0.0] * 10_000})
    with arrow("ipc").new_file("rows.feather", table.schema, options=buffers) as file:
        file.write_table(table)
    content = Path("rows.feather").read_bytes()
    size = (80_000).to_bytes(8, "little")  # of a buffer when it is unpacked
    assert content.count(size) == 1
    Path("rows.feather").write_bytes(content.replace(size, (1 << 50).to_bytes(8, "little")))
    done = run("eval", "x", "--data", "rows.feather")
    assert (done.exit_code, done.stderr) == (
        1,
        "error: cannot read rows.feather: it takes more memory than there is "
        "(a damaged file may ask for any amount)\n",
    )


def test_a_row_without_a_value(run: Run) -> None:
    done = run("eval", "d", "--data", "rows.parquet", "--nulls", "error")
    assert done.stderr == "error: rows.parquet, row 2: column 'd': there is no value\n"


@pytest.mark.parametrize("name", ["rows.parquet", "rows.arrow", "rows.stream"])
def test_a_file_that_was_cut_off(run: Run, name: str) -> None:
    Path(name).write_bytes(Path(name).read_bytes()[:900])
    done = run("eval", "f", "--data", name)
    assert done.exit_code == 1
    assert done.stderr.startswith(f"error: cannot read {name}: ")
    assert done.stderr.count("\n") == 1


def test_a_file_that_is_none(run: Run) -> None:
    Path("rows.parquet").write_text("x,y\n1,2\n")
    done = run("eval", "x", "--data", "rows.parquet")
    told = "cannot read rows.parquet: it does not begin as .parquet files do"
    assert (done.exit_code, done.stderr) == (1, f"error: {told}\n")


def test_columns_that_are_not_used_are_not_read(run: Run) -> None:
    content = bytearray(Path("rows.parquet").read_bytes())
    where = content.index(b'b"')
    content[where - 8 : where + 2] = b"\0" * 10
    Path("rows.parquet").write_bytes(content)
    assert run("eval", "i", "--data", "rows.parquet").output == "value\n1\n2\n"


def test_bytes_are_kept_as_text(run: Run) -> None:
    columns = {
        "x": pa.array([1.0, 2.0, 3.0]),
        "b": pa.array([b"a", b'\xff"', None], pa.binary()),
        "c": pa.array([b"ab", b"c,", b"\xc3\xa4"], pa.binary(2)),
        "d": pa.array([[b"a"], [], None]),
    }
    arrow("parquet").write_table(pa.table(columns), "rows.parquet")
    words = ("eval", "x", "--data", "rows.parquet", "--keep", "b,c,d")
    assert run(*words).output == ('b,c,d,value\na,ab,"[""a""]",1\n"\\xff""","c,",[],2\n,ä,,3\n')
    assert run(*words, "--json").output == (
        '{"b": "a", "c": "ab", "d": ["a"], "value": 1}\n'
        '{"b": "\\\\xff\\"", "c": "c,", "d": [], "value": 2}\n'
        '{"b": null, "c": "ä", "d": null, "value": 3}\n'
    )
