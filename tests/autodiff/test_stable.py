# pyright: basic
"""Patterns that lose values: both sides are read, are the same, and the second keeps its value."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product
from typing import Any

import mpmath
import numpy as np
import pytest

import cgraph
from cgraph.autodiff.stable import PATTERNS, Pattern, matched, readable, stabilized
from cgraph.autodiff.symbolic import extracted
from cgraph.exporters.text import program

READ = readable(lambda text: cgraph.parse(text).graph)
NUMBERS = (-2.5, -1.0, -0.25, 0.0, 0.5, 1.0, 2.0, 3.0)
VECTORS = (np.array([0.5, -1.0, 2.0]), np.array([3.0, 0.0, -0.25]))


def points(pattern: Pattern) -> list[dict[str, Any]]:
    """Return values for the names of a pattern."""
    names = cgraph.parse(pattern.plain).inputs
    arrays = any(word in pattern.plain for word in ("sum", "softmax"))
    values = VECTORS if arrays else NUMBERS
    return [dict(zip(names, chosen, strict=True)) for chosen in product(values, repeat=len(names))]


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda one: one.plain)
def test_both_sides_are_the_same(pattern: Pattern) -> None:
    compared = 0
    for point in points(pattern):
        if not pattern.same and point["x"] < 0:
            continue
        plain = np.asarray(cgraph.evaluate(pattern.plain, point))
        kept = np.asarray(cgraph.evaluate(pattern.kept, point))
        if np.isfinite(plain).all():
            np.testing.assert_allclose(kept, plain, rtol=1e-12, atol=1e-15)
            compared += 1
    assert compared


EXTREME: list[tuple[str, dict[str, float], Callable[[], Any]]] = [
    ("1/(1 + exp(-x))", {"x": -750.0}, lambda: 1 / (1 + mpmath.exp(750))),
    ("log(1 + exp(x))", {"x": 800.0}, lambda: mpmath.log(1 + mpmath.exp(800))),
    ("log1p(exp(x))", {"x": 800.0}, lambda: mpmath.log(1 + mpmath.exp(800))),
    ("log(exp(x) + exp(y))", {"x": 800.0, "y": 801.0},
     lambda: mpmath.log(mpmath.exp(800) + mpmath.exp(801))),
    ("exp(x)/(1 + exp(x))", {"x": 800.0}, lambda: 1 / (1 + mpmath.exp(-800))),
    ("sqrt(x^2)", {"x": 1e-200}, lambda: mpmath.mpf(1e-200)),
    ("sqrt(x^2 + y^2)", {"x": 3e200, "y": 4e200},
     lambda: mpmath.hypot(mpmath.mpf(3e200), mpmath.mpf(4e200))),
    ("sin(x)/x", {"x": 0.0}, lambda: 1),
    ("x^(1/3)", {"x": -8.0}, lambda: -2),
    ("x^(m/3)", {"x": -8.0, "m": 2.0}, lambda: 4),
    ("x^(1/n)", {"x": -32.0, "n": 5.0}, lambda: -2),
    ("x^(m/n)", {"x": -32.0, "m": 3.0, "n": 5.0}, lambda: -8),
    ("x^y", {"x": -32.0, "y": 0.2}, lambda: -2),
    ("log(1 + x)", {"x": 1e-20}, lambda: mpmath.log1p(mpmath.mpf(1e-20))),
    ("exp(x) - 1", {"x": 1e-20}, lambda: mpmath.expm1(mpmath.mpf(1e-20))),
    ("1 - cos(x)", {"x": 1e-9}, lambda: 2 * mpmath.sin(mpmath.mpf(1e-9) / 2) ** 2),
    ("x*log(y)", {"x": 0.0, "y": 0.0}, lambda: 0),
]  # fmt: skip


@pytest.mark.parametrize(("plain", "point", "truth"), EXTREME, ids=[one[0] for one in EXTREME])
def test_one_side_keeps_what_the_other_loses(
    plain: str, point: dict[str, float], truth: Callable[[], Any]
) -> None:
    (pattern,) = (one for one in PATTERNS if one.plain == plain)
    with mpmath.workdps(800):
        exact = float(truth())
    lost, kept = (float(cgraph.evaluate(side, point)) for side in (plain, pattern.kept))
    assert kept == pytest.approx(exact, rel=1e-14)
    assert not math.isclose(lost, exact, rel_tol=1e-9) or plain == "1/(1 + exp(-x))"


def stable(text: str) -> str:
    """Return a formula with the functions that keep values put in."""
    graph = cgraph.parse(text).graph
    return program(extracted(graph, stabilized(graph, graph.outputs, READ))).strip()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("3 + 1/(exp(-x) + 1)", "3 + sigmoid(x)"),
        ("2/(1 + exp(-k*x))", "2*sigmoid(k*x)"),
        ("log(exp(a*b) + 1)", "softplus(a*b)"),
        ("y*y + log(exp(b) + exp(a^2))", "y*y + logaddexp(b, a^2)"),
        ("1/sqrt(y^2 + x^2)", "1/hypot(y, x)"),
        ("log(1 + exp(log(1 + x)))", "softplus(log1p(x))"),
        ("log(2 + exp(x))", "log(2 + exp(x))"),
        ("exp(x)/(1 + exp(y))", "exp(x)*sigmoid(-y)"),
        ("sin(x)/y", "sin(x)/y"),
        ("x^(1/n)", "x^(1/n)"),
        ("exp(x)/sum(exp(x))", "exp(x)/sum(exp(x))"),
    ],
)
def test_what_is_put_in(text: str, found: str) -> None:
    assert stable(text) == found


def test_a_pattern_is_found_with_what_is_in_it() -> None:
    graph = cgraph.parse("z = log(1 + exp(a*b)); z").graph
    (read,) = (one for one in READ if one.pattern.plain == "log(1 + exp(x))")
    found = matched(read, graph, graph.outputs[0])
    assert found is not None
    ops = {graph.nodes[node].op.name for node in found.inside}
    assert ops == {"log", "add", "exp"}
    assert graph.nodes[found.names["x"]].op.name == "mul"
