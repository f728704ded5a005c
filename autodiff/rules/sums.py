"""Sums: terms with coefficients, collected, written term by term or multiplied out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ..ops.arithmetic import add, neg, sub
from .numbers import ONE, ZERO, Ratio, number_of, plus, times
from .products import Key, Product, atom, finite, product_of, written
from .view import SUMS, View

if TYPE_CHECKING:
    from ..graph import Graph

MANY = 40
"""A sum is multiplied out into at most so many terms."""

HIGHEST = 4.0
"""The greatest power of a sum that is multiplied out."""


class Sum:
    """Terms by what they are but for their coefficients, in order of appearance."""

    def __init__(self, terms: Iterable[Product] = ()) -> None:
        self.terms: dict[Key, Product] = {}
        for term in terms:
            self.add(term)

    def add(self, term: Product) -> None:
        """Add a term, which is collected with its like."""
        key = term.key
        before = self.terms.get(key)
        if before is not None:
            total = plus(before.coefficient, term.coefficient)
            before.coefficient = total
        else:
            self.terms[key] = term.copy(term.coefficient)

    def __iter__(self) -> Iterator[Product]:
        return iter([term for term in self.terms.values() if term.coefficient.top])

    def __len__(self) -> int:
        return sum(1 for term in self.terms.values() if term.coefficient.top)


def sum_of(view: View, node: int) -> Sum:
    """Return a node as a sum; chains are looked through as far as `view` allows."""
    nodes, found = view.graph.nodes, Sum()
    pending: list[tuple[int, Ratio]] = [(node, ONE)]
    while pending:
        index, factor = pending.pop()
        view.work += 1
        op, args, _ = nodes[index]
        if (
            op in SUMS
            and (index == node or view.opens(index, SUMS))
            and not number_of(view.graph, index)
        ):
            last = -factor if op in (sub, neg) else factor
            pending.append((args[-1], last))
            pending += [(arg, factor) for arg in args[:-1]]
            continue
        term = term_of(view, index)
        inner = term.alone
        if (
            inner is not None
            and inner != index
            and abs(term.coefficient.value) == 1.0
            and nodes[inner].op in SUMS
        ):
            pending.append((inner, times(factor, term.coefficient)))
        else:
            found.add(term.copy(times(term.coefficient, factor)))
    return found


def term_of(view: View, node: int) -> Product:
    """Return a term as a product; one with a factor 0 or an infinite one stays as it is."""
    term = product_of(view, node)
    if not finite(term) or not (term.coefficient.top or view.derived or is_zero(view.graph, node)):
        return atom(node)
    return term if term.coefficient.top or is_zero(view.graph, node) else Product(ZERO)


def is_zero(graph: Graph, node: int) -> bool:
    """Tell whether a node is the number 0."""
    return number_of(graph, node) == ZERO


def plainly(view: View, found: Sum) -> int:
    """Return the sum term by term; it begins with a term that has no minus, if there is one."""
    graph, terms = view.graph, list(found)
    if not terms:  # -0 only where all terms are
        zeros = [term.coefficient.top for term in found.terms.values()]
        return graph.constant(sum(zeros, -0.0) if zeros else 0.0)
    first = next((k for k, term in enumerate(terms) if term.coefficient.top > 0), 0)
    terms.insert(0, terms.pop(first))
    total = written(view, terms[0])
    for term in terms[1:]:
        minus = term.coefficient.top < 0
        part = written(view, term.copy(-term.coefficient) if minus else term)
        total = graph.add(sub if minus else add, (total, part))
    return total


def multiplied_out(view: View, found: Sum) -> Sum | None:
    """Return the sum with its products of sums multiplied out, None if none or too many."""
    result, changed = Sum(), False
    for term in found:
        parts = expanded(view, term)
        changed |= len(parts) > 1
        for part in parts:
            result.add(part)
        if len(result.terms) > MANY:
            return None
    return result if changed else None


def expanded(view: View, term: Product) -> list[Product]:
    """Return a term as a sum, its factors that are sums multiplied out."""
    rest = term.copy(term.coefficient)
    inner: list[list[Product]] = []
    rest.powers = {}
    count = 1
    for base, exponent in term.powers.items():
        small = view.graph.nodes[base].op in SUMS and exponent.whole and 0 < exponent.top <= HIGHEST
        parts = list(sum_of(view, base)) if small else []
        if small and count * len(parts) ** int(exponent.top) <= MANY:
            count *= len(parts) ** int(exponent.top)
            inner += [parts] * int(exponent.top)
        else:
            rest.powers[base] = exponent
    found = [rest]
    for parts in inner:
        found = list(Sum(a.times(b) for a in found for b in parts))
    return found
