"""What terms are together: sin(u)^2 + cos(u)^2, exp(u) + exp(-u), equal sums, selections."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from ..ops import OPS
from ..ops.arithmetic import add, mul, sub
from ..ops.hyperbolic import cosh, sinh
from ..ops.selection import where
from .numbers import ONE, ZERO, Ratio, times
from .products import NATURAL, Key, Product, atom, product_of, written
from .sums import Sum, expanded, is_zero, plainly, term_of
from .view import SUMS, View

if TYPE_CHECKING:
    from ..ops.table import Op

FEW = 12
"""Sums of at most so many terms are looked at for what their terms have in common."""

Names: TypeAlias = dict[frozenset[tuple[Key, Ratio]], int]
"""What a sum is called, by its terms."""


def united(view: View, found: Sum) -> Sum:
    """Return the sum with one node for sums that are equal: x + 1, 1 + x, and (1 - x)*(1 + x)."""
    names: Names = {}
    return Sum(renamed(view, term, names) for term in found)


def merged(view: View, product: Product) -> Product:
    """Return the product with one node for sums that are equal."""
    return renamed(view, product, {})


def renamed(view: View, term: Product, names: Names) -> Product:
    """Return a term whose sums are called as in `names`, which learns those that are new."""
    result = term.copy(term.coefficient)
    result.powers = {}
    for base, exponent in term.powers.items():
        op = view.graph.nodes[base].op
        if op in SUMS or (op is mul and not exponent.whole):
            whole = atom(base) if op in SUMS else product_of(view, base)
            terms = Sum(expanded(view, whole))
            if 1 < len(terms) <= FEW:
                base = names.setdefault(frozenset((t.key, t.coefficient) for t in terms), base)
        result.multiply(base, exponent)
    return result


def squared(view: View, found: Sum) -> None:
    """Put 1 for sin(u)^2 + cos(u)^2, cos(u)^2 for 1 - sin(u)^2, and so for the table's others."""
    graph = view.graph
    for term in list(found):
        for base, exponent in list(term.powers.items()):
            op, args, _ = graph.nodes[base]
            if op.squares is None or exponent != Ratio(2.0, 1.0) or not term.coefficient.top:
                continue
            other, sign = op.squares
            rest = divided(term, base)
            partner = rest.copy(ONE)
            partner.multiply(graph.add(OPS[other], args), exponent)
            signed = Ratio(sign * term.coefficient.top, term.coefficient.bottom)
            if coefficient(found, partner) == signed:
                found.add(partner.copy(-signed))
                found.add(term.copy(-term.coefficient))
                found.add(rest)
            elif coefficient(found, rest) == -term.coefficient:
                found.add(term.copy(-term.coefficient))
                found.add(rest)
                found.add(partner.copy(-signed))


def divided(term: Product, base: int) -> Product:
    """Return the term without a base."""
    rest = term.copy(term.coefficient)
    rest.powers = {node: power for node, power in term.powers.items() if node != base}
    return rest


def coefficient(found: Sum, term: Product) -> Ratio:
    """Return the coefficient that a term has in a sum."""
    like = found.terms.get(term.key)
    return ZERO if like is None else like.coefficient


def added(view: View, found: Sum) -> None:
    """Put cos(a + b) for cos(a)*cos(b) - sin(a)*sin(b), and so for sin, cosh and sinh."""
    terms = list(found)
    for k, one in enumerate(terms):
        for other in terms[:k] + terms[k + 1 :]:
            alive = one.coefficient.top and other.coefficient.top
            joined = addition(view, one, other) if alive else None
            if joined is not None:
                found.add(one.copy(-one.coefficient))
                found.add(other.copy(-other.coefficient))
                found.add(joined)


