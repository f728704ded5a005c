"""Values from files: `@FILE` and `--bindings FILE`."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
import pytest

from .conftest import Run


@pytest.fixture(autouse=True)
def _files() -> None:
    np.save("x.npy", np.arange(3))
    np.save("yes.npy", np.array([True, False]))
    np.save("complex.npy", np.array([1j]))
    np.save("words.npy", np.array(["a"]))
    arrays: dict[str, Any] = {"fc1.weight": np.eye(2), "b": np.float32(3)}
    np.savez("w.npz", **arrays)
    np.savez("one.npz", only=np.ones(2))
    Path("d.csv").write_text("a, b\n1,2\n\n3,4\n")
    Path("words.csv").write_text("id,x,y,last\nr0,1,,r0\nr1,2,3,7\n")
    Path("plain.csv").write_text("1\n-2.5e3\n")
    Path("matrix.csv").write_text("1,2\r\n3,4\r\n")
    Path("bad.csv").write_text("a,b\n1,2\n3,four\n")
    Path("short.csv").write_text("a,b\n1,2\n3\n")
    Path("header.csv").write_text("a,b\n")
    Path("empty.csv").write_text("")
    Path("v.json").write_text('[1, [2], "x"]')
    Path("list.json").write_text('[[1, 2.5], ["NaN", "-Infinity"]]')
    Path("m.json").write_text('{"a": 1, "b": [2]}')
    Path("yes.json").write_text("true")
    Path("cut.json").write_text('{"a": [1, 2')
    Path("deep.json").write_text("[" * 100_000)
    Path("huge.json").write_text("1" * 400)
    Path("a:b.json").write_text("7")
    Path("not.npy").write_bytes(b"no")
    Path("decimal.csv").write_text("x\n1,5\n")
    Path("semicolons.csv").write_text("a;b\n1;2\n")
    Path("twice.csv").write_text("x,x\n1,2\n")
    Path("quote.csv").write_text('x\n"1\n')
    Path("large.csv").write_text("1,1e400\n")
    Path("gaps.csv").write_text("1,\ninf,2\n")
    Path("large.json").write_text("[1e400]")
    Path("twice.json").write_text('{"x": 1, "x": 2}')
    np.savez("none.npz")
    np.savez("mixed.npz", x=np.arange(2))
    with ZipFile("mixed.npz", "a") as archive:
        archive.writestr("text", "1.5")
    np.save("fortran.npy", np.asfortranarray([[1, 2, 3], [4, 5, 6]]))
    np.save("big.npy", np.array([1.5, -2], dtype=">f8"))
    np.save("short.npy", np.array([1, 2], dtype=">i2"))
    np.save("half.npy", np.array([0.5, 1], dtype=np.float16))
    np.save("float32.npy", np.array([[0.1]], dtype=np.float32))
    np.save("zero.npy", np.array(3, dtype=np.uint8))
    np.save("empty.npy", np.zeros((0, 2)))
    slashes: dict[str, Any] = {"fc1/weight": np.arange(2), "b": np.ones(1)}
    np.savez("slashes.npz", **slashes)
    Path("deeper.json").write_text("[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]")
    Path("ragged.json").write_text("[[1, 2], [3]]")
    Path("folder").mkdir()
    np.save("folder/fc1.weight.npy", np.arange(3))
    np.save("folder/a%2Fb.npy", np.arange(2))
    Path("folder/notes.txt").write_text("x")
    Path("array.npz").write_bytes(Path("x.npy").read_bytes())
    Path("archive.npy").write_bytes(Path("one.npz").read_bytes())


@pytest.mark.parametrize(
    ("value", "stdout"),
    [
        ("@x.npy", "[0, 1, 2]"),
        ("@yes.npy", "[1, 0]"),
        ("@w.npz:fc1.weight", "[[1, 0], [0, 1]]"),
        ("@w.npz:b", "3"),
        ("@one.npz", "[1, 1]"),
        ("@d.csv", "[[1, 2], [3, 4]]"),
        ("@d.csv:b", "[2, 4]"),
        ("@words.csv:x", "[1, 2]"),
        ("@words.csv:y", "[nan, 3]"),
        ("@plain.csv", "[1, -2500]"),
        ("@matrix.csv", "[[1, 2], [3, 4]]"),
        ("@list.json", "[[1, 2.5], [nan, -inf]]"),
        ("@m.json:b", "[2]"),
        ("@m.json:a", "1"),
        ("@a:b.json", "7"),
        ("@./d.csv:a", "[1, 3]"),
        ("@gaps.csv", "[[1, nan], [inf, 2]]"),
        ("@mixed.npz:x", "[0, 1]"),
        ("@fortran.npy", "[[1, 2, 3], [4, 5, 6]]"),
        ("@big.npy", "[1.5, -2]"),
        ("@short.npy", "[1, 2]"),
        ("@half.npy", "[0.5, 1]"),
        ("@float32.npy", "[[0.10000000149011612]]"),
        ("@zero.npy", "3"),
        ("@empty.npy", "[]"),
        ("@deeper.json", "[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]"),
        ("@slashes.npz:fc1/weight", "[0, 1]"),
        ("@slashes.npz:fc1.weight", "[0, 1]"),
    ],
)
def test_a_value_from_a_file(run: Run, value: str, stdout: str) -> None:
    done = run("eval", "x", "--x", value)
    assert (done.exit_code, done.stdout, done.stderr) == (0, f"{stdout}\n", "")


@pytest.mark.parametrize(
    ("value", "stderr"),
    [
        ("@no.csv", "error: cannot read no.csv: No such file or directory"),
        ("@x.gz", "error: cannot tell what 'x.gz' holds: it ends in no .npy, .npz, .csv, .json"),
        ("@", "error: cannot tell what '' holds: it ends in no .npy, .npz, .csv, .json"),
        ("@x.npy:a", "error: x.npy holds one array, none called 'a'"),
        ("@w.npz", "error: w.npz holds fc1.weight, b: say which, @w.npz:fc1.weight"),
        ("@w.npz:fc1.wieght",
         "error: w.npz holds no 'fc1.wieght', only fc1.weight, b (did you mean 'fc1.weight'?)"),
        ("@complex.npy", "error: complex.npy holds complex128, not real numbers"),
        ("@words.npy", "error: words.npy holds <U1, not real numbers"),
        ("@d.csv:c", "error: d.csv holds no 'c', only a, b"),
        ("@plain.csv:c", "error: plain.csv holds no 'c', only what has no name"),
        ("@bad.csv", "bad.csv:3:3: error: 'four' is not a number\n  3 | 3,four\n    |   ^^^^"),
        ("@words.csv:id",
         "words.csv:2:1: error: 'r0' is not a number\n  2 | r0,1,,r0\n    | ^^"),
        ("@words.csv:last",
         "words.csv:2:7: error: 'r0' is not a number\n  2 | r0,1,,r0\n    |       ^^"),
        ("@words.csv", "words.csv:2:1: error: 'r0' is not a number\n  2 | r0,1,,r0\n    | ^^"),
        ("@short.csv", "short.csv:3:1: error: 1 cell, where the first row has 2\n  3 | 3\n    | ^"),
        ("@header.csv", "error: header.csv has no rows below the header 'a, b'"),
        ("@empty.csv", "error: empty.csv is empty"),
        ("@decimal.csv",
         "decimal.csv:2:1: error: 2 cells, where the first row has 1"
         " (cells are separated by commas, and a decimal point is written .)\n"
         "  2 | 1,5\n    | ^^^"),
        ("@semicolons.csv",
         "semicolons.csv:2:1: error: '1;2' is not a number"
         " (cells are separated by commas, and a decimal point is written .)\n"
         "  2 | 1;2\n    | ^^^"),
        ("@twice.csv:x", "error: twice.csv holds 'x' twice"),
        ("@quote.csv", "error: quote.csv:3: unexpected end of data"),
        ("@large.csv", "large.csv:1:3: error: 1e400 is too large for a float64\n"
                       "  1 | 1,1e400\n    |   ^^^^^"),
        ("@large.json", "large.json:1:2: error: the number is too large for a float64\n"
                        "  1 | [1e400]\n    |  ^^^^^"),
        ("@twice.json:x", "error: twice.json holds 'x' twice"),
        ("@mixed.npz:text", "error: text in mixed.npz is not an array"),
        ("@none.npz", "error: none.npz holds nothing"),
        ("@array.npz", "error: array.npz is one array, not an archive of arrays: call it .npy"),
        ("@archive.npy", "error: archive.npy is not an array"),
        ("@v.json", "error: v.json is not a number or an array of numbers"),
        ("@ragged.json", "error: ragged.json is not a number or an array of numbers"),
        ("@huge.json", "error: huge.json is not a number or an array of numbers"),
        ("@list.json:a", "error: list.json holds one value, none called 'a'"),
        ("@m.json", "error: m.json holds a, b: say which, @m.json:a"),
        ("@cut.json", "cut.json:1:12: error: not JSON: expecting ',' delimiter\n"
                      '  1 | {"a": [1, 2\n    |            ^'),
    ],
)  # fmt: skip
def test_a_file_without_such_a_value(run: Run, value: str, stderr: str) -> None:
    done = run("eval", "x", "--x", value)
    assert (done.exit_code, done.stdout, done.stderr) == (1, "", f"{stderr}\n")


@pytest.mark.parametrize(
    ("value", "stderr"),
    [
        ("@deep.json", "deep.json:1:1: error: JSON nested too deeply\n"),
        ("@not.npy", "error: cannot read not.npy: "),
    ],
)
def test_a_file_that_its_reader_refuses(run: Run, value: str, stderr: str) -> None:
    done = run("eval", "x", "--x", value)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith(stderr)


@pytest.mark.parametrize(
    ("lines", "stderr"),
    [
        ("x = 1\ny 2", "t:2:1: error: expected 'name = value'\n  2 | y 2\n    | ^^^"),
        ("x =", "t:1:1: error: expected 'name = value'\n  1 | x =\n    | ^^^"),
        ("x = 1\nx = 2", "error: t holds 'x' twice"),
        ("2 = 1", "t:1:1: error: expected 'name = value'\n  1 | 2 = 1\n    | ^^^^^"),
        ("  x = 1 + q", "t:1:11: error: 'q' is not a number (a value is a constant)\n"
                        "  1 |   x = 1 + q\n    |           ^"),
        ("[1]", "t:1:1: error: expected 'name = value'\n  1 | [1]\n    | ^^^"),
        ("{", "t:1:2: error: not JSON: expecting property name enclosed in double quotes\n"
              "  1 | {\n    |  ^"),
        ('{"x": "one"}', "error: x in t is not a number or an array of numbers"),
    ],
)  # fmt: skip
def test_bindings_that_do_not_read(run: Run, lines: str, stderr: str) -> None:
    Path("t").write_text(lines)
    done = run("eval", "x", "--bindings", "t")
    assert (done.exit_code, done.stdout, done.stderr) == (1, "", f"{stderr}\n")


def test_what_nobody_asks_for_may_be_no_number(run: Run) -> None:
    Path("t.json").write_text('{"x": 1, "label": "hello", "nested": {"a": null}}')
    Path("t").write_text("x = 2\nlabel = hello there")
    for table, value in (("t.json", "1"), ("t", "2")):
        assert run("eval", "x", "--bindings", table).stdout == f"{value}\n"
    assert run("eval", "x*2", "--bindings", "mixed.npz").stdout == "[0, 2]\n"


def test_a_set_of_parameters(run: Run) -> None:
    assert run("eval", "2*fc1.weight", "--bindings", "slashes.npz").stdout == "[0, 2]\n"
    assert run("eval", "2*fc1.weight", "--bindings", "folder").stdout == "[0, 2, 4]\n"
    assert run("eval", "2*a.b", "--bindings", "folder/").stdout == "[0, 2]\n"
    both: dict[str, Any] = {"fc1/weight": np.arange(2), "fc1.weight": np.ones(1)}
    np.savez("both.npz", **both)
    done = run("eval", "fc1.weight", "--bindings", "both.npz")
    assert (done.exit_code, done.stderr) == (1, "error: both.npz holds 'fc1.weight' twice\n")


def test_an_empty_array_is_computed_with(run: Run) -> None:
    assert run("eval", "sum(2x)", "--x", "@empty.npy").stdout == "0\n"
    assert run("grad", "sum(2x)", "--x", "@empty.npy").stdout == "d/dx = []\n"
    Path("none.json").write_text("[]")
    assert run("eval", "x", "--x", "@none.json").stdout == "[]\n"


def test_a_table_that_was_meant_for_a_variable(run: Run) -> None:
    done = run("eval", "bindings^2", "--bindings", "3")
    told = "cannot read 3: No such file or directory (for the variable write --set bindings=3)"
    assert (done.exit_code, done.stderr) == (1, f"error: {told}\n")


def test_a_table_that_is_no_object(run: Run) -> None:
    done = run("eval", "x", "--bindings", "list.json")
    assert done.stderr == "error: list.json is not an object of values by name\n"
