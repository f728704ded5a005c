"""Taylor series: numeric coefficients carried through the graph, by the op table's partials alone.

With y' = sum of partial * argument', and partials that are nodes with coefficients themselves,

    k*y[k] = sum over the arguments and over j = 1..k of j * argument[j] * partial[k - j]

A partial that is a quotient is not made apart: what its top makes is divided, q*d = p giving

    q[m] = (p[m] - sum over j = 1..m of d[j] * q[m - j]) / d[0]

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
from .local import weights
from .ops.forms.basic import div
from .ops.leaves import constant as number
from .ops.leaves import placeholder
from .ops.rules import Expr, Quotient, Slope
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
    or an input without a value, `FormulaError` where something is no scalar or an output infinite.
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
    for result in found:
        refuse_pole(graph, result, variable, at)
    series = Series(graph, start, given)
    return [Expansion(result, series.coefficients(result.node, order)) for result in found]


def refuse_pole(graph: Graph, result: Result, variable: str, at: Value) -> None:
    """Raise `FormulaError` where an output is infinite: no power of the distance makes up to it."""
    if isinstance(result.value, float) and math.isinf(result.value):
        told = f"it is {result.value} at {variable} = {at:.15g}, where it has no Taylor series"
        place = graph.place(graph.spans[result.node])
        raise FormulaError(told, place, f"expand around another {variable}")


class Edge(NamedTuple):
    """A path into a node: an argument, the partial by it and the condition under which it is.

    Of a quotient `partial` is what is above; what is `below` has the coefficients of the quotients
    so far in `quotients`, one after the other. Where the condition bears a kink its coefficients, 0
    or nan, count besides those of the partial.
    """

    arg: int
    partial: int
    condition: int | None
    below: tuple[int, ...]
    quotients: tuple[list[float | None], ...]


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
            *((divisor, k - 1) for edge in taken for divisor in edge.below),
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
        parts = [self._part(edge, k) for edge in edges if self._taken(edge)]
        parts += [self._kink(edge, k) for edge in edges if edge.condition in self._kinked]
        terms = [part for part in parts if part is not None]
        return sum(terms) / k if terms else None

    def _kink(self, edge: Edge, k: int) -> float | None:
        """Return what the kink that a path's condition bears adds to k times coefficient k."""
        assert edge.condition is not None, "it bears a kink"
        return convolved(self._found[edge.arg], self._found[edge.condition], k, k - 1)

    def _part(self, edge: Edge, k: int) -> float | None:
        """Return what one path adds to k times coefficient k, or None."""
        part = convolved(self._found[edge.arg], self._found[edge.partial], k, k)
        for divisor, quotient in zip(edge.below, edge.quotients, strict=True):
            part = divided(part, self._found[divisor], quotient)
            quotient.append(part)
        return part

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
                self._edge(args[k], slope, condition)
                for k, slope, condition in weights(self._graph, index, marks)
            ]
            found += [
                self._edge(args[k], 1.0, condition)
                for k, condition in handed_on(self._graph, index, self._kinked)
                if marks[k]
            ]
        return found

    def _edge(self, arg: int, slope: Slope, condition: Expr | None) -> Edge:
        """Return a path into a node from an argument."""
        top, below = slope if isinstance(slope, Quotient) else (slope, ())
        return Edge(
            arg,
            (top if isinstance(top, Expr) else constant(self._graph, top)).node,
            None if condition is None else condition.node,
            tuple([divisor.node for divisor in below]),
            tuple([[] for _ in below]),
        )


def convolved(
    moved: Sequence[float | None], steep: Sequence[float | None], order: int, last: int
) -> float | None:
    """Return the sum of j*moved[j]*steep[order - j] for j from 1 to `last`, or None."""
    terms = [
        j * step * slope
        for j in range(1, last + 1)
        if (step := moved[j]) is not None
        if (slope := steep[order - j]) is not None
    ]
    return sum(terms) if terms else None


def divided(
    part: float | None, divisor: Sequence[float | None], quotient: Sequence[float | None]
) -> float | None:
    """Return the next coefficient of a quotient, given that of what is divided and those before."""
    order = len(quotient)
    terms = [
        steep * before
        for j in range(1, order + 1)
        if (steep := divisor[j]) is not None
        if (before := quotient[order - j]) is not None
    ]
    if part is None and not terms:
        return None
    first = divisor[0]
    assert first is not None, "coefficient 0 is a value"
    return div((part or 0.0) - sum(terms), first)
