"""Forward mode: from the inputs on, a node's tangent is the sum of partial times tangent."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from .bearing import bears, handed_on
from .flow import Flow, constant, merged, moved, settled, standing, through
from .local import labels_of, marked, weights
from .ops.comparison import greater, not_equal
from .ops.rules import At, Expr, Move

if TYPE_CHECKING:
    from .graph import Graph, Shapes


def forward(
    graph: Graph,
    outputs: Sequence[int],
    tangents: Mapping[int, int],
    shapes: Shapes | None = None,
) -> list[int]:
    """Append the tangents of `outputs`, where node k has the tangent `tangents[k]`.

    One that depends on another such node has what that one causes besides.

    Returns the tangents' nodes. `shapes` gives the shape of each node that the outputs need; None
    says that all are scalars. A tangent may still have to be broadcast to its output's shape.
    Raises `GraphError` at the limit on nodes.
    """
    seeds = {node: Flow(Expr(graph, tangent)) for node, tangent in tangents.items()}
    return [settled(flow).node for flow in push(graph, outputs, seeds, shapes)]


def push(
    graph: Graph,
    outputs: Sequence[int],
    seeds: Mapping[int, Flow],
    shapes: Shapes | None = None,
    path: Sequence[int] | None = None,
) -> list[Flow]:
    """Append what tangents that may be conditional cause at `outputs`; return it as flows.

    `path` has the nodes from `seeds` to `outputs`, in order, where the caller knows them: then only
    these are looked at.
    """
    flows = dict(seeds)
    kinked: set[int] = set()
    with graph.derived():
        for index in between(graph, seeds, outputs) if path is None else path:
            graph.make_for(index)
            parts = list(pushed(graph, index, flows, kinked, shapes))
            if index in seeds:
                parts.append(seeds[index])
            if parts:
                flows[index] = merged(parts)
                if graph.kinked and bears(graph.nodes[index], kinked):
                    kinked.add(index)
    zero = Flow(constant(graph, 0.0))
    return [flows.get(output, zero) for output in outputs]


def between(graph: Graph, sources: Iterable[int], outputs: Sequence[int]) -> list[int]:
    """Return the nodes that depend on `sources` and that `outputs` need, in order."""
    needed = graph.needed(outputs)
    active = graph.dependents(sources, max(outputs, default=-1), needed)
    return [index for index in needed if active[index]]


def pushed(
    graph: Graph,
    index: int,
    flows: Mapping[int, Flow],
    kinked: Collection[int],
    shapes: Shapes | None,
) -> Iterator[Flow]:
    """Yield what the tangent of each argument causes at a node."""
    node = graph.nodes[index]
    marks = tuple([arg in flows for arg in node.args])
    if node.op.move is not None:
        labels = labels_of(node, shapes)
        given = {k: flows[node.args[k]] for k in marked(marks) if k not in labels}
        yield from moves(node.op.move, standing(graph, index, shapes), given)
        return
    for k, slope, condition in weights(graph, index, marks):
        yield through(flows[node.args[k]], slope, condition)
    for k, condition in handed_on(graph, index, kinked) if kinked else ():
        yield through(flows[node.args[k]], 1.0, condition)


def moves(move: Move, at: At, flows: Mapping[int, Flow]) -> Iterator[Flow]:
    """Yield what the tangents of some arguments cause, all at once if the op says how."""
    if move.together is not None and flows:
        value = move.tangent(at, {k: settled(flow) for k, flow in flows.items()})
        held = {k: taken(flow) for k, flow in flows.items()}
        everyone = len(flows) == len(at.args)
        always = everyone and all(flow.taken is None for flow in flows.values())
        yield Flow(value, None, None if always else greater(move.tangent(at, held), 0.0))
        return
    for k, flow in flows.items():
        yield moved(through(flow, *move.local(k, at)), move, k, at, back=False)


def taken(flow: Flow) -> Expr:
    """Return 1 where a flow is taken and 0 elsewhere."""
    held = flow.taken
    return constant(flow.value.graph, 1.0) if held is None else not_equal(held, 0.0)
