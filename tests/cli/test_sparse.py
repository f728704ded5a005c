"""`--sparse` of `cgraph jac` and `cgraph hess`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.io import mmread
from scipy.sparse import load_npz

from .conftest import Run

SCALARS = ("u = x*y; v = y*z", "--output", "u,v", "--x=2", "--y=3", "--z=4", "--sparse")
CHAIN = ("X[1:] - X[:-1]^2", "--X", "[1, 2, 3]", "--sparse")
ENERGY = ("sum((X[1:] - X[:-1]^2)^2)", "--X", "[1, 2, 3]", "--sparse")


def read(path: str) -> np.ndarray:
    """Return the matrix in a file, zeros and all."""
    found: Any = load_npz(path) if path.endswith(".npz") else mmread(path)
    whole: np.ndarray = found.toarray()
    return whole


def test_a_line_an_entry(run: Run) -> None:
    done = run("jac", *SCALARS)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == (
        "# 2 x 3, 4 entries\n"
        "# rows: u 0, v 1\n"
        "# columns: x 0, y 1, z 2\n"
        "0 0 3\n"
        "0 1 2\n"
        "1 1 4\n"
        "1 2 3\n"
    )


@pytest.mark.parametrize(
    ("words", "stdout"),
    [
        (CHAIN, "# 2 x 3, 4 entries\n# rows: X[1:] - X[:-1]^2 0:2\n# columns: X 0:3\n"),
        (["floor(x)", "--x=1", "--sparse"], "# 1 x 1, 0 entries\n# rows: floor(x) 0\n"),
        (["x/3", "--x=1", "--sparse", "--digits=3"], "# 1 x 1, 1 entry\n# rows: x/3 0\n"),
    ],
)
def test_sizes(run: Run, words: list[str], stdout: str) -> None:
    done = run("jac", *words)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith(stdout)


def test_of_many_names_the_first_are_told(run: Run) -> None:
    text = " + ".join(f"x{k}^2" for k in range(13))
    words = [f"--x{k}=1" for k in range(13)]
    told = ", ".join(f"x{k} {k}" for k in range(10))
    assert f"# columns: {told}, ... 3 more\n" in run("jac", text, *words, "--sparse").stdout


def test_digits_round(run: Run) -> None:
    assert run("jac", "x/3", "--x=1", "--sparse", "--digits=3").stdout.endswith("0 0 0.333\n")


def test_numpy_reads_the_text(run: Run) -> None:
    assert run("jac", *CHAIN, "-o", "j.txt").exit_code == 0
    assert np.loadtxt("j.txt").tolist() == [[0, 0, -2], [0, 1, 1], [1, 1, -4], [1, 2, 1]]


@pytest.mark.parametrize("mode", ["reverse", "forward", "auto"])
def test_modes(run: Run, mode: str) -> None:
    done = run("jac", *CHAIN, "--mode", mode, "--stats")
    assert done.stdout.endswith("0 0 -2\n0 1 1\n1 1 -4\n1 2 1\n")
    which = "2 reverse passes for 2 rows" if mode == "reverse" else "2 forward passes for 3 columns"
    assert done.stderr == f"stats: 2 x 3, 4 entries; {which}\n"


def test_json(run: Run) -> None:
    held = json.loads(run("jac", *SCALARS, "--json").stdout)
    assert held == {
        "value": {"u": 6, "v": 12},
        "jacobian": {
            "shape": [2, 3],
            "rows": {"u": [0, 1], "v": [1, 2]},
            "columns": {"x": [0, 1], "y": [1, 2], "z": [2, 3]},
            "row": [0, 0, 1, 1],
            "column": [0, 1, 1, 2],
            "data": [3, 2, 4, 3],
        },
    }


@pytest.mark.parametrize("ending", ["npz", "mtx"])
def test_files(run: Run, ending: str) -> None:
    for command, words in (("jac", CHAIN), ("hess", ENERGY)):
        assert run(command, *words, "-o", f"m.{ending}").exit_code == 0
        found = read(f"m.{ending}")
        lines = np.array([line.split() for line in run(command, *words).stdout.splitlines()[3:]])
        whole = np.zeros(found.shape)
        whole[lines[:, 0].astype(int), lines[:, 1].astype(int)] = lines[:, 2].astype(float)
        assert np.array_equal(found, whole)


def test_matrix_market_counts_from_one(run: Run) -> None:
    run("jac", *CHAIN, "-o", "j.mtx")
    assert Path("j.mtx").read_text() == (
        "%%MatrixMarket matrix coordinate real general\n2 3 4\n1 1 -2\n1 2 1\n2 2 -4\n2 3 1\n"
    )
    run("hess", *ENERGY, "-o", "h.mtx")
    assert Path("h.mtx").read_text() == (
        "%%MatrixMarket matrix coordinate real symmetric\n"
        "3 3 5\n1 1 4\n2 1 -4\n2 2 38\n3 2 -8\n3 3 2\n"
    )


def test_the_same_file_twice(run: Run) -> None:
    for name in ("a.npz", "b.npz"):
        run("jac", *CHAIN, "-o", name)
    assert Path("a.npz").read_bytes() == Path("b.npz").read_bytes()


def test_what_is_not_finite(run: Run) -> None:
    done = run("jac", "sqrt(x)*s", "--x", "[0, -1, 4]", "--s", "2", "--sparse")
    lines = done.stdout.splitlines()[3:]
    assert lines == ["0 0 inf", "0 3 0", "1 1 nan", "1 3 nan", "2 2 0.5", "2 3 2"]
    assert done.stderr.startswith("warning: sqrt(x) is nan at x = -1")
    run("jac", "sqrt(x)*s", "--x", "[0, -1, 4]", "--s", "2", "--sparse", "-o", "j.mtx", "-q")
    found = read("j.mtx")
    assert np.array_equal(found[:, 0], [np.inf, 0, 0])
    assert np.isnan(found[1, 1])


def test_hessians(run: Run) -> None:
    done = run("hess", *ENERGY, "--value", "--grad", "--stats")
    assert done.stdout == (
        "# value = 2\n"
        "# d/dX = [-4, 10, -2]\n"
        "# 3 x 3, 7 entries\n"
        "# rows: X 0:3\n"
        "# columns: X 0:3\n"
        "0 0 4\n0 1 -4\n1 0 -4\n1 1 38\n1 2 -8\n2 1 -8\n2 2 2\n"
    )
    assert done.stderr == "stats: 3 x 3, 7 entries; 2 forward passes for 3 columns\n"


def test_hessians_of_several_outputs(run: Run) -> None:
    words = ("hess", "x^2; x*y", "--x=2", "--y=3", "--sparse")
    names = "# rows: x 0, y 1\n# columns: x 0, y 1\n"
    assert run(*words).stdout == (
        f"# x^2\n# 2 x 2, 1 entry\n{names}0 0 2\n# x*y\n# 2 x 2, 2 entries\n{names}0 1 1\n1 0 1\n"
    )
    first, second = map(json.loads, run(*words, "--json").stdout.splitlines())
    assert (first["output"], first["hessian"]["data"]) == ("x^2", [2])
    assert second["gradient"] == {"x": 3, "y": 2}


def test_of_a_sum(run: Run) -> None:
    done = run("hess", "X^2", "--X", "[1, 2]", "--sparse")
    assert done.stderr == "note: X^2 has shape (2,), so this is the Hessian of its sum\n"


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["jac", "x", "--format=matrix"], "--sparse writes entries, not --format matrix"),
        (
            ["hess", "x^2; x^3", "-o", "h.npz"],
            "a sparse .npz holds one matrix, not 2 (name one output: --output NAME)",
        ),
        (
            ["jac", "x", "-o", "j.npy"],
            "a sparse matrix is not written as .npy (known: .txt .json .npz .mtx)",
        ),
        (
            ["jac", "x", "-o", "j/"],
            "a sparse matrix is not written to a folder (known: .txt .json .npz .mtx)",
        ),
    ],
)
def test_errors(run: Run, words: list[str], error: str) -> None:
    done = run(*words, "--x=1", "--sparse")
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"error: {error}\n")


def test_each_line_a_formula(run: Run) -> None:
    done = run("jac", "--lines", "--x=2", "--sparse", "-o", "j.npz", stdin="x\nx^2\n")
    assert "error: --lines writes text or JSON, not j.npz (add --json)\n" in done.stderr
    assert done.exit_code == 1
    done = run("jac", "--lines", "--x=2", "--sparse", "--json", stdin="x\nx^2\n")
    assert [json.loads(line)["jacobian"]["data"] for line in done.stdout.splitlines()] == [[1], [4]]


def test_options_that_go_with_it(run: Run) -> None:
    done = run("jac", "x", "--x=1", "--stats")
    told = "error: --stats tells of the passes of --sparse, which is not given\n"
    assert (done.exit_code, done.stderr) == (2, told)
    done = run("jac", "x", "--x=1", "-o", "j.mtx")
    told = "error: results are not written as .mtx (a sparse matrix is: --sparse of jac and hess)\n"
    assert (done.exit_code, done.stderr) == (2, told)
