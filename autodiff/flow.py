"""What both modes carry along a path: a derivative, and the condition for taking the path.

A path through an argument that is not selected contributes exactly 0, whatever the partials along
it. Multiplying by a 0/1 mask would not do (0*inf is nan), and neither would a zero that absorbs all
it meets (sqrt(x)^2 at 0 has no derivative). So a flow keeps its condition beside its value, and
`where(condition, value, 0)` is written only where flows of different conditions meet, before an op
that mixes elements, and at the end. Where nothing selects there is no condition, and no cost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from .ops.comparison import and_, greater, not_, not_equal, or_
from .ops.selection import where
from .ops.structure import sum_to
from .ops.table import At, Expr, Operand

if TYPE_CHECKING:
    from .graph import Graph, Shape, Shapes


class Flow(NamedTuple):
    """A tangent or cotangent; where `condition` (None: always) does not hold it is exactly 0."""

    value: Expr
    condition: Expr | None
    written_out: bool = False
    """Whether the value itself is 0 where the condition does not hold."""


def settled(flow: Flow) -> Expr:
    """Return the flow as a plain value, its condition written out."""
    if flow.condition is None or flow.written_out:
        return flow.value
    return where(flow.condition, flow.value, 0.0)


def standing(graph: Graph, index: int, shapes: Shapes | None) -> At:
    """Return what the rules of a node's op are asked at."""
    _, args, attrs = graph.nodes[index]
    return At(
        Expr(graph, index),
        tuple([Expr(graph, arg) for arg in args]),
        attrs,
        tuple([shapes[arg] for arg in args]) if shapes else ((),) * len(args),
    )


def through(flow: Flow, partial: Operand, condition: Expr | None) -> Flow:
    """Return the flow after an edge with this partial, taken under this condition."""
    return Flow(times(flow.value, partial), both(flow.condition, condition))


def moved(flow: Flow, move: Callable[[Expr], Expr]) -> Flow:
    """Return the flow after a structural op; a mixed element is taken if any of its parts is."""
    value = move(settled(flow))
    if flow.condition is None:
        return Flow(value, None)
    # Whatever is not 0 is true, -1 as well: as 0 and 1 they can be counted.
    return Flow(value, greater(move(not_equal(flow.condition, 0.0)), 0.0))


def unbroadcast(flow: Flow, shape: Shape) -> Flow:
    """Return the flow summed over the axes along which an argument of `shape` was broadcast."""
    return moved(flow, lambda value: sum_to(value, attrs=(shape,)))


def times(value: Expr, partial: Operand) -> Expr:
    """Return the product, without the factors 1 and -1 that exact arithmetic does not see."""
    number = partial.literal if isinstance(partial, Expr) else partial
    if number == 1.0:
        return value
    if value.literal == 1.0:
        return partial if isinstance(partial, Expr) else constant(value.graph, partial)
    return -value if number == -1.0 else value * partial


def constant(graph: Graph, number: float) -> Expr:
    """Return a number as an expression of the graph."""
    return Expr(graph, graph.constant(number))


def both(first: Expr | None, second: Expr | None) -> Expr | None:
    """Return the condition under which both hold."""
    if first is None or second is None:
        return second if first is None else first
    return first if first.node == second.node else and_(first, second)


def merged(flows: Sequence[Flow]) -> Flow:
    """Return the sum of flows that meet."""
    if len(flows) == 1:
        return flows[0]
    groups = by_condition(flows)
    if len(groups) == 1:
        return groups[0]
    if len(groups) == 2 and (choice := alternatives(*groups)):
        return choice
    total = settled(groups[0])
    for flow in groups[1:]:
        total = total + settled(flow)
    return Flow(total, any_of([flow.condition for flow in groups]))


def by_condition(flows: Sequence[Flow]) -> list[Flow]:
    """Return one flow for each condition: the sum of those that share it."""
    groups: dict[int | None, Flow] = {}
    for value, condition, _ in flows:
        key = None if condition is None else condition.node
        sum_so_far = groups.get(key)
        groups[key] = Flow(sum_so_far.value + value if sum_so_far else value, condition)
    return list(groups.values())


def alternatives(first: Flow, second: Flow) -> Flow | None:
    """Return where(c, a, b) for flows under c and under not c, None for others."""
    for a, b in ((first, second), (second, first)):
        if a.condition and b.condition:
            node = b.condition.graph.nodes[b.condition.node]
            if node.op is not_ and node.args == (a.condition.node,):
                return Flow(where(a.condition, a.value, b.value), None)
    return None


def any_of(conditions: Sequence[Expr | None]) -> Expr | None:
    """Return the condition under which one of them holds."""
    found: Expr | None = None
    for condition in conditions:
        if condition is None:
            return None
        found = condition if found is None else or_(found, condition)
    return found
