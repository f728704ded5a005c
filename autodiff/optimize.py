"""Optimization: the same values from fewer and cheaper operations.

Simplification makes a formula shorter to read, optimization faster to run. The passes are rewrites
of the graph, taken in turns until nothing changes; each says in its module what it assumes. What
no wanted node needs any more is dead, and left behind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from .optimizations.folding import fold, gather
from .optimizations.fusion import fuse
from .optimizations.reduction import reduce
from .optimizations.unity import unite
from .symbolic import copied

if TYPE_CHECKING:
    from .graph import Graph

PASSES: tuple[Callable[[Graph, Sequence[int]], list[int]], ...] = (gather, fold, reduce, unite)


class Optimized(NamedTuple):
    """A graph of its own whose outputs are optimized nodes, and what other nodes became in it."""

    graph: Graph
    new: dict[int, int]


def optimized(graph: Graph, nodes: Sequence[int]) -> list[int]:
    """Append what `nodes` are at their fastest; return those nodes.

    Values stay the same to the last bit, but where a rule of `reduction` or `folding` says
    otherwise. Raises `GraphError` at the limit on nodes.
    """
    found = list(nodes)
    seen: set[tuple[int, ...]] = set()
    while tuple(found) not in seen:
        seen.add(tuple(found))
        for rewrite in PASSES:
            found = rewrite(graph, found)
    return found


def optimize(graph: Graph, nodes: Sequence[int], known: Sequence[int] = ()) -> Optimized:
    """Return what `nodes` need, optimized together and fused into groups, as a graph of its own.

    It keeps the names of values that are still needed; what became of these nodes, and of those in
    `known`, is told where it is still needed.
    """
    needed = set(graph.needed(nodes))
    asked = (node for node in (*graph.names.values(), *known) if node in needed)
    kept = list(dict.fromkeys([*nodes, *asked]))
    found = dict(zip(kept, optimized(graph, kept), strict=True))
    fresh, new = copied(graph, [found[node] for node in nodes])
    became = {node: new[last] for node, last in found.items() if last in new}
    fresh.names = {name: became[node] for name, node in graph.names.items() if node in became}
    fuse(fresh)
    return Optimized(fresh, became)
