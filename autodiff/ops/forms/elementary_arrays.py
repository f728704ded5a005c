"""Powers, logarithms, trigonometric and hyperbolic functions on arrays: what NumPy lacks."""

from __future__ import annotations

import numpy as np

from .basic_arrays import Array, choose, in_place, pow_
from .elementary import (
    LARGE,
    LARGE_ROOT,
    LEAST_LENGTH,
    LN2,
    MOST_SINC,
    PI,
    SMALL,
    TINY,
    TINY_ROOT,
    sinc_start,
)
from .shared import reciprocal_error

LEAST_SQUARE, MOST_SQUARE = 2.0**-900, 2.0**1000
"""Between these, a sum of two squares has all its digits."""

# Powers, roots and logarithms


@in_place
def sqrt(x: Array, out: Array | None = None) -> Array:
    """Return the square root; -0.0 gives 0.0."""
    return np.add(np.sqrt(x, out=out), 0.0, out=out)


def hypot(x: Array, y: Array) -> Array:
    """Return sqrt(x^2 + y^2), with more care (and time) where a square is no normal number."""
    squares = np.multiply(x, x) + np.multiply(y, y)
    plain: Array = np.sqrt(squares)
    careful = ~((squares > LEAST_SQUARE) & (squares < MOST_SQUARE))
    return choose(careful, np.hypot(x, y), plain) if careful.any() else plain


def cbrt(x: Array) -> Array:
    """Return the cube root, exact for cubes, as on floats."""
    y = np.cbrt(x)
    return choose(np.isfinite(y) & (y != 0.0), y - (y - x / (y * y)) / 3.0, y)


def root(x: Array, n: Array) -> Array:
    """Return x^(1/n), the real root of a negative x where n is an odd whole number."""
    odd = np.equal(np.abs(np.fmod(n, 2.0)), 1.0)
    size = np.abs(x)
    plain = np.power(size, np.divide(1.0, n))
    error = plain * reciprocal_error(np.asarray(n, dtype=np.float64)) * np.log(size)
    visible = np.greater(np.abs(n), TINY_ROOT) & np.less(np.abs(n), LARGE_ROOT)
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


def powlog(n: Array, x: Array, y: Array) -> Array:
    """Return x^y*log(x)^n, 0 where x^y is."""
    if np.ndim(n) == 0 and n == 0.0:
        return pow_(x, y)
    n, x, y = np.broadcast_arrays(n, x, y)
    power = np.power(x, np.array(y))  # no view: NumPy would see that it is one number
    vanishes = np.equal(n, 0.0) | (np.equal(power, 0.0) & np.greater_equal(x, 0.0))
    found = choose(vanishes, power, power * np.power(np.log(x), n))
    whole = np.greater_equal(n, 0.0) & np.equal(n, np.floor(n)) & np.isfinite(n)
    return choose(whole, found, np.nan)


def dpow(x: Array, y: Array) -> Array:
    """Return x^y*log(x), 0 where x is 0 and y is not below it."""
    corner = np.equal(x, 0.0) & np.greater_equal(y, 0.0)
    return choose(corner, 0.0, powlog(np.ones(()), x, y))


def direction(x: Array, y: Array) -> Array:
    """Return x/hypot(x, y), with more care (and time) where the length is no ordinary number."""
    length = hypot(x, y)
    plain: Array = np.divide(x, length)
    careful = ~((length > LEAST_LENGTH) & (length < np.inf))
    return choose(careful, far_direction(x, y, length), plain) if careful.any() else plain


def far_direction(x: Array, y: Array, length: Array) -> Array:
    """Return it where a length is 0, infinite, or has lost its digits."""
    scale = choose(length < 1.0, LARGE, SMALL)
    x, y = np.multiply(x, scale), np.multiply(y, scale)
    end = choose(np.isinf(y), np.nan, np.copysign(1.0, x) + 0.0 * y)
    return choose(np.isinf(x), end, x / np.hypot(x, y))


def unit(x: Array, length: Array) -> Array:
    """Return x/length, the sign where both are infinite."""
    plain: Array = np.divide(x, length)
    far = np.isinf(length)
    if not far.any():
        return plain
    signs = np.copysign(1.0, x) * np.copysign(1.0, length)
    return choose(far & np.isinf(x), signs, plain)


def leg(x: Array) -> Array:
    """Return sqrt(1 - x^2)."""
    return np.asarray(np.sqrt(np.subtract(1.0, x) * np.add(1.0, x)))


def legs(x: Array) -> Array:
    """Return x*sqrt(1 - x^2)."""
    return np.multiply(x, leg(x))


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
    return np.arctan2(far_leg(x), np.copysign(1.0, x))


def acsc(x: Array) -> Array:
    """Return asin(1/x), by its tangent."""
    return np.copysign(np.arctan2(1.0, far_leg(x)), x)


def far_leg(x: Array) -> Array:
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
    return choose(size < TINY, near, np.arcsinh(np.divide(1.0, x)))


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
    """Return the n-th derivative of sinc, by the recurrence of `elementary.dsinc`."""
    if np.ndim(n) == 0 and np.ndim(x) and 0.0 <= n <= MOST_SINC and n == np.trunc(n):
        return dsinc_of_order(int(n), x)
    allowed = np.greater_equal(n, 0.0) & np.less_equal(n, MOST_SINC) & np.equal(n, np.trunc(n))
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
    for k in range(sinc_start(top), 0, -1):
        c = (waves[k % 4] - z * c) / k
        downwards = choose(np.equal(n, k - 1), c, downwards)
    found = np.power(PI, n) * choose(np.less(n, np.abs(z)), upwards, downwards)
    return choose(allowed, choose(np.isinf(x), 0.0, found + 0.0), np.nan)


def dsinc_of_order(order: int, x: Array) -> Array:
    """Return a derivative of sinc: `dsinc` for one order, each way only where it is asked for."""
    z = np.multiply(PI, x)
    sine, cosine = turn(x)
    waves = (sine, cosine, -sine, -cosine)
    c = sine / PI / x
    for k in range(1, order + 1):
        c = (waves[k % 4] - k * c) / PI / x
    near = ~np.less(order, np.abs(z))
    if near.any():
        small, close = z[near], [wave[near] for wave in waves]
        below = np.zeros_like(small)
        for k in range(sinc_start(order), order, -1):
            below = (close[k % 4] - small * below) / k
        c[near] = below
    return choose(np.isinf(x), 0.0, np.power(PI, float(order)) * c + 0.0)


def turn(x: Array) -> tuple[Array, Array]:
    """Return the sine and cosine of pi x; the reduction of x is exact."""
    whole = np.rint(x)
    angle = PI * (x - whole)
    turned = 1.0 - 2.0 * np.abs(np.fmod(whole, 2.0))
    return turned * np.sin(angle), turned * np.cos(angle)
