"""Values and gradients of outputs at bindings, with what is to be said about them.

Where there is no value there is no derivative: a derivative is nan wherever its output is, in both
modes. The graph stays plain; the rule is applied to the numbers, here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from .evaluate import Asked, complete, is_finite, outputs, run, shape_of
from .gradient import Mode, gradient
from .graph import undisturbed
from .origin import Culprit, find
from .program import Program
from .shapes import shapes_at
from .undefined import Undefined, has_nan

if TYPE_CHECKING:
    from .evaluate import Value, Values
    from .graph import Graph, Shapes


class Result(NamedTuple):
    """An output at the bindings: its value, its gradient by name, who made what is not finite."""

    node: int
    name: str | None
    value: Value
    gradient: dict[str, Value]
    culprits: list[Culprit]


class Plan(NamedTuple):
    """A program for values and gradients, made once and run many times.

    `by` are the nodes that `names` are differentiated by. `primals` and `slopes` say which nodes
    are run for each of `nodes` and its derivatives; `shapes` has the shape of each node, as the
    plan was made for them; None says that all are scalars. `undefined` is asked where there is no
    value.
    """

    nodes: tuple[int, ...]
    names: tuple[str, ...]
    by: tuple[int, ...]
    primals: dict[int, int]
    slopes: dict[int, list[int]]
    program: Program
    shapes: Shapes | None
    undefined: Undefined

    @property
    def derived(self) -> dict[int, int]:
        """Which of the wanted positions is the derivative of which."""
        first, count = len(self.nodes), len(self.names)
        return {first + k: k // count for k in range(first * count)}


class Run(NamedTuple):
    """How derivatives are found, and run.

    With `checkpoint`, few values are kept for the derivatives and the others computed again; with
    `optimize` all is optimized together before it runs. `threads` is how many cores to use at most.
    """

    mode: Mode = "auto"
    checkpoint: bool = False
    optimize: bool = False
    threads: int | None = None


PLAIN = Run()


class Solved(NamedTuple):
    """What a plan found, and the plan."""

    results: list[Result]
    plan: Plan


def values(graph: Graph, nodes: Sequence[int], bindings: Mapping[str, Value]) -> list[Result]:
    """Return the value of each of `nodes`; gradients are empty.

    Raises `UsageError` for an input without a value, `FormulaError` for shapes that do not fit.
    """
    return gradients(graph, nodes, {}, bindings)


def gradients(
    graph: Graph,
    nodes: Sequence[int],
    wrt: Mapping[str, int],
    bindings: Mapping[str, Value],
    how: Run = PLAIN,
) -> list[Result]:
    """Return the value of each of `nodes` and its derivative by each of `wrt` (name to node).

    The gradient of an output that is an array is that of its sum. Raises as `values` does.
    """
    return solved(graph, nodes, wrt, bindings, how).results


def solved(
    graph: Graph,
    nodes: Sequence[int],
    wrt: Mapping[str, int],
    bindings: Mapping[str, Value],
    how: Run = PLAIN,
) -> Solved:
    """Return what `gradients` returns, and how it was found. Raises as `gradients` does."""
    with undisturbed():
        given = complete(graph, bindings)
        shapes = shapes_at(graph, graph.needed([*nodes, *wrt.values()]), given)
        ready = plan(graph, nodes, wrt, shapes, how)
        return Solved(results(graph, ready, given, how.threads), ready)


def plan(
    graph: Graph,
    nodes: Sequence[int],
    wrt: Mapping[str, int],
    shapes: Shapes | None = None,
    how: Run = PLAIN,
) -> Plan:
    """Return the plan for the values of `nodes` and their derivatives by each of `wrt`.

    `shapes` has the shape of each node that they need; None says that all are scalars.
    """
    by = list(wrt.values())
    slopes = {
        node: gradient(graph, node, by, how.mode, shapes) if by else []
        for node in dict.fromkeys(nodes)
    }
    primals = {node: node for node in slopes}
    wanted = [*nodes, *(slope for node in nodes for slope in slopes[node])]
    if how.optimize:
        from .optimize import optimized

        new = dict(zip(wanted, optimized(graph, wanted), strict=True))
        primals = {node: new[node] for node in primals}
        slopes = {node: [new[slope] for slope in found] for node, found in slopes.items()}
        wanted = [new[node] for node in wanted]
    passes = list(slopes.values())
    program = Program(graph, wanted, order(graph, list(primals.values()), passes, shapes, how))
    rule = Undefined(graph, shapes)
    return Plan(tuple(nodes), tuple(wrt), tuple(by), primals, slopes, program, shapes, rule)


class Plans:
    """The plans for one question, each made when inputs first have its shapes."""

    def __init__(
        self, graph: Graph, nodes: Sequence[int], wrt: Mapping[str, int], how: Run = PLAIN
    ) -> None:
        self._graph, self._nodes, self._wrt, self._how = graph, tuple(nodes), dict(wrt), how
        self.needed = graph.needed([*nodes, *wrt.values()])
        self._plans: dict[object, Plan] = {}

    def at(self, given: Mapping[str, Value]) -> Plan:
        """Return the plan for a value for each input. Raises as `values` does."""
        key = tuple([(name, shape_of(value)) for name, value in given.items()])
        return self._made(key, lambda: shapes_at(self._graph, self.needed, given))

    def of_scalars(self) -> Plan:
        """Return the plan for which everything is a scalar."""
        return self._made(None, lambda: None)

    def _made(self, key: object, shapes: Callable[[], Shapes | None]) -> Plan:
        if key not in self._plans:
            with undisturbed():
                found = plan(self._graph, self._nodes, self._wrt, shapes(), self._how)
            self._plans[key] = found
        return self._plans[key]


def order(
    graph: Graph,
    nodes: Sequence[int],
    passes: Sequence[Sequence[int]],
    shapes: Shapes | None,
    how: Run,
) -> list[int] | None:
    """Return the order in which to run outputs and their derivatives, None for that of the graph.

    `passes` are the derivatives of each of `nodes`. In forward mode each derivative has a pass of
    its own.
    """
    if not how.checkpoint and not any(op.checkpoints for op in {node.op for node in graph.nodes}):
        return None
    from . import checkpoints

    if how.mode == "forward":
        passes = [[slope] for found in passes for slope in found]
    if how.checkpoint:
        regions = checkpoints.sections(graph, nodes, passes, shapes)
    else:
        regions = checkpoints.marked(graph, nodes, passes)
    return checkpoints.order(graph, nodes, passes, regions)


def results(
    graph: Graph, plan: Plan, given: Mapping[str, Value], threads: int | None = None
) -> list[Result]:
    """Run a plan on a value for each input. The results are the caller's own."""
    found, fine = numbers(plan, given, Asked(plan.derived, watch=True, threads=threads))
    suspicious = not fine and finite(given[name] for _, name in plan.program.inputs)
    kept = run(plan.program, given, keep=True) if suspicious else None
    count = len(plan.names)
    told: list[Result] = []
    called = graph.first_names()
    for k, node in enumerate(plan.nodes):
        first = len(plan.nodes) + k * count
        slopes = dict(zip(plan.names, found[first : first + count], strict=True))
        blamed = [plan.primals[node], *plan.slopes[node]]
        who = [] if kept is None else culprits(graph, blamed, kept)
        told.append(Result(node, called.get(node), found[k], slopes, who))
    return told


