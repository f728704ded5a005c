"""Of several ways to write a sum or a product, the shortest.

A common factor is taken out where that saves `WORTH` operations: everyone writes
2*x*sin(x) + x^2*cos(x), and nobody x*(2*sin(x) + x*cos(x)).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from .numbers import ONE, ZERO, Ratio, ratio, times
from .products import Product, atom, product_of, written
from .sums import Sum, expanded, multiplied_out, plainly, sum_of
from .theorems import FEW, added, hyperbolic, merged, squared, united
from .view import SUMS, View

WORTH = 2
"""So many operations must be saved by a common factor that is only a name."""


def shortest(view: View, found: Sum) -> int:
    """Return the sum's node, in the shortest of the ways to write it."""
    if not 1 < len(found) <= FEW:
        return plainly(view, found)
    found = related(view, found)
    best = plain = plainly(view, found)
    out = multiplied_out(view, found)
    for way in filter(None, (found, out)):
        if way is out and view.size(plainly(view, way)) + WORTH <= view.size(best):
            best = plainly(view, way)
        shared = common(list(way))
        if len(way) > 1 and not is_one(shared):
            worth = 1 if best != plain or has_function(view, shared) else WORTH
            other = taken_out(view, way, shared)
            best = other if view.size(other) + worth <= view.size(best) else best
    return best


def related(view: View, found: Sum) -> Sum:
    """Return the sum after the theorems that join terms."""
    found = united(view, found)
    for theorem in (squared, added, hyperbolic):
        theorem(view, found)
    return found


def is_one(product: Product) -> bool:
    """Tell whether a product is 1."""
    return not (product.powers or product.growing) and product.coefficient == ONE


def has_function(view: View, shared: Product) -> bool:
    """Tell whether a common factor is more than a name: exp(x) + x*exp(x) is (1 + x)*exp(x)."""
    return bool(shared.growing) or any(
        view.graph.nodes[base].args and power.top > 0 for base, power in shared.powers.items()
    )


def taken_out(view: View, found: Sum, shared: Product) -> int:
    """Return the sum with a common factor taken out."""
    return written(view, merged(view, shared.times(inside(view, found, shared))))


def inside(view: View, found: Sum, shared: Product) -> Product:
    """Return what is left of a sum when a factor is taken out, as a product."""
    inner = Sum()
    for term in found:
        for part in opened(view, term.times(shared, -1.0)):
            inner.add(part)
    out = multiplied_out(view, inner)
    ways = [plainly(view, related(view, way)) for way in (inner, out) if way is not None]
    return product_of(view, min(ways, key=view.size))


def other_ways(view: View, product: Product) -> Iterator[int]:
    """Yield a product multiplied out, and with its sums factored as far as they go."""
    terms = Sum(expanded(view, product))
    if 1 < len(terms) <= FEW:
        yield plainly(view, related(view, terms))
    found = product.copy(product.coefficient)
    found.powers = {}
    for base, exponent in product.powers.items():
        part = atom(base)
        if view.graph.nodes[base].op in SUMS and exponent.whole:
            inner = sum_of(view, base)
            shared = common(list(inner)) if 1 < len(inner) <= FEW else Product()
            if not is_one(shared):
                part = shared.times(inside(view, inner, shared))
            found = found.times(part.raised(exponent.top))
        else:
            found.multiply(base, exponent)
    yield written(view, merged(view, found))


def common(terms: list[Product]) -> Product:
    """Return what all terms have for a factor; of a denominator, the highest power."""
    shared = Product(content(terms))
    bases = dict.fromkeys(base for term in terms for base in term.powers)
    for base in bases:
        exponents = [term.powers.get(base, ZERO) for term in terms]
        least = min(exponents, key=lambda it: it.value)
        if least.top:
            shared.powers[base] = least
    for base, parts in terms[0].growing.items():
        for node in parts:
            factors = [term.growing.get(base, {}).get(node, ZERO) for term in terms]
            least = min(factors, key=lambda it: abs(it.value))
            if least.top and all(factor.top * least.top > 0 for factor in factors):
                shared.grow(base, node, least)
    return shared


def content(terms: list[Product]) -> Ratio:
    """Return the greatest number that divides all coefficients."""
    coefficients = [term.coefficient for term in terms]
    if not all(c.top.is_integer() and abs(c.top) < 2.0**53 for c in coefficients):
        return ONE
    if not all(c.bottom.is_integer() for c in coefficients):
        return ONE
    top = math.gcd(*(int(c.top) for c in coefficients))
    bottom = math.lcm(*(int(c.bottom) for c in coefficients))
    minus = all(c.top < 0 for c in coefficients)
    return ratio(float(-top if minus else top), float(bottom))


def opened(view: View, term: Product) -> Iterable[Product]:
    """Return the terms of a sum with a coefficient of 1 or -1, else the term itself."""
    inner = term.alone
    if (
        inner is None
        or abs(term.coefficient.value) != 1.0
        or view.graph.nodes[inner].op not in SUMS
    ):
        return [term]
    return [part.copy(times(part.coefficient, term.coefficient)) for part in sum_of(view, inner)]
