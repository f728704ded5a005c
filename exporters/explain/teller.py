"""What all chapters speak of: the nodes of a formula, their local derivatives, and all values."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from ...autodiff.digits import rounding
from ...autodiff.errors import FormulaError, UsageError
from ...autodiff.evaluate import complete, evaluate_known
from ..text import formula
from .edges import Edge, edges, total
from .story import Derivative, Line, Member, Sum
from .words import Words
from .write import plain

if TYPE_CHECKING:
    from ...autodiff.evaluate import Value
    from ...autodiff.graph import Graph

LIMIT = 200
"""So many operations are told at most, unless one asks for more."""

SHORT = 40
"""A formula in an error is cut after so many characters."""

ELSEWHERE = "cgraph render --grad draws arrays with their gradients, cgraph diff has the formulas"

NOT_SELECTED = "not selected: contributes 0"


class Asked(NamedTuple):
    """What is to be told: how an output depends on `wrt` (name to node), at which values."""

    graph: Graph
    output: int
    wrt: Mapping[str, int]
    given: Mapping[str, Value]
    mode: str = "reverse"
    digits: int | None = 4
    limit: int = LIMIT


class Teller:
    """What all chapters speak of: the nodes, their local derivatives, values and derivatives."""

    def __init__(self, asked: Asked) -> None:
        graph, output = asked.graph, asked.output
        self.asked, self.graph, self.output = asked, graph, output
        self.needed = graph.needed([output])
        refuse_large(asked, self.needed)
        refuse_arrays(graph, self.needed, {})
        self.active = graph.dependents(asked.wrt.values(), output)
        moving = [node for node in self.needed if self.active[node] and graph.nodes[node].args]
        self.edges = counting(edges(graph, moving, self.active), output)
        self.operations = [node for node in moving if node in self.edges]
        self.values = self._known()
        self.words = Words(graph, output, self.values, asked.digits)
        self.name = self.words.names
        self.complete = all(node in self.values for node in graph.inputs([output]).values())
        self.defined = self.complete and not math.isnan(self.values[output])

    def _known(self) -> dict[int, float]:
        """Return the value of each node that the given values determine, derivatives included."""
        nodes = [self.output]
        for several in self.edges.values():
            for path in (path for edge in several for path in edge.paths):
                nodes += [path.settled, path.partial]
        found = evaluate_known(self.graph, nodes, self.asked.given)
        refuse_arrays(self.graph, self.needed, found)
        # Which paths count is known now, and so what they come to.
        known = {node: value for node, value in found.items() if isinstance(value, float)}
        sums = [
            total(self.graph, edge.counting(known), known)
            for several in self.edges.values()
            for edge in several
        ]
        found = evaluate_known(self.graph, [*nodes, *sums], self.asked.given)
        return {node: value for node, value in found.items() if isinstance(value, float)}

    @cached_property
    def magnitude(self) -> float:
        """The size, in the output's terms, of what is rounded on the way to it."""
        asked = self.asked
        return rounding(self.graph, self.output, asked.wrt, complete(self.graph, asked.given)).size

    def derivative(self, of: int, by: int, partial: bool = False) -> Derivative:
        """Return d(of)/d(by)."""
        return Derivative(self.name[of], self.name[by], partial)

    def made(self, node: int) -> Line:
        """Return how a node comes about: `v1 = x + y = 1 + 3 = 4`."""
        words = self.words
        members = [
            words.named(node),
            words.made(node),
            words.put_in(node, made=True),
            words.value(node),
        ]
        return Line(distinct(members), self._trouble(node))

    def _trouble(self, node: int) -> str:
        """Return what to say of a value that is not finite though what it is made of is."""
        value = self.values.get(node, 0.0)
        args = [self.values.get(arg, 0.0) for arg in self.graph.nodes[node].args]
        if math.isfinite(value) or not all(map(math.isfinite, args)):
            return ""
        return "it has no value here" if math.isnan(value) else "it is infinite here"

    def local(self, edge: Edge) -> Line:
        """Return the local derivative along an edge: `dv1/dx = cos(x) = cos(0) = 1`."""
        left = self.derivative(edge.node, edge.arg, edge.held)
        paths = edge.counting(self.values)
        if edge.paths and not paths:
            return Line((left, self.words.number(0.0)), NOT_SELECTED)
        node = total(self.graph, paths, self.values)
        value = self.words.value(node)
        if value and edge.chosen(self.values):
            return Line((left, value), "selected")
        words = self.words
        return Line(distinct([left, words.named(node), words.put_in(node), value]))

    def slope(self, edge: Edge) -> float | None:
        """Return the value of the local derivative along an edge, None where it is not known."""
        return self.values.get(total(self.graph, edge.counting(self.values), self.values))

    def counts(self, edge: Edge) -> bool:
        """Tell whether an edge is selected, as far as one knows."""
        return not edge.paths or bool(edge.counting(self.values))

    def chain(
        self,
        left: Derivative,
        terms: Sequence[tuple[Derivative, ...]],
        numbers: Sequence[Sequence[float | None]],
        result: float | None,
        remark: str,
    ) -> Line:
        """Return the chain rule with symbols, then with numbers."""
        members: list[Member] = [left]
        if terms:
            members.append(Sum(tuple(terms)))
        known = [[value for value in term if value is not None] for term in numbers]
        if result is not None and all(map(len, known)) and terms:
            members.append(Sum(tuple(tuple(map(self.words.number, term)) for term in known)))
        if result is not None:
            members.append(self.words.number(result))
        elif not terms:
            members.append(self.words.number(0.0))
        return Line(distinct(members), remark)


def distinct(members: Iterable[Member | None]) -> tuple[Member, ...]:
    """Return the members that are there, without those that only repeat the one before."""
    found: list[Member] = []
    for member in members:
        if member is not None and not (found and plain(found[-1]) == plain(member)):
            found.append(member)
    return tuple(found)


def counting(found: Mapping[int, list[Edge]], output: int) -> dict[int, list[Edge]]:
    """Return the edges of the nodes on which the output depends otherwise than by jumps."""
    reached = {output}
    for node in reversed(list(found)):
        if node in reached:
            reached |= {edge.arg for edge in found[node] if edge.paths}
    return {node: several for node, several in found.items() if several and node in reached}


def refuse_large(asked: Asked, needed: Sequence[int]) -> None:
    """Raise `FormulaError` where there is too much to tell."""
    count = sum(bool(asked.graph.nodes[node].args) for node in needed)
    if count > asked.limit:
        raise FormulaError(
            f"the formula has {count:,} operations, and {asked.limit:,} are explained at most",
            hint=f"--limit {count} explains all, --output NAME a named part",
        )


def refuse_arrays(graph: Graph, needed: Iterable[int], values: Mapping[int, Value]) -> None:
    """Raise `UsageError` where a part is an array."""
    for index, node in graph.walk(needed):
        value = values.get(index, 0.0)
        if node.op.move is not None or not isinstance(value, float | int):
            told = f"{formula(graph, index, SHORT)} is an array, and numbers are explained"
            raise UsageError(told, hint=ELSEWHERE)
