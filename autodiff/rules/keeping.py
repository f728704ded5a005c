"""Sums and products that keep their values: no overflow, underflow or rounding that was not there.

A textbook may write a/(b*c) for a/b/c; at 1e300, 1e200 and 1e200 its value is another. So a product
is written anew only where each part of it is part of what is there, or a root of that; a sum only
where it comes to two terms or fewer, or is added up as before.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ..ops import OPS
from ..ops.arithmetic import add, div, mul, neg, sub
from ..ops.powers import exp, pow_, sqrt
from ..ops.rounding import abs_, sign
from .functions import without_sign
from .numbers import number_node, number_of
from .products import NATURAL, RATIOS, Key, Product, finite, product_of, written
from .sums import Sum, term_of
from .theorems import hyperbolic, squared
from .view import PRODUCTS, SUMS, View

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..ops.table import Op
    from .numbers import Ratio

MANY = 64
"""Longer sums, and products of more bases, keep their order."""

SLACK = 10.0
"""A part may be so many times larger than what is there: by a factor 2, but not 1e200."""

Base: TypeAlias = "int | tuple[int, int]"
"""A node, or a node and its exponent."""

Size: TypeAlias = tuple[float, dict[Base, float]]
"""How large a product is: the logarithm of its number, and the exponent of each base."""


def product(view: View, node: int) -> int | None:
    """Return a product with its factors collected, or as it is where its value might change."""
    if is_collected(view, node):
        return respelled(view, node, PRODUCTS)
    found = product_of(view, node)
    if not finite(found):
        return respelled(view, node, PRODUCTS)
    if not (found.powers or found.growing):
        return number_node(view.graph, found.coefficient)
    even = all(even_at_infinity(view, base) for base in found.growing)
    if found.coefficient.top and even and len(found.powers) + len(found.growing) <= MANY:
        best = written(view, found)
        if best == node or within(view, [best], [node]):
            return best
    return respelled(view, node, PRODUCTS)


COLLECTED = {*PRODUCTS, pow_, sqrt, exp, abs_, sign, *(OPS[name] for name in RATIOS)}
"""What more may be known of in a product than that it is another factor."""


def is_collected(view: View, node: int) -> bool:
    """Tell at a glance that there is nothing to collect: each factor is another, one a number."""
    nodes, literal = view.graph.nodes, view.graph.literal
    seen, numbers = set[int](), 0
    pending = [node]
    while pending:
        index = pending.pop()
        op, args, _ = nodes[index]
        if op in (mul, div) and (index == node or index in view.inside):
            pending += args
            continue
        number = literal(index)
        numbers += number is not None
        if op is pow_ and (literal(args[1]) or 0.0) > 0.0:
            index = args[0]
        if index in seen or nodes[index].op in COLLECTED or numbers > 1 or (number or 0.0) < 0.0:
            return False
        seen.add(index)
    return True


def even_at_infinity(view: View, base: int) -> bool:
    """Tell whether base^n*base is base^(n + 1) at -inf too, where base^0.5 has no sign."""
    return base == NATURAL or view.graph.nodes[base].op.nonnegative


# -- overflow and underflow -----------------------------------------------------------------------


def within(view: View, new: Iterable[int], old: Iterable[int], count: int = 1) -> bool:
    """Tell whether what new products are made of is in range wherever the old ones' parts are.

    The new ones may come from so many terms that are alike.
    """
    there = [size for node in old for size in parts(view, node)]
    slack = math.log(SLACK * count)
    return all(
        any(between(size, other, slack) for other in there) or alone(size)
        for node in new
        for size in parts(view, node)
    )


def alone(size: Size) -> bool:
    """Tell whether a part is a number, or a base as it is."""
    shift, bases = size
    return not bases or (not shift and list(bases.values()) == [1.0])


def between(size: Size, other: Size, slack: float) -> bool:
    """Tell whether a part is another to a power from 0 to 1, or a little larger."""
    shift, bases = size
    if not bases or bases.keys() != other[1].keys():
        return False
    base = next(iter(bases))
    share = bases[base] / other[1][base]
    even = all(math.isclose(power, share * other[1][key]) for key, power in bases.items())
    growth = shift - share * other[0]
    return even and 0.0 <= share <= 1.0 and -1e-9 <= growth <= slack


def parts(view: View, node: int) -> Iterator[Size]:
    """Yield the size of each product and power that is computed for a node."""
    graph = view.graph
    sizes: dict[int, Size] = {}
    pending = [node]
    while pending:
        index = pending[-1]
        inner = inside(view, index)
        unknown = [arg for arg in inner if arg not in sizes]
        if unknown:
            pending += unknown
            continue
        pending.pop()
        if index not in sizes:
            sizes[index] = size_of(view, index, [sizes[arg] for arg in inner])
            if graph.literal(index) is None:
                yield sizes[index]


def inside(view: View, index: int) -> tuple[int, ...]:
    """Return the arguments whose sizes tell that of a node."""
    op, args, _ = view.graph.nodes[index]
    if number_of(view.graph, index) is not None:
        return ()
    if op in PRODUCTS or op is abs_:
        return args
    if op is sqrt or op is pow_:
        return args[:1]
    return quotient_of(view, index)


def quotient_of(view: View, index: int) -> tuple[int, ...]:
    """Return sin(u) and cos(u) for tan(u), and what else the table calls a quotient, or nothing."""
    op, args, _ = view.graph.nodes[index]
    return tuple([view.graph.add(OPS[name], args) for name in op.quotient or ()])


def size_of(view: View, index: int, inner: list[Size]) -> Size:
    """Return the size of a node from those of what is inside."""
    graph = view.graph
    op, args, _ = graph.nodes[index]
    number = number_of(graph, index)
    if number is not None:
        return math.log(abs(number.top / number.bottom)) if number.top else 0.0, {}
    if op is mul or op is div or op.quotient:
        return combined(inner[0], inner[1], 1.0 if op is mul else -1.0)
    if op is neg or op is abs_:
        return inner[0]
    if op is sqrt:
        return combined((0.0, {}), inner[0], 0.5)
    if op is sign:
        return 0.0, {}
    if op is exp:
        return exponential(view, NATURAL, args[0], (0.0, {}))
    if op is pow_:
        return exponential(view, args[0], args[1], inner[0])
    return 0.0, {index: 1.0}


def combined(one: Size, other: Size, factor: float) -> Size:
    """Return the size of a product of one with a power of the other."""
    bases = dict(one[1])
    for base, power in other[1].items():
        bases[base] = bases.get(base, 0.0) + factor * power
    return one[0] + factor * other[0], {base: power for base, power in bases.items() if power}


def exponential(view: View, base: int, exponent: int, size: Size) -> Size:
    """Return the size of a power, by the terms of its exponent: exp(2*x) is exp(x)^2."""
    found: Size = (0.0, {})
    pending = [(exponent, 1.0)]
    while pending:
        index, factor = pending.pop()
        op, args, _ = view.graph.nodes[index]
        numbers = [number_of(view.graph, arg) for arg in args]
        number = number_of(view.graph, index)
        if number is not None and base != NATURAL:
            found = combined(found, size, factor * number.value)
        elif number is not None:
            found = found[0] + factor * number.value, found[1]
        elif op in SUMS:
            pending += [(arg, factor) for arg in args[:-1]]
            pending.append((args[-1], factor if op is add else -factor))
        elif op is mul and numbers[0] is not None:
            pending.append((args[1], factor * numbers[0].value))
        elif op in (mul, div) and numbers[1] is not None and numbers[1].top:
            times_ = numbers[1].value if op is mul else 1.0 / numbers[1].value
            pending.append((args[0], factor * times_))
        else:
            found = combined(found, (0.0, {(base, index): 1.0}), factor)
    return found


# -- sums -----------------------------------------------------------------------------------------


class Leaf(NamedTuple):
    """A node that a sum adds or, with sign -1, takes away, and its term with that sign."""

    node: int
    sign: float
    term: Product


def total(view: View, node: int) -> int | None:
    """Return a sum with its terms collected, None where its value might change.

    x - x is 0: where x is finite, and elsewhere there is no value.
    """
    leaves = list(added_up(view, node))
    found = Sum(leaf.term for leaf in leaves)
    if not all(finite(term) for term in found.terms.values()):
        return None
    if len(leaves) <= MANY:
        squared(view, found)
        hyperbolic(view, found)
    best = None
    if len(found) < len(leaves) and not (view.signing and may_be_minus_0(view, node, found)):
        best = collected(view, node, leaves, found)
    return respelled(view, node, SUMS) if best is None else best


def added_up(view: View, node: int) -> Iterator[Leaf]:
    """Yield what a sum adds up, from left to right; chains are looked through as `view` allows."""
    pending = [(node, 1.0)]
    while pending:
        index, factor = pending.pop()
        op, args, _ = view.graph.nodes[index]
        opens = index == node or view.opens(index, SUMS)
        if op in SUMS and opens and not number_of(view.graph, index):
            pending.append((args[-1], factor if op is add else -factor))
            pending += [(arg, factor) for arg in args[:-1]]
        else:
            term = term_of(view, index)
            yield Leaf(
                index, factor, term.copy(term.coefficient if factor > 0 else -term.coefficient)
            )


def may_be_minus_0(view: View, node: int, found: Sum) -> bool:
    """Tell whether a sum may be another zero than it was: with a number in it, it ends as 0."""
    number = found.terms.get(Product().key)
    return view.graph.nodes[node].op is neg or number is None or not number.coefficient.top


def collected(view: View, node: int, leaves: list[Leaf], found: Sum) -> int | None:
    """Return the node of a sum that is collected, None where its value might change."""
    if len(found) > 2 and not added_alike(view, node, leaves, found):
        return None
    own: dict[Key, list[Leaf]] = {}
    for leaf in leaves:
        own.setdefault(leaf.term.key, []).append(leaf)
    pieces: list[tuple[int, float]] = []
    for term in found:
        there = own.get(term.key, [])
        if len(there) == 1 and there[0].term.coefficient == term.coefficient:
            pieces.append((there[0].node, there[0].sign))
            continue
        if len(found) > 1 and there and not exact(term, there):
            return None
        minus = term.coefficient.top < 0
        piece = written(view, term.copy(-term.coefficient) if minus else term)
        if there and not within(view, [piece], [leaf.node for leaf in there], len(leaves)):
            return None
        pieces.append((piece, -1.0 if minus else 1.0))
    return joined(view, pieces) if pieces else nothing(view, found)


def exact(term: Product, leaves: list[Leaf]) -> bool:
    """Tell whether a coefficient is those of some terms added up without rounding.

    1 - x - 1e-200 is -1e-200 where x is 1, and 1 - x is not.
    """
    top, bottom = 0, 1
    for number in (-term.coefficient, *(leaf.term.coefficient for leaf in leaves)):
        over, under = (part.as_integer_ratio() for part in number)
        up, down = over[0] * under[1], over[1] * under[0]
        top, bottom = top * down + up * bottom, bottom * down
    return not top


def nothing(view: View, found: Sum) -> int:
    """Return the zero that a sum comes to: -0 only where all terms are."""
    zeros = [term.coefficient.top for term in found.terms.values()]
    return view.graph.constant(sum(zeros, -0.0) if zeros else 0.0)


def joined(view: View, pieces: list[tuple[int, float]]) -> int:
    """Return the sum of nodes with signs, from left to right; b - a for -a + b."""
    graph = view.graph
    if pieces[0][1] < 0 and len(pieces) > 1 and pieces[1][1] > 0:
        pieces[:2] = pieces[1::-1]
    node, factor = pieces[0]
    result = node if factor > 0 else graph.add(neg, (node,))
    for node, factor in pieces[1:]:
        result = graph.add(add if factor > 0 else sub, (result, node))
    return result


Form: TypeAlias = "frozenset[tuple[Key, Ratio]]"
"""A sum by its terms."""


def form(found: Sum) -> Form:
    """Return what makes two sums equal."""
    return frozenset((term.key, term.coefficient) for term in found)


def added_alike(view: View, node: int, leaves: list[Leaf], found: Sum) -> bool:
    """Tell whether each sum on the way to a sum is one that was on the way to it before.

    1e200 + 1 - 1e200 is 0, and 1 with its terms in another order.
    """
    if len(leaves) > MANY:
        return False
    there = ways_to(view, node)
    terms = list(found)
    return all(form(Sum(terms[:k])) in there for k in range(2, len(terms)))


def ways_to(view: View, node: int) -> set[Form]:
    """Return the sums that are computed on the way to a sum, and their negatives."""
    found: set[Form] = set()
    pending = [node]
    while pending:
        index = pending.pop()
        op, args, _ = view.graph.nodes[index]
        if op in SUMS and (index == node or view.opens(index, SUMS)):
            inner = [leaf.term for leaf in added_up(view, index)]
            found.add(form(Sum(inner)))
            found.add(form(Sum(term.copy(-term.coefficient) for term in inner)))
            pending += args
    return found


# -- signs ----------------------------------------------------------------------------------------


def respelled(view: View, node: int, chain: tuple[Op, ...]) -> int | None:
    """Return a chain link by link as it is, but for signs and for what changes nothing."""
    graph, new = view.graph, dict[int, int]()
    pending = [node]
    while pending:
        index = pending[-1]
        op, args, attrs = graph.nodes[index]
        links = [arg for arg in args if arg in view.inside and graph.nodes[arg].op in chain]
        unknown = [arg for arg in links if arg not in new]
        if unknown:
            pending += unknown
            continue
        pending.pop()
        spelled = graph.add(op, tuple([new.get(arg, arg) for arg in args]), attrs)
        new[index] = plainer(view, spelled)
    found = number_first(view, new[node])
    return found if found != node else None


def number_first(view: View, node: int) -> int:
    """Return 2*x for x*2, where x is no product itself."""
    graph = view.graph
    op, args, _ = graph.nodes[node]
    if op is not mul or graph.literal(args[1]) is None or graph.literal(args[0]) is not None:
        return node
    return node if graph.nodes[args[0]].op in PRODUCTS else graph.add(mul, args[::-1])


def plainer(view: View, node: int) -> int:
    """Return a - b for a + -b, x for 1*x and -(-x), and so on: each the same to the last bit."""
    graph = view.graph
    op, args, _ = graph.nodes[node]
    if op not in (*SUMS, *PRODUCTS):
        return node
    bare = [without_sign(view, arg) for arg in args]
    first, last = bare[0], bare[-1]
    literals = [graph.literal(arg) for arg in args]
    if op is neg and first is not None:
        return first
    if op is neg and graph.nodes[args[0]].op is sub and not view.signing:
        return graph.add(sub, graph.nodes[args[0]].args[::-1])
    if op in (add, sub) and last is not None:
        return graph.add(sub if op is add else add, (args[0], last))
    if op is add and first is not None:
        return graph.add(sub, (args[1], first))
    if op in (mul, div) and first is not None and last is not None:
        return graph.add(op, (first, last))
    if op in (mul, div) and literals[1] == 1.0:
        return args[0]
    if op is mul and literals[0] == 1.0:
        return args[1]
    if op is mul and literals[1] is not None and graph.nodes[args[0]].op not in PRODUCTS:
        return node if literals[0] is not None else graph.add(mul, args[::-1])
    return neutral(view, node, literals)


def neutral(view: View, node: int, literals: list[float | None]) -> int:
    """Return x for x + 0 and x - 0; where it matters which zero x is, for x - 0 and x + -0."""
    op, args, _ = view.graph.nodes[node]
    if op not in (add, sub):
        return node
    for k, (literal, other) in enumerate(zip(literals, args[::-1], strict=True)):
        if literal != 0.0 or (op is sub and k == 0):
            continue
        exact = (math.copysign(1.0, literal) < 0.0) == (op is add)
        if exact or not view.signing:
            return other
    return node
