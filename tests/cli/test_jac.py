"""`cgraph jac`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from cgraph.cli import matrices

from .conftest import Run

POLAR = ("r*cos(t); y = r*sin(t); y", "--r", "2", "--t", "0")
VECTOR = ("x^2*s", "--x", "[1, 2]", "--s", "3")


@pytest.mark.parametrize("mode", ["auto", "reverse", "forward"])
def test_a_line_an_entry(run: Run, mode: str) -> None:
    done = run("jac", "u = x*y; v = x + y", "--output", "u,v", "--x=2", "--y=3", "--mode", mode)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == "du/dx = 3\ndu/dy = 2\ndv/dx = 1\ndv/dy = 1\n"


@pytest.mark.parametrize(
    ("words", "stdout"),
    [
        ([*POLAR, "--wrt", "r"], "d(r*cos(t))/dr = 1\ndy/dr = 0\n"),
        (["x^2", "--x", "3"], "d/dx = 6\n"),
        (VECTOR, "d/dx = [[6, 0], [0, 12]]\nd/ds = [1, 4]\n"),
        ([*VECTOR, "--format", "matrix"], "[[6,  0, 1],\n [0, 12, 4]]\n"),
        ([*POLAR, "--format", "matrix", "--digits", "3"], "[[1, -0],\n [0,  2]]\n"),
        (["x/3", "--x", "1", "--digits", "3"], "d/dx = 0.333\n"),
    ],
)
def test_forms(run: Run, words: list[str], stdout: str) -> None:
    done = run("jac", *words)
    assert (done.exit_code, done.stdout, done.stderr) == (0, stdout, "")


def test_json_is_nested_by_name(run: Run) -> None:
    done = run("jac", *POLAR, "--json")
    held = json.loads(done.stdout)
    assert held["jacobian"] == {"r*cos(t)": {"r": 1.0, "t": 0.0}, "y": {"r": 0.0, "t": 2.0}}
    assert held["value"] == {"r*cos(t)": 2.0, "y": 0.0}


def test_outputs_that_look_the_same_are_told_apart(run: Run) -> None:
    long = " + ".join(f"sin({k}*x)" for k in range(20))
    held = json.loads(run("jac", f"{long} + x; {long} + 2*x", "--x", "0", "--json").stdout)
    assert [key[-7:] for key in held["jacobian"]] == ["... (1)", "... (2)"]


def test_a_matrix_reads_back(run: Run) -> None:
    matrix = run("jac", *VECTOR, "--format", "matrix").stdout
    assert run("eval", "A*2", "--A", matrix).stdout == "[[12, 0, 2], [0, 24, 8]]\n"


def test_an_archive(run: Run) -> None:
    assert run("jac", *VECTOR, "-o", "j.npz").exit_code == 0
    with np.load("j.npz") as held:
        assert {name: held[name].tolist() for name in held} == {
            "x": [[6, 0], [0, 12]],
            "s": [1, 4],
        }
    assert run("jac", "x*y; y/x", "--x", "1", "--y", "2", "-o", "j/").exit_code == 0
    assert {str(path): float(np.load(path)) for path in Path("j").rglob("*.npy")} == {
        "j/x*y/x.npy".replace("*", "%2A"): 2,
        "j/x*y/y.npy".replace("*", "%2A"): 1,
        "j/y%2Fx/x.npy": -2,
        "j/y%2Fx/y.npy": 1,
    }


def test_a_matrix_as_an_array(run: Run) -> None:
    assert run("jac", *VECTOR, "--format", "matrix", "-o", "j.npy").exit_code == 0
    assert np.load("j.npy").tolist() == [[6, 0, 1], [0, 12, 4]]


def test_what_is_not_finite_is_told_once(run: Run) -> None:
    done = run("jac", "sqrt(x); x^2", "--x", "0")
    assert done.stdout == "d(sqrt(x))/dx = inf\nd(x^2)/dx = 0\n"
    told = "warning: the derivative of sqrt(x) is inf at x = 0 (line 1, column 1)\n"
    assert done.stderr == told
    assert run("jac", "sqrt(x)", "--x", "0", "--strict").exit_code == 1


def test_of_arrays_too(run: Run) -> None:
    done = run("jac", "sqrt(x)*s", "--x", "[0, 4]", "--s", "2")
    assert done.stdout == "d/dx = [[inf, 0], [0, 0.5]]\nd/ds = [0, 2]\n"
    assert done.stderr.startswith("warning: the derivative of sqrt(x) is inf at x = 0, element [0]")


@pytest.mark.parametrize("command", ["jac", "hess"])
def test_a_large_matrix_of_zeros_may_be_sparse(
    run: Run, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setattr(matrices, "MANY", 15)
    words = ("x^3", "--wrt", "x", "-o", "out.npz")
    done = run(
        command, *(("sum(x^3)", *words[1:]) if command == "hess" else words), "--x", "[1,2,3,4]"
    )
    told = "12 of 16 entries are 0: --sparse leaves out those that always are"
    assert done.stderr == f"note: {told}\n"
    assert run("jac", "x*sum(x)", *words[1:], "--x", "[1, 2, 3, 4]").stderr == ""
    assert run("jac", "x^3", *words[1:], "--x", "[1, 2, 3]").stderr == ""
