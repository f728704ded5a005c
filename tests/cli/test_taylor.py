"""`cgraph taylor`."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from .conftest import Run


@pytest.mark.parametrize(
    ("words", "stdout"),
    [
        (["exp(x)", "--at", "x=0", "--order", "3", "--digits", "3"],
         "1 + x + 0.5*x^2 + 0.167*x^3\n"),
        (["x^3", "--at", "x=2"], "8 + 12*(x - 2) + 6*(x - 2)^2 + (x - 2)^3\n"),
        (["x^3", "--at", "x = -1", "--order", "2"], "-1 + 3*(x + 1) - 3*(x + 1)^2\n"),
        (["x^3", "--x", "2", "--order", "1"], "8 + 12*(x - 2)\n"),
        (["input x = 2; x^3", "--order", "1"], "8 + 12*(x - 2)\n"),
        (["a*x^2", "--at", "x=1", "--a", "3"], "3 + 6*(x - 1) + 3*(x - 1)^2\n"),
        (["sin(x)", "--at", "x=0", "--order", "2", "--format", "numbers"], "0\n1\n0\n"),
        (["x; x^2", "--at", "x=0", "--order", "2"], "x\nx^2\n"),
        (["p = x^2; sin(p)", "--output", "p", "--at", "x=0"], "p = x^2\n"),
        (["x; x^2", "--at", "x=0", "--order", "1", "--format", "numbers"],
         "# x\n0\n1\n# x^2\n0\n0\n"),
        (["x^2", "--at", "x=pi-pi"], "x^2\n"),
    ],
)  # fmt: skip
def test_forms(run: Run, words: list[str], stdout: str) -> None:
    done = run("taylor", *words)
    assert (done.exit_code, done.stdout, done.stderr) == (0, stdout, "")


def test_the_polynomial_is_a_formula(run: Run) -> None:
    text = run("taylor", "exp(sin(x))", "--order", "20", "--at", "x=0.5").stdout
    found = float(run("eval", "--x", "0.75", stdin=text).stdout)
    assert found == pytest.approx(math.exp(math.sin(0.75)), rel=1e-14)


def test_json_and_archives(run: Run) -> None:
    words = ("taylor", "exp(x)", "--at", "x=0", "--order", "2")
    held = json.loads(run(*words, "--json").stdout)
    assert held == {"variable": "x", "at": 0.0, "coefficients": [1.0, 1.0, 0.5]}
    assert run(*words, "-o", "t.npy").exit_code == 0
    assert np.load("t.npy").tolist() == [1.0, 1.0, 0.5]
    assert run(*words, "-o", "t.npz").exit_code == 0
    with np.load("t.npz") as archive:
        assert archive["coefficients"].tolist() == [1.0, 1.0, 0.5]


@pytest.mark.parametrize(
    ("words", "stderr"),
    [
        (["x*y", "--x", "1", "--y", "2"],
         "there are 2 inputs to expand in (say which, and where: --at NAME=VALUE)"),
        (["x*y", "--at", "x=1"], "no value for y: add --y VALUE"),
        (["x*y", "--at", "z=1", "--x", "1", "--y", "2"],
         "no value is called 'z' (known: x, y)"),
        (["x", "--at", "x=1", "--at", "y=2"], "--at is given twice: x=1 and y=2"),
        (["x", "--at", "x=nan"], "a Taylor series is around a finite x, not nan"),
        (["x", "--x", "inf"], "a Taylor series is around a finite x, not inf"),
        (["x", "--order", "201"], "--order: 201 is not in the range 0<=x<=200"),
        (["x", "--at", "1"], "--at takes NAME=VALUE, not '1'"),
        (["x", "--at", "x=[1, 2]"], "--at x takes a number, not an array"),
        (["x", "--at", "x=1", "--x", "2"], "x is given twice: 2 and 1"),
        (["p = x^2; p + 1", "--at", "p=1", "--x", "2"],
         "'p' is no input (a Taylor series is in powers of one)"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked(run: Run, words: list[str], stderr: str) -> None:
    done = run("taylor", *words)
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"error: {stderr}\n")


def test_arrays_have_no_series(run: Run) -> None:
    done = run("taylor", "a*x", "--at", "x=1", "--a", "[1, 2]")
    told = "error: a Taylor series is of a formula of scalars, this one has arrays\n"
    assert (done.exit_code, done.stdout, done.stderr) == (1, "", told)


def test_what_is_not_finite_is_told(run: Run) -> None:
    done = run("taylor", "sqrt(x)", "--at", "x=0", "--order", "2")
    assert done.stdout == "inf*x - inf*x^2\n"
    assert done.stderr == "warning: the derivative of sqrt(x) is inf at x = 0 (line 1, column 1)\n"
    done = run("taylor", "x^1.5", "--at", "x=0", "--order", "2")
    assert done.stdout == "inf*x^2\n"
    told = "the series of x^1.5 in x has no finite coefficient of order 2"
    assert done.stderr == f"warning: {told}\n"


def test_a_pole_has_no_series(run: Run) -> None:
    done = run("taylor", "2 + 1/x", "--at", "x=0")
    told = "it is inf at x = 0, where it has no Taylor series (expand around another x)"
    shown = f"<formula>:1:3: error: {told}\n  1 | 2 + 1/x\n    |   ^\n"
    assert (done.exit_code, done.stdout, done.stderr) == (1, "", shown)
