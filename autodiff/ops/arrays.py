"""The ops on NumPy arrays: what NumPy and SciPy do not give as is.

Arguments are float64 arrays, NumPy scalars or Python floats; they broadcast, and the result is
float64. The conventions are those of `scalars`, which also holds the formulas shared with it. The
evaluator silences NumPy's warnings. SciPy takes long to import and is imported where it is used.
"""

from __future__ import annotations

from functools import reduce
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from . import scalars
from .scalars import LN2, PI, two_product

Array: TypeAlias = NDArray[np.float64]


def number(x: Array) -> Array:
    """Return comparisons and choices as float64; a result without axes becomes a NumPy scalar."""
    found: Array = np.asarray(x, dtype=np.float64)[()]
    return found


def choose(condition: NDArray[np.bool_], x: Array | float, y: Array | float) -> Array:
    """Return x where the condition holds, else y."""
    return number(np.where(condition, x, y))


# Comparisons and logic


def less(x: Array, y: Array) -> Array:
    """Return whether x < y."""
    return number(np.less(x, y))


def less_equal(x: Array, y: Array) -> Array:
    """Return whether x <= y."""
    return number(np.less_equal(x, y))


def greater(x: Array, y: Array) -> Array:
    """Return whether x > y."""
    return number(np.greater(x, y))


def greater_equal(x: Array, y: Array) -> Array:
    """Return whether x >= y."""
    return number(np.greater_equal(x, y))


def equal(x: Array, y: Array) -> Array:
    """Return whether x = y."""
    return number(np.equal(x, y))


def not_equal(x: Array, y: Array) -> Array:
    """Return whether x and y differ."""
    return number(np.not_equal(x, y))


def and_(x: Array, y: Array) -> Array:
    """Return whether neither is zero."""
    return number(np.logical_and(x, y))


def or_(x: Array, y: Array) -> Array:
    """Return whether one of them is not zero."""
    return number(np.logical_or(x, y))


def not_(x: Array) -> Array:
    """Return whether x is zero."""
    return number(np.logical_not(x))


# Selection


def where(condition: Array, x: Array, y: Array) -> Array:
    """Return x where the condition is not zero, else y."""
    return choose(np.not_equal(condition, 0.0), x, y)


def step(x: Array) -> Array:
    """Return 1 for x > 0, else 0."""
    return np.heaviside(x, 0.0)


def relu(x: Array) -> Array:
    """Return x for x > 0, else 0."""
    return choose(np.less_equal(x, 0.0), 0.0, x)


def leaky_relu(x: Array, slope: Array) -> Array:
    """Return x for x > 0, else slope*x."""
    return choose(np.greater(x, 0.0), x, np.multiply(slope, x))


def min_(*args: Array) -> Array:
    """Return the least argument, the first of equal ones (NumPy's takes either zero)."""
    return reduce(lambda least, x: choose(np.less(x, least) | np.isnan(x), x, least), args)


def max_(*args: Array) -> Array:
    """Return the greatest argument, the first of equal ones (NumPy's takes either zero)."""
    return reduce(lambda most, x: choose(np.greater(x, most) | np.isnan(x), x, most), args)


def clip(x: Array, low: Array, high: Array) -> Array:
    """Return min(max(x, low), high)."""
    return min_(max_(x, low), high)


# Powers, roots, exponentials and logarithms


def sqrt(x: Array) -> Array:
    """Return the square root; -0.0 gives 0.0."""
    return np.sqrt(x) + 0.0


def pow_(x: Array, y: Array) -> Array:
    """Return x to the power y; NumPy takes a lone 0.5 for sqrt, which differs at -inf and -0."""
    lone = np.ndim(y) == 0 and y == 0.5
    return np.power(x, np.full(np.shape(x), y) if lone else y)


def cbrt(x: Array) -> Array:
    """Return the cube root, exact for cubes, as in `scalars`."""
    y = np.cbrt(x)
    return choose(np.isfinite(y) & (y != 0.0), y - (y - x / (y * y)) / 3.0, y)


def root(x: Array, n: Array) -> Array:
    """Return x^(1/n), the real root of a negative x where n is an odd whole number."""
    odd = np.equal(np.abs(np.fmod(n, 2.0)), 1.0)
    size = np.abs(x)
    plain = np.power(size, np.divide(1.0, n))
    error = plain * scalars.reciprocal_error(np.asarray(n, dtype=np.float64)) * np.log(size)
    visible = np.greater(np.abs(n), scalars.TINY_ROOT) & np.less(np.abs(n), scalars.LARGE_ROOT)
    y = choose(visible & np.isfinite(error), plain + error, plain)
    y = choose(odd, np.copysign(y, x), choose(np.less(x, 0.0), np.nan, y))
    return choose(np.equal(n, 2.0), sqrt(x), choose(np.equal(n, 3.0), cbrt(x), y))


