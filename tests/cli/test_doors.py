"""One rule for what a number is and for names given twice, at every door by which values come."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
import pytest

from cgraph.cli import arrays
from cgraph.cli.table import streams

from .conftest import Run


def by_option(run: Run, text: str) -> Any:
    return run("eval", "x", f"--x={text}")


def by_lines(run: Run, text: str) -> Any:
    Path("values").write_text(f"x = {text}\n")
    return run("eval", "x", "--bindings", "values")


def by_json(run: Run, text: str) -> Any:
    Path("values.json").write_text(json.dumps({"x": text}))
    return run("eval", "x", "--bindings", "values.json")


def by_value_in_json(run: Run, text: str) -> Any:
    Path("values.json").write_text(json.dumps({"x": text}))
    return run("eval", "x", "--x", "@values.json:x")


def by_csv(run: Run, text: str) -> Any:
    Path("rows.csv").write_text(f"x,n\n{text},1\n")
    return run("eval", "sum(x)", "--x", "@rows.csv:x")


def by_data(run: Run, text: str) -> Any:
    Path("rows.csv").write_text(f"x,n\n{text},1\n")
    return run("eval", "x", "--data", "rows.csv", "-q")


def by_data_kept(run: Run, text: str) -> Any:
    Path("rows.csv").write_text(f"x,n\n{text},1\n")
    return run("eval", "x", "--data", "rows.csv", "--keep", "x,n", "-q")


def by_data_in_json(run: Run, text: str) -> Any:
    Path("rows.jsonl").write_text(json.dumps({"x": text, "n": 1}) + "\n")
    return run("eval", "x", "--data", "rows.jsonl", "-q")


DOORS = (
    by_option,
    by_lines,
    by_json,
    by_value_in_json,
    by_csv,
    by_data,
    by_data_kept,
    by_data_in_json,
)


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", "1"),
        ("-2.5e3", "-2500"),
        ("1_000", "1000"),
        ("1_000.5", "1000.5"),
        ("١٢", "12"),
        ("\uff11\uff12", "12"),
        ("true", "1"),
        ("True", "1"),
        ("FALSE", "0"),
        ("inf", "inf"),
        ("-Infinity", "-inf"),
        ("1e-999", "0"),
        ("1e999", "too large"),
        ("-1e999", "too large"),
        ("9" * 400, "too large"),
        ("9" * 5000, "too large"),
        ("1__0", "refused"),
        ("1_", "refused"),
        ("0x10", "refused"),
        ("yes", "refused"),
        ("²", "refused"),
    ],
)
def test_a_number_is_a_number_at_every_door(
    run: Run, door: Callable[[Run, str], Any], text: str, value: str
) -> None:
    done = door(run, text)
    if value in ("refused", "too large"):
        assert done.exit_code in (1, 2)
        assert ("too large for a float64" in done.stderr) == (value == "too large")
        assert "bug" not in done.stderr
    else:
        assert done.exit_code == 0, done.stderr
        assert done.stdout.splitlines()[-1].split(",")[-1] == value


@pytest.mark.parametrize("text", ["", "NA", "n/a", "null", "#N/A", "nan"])
def test_no_value_is_nan_in_every_file(run: Run, text: str) -> None:
    doors = (by_json, by_value_in_json, by_csv, by_data, by_data_in_json)
    assert [door(run, text).stdout.splitlines()[-1] for door in doors] == ["nan"] * 5


# -- numbers of JSON ------------------------------------------------------------------------------

LONG = "9" * 4301


@pytest.mark.parametrize("number", ["1e999", "-1e999", LONG, "9" * 400, f"[1, {LONG}]"])
@pytest.mark.parametrize("before", [0, 50])
def test_a_number_of_json_that_is_too_large(
    run: Run, monkeypatch: pytest.MonkeyPatch, number: str, before: int
) -> None:
    monkeypatch.setattr(streams, "FIRST", 64)
    Path("rows.jsonl").write_text('{"x": 1}\n' * before + f'{{"y": 1, "x": {number}}}\n')
    done = run("eval", "sum(x)", "--data", "rows.jsonl", "-q")
    assert done.exit_code == 1
    assert done.stderr.startswith(f"rows.jsonl:{before + 1}:10: error: column 'x': ")
    Path("v.json").write_text(f'{{"x": {number}}}')
    for words in (("--bindings", "v.json"), ("--x", "@v.json:x")):
        done = run("eval", "sum(x)", *words)
        assert (done.exit_code, done.stdout) == (1, "")
        assert "bug" not in done.stderr


@pytest.mark.parametrize("held", ["1e999", LONG, f"[{LONG}]"])
def test_what_nobody_asks_for_may_be_any_number(run: Run, held: str) -> None:
    Path("rows.jsonl").write_text(f'{{"x": 1, "y": {held}}}\n')
    Path("v.json").write_text(f'{{"x": 1, "y": {held}}}')
    assert run("eval", "x", "--data", "rows.jsonl").output == "value\n1\n"
    assert run("eval", "x", "--bindings", "v.json").output == "1\n"


def test_json_that_is_nested_deeply(run: Run) -> None:
    Path("rows.jsonl").write_text('{"x": 1}\n{"x": 1, "y": ' + "[" * 2000 + "]" * 2000 + "}\n")
    done = run("eval", "x", "--data", "rows.jsonl")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith("rows.jsonl:2:1: error: JSON nested too deeply\n")


# -- names that are there twice -------------------------------------------------------------------


def doors_with_twins() -> None:
    """Write a file for each door, in which x is there twice."""
    with ZipFile("twice.npz", "w") as archive:
        for name in ("x", "X"):
            content = BytesIO()
            np.save(content, np.ones(2))
            archive.writestr(f"{name}.npy", content.getvalue())
    # A warning is given by who writes a name twice: so it is made the same afterwards.
    whole = Path("twice.npz").read_bytes().replace(b"X.npy", b"x.npy")
    Path("twice.npz").write_bytes(whole)
    Path("twice.jsonl").write_text('{"x": 1, "x": 2}\n')
    Path("far.jsonl").write_text('{"x": 1}\n' * 50 + '{"x": null}\n{"x": 1, "x": 2}\n')
    Path("odd.jsonl").write_text('{"x": 1}\n' * 50 + '{"x": 1, "\\u0078": 2}\n')
    Path("twice.json").write_text('{"x": 1, "x": 2}\n')
    Path("twice.csv").write_text("x,x\n1,2\n")
    Path("twice").write_text("x = 1\nx = 2\n")
    Path("folder").mkdir()
    for name in ("a.x", "a%2Fx"):
        np.save(f"folder/{name}.npy", np.ones(2))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--data twice.npz", "error: twice.npz has 2 columns 'x'\n"),
        ("--x @twice.npz:x", "error: twice.npz holds 'x' twice\n"),
        ("--x @twice.npz", "error: twice.npz holds 'x' twice\n"),
        ("--bindings twice.npz", "error: twice.npz holds 'x' twice\n"),
        ("--bindings folder", "error: folder holds 'a.x' twice\n"),
        ("--bindings twice.json", "error: twice.json holds 'x' twice\n"),
        ("--bindings twice", "error: twice holds 'x' twice\n"),
        ("--x @twice.csv:x", "error: twice.csv holds 'x' twice\n"),
        ("--data twice.csv", "error: twice.csv has 2 columns 'x'\n"),
        (
            "--data twice.jsonl",
            "twice.jsonl:1:10: error: 'x' is there twice\n"
            '  1 | {"x": 1, "x": 2}\n    |          ^^^\n',
        ),
        (
            "--data far.jsonl",
            "far.jsonl:52:10: error: 'x' is there twice\n"
            '  52 | {"x": 1, "x": 2}\n     |          ^^^\n',
        ),
        (
            "--data odd.jsonl",
            "odd.jsonl:51:2: error: 'x' is there twice\n"
            '  51 | {"x": 1, "\\u0078": 2}\n     |  ^^^\n',
        ),
    ],
)
def test_a_name_that_is_there_twice(
    run: Run, monkeypatch: pytest.MonkeyPatch, words: str, told: str
) -> None:
    monkeypatch.setattr(streams, "FIRST", 64)
    doors_with_twins()
    done = run("eval", "sum(x)", *words.split(), "-q", "-o", "out")
    assert (done.exit_code, done.stdout, done.stderr) == (1, "", told)


def test_a_name_that_is_there_twice_in_values_alone(run: Run) -> None:
    Path("rows.jsonl").write_text('{"x": 1, "s": "x"}\n' * 50)
    done = run("eval", "x", "--data", "rows.jsonl", "--reduce", "sum")
    assert done.output == "50\n"


# -- files of NumPy -------------------------------------------------------------------------------


def test_an_archive_with_a_wrong_checksum(run: Run) -> None:
    np.savez("w.npz", x=np.arange(3.0))
    content = bytearray(Path("w.npz").read_bytes())
    content[content.find(b"\x93NUMPY") + 130] ^= 0xFF
    Path("w.npz").write_bytes(content)
    told = "error: cannot read 'x' of w.npz: Bad CRC-32 for file 'x.npy'\n"
    for words in (("--data", "w.npz"), ("--bindings", "w.npz"), ("--x", "@w.npz")):
        done = run("eval", "x", *words)
        assert (done.exit_code, done.stdout, done.stderr) == (1, "", told)


@pytest.mark.parametrize("protocol", [2, 4])
def test_a_pickle_that_is_called_an_array(run: Run, protocol: int) -> None:
    Path("p.npy").write_bytes(pickle.dumps([1, 2], protocol))
    done = run("eval", "x", "--x", "@p.npy")
    told = "cannot read p.npy: it is a pickle, of objects of Python (numpy.save writes arrays)"
    assert (done.exit_code, done.stderr) == (1, f"error: {told}\n")


@pytest.mark.parametrize("words", [("--data", "o.npy"), ("--x", "@o.npy")])
def test_objects_are_no_numbers(run: Run, words: tuple[str, str]) -> None:
    np.save("o.npy", np.array([1, None], dtype=object), allow_pickle=True)
    done = run("eval", "x", *words)
    told = "error: cannot read o.npy: it holds objects\n"
    assert (done.exit_code, done.stdout, done.stderr) == (1, "", told)


def header(shape: str) -> bytes:
    """Return an array of float64 that has no numbers, whatever its shape says."""
    text = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}}}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()


@pytest.mark.parametrize(
    ("shape", "told"),
    [
        ("(1000000000000,)", "it is to have 8,000,000,000,000 bytes, and has 0"),
        ("(3,)", "it is to have 24 bytes, and has 0"),
        ("(-1,)", "it is to have -8 bytes, and has 0"),
    ],
)
def test_an_array_that_says_more_than_it_has(run: Run, shape: str, told: str) -> None:
    Path("x.npy").write_bytes(header(shape))
    with ZipFile("w.npz", "w", ZIP_DEFLATED) as archive:
        archive.writestr("x.npy", header(shape))
    for words in (("--data", "x.npy"), ("--x", "@x.npy")):
        assert run("eval", "x", *words).stderr == f"error: cannot read x.npy: {told}\n"
    for words in (("--data", "w.npz"), ("--bindings", "w.npz"), ("--x", "@w.npz")):
        assert run("eval", "x", *words).stderr == f"error: cannot read 'x' of w.npz: {told}\n"


def test_what_an_archive_unpacks_to_is_added_up(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "MOST_UNPACKED", 20_000)
    zeros: dict[str, Any] = {"a": np.zeros(1000), "b": np.zeros(1000), "c": np.zeros(1000)}
    np.savez_compressed("w.npz", **zeros)
    told = "error: what is asked of w.npz unpacks to too much: 'c' has 8,128 bytes\n"
    for words in (("--data", "w.npz"), ("--bindings", "w.npz")):
        assert run("eval", "sum(a + b)", *words, "-o", "out").exit_code == 0
        assert run("eval", "sum(a + b + c)", *words).stderr == told
    np.savez("w.npz", **zeros)
    assert run("eval", "sum(a + b + c)", "--bindings", "w.npz").stdout == "0\n"


def test_an_archive_is_not_all_arrays(run: Run) -> None:
    np.savez("w.npz", x=np.arange(2))
    with ZipFile("w.npz", "a") as archive:
        archive.writestr("notes.txt", "1.5")
    assert run("eval", "x", "--data", "w.npz").output == "value\n0\n1\n"
    done = run("eval", "x", "--data", "w.npz", "--keep", "*")
    assert (done.exit_code, done.stderr) == (1, "error: notes.txt in w.npz is not an array\n")


@pytest.mark.skipif(np.dtype(np.longdouble).itemsize == 8, reason="no wider float here")
def test_a_wider_number_that_is_too_large(run: Run) -> None:
    np.save("x.npy", np.array([np.longdouble("1e999"), np.longdouble("inf")]))
    done = run("eval", "x", "--x", "@x.npy")
    told = "error: x.npy holds a number that is too large for a float64\n"
    assert (done.exit_code, done.stderr) == (1, told)
    done = run("eval", "x", "--data", "x.npy")
    told = "error: column '' of x.npy holds a number that is too large for a float64\n"
    assert (done.exit_code, done.stderr) == (1, told)
