"""Forward mode: from the inputs on, a node's tangent is the sum of partial times tangent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from .flow import Flow, constant, merged, moved, settled, through
from .ops.table import At, Expr

if TYPE_CHECKING:
    from .graph import Graph


def forward(graph: Graph, outputs: Sequence[int], tangents: Mapping[int, int]) -> list[int]:
    """Append the tangents of `outputs`, where the node k has the tangent `tangents[k]`.

    Returns the tangents' nodes. A tangent may still have to be broadcast to its output's shape.
    Raises `GraphError` at the limit on nodes.
    """
    last = max(outputs, default=-1)
    active = graph.dependents(tangents, last)
    flows = {node: Flow(Expr(graph, tangent), None) for node, tangent in tangents.items()}
    with graph.derived():
        for index in graph.needed(outputs):
            if not active[index] or index in flows:
                continue
            graph.make_for(index)
            parts = list(pushed(graph, index, flows))
            if parts:
                flows[index] = merged(parts)
    zero = Flow(constant(graph, 0.0), None)
    return [settled(flows.get(output, zero)).node for output in outputs]


def pushed(graph: Graph, index: int, flows: Mapping[int, Flow]) -> Iterator[Flow]:
    """Yield what the tangent of each argument causes at a node."""
    node = graph.nodes[index]
    op = node.op
    result = Expr(graph, index)
    args = tuple([Expr(graph, arg) for arg in node.args])
    for k, arg in enumerate(node.args):
        flow = flows.get(arg)
        if flow is None:
            continue
        if op.pushforward is not None:
            yield moved(flow, partial(op.pushforward, k, At(result, args, node.attrs, ())))
            continue
        slope = op.partial(k, result, args)
        if slope is not None:
            yield through(flow, slope, op.condition(k, result, args))