def numbers(plan: Plan, given: Mapping[str, Value], asked: Asked) -> tuple[list[Value], bool]:
    """Return the values of a plan's nodes, then the derivatives of each; whether all are finite."""
    found, settled, fine = outputs(plan.program, given, asked)
    unsettled: dict[int, list[int]] = {}
    for place, primal in asked.derived.items():
        if place not in settled:
            unsettled.setdefault(primal, []).append(place)
    for primal, places in unsettled.items():
        if has_nan(found[primal]):
            first = len(plan.nodes) + primal * len(plan.by)
            slopes = {plan.by[place - first]: found[place] for place in places}
            defined = plan.undefined.apply(plan.nodes[primal], found[primal], slopes, given)
            for place in places:
                found[place] = in_place(defined[plan.by[place - first]], place, asked)
    return found, fine


def in_place(value: Value, place: int, asked: Asked) -> Value:
    """Return a wanted value where it is to be. Raises `UsageError` where it does not fit."""
    if isinstance(value, float) and asked.rows is None:
        return value
    from .arrays import placed

    return placed(value, place, asked)


def finite(values: Iterable[Value]) -> bool:
    """Tell whether values are finite throughout."""
    return all(map(is_finite, values))


def culprits(graph: Graph, nodes: Sequence[int], values: Values) -> list[Culprit]:
    """Return who made each of `nodes` not finite, each place once."""
    found: dict[int, Culprit] = {}
    seen: set[tuple[int, tuple[int, ...]]] = set()
    for node in nodes:
        culprit = find(graph, node, values, seen)
        if culprit:
            found.setdefault(culprit.node if culprit.primal is None else culprit.primal, culprit)
    return list(found.values())
