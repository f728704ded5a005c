"""Graphs as the parser's tests look at them."""

from __future__ import annotations

from typing import cast

from cgraph.autodiff.graph import Graph, Nested
from cgraph.parser import parse


def written(graph: Graph, node: int | None = None) -> str:
    """Return a node (the only output) with all brackets, op names for signs: `add(x, 1)`."""
    if node is None:
        (node,) = graph.outputs
    op, args, attrs = graph.nodes[node]
    if not args:
        return constant(attrs[0]) if op.name == "constant" else str(attrs[0])
    told = f"; {', '.join(map(repr, attrs))}" if attrs else ""
    return f"{op.name}({', '.join(written(graph, arg) for arg in args)}{told})"


def constant(value: object) -> str:
    """Return a constant as Python writes it, whole numbers without their `.0`."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(constant, cast('tuple[object, ...]', value)))}]"
    return repr(value).removesuffix(".0")


def read(text: str, inputs: tuple[str, ...] = ()) -> str:
    """Return the only output of a program, written out."""
    return written(parse(text, inputs=inputs))


def all_of(graph: Graph) -> tuple[object, ...]:
    """Return all that a graph says, to be compared with another."""
    nodes = [(node.op.name, node.args, repr(node.attrs)) for node in graph.nodes]
    defaults: dict[str, Nested] = graph.defaults
    tables = (graph.names, graph.placeholders, graph.shapes, graph.scopes, graph.spans)
    return nodes, graph.outputs, repr(defaults), *tables