def addition(view: View, one: Product, other: Product) -> Product | None:
    """Return the sum of two terms by a theorem of addition, None where there is none for them."""
    graph = view.graph
    ratio_ = one.times(other, -1.0)
    sides = functions(view, ratio_, 1.0), functions(view, ratio_, -1.0)
    if ratio_.growing or abs(ratio_.coefficient.value) != 1.0 or list(map(len, sides)) != [2, 2]:
        return None
    (f, a), (g, b) = sides[0]
    if f.addition is None and g.addition is not None:
        (f, a), (g, b) = (g, b), (f, a)
    odd = next((op for op, _ in (*sides[0], *sides[1]) if op.addition), None)
    if odd is None or odd.addition is None:
        return None
    even, sign = OPS[odd.addition[0]], ratio_.coefficient.value
    swap = {odd: even, even: odd}
    if f not in swap or g not in swap:
        return None
    if sorted([(swap[f].name, a), (swap[g].name, b)]) != sorted((op.name, x) for op, x in sides[1]):
        return None
    if f is g is odd:
        return None
    minus = sign == odd.addition[1] if f is even else sign < 0
    angle = graph.add(sub if minus else add, (a, b))
    rest = one.times(atom(graph.add(f, (a,))), -1.0).times(atom(graph.add(g, (b,))), -1.0)
    return rest.times(atom(graph.add(even if f is even else odd, (angle,))))


def functions(view: View, product: Product, side: float) -> list[tuple[Op, int]]:
    """Return the functions above the line (side 1) or below it (-1), each with its argument."""
    return [
        (view.graph.nodes[base].op, view.graph.nodes[base].args[0])
        for base, exponent in product.powers.items()
        if exponent.top * side > 0 and exponent.whole and view.graph.nodes[base].args
        for _ in range(min(3, int(abs(exponent.top))))
    ]


def hyperbolic(view: View, found: Sum) -> None:
    """Put 2*cosh(u) for exp(u) + exp(-u), and 2*sinh(u) for exp(u) - exp(-u)."""
    terms = [(term, *exponent(view, term)) for term in found if list(term.growing) == [NATURAL]]
    for one, angle, below in terms:
        for other, negative, above in terms:
            opposite = angle.key == negative.key and angle.coefficient == -negative.coefficient
            if not opposite or below != above or angle.coefficient.top <= 0:
                continue
            if abs(one.coefficient.value) == abs(other.coefficient.value):
                op = cosh if other.coefficient == one.coefficient else sinh
                rest = Product(times(one.coefficient, Ratio(2.0, 1.0)))
                rest.powers = one.powers
                found.add(one.copy(-one.coefficient))
                found.add(other.copy(-other.coefficient))
                found.add(rest.times(atom(view.graph.add(op, (written(view, angle),)))))


def exponent(view: View, term: Product) -> tuple[Product, frozenset[tuple[int, Ratio]]]:
    """Return u of a term exp(u)*rest, 0 if it has several parts, and the rest."""
    rest = frozenset(term.powers.items())
    if len(term.growing[NATURAL]) != 1:
        return Product(ZERO), rest
    ((node, factor),) = term.growing[NATURAL].items()
    found = product_of(view, node)
    found.scale(factor)
    return found, rest


def choices(view: View, found: Sum) -> None:
    """Write where(c, 0, a) + where(c, 0, b) as where(c, 0, a + b)."""
    graph = view.graph
    groups: dict[int, list[tuple[Product, tuple[int, ...]]]] = {}
    for term in found:
        node = term.alone
        if node is not None and graph.nodes[node].op is where:
            args = graph.nodes[node].args
            groups.setdefault(args[0], []).append((term, args))
    for condition, terms in groups.items():
        zeros = [k for k in (1, 2) if all(is_zero(graph, args[k]) for _, args in terms)]
        if len(terms) > 1 and len(zeros) == 1:
            total = Sum(scaled(view, args[3 - zeros[0]], term.coefficient) for term, args in terms)
            for term, _ in terms:
                found.add(term.copy(-term.coefficient))
            pair = [graph.constant(0.0), plainly(view, total)]
            arms = pair if zeros == [1] else pair[::-1]
            found.add(atom(graph.add(where, (condition, *arms))))


def scaled(view: View, node: int, factor: Ratio) -> Product:
    """Return a term times a number."""
    term = term_of(view, node)
    return term.copy(times(term.coefficient, factor))
