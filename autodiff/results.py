"""Values and gradients of outputs at bindings, with what is to be said about them.

Where there is no value there is no derivative: a derivative is nan wherever its output is, in both
modes. The graph stays plain; the rule is applied to the numbers, here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from .evaluate import complete, run
from .gradient import Mode, gradient
from .graph import undisturbed
from .origin import Culprit, find, first_bad
from .program import Program
from .shapes import shapes_at

if TYPE_CHECKING:
    from .evaluate import Value, Values
    from .graph import Graph, Shape


class Result(NamedTuple):
    """An output at the bindings: its value, its gradient by name, who made what is not finite."""

    node: int
    name: str | None
    value: Value
    gradient: dict[str, Value]
    culprits: list[Culprit]


def values(
    graph: Graph, nodes: Sequence[int], bindings: Mapping[str, Value], optimize: bool = False
) -> list[Result]:
    """Return the value of each of `nodes`; gradients are empty.

    Raises `UsageError` for an input without a value, `FormulaError` for shapes that do not fit.
    """
    return gradients(graph, nodes, {}, bindings, optimize=optimize)


def gradients(
    graph: Graph,
    nodes: Sequence[int],
    wrt: Mapping[str, int],
    bindings: Mapping[str, Value],
    mode: Mode = "auto",
    optimize: bool = False,
) -> list[Result]:
    """Return the value of each of `nodes` and its derivative by each of `wrt` (name to node).

    The gradient of an output that is an array is that of its sum; with `optimize` all is optimized
    together before it runs. Raises as `values` does.
    """
    with undisturbed():
        given = complete(graph, bindings)
        shapes = shapes_at(graph, graph.needed([*nodes, *wrt.values()]), given)
        return results(graph, plan(graph, nodes, wrt, mode, shapes, optimize), given)


class Plan(NamedTuple):
    """A program for values and gradients, made once and run many times.

    `primals` and `slopes` say which nodes are run for each of `nodes` and its derivatives.
    """

    nodes: tuple[int, ...]
    names: tuple[str, ...]
    primals: dict[int, int]
    slopes: dict[int, list[int]]
    program: Program


def plan(
    graph: Graph,
    nodes: Sequence[int],
    wrt: Mapping[str, int],
    mode: Mode = "auto",
    shapes: Mapping[int, Shape] | None = None,
    optimize: bool = False,
) -> Plan:
    """Return the plan for the values of `nodes` and their derivatives by each of `wrt`.

    `shapes` has the shape of each node that they need; None says that all are scalars.
    """
    by = list(wrt.values())
    slopes = {node: gradient(graph, node, by, mode, shapes) if by else [] for node in set(nodes)}
    primals = {node: node for node in slopes}
    wanted = [*nodes, *(slope for found in slopes.values() for slope in found)]
    if optimize:
        from .optimize import optimized

        new = dict(zip(wanted, optimized(graph, wanted), strict=True))
        primals = {node: new[node] for node in primals}
        slopes = {node: [new[slope] for slope in found] for node, found in slopes.items()}
        wanted = [new[node] for node in wanted]
    return Plan(tuple(nodes), tuple(wrt), primals, slopes, Program(graph, wanted))


def results(graph: Graph, plan: Plan, given: Mapping[str, Value]) -> list[Result]:
    """Run a plan on a value for each input."""
    program = plan.program
    found = run(program, given)
    search = finite(given[name] for _, name in program.inputs) and not finite(
        found[node] for node in program.wanted
    )
    if search:
        found = run(program, given, keep=True)
    return [
        Result(
            node,
            graph.output_name(node),
            found[primal],
            {
                name: derivative(found[primal], found[slope])
                for name, slope in zip(plan.names, plan.slopes[node], strict=False)
            },
            culprits(graph, [primal, *plan.slopes[node]], found) if search else [],
        )
        for node, primal in ((node, plan.primals[node]) for node in plan.nodes)
    ]


def finite(values: Iterable[Value]) -> bool:
    """Tell whether values are finite throughout."""
    return all(first_bad(value) is None for value in values)


def derivative(primal: Value, slope: Value) -> Value:
    """Return a derivative's value: nan wherever the primal has none."""
    if isinstance(primal, float):
        if primal == primal:
            return slope
        if isinstance(slope, float):
            return math.nan
    from .arrays import as_value, undefined_where

    found: Value = as_value(undefined_where(primal, slope))
    return found


def culprits(graph: Graph, nodes: Sequence[int], values: Values) -> list[Culprit]:
    """Return who made each of `nodes` not finite, each place once."""
    found: dict[int, Culprit] = {}
    seen: set[tuple[int, tuple[int, ...]]] = set()
    for node in nodes:
        culprit = find(graph, node, values, seen)
        if culprit:
            found.setdefault(culprit.node if culprit.primal is None else culprit.primal, culprit)
    return list(found.values())
