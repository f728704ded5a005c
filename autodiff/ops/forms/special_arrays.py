"""Activations and the special functions of statistics and analysis on arrays."""

from __future__ import annotations

from functools import reduce

import numpy as np

from .basic_arrays import Array, choose, relu
from .elementary import PI, TINY
from .shared import (
    difference_error,
    digamma_above_0,
    lgamma_at_1,
    lgamma_at_2,
    scaled_by_sqrt_half,
    two_product,
    zeta_scaled,
)
from .special import GAUSS_END, INV_SQRT_2PI, INV_SQRT_PI, LEFT_END, MOST_FACTORIAL

# Activations


def sigmoid(x: Array) -> Array:
    """Return 1/(1 + e^-x), without overflow."""
    e = np.exp(-np.abs(x))
    return choose(np.greater_equal(x, 0.0), 1.0, e) / (1.0 + e)


def softplus(x: Array) -> Array:
    """Return log(1 + e^x), without overflow."""
    return relu(x) + np.log1p(np.exp(-np.abs(x)))


def leaky_relu(x: Array, slope: Array) -> Array:
    """Return x for x > 0, else slope*x."""
    return choose(np.greater(x, 0.0), x, np.multiply(slope, x))


def elu(x: Array, alpha: Array) -> Array:
    """Return x for x > 0, else alpha*(e^x - 1)."""
    return choose(np.greater(x, 0.0), x, np.multiply(alpha, np.expm1(x)))


def silu(x: Array) -> Array:
    """Return x*sigmoid(x)."""
    return np.maximum(x, LEFT_END) * sigmoid(x)


def gelu(x: Array) -> Array:
    """Return x*normcdf(x)."""
    return np.maximum(x, LEFT_END) * normcdf(x)


def share(x: Array, y: Array) -> Array:
    """Return e^x/(e^x + e^y), what the rounding of x - y loses put back to first order."""
    d = np.subtract(x, y)
    error = np.where(np.isfinite(d), difference_error(x, y, d), 0.0)
    return np.where(np.equal(x, y), 0.5, sigmoid(d) * (1.0 + error * sigmoid(-d)))


# Statistics


def erf(x: Array) -> Array:
    """Return the error function."""
    from scipy import special

    return special.erf(x)


def erfc(x: Array) -> Array:
    """Return 1 - erf(x); SciPy's loses three digits in the tail, its e^(x^2) erfc(x) does not."""
    from scipy import special

    return choose(np.greater(x, 0.5), gaussian(x) * special.erfcx(x), special.erfc(x))


def gaussian(x: Array) -> Array:
    """Return e^(-x^2), with the rounding of x^2 made good."""
    x = bounded(x)
    square, error = two_product(x, x)
    return np.exp(-square) * (1.0 - error)


def normpdf(x: Array) -> Array:
    """Return e^(-x^2/2)/sqrt(2 pi), with the rounding of x^2 made good."""
    x = bounded(x)
    square, error = two_product(x, x)
    return np.exp(-0.5 * square) * (1.0 - 0.5 * error) * INV_SQRT_2PI


def normcdf(x: Array) -> Array:
    """Return erfc(-x/sqrt(2))/2, with the rounding of x/sqrt(2) made good."""
    t, error = scaled_by_sqrt_half(bounded(x))
    return 0.5 * erfc(-t) + gaussian(t) * error * INV_SQRT_PI


def bounded(x: Array) -> Array:
    """Return x cut to where e^(-x^2/2) is not yet 0."""
    return np.clip(x, -GAUSS_END, GAUSS_END)


# The gamma function and its relatives


def gamma(x: Array) -> Array:
    """Return the gamma function; where SciPy's falls to 0 too soon, by its recurrence."""
    from scipy import special

    steps = 20
    low = np.less(x, -MOST_FACTORIAL)
    found = special.gamma(np.where(low, np.add(x, steps), x))
    return choose(low, found / reduce(np.multiply, (np.add(x, k) for k in range(steps))), found)


def lgamma(x: Array) -> Array:
    """Return log|gamma(x)|, +inf at the poles; SciPy loses the digits next to 1 and 2."""
    from scipy import special

    size = np.abs(x)
    found = choose(size < TINY, -np.log(size), special.gammaln(x))
    found = choose(np.isinf(x), np.inf, found)
    at_1 = lgamma_at_1(np.clip(np.subtract(x, 1.0), -0.5, 0.5), np.log1p)
    at_2 = lgamma_at_2(np.clip(np.subtract(x, 2.0), -0.5, 0.5))
    near = np.greater(x, 0.5) & np.less(x, 2.5)
    return choose(near, choose(np.less(x, 1.5), at_1, at_2), found)


def digamma(x: Array) -> Array:
    """Return gamma'(x)/gamma(x), NaN at the poles; below 0 by reflection (DLMF 5.5.4)."""
    above = np.greater(x, 0.0)
    found = digamma_above_0(choose(above, x, np.subtract(1.0, x)), np.log1p)
    r = np.subtract(x, np.rint(x))
    below = choose(np.equal(r, 0.0), np.nan, found - PI / np.tan(PI * r))
    return choose(above, choose(np.isposinf(x), np.inf, found), below)


def polygamma(n: Array, x: Array) -> Array:
    """Return the n-th derivative of digamma, by the reflection of `special.polygamma`."""
    sign = choose(np.equal(np.fmod(n, 2.0), 1.0), 1.0, -1.0)
    found = np.asarray(sign * polygamma_size(n, np.asarray(x, dtype=np.float64)))
    below = ~np.broadcast_to(np.greater(x, 0.0), found.shape)
    if below.any():
        orders, left = (np.broadcast_to(given, found.shape)[below] for given in (n, x))
        found[below] = reflected(orders, left)
    whole = np.greater(n, 0.0) & np.equal(n, np.trunc(n)) & np.isfinite(n)
    found = choose(whole, found, np.nan)
    zero = np.equal(n, 0.0)
    return choose(zero, digamma(x), found) if zero.any() else found


def reflected(n: Array, x: Array) -> Array:
    """Return the n-th derivative of digamma for x <= 0, inf or nan at its poles."""
    odd = np.equal(np.fmod(n, 2.0), 1.0)
    r = np.subtract(x, np.rint(x))
    first = polygamma_size(n, choose(np.greater(r, 0.0), r, 1.0 + r))
    mirror = polygamma_size(n, choose(np.greater(r, 0.0), 1.0 - r, -r))
    found = choose(odd, 1.0, -1.0) * first + mirror - polygamma_size(n, np.subtract(1.0, x))
    return choose(np.equal(r, 0.0), choose(odd, np.inf, np.nan), found)


def polygamma_size(n: Array, x: Array) -> Array:
    """Return |polygamma(n, x)| = n! zeta(n + 1, x) for x > 0 and n > 0."""
    half = np.power(x, np.multiply(-0.5, n))
    scale = choose(
        np.greater(n, MOST_FACTORIAL),
        np.exp(lgamma(np.add(n, 1.0)) - n * np.log(x)),
        gamma(np.add(n, 1.0)) * half * half,
    )
    return choose(np.isposinf(x), 0.0, scale * zeta_scaled(n, x, np.power))
