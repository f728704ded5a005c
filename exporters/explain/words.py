"""Formulas as a reader of an explanation sees them: with names for parts, or numbers put in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from ...autodiff.graph import Graph
from ...autodiff.ops import FUNCTIONS
from ..text import formula, number
from .story import Formula

LONGEST = 300
"""A derivative of more characters is written in the names of parts."""

Leaf: TypeAlias = Callable[[int], int | None]
"""From a node to what stands for it in what is shown, None where it is taken apart."""

OUTPUT_NAMES = ("g", "f", "h", "F", "G", "H", "result")


class Words:
    """Writes nodes of a graph, parts of it by their names, or by their values.

    `values` has the value of each node that the bindings determine; numbers have `digits` digits.
    """

    def __init__(
        self, graph: Graph, output: int, values: Mapping[int, float], digits: int | None
    ) -> None:
        self.graph = graph
        self.values = values
        self.digits = digits
        self.shown = Graph(graph.max_nodes)
        self.names = names(graph, output)

    def named(self, node: int) -> Formula:
        """Return a node by its name; what has no name is written out."""
        return self._written(node, self._by_name)

    def made(self, node: int) -> Formula:
        """Return how a node is made: its operation, with the names of its arguments."""
        return self._written(node, self._by_name, made=True)

    def put_in(self, node: int, made: bool = False) -> Formula | None:
        """Return a node with numbers for names, None where one is not known."""
        parts = self._parts(node, self._by_name, made)
        if not all(part in self.values for part in parts if part in self.names):
            return None
        return self._written(node, self._by_value, made)

    def in_inputs(self, node: int) -> Formula:
        """Return a formula in the inputs alone; in the names of parts where that is long."""
        if formula(self.graph, node, LONGEST).endswith("..."):
            return self.named(node)
        return self._written(node, self._by_input)

    def number(self, value: float) -> Formula:
        """Return a number, rounded."""
        return Formula(self.shown, self.shown.constant(float(number(value, self.digits))))

    def value(self, node: int) -> Formula | None:
        """Return a node's value, None where it is not known."""
        return self.number(self.values[node]) if node in self.values else None

    def _by_name(self, node: int) -> int | None:
        return self.shown.placeholder(self.names[node]) if node in self.names else None

    def _by_value(self, node: int) -> int | None:
        return self.number(self.values[node]).node if node in self.names else None

    def _by_input(self, node: int) -> int | None:
        return None if self.graph.nodes[node].args else self._by_name(node)

    def _parts(self, node: int, leaf: Leaf, made: bool = False) -> list[int]:
        """Return the parts of a node, in order, down to those for which something stands.

        The node itself is taken apart where one asks how it is `made`.
        """
        stack, seen = [node], set[int]()
        while stack:
            here = stack.pop()
            if here not in seen:
                seen.add(here)
                if (made and here == node) or leaf(here) is None:
                    stack.extend(self.graph.nodes[here].args)
        return sorted(seen)

    def _written(self, node: int, leaf: Leaf, made: bool = False) -> Formula:
        """Return a node's copy among what is shown; `leaf` says what stands for a part."""
        done: dict[int, int] = {}
        for part in self._parts(node, leaf, made):
            stands = None if made and part == node else leaf(part)
            done[part] = self._copied(part, done) if stands is None else stands
        return Formula(self.shown, done[node])

    def _copied(self, part: int, done: Mapping[int, int]) -> int:
        node = self.graph.nodes[part]
        return self.shown.adopt(node, tuple([done[arg] for arg in node.args]))


def names(graph: Graph, output: int) -> dict[int, str]:
    """Return what to call each node that the output needs: names of people's own come first.

    The others are v1, v2, ...; an output without a name is g. Numbers have no name.
    """
    taken = {*graph.names, *graph.placeholders, *FUNCTIONS}
    found = {node: called[0] for node, called in graph.names_of().items()}
    found |= {node: name for name, node in graph.placeholders.items()}
    if output not in found:
        found[output] = next((name for name in OUTPUT_NAMES if name not in taken), "the output")
    free = (name for k in range(1, len(graph) + len(taken) + 1) if (name := f"v{k}") not in taken)
    for node in graph.needed([output]):
        if node not in found and graph.literal(node) is None:
            found[node] = next(free)
    spoken = [node for node in graph.needed([output]) if graph.literal(node) is None]
    return {node: found[node] for node in (*spoken, output)}
