"""Reverse mode: from an output back, each argument's cotangent gets partial times cotangent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from .flow import (
    Flow,
    Groups,
    add,
    constant,
    key,
    merged,
    moved,
    settled,
    standing,
    through,
    unbroadcast,
)
from .local import local, marked
from .ops.registry import OPS
from .ops.rules import At, Expr, Move

if TYPE_CHECKING:
    from .graph import Graph, Shapes


def reverse(
    graph: Graph, output: int, wrt: Sequence[int], shapes: Shapes | None = None
) -> list[int]:
    """Append the derivatives of (the sum of) `output` by each node of `wrt`; return their nodes.

    `shapes` gives the shape of each node that `output` needs; None says that all are scalars. A
    derivative has the shape of what it is by. Raises `GraphError` at the limit on nodes.
    """
    return pull(graph, {output: Flow(filled(graph, 1.0, output, shapes))}, wrt, shapes)


def pull(
    graph: Graph, seeds: Mapping[int, Flow], wrt: Sequence[int], shapes: Shapes | None = None
) -> list[int]:
    """Append what cotangents of some nodes, in their shapes, cause at each node of `wrt`.

    Returns the cotangents' nodes, each in the shape of what it belongs to.
    """
    last = max(seeds, default=-1)
    active = graph.dependents(wrt, last)
    wanted = set(wrt)
    arriving: dict[int, Groups] = {}
    cotangents: dict[int, int] = {}
    with graph.derived():
        for node, flow in seeds.items():
            arrive(arriving, graph, node, flow)
        for index in range(last, min(wanted, default=0) - 1, -1):
            flows = arriving.pop(index, None)
            if flows is None or not active[index]:
                continue
            graph.make_for(index)
            flow = merged(list(flows.values()))
            if index in wanted:
                cotangents[index] = settled(flow).node
            for arg, part in pulled(graph, index, flow, active, shapes):
                arrive(arriving, graph, arg, part)
    return [
        cotangents[index] if index in cotangents else filled(graph, 0.0, index, shapes).node
        for index in wrt
    ]


def arrive(arriving: dict[int, Groups], graph: Graph, node: int, flow: Flow) -> None:
    """Add a cotangent to those of a node that share its condition, as soon as it is there.

    Added up at the end, the parts of a weight that is used a thousand times would all be kept.
    """
    if flow.reached is not None and not graph.nodes[node].args:  # no partial comes any more
        flow = flow._replace(reached=None)
    groups = arriving.get(node)
    if groups is None:
        arriving[node] = {key(flow): flow}
        return
    before = graph.at, graph.origin
    graph.make_for(node)
    add(groups, flow)
    graph.at, graph.origin = before


def filled(graph: Graph, number: float, like: int, shapes: Shapes | None) -> Expr:
    """Return a number in the shape of a node."""
    scalar = constant(graph, number)
    if shapes is None or not shapes[like]:
        return scalar
    return OPS["broadcast_to"](scalar, attrs=(shapes[like],))


def pulled(
    graph: Graph, index: int, flow: Flow, active: bytearray, shapes: Shapes | None
) -> Iterator[tuple[int, Flow]]:
    """Yield what a node's cotangent causes at each of its active arguments."""
    node = graph.nodes[index]
    marks = [active[arg] for arg in node.args]
    if node.op.move is not None:
        at = standing(graph, index, shapes)
        for k in marked(marks):
            yield node.args[k], moved_back(node.op.move, k, at, flow)
        return
    for k, slope, condition in local(graph, index, marks):
        part = through(flow, slope, condition)
        arg = node.args[k]
        if shapes and shapes[arg] != shapes[index]:
            part = unbroadcast(part, shapes[arg])
        yield arg, part


def moved_back(move: Move, k: int, at: At, flow: Flow) -> Flow:
    """Return what a cotangent causes at argument k of an op that moves elements."""
    from .ops.structure import full, in_shape

    shape = at.shape(at.result)
    rule = move.transpose if move.reached is None else move.reached[1]

    def mask(held: Expr) -> Expr:
        return rule(k, at, in_shape(at, held, shape))

    everywhere = full(at.result, 1.0, shape) if move.holes[1] else None
    part = moved(flow, partial(move.transpose, k, at), mask, everywhere)
    return through(part, *move.local(k, at))
