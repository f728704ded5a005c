"""What both modes carry along a path: a derivative, and the condition for taking the path.

A path through an argument that is not selected contributes exactly 0, whatever the partials along
it. Multiplying by a 0/1 mask would not do (0*inf is nan), and neither would a zero that absorbs all
it meets (sqrt(x)^2 at 0 has no derivative). So a flow keeps its condition beside its value, and
`where(condition, value, 0)` is written only where flows of different conditions meet, before an op
that mixes elements, and at the end. Where nothing selects there is no condition, and no cost.

Once written, the zeros stay zeros until a partial that may be infinite multiplies them: `reached`
says where the value is not one of those.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from .ops.arithmetic import mul, neg
from .ops.comparison import and_, greater, not_, not_equal, or_
from .ops.registry import OPS
from .ops.rules import At, Expr, Move, Quotient, Slope
from .ops.selection import where

if TYPE_CHECKING:
    from .graph import Graph, Shape, Shapes


class Flow(NamedTuple):
    """A tangent or cotangent.

    Where `condition` does not hold it is exactly 0, whatever the value says: zeros that are still
    to be written. Where `reached` does not hold the value itself is 0: they have been written.
    None is everywhere.
    """

    value: Expr
    condition: Expr | None = None
    reached: Expr | None = None

    @property
    def taken(self) -> Expr | None:
        """Where the path is taken."""
        return both(self.reached, self.condition)


def settled(flow: Flow) -> Expr:
    """Return the flow as a plain value, its condition written out."""
    return flow.value if flow.condition is None else where(flow.condition, flow.value, 0.0)


def standing(graph: Graph, index: int, shapes: Shapes | None) -> At:
    """Return what the rules of a node's op are asked at."""
    _, args, attrs = graph.nodes[index]
    return At(
        Expr(graph, index),
        tuple([Expr(graph, arg) for arg in args]),
        attrs,
        tuple([shapes[arg] for arg in args]) if shapes else ((),) * len(args),
        shapes,
    )


def through(flow: Flow, partial: Slope, condition: Expr | None) -> Flow:
    """Return the flow after an edge with this partial, taken under this condition."""
    value = times(flow.value, partial)
    if flow.reached is None:
        return Flow(value, both(flow.condition, condition))
    number = literal(partial)
    # Where nothing is reached there is no kink either: a condition that may bear one has it told.
    if number is not None and isfinite(number) and not (condition and flow.value.graph.kinked):
        return Flow(value, both(flow.condition, condition), flow.reached)
    return Flow(value, both(flow.taken, condition))


def moved(flow: Flow, move: Move, k: int, at: At, back: bool) -> Flow:
    """Return what a tangent of argument k causes; with `back`, what a cotangent causes there.

    Its mask is moved along: where nothing arrives there are zeros. An op that weighs its elements
    makes no zeros of them by itself, so they are still to be written.
    """
    from .ops.structure import full, in_shape

    rule = move.transpose if back else move.pushforward
    taken = flow.taken
    value = rule(k, at._replace(held=taken), settled(flow))
    if taken is None and not move.has_holes(at, back):
        return Flow(value)
    shape = at.shape(at.result) if back else at.shapes[k]
    # Whatever is not 0 is true, -1 as well: as 0 and 1 they can be counted.
    held = full(value, 1.0, shape) if taken is None else not_equal(taken, 0.0)
    mask = rule if move.reached is None else move.reached[back]
    arrived = greater(mask(k, at, in_shape(at, held, shape)), 0.0)
    return Flow(value, arrived) if move.weighs else Flow(value, None, arrived)


def unbroadcast(flow: Flow, whole: Shape, shape: Shape, shapes: Shapes) -> Flow:
    """Return the flow of a shape, `whole`, summed over the axes along which `shape` was repeated.

    `shapes` gives the shape of every node: a condition may be smaller than what it is for.
    """
    value = OPS["sum_to"](settled(flow), attrs=(shape,))
    if flow.taken is None:
        return Flow(value)
    held = not_equal(flow.taken, 0.0)
    if shapes[held.node] != whole:
        held = OPS["broadcast_to"](held, attrs=(whole,))
    return Flow(value, None, greater(OPS["sum_to"](held, attrs=(shape,)), 0.0))


def literal(partial: Slope) -> float | None:
    """Return the number that a partial is, None where it is an expression."""
    if isinstance(partial, Quotient):
        return None
    return partial.literal if isinstance(partial, Expr) else partial


def times(value: Expr, partial: Slope) -> Expr:
    """Return the product, without the factors 1 and -1 that exact arithmetic does not see."""
    graph = value.graph
    if isinstance(partial, Quotient):
        return reduce(Expr.__truediv__, partial.below, times(value, partial.top))
    if isinstance(partial, Expr):
        return Expr(graph, product(graph, value.node, None, partial.node))
    return Expr(graph, product(graph, value.node, partial))


def product(graph: Graph, value: int, number: float | None, factor: int = 0) -> int:
    """Return the same of nodes: a value by a number or, where that is None, by a factor."""
    known = graph.literal(factor) if number is None else number
    if known == 1.0:
        return value
    alone = graph.literal(value) == 1.0
    if known == -1.0 and not alone:
        return graph.add(neg, (value,))
    if number is not None:
        factor = graph.constant(number)
    return factor if alone else graph.add(mul, (value, factor))


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
    return Flow(total, None, any_of([flow.taken for flow in groups]))


Groups: TypeAlias = dict[int | None, Flow]
"""Flows that meet, one for each condition (its node)."""


def by_condition(flows: Sequence[Flow]) -> list[Flow]:
    """Return one flow for each condition: the sum of those that share it."""
    groups: Groups = {}
    for flow in flows:
        add(groups, flow)
    return list(groups.values())


def add(groups: Groups, flow: Flow) -> None:
    """Add a flow to those that share its condition."""
    key = None if flow.condition is None else flow.condition.node
    before = groups.get(key)
    if before is not None:
        value = before.value + flow.value
        flow = Flow(value, flow.condition, any_of([before.reached, flow.reached]))
    groups[key] = flow


def alternatives(first: Flow, second: Flow) -> Flow | None:
    """Return where(c, a, b) for flows under c and under not c, None for others."""
    for a, b in ((first, second), (second, first)):
        if a.condition and b.condition and a.reached is None and b.reached is None:
            node = b.condition.graph.nodes[b.condition.node]
            if node.op is not_ and node.args == (a.condition.node,):
                return Flow(where(a.condition, a.value, b.value))
    return None


def any_of(conditions: Sequence[Expr | None]) -> Expr | None:
    """Return the condition under which one of them holds."""
    found: Expr | None = None
    for condition in conditions:
        if condition is None:
            return None
        found = condition if found is None else or_(found, condition)
    return found
