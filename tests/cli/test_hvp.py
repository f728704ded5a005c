"""`cgraph hvp`, `jvp` and `vjp`, and the option that they share."""

from __future__ import annotations

import json

import pytest

from .conftest import Run

AT = ("--x", "1", "--y", "2")
PAIR = ("u = x*y; v = x + y", "--output", "u,v", "--x", "2", "--y", "3")
ARRAY = ("s*v^2", "--s", "3", "--v", "[1, 2]")


@pytest.mark.parametrize(
    ("words", "stdout"),
    [
        (["hvp", "x^2*y", *AT, "--vector", "x=1,y=2"], "Hv[x] = 8\nHv[y] = 2\n"),
        (["hvp", "x^2*y", *AT, "--vector", "1,2"], "Hv[x] = 8\nHv[y] = 2\n"),
        (["hvp", "x^2*y", *AT, "--vector", "y=2"], "Hv[x] = 4\nHv[y] = 0\n"),
        (["hvp", "x^2*y", *AT, "--vector", "x=1", "--vector", "y = 2", "--wrt", "x"],
         "Hv[x] = 8\n"),
        (["hvp", "x^2; x^3", "--x", "1", "--vector", "1"],
         "# x^2\nHv[x] = 2\n# x^3\nHv[x] = 6\n"),
        (["jvp", *PAIR, "--vector", "x=1,y=2"], "du = 7\ndv = 3\n"),
        (["jvp", "x^2; x^3", "--x", "1", "--vector", "1"], "d(x^2) = 2\nd(x^3) = 3\n"),
        (["jvp", "x^2", "--x", "3", "--vector", "pi/pi"], "d = 6\n"),
        (["jvp", *ARRAY, "--vector", "v=[1, 0], s=-1"], "d = [5, -4]\n"),
        (["vjp", *PAIR, "--vector", "u=1,v=2"], "d/dx = 5\nd/dy = 4\n"),
        (["vjp", *PAIR, "--vector", "v=2", "--wrt", "y"], "d/dy = 2\n"),
        (["vjp", "x^2; x^3", "--x", "1", "--vector", "1,-1"], "d/dx = -1\n"),
        (["vjp", *ARRAY, "--vector", "[1, 0]"], "d/ds = 1\nd/dv = [6, 0]\n"),
    ],
)  # fmt: skip
def test_forms(run: Run, words: list[str], stdout: str) -> None:
    done = run(*words)
    assert (done.exit_code, done.stdout, done.stderr) == (0, stdout, "")


def test_json(run: Run) -> None:
    held = json.loads(run("hvp", "x^2*y", *AT, "--vector", "1,2", "--json").stdout)
    assert held == {"value": 2.0, "gradient": {"x": 4.0, "y": 1.0}, "hvp": {"x": 8.0, "y": 2.0}}
    held = json.loads(run("jvp", *PAIR, "--vector", "1,2", "--json").stdout)
    assert held == {"value": {"u": 6.0, "v": 5.0}, "jvp": {"u": 7.0, "v": 3.0}}
    held = json.loads(run("vjp", *PAIR, "--vector", "1,2", "--json").stdout)
    assert held == {"value": {"u": 6.0, "v": 5.0}, "vjp": {"x": 5.0, "y": 4.0}}


@pytest.mark.parametrize(
    ("words", "stderr"),
    [
        (["hvp", "x^2*y", *AT, "--vector", "1"],
         "--vector has 1 values for 2 names (in order: x, y)"),
        (["hvp", "x^2*y", *AT, "--vector", "x=1,2"], "--vector takes NAME=VALUE, not '2'"),
        (["hvp", "x^2*y", *AT, "--vector", "x=1,x=2"], "--vector has two values for x"),
        (["hvp", "x^2*y", *AT, "--vector", "x=,y=1"], "--vector x needs a value"),
        (["hvp", "x^2*y", *AT, "--vector", "z=1"], "no value is called 'z' (known: x, y)"),
        (["jvp", "x^2*y", *AT, "--vector", "x=[1, 2]"],
         "the vector has shape (2,) for x, which has shape ()"),
        (["jvp", "x^2*y", *AT], "--vector is missing"),
        (["vjp", *PAIR, "--vector", "w=1"], "no output is called 'w' (known: u, v)"),
        (["jvp", "vector*x", "--vector", "1", "--x", "2"],
         "--vector has 1 values for 2 names (for the variable write --set vector=1)"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked(run: Run, words: list[str], stderr: str) -> None:
    done = run(*words)
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"error: {stderr}\n")


def test_what_is_not_finite_is_told(run: Run) -> None:
    done = run("jvp", "sqrt(x)*y", "--x", "0", "--y", "2", "--vector", "x=1")
    assert done.stdout == "d = inf\n"
    assert done.stderr.startswith("warning: the derivative of sqrt(x) is inf at x = 0")
    assert run("jvp", "sqrt(x)*y", "--x", "0", "--y", "2", "--vector", "y=1").stdout == "d = 0\n"
