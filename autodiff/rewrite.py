"""The walk that rewrites nodes: from the inputs on, each is rebuilt on its new arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from .errors import NOWHERE

if TYPE_CHECKING:
    from .graph import Graph


def throughout(
    graph: Graph, nodes: Sequence[int], change: Callable[[int, int], int], traced: bool = False
) -> dict[int, int]:
    """Return what becomes of each node that `nodes` need; inputs and numbers stay.

    `change` gets a node's index and the node rebuilt on its new arguments, and returns what to put
    for it. What is new has the place, the scope and the origin of the node it was made for; with
    `traced` that node is the origin itself where it has none.
    """
    new: dict[int, int] = {}
    scope = graph.scope
    with graph.derived():
        for index in graph.needed(nodes):
            op, args, attrs = graph.nodes[index]
            if not args:
                new[index] = index
                continue
            graph.make_for(index)
            graph.origin = graph.came_from.get(index, index if traced else NOWHERE)
            graph.scope = graph.scopes.get(index, "")
            rebuilt = graph.add(op, tuple([new[arg] for arg in args]), attrs)
            if index in graph.made_by:
                graph.made_by.setdefault(rebuilt, graph.made_by[index])
            new[index] = change(index, rebuilt)
    graph.scope = scope
    return new
