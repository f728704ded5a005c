"""The Jacobian, in both modes, of scalars and arrays."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, seed, settings

import cgraph
from cgraph.autodiff.errors import FormulaError, UsageError
from cgraph.autodiff.gradient import Mode
from cgraph.autodiff.graph import Graph, check
from cgraph.autodiff.jacobian import jacobians
from cgraph.autodiff.ops.parts import stack
from cgraph.autodiff.ops.powers import sqrt
from cgraph.autodiff.ops.rules import Expr
from cgraph.autodiff.ops.structure import sum_to

from .derivatives import MODES
from .draw import Drawn, formulas

if TYPE_CHECKING:
    from cgraph.autodiff.evaluate import Value

INF = math.inf
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]


def rows(text: str, point: dict[str, Any], mode: Mode) -> list[dict[str, Any]]:
    """Return a formula's Jacobian, a dict for each output; the graph is checked."""
    graph = cgraph.parse(text).graph
    values: dict[str, Value] = {
        name: value if isinstance(value, float) else np.array(value, dtype=float)
        for name, value in point.items()
    }
    found = jacobians(graph, graph.outputs, graph.inputs(), values, mode)
    check(graph)
    return [
        {name: np.array(slope).tolist() for name, slope in result.gradient.items()}
        for result in found
    ]


CASES: list[tuple[str, dict[str, Any], list[dict[str, Any]]]] = [
    ("x*y; x + y", {"x": 2.0, "y": 3.0}, [{"x": 3, "y": 2}, {"x": 1, "y": 1}]),
    ("x; x", {"x": 2.0}, [{"x": 1}, {"x": 1}]),
    ("x; 3", {"x": 2.0}, [{"x": 1}, {"x": 0}]),
    ("x^2", {"x": [1, 2, 3]}, [{"x": [[2, 0, 0], [0, 4, 0], [0, 0, 6]]}]),
    ("s*v", {"s": 2.0, "v": [1, 5]}, [{"s": [1, 5], "v": [[2, 0], [0, 2]]}]),
    ("s^2", {"s": 3.0, "v": [1, 5]}, [{"s": 6}]),
    (
        "x*y",
        {"x": [[1], [2]], "y": [3, 4]},
        [
            {
                "x": [[[[3], [0]], [[4], [0]]], [[[0], [3]], [[0], [4]]]],
                "y": [[[1, 0], [0, 1]], [[2, 0], [0, 2]]],
            }
        ],
    ),
    ("sqrt(x)*s", {"x": [0, 4], "s": 2.0}, [{"x": [[INF, 0], [0, 0.5]], "s": [0, 2]}]),
    ("where(x > 0, sqrt(x), 0)", {"x": [0, 4]}, [{"x": [[0, 0], [0, 0.25]]}]),
]


@pytest.mark.parametrize("mode", [*MODES, "auto"])
@pytest.mark.parametrize(("text", "point", "expected"), CASES, ids=[case[0] for case in CASES])
def test_jacobians(
    text: str, point: dict[str, Any], expected: list[dict[str, Any]], mode: Mode
) -> None:
    assert rows(text, point, mode) == expected


@pytest.mark.parametrize("mode", MODES)
def test_no_value_no_derivative_entry_by_entry(mode: Mode) -> None:
    (found,) = rows("log(x)*s", {"x": [-1, 1], "s": 2.0}, mode)
    assert np.array_equal(found["x"], [[math.nan, math.nan], [0.0, 2.0]], equal_nan=True)
    assert np.array_equal(found["s"], [math.nan, 0.0], equal_nan=True)
    first, second = rows("log(x); y", {"x": -1.0, "y": 2.0}, mode)
    assert all(map(math.isnan, first.values()))
    assert second == {"x": 0.0, "y": 1.0}


def made(text: str, mode: Mode) -> int:
    """Return how many nodes a Jacobian by some inputs takes."""
    graph = cgraph.parse(text).graph
    before = len(graph)
    point = dict.fromkeys(graph.inputs(), 0.5)
    jacobians(graph, graph.outputs, graph.inputs(), point, mode)
    return len(graph) - before


def test_auto_takes_the_mode_of_fewer_passes() -> None:
    tall = "; ".join(f"sin({k}*exp(exp(sin(x))))" for k in range(1, 40))
    wide = f"exp({' + '.join(f'sin(x{k})' for k in range(1, 40))})"
    square = "sin(x*y); cos(x*y)"
    assert made(tall, "auto") == made(tall, "forward") < made(tall, "reverse")
    assert made(wide, "auto") == made(wide, "reverse") < made(wide, "forward")
    assert made(square, "auto") == made(square, "reverse")


def test_another_mode_is_refused() -> None:
    graph = cgraph.parse("x").graph
    with pytest.raises(UsageError) as caught:
        jacobians(graph, graph.outputs, graph.inputs(), {"x": 1.0}, "both")  # type: ignore[arg-type]
    told = "error: 'both' is no mode (there are reverse, forward, auto)"
    assert str(caught.value) == told


def test_a_matrix_too_large_is_refused_before_it_is_made() -> None:
    with pytest.raises(FormulaError) as caught:
        cgraph.jacobian("x^2", {"x": np.zeros(100_000)})
    told = "error: a matrix of 10,000,000,000 entries is too large"
    hint = "--sparse leaves out zeros; cgraph jvp, vjp and hvp multiply it with a vector"
    assert str(caught.value) == f"{told} ({hint})"


@given(formulas())
@seed(2)
@settings(max_examples=150, deadline=None, database=None, suppress_health_check=SLOW)
def test_modes_agree_on_several_outputs(drawn: Drawn) -> None:
    graph, output, point = drawn
    nodes = [*graph.needed([output])[-3:-1], output]
    by = graph.inputs(nodes)
    given = {name: point.get(name, 0.5) for name in by}
    for one, other in zip(
        *(jacobians(graph, nodes, by, given, mode) for mode in MODES), strict=True
    ):
        for name in by:
            found, expected = float(one.gradient[name]), float(other.gradient[name])
            assert found == pytest.approx(expected, rel=1e-9, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("mode", MODES)
def test_ops_that_move_elements(mode: Mode) -> None:
    graph = Graph()
    x, y, s = (Expr(graph, graph.placeholder(name)) for name in "xys")
    output = (stack(sqrt(x), x + y, y) * s).node
    point: dict[str, Value] = {"x": 0.0, "y": 2.0, "s": np.array([1.0, 2.0, 3.0])}
    (found,) = jacobians(graph, [output], graph.placeholders, point, mode)
    check(graph)
    expected = {
        "x": [INF, 2, 0],
        "y": [0, 2, 3],
        "s": [[0, 0, 0], [0, 2, 0], [0, 0, 2]],
    }
    assert {name: np.array(slope).tolist() for name, slope in found.gradient.items()} == expected


@pytest.mark.parametrize("mode", MODES)
def test_a_sum_counts_what_is_broadcast(mode: Mode) -> None:
    graph = Graph()
    s, v = (Expr(graph, graph.placeholder(name)) for name in "sv")
    output = sum_to(s + v, attrs=((),)).node
    point: dict[str, Value] = {"s": 1.0, "v": np.array([1.0, 2.0, 3.0])}
    (found,) = jacobians(graph, [output], graph.placeholders, point, mode)
    slopes = {name: np.array(slope).tolist() for name, slope in found.gradient.items()}
    assert slopes == {"s": 3.0, "v": [1.0, 1.0, 1.0]}
