"""`cgraph simplify`."""

from __future__ import annotations

import pytest

import cgraph

from .conftest import Run


@pytest.mark.parametrize(
    ("words", "stdout"),
    [
        (["x + x - 2*y*x/y"], "0\n"),
        (["sqrt(x^2) + sin(t)^2 + cos(t)^2"], "abs(x) + 1\n"),
        (["0*x"], "0*x\n"),
        (["x*x; p = x/x^3; p"], "x^2\n1/x^2\n"),
        (["p = x + x; q = p*p; q", "--output", "p"], "2*x\n"),
        (["input r = 0.5; r + r"], "input r = 0.5\n2*r\n"),
        (["x*x", "--json"], '{"formula": "x^2"}\n'),
        (["x*x; y", "--json"],
         '{"output": "x*x", "formula": "x^2"}\n{"output": "y", "formula": "y"}\n'),
    ],
)  # fmt: skip
def test_forms(run: Run, words: list[str], stdout: str) -> None:
    done = run("simplify", *words)
    assert (done.exit_code, done.stdout, done.stderr) == (0, stdout, "")


def test_a_long_formula_keeps_its_names(run: Run) -> None:
    text = "p = sin(x)*exp(y) + cos(x*y)/(1 + x^2)\n" + " + ".join(f"p^{k}" for k in range(2, 12))
    long = run("simplify", text).stdout
    assert long.startswith("p = ")
    flat = run("simplify", text, "--flat").stdout
    assert flat.count("\n") == 1
    values = [cgraph.parse(one)(x=0.3, y=0.7) for one in (text, long, flat)]
    assert values == pytest.approx([values[0]] * 3, rel=1e-13)


def test_it_takes_no_values(run: Run) -> None:
    done = run("simplify", "x + x", "--x", "1")
    assert (done.exit_code, done.stderr) == (
        2,
        "error: simplify takes no values (give --x 1 to the command that reads the graph)\n",
    )


def test_a_sum_of_many_inputs_is_printed_in_one_go(run: Run) -> None:
    """At 50,000 inputs what is quadratic in them would take a minute."""
    text = " + ".join(f"x{k}" for k in range(50_000))
    assert run("simplify", stdin=text).stdout == f"{text}\n"
