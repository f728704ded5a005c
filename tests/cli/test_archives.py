"""Results as files of arrays: `-o g.npz`, `-o grads/`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from .conftest import Run

NET = "h = relu(X @ fc1.weight + fc1.bias)\nloss = sum(h^2)"
VALUES = ("--X", "randn(5, 2)", "--fc1.weight", "randn(2, 3)", "--fc1.bias", "randn(3)")


def held(path: str) -> dict[str, Any]:
    """Return what an archive holds."""
    with np.load(path) as archive:
        return {name: archive[name].tolist() for name in archive}


def files(folder: str) -> list[str]:
    """Return the files in a folder and its folders."""
    return sorted(
        str(path.relative_to(folder)) for path in Path(folder).rglob("*") if path.is_file()
    )


def test_a_gradient_goes_back_in_as_bindings(run: Run) -> None:
    done = run("grad", NET, *VALUES, "-o", "g.npz")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")
    shapes = {name: np.shape(array) for name, array in held("g.npz").items()}
    assert shapes == {"X": (5, 2), "fc1.weight": (2, 3), "fc1.bias": (3,)}
    run("eval", "fc1.bias", "--bindings", "g.npz", "-o", "b.npy")
    assert np.load("b.npy").tolist() == held("g.npz")["fc1.bias"]


def test_values_and_outputs_are_kept_apart(run: Run) -> None:
    run("grad", "x^2", "--x", "3", "--value", "-o", "g.npz")
    assert held("g.npz") == {"value": 9, "x": 6}
    run(
        "grad",
        "p = x^2; q = x*y",
        "--x",
        "3",
        "--y",
        "2",
        "--output",
        "p,q",
        "--value",
        "-o",
        "g.npz",
    )
    assert held("g.npz") == {
        "p/value": 9, "p/x": 6, "p/y": 0, "q/value": 6, "q/x": 2, "q/y": 3,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["eval", "x^2"], {"value": 9}),
        (["eval", "p = x^2"], {"p": 9}),
        (["eval", "x^2; 1/x"], {"x^2": 9, "1/x": 1 / 3}),
        (["eval", "p = x; q = x^2", "--output", "q,p"], {"q": 9, "p": 3}),
        (["jac", "x^2"], {"x": 6}),
        (["jac", "p = x^2; q = 2x", "--output", "p,q"], {"p/x": 6, "q/x": 2}),
        (["hess", "x^3", "--value", "--grad"], {"value": 27, "x": 27, "x,x": 18}),
        (["jvp", "x^2", "--vector", "x=1"], {"value": 6}),
        (["vjp", "x^2", "--vector", "1"], {"x": 6}),
        (["hvp", "x^3", "--vector", "x=2"], {"x": 36}),
        (["taylor", "x^2", "--order", "2"], {"coefficients": [9, 6, 1]}),
    ],
)
def test_what_an_archive_calls_results(
    run: Run, words: list[str], expected: dict[str, Any]
) -> None:
    command, formula, *rest = words
    done = run(command, formula, *rest, "--x", "3", "-o", "r.npz")
    assert (done.exit_code, done.stderr) == (0, "")
    assert held("r.npz") == expected


def test_two_results_of_one_name(run: Run) -> None:
    done = run("grad", "value^2", "--set", "value=1", "--value", "-o", "g.npz")
    told = "two results are called 'value' (give the outputs names: p = ..., --output p)"
    assert (done.exit_code, done.stderr, os.listdir()) == (2, f"error: {told}\n", [])


def test_a_folder(run: Run) -> None:
    done = run("grad", NET, *VALUES, "-o", "grads/")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")
    assert files("grads") == ["X.npy", "fc1.bias.npy", "fc1.weight.npy"]
    run("grad", NET, *VALUES, "-o", "g.npz")
    assert np.load("grads/fc1.weight.npy").tolist() == held("g.npz")["fc1.weight"]
    again = run("eval", NET, "--bindings", "grads/").stdout
    assert again == run("eval", NET, "--bindings", "g.npz").stdout


def test_a_folder_that_is_there_keeps_what_is_not_written(run: Run) -> None:
    os.mkdir("grads")
    Path("grads/notes.txt").write_text("kept")
    Path("grads/x.npy").write_text("old")
    assert run("grad", "x*y", "--x", "1", "--y", "2", "-o", "grads").exit_code == 0
    assert files("grads") == ["notes.txt", "x.npy", "y.npy"]
    assert float(np.load("grads/x.npy")) == 2


def test_outputs_are_folders_in_the_folder(run: Run) -> None:
    run("grad", "a = x; b = 1/x; a; b", "--x", "2", "-o", "out/")
    assert files("out") == ["a/x.npy", "b/x.npy"]
    run("eval", "x/2; .5*x", "--x", "2", "-o", "odd/")
    assert files("odd") == ["0.5%2Ax.npy", "x%2F2.npy"]


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("no/out/", "No such file or directory"),
        ("file/", "Not a directory"),
        ("x" * 300 + "/", "File name too long"),
    ],
)
def test_a_folder_that_cannot_be_written(run: Run, path: str, why: str) -> None:
    Path("file").write_text("kept")
    done = run("eval", "x^2", "--x", "3", "-o", path)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == f"error: cannot write {path}: {why}\n"
    assert os.listdir() == ["file"]


def test_what_goes_wrong_leaves_the_folder_alone(run: Run) -> None:
    os.mkdir("out")
    os.mkdir("out/y.npy")
    done = run("grad", "x*y", "--x", "1", "--y", "2", "-o", "out/")
    assert (done.exit_code, done.stderr) == (1, "error: cannot write out/: Is a directory\n")
    assert sorted(os.listdir("out"))[-1] == "y.npy"
    assert not [name for name in os.listdir("out") if name.startswith(".cgraph")]


@pytest.mark.parametrize("path", ["r.npz", "r.npy", "r/"])
def test_lines_are_no_arrays(run: Run, path: str) -> None:
    done = run("eval", "--lines", "--x", "3", "-o", path, stdin="x\n")
    told = f"<stdin>:1: error: --lines writes text or JSON, not {path} (add --json)"
    assert (done.exit_code, done.stderr, os.listdir()) == (1, f"{told}\n", [])
