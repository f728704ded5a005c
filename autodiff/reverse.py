"""Reverse mode: from an output back, each argument's cotangent gets partial times cotangent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from .flow import Flow, constant, key_of, merged, moved, settled, standing, through, unbroadcast
from .ops.structure import broadcast_to, in_shape
from .ops.table import At, Expr, Move

if TYPE_CHECKING:
    from .graph import Graph, Shapes


Arriving: TypeAlias = "dict[tuple[int | None, int | None], Flow]"
"""The cotangents that have arrived at a node, one for each condition."""


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
    arriving: dict[int, Arriving] = {}
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
                graph.make_for(index)
    return [
        cotangents[index] if index in cotangents else filled(graph, 0.0, index, shapes).node
        for index in wrt
    ]


def arrive(arriving: dict[int, Arriving], graph: Graph, node: int, flow: Flow) -> None:
    """Add a cotangent to those of a node that share its condition, as soon as it is there.

    Added up at the end, the parts of a weight that is used a thousand times would all be kept.
    """
    flows = arriving.setdefault(node, {})
    key = key_of(flow)
    before = flows.get(key)
    if before is not None:
        graph.make_for(node)
        flow = flow._replace(value=before.value + flow.value)
    flows[key] = flow


def filled(graph: Graph, number: float, like: int, shapes: Shapes | None) -> Expr:
    """Return a number in the shape of a node."""
    scalar = constant(graph, number)
    if shapes is None or not shapes[like]:
        return scalar
    return broadcast_to(scalar, attrs=(shapes[like],))


def pulled(
    graph: Graph, index: int, flow: Flow, active: bytearray, shapes: Shapes | None
) -> Iterator[tuple[int, Flow]]:
    """Yield what a node's cotangent causes at each of its active arguments."""
    node = graph.nodes[index]
    at = standing(graph, index, shapes)
    wanted = [k for k, arg in enumerate(node.args) if active[arg]]
    if node.op.move is not None:
        for k in wanted:
            part = moved(
                flow, partial(node.op.move.transpose, k, at), partial(masked, node.op.move, k, at)
            )
            yield node.args[k], through(part, *node.op.move.local(k, at))
        return
    for k, slope, condition in node.op.local(at, wanted):
        part = through(flow, slope, condition)
        arg = node.args[k]
        yield (
            arg,
            unbroadcast(part, shapes[arg]) if shapes and shapes[arg] != shapes[index] else part,
        )


def masked(move: Move, k: int, at: At, mask: Expr) -> Expr:
    """Return where a cotangent under a mask, which may be the same along an axis, arrives."""
    whole = in_shape(at, mask, at.shape(at.result))
    return move.transpose(k, at, whole) if move.reached is None else move.reached[1](k, at, whole)
