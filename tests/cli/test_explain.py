"""`cgraph explain`."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Run

AT = ("--x", "1", "--y", "3", "--z", "-3")


def test_the_lecture(run: Run) -> None:
    done = run("explain", "(x+y)*z", *AT)
    assert (done.exit_code, done.stderr) == (0, "")
    assert (
        done.stdout
        == """g = (x + y)*z at x = 1, y = 3, z = -3

Forward: the value of each part, from the inputs to g
  x = 1
  y = 3
  z = -3
  v1 = x + y = 1 + 3 = 4
  g = v1*z = 4*(-3) = -12

Backward: the derivative of g by each part, from g to the inputs
  dg/dg = 1
  g = v1*z
    dg/dv1 = z = -3
    dg/dz = v1 = 4
  v1 = x + y
    dv1/dx = 1
    dv1/dy = 1
    dg/dx = dg/dv1 * dv1/dx = -3 * 1 = -3
    dg/dy = dg/dv1 * dv1/dy = -3 * 1 = -3

The gradient: checked by finite differences
  dg/dx = -3   (differences: -3 ✓)
  dg/dy = -3   (differences: -3 ✓)
  dg/dz = 4   (differences: 4 ✓)
"""
    )


def test_names_are_the_users(run: Run) -> None:
    out = run("explain", "p = x + y; q = p*z", *AT).stdout
    assert "  p = x + y = 1 + 3 = 4\n  q = p*z = 4*(-3) = -12\n" in out
    assert "    dq/dx = dq/dp * dp/dx = -3 * 1 = -3\n" in out


def test_digits(run: Run) -> None:
    assert (
        "v1 = sin(x) = sin(1) = 0.84\n" in run("explain", "sin(x)^2", "--x=1", "--digits=2").stdout
    )


@pytest.mark.parametrize(
    ("file", "start"),
    [
        ("e.txt", "g = x^2 at x = 3\n"),
        ("e.md", "# `g = x^2 at x = 3`\n"),
        ("e.tex", "\\section*{g = x\\textasciicircum{}2 at x = 3}\n"),
        ("e.html", "<!DOCTYPE html>\n"),
    ],
)
def test_the_ending_says_the_form(run: Run, file: str, start: str) -> None:
    assert run("explain", "x^2", "--x", "3", "-o", file).exit_code == 0
    assert Path(file).read_text().startswith(start)


def test_an_option_says_it_too(run: Run) -> None:
    assert run("explain", "x^2", "--format", "markdown").stdout.startswith("# `g = x^2`\n")


def test_each_output_has_its_story(run: Run) -> None:
    out = run("explain", "x^2; h = x^3; h", "--x", "3").stdout
    assert [line for line in out.splitlines() if " at x = 3" in line] == [
        "g = x^2 at x = 3",
        "h = x^3 at x = 3",
    ]


def test_the_limit_has_a_way_out(run: Run) -> None:
    text = "+".join(f"sin({k}*x)" for k in range(1, 90))
    done = run("explain", text)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == (
        "error: the formula has 266 operations, and 200 are explained at most "
        "(--limit 266 explains all, --output NAME a named part)\n"
    )
    assert run("explain", text, "--limit", "266").exit_code == 0


def test_arrays_are_refused(run: Run) -> None:
    done = run("explain", "x^2", "--x", "[1, 2]")
    assert (done.exit_code, done.stderr) == (
        2,
        "error: x is an array, and numbers are explained (cgraph render --grad draws arrays with "
        "their gradients, cgraph diff has the formulas)\n",
    )


@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_an_output_without_an_input_has_derivative_0_by_it(run: Run, mode: str) -> None:
    done = run("explain", "x*x; x + y", "--x", "1", "--y", "2", "--mode", mode)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "  dg/dx = 2   (differences: 2 ✓)\n  dg/dy = 0   (g has no y)\n" in done.stdout


def test_greek_letters_in_latex(run: Run) -> None:
    out = run("explain", "λ*Δx", "--format", "latex").stdout
    assert out.startswith("\\section*{g = $\\lambda$*$\\Delta$x}\n")
    assert out.isascii()
    assert "g &= \\lambda \\cdot \\Delta x\n" in out
