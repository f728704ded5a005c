"""What rules know besides the node before them: sizes, and which chains they may look through."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ops.arithmetic import add, div, mul, neg, sub

if TYPE_CHECKING:
    from ..graph import Graph
    from ..ops.table import Op

SUMS: tuple[Op, ...] = (add, sub, neg)
PRODUCTS: tuple[Op, ...] = (mul, div, neg)

WIDEST = 8
"""A chain that others use too is looked through if it has at most so many links."""


SMALL = 6
"""A chain of so few operations is looked through without a second thought."""


class View:
    """A graph as rules see it in one pass.

    `derived` says that the nodes are a derivative, where a factor 0 may go; `inside` are the links
    of chains that only the next link uses, and that the chain's end will take with it.
    """

    def __init__(self, graph: Graph, derived: bool) -> None:
        self.graph = graph
        self.derived = derived
        self.inside: set[int] = set()
        self.shut = False
        """Whether chains that others use too stay closed."""
        self.passed_by = False
        """Whether one of them would have been looked through."""
        self._sizes: dict[int, int] = {}

    def opens(self, index: int, chain: tuple[Op, ...]) -> bool:
        """Tell whether a node is a link of a chain that may be looked through."""
        if self.graph.nodes[index].op not in chain:
            return False
        if index in self.inside:
            return True
        pending, links = [index], 0
        while pending and links <= WIDEST:
            node = self.graph.nodes[pending.pop()]
            if node.op in chain:
                links += 1
                pending += node.args
        if links > WIDEST or not self.shut or self.size(index) <= SMALL:
            return links <= WIDEST
        self.passed_by = True
        return False

    def size(self, index: int) -> int:
        """Return the number of operations that a node has when it is written out.

        A minus sign counts, before a number too: x^-2 is no shorter than 1/x^2.
        """
        sizes, nodes = self._sizes, self.graph.nodes
        pending = [index]
        while pending:
            args = nodes[pending[-1]].args
            unknown = [arg for arg in args if arg not in sizes]
            if unknown:
                pending += unknown
            else:
                here = pending.pop()
                sign = not args and (self.graph.literal(here) or 0.0) < 0.0
                sizes[here] = sign + bool(args) + sum([sizes[arg] for arg in args])
        return sizes[index]
