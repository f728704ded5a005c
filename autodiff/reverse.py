"""Reverse mode: from an output back, each argument's cotangent gets partial times cotangent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from .flow import Flow, constant, merged, moved, settled, standing, through, unbroadcast
from .ops.structure import broadcast_to
from .ops.table import Expr

if TYPE_CHECKING:
    from .graph import Graph, Shapes


def reverse(
    graph: Graph, output: int, wrt: Sequence[int], shapes: Shapes | None = None
) -> list[int]:
    """Append the derivatives of (the sum of) `output` by each node of `wrt`; return their nodes.

    `shapes` gives the shape of each node that `output` needs; None says that all are scalars. A
    derivative has the shape of what it is by. Raises `GraphError` at the limit on nodes.
    """
    return pull(graph, {output: Flow(filled(graph, 1.0, output, shapes), None)}, wrt, shapes)


def pull(
    graph: Graph, seeds: Mapping[int, Flow], wrt: Sequence[int], shapes: Shapes | None = None
) -> list[int]:
    """Append what cotangents of some nodes, in their shapes, cause at each node of `wrt`.

    Returns the cotangents' nodes, each in the shape of what it belongs to.
    """
    last = max(seeds, default=-1)
    active = graph.dependents(wrt, last)
    wanted = set(wrt)
    arriving = {node: [flow] for node, flow in seeds.items()}
    cotangents: dict[int, int] = {}
    with graph.derived():
        for index in range(last, min(wanted, default=0) - 1, -1):
            flows = arriving.pop(index, None)
            if flows is None or not active[index]:
                continue
            graph.make_for(index)
            flow = merged(flows)
            if index in wanted:
                cotangents[index] = settled(flow).node
            for arg, part in pulled(graph, index, flow, active, shapes):
                arriving.setdefault(arg, []).append(part)
    return [
        cotangents[index] if index in cotangents else filled(graph, 0.0, index, shapes).node
        for index in wrt
    ]


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
            yield node.args[k], moved(flow, partial(node.op.move.transpose, k, at))
        return
    for k, slope, condition in node.op.local(at, wanted):
        part = through(flow, slope, condition)
        arg = node.args[k]
        yield (
            arg,
            unbroadcast(part, shapes[arg]) if shapes and shapes[arg] != shapes[index] else part,
        )