def log_base(x: Array, base: Array) -> Array:
    """Return the logarithm of x to a base, as exact as log10 and log2 where they serve."""
    rounded = np.log(x) / np.log(base)
    return choose(
        np.equal(base, 10.0), np.log10(x), choose(np.equal(base, 2.0), np.log2(x), rounded)
    )


def xlogy(x: Array, y: Array) -> Array:
    """Return x*log(y), 0 where x is 0 whatever number y is."""
    return choose(np.equal(x, 0.0) & ~np.isnan(y), 0.0, np.multiply(x, np.log(y)))


# Trigonometry


def sec(x: Array) -> Array:
    """Return 1/cos(x)."""
    return 1.0 / np.cos(x)


def csc(x: Array) -> Array:
    """Return 1/sin(x)."""
    return 1.0 / np.sin(x)


def cot(x: Array) -> Array:
    """Return 1/tan(x)."""
    return 1.0 / np.tan(x)


def asec(x: Array) -> Array:
    """Return acos(1/x), by its tangent."""
    return np.arctan2(leg(x), np.copysign(1.0, x))


def acsc(x: Array) -> Array:
    """Return asin(1/x), by its tangent."""
    return np.copysign(np.arctan2(1.0, leg(x)), x)


def leg(x: Array) -> Array:
    """Return sqrt(x^2 - 1) without overflow."""
    size = np.abs(x)
    return np.sqrt(size - 1.0) * np.sqrt(size + 1.0)


def acot(x: Array) -> Array:
    """Return atan(1/x)."""
    return np.arctan(np.divide(1.0, x))


# Hyperbolic functions


def sech(x: Array) -> Array:
    """Return 1/cosh(x), also where cosh overflows."""
    e = np.exp(-np.abs(x))
    return 2.0 * e / (1.0 + e * e)


def csch(x: Array) -> Array:
    """Return 1/sinh(x), also where sinh overflows."""
    size = np.abs(x)
    return np.copysign(2.0 * np.exp(-size) / -np.expm1(-2.0 * size), x)


def coth(x: Array) -> Array:
    """Return 1/tanh(x)."""
    return 1.0 / np.tanh(x)


def asech(x: Array) -> Array:
    """Return acosh(1/x), by the sinh of its half."""
    return 2.0 * np.arcsinh(np.sqrt(0.5 * np.subtract(1.0, x)) / sqrt(x))


def acsch(x: Array) -> Array:
    """Return asinh(1/x), by its logarithm where 1/x may overflow."""
    size = np.abs(x)
    near = np.copysign(LN2 - np.log(size), x)
    return choose(size < scalars.TINY, near, np.arcsinh(np.divide(1.0, x)))


def acoth(x: Array) -> Array:
    """Return atanh(1/x), by a logarithm."""
    return np.copysign(0.5 * np.log1p(2.0 / (np.abs(x) - 1.0)), x)


# The sine cardinal


def sinc(x: Array) -> Array:
    """Return sin(pi x)/(pi x), 1 at 0, and 0 at every other whole number and at the infinities."""
    ends = choose(np.equal(x, 0.0), 1.0, 0.0)
    regular = np.not_equal(x, 0.0) & ~np.isinf(x)
    return choose(regular, turn(x)[0] / np.multiply(PI, x) + 0.0, ends)


def dsinc(n: Array, x: Array) -> Array:
    """Return the n-th derivative of sinc, by the recurrence of `scalars.dsinc`."""
    allowed = (
        np.greater_equal(n, 0.0) & np.less_equal(n, scalars.MOST_SINC) & np.equal(n, np.trunc(n))
    )
    top = int(np.max(np.where(allowed, n, 0.0), initial=0.0))
    z = np.multiply(PI, x)
    sine, cosine = turn(x)
    waves = (sine, cosine, -sine, -cosine)
    c = sine / PI / x
    upwards = c + 0.0 * n
    for k in range(1, top + 1):
        c = (waves[k % 4] - k * c) / PI / x
        upwards = choose(np.equal(n, k), c, upwards)
    c = downwards = np.zeros_like(upwards)
    for k in range(scalars.sinc_start(top), 0, -1):
        c = (waves[k % 4] - z * c) / k
        downwards = choose(np.equal(n, k - 1), c, downwards)
    found = np.power(PI, n) * choose(np.less(n, np.abs(z)), upwards, downwards)
    return choose(allowed, choose(np.isinf(x), 0.0, found + 0.0), np.nan)


def turn(x: Array) -> tuple[Array, Array]:
    """Return the sine and cosine of pi x; the reduction of x is exact."""
    whole = np.rint(x)
    angle = PI * (x - whole)
    turned = 1.0 - 2.0 * np.abs(np.fmod(whole, 2.0))
    return turned * np.sin(angle), turned * np.cos(angle)


# Functions of machine learning and statistics


def sigmoid(x: Array) -> Array:
    """Return 1/(1 + e^-x), without overflow."""
    e = np.exp(-np.abs(x))
    return choose(np.greater_equal(x, 0.0), 1.0, e) / (1.0 + e)


