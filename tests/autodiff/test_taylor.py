"""Taylor coefficients beside mpmath's, and beside repeated derivatives over factorials."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, seed, settings

import cgraph
from cgraph.autodiff.errors import CgraphError
from cgraph.autodiff.evaluate import evaluate
from cgraph.autodiff.gradient import gradient
from cgraph.autodiff.graph import check
from cgraph.autodiff.taylor import expansions

from .draw import Drawn, formulas
from .reference import mp

INF, NAN = math.inf, math.nan
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]

SERIES: list[tuple[str, float, Callable[[Any], Any]]] = [
    ("exp(sin(x))", 0.0, lambda x: mp.exp(mp.sin(x))),
    ("exp(sin(x))", 0.7, lambda x: mp.exp(mp.sin(x))),
    ("log(1 + x)", 0.0, lambda x: mp.log(1 + x)),
    ("sqrt(1 + x)*tanh(x)/(2 + cos(x))", 0.3,
     lambda x: mp.sqrt(1 + x) * mp.tanh(x) / (2 + mp.cos(x))),
    ("asin(x)^3 + atan(x)", 0.25, lambda x: mp.asin(x) ** 3 + mp.atan(x)),
    ("x^x", 1.5, lambda x: x**x),
    ("normcdf(x)", 0.5, mp.ncdf),
    ("sigmoid(x)", 0.5, lambda x: 1 / (1 + mp.exp(-x))),
    ("tan(x)", 0.5, mp.tan),
    ("1/(1 - x)", 0.0, lambda x: 1 / (1 - x)),
    ("where(x > 0, sin(x), sqrt(x))", 0.5, mp.sin),
    ("max(exp(x), x - 5)", 0.5, mp.exp),
]  # fmt: skip


@pytest.mark.parametrize(("text", "at", "function"), SERIES)
def test_coefficients_are_those_of_mpmath(text: str, at: float, function: Any) -> None:
    found = cgraph.taylor(text, {"x": at}, 20)
    with mp.workdps(60):
        expected: list[Any] = mp.taylor(function, at, 20)
    assert len(found) == 21
    for coefficient, true in zip(found, expected, strict=True):
        # where mpmath's own difference leaves nothing, the coefficient is 0
        rounded = float(true) if abs(true) > 1e-30 else 0.0
        assert coefficient == pytest.approx(rounded, rel=1e-12, abs=1e-16)


def test_a_function_with_a_function_for_each_derivative() -> None:
    found = cgraph.taylor("gamma(x)", {"x": 2.5}, 8)
    with mp.workdps(40):
        expected: list[Any] = mp.taylor(mp.gamma, 2.5, 8)
    assert found == pytest.approx([float(true) for true in expected], rel=1e-12)


def test_no_expression_swells() -> None:
    graph = cgraph.parse("exp(sin(x))").graph
    expansions(graph, graph.outputs, "x", 20, {"x": 0.5})
    assert len(graph) < 20
    text = "y0 = x; " + "; ".join(f"y{k + 1} = sin(y{k})*y{k}" for k in range(8))
    graph = cgraph.parse(text).graph
    expansions(graph, graph.outputs, "x", 20, {"x": 0.5})
    assert len(graph) < 100
    check(graph)


def test_a_chain_of_any_length() -> None:
    graph = cgraph.parse(" + ".join(f"x*{k}" for k in range(1, 10_001))).graph
    found = expansions(graph, graph.outputs, "x", 2, {"x": 3.0})[0].coefficients
    assert found == [3.0 * 50_005_000, 50_005_000.0, 0.0]


@pytest.mark.parametrize(
    ("text", "at", "expected"),
    [
        ("sqrt(x)", 0.0, [0.0, INF, -INF, INF]),
        ("abs(x)", 0.0, [0.0, 0.0, NAN, NAN]),
        ("abs(x)", -2.0, [2.0, -1.0, 0.0, 0.0]),
        ("floor(x)", 1.5, [1.0, 0.0, 0.0, 0.0]),
        ("relu(x)", 0.0, [0.0, 0.0, NAN, NAN]),
        ("max(x, 0)*x", 0.0, [0.0, 0.0, NAN, NAN]),
        ("where(x > 0, sqrt(x), x^2)", 0.0, [0.0, 0.0, 1.0, 0.0]),
        ("sqrt(relu(x)) + x", -1.0, [-1.0, 1.0, 0.0, 0.0]),
        ("clip(x, 0, 1)*x", 0.5, [0.25, 1.0, 1.0, 0.0]),
        ("log(x)", -1.0, [NAN, NAN, NAN, NAN]),
        ("sqrt(x)^2", 0.0, [0.0, NAN, NAN, NAN]),
        ("x", 2.0, [2.0, 1.0, 0.0, 0.0]),
        ("3 + 0*x", 2.0, [3.0, 0.0, 0.0, 0.0]),
    ],
)
def test_conventions(text: str, at: float, expected: list[float]) -> None:
    found = cgraph.taylor(text, {"x": at}, 3)
    assert found == pytest.approx(expected, nan_ok=True)


def test_other_inputs_are_constants() -> None:
    point = {"a": 2.0, "x": 1.0}
    found = cgraph.taylor("log(a + x)*a", point, 2, wrt="x")
    assert found == pytest.approx([2.0 * math.log(3.0), 2.0 / 3.0, -1.0 / 9.0])


@given(formulas(least=3, most=9))
@seed(4)
@settings(max_examples=80, deadline=None, database=None, suppress_health_check=SLOW)
def test_coefficients_are_derivatives_over_factorials(drawn: Drawn) -> None:
    graph, output, point = drawn
    inputs = graph.inputs([output])
    assume(inputs)
    name, node = next(iter(inputs.items()))
    found = expansions(graph, [output], name, 3, point)[0].coefficients
    derivatives = [output]
    for _ in range(3):
        derivatives.append(gradient(graph, derivatives[-1], [node])[0])
    values = [float(value) for value in evaluate(graph, derivatives, point)]
    for k, (coefficient, value) in enumerate(zip(found, values, strict=True)):
        if not math.isfinite(value):
            break
        size = max(abs(v) for v in values[: k + 1]) / min(1.0, abs(point[name])) ** k
        expected = value / math.factorial(k)
        assert coefficient == pytest.approx(expected, rel=1e-9, abs=1e-10 * size + 1e-12), k


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: cgraph.taylor("x*y", {"x": 1.0, "y": 2.0}, 3),
         "there are 2 inputs to expand in (name one in wrt=)"),
        (lambda: cgraph.taylor("p = x^2; p", {"x": 1.0}, 3, wrt="p"),
         "'p' is no input (a Taylor series is in powers of one)"),
        (lambda: cgraph.taylor("x", {"x": 1.0}, -1),
         "the order of a Taylor series is 0 or more, not -1"),
        (lambda: cgraph.taylor("x*2", {"x": [1.0, 2.0]}, 3),
         "a Taylor series is of a formula of scalars, this one has arrays"),
        (lambda: cgraph.taylor("x; x^2", {"x": 1.0}, 3),
         "a gradient is of one output, the formula has 2 (name it in output=)"),
    ],
)  # fmt: skip
def test_what_has_no_series(call: Any, told: str) -> None:
    with pytest.raises(CgraphError) as caught:
        call()
    assert str(caught.value) == f"error: {told}"
