"""Reverse mode: from an output back, each argument's cotangent gets partial times cotangent."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from .bearing import bearing, handed_on
from .flow import (
    Flow,
    Groups,
    add,
    constant,
    merged,
    moved,
    product,
    settled,
    standing,
    through,
    unbroadcast,
)
from .local import append, labels_of, marked, straight, weights
from .ops.arithmetic import add as plus
from .ops.arithmetic import div
from .ops.registry import OPS
from .ops.rules import Expr

if TYPE_CHECKING:
    from .graph import Graph, Shapes
    from .local import Edge


Arriving: TypeAlias = "dict[int, int | Groups]"
"""Cotangents by the node they arrive at: one without a condition as its node, else as flows."""


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
    around = graph.around(seeds)
    active = graph.dependents(wrt, last, around)
    kinked = bearing(graph, (index for index in around if active[index]))
    wanted = set(wrt)
    arriving: Arriving = {}
    cotangents: dict[int, int] = {}
    with graph.derived():
        for node, flow in seeds.items():
            arrive(arriving, graph, node, bare(graph, node, flow))
        for index in reversed(around):
            arrived = arriving.pop(index, None)
            if arrived is None or not active[index]:
                continue
            graph.make_for(index)
            if index in wanted:
                cotangents[index] = settled(met(graph, arrived)).node
            marks = tuple([active[arg] for arg in graph.nodes[index].args])
            edges = straight(graph, index, marks)
            if edges is not None and isinstance(arrived, int):
                hand_on(arriving, graph, index, arrived, edges, shapes)
            else:
                flow = met(graph, arrived)
                for arg, part in pulled(graph, index, flow, marks, shapes):
                    arrive(arriving, graph, arg, bare(graph, arg, part))
            if kinked:
                for arg, part in broken(graph, index, met(graph, arrived), kinked, shapes):
                    arrive(arriving, graph, arg, bare(graph, arg, part))
    return [
        cotangents[index] if index in cotangents else filled(graph, 0.0, index, shapes).node
        for index in wrt
    ]


def hand_on(
    arriving: Arriving,
    graph: Graph,
    index: int,
    cotangent: int,
    edges: Iterable[Edge],
    shapes: Shapes | None,
) -> None:
    """Hand a cotangent without a condition on to arguments that are always selected.

    That is the most frequent case by far: it does with nodes what `pulled` does with flows.
    """
    args = graph.nodes[index].args
    slots = [index, *args]
    for k, appended, number, slope, _, below in edges:
        if appended:
            append(graph, slots, appended)
        part = product(graph, cotangent, number, slots[slope])
        for slot in below:
            part = graph.add(div, (part, slots[slot]))
        arg = args[k]
        if shapes and shapes[arg] != shapes[index]:
            part = OPS["sum_to"](Expr(graph, part), attrs=(shapes[arg],)).node
        arrive(arriving, graph, arg, part)


def arrive(arriving: Arriving, graph: Graph, node: int, part: int | Flow) -> None:
    """Add a cotangent to those of a node that share its condition, as soon as it is there.

    Added up at the end, the parts of a weight that is used a thousand times would all be kept.
    """
    before = arriving.get(node)
    if before is None and isinstance(part, int):
        arriving[node] = part
        return
    at, origin = graph.at, graph.origin
    graph.make_for(node)
    if isinstance(before, int) and isinstance(part, int):
        arriving[node] = graph.add(plus, (before, part))
    else:
        groups = grouped(graph, before)
        add(groups, met(graph, part) if isinstance(part, int) else part)
        arriving[node] = groups
    graph.at, graph.origin = at, origin


def bare(graph: Graph, node: int, flow: Flow) -> int | Flow:
    """Return what arrives at a node: a flow, or its value alone where it has no condition."""
    if flow.reached is not None and not graph.nodes[node].args:  # no partial comes any more
        flow = flow._replace(reached=None)
    return flow.value.node if flow.condition is flow.reached is None else flow


def grouped(graph: Graph, arrived: int | Groups | None) -> Groups:
    """Return what has arrived at a node as flows."""
    return {None: met(graph, arrived)} if isinstance(arrived, int) else arrived or {}


def met(graph: Graph, arrived: int | Groups) -> Flow:
    """Return the sum of all that has arrived at a node."""
    if isinstance(arrived, int):
        return Flow(Expr(graph, arrived))
    return merged([*arrived.values()])


def filled(graph: Graph, number: float, like: int, shapes: Shapes | None) -> Expr:
    """Return a number in the shape of a node."""
    scalar = constant(graph, number)
    if shapes is None or not shapes[like]:
        return scalar
    return OPS["broadcast_to"](scalar, attrs=(shapes[like],))


def pulled(
    graph: Graph, index: int, flow: Flow, marks: tuple[int, ...], shapes: Shapes | None
) -> Iterator[tuple[int, Flow]]:
    """Yield what a node's cotangent causes at each argument that is marked."""
    node = graph.nodes[index]
    if node.op.move is not None:
        at = standing(graph, index, shapes)
        labels = labels_of(node, shapes)
        for k in marked(marks):
            if k in labels:
                continue
            part = moved(flow, node.op.move, k, at, back=True)
            yield node.args[k], through(part, *node.op.move.local(k, at))
        return
    for k, slope, condition in weights(graph, index, marks):
        part = through(flow, slope, condition)
        arg = node.args[k]
        if shapes and shapes[arg] != shapes[index]:
            part = unbroadcast(part, shapes[index], shapes[arg], shapes)
        yield arg, part


def broken(
    graph: Graph, index: int, flow: Flow, kinked: Collection[int], shapes: Shapes | None
) -> Iterator[tuple[int, Flow]]:
    """Yield what a node's cotangent causes at the arguments whose kinks it hands on."""
    for k, condition in handed_on(graph, index, kinked):
        part = through(flow, 1.0, condition)
        arg = graph.nodes[index].args[k]
        if shapes and shapes[arg] != shapes[index]:
            part = unbroadcast(part, shapes[index], shapes[arg], shapes)
        yield arg, part
