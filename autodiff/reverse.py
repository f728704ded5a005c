"""Reverse mode: from an output back, each argument's cotangent gets partial times cotangent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from .flow import Flow, constant, merged, moved, settled, through, unbroadcast
from .ops.structure import broadcast_to
from .ops.table import At, Expr

if TYPE_CHECKING:
    from .graph import Graph, Shape

    Shapes: TypeAlias = Mapping[int, Shape]


def reverse(
    graph: Graph, output: int, wrt: Sequence[int], shapes: Shapes | None = None
) -> list[int]:
    """Append the derivatives of (the sum of) `output` by each node of `wrt`; return their nodes.

    `shapes` gives the shape of each node that `output` needs; None says that all are scalars. A
    derivative has the shape of what it is by. Raises `GraphError` at the limit on nodes.
    """
    active = graph.dependents(wrt, output)
    wanted = set(wrt)
    arriving = {output: [Flow(filled(graph, 1.0, output, shapes), None)]}
    cotangents: dict[int, int] = {}
    with graph.derived():
        for index in range(output, min(wanted, default=0) - 1, -1):
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
    op = node.op
    result = Expr(graph, index)
    args = tuple([Expr(graph, arg) for arg in node.args])
    for k, arg in enumerate(node.args):
        if not active[arg]:
            continue
        if op.transpose is not None:
            of_args = tuple([shapes[a] if shapes else () for a in node.args])
            at = At(result, args, node.attrs, of_args)
            yield arg, moved(flow, partial(op.transpose, k, at))
            continue
        slope = op.partial(k, result, args)
        if slope is None:
            continue
        part = through(flow, slope, op.condition(k, result, args))
        if shapes and shapes[arg] != shapes[index]:
            part = unbroadcast(part, shapes[arg])
        yield arg, part
