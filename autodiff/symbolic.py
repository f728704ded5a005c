"""Derivatives to be read: simplified, of any order; and nodes as a graph of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .forward import forward
from .gradient import gradient
from .graph import Graph
from .ops.structure import constant, placeholder
from .shapes import declared_shapes
from .simplify import simplify

if TYPE_CHECKING:
    from .graph import Nested

MANY = 20
"""Of so many first derivatives, and more, a reverse pass gives all at once."""


def derivatives(graph: Graph, output: int, paths: Sequence[Sequence[int]]) -> list[int]:
    """Append the derivative of a node by each path of nodes, one after the other; return them.

    Each is simplified before it is differentiated further. Forward mode has the terms in the order
    in which they are written by hand. Raises `GraphError` at the limit on nodes.
    """
    lists = any(graph.nodes[index].op.move for index in graph.needed([output]))
    if len(paths) >= MANY and not lists:
        first = gradient(graph, output, [path[0] for path in paths])
        return [further(graph, node, path[1:]) for node, path in zip(first, paths, strict=True)]
    return [further(graph, output, path) for path in paths]


def further(graph: Graph, node: int, path: Sequence[int]) -> int:
    """Return the derivative of a node by one node after another, simplified."""
    (node,) = simplify(graph, [node], derived=True) if not path else [node]
    for wrt in path:
        (node,) = simplify(graph, [tangent(graph, node, wrt)], derived=True)
    return node


def tangent(graph: Graph, node: int, wrt: int) -> int:
    """Return the derivative of a node, or of each of its entries, by forward mode."""
    shapes = declared_shapes(graph, graph.needed([node, wrt]))
    one = graph.constant(1.0)
    return forward(graph, [node], {wrt: one}, shapes)[0]


def extracted(graph: Graph, nodes: Sequence[int], named: bool = True) -> Graph:
    """Return what `nodes` need as a graph of its own, whose outputs they are.

    Inputs come in the order in which they are read when the nodes are written out; inputs keep
    their defaults and shapes, and with `named` values keep their names.
    """
    found = Graph(graph.max_nodes)
    found.sources = graph.sources
    new: dict[int, int] = {}
    pending = list(reversed(nodes))
    while pending:
        index = pending[-1]
        op, args, attrs = graph.nodes[index]
        unknown = [arg for arg in args if arg not in new]
        if unknown:
            pending += reversed(unknown)
            continue
        pending.pop()
        if index not in new:
            found.at = graph.spans[index]
            new[index] = (
                leaf(found, graph, index)
                if not args
                else found.add(op, tuple([new[arg] for arg in args]), attrs)
            )
    found.outputs = [new[node] for node in nodes]
    if named:
        found.names = {name: new[node] for name, node in graph.names.items() if node in new}
    return found


def leaf(found: Graph, graph: Graph, index: int) -> int:
    """Return the new graph's node of an input or a number."""
    op, _, attrs = graph.nodes[index]
    if op is placeholder:
        name = str(attrs[0])
        if name in graph.defaults:
            found.defaults[name] = graph.defaults[name]
        if name in graph.shapes:
            found.shapes[name] = graph.shapes[name]
        return found.placeholder(name)
    assert op is constant
    value: Nested = attrs[0]  # type: ignore[assignment]
    return found.constant(value)
