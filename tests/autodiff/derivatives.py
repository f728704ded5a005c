"""Derivatives of ops and graphs, made and run as cgraph makes and runs them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from cgraph import parse
from cgraph.autodiff.evaluate import evaluate, run
from cgraph.autodiff.gradient import Mode, gradient
from cgraph.autodiff.graph import Graph, check
from cgraph.autodiff.ops import OPS, Expr, Op
from cgraph.autodiff.program import Program
from cgraph.autodiff.shapes import shapes_at

from .samples import Point

if TYPE_CHECKING:
    from cgraph.autodiff.evaluate import Value

MODES: tuple[Mode, ...] = ("reverse", "forward")


def of_inputs(op: Op, count: int) -> tuple[Graph, int]:
    """Return a graph of the op at inputs called `0`, `1`, ..., and its node."""
    graph = Graph()
    inputs = [Expr(graph, graph.placeholder(str(k))) for k in range(count)]
    return graph, op(*inputs).node


def bound(point: Sequence[Value]) -> dict[str, Value]:
    """Return bindings for the inputs called `0`, `1`, ..."""
    return {str(k): value for k, value in enumerate(point)}


def derivative(
    graph: Graph, output: int, name: str, mode: Mode, given: dict[str, Value] | None = None
) -> int:
    """Append the derivative of (the sum of) a node by an input; the graph is checked."""
    wrt = graph.placeholders[name]
    shapes = shapes_at(graph, graph.needed([output, wrt]), given or {})
    found = gradient(graph, output, [wrt], mode, shapes)[0]
    check(graph)
    return found


def weighed_sum(graph: Graph, output: int) -> int:
    """Append the sum of a node times weights, an input called `w`."""
    product = Expr(graph, output) * Expr(graph, graph.placeholder("w"))
    return OPS["sum"](product, attrs=(None, False)).node


def on_scalars(graph: Graph, node: int, points: Sequence[Point]) -> list[float]:
    """Return a node's value at each point, a run each."""
    program = Program(graph, [node])
    return [float(run(program, bound(point))[node]) for point in points]


def on_arrays(graph: Graph, node: int, points: Sequence[Point]) -> list[float]:
    """Return a node's value at each point, all in one run."""
    value = evaluate(graph, [node], columns(points))[0]
    return [float(x) for x in np.broadcast_to(value, len(points))]


def columns(points: Sequence[Point]) -> dict[str, Value]:
    """Return the points as bindings, an array for each input."""
    return bound([np.array(column) for column in zip(*points, strict=True)])


def listed(value: Value) -> list[float]:
    """Return an array of one axis as a list."""
    assert isinstance(value, np.ndarray)
    return [float(x) for x in value]


def every_slope(op: Op, k: int, points: Sequence[Point]) -> dict[str, list[float]]:
    """Return the op's derivative by argument k at the points, in both modes and both forms."""
    found: dict[str, list[float]] = {}
    for mode in MODES:
        graph, output = of_inputs(op, len(points[0]))
        node = derivative(graph, output, str(k), mode)
        found[f"{mode}, scalars"] = on_scalars(graph, node, points)
        graph, output = of_inputs(op, len(points[0]))
        node = derivative(graph, output, str(k), mode, columns(points))
        found[f"{mode}, arrays"] = on_arrays(graph, node, points)
    return found


def nth(text: str, point: dict[str, Value], wrt: Sequence[str], modes: Sequence[Mode]) -> Value:
    """Return a formula's derivative by one name after another, each in its mode."""
    graph = parse(text).graph
    node = graph.outputs[0]
    for name, mode in zip(wrt, modes, strict=True):
        node = derivative(graph, node, name, mode, point)
    return evaluate(graph, [node], point)[0]
