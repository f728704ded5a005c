"""The rules of simplification, in the order in which they are tried.

A rule takes the view of a pass and a node whose arguments are simple, and returns the node to put
in its place or None. What it assumes its first line says; all assume that the node has a value, so
that a rule may give a value where there was none (x/x at 0), and never takes or changes one beyond
rounding, also where inputs are huge, tiny or infinite; where a formula overflows, or loses its
digits, on the way to a number, that number may come out. Rules do not mind the sign of a zero where
nothing comes of it (`signing`). What a condition is made of may be nan where the formula has a
value: there such a rule is for nodes that always have one.

A derivative that is printed is written as a textbook would (`derived`): there inputs are finite,
and nothing overflows or underflows on the way. No numbers go through it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ..ops.powers import pow_
from . import keeping
from .arrays import ARRAYS
from .choices import decided, logic, nested, turned
from .functions import (
    fold,
    magnitude,
    natural_power,
    plain,
    power_of_power,
    signs,
    trivial_power,
    undo,
)
from .numbers import number_node, number_of
from .products import finite, product_of, written
from .shortest import other_ways, shortest
from .sums import sum_of
from .theorems import choices, merged
from .view import PRODUCTS, SUMS, View

LARGE = 100
"""Longer products are not tried in other ways."""

SAVED = 3
"""Another way to write a product must save so many operations: (1 - x)*(1 + x) keeps its digits."""

Rule: TypeAlias = Callable[[View, int], int | None]


def collect_factors(view: View, node: int) -> int | None:
    """Collect the factors of a product; 0*x is 0 in a derivative, where x is finite."""
    if not view.derived:
        return keeping.product(view, node)
    graph = view.graph
    product = product_of(view, node)
    if not finite(product):
        return None
    if not (product.powers or product.growing):
        return number_node(graph, product.coefficient)
    if not product.coefficient.top:
        return graph.constant(0.0)
    best = written(view, merged(view, product))
    if view.size(best) <= LARGE and any(graph.nodes[base].op in SUMS for base in product.powers):
        for way in other_ways(view, product):
            best = way if view.size(way) + SAVED <= view.size(best) else best
    return best


def collect_terms(view: View, node: int) -> int | None:
    """Collect the terms of a sum, and write it in the shortest way; x - x is 0, x is finite."""
    number = number_of(view.graph, node)
    if number is not None:
        return number_node(view.graph, number)
    if not view.derived:
        return keeping.total(view, node)
    found = sum_of(view, node)
    if not all(finite(term) for term in found.terms.values()):
        return None
    choices(view, found)
    return shortest(view, found)


def sparing(rule: Rule) -> Rule:
    """Return the rule that looks through chains that others use too only where that shortens.

    What is used twice is then written once, in a program with named parts.
    """

    def spared(view: View, node: int) -> int | None:
        view.shut, view.passed_by = True, False
        closed = rule(view, node)
        view.shut = False
        if not view.passed_by:
            return closed
        opened = rule(view, node)
        if closed is None or opened is None:
            return opened if closed is None else closed
        return opened if view.size(opened) < view.size(closed) else closed

    return spared


def of_ops(rule: Rule, ops: tuple[object, ...]) -> Rule:
    """Return a rule for nodes of these ops alone."""

    def limited(view: View, node: int) -> int | None:
        return rule(view, node) if view.graph.nodes[node].op in ops else None

    return limited


def in_values(rule: Rule) -> Rule:
    """Return a rule that may give a value where there was none, and then not in a condition."""

    def careful(view: View, node: int) -> int | None:
        return rule(view, node) if not view.deciding or view.bounded(node) else None

    return careful


def for_any_zero(rule: Rule) -> Rule:
    """Return a rule that may give another zero, and then not where it matters which one it is."""

    def careful(view: View, node: int) -> int | None:
        return None if view.signing else rule(view, node)

    return careful


RULES: tuple[Rule, ...] = (
    plain,
    fold,
    trivial_power,
    in_values(for_any_zero(undo)),
    signs,
    for_any_zero(magnitude),
    in_values(for_any_zero(power_of_power)),
    in_values(for_any_zero(natural_power)),
    decided,
    nested,
    logic,
    turned,
    in_values(of_ops(sparing(collect_terms), SUMS)),
    in_values(of_ops(sparing(collect_factors), (*PRODUCTS, pow_))),
)

WITH_ARRAYS: tuple[Rule, ...] = (*ARRAYS, *RULES)
"""The rules where elements of arrays are moved."""
