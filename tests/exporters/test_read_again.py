"""What is printed of a derivative is read again, to the same values, for every op of the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pytest

from cgraph import parse
from cgraph.autodiff.evaluate import evaluate
from cgraph.autodiff.graph import Graph
from cgraph.autodiff.ops import OPS, Expr, Op
from cgraph.autodiff.optimize import optimize
from cgraph.autodiff.simplify import simplify
from cgraph.autodiff.symbolic import derivatives
from cgraph.autodiff.ways import derivative
from cgraph.exporters.short import short
from cgraph.exporters.text import program

from ..autodiff.samples import arity, elementwise, points
from ..autodiff.tensors import CASES, Case, built, values

if TYPE_CHECKING:
    from cgraph.autodiff.evaluate import Value


def assert_read(text: str, expected: Value, given: Mapping[str, Value]) -> None:
    """Read a printed formula, and compare its value."""
    graph = parse(text).graph
    (found,) = evaluate(graph, graph.outputs, given)
    assert np.shape(found) == np.shape(expected), text
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-10, nan_ok=True), text


def assert_all_read(graph: Graph, node: int, given: Mapping[str, Value]) -> None:
    """Print a node's derivatives by each input, plain, simplified and optimized; read them."""
    graph.shapes = {name: np.shape(given[name]) for name in graph.inputs([node])}
    for wrt in graph.inputs([node]).values():
        plain = derivative(graph, node, wrt).node
        (expected,) = evaluate(graph, [plain], given)
        for found in (plain, *derivatives(graph, node, [[wrt]]), *simplify(graph, [plain])):
            assert_read(short(graph, [found]), expected, given)
        assert_read(program(optimize(graph, [plain]).graph), expected, given)


def values_in(op: Op, shapes: tuple[tuple[int, ...], ...]) -> dict[str, Value]:
    """Return values in the op's domain, in shapes."""
    drawn = list(points(op, 24))
    found: dict[str, Value] = {}
    for k, shape in enumerate(shapes):
        column = [point[k] for point in drawn if all(1e-3 < abs(x) < 1e3 for x in point)] or [0.5]
        value = np.resize(np.array(column), shape)
        found[f"x{k}"] = value if shape else float(value)
    return found


RANKS: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = (
    ((2,), ()), ((3,), (2, 3)), ((2, 1, 2), (3, 1)),
)  # fmt: skip


@pytest.mark.parametrize("ranks", RANKS, ids=str)
@pytest.mark.parametrize("op", elementwise(), ids=lambda op: op.name)
def test_derivatives_of_elementwise_ops(
    op: Op, ranks: tuple[tuple[int, ...], tuple[int, ...]]
) -> None:
    graph = Graph()
    args = [Expr(graph, graph.placeholder(f"x{k}")) for k in range(arity(op))]
    given = values_in(op, tuple(ranks[k % 2] for k in range(len(args))))
    assert_all_read(graph, OPS["sum"](op(*args)).node, given)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_derivatives_of_ops_that_move(case: Case) -> None:
    graph, _, result = built(case)
    given = {**values(case), "y": np.array([0.5, -2.0])}
    total = OPS["sum"](result) * Expr(graph, graph.placeholder("y"))
    assert_all_read(graph, total.node, given)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_ops_that_move(case: Case) -> None:
    graph, _, result = built(case)
    given = values(case)
    (expected,) = evaluate(graph, [result.node], given)
    graph.outputs = [result.node]
    again = parse(program(graph), shapes={name: np.shape(one) for name, one in given.items()}).graph
    np.testing.assert_array_equal(evaluate(again, again.outputs, given)[0], expected)


@pytest.mark.parametrize(
    ("text", "shape", "value"),
    [
        ("sum_to([1, 2], [])", (), 3.0), ("broadcast_to(2, [])", (), 2.0), ("zeros([])", (), 0.0),
        ("reshape([3], [])", (), 3.0), ("reshape([3], shape=[])", (), 3.0),
        ("place(2, [], None)", (), 2.0), ("place([2], [], None)", (), 2.0),
        ("place(2, [], ...)", (), 2.0), ("sum([1, 2], axis=[])", (2,), [1.0, 2.0]),
        ("transpose(2, axes=[])", (), 2.0), ("place([[2]], [], None, None)", (), 2.0),
    ],
)  # fmt: skip
def test_a_shape_without_sizes(text: str, shape: tuple[int, ...], value: Value) -> None:
    graph = parse(text).graph
    (found,) = evaluate(graph, graph.outputs, {})
    assert np.shape(found) == shape
    assert np.array_equal(found, value)


@pytest.mark.parametrize(
    ("text", "simple"),
    [
        ("sum_to(y, [])", "sum(y)"), ("place(y, [], None)", "sum(y)"),
        ("reshape(y, [])", "sum(y)"), ("sum_to(y, [2])", "sum_to(y, [2])"),
    ],
)  # fmt: skip
def test_the_only_entry_is_a_sum(text: str, simple: str) -> None:
    graph = parse(text).graph
    assert program(graph).strip() == text
    (node,) = simplify(graph, graph.outputs)
    assert short(graph, [node]).strip() == simple
