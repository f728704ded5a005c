"""Formulas that serve floats and NumPy arrays alike: exact rounding errors, and series."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

Number = TypeVar("Number", float, "NDArray[numpy.float64]")

EULER = 0.5772156649015329
SQRT_HALF, SQRT_HALF_REST = 0.7071067811865476, -4.833646656726457e-17
STIRLING = (
    1 / 12,
    -1 / 120,
    1 / 252,
    -1 / 240,
    1 / 132,
    -691 / 32760,
    1 / 12,
    -3617 / 8160,
)
"""B_2k/(2k), k = 1 to 8, with the Bernoulli numbers of DLMF 24.2."""
SHIFT = 10
"""The Stirling series are used from x + SHIFT on, where their first omitted term is below 1e-17."""
DIGAMMA_ZERO, DIGAMMA_ZERO_REST = 1.4616321449683622, 9.549995429965697e-17
"""The zero of digamma in two parts (DLMF 5.4.20)."""


# What rounding takes away


def difference_error(x: Number, y: Number, d: Number) -> Number:
    """Return x - y - d exactly, for d = x - y as rounded (Knuth, TAOCP 2, 4.2.2)."""
    back = d - x
    return (x - (d - back)) - (y + back)


def two_product(x: Number, y: Number) -> tuple[Number, Number]:
    """Return x*y rounded, and what rounding took away (Dekker 1971); finite below 1e150."""
    split = 134217729.0  # 2^27 + 1
    x_high = split * x - (split * x - x)
    y_high = split * y - (split * y - y)
    x_low, y_low = x - x_high, y - y_high
    product = x * y
    return product, ((x_high * y_high - product) + x_high * y_low + x_low * y_high) + x_low * y_low


def reciprocal_error(n: Number) -> Number:
    """Return 1/n less its rounded value."""
    product, error = two_product(1.0 / n, n)
    return ((1.0 - product) - error) / n


def scaled_by_sqrt_half(x: Number) -> tuple[Number, Number]:
    """Return x*sqrt(1/2) rounded, and what rounding took away."""
    product, error = two_product(x, x * 0.0 + SQRT_HALF)
    return product, error + x * SQRT_HALF_REST


# The gamma function and its relatives


def digamma_above_0(x: Number, log1p: Callable[[Number], Number]) -> Number:
    """Return digamma(x) for finite x > 0, accurate also next to its zero x0.

    It is digamma(x) - digamma(x0), each by DLMF 5.5.2 and 5.11.2, taken term by term with the
    factor x - x0 drawn out, so that all terms have one sign and nothing cancels: with a = x + 10,
    b = x0 + 10, 1/b^m - 1/a^m is (x - x0)/(a b) times the sum of 1/(a^i b^j) over i + j = m - 1.
    """
    distance = (x - DIGAMMA_ZERO) - DIGAMMA_ZERO_REST
    total = 0.0 * x
    for k in range(SHIFT):
        total = total + distance / (DIGAMMA_ZERO + k) / (x + k)
    p, q = 1.0 / (x + SHIFT), 1.0 / (DIGAMMA_ZERO + SHIFT)
    series, mixed, power = 0.5 + 0.0 * x, 1.0 + 0.0 * x, 1.0
    for c in STIRLING:
        odd = p * mixed + power * q
        series = series + c * odd
        mixed, power = p * odd + power * q * q, power * q * q
    return log1p(distance * q) + (total + distance * p * q * series)


def lgamma_at_1(d: Number, log1p: Callable[[Number], Number]) -> Number:
    """Return lgamma(1 + d) for |d| <= 1/2."""
    return lgamma_at_2(d) - log1p(d)


def lgamma_at_2(d: Number) -> Number:
    """Return lgamma(2 + d) for |d| <= 1/2 by its Taylor series (DLMF 5.7.3)."""
    total = 0.0 * d
    for c in lgamma_series():
        total = d * (c + total)
    return total


@cache
def lgamma_series() -> tuple[float, ...]:
    """Return the Taylor coefficients of lgamma at 2, the last first: (-1)^k (zeta(k) - 1)/k."""
    return (
        *(
            (-1.0) ** k * zeta_scaled(k - 1.0, 2.0, math.pow) / 2.0 ** (k - 1) / k
            for k in range(27, 1, -1)
        ),
        1.0 - EULER,
    )


def zeta_scaled(n: Number, x: Number, power: Callable[[Number, Number], Number]) -> Number:
    """Return x^n zeta(n + 1, x) for finite x > 0 and n > 0 (Euler-Maclaurin, DLMF 25.11.5)."""
    a = x + SHIFT
    tail = 1.0 / n + 0.5 / a
    factor = (n + 1.0) / a / a
    for k, c in enumerate(STIRLING):
        tail = tail + c * factor
        factor = factor * ((n + (2.0 * k + 2.0)) / a) * ((n + (2.0 * k + 3.0)) / a)
        factor = factor / ((2.0 * k + 2.0) * (2.0 * k + 3.0))
    total = power(x / a, n) * tail
    for k in reversed(range(SHIFT)):
        total = total + power(x / (x + k), n) / (x + k)
    return total