def share(x: Array, y: Array) -> Array:
    """Return e^x/(e^x + e^y), what the rounding of x - y loses put back to first order."""
    d = np.subtract(x, y)
    error = np.where(np.isfinite(d), scalars.difference_error(x, y, d), 0.0)
    return np.where(np.equal(x, y), 0.5, sigmoid(d) * (1.0 + error * sigmoid(-d)))


def softplus(x: Array) -> Array:
    """Return log(1 + e^x), without overflow."""
    return relu(x) + np.log1p(np.exp(-np.abs(x)))


def silu(x: Array) -> Array:
    """Return x*sigmoid(x)."""
    return np.maximum(x, scalars.LEFT_END) * sigmoid(x)


def gelu(x: Array) -> Array:
    """Return x*normcdf(x)."""
    return np.maximum(x, scalars.LEFT_END) * normcdf(x)


def elu(x: Array, alpha: Array) -> Array:
    """Return x for x > 0, else alpha*(e^x - 1)."""
    return choose(np.greater(x, 0.0), x, np.multiply(alpha, np.expm1(x)))


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
    return np.exp(-0.5 * square) * (1.0 - 0.5 * error) * scalars.INV_SQRT_2PI


def normcdf(x: Array) -> Array:
    """Return erfc(-x/sqrt(2))/2, with the rounding of x/sqrt(2) made good."""
    t, error = scalars.scaled_by_sqrt_half(bounded(x))
    return 0.5 * erfc(-t) + gaussian(t) * error * scalars.INV_SQRT_PI


def bounded(x: Array) -> Array:
    """Return x cut to where e^(-x^2/2) is not yet 0."""
    return np.clip(x, -scalars.GAUSS_END, scalars.GAUSS_END)


# The gamma function and its relatives


def gamma(x: Array) -> Array:
    """Return the gamma function; where SciPy's falls to 0 too soon, by its recurrence."""
    from scipy import special

    steps = 20
    low = np.less(x, -scalars.MOST_FACTORIAL)
    found = special.gamma(np.where(low, np.add(x, steps), x))
    return choose(low, found / reduce(np.multiply, (np.add(x, k) for k in range(steps))), found)


def lgamma(x: Array) -> Array:
    """Return log|gamma(x)|, +inf at the poles; SciPy loses the digits next to 1 and 2."""
    from scipy import special

    size = np.abs(x)
    found = choose(size < scalars.TINY, -np.log(size), special.gammaln(x))
    found = choose(np.isinf(x), np.inf, found)
    at_1 = scalars.lgamma_at_1(np.clip(np.subtract(x, 1.0), -0.5, 0.5), np.log1p)
    at_2 = scalars.lgamma_at_2(np.clip(np.subtract(x, 2.0), -0.5, 0.5))
    near = np.greater(x, 0.5) & np.less(x, 2.5)
    return choose(near, choose(np.less(x, 1.5), at_1, at_2), found)


def digamma(x: Array) -> Array:
    """Return gamma'(x)/gamma(x), NaN at the poles; below 0 by reflection (DLMF 5.5.4)."""
    above = np.greater(x, 0.0)
    found = scalars.digamma_above_0(choose(above, x, np.subtract(1.0, x)), np.log1p)
    r = np.subtract(x, np.rint(x))
    below = choose(np.equal(r, 0.0), np.nan, found - PI / np.tan(PI * r))
    return choose(above, choose(np.isposinf(x), np.inf, found), below)


def polygamma(n: Array, x: Array) -> Array:
    """Return the n-th derivative of digamma, by the reflection of `scalars.polygamma`."""
    odd = np.equal(np.fmod(n, 2.0), 1.0)
    sign = choose(odd, 1.0, -1.0)
    r = np.subtract(x, np.rint(x))
    above, pole = np.greater(x, 0.0), np.equal(r, 0.0)
    first = polygamma_size(n, choose(above, x, choose(np.greater(r, 0.0), r, 1.0 + r)))
    mirror = polygamma_size(n, choose(np.greater(r, 0.0), 1.0 - r, -r))
    below = sign * first + mirror - polygamma_size(n, np.subtract(1.0, x))
    poles = choose(odd, np.inf, np.nan)
    found = choose(above, sign * first, choose(pole, poles, below))
    whole = np.greater(n, 0.0) & np.equal(n, np.trunc(n)) & np.isfinite(n)
    return choose(np.equal(n, 0.0), digamma(x), choose(whole, found, np.nan))


def polygamma_size(n: Array, x: Array) -> Array:
    """Return |polygamma(n, x)| = n! zeta(n + 1, x) for x > 0 and n > 0."""
    half = np.power(x, np.multiply(-0.5, n))
    scale = choose(
        np.greater(n, scalars.MOST_FACTORIAL),
        np.exp(lgamma(np.add(n, 1.0)) - n * np.log(x)),
        gamma(np.add(n, 1.0)) * half * half,
    )
    return choose(np.isposinf(x), 0.0, scale * scalars.zeta_scaled(n, x, np.power))
