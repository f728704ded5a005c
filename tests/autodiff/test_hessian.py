"""The Hessian, its conventions, and what it costs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, seed, settings

import cgraph
from cgraph.autodiff.evaluate import evaluate
from cgraph.autodiff.forward import forward
from cgraph.autodiff.gradient import gradient
from cgraph.autodiff.graph import check
from cgraph.autodiff.hessian import Curvature, hessians

from ..test_cases import SCALAR, label
from . import reference
from .draw import Drawn, formulas
from .reference import mp, mpf

if TYPE_CHECKING:
    from cgraph.autodiff.evaluate import Value

INF, NAN = math.inf, math.nan
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]


def curvature(text: str, point: dict[str, Any]) -> Curvature:
    """Return a formula's three orders; the graph is checked."""
    graph = cgraph.parse(text).graph
    values: dict[str, Value] = {
        name: value if isinstance(value, float) else np.array(value, dtype=float)
        for name, value in point.items()
    }
    found = hessians(graph, graph.outputs, graph.inputs(), values)
    check(graph)
    return found[0]


def truth(text: str, point: dict[str, float], i: str, j: str) -> Any:
    """Return the mixed second difference in mpmath."""
    graph = cgraph.parse(text).graph

    def at(di: Any, dj: Any) -> Any:
        moved: dict[str, Any] = {name: mpf(x) for name, x in point.items()}
        moved[i] += di
        moved[j] += dj
        return reference.evaluate(graph, graph.outputs, moved)[0]

    with mp.workprec(500):
        hi, hj = (reference.step(point[name], 80) for name in (i, j))
        total = at(hi, hj) - at(hi, -hj) - at(-hi, hj) + at(-hi, -hj)
        return total / (4 * hi * hj)


@pytest.mark.parametrize("case", SCALAR, ids=label)
def test_second_derivatives_are_those_of_mpmath(case: dict[str, Any]) -> None:
    text, point = case["expr"], {name: float(x) for name, x in case["bind"].items()}
    hessian: dict[str, dict[str, Any]] = dict(curvature(text, point).hessian)
    size = max((abs(x) for row in hessian.values() for x in row.values()), default=0.0)
    for i, row in hessian.items():
        for j, found in row.items():
            true = truth(text, point, i, j)
            assert abs(found - true) <= 1e-9 * abs(true) + 1e-14 * size + 1e-15, (i, j, found, true)


@pytest.mark.parametrize(
    ("text", "point", "expected"),
    [
        ("softplus(x)", {"x": 37.42994775023705}, [[5.551115123125775e-17]]),
        ("x^y", {"x": 4.0, "y": 0.0}, [[0.0, 0.25], [0.25, math.log(4.0) ** 2]]),
        ("x^2", {"x": 0.0}, [[2.0]]),
        ("abs(x)", {"x": 0.0}, [[NAN]]),
        ("relu(x)^2", {"x": -1.0}, [[0.0]]),
        ("relu(x)^2", {"x": 1.0}, [[2.0]]),
        ("sqrt(relu(x))", {"x": -1.0}, [[0.0]]),
        ("where(x > 0, sqrt(x), x*y)", {"x": 0.0, "y": 2.0}, [[0.0, 1.0], [1.0, 0.0]]),
        ("sqrt(x)", {"x": 0.0}, [[-INF]]),
        ("min(x, y)*z", {"x": 1.0, "y": 1.0, "z": 2.0},
         [[NAN, NAN, 0.5], [NAN, NAN, 0.5], [0.5, 0.5, 0.0]]),
        ("x*y", {"x": INF, "y": 0.0}, [[NAN, NAN], [NAN, NAN]]),
        ("3*x", {"x": 5.0}, [[0.0]]),
    ],
)  # fmt: skip
def test_conventions(text: str, point: dict[str, float], expected: list[list[float]]) -> None:
    hessian = curvature(text, point).hessian
    found = [[float(x) for x in row.values()] for row in hessian.values()]
    assert found == pytest.approx(np.array(expected), rel=1e-15, abs=0, nan_ok=True)


def test_no_value_no_derivative_at_every_order() -> None:
    result, hessian = curvature("log(x) + y^2", {"x": -1.0, "y": 1.0})
    assert math.isnan(float(result.value))
    assert all(map(math.isnan, map(float, result.gradient.values())))
    assert all(math.isnan(float(x)) for row in hessian.values() for x in row.values())
    result, hessian = curvature("sqrt(x)^2 + y^2", {"x": 0.0, "y": 1.0})
    assert result.value == 1.0
    assert math.isnan(float(result.gradient["x"]))
    assert [math.isnan(float(x)) for x in hessian["x"].values()] == [True, True]
    assert hessian["y"]["y"] == 2.0
    graph = cgraph.parse("sqrt(x)^2 + y^2").graph
    (culprit,) = result.culprits
    assert culprit.primal is not None
    assert graph.nodes[culprit.primal].op.name == "sqrt"


