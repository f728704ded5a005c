"""Values from files: `@FILE` and `--bindings FILE`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

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
        ("@plain.csv", "[1, -2500]"),
        ("@matrix.csv", "[[1, 2], [3, 4]]"),
        ("@list.json", "[[1, 2.5], [nan, -inf]]"),
        ("@m.json:b", "[2]"),
        ("@m.json:a", "1"),
        ("@a:b.json", "7"),
        ("@./d.csv:a", "[1, 3]"),
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
         "error: w.npz holds no 'fc1.wieght', only fc1.weight, b (did you mean fc1.weight?)"),
        ("@complex.npy", "error: complex.npy holds complex128, not real numbers"),
        ("@words.npy", "error: words.npy holds <U1, not real numbers"),
        ("@d.csv:c", "error: d.csv holds no 'c', only a, b"),
        ("@plain.csv:c", "error: plain.csv holds no 'c', only what has no name"),
        ("@bad.csv", "bad.csv:3:3: error: 'four' is not a number\n  3 | 3,four\n    |   ^^^^"),
        ("@short.csv", "short.csv:3:1: error: no column 2\n  3 | 3\n    | ^"),
        ("@header.csv", "error: header.csv has no rows"),
        ("@empty.csv", "error: empty.csv is empty"),
        ("@v.json", "error: v.json is not a number or an array of numbers"),
        ("@yes.json", "error: yes.json is not a number or an array of numbers"),
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


@pytest.mark.parametrize("value", ["@deep.json", "@not.npy"])
def test_a_file_that_its_reader_refuses(run: Run, value: str) -> None:
    done = run("eval", "x", "--x", value)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith(f"error: cannot read {value[1:]}: ")


@pytest.mark.parametrize(
    ("lines", "stderr"),
    [
        ("x = 1\ny 2", "t:2:1: error: expected 'name = value'\n  2 | y 2\n    | ^^^"),
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


def test_a_table_that_is_no_object(run: Run) -> None:
    done = run("eval", "x", "--bindings", "list.json")
    assert done.stderr == "error: list.json is not an object of values by name\n"
