"""Simplified and optimized formulas have the same values, shapes and gradients.

Formulas are drawn from a seed: scalar ones at infinities, zeros of both signs and 1e±200, and array
ones without declared shapes. What is not the same must be what mpmath says: where a formula
overflows or loses its digits on the way, its simpler form may not.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pytest

from cgraph import parse
from cgraph.autodiff.errors import FormulaError
from cgraph.autodiff.evaluate import evaluate
from cgraph.autodiff.graph import Graph
from cgraph.autodiff.optimize import optimized
from cgraph.autodiff.simplify import simplify
from cgraph.exporters.text import formula

from . import reference
from .derivatives import derivative
from .reference import mp

if TYPE_CHECKING:
    from cgraph.autodiff.evaluate import Value

INF = math.inf
AWKWARD = (
    0.0, -0.0, INF, -INF, math.nan, 1e200, -1e200, 1e-200, -1e-200, 5e-324, -1e-310, 1e160, 1e-160,
    1.0, -1.0, 2.0, 0.5, -3.0, 1.5, 700.0,
)  # fmt: skip
LEAVES = ("x", "y", "z", "x", "y", "z", "2", "3", "0.5", "0", "-1", "1e200", "1e-200", "(1/3)")
EXPONENTS = ("2", "3", "-1", "-2", "0.5", "1.5", "(1/3)", "0", "1", "-0.5", "z")
FUNCTIONS = (
    "sqrt", "exp", "log", "abs", "tanh", "cosh", "sinh", "sign", "expm1", "log1p", "cbrt", "exp2",
    "log2", "acot", "relu", "sech", "atan", "-",
)  # fmt: skip
"""Without sin and its like: at 1e200 a last bit is all of their value."""

SMALLEST = 1e-305
"""Differences below are those of the last floats before 0."""


def drawn(draw: random.Random, depth: int) -> str:
    """Return a scalar formula."""
    if depth == 0 or draw.random() < 0.12:
        return draw.choice(LEAVES)
    parts = [drawn(draw, depth - 1) for _ in range(4)]
    kind = draw.random()
    if kind < 0.6:
        return f"({parts[0]} {draw.choice('++-***///')} {parts[1]})"
    if kind < 0.72:
        return f"({parts[0]})^{draw.choice(EXPONENTS)}"
    if kind < 0.77:
        return f"where({parts[0]} > {parts[1]}, {parts[2]}, {parts[3]})"
    if kind < 0.8:
        return f"atan2({parts[0]}, {parts[1]})"
    return f"{draw.choice(FUNCTIONS)}({parts[0]})"


def close(found: float, expected: float, tolerance: float) -> bool:
    """Tell whether a value is kept; where there was none there may be one."""
    if math.isnan(expected) or found == expected:
        return True
    if not (math.isfinite(found) and math.isfinite(expected)):
        return False
    difference = abs(found - expected)
    return difference <= tolerance * abs(expected) or difference < SMALLEST


def true_value(graph: Graph, node: int, point: Mapping[str, float]) -> float:
    """Return a node's value at finite inputs as mpmath has it, rounded once; nan without one."""
    with mp.workprec(1500):
        try:
            (value,) = reference.evaluate(graph, [node], point)
            return float(value)
        except (ValueError, ZeroDivisionError, OverflowError, TypeError):
            return math.nan


def is_kept(graph: Graph, node: int, new: int, point: Mapping[str, float]) -> bool:
    """Tell whether a node's value is kept at a point, or is right where it was not."""
    before, after = (float(value) for value in evaluate(graph, [node, new], point))
    if close(after, before, 1e-12):
        return True
    finite = all(map(math.isfinite, point.values()))
    return finite and close(after, true_value(graph, node, point), 1e-9)


Rewrite = Callable[[Graph, Sequence[int]], list[int]]


@pytest.mark.parametrize("rewrite", [simplify, optimized])
@pytest.mark.parametrize("seed", range(4))
def test_scalar_formulas_keep_their_values(rewrite: Rewrite, seed: int) -> None:
    draw, changed = random.Random(seed), 0
    for _ in range(150):
        graph = parse(drawn(draw, draw.choice((2, 3, 3, 4)))).graph
        (node,), (new,) = graph.outputs, rewrite(graph, graph.outputs)
        changed += node != new
        for _ in range(12 if node != new else 0):
            point = {name: draw.choice(AWKWARD) for name in graph.placeholders}
            assert is_kept(graph, node, new, point), (formula(graph, node), point)
    assert changed > 50


CHAINS = (
    "a/b/c", "a/(b/c)", "a*b/c", "a/b*c", "c*b*a", "a*b*c*b", "a*b/b", "1/(1/a)", "a/(b*c)/c",
    "a*a*b*a", "a*(b*c)*(1/b)", "(a*b)^2/a", "sqrt(a)*sqrt(b)", "a*1e200*b*1e-200",
    "a^2/a", "a/1e200/b*1e200",
    "(a/b)/(c/b)", "exp(a)*exp(b)", "a*exp(b)*a", "exp(a)/exp(b)", "a - (b - c)", "a + b - a",
    "-a - b + c", "a + b + c - b", "a*b + a*c", "a*b - b*a", "a/b + c/b", "2*a + b - a - c",
    "1/(a + 0)", "1/(a - b + b)", "1/-(a - b)", "1/sqrt(a)^2", "a^0.5", "a^-0.5", "sqrt(a)^-0.5",
    "sqrt(a^2)", "(a^3)^(1/3)", "a^b*a", "exp(b*log(a))", "1/exp(3*log(a))", "atan2(a + 0, b)",
    "where(a - a == 0, b, c)", "hypot(a, b)*c/c", "sin(a)^2*b + b*cos(a)^2", "abs(a)/a",
)  # fmt: skip


