"""Which nodes bear a kink: their derivative is nan at one, and 0 elsewhere.

A row with a kink states its partial with twins (`ops/kinks.py`). What asks a comparison only for
its truth has no derivative by it; by one that bears a kink it hands on that one's, which counts as
it is: there is nothing to multiply it by.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from .flow import standing
from .ops.rules import Each, Expr, asking

if TYPE_CHECKING:
    from .graph import Graph, Node


def bearing(graph: Graph, path: Iterable[int]) -> set[int]:
    """Return the nodes that bear a kink, of nodes in order."""
    found: set[int] = set()
    if graph.kinked:
        for index in path:
            if bears(graph.nodes[index], found):
                found.add(index)
    return found


def bears(node: Node, others: Collection[int]) -> bool:
    """Tell whether a node bears a kink, itself or as one of `others` among its arguments does.

    What selects, as `where`, is a value: to it the kink is handed on, and it goes its way.
    """
    op, args, _ = node
    if op.bears:
        return True
    return not op.conditions and any(arg in others for arg in args)


def handed_on(
    graph: Graph, index: int, bearing: Collection[int]
) -> Iterator[tuple[int, Expr | None]]:
    """Yield the places of the arguments whose kinks a node hands on, and where it does.

    By the others it has partials, or it is flat.
    """
    op, args, _ = graph.nodes[index]
    rules = op.partials
    if op.move is not None or op.stops or isinstance(rules, Each):
        return
    for k, arg in enumerate(args):
        if arg in bearing and rules[k] is None:
            yield k, asking(op.heeds, standing(graph, index, None))(k)
