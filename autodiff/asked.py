"""Which nodes a caller asks for: by name, all inputs, or the one output."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from .errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from .graph import Graph

MOST_LISTED = 20
"""A remedy lists at most so many names."""


def named(graph: Graph, names: Iterable[str]) -> dict[str, int]:
    """Return the nodes of inputs or named values. Raises `UsageError` where there is none."""
    return {name: node_of(graph, name) for name in names}


def node_of(graph: Graph, name: str) -> int:
    """Return the node of an input or a named value. Raises `UsageError` where there is none."""
    node = graph.named(name)
    if node is None:
        known = list(dict.fromkeys([*graph.inputs(), *graph.names]))
        listing = ", ".join(known[:MOST_LISTED]) + ", ..." * (len(known) > MOST_LISTED)
        hint = did_you_mean(name, known) or (f"known: {listing}" if known else "it names none")
        raise UsageError(f"no value is called '{name}'", hint=hint)
    return node


def variables(graph: Graph, wrt: Sequence[str] | None, nodes: Sequence[int]) -> dict[str, int]:
    """Return the nodes to differentiate by, by name: those of `wrt`, or all inputs of `nodes`."""
    return graph.inputs(nodes) if wrt is None else named(graph, wrt)


def one(nodes: Sequence[int], remedy: str) -> int:
    """Return the only node. Raises `UsageError`, with the remedy, where there are several."""
    if len(nodes) != 1:
        what = f"a gradient is of one output, the formula has {len(nodes)}"
        raise UsageError(what, hint=remedy)
    return nodes[0]
