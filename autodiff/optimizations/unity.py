"""Common subexpressions: what is the same is computed once.

Nodes of the same op, arguments and attributes are one node in any graph; what is left are operands
in another order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..rewrite import throughout

if TYPE_CHECKING:
    from ..graph import Graph
    from ..ops.table import Op


def unite(graph: Graph, nodes: Sequence[int]) -> list[int]:
    """Put the first of x*y and y*x for both, and so for every operator that does not mind."""
    first: dict[tuple[Op, int, int], int] = {}

    def change(index: int, node: int) -> int:
        op, args, _ = graph.nodes[node]
        if len(args) != 2 or op.ordered or op.infix is None or op.conditions:
            return node
        return first.setdefault((op, min(args), max(args)), node)

    new = throughout(graph, nodes, change)
    return [new[node] for node in nodes]
