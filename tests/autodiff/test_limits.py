# pyright: basic
"""Limits: at infinity, at the ends of domains, where a partial is guarded, and at large scales.

What is expected is known from the functions themselves, and not from another of our own ways.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import pytest

import cgraph
from cgraph.autodiff.taylor import expansions

from .derivatives import MODES, nth

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cgraph.autodiff.gradient import Mode

INF = math.inf

Point = dict[str, float]

AT_INFINITY: list[tuple[str, Point, str, float]] = [
    *((f"{name}(x)", {"x": x}, "x", slope) for name, below, above in [
        ("gelu", 0.0, 1.0), ("silu", 0.0, 1.0), ("gaussian", 0.0, 0.0), ("normpdf", 0.0, 0.0),
        ("softplus", 0.0, 1.0), ("sigmoid", 0.0, 0.0), ("tanh", 0.0, 0.0), ("sech", 0.0, 0.0),
        ("atan", 0.0, 0.0), ("acot", 0.0, 0.0), ("asinh", 0.0, 0.0), ("erf", 0.0, 0.0),
        ("erfc", 0.0, 0.0), ("normcdf", 0.0, 0.0), ("asec", 0.0, 0.0), ("acsc", 0.0, 0.0),
        ("acsch", 0.0, 0.0), ("cbrt", 0.0, 0.0), ("acoth", 0.0, 0.0),
    ] for x, slope in ((-INF, below), (INF, above))),
    ("acosh(x)", {"x": INF}, "x", 0.0),
    ("sqrt(x)", {"x": INF}, "x", 0.0),
    ("log(x)", {"x": INF}, "x", 0.0),
    ("x^-2", {"x": INF}, "x", 0.0),
    ("hypot(x, y)", {"x": INF, "y": 1.0}, "x", 1.0),
    ("hypot(x, y)", {"x": -INF, "y": 1.0}, "x", -1.0),
    ("hypot(x, y)", {"x": INF, "y": 1.0}, "y", 0.0),
    ("hypot(x, y)", {"x": 2.0, "y": INF}, "y", 1.0),
    ("root(x, n)", {"x": INF, "n": 3.0}, "x", 0.0),
    ("root(x, n)", {"x": -INF, "n": 3.0}, "x", 0.0),
    ("atan2(y, x)", {"x": INF, "y": 1.0}, "x", 0.0),
    ("atan2(y, x)", {"x": INF, "y": 1.0}, "y", 0.0),
    ("atan2(y, x)", {"x": 2.0, "y": INF}, "x", 0.0),
    ("atan2(y, x)", {"x": 2.0, "y": -INF}, "y", 0.0),
]  # fmt: skip
"""The formula, where it is, by what, and the limit of the derivative; the second has 0."""


@pytest.mark.parametrize(("text", "point", "name", "slope"), AT_INFINITY)
def test_limits_at_infinity(text: str, point: Point, name: str, slope: float) -> None:
    for mode in MODES:
        assert nth(text, dict(point), [name], [mode]) == slope
    for modes in itertools.product(MODES, MODES):
        assert nth(text, dict(point), [name, name], modes) == 0.0


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("text", ["norm(x)", "sum(norm([x, x], axis=1))/2"])
def test_a_norm_at_infinity(text: str, mode: Mode) -> None:
    x = [-INF, 1.0, 0.0]
    assert cgraph.grad(text, {"x": x}, mode)["x"].tolist() == [-1.0, 0.0, 0.0]
    assert not cgraph.hessian(text, {"x": x})["x"]["x"].any()


def test_a_direction_between_two_infinities_has_no_limit() -> None:
    assert math.isnan(cgraph.grad("hypot(x, y)", {"x": INF, "y": INF})["x"])


AT_ENDS: list[tuple[str, float, Sequence[float]]] = [
    ("asin(x)", 1.0, [INF, INF, INF]),
    ("asin(x)", -1.0, [INF, -INF, INF]),
    ("acos(x)", 1.0, [-INF, -INF, -INF]),
    ("acosh(x)", 1.0, [INF, -INF, INF]),
    ("atanh(x)", 1.0, [INF, INF, INF]),
    ("atanh(x)", -1.0, [INF, -INF, INF]),
    ("acoth(x)", 1.0, [-INF, INF, -INF]),
    ("asec(x)", 1.0, [INF, -INF, INF]),
    ("acsc(x)", 1.0, [-INF, INF, -INF]),
    ("asech(x)", 1.0, [-INF, -INF, -INF]),
    ("asech(x)", 0.0, [-INF, INF]),
    ("sqrt(x)", 0.0, [INF, -INF, INF]),
    ("log(x)", 0.0, [INF, -INF, INF]),
    ("log1p(x)", -1.0, [INF, -INF, INF]),
    ("x^1.5", 0.0, [0.0, INF, -INF]),
    ("x^-0.5", 0.0, [-INF, INF, -INF]),
]
"""The derivatives of order 1, 2, ... at the end of a domain: the limits from inside."""


@pytest.mark.parametrize(("text", "x", "expected"), AT_ENDS)
def test_one_limit_at_an_end_by_all_ways(text: str, x: float, expected: Sequence[float]) -> None:
    for order, limit in enumerate(expected, 1):
        for modes in itertools.product(MODES, repeat=order):
            assert nth(text, {"x": x}, ["x"] * order, modes) == limit, modes
    assert cgraph.hessian(text, {"x": x})["x"]["x"] == expected[1]
    assert cgraph.hvp(text, {"x": x}, {"x": 1.0})["x"] == expected[1]
    if math.isfinite(cgraph.evaluate(text, {"x": x})):
        graph = cgraph.parse(text).graph
        series = expansions(graph, graph.outputs, "x", len(expected), {"x": x})[0]
        assert series.coefficients[1:] == expected


GUARDED: list[tuple[str, Point, str, float]] = [
    ("xlogy(x, y)", {"x": 0.0, "y": 2.0}, "xy", 0.5),
    ("xlogy(x, y)", {"x": 0.0, "y": 2.0}, "yx", 0.5),
    ("xlogy(x, y)", {"x": 0.0, "y": 2.0}, "yyx", -0.25),
    ("xlogy(x^2, x + 2)", {"x": 0.0}, "xxx", 3.0),
    ("x^y", {"x": 0.0, "y": 1.0}, "x", 1.0),
    ("x^y", {"x": 0.0, "y": 1.0}, "y", 0.0),
    ("x^y", {"x": 0.0, "y": 1.0}, "xx", 0.0),
    ("x^y", {"x": 0.0, "y": 1.0}, "xy", -INF),
    ("x^y", {"x": 0.0, "y": 1.0}, "yx", -INF),
    ("x^y", {"x": 0.0, "y": 1.0}, "yy", 0.0),
    ("x^y", {"x": 0.0, "y": 2.0}, "xx", 2.0),
    ("x^y", {"x": 0.0, "y": 2.0}, "xy", 0.0),
    ("x^y", {"x": 0.0, "y": 2.0}, "yx", 0.0),
    ("x^y", {"x": 0.0, "y": 2.0}, "yy", 0.0),
    ("root(x, n)", {"x": 0.0, "n": 1.0}, "x", 1.0),
    ("root(x, n)", {"x": 0.0, "n": 1.0}, "xx", 0.0),
    ("root(x, n)", {"x": 0.0, "n": 1.0}, "xn", INF),
    ("root(x, n)", {"x": 0.0, "n": 1.0}, "nx", INF),
    ("root(x, n)", {"x": 0.0, "n": 1.0}, "nn", 0.0),
]
"""The formula, where a partial of it is guarded, by what, and the derivative there."""


@pytest.mark.parametrize(("text", "point", "names", "expected"), GUARDED)
def test_a_guard_hides_no_direction(text: str, point: Point, names: str, expected: float) -> None:
    for modes in itertools.product(MODES, repeat=len(names)):
        assert nth(text, dict(point), names, modes) == pytest.approx(expected, abs=1e-300), modes


SCALED: list[tuple[str, Sequence[float]]] = [
    ("log(a*x)", [1.0, -1.0, 2.0, -6.0]),
    ("log1p(a*x)", [1.0, -1.0, 2.0, -6.0]),
    ("log2(a*x)*log(2)", [1.0, -1.0, 2.0, -6.0]),
    ("asinh(a*x)", [1.0, -1.0, 2.0, -6.0]),
    ("acosh(a*x)", [1.0, -1.0, 2.0, -6.0]),
    ("a/(a*x)", [-1.0, 2.0, -6.0, 24.0]),
    ("a*atan(a*x)", [1.0, -2.0, 6.0, -24.0]),
    ("a*(a*x)^-1", [-1.0, 2.0, -6.0, 24.0]),
    ("a^2*(a*x)^-2", [-2.0, 6.0, -24.0, 120.0]),
    ("sqrt(a*x)/sqrt(a)", [0.5, -0.25, 0.375, -0.9375]),
]
"""What does not depend on a where a is large, and its derivatives by x at 1."""


@pytest.mark.parametrize(("text", "expected"), SCALED)
@pytest.mark.parametrize("mode", MODES)
def test_no_power_of_a_large_number_is_formed_apart(
    text: str, expected: Sequence[float], mode: Mode
) -> None:
    for order, derivative in enumerate(expected, 1):
        modes: list[Mode] = [mode] * order
        found = nth(text, {"a": 1e100, "x": 1.0}, ["x"] * order, modes)
        assert found == pytest.approx(derivative, rel=1e-12), order


def test_a_series_at_a_large_scale() -> None:
    graph = cgraph.parse("log(1e100*x)").graph
    found = expansions(graph, graph.outputs, "x", 5, {"x": 1.0})[0].coefficients
    assert found[1:] == pytest.approx([1.0, -1 / 2, 1 / 3, -1 / 4, 1 / 5], rel=1e-12)


@pytest.mark.parametrize("text", ["y^(-inf)", "y^inf", "(y*2)^(-inf)", "y^nan"])
def test_an_exponent_that_is_no_finite_number_is_taken(text: str) -> None:
    for at in (2.0, 0.5, 0.0, -0.0, -2.0):
        for mode in MODES:
            slope = cgraph.grad(text, {"y": at}, mode)["y"]
            assert isinstance(slope, float)