@pytest.mark.parametrize("rewrite", [simplify, optimized])
@pytest.mark.parametrize("text", CHAINS)
def test_chains_keep_their_values(rewrite: Rewrite, text: str) -> None:
    graph = parse(text).graph
    (node,), (new,) = graph.outputs, rewrite(graph, graph.outputs)
    draw = random.Random(text)
    for _ in range(150):
        point = {name: draw.choice(AWKWARD) for name in graph.placeholders}
        assert is_kept(graph, node, new, point), (formula(graph, new), point)


# -- arrays ---------------------------------------------------------------------------------------

SHAPES: dict[str, tuple[int, ...]] = {"A": (3, 2), "r": (2,), "c": (3, 1), "s": (), "T": (3, 2)}
MADE = ("ones(2)", "[1, 2]", "zeros([3, 1])", "eye(2)[0]", "ones([3, 2])", "2", "0", "1", "sum(A)")
ALONG = (
    "sum({0}, axis=0)", "sum({0})", "mean({0})", "({0}).T", "({0})[None]", "sum({0}, axis=-1)",
    "cumsum({0}, axis=-1)", "max({0}, 0)", "exp({0})", "-({0})", "({0})^2", "tanh({0})", "({0})^0",
    "sum_to({0}, [])", "where({0} > 0, {0}, {0})",
)  # fmt: skip


def arrays(draw: random.Random, depth: int) -> str:
    """Return a formula with arrays, which often has a part less itself, or by itself."""
    if depth == 0 or draw.random() < 0.1:
        return draw.choice((*SHAPES, *SHAPES, *MADE))
    one, other = arrays(draw, depth - 1), arrays(draw, depth - 1)
    kind = draw.random()
    if kind < 0.35:
        return f"({one} {draw.choice('+-*/')} {other})"
    if kind < 0.6:
        tricks = ("({1} + {0}) - {0}", "{0} - {0}", "{0}*0 + {1}", "({0})/({0})*({1})", "1*({0})")
        return "(" + draw.choice(tricks).format(one, other) + ")"
    return draw.choice(ALONG).format(one)


def alike(found: Value, expected: Value) -> bool:
    """Tell whether values are kept; where there was none there may be one."""
    lost = np.isnan(expected)
    return np.allclose(np.where(lost, 0.0, found), np.where(lost, 0.0, expected), 1e-9, 1e-9)


@pytest.mark.parametrize("rewrite", [simplify, optimized])
@pytest.mark.parametrize("seed", range(4))
def test_array_formulas_keep_value_shape_and_gradient(rewrite: Rewrite, seed: int) -> None:
    draw, compared = random.Random(seed), 0
    numbers = np.random.default_rng(seed)
    given = {name: numbers.normal(size=shape) + 3.0 for name, shape in SHAPES.items()}
    values = {name: value if np.shape(value) else float(value) for name, value in given.items()}
    while compared < 60:
        graph = parse(arrays(draw, draw.choice((2, 3))) + " + sum([1, 2])").graph
        (node,) = graph.outputs
        try:
            (before,) = evaluate(graph, [node], values)
        except FormulaError:
            continue
        compared += 1
        (new,) = rewrite(graph, [node])
        (after,) = evaluate(graph, [new], values)
        assert np.shape(after) == np.shape(before), formula(graph, node)
        assert alike(after, before), formula(graph, node)
        for name in graph.inputs([node]):
            nodes = [derivative(graph, one, name, "reverse", values) for one in (node, new)]
            slopes, found = evaluate(graph, nodes, values)
            assert alike(found, slopes), (
                name,
                formula(graph, new),
            )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("T*ones(2)", "T*broadcast_to(1, [2])"), ("sum(A - A, axis=0)", "sum(A - A, axis=0)"),
        ("(z + s) - z", "s"), ("[(z + s) - z, 1]", "[z + s - z, 1]"), ("x - x", "0"),
        ("x - x + sum([1, 2])", "x - x + sum([1, 2])"), ("x^0*[1, 2]", "x^0*[1, 2]"),
        ("where(1, x, [1, 2])", "where(1, x, [1, 2])"), ("x*y/y + sum(z)", "x*y/y + sum(z)"),
        # what is declared is known, and what is the same either way
        ("input x: (); x - x + sum([1, 2])", "sum([1, 2])"),
        ("input A: (3, 2); sum(A - A, axis=0)", "sum(broadcast_to(0, [3, 2]), axis=0)"),
        ("sum(x) - sum(x) + y", "y"), ("sum(2*x + 3*x)", "sum(5*x)"),
        ("y + x*x^2 + sum(z)", "y + x^3 + sum(z)"),
    ],
)  # fmt: skip
def test_a_shape_that_is_not_known_is_kept(text: str, expected: str) -> None:
    graph = parse(text).graph
    (node,) = simplify(graph, graph.outputs)
    assert formula(graph, node) == expected
