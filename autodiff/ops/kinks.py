"""Twins for the partials of rows with a kink: at the kink they have no derivative, elsewhere 0.

At a kink the first derivative is a convention, and there is no second one. So the partial that such
a row states is made of nodes that are 0 or nan when they are differentiated again: nan at the kink
alone. A comparison that says so bears it: what only asks for its truth (`where`, logic, another
comparison) hands its derivative on. What is a value, as `chosen` and `shared`, does so by itself.
"""

from __future__ import annotations

import math

from . import comparison
from .arithmetic import div
from .rules import Expr
from .table import Op


def lost(twin: Expr) -> Expr:
    """Return nan, made of the twin, so that its node tells whose kink it is."""
    return twin * math.nan


def _comparison(plain: Op, twin: str, bears: bool) -> Op:
    """Return the twin of a comparison, whose kink is where both sides are equal."""
    return plain.twinned(
        twin,
        (lambda r, x, y: lost(r), lambda r, x, y: lost(r)),
        (lambda r, x, y: comparison.equal(x, y), lambda r, x, y: comparison.equal(x, y)),
        bears,
    )


greater = _comparison(comparison.greater, "kink greater", bears=True)
greater_equal = _comparison(comparison.greater_equal, "kink greater_equal", bears=True)
less_equal = _comparison(comparison.less_equal, "kink less_equal", bears=True)
equal = _comparison(comparison.equal, "kink equal", bears=True)
chosen = _comparison(comparison.equal, "kink chosen", bears=False)

shared = div.twinned(
    "kink shared",
    (None, lambda r, x, n: -r / n),
    (None, lambda r, x, n: comparison.greater(n, 1.0)),
)
"""1/n in an n-way tie, where n counts by `chosen`: of one alone there is no tie, and no kink."""


def of_two(twin: Op, x: Expr, y: Expr) -> Expr:
    """Return a comparison as the twin has it, as the plain row does where both sides are one node.

    There is no kink where something is equal to itself.
    """
    plain = twin.plain if x.node == y.node else None
    return (plain or twin)(x, y)
