"""Numbers as people write them: a quotient of whole numbers stays one, the rest is float64."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from ..constants import FREE
from ..ops.arithmetic import div, neg

if TYPE_CHECKING:
    from ..graph import Graph

LETTERS = frozenset(FREE.values())
"""Numbers that people write as letters."""

EXACT = 2.0**53
"""Whole numbers below it are exact as floats."""

FINEST = 1024
"""A decimal such as 0.25 is a quotient too, where its denominator is at most this."""

SHORT = 6
"""A number of at most so many characters is written out: 0.2, but 1/3."""


class Ratio(NamedTuple):
    """The number top/bottom in lowest terms; bottom is positive."""

    top: float
    bottom: float

    @property
    def value(self) -> float:
        """The number as evaluation has it."""
        return self.top / self.bottom

    @property
    def whole(self) -> bool:
        """Whether it is a whole number."""
        return self.bottom == 1.0 and self.top.is_integer()

    @property
    def finite(self) -> bool:
        """Whether it can be written: arithmetic has not lost it to overflow or underflow."""
        return math.isfinite(self.top)

    def __neg__(self) -> Ratio:
        return Ratio(-self.top, self.bottom)


ZERO, ONE, HALF = Ratio(0.0, 1.0), Ratio(1.0, 1.0), Ratio(1.0, 2.0)
LOST = Ratio(math.inf, 1.0)
"""What is no number any more, by overflow or underflow."""


def ratio(top: float, bottom: float = 1.0) -> Ratio:
    """Return top/bottom, exactly where both are quotients of small whole numbers."""
    if bottom == 1.0:
        return Ratio(top, 1.0)
    if not bottom or not math.isfinite(bottom):
        return LOST
    if not top:
        return Ratio(top / bottom, 1.0)
    over, under = quotient(top), quotient(bottom)
    if over and under:
        (a, b), (c, d) = over, under
        up, down = a * d, b * c
        common = math.gcd(up, down) * (1 if down > 0 else -1)
        if max(abs(up), abs(down)) < EXACT:
            return Ratio(float(up // common), float(down // common))
    if abs(top) == 1.0:
        return Ratio(math.copysign(1.0, top) * math.copysign(1.0, bottom), abs(bottom))
    value = top / bottom
    return Ratio(value, 1.0) if value else LOST


def quotient(x: float) -> tuple[int, int] | None:
    """Return a number as a quotient of whole numbers, if it is one of small ones."""
    if not math.isfinite(x) or abs(x) >= EXACT:
        return None
    found = x.as_integer_ratio()
    return found if found[1] <= FINEST else None


def times(a: Ratio, b: Ratio) -> Ratio:
    """Return the product."""
    top = a.top * b.top
    return ratio(top, a.bottom * b.bottom) if top or not (a.top and b.top) else LOST


def plus(a: Ratio, b: Ratio) -> Ratio:
    """Return the sum."""
    if a.bottom == b.bottom:
        return ratio(a.top + b.top, a.bottom)
    if all(map(float.is_integer, (*a, *b))):
        return ratio(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom)
    return Ratio(a.value + b.value, 1.0)


def raised(a: Ratio, exponent: float) -> Ratio:
    """Return a to a whole power."""
    if exponent < 0.0:
        top, bottom = (a.bottom, a.top)
        return raised(ratio(top, bottom), -exponent)
    try:
        top = a.top**exponent
        return ratio(top, a.bottom**exponent) if top or not a.top else LOST
    except OverflowError:
        return LOST


def number_of(graph: Graph, node: int) -> Ratio | None:
    """Return a finite number as it is written, `3`, `1/3` or `-(1/3)`; None for all else.

    And for pi, e and tau, which are letters to a reader: 2*pi stays.
    """
    op, args, _ = graph.nodes[node]
    if op is neg:
        inner = number_of(graph, args[0]) if graph.nodes[args[0]].op is not neg else None
        return None if inner is None else -inner
    if op is div:
        top, bottom = number(graph, args[0]), number(graph, args[1])
        fine = top is not None and bottom and math.isfinite(top) and math.isfinite(bottom)
        found = ratio(top, bottom) if fine and top is not None and bottom else LOST
        return found if found.finite else None
    value = number(graph, node)
    return None if value is None or not math.isfinite(value) else Ratio(value, 1.0)


def number(graph: Graph, node: int) -> float | None:
    """Return the number that a node is written as, None for a letter and for all else."""
    value = graph.literal(node)
    return None if value in LETTERS else value


def number_node(graph: Graph, number: Ratio) -> int:
    """Return the node of a number, a quotient where its decimals are long."""
    if number.bottom == 1.0 or len(repr(abs(number.value))) <= SHORT:
        return graph.constant(number.value)
    return graph.add(div, (graph.constant(number.top), graph.constant(number.bottom)))
