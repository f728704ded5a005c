"""Random numbers as values: `--X "randn(10, 2)" --seed 1`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from .conftest import Run


def value(run: Run, text: str, *words: str, name: str = "x") -> Any:
    """Return what a VALUE comes to."""
    done = run("eval", name, f"--{name}", text, "--json", *words)
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)["value"]


@pytest.mark.parametrize(
    ("text", "shape", "low", "high"),
    [
        ("randn(1000, 2)", (1000, 2), -6, 6),
        ("randn([10, 2])", (10, 2), -6, 6),
        ("randn()", (), -6, 6),
        ("rand(10, 2)", (10, 2), 0, 1),
        ("uniform(10, 2)", (10, 2), 0, 1),
        ("uniform(-3, -2, [10, 2])", (10, 2), -3, -2),
        ("normal(100, 0.1, [4])", (4,), 99, 101),
        ("normal(100, 0.1)", (), 99, 101),
        ("randint(0, 10, [256])", (256,), 0, 9),
        ("randint(3, [256])", (256,), 0, 2),
        ("randint(-5, -3, 10)", (10,), -5, -4),
        ("randint(2)", (), 0, 1),
        ("2*rand(3) + 1", (3,), 1, 3),
        ("reshape(rand(6), [2, 3])", (2, 3), 0, 1),
        ("zeros(len(rand(4)))", (4,), 0, 0),
        ("[rand(2), rand(2)]", (2, 2), 0, 1),
        ("f(a) = rand(2) + a; f(3)", (2,), 3, 4),
    ],
)
def test_what_is_drawn(run: Run, text: str, shape: tuple[int, ...], low: int, high: int) -> None:
    drawn = np.array(value(run, text))
    assert drawn.shape == shape
    assert drawn.min() >= low
    assert drawn.max() <= high
    assert drawn.size < 2 or low == high or len(set(drawn.ravel().tolist())) > 1


def test_a_normal_distribution(run: Run) -> None:
    drawn = np.array(value(run, "normal(3, 2, [100000])"))
    assert abs(drawn.mean() - 3) < 0.05
    assert abs(drawn.std() - 2) < 0.05
    assert set(value(run, "randint(0, 3, [100])")) == {0, 1, 2}


def test_the_same_numbers_for_a_seed_and_a_name(run: Run) -> None:
    first = value(run, "randn(3)")
    assert first == value(run, "randn(3)", "--seed", "0")
    assert first != value(run, "randn(3)", "--seed", "1")
    assert first != value(run, "randn(3)", name="y")
    assert (
        first
        == json.loads(
            run("eval", "x + 0*y", "--y", "randn(3)", "--x", "randn(3)", "--json").stdout
        )["value"]
    )
    assert first == json.loads(run("eval", "x", "--set", "x=randn(3)", "--json").stdout)["value"]
    Path("b.txt").write_text("y = 1\nx = randn(3)\n")
    assert first == json.loads(run("eval", "x", "--bindings", "b.txt", "--json").stdout)["value"]
    one, other = value(run, "[randn(2), randn(2)]")
    assert one != other


def test_directions_are_drawn_too(run: Run) -> None:
    words = ("jvp", "x*y", "--x", "2", "--y", "1", "--vector", "x=randn(),y=0")
    assert (
        run(*words).stdout == run(*words, "--seed", "0").stdout != run(*words, "--seed", "1").stdout
    )


@pytest.mark.parametrize(
    ("text", "report"),
    [
        ("randn(2.5)", "randn: a size is a whole number from 1 on, not 2.5 (randn(10, 2))"),
        ("randn(3, [2])", "randn: a size is a whole number from 1 on, not an array (randn(10, 2))"),
        ("uniform(-1, 1)", "uniform: a size is a whole number from 1 on, not -1"
         " (uniform(10, 2) or uniform(low, high, [10, 2]))"),
        ("normal(3)", "normal: it takes 2 numbers and a shape (normal(mean, deviation, [10, 2]))"),
        ("normal(0, -1)", "normal: a deviation is not below 0, as -1 is"
         " (normal(mean, deviation, [10, 2]))"),
        ("normal([1, 2], 1)", "normal: a number was expected, not an array"
         " (normal(mean, deviation, [10, 2]))"),
        ("randint(5, 5)", "randint: no whole number is from 5 up to 5, which is left out"
         " (randint(low, high, [256]) or randint(high, [256]))"),
        ("randint(0.5)", "randint: an end is a whole number, not 0.5"
         " (randint(low, high, [256]) or randint(high, [256]))"),
        ("randn(n)", "'n' is not a number (a value is a constant)"),
        ("zeros(n)", "'n' is not a number (a value is a constant)"),
        ("randn(size=2)", "randn takes its arguments without names (randn(10, 2))"),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn(run: Run, text: str, report: str) -> None:
    done = run("eval", "x", "--x", text)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.splitlines()[0] == f"--x:1:{text.find('size=') + 1 or 1}: error: {report}"


def test_a_formula_draws_nothing(run: Run) -> None:
    done = run("eval", "x*randn(3)", "--x", "2")
    assert (done.exit_code, done.stdout, done.stderr) == (
        1,
        "",
        "<formula>:1:3: error: randn draws random numbers, and a formula has the same value each"
        " time (give them to an input: --x 'randn(10, 2)')\n"
        "  1 | x*randn(3)\n    |   ^^^^^\n",
    )
    assert run("eval", "rand(t) = 2*t; rand(3) + randn", "--randn", "1").stdout == "7\n"


@pytest.mark.parametrize(
    ("text", "stdout"),
    [
        ("zeros(3, 2)", "[[0, 0], [0, 0], [0, 0]]"),
        ("ones(2)", "[1, 1]"),
        ("eye(2)", "[[1, 0], [0, 1]]"),
        ("full(0.5, [2])", "[0.5, 0.5]"),
        ("arange(3)", "[0, 1, 2]"),
        ("linspace(0, 1, 3)", "[0, 0.5, 1]"),
        ("reshape(arange(6), [2, 3])", "[[0, 1, 2], [3, 4, 5]]"),
        ("[[1, 2], [3, 4]].T", "[[1, 3], [2, 4]]"),
        ("[i^2 for i in 1 to 3]", "[1, 4, 9]"),
    ],
)
def test_arrays_that_are_made(run: Run, text: str, stdout: str) -> None:
    assert run("eval", "x", "--x", text).stdout == f"{stdout}\n"
