"""Warnings name the function that keeps the value, `simplify --stable` puts it in."""

from __future__ import annotations

import pytest

from .conftest import Run


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        (["grad", "1/(1 + exp(-x))", "--x", "-800"], "sigmoid(x)"),
        (["grad", "a/(1 + exp(-k*x))", "--x", "-800", "--k", "1", "--a", "2"], "a*sigmoid(k*x)"),
        (["eval", "log(1 + exp(x))", "--x", "800"], "softplus(x)"),
        (["eval", "log(exp(a) + exp(b))", "--a", "800", "--b", "1"], "logaddexp(a, b)"),
        (["eval", "log(sum(exp(x)))", "--x", "[800, 1]"], "logsumexp(x)"),
        (["eval", "log(sum(exp(x)))", "--x", "[-800, -900]"], "logsumexp(x)"),
        (["eval", "sum(exp(x)/sum(exp(x))*w)", "--x", "[800, 1]", "--w", "[1, 2]"], "softmax(x)"),
        (["grad", "sqrt(x*x)", "--x", "0"], "abs(x)"),
        (["grad", "sqrt((a - b)^2)", "--a", "1", "--b", "1"], "abs(a - b)"),
        (["grad", "sqrt(x^2 + y^2)", "--x", "0", "--y", "0"], "hypot(x, y)"),
        (["eval", "sqrt(x^2 + y^2)", "--x", "1e200", "--y", "0"], "hypot(x, y)"),
        (["grad", "sqrt(sum(x^2))", "--x", "[0, 0]"], "norm(x)"),
        (["grad", "sin(x)/x", "--x", "0"], "sinc(x/pi)"),
        (["eval", "(-8)^(1/3)"], "cbrt(-8)"),
        (["eval", "(-8)^(2/3)"], "cbrt(-8)^2"),
        (["eval", "x^(1/5)", "--x", "-32"], "root(x, 5)"),
        (["eval", "x^(3/5)", "--x", "-32"], "root(x, 5)^3"),
        (["eval", "x^y", "--x", "-32", "--y", "0.2"], "root(x, 1/y)"),
        (["jac", "[1/(1 + exp(-x)), x]", "--x", "-800"], "sigmoid(x)"),
    ],
)
def test_a_warning_names_what_keeps_the_value(run: Run, words: list[str], kept: str) -> None:
    done = run(*words)
    assert done.exit_code == 0
    assert done.stderr.startswith("warning: ")
    assert done.stderr.splitlines()[0].endswith(f"; {kept} keeps it")


@pytest.mark.parametrize(
    "words",
    [
        ["eval", "log(x - 2)", "--x", "1"],
        ["eval", "log(1 + x)", "--x", "-1"],
        ["eval", "(-8)^(1/2)"],
        ["eval", "x^y", "--x", "-32", "--y", "0.3"],
        ["eval", "exp(x)", "--x", "800"],
        ["eval", "exp(x)/sum(exp(x))", "--x", "[[800, 1], [2, 3]]"],
        ["grad", "x^(1/3)", "--x", "0"],
    ],
)
def test_what_has_no_value_otherwise_names_nothing(run: Run, words: list[str]) -> None:
    assert "keeps it" not in run(*words).stderr


def test_a_row_is_told_so_too(run: Run) -> None:
    done = run("grad", "1/(1 + exp(-x))", "--data", "-", stdin="x\n1\n-900\n")
    assert done.stderr.endswith("is inf at -x = 900 (line 1, column 8); sigmoid(x) keeps it\n")


def test_simplify_puts_it_in_when_asked(run: Run) -> None:
    assert run("simplify", "log(1 + exp(x)) + 0*y", "--stable").stdout == "softplus(x) + 0*y\n"
    assert run("simplify", "log(1 + exp(x))").stdout == "log(1 + exp(x))\n"
