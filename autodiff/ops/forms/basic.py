"""Arithmetic, rounding, comparisons and selection on floats."""

from __future__ import annotations

import math

INF = math.inf
NAN = math.nan
BOUND = 1000.0
"""Beyond it, gaussian and sigmoid are 0."""
WHOLE = 2.0**52
"""From here on every float is a whole number."""


# Arithmetic


def div(x: float, y: float) -> float:
    """Return x / y."""
    if y != 0.0:
        return x / y
    return math.copysign(INF, x) * math.copysign(1.0, y) if x != 0.0 and x == x else NAN


def neg(x: float) -> float:
    """Return the negative of x."""
    return -x


def mod(x: float, y: float) -> float:
    """Return x - y*floor(x/y), which has the sign of y."""
    return x % y if y != 0.0 else NAN


def pow_(x: float, y: float) -> float:
    """Return x^y as C's pow does: 0^0 is 1, and a negative x needs a whole y."""
    try:
        return math.pow(x, y)
    except OverflowError:
        return -INF if x < 0.0 and is_odd(y) else INF
    except ValueError:
        if x != 0.0:
            return NAN
        return math.copysign(INF, x) if is_odd(y) else INF


def is_odd(x: float) -> bool:
    """Tell whether x is an odd whole number."""
    return math.isfinite(x) and math.fmod(x, 2.0) in (1.0, -1.0)


def is_whole(x: float) -> bool:
    """Tell whether x is a whole number (an infinity is none)."""
    return math.isfinite(x) and x == math.floor(x)


# Rounding


def floor(x: float) -> float:
    """Return the largest whole number <= x, as a float; -0.0 stays."""
    return math.copysign(float(math.floor(x)), x) if abs(x) < WHOLE else x


def ceil(x: float) -> float:
    """Return the smallest whole number >= x, as a float; it keeps the sign of x."""
    return math.copysign(float(math.ceil(x)), x) if abs(x) < WHOLE else x


def trunc(x: float) -> float:
    """Return x without its fraction, as a float; it keeps the sign of x."""
    return math.copysign(float(math.trunc(x)), x) if abs(x) < WHOLE else x


def round_(x: float) -> float:
    """Return the nearest whole number, half to even, as a float; it keeps the sign of x."""
    return math.copysign(float(round(x)), x) if abs(x) < WHOLE else x


def sign(x: float) -> float:
    """Return -1, 0 or 1; both zeros give 0."""
    return 1.0 if x > 0.0 else -1.0 if x < 0.0 else x + 0.0


def step(x: float) -> float:
    """Return 1 for x > 0, else 0."""
    return 1.0 if x > 0.0 else 0.0 if x <= 0.0 else NAN


# Comparisons and logic: 1 or 0. A NaN compares as in IEEE 754 and, not being zero, is true.


def less(x: float, y: float) -> float:
    """Return whether x < y."""
    return 1.0 if x < y else 0.0


def less_equal(x: float, y: float) -> float:
    """Return whether x <= y."""
    return 1.0 if x <= y else 0.0


def greater(x: float, y: float) -> float:
    """Return whether x > y."""
    return 1.0 if x > y else 0.0


def greater_equal(x: float, y: float) -> float:
    """Return whether x >= y."""
    return 1.0 if x >= y else 0.0


def equal(x: float, y: float) -> float:
    """Return whether x = y."""
    return 1.0 if x == y else 0.0


def not_equal(x: float, y: float) -> float:
    """Return whether x and y differ."""
    return 1.0 if x != y else 0.0


def and_(x: float, y: float) -> float:
    """Return whether neither is zero."""
    return 1.0 if x and y else 0.0


def or_(x: float, y: float) -> float:
    """Return whether one of them is not zero."""
    return 1.0 if x or y else 0.0


def not_(x: float) -> float:
    """Return whether x is zero."""
    return 0.0 if x else 1.0


# Selection


def where(condition: float, x: float, y: float) -> float:
    """Return x where the condition is not zero, else y."""
    return x if condition else y


def relu(x: float) -> float:
    """Return x for x > 0, else 0."""
    return 0.0 if x <= 0.0 else x


def min_(first: float, *more: float) -> float:
    """Return the least argument, the first of equal ones."""
    least = first
    for x in more:
        if x < least or x != x:
            least = x
    return least


def max_(first: float, *more: float) -> float:
    """Return the greatest argument, the first of equal ones."""
    greatest = first
    for x in more:
        if x > greatest or x != x:
            greatest = x
    return greatest


def clip(x: float, low: float, high: float) -> float:
    """Return min(max(x, low), high)."""
    return min_(max_(x, low), high)


def bounded(x: float) -> float:
    """Return x cut to the bound: an infinity would make no 0 of what it is a factor of."""
    return BOUND if x > BOUND else -BOUND if x < -BOUND else x


def same(x: float) -> float:
    """Return x."""
    return x


def second(a: float, b: float) -> float:
    """Return b."""
    return b
