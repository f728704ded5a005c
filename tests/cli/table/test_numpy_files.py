"""NumPy's files as tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cgraph.cli.data import read_value

from ...test_start_up import imported
from ..conftest import Run


def test_an_archive(run: Run) -> None:
    arrays: dict[str, Any] = {
        "x": np.arange(3),
        "fc/w": np.ones((3, 2)),
        "s": np.array(["a", "b", "c"]),
    }
    np.savez("rows.npz", **arrays)
    done = run("eval", "x*sum(fc.w)", "--data", "rows.npz", "--keep", "s,x")
    assert done.output == "s,x,value\na,0,0\nb,1,2\nc,2,4\n"


def test_an_array_is_for_the_input_that_is_left(run: Run) -> None:
    np.save("x.npy", np.arange(3))
    assert run("eval", "a*x", "--data", "x.npy", "--a", "2").output == "value\n0\n2\n4\n"
    done = run("eval", "a*x", "--data", "x.npy")
    told = "x.npy is one column without a name, and is for one input without a value"
    assert (done.exit_code, done.stderr) == (2, f"error: {told} (there are a, x)\n")


def test_rows_of_a_matrix(run: Run) -> None:
    np.save("x.npy", np.arange(6.0).reshape(3, 2))
    done = run("grad", "sum(x^2)", "--data", "x.npy")
    assert done.output == 'value,d_x\n1,"[0, 2]"\n13,"[4, 6]"\n41,"[8, 10]"\n'


def test_fields(run: Run) -> None:
    np.save("rows.npy", np.array([(1, 2.5), (3, 4.5)], dtype=[("x", "i4"), ("y", ">f8")]))
    assert run("eval", "x*y", "--data", "rows.npy").output == "value\n2.5\n13.5\n"


def test_stdin(run: Run) -> None:
    np.save("x.npy", np.arange(3))
    stdin = Path("x.npy").read_bytes()
    assert run("eval", "x", "--data", "-", stdin=stdin).output == "value\n0\n1\n2\n"


def test_nan_is_missing(run: Run) -> None:
    np.savez("rows.npz", x=np.array([1.0, np.nan]))
    done = run("eval", "x", "--data", "rows.npz", "--nulls", "error")
    assert done.stderr == "error: rows.npz, row 2: column 'x': there is no value\n"


def test_columns_that_do_not_fit(run: Run) -> None:
    np.savez("rows.npz", x=np.arange(3), y=np.arange(4), n=np.float64(1), s=np.array(["a"]))
    done = run("eval", "x*y", "--data", "rows.npz")
    told = "the columns of rows.npz differ in length: x has 3, y has 4"
    assert (done.exit_code, done.stderr) == (1, f"error: {told}\n")
    done = run("eval", "n", "--data", "rows.npz")
    assert done.stderr == "error: rows.npz: 'n' is one number, not a column\n"
    done = run("eval", "s", "--data", "rows.npz")
    assert done.stderr == "error: rows.npz, row 1: column 's': <U1 is not a number\n"
    assert run("eval", "x", "--data", "rows.npz").exit_code == 0


def test_a_file_that_was_cut_off(run: Run) -> None:
    np.savez("rows.npz", x=np.arange(300))
    Path("rows.npz").write_bytes(Path("rows.npz").read_bytes()[:500])
    done = run("eval", "x", "--data", "rows.npz")
    assert done.stderr == "error: cannot read rows.npz: File is not a zip file\n"


def test_no_rows(run: Run) -> None:
    np.savez("rows.npz", x=np.zeros(0))
    assert run("grad", "x^2", "--data", "rows.npz").output == "value,d_x\n"
    assert run("eval", "2", "--data", "rows.npz").output == "value\n"


@pytest.mark.parametrize("name", ["out.npz", "out.npy"])
def test_arrays_alone_do_without_pyarrow(name: str) -> None:
    np.savez("rows.npz", x=np.arange(200_000.0))
    modules = imported("eval", "2x", "--data", "rows.npz", "-o", name)
    assert "pyarrow" not in modules
    assert np.array_equal(read_value(name), 2 * np.arange(200_000.0))


@pytest.mark.parametrize("words", [("sum(o)",), ("x", "--keep", "*")])
def test_an_archive_with_objects(run: Run, words: tuple[str, ...]) -> None:
    np.savez("rows.npz", x=np.arange(3.0), o=np.array([1, None, 2], dtype=object))
    done = run("eval", *words, "--data", "rows.npz")
    told = "cannot read 'o' of rows.npz: it holds objects"
    assert (done.exit_code, done.output) == (1, f"error: {told}\n")
    assert run("eval", "x", "--data", "rows.npz").output == "value\n0\n1\n2\n"


@pytest.mark.parametrize(
    "form", [(), ("--json",), ("-o", "out.csv"), ("-o", "out.parquet"), ("-o", "out.jsonl")]
)
def test_kinds_that_only_numpy_has(run: Run, form: tuple[str, ...]) -> None:
    z = np.array([1j, 2.0])
    np.savez("rows.npz", x=np.arange(2.0), z=z, zz=np.ones((2, 2)) * 1j)
    for name in ("z", "zz"):
        done = run("eval", "x", "--data", "rows.npz", "--keep", name, *form)
        told = f"column '{name}' is complex128, which only .npz and .npy hold (-o FILE.npz)"
        assert (done.exit_code, done.output) == (1, f"error: {told}\n")
        assert not Path("out.csv").exists()
    run("eval", "x", "--data", "rows.npz", "--keep", "z", "-o", "out.npz")
    with np.load("out.npz") as found:
        assert found["z"].tolist() == z.tolist()


def test_what_is_kept_in_the_other_order_of_bytes(run: Run) -> None:
    np.savez("rows.npz", x=np.arange(2.0), y=np.array([1.5, 2], dtype=">f8"))
    done = run("eval", "x", "--data", "rows.npz", "--keep", "y")
    assert done.output == "y,value\n1.5,0\n2,1\n"
