"""Who made a number nan or infinite, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .text import formula, number

if TYPE_CHECKING:
    from ..autodiff.graph import Graph, Shape
    from ..autodiff.origin import Culprit

LONGEST, LONGEST_ARGUMENT = 60, 40
"""Longer formulas are cut."""


def told(graph: Graph, culprit: Culprit) -> str:
    """Return what happened, at which values and where: `log(x) is nan at x = -1 (line 1, ...)`."""
    node = culprit.node if culprit.primal is None else culprit.primal
    subject = formula(graph, node, LONGEST, names_of(graph))
    element = f", element {list(culprit.element)}" if culprit.element else ""
    if culprit.kink:
        told = graph.nodes[node].op.kink
        # A derivative that was read from a file does not say whose it is.
        kink = (
            f"{subject} has a kink {told}" if told else f"there is a kink where {subject} changes"
        )
        return f"{kink}{element}: no second derivative there{where(graph, node)}"
    if culprit.primal is not None:
        subject = f"the derivative of {subject}"
    at = arguments(graph, node, culprit.args)
    return f"{subject} is {number(culprit.value)}{at}{element}{where(graph, node)}"


def chosen(graph: Graph, nodes: Sequence[int]) -> str:
    """Return that the derivatives of nodes are taken by convention, in a sentence."""
    names = names_of(graph)
    first, more = nodes[0], len(nodes) - 1
    subject = formula(graph, first, LONGEST, names)
    op = graph.nodes[first].op
    others = f", and so for {more} more" if more else ""
    told = f"the derivative of {subject} {op.kink} is by convention{where(graph, first)}{others}"
    return f"{told}: just beside it is another (cgraph functions {op.function or op.name})"


def arguments(graph: Graph, node: int, values: tuple[float | Shape, ...]) -> str:
    """Return the values of a node's arguments, or shapes, those written in it left out."""
    names = names_of(graph)
    spoken = [
        f"{names.get(arg) or formula(graph, arg, LONGEST_ARGUMENT, names)} {amount(value)}"
        for arg, value in zip(graph.nodes[node].args, values, strict=True)
        if graph.literal(arg) is None
    ]
    return f" at {', '.join(dict.fromkeys(spoken))}" if spoken else ""


def amount(value: float | Shape) -> str:
    """Return the value of an argument, or its shape, as it is said: `= 2`, `of shape (3,)`."""
    return f"of shape {value}" if isinstance(value, tuple) else f"= {number(value)}"


def names_of(graph: Graph) -> dict[int, str]:
    """Return what the program calls its nodes, numbers left out."""
    named = graph.names_of().items()
    return {node: names[0] for node, names in named if graph.literal(node) is None}


def where(graph: Graph, node: int) -> str:
    """Return the place of a node in the source, if it has one."""
    place = graph.place(graph.spans[node])
    return f" (line {place.line}, column {place.column})" if place else ""
