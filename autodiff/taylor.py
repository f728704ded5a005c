"""Taylor series: numeric coefficients carried through the graph, by the op table's partials alone.

With y' = sum of partial * argument', and partials that are nodes with coefficients themselves,

    k*y[k] = sum over the arguments and over j = 1..k of j * argument[j] * partial[k - j]

No expression grows with the order but the partials of partials. A coefficient is None where it is 0
by structure: where no path leads, an infinite partial makes no nan.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from .asked import node_of
from .bearing import bears, handed_on
from .errors import FormulaError, UsageError
from .evaluate import complete
from .flow import constant
from .local import local
from .ops.leaves import constant as number
from .ops.leaves import placeholder
from .ops.rules import Expr
from .results import Result, gradients
from .shapes import shapes_at

if TYPE_CHECKING:
    from .evaluate import Value
    from .graph import Graph


class Expansion(NamedTuple):
    """The coefficients of an output's Taylor series, from order 0 on, and its value and slope."""

    result: Result
    coefficients: list[float]


def expansions(
    graph: Graph, nodes: Sequence[int], variable: str, order: int, bindings: Mapping[str, Value]
) -> list[Expansion]:
    """Return the Taylor series of each of `nodes` in powers of an input's distance from its value.

    Where there is no value, or no coefficient, there is none of a higher order: from there on they
    are nan. Raises `UsageError` for a variable that is no input or not finite, an order below 0
    or an input without a value, `FormulaError` where something is no scalar.
    """
    node_of(graph, variable)
    if variable not in graph.placeholders:
        raise UsageError(f"'{variable}' is no input", hint="a Taylor series is in powers of one")
    if order < 0:
        raise UsageError(f"the order of a Taylor series is 0 or more, not {order}")
    start = graph.placeholders[variable]
    given = complete(graph, bindings)
    needed = graph.needed([*nodes, start])
    if shapes_at(graph, needed, given) is not None:
        raise FormulaError("a Taylor series is of a formula of scalars, this one has arrays")
    found = gradients(graph, nodes, {variable: start}, given)
    at = given[variable]
    if isinstance(at, float) and not math.isfinite(at):
        raise UsageError(f"a Taylor series is around a finite {variable}, not {at}")
    series = Series(graph, start, given)
    return [Expansion(result, series.coefficients(result.node, order)) for result in found]


class Edge(NamedTuple):
    """A path into a node: an argument, the partial by it and the condition under which it is.

    Where the condition bears a kink its coefficients, 0 or nan, count besides those of the partial.
    """

    arg: int
    partial: int
    condition: int | None


class Series:
    """The coefficients of nodes, made when they are first asked for, each from those it needs."""

    def __init__(self, graph: Graph, variable: int, point: Mapping[str, Value]) -> None:
        self._graph = graph
        self._variable = variable
        self._point = point
        self._found: dict[int, list[float | None]] = {}
        self._moving: dict[int, bool] = {}
        self._edges: dict[int, list[Edge]] = {}
        self._kinked: set[int] = set()

    def coefficients(self, node: int, order: int) -> list[float]:
        """Return the coefficients of a node up to an order; from a nan on they are nan."""
        with self._graph.derived():
            self._extend(node, order)
        found: list[float] = []
        for coefficient in self._found[node][: order + 1]:
            lost = bool(found) and found[-1] != found[-1]
            found.append(math.nan if lost else 0.0 if coefficient is None else coefficient)
        return found

    def _extend(self, node: int, order: int) -> None:
        """Find the coefficients of a node up to an order, and first those that they need."""
        pending = [(node, order)]
        while pending:
            index, k = pending[-1]
            missing = [need for need in self._needs(index, k) if not self._has(*need)]
            if missing:
                pending.extend(missing)
                continue
            pending.pop()
            if not self._has(index, k):
                self._found.setdefault(index, []).append(self._next(index, k))

    def _has(self, index: int, k: int) -> bool:
        return len(self._found.get(index, ())) > k

    def _needs(self, index: int, k: int) -> Iterable[tuple[int, int]]:
        """Yield the node and order of each coefficient that coefficient k is made from."""
        if k == 0:
            return ((arg, 0) for arg in self._graph.nodes[index].args)
        if not self._has(index, k - 1):
            return ((index, k - 1),)
        if not self._moving[index] or index == self._variable:
            return ()
        edges = self._paths(index)
        conditions = [(edge.condition, 0) for edge in edges if edge.condition is not None]
        if not all(self._has(*condition) for condition in conditions):
            return conditions
        taken = [edge for edge in edges if self._taken(edge)]
        return [
            *((edge.arg, k) for edge in taken),
            *((edge.partial, k - 1) for edge in taken),
            *((edge.arg, k) for edge in edges if edge.condition in self._kinked),
            *((edge.condition, k - 1) for edge in edges if edge.condition in self._kinked),
        ]

    def _next(self, index: int, k: int) -> float | None:
        """Return coefficient k of a node from those before it, or None."""
        if k == 0:
            return self._value(index)
        if index == self._variable:
            return 1.0 if k == 1 else None
        if not self._moving[index]:
            return None
        edges = self._paths(index)
        factors = [(edge.arg, edge.partial, 0) for edge in edges if self._taken(edge)]
        factors += [
            (edge.arg, edge.condition, 1) for edge in edges if edge.condition in self._kinked
        ]
        terms = [
            j * moved * steep
            for arg, partial, first in factors
            for j in range(1, k + 1 - first)
            if (moved := self._found[arg][j]) is not None
            if (steep := self._found[partial][k - j]) is not None
        ]
        return sum(terms) / k if terms else None

    def _value(self, index: int) -> float:
        op, args, attrs = self._graph.nodes[index]
        self._moving[index] = index == self._variable or any(self._moving[arg] for arg in args)
        if bears(self._graph.nodes[index], self._kinked):
            self._kinked.add(index)
        if op is placeholder:
            return float(self._point[str(attrs[0])])
        if op is number:
            return float(attrs[0])  # type: ignore[arg-type]
        return op.scalar(*[self._found[arg][0] for arg in args])

    def _taken(self, edge: Edge) -> bool:
        return edge.condition is None or bool(self._found[edge.condition][0])

    def _paths(self, index: int) -> list[Edge]:
        """Return the paths into a node from the arguments that move."""
        found = self._edges.get(index)
        if found is None:
            self._graph.make_for(index)
            args = self._graph.nodes[index].args
            marks = tuple([self._moving[arg] for arg in args])
            found = self._edges[index] = [
                Edge(
                    args[k],
                    (slope if isinstance(slope, Expr) else constant(self._graph, slope)).node,
                    None if condition is None else condition.node,
                )
                for k, slope, condition in local(self._graph, index, marks)
            ]
            one = constant(self._graph, 1.0).node
            found += [
                Edge(args[k], one, None if condition is None else condition.node)
                for k, condition in handed_on(self._graph, index, self._kinked)
                if marks[k]
            ]
        return found