def test_arrays_have_blocks() -> None:
    point = {"s": 3.0, "v": [1.0, 2.0], "m": [[1.0], [-1.0], [2.0]]}
    hessian = curvature("s*v^2*exp(m)", point).hessian
    s, v, m = (np.array(point[name]) for name in "svm")
    cubes = np.exp(m)
    assert hessian["s"]["s"] == 0.0
    assert hessian["s"]["v"] == pytest.approx(2.0 * v * cubes.sum())
    assert hessian["v"]["s"] == pytest.approx(2.0 * v * cubes.sum())
    assert hessian["v"]["v"] == pytest.approx(np.diag(np.full(2, 2.0 * s * cubes.sum())))
    assert hessian["v"]["m"] == pytest.approx(2.0 * s * np.multiply.outer(v, cubes))
    assert np.shape(hessian["m"]["v"]) == (3, 1, 2)
    squares = np.diag((s * cubes * (v**2).sum()).ravel()).reshape(3, 1, 3, 1)
    assert hessian["m"]["m"] == pytest.approx(squares)


def test_entries_of_arrays_do_not_spoil_each_other() -> None:
    hessian = curvature("x^1.5", {"x": [0.0, 1.0]}).hessian
    assert np.array(hessian["x"]["x"]).tolist() == [[INF, 0.0], [0.0, 0.75]]


def test_a_named_value_is_differentiated_along_the_paths_through_it() -> None:
    graph = cgraph.parse("p = exp(x); p^2*x").graph
    by = {"p": graph.names["p"], "x": graph.placeholders["x"]}
    hessian = hessians(graph, graph.outputs, by, {"x": 0.5})[0].hessian
    e = math.exp(0.5)
    assert hessian["p"]["p"] == pytest.approx(2 * 0.5)
    # d/dx of df/dp = 2*p*x, p being exp(x)
    assert hessian["p"]["x"] == hessian["x"]["p"] == pytest.approx(2 * e + 2 * e * 0.5)
    assert hessian["x"]["x"] == pytest.approx(4 * e**2 + 4 * e**2 * 0.5)


@given(formulas())
@seed(1)
@settings(max_examples=150, deadline=None, database=None, suppress_health_check=SLOW)
def test_a_hessian_is_symmetric(drawn: Drawn) -> None:
    graph, output, point = drawn
    wrt = list(graph.inputs([output]).values())
    slopes = gradient(graph, output, wrt)
    one = graph.constant(1.0)
    rows = [forward(graph, slopes, {node: one}) for node in wrt]
    wanted = [node for row in rows for node in row]
    values = np.array(evaluate(graph, wanted, point)).reshape(len(wrt), len(wrt))
    size = np.abs(values).max(initial=0.0)
    if math.isfinite(size):
        assert values == pytest.approx(values.T, rel=1e-9, abs=1e-11 * size + 1e-300)
    half = hessians(graph, [output], graph.inputs([output]), point)[0].hessian
    upper = np.array([list(row.values()) for row in half.values()])
    assert np.array_equal(upper, upper.T, equal_nan=True)


def rosenbrock(count: int) -> str:
    """Return the chained Rosenbrock function."""
    return " + ".join(f"100*(x{k + 1} - x{k}^2)^2 + (1 - x{k})^2" for k in range(1, count))


def test_the_hessian_of_rosenbrock_is_right() -> None:
    count = 12
    x = [0.1 * k - 0.5 for k in range(count)]
    found = curvature(rosenbrock(count), {f"x{k + 1}": v for k, v in enumerate(x)}).hessian
    expected = np.zeros((count, count))
    for k in range(count - 1):
        expected[k, k] += 1200 * x[k] ** 2 - 400 * x[k + 1] + 2
        expected[k + 1, k + 1] += 200
        expected[k, k + 1] = expected[k + 1, k] = -400 * x[k]
    table = [[found[f"x{i + 1}"][f"x{j + 1}"] for j in range(count)] for i in range(count)]
    assert np.array(table) == pytest.approx(expected, rel=1e-14, abs=1e-12)


def test_what_is_zero_by_structure_costs_nothing() -> None:
    """Its nodes are a fixed number a variable, not a gradient graph a variable."""

    def made(count: int) -> int:
        graph = cgraph.parse(rosenbrock(count)).graph
        point = dict.fromkeys(graph.inputs(), 0.5)
        before = len(graph)
        hessians(graph, graph.outputs, graph.inputs(), point)
        return len(graph) - before

    assert made(200) <= 2.1 * made(100)
    assert made(200) < 20 * 200
