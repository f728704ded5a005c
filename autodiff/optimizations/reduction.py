"""Strength reduction: rules that put a cheaper operation for a dear one.

A rule takes a graph and a node whose arguments are as cheap as they get, and returns the node to
put in its place, or None. `EXACT` rules give the same number to the last bit, at nan, at the
infinities and at both zeros (what a sign of nan is, aside). `ROUNDING` rules round otherwise: to
within two units in the last place, where the value and its square are normal numbers; they are not
asked where a last bit may decide (see `exactness`). All keep the shape of the result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import copysign, frexp, isfinite
from typing import TYPE_CHECKING, TypeAlias

from ..ops.arithmetic import add, div, mul, neg, sub
from ..ops.powers import pow_, sqrt
from ..ops.rules import Expr
from ..ops.selection import where
from ..ops.structure import transpose
from ..rewrite import throughout
from .exactness import delicate

if TYPE_CHECKING:
    from ..graph import Graph

Rule: TypeAlias = "Callable[[Graph, int], int | None]"

POWERS: dict[float, Callable[[Expr], Expr]] = {
    -2.0: lambda r: r * r,
    -1.0: lambda r: r,
    2.0: lambda x: x * x,
    3.0: lambda x: x * x * x,
    4.0: lambda x: (x * x) * (x * x),
}
"""Small powers, the negative ones of the reciprocal; larger ones are off by more than two units."""

FEWEST, MOST = 2.0**-1000, 2.0**1000
"""Numbers between have a reciprocal with all its digits."""


def reduce(graph: Graph, nodes: Sequence[int]) -> list[int]:
    """Put for each operation the cheapest that is known to give the same."""
    careful = delicate(graph, nodes)

    def change(index: int, node: int) -> int:
        rules = EXACT if index in careful else (*EXACT, *ROUNDING)
        found = (rule(graph, node) for rule in rules)
        return next((other for other in found if other is not None), node)

    new = throughout(graph, nodes, change)
    return [new[node] for node in nodes]


# -- exact ----------------------------------------------------------------------------------------


def neutral(graph: Graph, node: int) -> int | None:
    """Put x for 1*x, x*1, x/1, x^1, x - 0 and x + -0 (x + 0 is another zero at x = -0)."""
    op, args, _ = graph.nodes[node]
    if len(args) != 2:
        return None
    second = graph.literal(args[1])
    if op is mul and graph.literal(args[0]) == 1.0:
        return args[1]
    if second is None:
        return None
    if op in (mul, div, pow_) and second == 1.0:
        return args[0]
    if op in (add, sub) and second == 0.0 and (copysign(1.0, second) < 0.0) == (op is add):
        return args[0]
    return None


def minus_one(graph: Graph, node: int) -> int | None:
    """Put -x for x*-1, -1*x and x/-1."""
    op, args, _ = graph.nodes[node]
    if op in (mul, div) and graph.literal(args[1]) == -1.0:
        return graph.add(neg, args[:1])
    if op is mul and graph.literal(args[0]) == -1.0:
        return graph.add(neg, args[1:])
    return None


def signs(graph: Graph, node: int) -> int | None:
    """Put x for -(-x), x*y for -x*-y, x/y for -x/-y, x - y for x + -y and x + y for x - -y."""
    op, args, _ = graph.nodes[node]
    bare = [graph.nodes[arg].args[0] if graph.nodes[arg].op is neg else None for arg in args]
    match bare:
        case [int(x)] if op is neg:
            return x
        case [int(x), int(y)] if op in (mul, div):
            return graph.add(op, (x, y))
        case [_, int(y)] if op in (add, sub):
            return graph.add(sub if op is add else add, (args[0], y))
        case [int(x), _] if op is add:
            return graph.add(sub, (args[1], x))
        case _:
            return None


def even(graph: Graph, node: int) -> int | None:
    """Put f(x) for f(-x), where f is even: cos, abs."""
    op, args, attrs = graph.nodes[node]
    if op.parity != "even" or graph.nodes[args[0]].op is not neg:
        return None
    return graph.add(op, (graph.nodes[args[0]].args[0], *args[1:]), attrs)


def decided(graph: Graph, node: int) -> int | None:
    """Put a for where(1, a, b) and b for where(0, a, b), if the other is a number and no array."""
    op, args, _ = graph.nodes[node]
    condition = graph.literal(args[0]) if op is where else None
    if condition is None:
        return None
    kept, other = args[1:] if condition else args[:0:-1]
    return kept if graph.literal(other) is not None else None


def turned_twice(graph: Graph, node: int) -> int | None:
    """Put x for x.T.T."""
    op, args, attrs = graph.nodes[node]
    inner, its_args, its_attrs = graph.nodes[args[0]]
    both = op is transpose and inner is transpose
    return its_args[0] if both and attrs == its_attrs == (None,) else None


def shift(graph: Graph, node: int) -> int | None:
    """Put x*0.25 for x/4: the reciprocal of a power of two is exact."""
    op, args, _ = graph.nodes[node]
    divisor = graph.literal(args[1]) if op is div else None
    if divisor is None or abs(frexp(divisor)[0]) != 0.5:
        return None
    return times_reciprocal(graph, args[0], divisor)


# -- rounding otherwise ---------------------------------------------------------------------------


def small_power(graph: Graph, node: int) -> int | None:
    """Put x*x for x^2, x*x*x for x^3, (x*x)*(x*x) for x^4, 1/x for x^-1, (1/x)*(1/x) for x^-2."""
    op, args, _ = graph.nodes[node]
    exponent = graph.literal(args[1]) if op is pow_ else None
    if exponent is None or exponent not in POWERS:
        return None
    base = Expr(graph, args[0])
    return POWERS[exponent](base if exponent > 0.0 else 1.0 / base).node


def square_root(graph: Graph, node: int) -> int | None:
    """Put sqrt(x) for x^0.5 and 1/sqrt(x) for x^-0.5, where x is neither -inf nor -0.

    There they differ: (-inf)^0.5 is inf, and sqrt(-0) is -0.
    """
    op, args, _ = graph.nodes[node]
    exponent = graph.literal(args[1]) if op is pow_ else None
    if exponent not in (0.5, -0.5) or not above(graph, args[0]):
        return None
    root = Expr(graph, graph.add(sqrt, args[:1]))
    return root.node if exponent == 0.5 else (1.0 / root).node


def above(graph: Graph, node: int) -> bool:
    """Tell whether a node is never -inf nor -0: a square, what is never negative."""
    op, args, _ = graph.nodes[node]
    return (op.nonnegative and op is not sqrt) or (op is mul and args[0] == args[1])


def reciprocal(graph: Graph, node: int) -> int | None:
    """Put x*(1/3) for x/3; at the very end of the floats one of them may be inf first."""
    op, args, _ = graph.nodes[node]
    divisor = graph.literal(args[1]) if op is div else None
    return None if divisor is None else times_reciprocal(graph, args[0], divisor)


def times_reciprocal(graph: Graph, node: int, divisor: float) -> int | None:
    """Return a node times 1/divisor, None where that has not all its digits."""
    if not isfinite(divisor) or not FEWEST <= abs(divisor) <= MOST:
        return None
    return graph.add(mul, (node, graph.constant(1.0 / divisor)))


EXACT: tuple[Rule, ...] = (neutral, minus_one, signs, even, decided, turned_twice, shift)
ROUNDING: tuple[Rule, ...] = (small_power, square_root, reciprocal)
