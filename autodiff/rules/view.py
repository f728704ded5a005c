"""What rules know besides the node before them: sizes, and which chains they may look through."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ..ops.arithmetic import add, div, mod, mul, neg, sub
from ..ops.leaves import constant, placeholder
from ..ops.powers import pow_
from ..ops.table import REAL

if TYPE_CHECKING:
    from ..graph import Graph, Shape
    from ..ops.table import Op
    from ..shapes import Known

SUMS: tuple[Op, ...] = (add, sub, neg)
PRODUCTS: tuple[Op, ...] = (mul, div, neg)

WIDEST = 8
"""A chain that others use too is looked through if it has at most so many links."""


SMALL = 6
"""A chain of so few operations is looked through without a second thought."""


class View:
    """A graph as rules see it in one pass.

    `derived` says that the nodes are a derivative to be read: it is written as a textbook would,
    and a factor 0 takes its product with it. Elsewhere all values are kept. `inside` are the links
    of chains that only the next link uses, and that the chain's end will take with it. `shapes`
    has the shape of each node as far as it is known; it is None where all are numbers.
    """

    def __init__(self, graph: Graph, derived: bool, shapes: Known | None = None) -> None:
        self.graph = graph
        self.derived = derived
        self.shapes = shapes
        self.work = 0
        """How many links of sums and products have been looked at."""
        self.inside: set[int] = set()
        self.shut = False
        """Whether chains that others use too stay closed."""
        self.passed_by = False
        """Whether one of them would have been looked through."""
        self.deciding = False
        """Whether the node at hand is part of a condition, where nan has a meaning."""
        self.signing = False
        """Whether it matters which zero the node at hand is: 1/0 is inf, and 1/-0 is -inf."""
        self.negated: dict[int, int] = {}
        """Conditions by those that they are the opposite of."""
        self._sizes: dict[int, int] = {}
        self._bounded: dict[int, bool] = {}

    def shape(self, index: int) -> Shape | None:
        """Return the shape of a node, None where it is not known."""
        return None if self.shapes is None else self.shapes[index]

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

    def bounded(self, index: int) -> bool:
        """Tell whether a node surely has a finite value, overflow aside.

        So has an input in a derivative, which is for a reader.
        """
        known, nodes = self._bounded, self.graph.nodes
        pending = [index]
        while pending:
            unknown = [arg for arg in nodes[pending[-1]].args if arg not in known]
            if unknown:
                pending += unknown
            else:
                here = pending.pop()
                known[here] = self._keeps(here) and all(known[arg] for arg in nodes[here].args)
        return known[index]

    def _keeps(self, index: int) -> bool:
        """Tell whether a node has a finite value wherever its arguments have."""
        op, args, attrs = self.graph.nodes[index]
        if op is placeholder:
            return self.derived
        if op is constant:
            return isinstance(attrs[0], tuple) or math.isfinite(self.graph.literal(index) or 0.0)
        if op in (div, mod):
            return bool(self.graph.literal(args[1]))
        if op is pow_:
            exponent = self.graph.literal(args[1])
            return exponent is not None and exponent >= 0.0 and exponent.is_integer()
        return all(domain is REAL for domain in op.domain)
