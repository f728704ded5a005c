"""Rules for functions: constants, signs, functions that undo each other, powers of powers."""

from __future__ import annotations

import math

from ..ops import OPS
from ..ops.arithmetic import div, mul, neg
from ..ops.powers import exp, log, pow_, sqrt
from ..ops.rounding import abs_
from ..ops.rules import Expr
from .numbers import HALF, Ratio, number_node, number_of, times
from .products import has_root
from .view import PRODUCTS, SUMS, View

LONGEST = 6
"""A number of more characters is not put for a function that is shorter: sqrt(2) stays."""


MOST = 20
"""The most factors of a product whose first is looked at."""


def plain(view: View, node: int) -> int | None:
    """Put a row for its twin: to be read they are the same."""
    op, args, attrs = view.graph.nodes[node]
    return None if op.plain is None else view.graph.add(op.plain, args, attrs)


def fold(view: View, node: int) -> int | None:
    """Put the value of an op of numbers, as evaluation has it; sqrt(2) and 1/3 stay."""
    graph = view.graph
    op, args, _ = graph.nodes[node]
    numbers = [graph.literal(arg) for arg in args]
    if not args or op.move is not None or None in numbers:
        return None
    value = op.scalar(*numbers)
    if op in (*PRODUCTS, *SUMS):  # 1/3 stays, and 0*-1 is -0
        return None if value else graph.constant(value)
    length = sum(len(repr(number)) for number in numbers)
    if not math.isfinite(value) or len(repr(value)) > max(LONGEST, length):
        return None
    return graph.constant(value)


def undo(view: View, node: int) -> int | None:
    """Put x for exp(log(x)), log(exp(x)), sin(asin(x)): wherever the inner one has a value."""
    nodes = view.graph.nodes
    op, args, _ = nodes[node]
    if op.undoes is None or len(args) != 1 or nodes[args[0]].op is not OPS[op.undoes]:
        return None
    return nodes[args[0]].args[0]


def signs(view: View, node: int) -> int | None:
    """Take a minus sign out of an odd function, and away from inside an even one."""
    graph = view.graph
    op, args, _ = graph.nodes[node]
    bare = without_sign(view, args[0]) if op.parity else None
    if bare is None:
        return None
    found = graph.add(op, (bare, *args[1:]))
    return graph.add(neg, (found,)) if op.parity == "odd" else found


def without_sign(view: View, node: int) -> int | None:
    """Return -x where x begins with a minus sign, else None; long products begin with none."""
    graph, links, first = view.graph, list[int](), node
    while graph.nodes[first].op in (mul, div) and len(links) < MOST:
        links.append(first)
        first = graph.nodes[first].args[0]
    number = graph.literal(first)
    if graph.nodes[first].op is neg:
        found = graph.nodes[first].args[0]
    elif number is not None and number < 0.0:
        found = graph.constant(-number)
    else:
        return None
    for link in reversed(links):
        op, args, _ = graph.nodes[link]
        found = graph.add(op, (found, args[1]))
    return found


def magnitude(view: View, node: int) -> int | None:
    """Put x for abs(x) where x is never negative: an even power, exp, a square root."""
    graph = view.graph
    op, args, _ = graph.nodes[node]
    if op is not abs_:
        return None
    inner, its_args, _ = graph.nodes[args[0]]
    exponent = number_of(graph, its_args[1]) if inner is pow_ else None
    even = exponent is not None and exponent.whole and exponent.top % 2.0 == 0.0
    return args[0] if inner.nonnegative or even else None


def power_of_power(view: View, node: int) -> int | None:
    """Put x^(a*b) for (x^a)^b: abs(x)^(a*b) where a is even and b is not whole.

    Elsewhere, with b not whole, x^a is never negative where there is a value.
    """
    graph = view.graph
    outer = exponent_of(view, node)
    if outer is None:
        return None
    base = graph.nodes[node].args[0]
    inner = exponent_of(view, base)
    if inner is None:
        return None
    under = graph.nodes[base].args[0]
    total = times(inner, outer)
    if not outer.whole and inner.whole and inner.top % 2.0 == 0.0:
        under = graph.add(abs_, (under,))
    elif not sign_kept(view, under, inner, outer, total):
        return None
    return as_power(view, under, total) if total.finite else None


def sign_kept(view: View, base: int, inner: Ratio, outer: Ratio, total: Ratio) -> bool:
    """Tell whether (x^a)^b is x^(a*b), where x is negative and where it is -inf or -0 too.

    x^a has no sign where a is not whole; to a reader x is finite, and not 0 where that matters.
    """
    if view.derived:
        return outer.whole or not inner.whole or total.whole or inner.top > 0
    return (inner.whole and outer.whole) or has_root(view, base)


def exponent_of(view: View, node: int) -> Ratio | None:
    """Return the number that a node is raised to, None where it is no such power."""
    op, args, _ = view.graph.nodes[node]
    return HALF if op is sqrt else number_of(view.graph, args[1]) if op is pow_ else None


def as_power(view: View, base: int, exponent: Ratio) -> int:
    """Return base^exponent, without exponents 0 and 1."""
    graph = view.graph
    if exponent.value == 1.0:
        return base
    if exponent.value == 0.5 and has_root(view, base):
        return graph.add(sqrt, (base,))
    return graph.add(pow_, (base, number_node(graph, exponent)))


def trivial_power(view: View, node: int) -> int | None:
    """Put 1 for x^0 and 1^x, x for x^1 and sqrt(x) for x^0.5, where they have the same value."""
    graph = view.graph
    op, args, _ = graph.nodes[node]
    if op is not pow_:
        return None
    exponent = number_of(graph, args[1])
    if graph.literal(args[0]) == 1.0 or (exponent and not exponent.top):
        return graph.constant(1.0)
    return as_power(view, args[0], exponent) if exponent and exponent.value in (0.5, 1.0) else None


def natural_power(view: View, node: int) -> int | None:
    """Put x^a for exp(a*log(x)): x is positive, or there was no value.

    At -0 that is +0 to the power a: where a is -1, 1/x is another infinity.
    """
    graph = view.graph
    op, args, _ = graph.nodes[node]
    if op is not exp or graph.nodes[args[0]].op is not mul:
        return None
    left, right = graph.nodes[args[0]].args
    for logarithm, exponent in ((right, left), (left, right)):
        if graph.nodes[logarithm].op is log and (view.derived or positive(view, exponent)):
            return (Expr(graph, graph.nodes[logarithm].args[0]) ** Expr(graph, exponent)).node
    return None


def positive(view: View, node: int) -> bool:
    """Tell whether a node is a number above 0."""
    number = number_of(view.graph, node)
    return number is not None and number.top > 0
