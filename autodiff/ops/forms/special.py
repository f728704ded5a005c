"""Activations and the special functions of statistics and analysis on floats."""

from __future__ import annotations

import math

from .basic import INF, NAN, is_odd, is_whole, max_, min_, pow_, relu, round_
from .elementary import LN2, PI, exp, log
from .shared import (
    difference_error,
    digamma_above_0,
    lgamma_at_1,
    lgamma_at_2,
    scaled_by_sqrt_half,
    two_product,
    zeta_scaled,
)

LEFT_END = -1000.0
"""From here down sigmoid and normcdf are 0, and x may be replaced by a finite number."""
GAUSS_END = 40.0
MOST_FACTORIAL = 170.0
INV_SQRT_PI = 0.5641895835477563
INV_SQRT_2PI = 0.3989422804014327


# Activations


def sigmoid(x: float) -> float:
    """Return 1/(1 + e^-x), without overflow."""
    e = math.exp(-abs(x))
    return (1.0 if x >= 0.0 else e) / (1.0 + e)


def softplus(x: float) -> float:
    """Return log(1 + e^x), without overflow."""
    return relu(x) + math.log1p(math.exp(-abs(x)))


def leaky_relu(x: float, slope: float) -> float:
    """Return x for x > 0, else slope*x."""
    return x if x > 0.0 else slope * x


def elu(x: float, alpha: float) -> float:
    """Return x for x > 0, else alpha*(e^x - 1)."""
    return x if x > 0.0 else alpha * math.expm1(x)


def silu(x: float) -> float:
    """Return x*sigmoid(x)."""
    return max(x, LEFT_END) * sigmoid(x)


def gelu(x: float) -> float:
    """Return x*normcdf(x)."""
    return max(x, LEFT_END) * normcdf(x)


def logaddexp(x: float, y: float) -> float:
    """Return log(e^x + e^y) without overflow."""
    if x == y:
        return x + LN2  # two equal infinities have no difference
    return max_(x, y) + math.log1p(math.exp(-abs(x - y)))


def share(x: float, y: float) -> float:
    """Return e^x/(e^x + e^y), what the rounding of x - y loses put back to first order."""
    d = x - y
    if math.isfinite(d):
        return sigmoid(d) * (1.0 + difference_error(x, y, d) * sigmoid(-d))
    return 0.5 if x == y else sigmoid(d)


# Statistics


def gaussian(x: float) -> float:
    """Return e^(-x^2), with the rounding of x^2 made good."""
    square, error = two_product(bounded(x), bounded(x))
    return math.exp(-square) * (1.0 - error)


def normpdf(x: float) -> float:
    """Return e^(-x^2/2)/sqrt(2 pi), with the rounding of x^2 made good."""
    square, error = two_product(bounded(x), bounded(x))
    return math.exp(-0.5 * square) * (1.0 - 0.5 * error) * INV_SQRT_2PI


def normcdf(x: float) -> float:
    """Return erfc(-x/sqrt(2))/2, with the rounding of x/sqrt(2) made good."""
    x = bounded(x)
    t, error = scaled_by_sqrt_half(x)
    return 0.5 * math.erfc(-t) + gaussian(t) * error * INV_SQRT_PI


def bounded(x: float) -> float:
    """Return x cut to where e^(-x^2/2) is not yet 0, so that its square is finite; NaN passes."""
    return max_(min_(x, GAUSS_END), -GAUSS_END)


# The gamma function and its relatives


def gamma(x: float) -> float:
    """Return the gamma function: at a zero infinite with its sign, NaN at -1, -2, ..."""
    try:
        return math.gamma(x)
    except OverflowError:
        return math.copysign(INF, x)  # below 0 only next to 0
    except ValueError:
        return math.copysign(INF, x) if x == 0.0 else NAN


def lgamma(x: float) -> float:
    """Return log|gamma(x)|, +inf at the poles; `math` loses the digits next to 1 and 2."""
    if 0.5 < x < 2.5:
        return lgamma_at_1(x - 1.0, math.log1p) if x < 1.5 else lgamma_at_2(x - 2.0)
    try:
        return math.lgamma(x)
    except (OverflowError, ValueError):
        return INF


def digamma(x: float) -> float:
    """Return gamma'(x)/gamma(x), NaN at the poles; below 0 by reflection (DLMF 5.5.4)."""
    if x > 0.0:
        return digamma_above_0(x, math.log1p) if x < INF else INF
    if is_whole(x) or not math.isfinite(x):
        return NAN
    return digamma_above_0(1.0 - x, math.log1p) - PI / math.tan(PI * (x - round_(x)))


def polygamma(n: float, x: float) -> float:
    """Return the n-th derivative of digamma; at the poles +inf for odd n, NaN for even n.

    Below 0 by reflection (DLMF 5.15.6), whose right side has period 1: it is replaced by the
    left side at the fraction of x, which needs no derivatives of the cotangent.
    """
    if n == 0.0:
        return digamma(x)
    if not (is_whole(n) and n > 0.0) or x != x or x == -INF:
        return NAN
    odd = is_odd(n)
    sign = 1.0 if odd else -1.0
    if x > 0.0:
        return sign * polygamma_size(n, x)
    if is_whole(x):
        return INF if odd else NAN
    r = x - round_(x)
    u, v = (r, 1.0 - r) if r > 0.0 else (1.0 + r, -r)
    return sign * polygamma_size(n, u) + polygamma_size(n, v) - polygamma_size(n, 1.0 - x)


def polygamma_size(n: float, x: float) -> float:
    """Return |polygamma(n, x)| = n! zeta(n + 1, x) for x > 0 and n > 0."""
    if x == INF:
        return 0.0
    half = pow_(x, -0.5 * n)  # x^-n may underflow where n! x^-n does not
    scale = (
        gamma(n + 1.0) * half * half if n <= MOST_FACTORIAL else exp(lgamma(n + 1.0) - n * log(x))
    )
    return scale * zeta_scaled(n, x, math.pow)
