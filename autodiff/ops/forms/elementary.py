"""Powers, logarithms, trigonometric and hyperbolic functions on floats."""

from __future__ import annotations

import math

from .basic import INF, NAN, div, is_odd, is_whole, pow_, round_
from .shared import reciprocal_error

PI = math.pi
LN2 = 0.6931471805599453
TINY = 1e-300
"""Below it 1/x is about to overflow."""
TINY_ROOT = 1e-6
LARGE_ROOT = 1e6
LEAST_LENGTH = 1e-290
"""Below it a length may have lost digits."""
LARGE, SMALL = 2.0**600, 2.0**-600
"""Between these orders the rounding of 1/n may show in x^(1/n)."""
MOST_SINC = 600.0
"""The highest derivative of sinc: pi^n overflows soon after."""


# Powers, roots, exponentials and logarithms


def sqrt(x: float) -> float:
    """Return the square root; -0.0 gives 0.0, so that 1/sqrt(x) is +inf at both zeros."""
    return math.sqrt(x) + 0.0 if x >= 0.0 else NAN


def cbrt(x: float) -> float:
    """Return the cube root, exact for cubes: math.cbrt(27.0) is a Newton step off."""
    y = math.cbrt(x)
    return y - (y - x / (y * y)) / 3.0 if y != 0.0 and math.isfinite(y) else y


def root(x: float, n: float) -> float:
    """Return x^(1/n), the real root of a negative x where n is an odd whole number."""
    if n == 2.0:
        return sqrt(x)
    if n == 3.0:
        return cbrt(x)
    if x < 0.0 and not is_odd(n):
        return NAN
    size = abs(x)
    y = pow_(size, div(1.0, n))
    if 0.0 < y < INF and TINY_ROOT < abs(n) < LARGE_ROOT:
        y += y * reciprocal_error(n) * math.log(size)
    return math.copysign(y, x) if is_odd(n) else y


def exp(x: float) -> float:
    """Return e^x."""
    try:
        return math.exp(x)
    except OverflowError:
        return INF


def exp2(x: float) -> float:
    """Return 2^x."""
    try:
        return math.exp2(x)
    except OverflowError:
        return INF


def expm1(x: float) -> float:
    """Return e^x - 1."""
    try:
        return math.expm1(x)
    except OverflowError:
        return INF


def log(x: float) -> float:
    """Return the natural logarithm; -inf at both zeros."""
    return math.log(x) if x > 0.0 else -INF if x == 0.0 else NAN


def log2(x: float) -> float:
    """Return the logarithm to base 2."""
    return math.log2(x) if x > 0.0 else -INF if x == 0.0 else NAN


def log10(x: float) -> float:
    """Return the logarithm to base 10."""
    return math.log10(x) if x > 0.0 else -INF if x == 0.0 else NAN


def log1p(x: float) -> float:
    """Return log(1 + x)."""
    return math.log1p(x) if x > -1.0 else -INF if x == -1.0 else NAN


def log_base(x: float, base: float) -> float:
    """Return the logarithm of x to a base, as exact as log10 and log2 where they serve."""
    if base == 10.0:
        return log10(x)
    return log2(x) if base == 2.0 else div(log(x), log(base))


def xlogy(x: float, y: float) -> float:
    """Return x*log(y), 0 where x is 0 whatever number y is."""
    return 0.0 if x == 0.0 and y == y else x * log(y)


def powlog(n: float, x: float, y: float) -> float:
    """Return x^y*log(x)^n, n whole: 0 where x^y is, which vanishes faster than log(x) grows."""
    if not (is_whole(n) and n >= 0.0):
        return NAN
    power = pow_(x, y)
    if n == 0.0 or (power == 0.0 and x >= 0.0):
        return power
    return power * pow_(log(x), n)


def dpow(x: float, y: float) -> float:
    """Return x^y*log(x), 0 where x is 0 and y is not below it."""
    return 0.0 if x == 0.0 and y >= 0.0 else powlog(1.0, x, y)


def direction(x: float, y: float) -> float:
    """Return x/hypot(x, y), its limits at the infinities."""
    length = math.hypot(x, y)
    if LEAST_LENGTH < length < INF:
        return x / length
    if x != x or y != y or length == 0.0:
        return NAN
    if math.isinf(x):
        return NAN if math.isinf(y) else math.copysign(1.0, x)
    if math.isinf(y):
        return math.copysign(0.0, x)
    scale = LARGE if length < 1.0 else SMALL
    return scale * x / math.hypot(scale * x, scale * y)


def unit(x: float, length: float) -> float:
    """Return x/length, the sign where both are infinite."""
    if math.isinf(x) and math.isinf(length):
        return math.copysign(1.0, x) * math.copysign(1.0, length)
    return div(x, length)


def leg(x: float) -> float:
    """Return sqrt(1 - x^2)."""
    return math.sqrt((1.0 - x) * (1.0 + x)) if -1.0 <= x <= 1.0 else NAN


def legs(x: float) -> float:
    """Return x*sqrt(1 - x^2)."""
    return x * leg(x)


# Trigonometry


def sin(x: float) -> float:
    """Return the sine; NaN at the infinities."""
    try:
        return math.sin(x)
    except ValueError:
        return NAN


def cos(x: float) -> float:
    """Return the cosine; NaN at the infinities."""
    try:
        return math.cos(x)
    except ValueError:
        return NAN


def tan(x: float) -> float:
    """Return the tangent; NaN at the infinities."""
    try:
        return math.tan(x)
    except ValueError:
        return NAN


def sec(x: float) -> float:
    """Return 1/cos(x)."""
    return 1.0 / cos(x)  # no float is a zero of cos


def csc(x: float) -> float:
    """Return 1/sin(x)."""
    return div(1.0, sin(x))


def cot(x: float) -> float:
    """Return 1/tan(x)."""
    return div(1.0, tan(x))


def asin(x: float) -> float:
    """Return the inverse sine."""
    return math.asin(x) if -1.0 <= x <= 1.0 else NAN


def acos(x: float) -> float:
    """Return the inverse cosine."""
    return math.acos(x) if -1.0 <= x <= 1.0 else NAN


def asec(x: float) -> float:
    """Return acos(1/x), by its tangent: 1/x has lost the digits that count near x = 1."""
    return math.atan2(far_leg(x), math.copysign(1.0, x))


def acsc(x: float) -> float:
    """Return asin(1/x), by its tangent as in `asec`."""
    return math.copysign(math.atan2(1.0, far_leg(x)), x)


def far_leg(x: float) -> float:
    """Return sqrt(x^2 - 1), the leg beside a leg 1 and a hypotenuse |x|, without overflow."""
    size = abs(x)
    return math.sqrt(size - 1.0) * math.sqrt(size + 1.0) if size >= 1.0 else NAN


def acot(x: float) -> float:
    """Return atan(1/x), so that acot(-1) is -pi/4."""
    return math.atan(div(1.0, x))


# Hyperbolic functions


def sinh(x: float) -> float:
    """Return the hyperbolic sine."""
    try:
        return math.sinh(x)
    except OverflowError:
        return math.copysign(INF, x)


def cosh(x: float) -> float:
    """Return the hyperbolic cosine."""
    try:
        return math.cosh(x)
    except OverflowError:
        return INF


def sech(x: float) -> float:
    """Return 1/cosh(x), also where cosh overflows."""
    e = math.exp(-abs(x))
    return 2.0 * e / (1.0 + e * e)


def csch(x: float) -> float:
    """Return 1/sinh(x), also where sinh overflows."""
    size = abs(x)
    return math.copysign(div(2.0 * math.exp(-size), -math.expm1(-2.0 * size)), x)


def coth(x: float) -> float:
    """Return 1/tanh(x)."""
    return div(1.0, math.tanh(x))


def acosh(x: float) -> float:
    """Return the inverse hyperbolic cosine."""
    return math.acosh(x) if x >= 1.0 else NAN


def atanh(x: float) -> float:
    """Return the inverse hyperbolic tangent; infinite at -1 and 1."""
    if -1.0 < x < 1.0:
        return math.atanh(x)
    return math.copysign(INF, x) if abs(x) == 1.0 else NAN


def asech(x: float) -> float:
    """Return acosh(1/x), by the sinh of its half: 1/x has lost the digits that count near x = 1."""
    return 2.0 * math.asinh(div(sqrt(0.5 * (1.0 - x)), sqrt(x)))


def acsch(x: float) -> float:
    """Return asinh(1/x), by its logarithm where 1/x may overflow."""
    if abs(x) < TINY:
        return math.copysign(LN2 - log(abs(x)), x)
    return math.asinh(1.0 / x)


def acoth(x: float) -> float:
    """Return atanh(1/x), by a logarithm: 1/x has lost the digits that count near x = 1."""
    return math.copysign(0.5 * log1p(div(2.0, abs(x) - 1.0)), x)


# The sine cardinal


def sinc(x: float) -> float:
    """Return sin(pi x)/(pi x), 1 at 0, and 0 at every other whole number and at the infinities."""
    if x == 0.0 or math.isinf(x):
        return 1.0 if x == 0.0 else 0.0
    return turn(x)[0] / (PI * x) + 0.0


def dsinc(n: float, x: float) -> float:
    """Return the n-th derivative of sinc; NaN unless n is a whole number from 0 to 600.

    Leibniz's rule on x sinc(x) = sin(pi x)/pi gives, with z = pi x and c_n = dsinc(n, x)/pi^n,
    z c_n + n c_(n-1) = sin(z + n pi/2). Errors shrink upwards for n < |z|, downwards for n > |z|.
    """
    if x != x or not (is_whole(n) and 0.0 <= n <= MOST_SINC):
        return NAN
    if math.isinf(x):
        return 0.0
    z = PI * x
    sine, cosine = turn(x)
    waves = (sine, cosine, -sine, -cosine)
    order = int(n)
    if order < abs(z):
        c = sine / PI / x
        for k in range(1, order + 1):
            c = (waves[k % 4] - k * c) / PI / x
    else:
        c = 0.0
        for k in range(sinc_start(order), order, -1):
            c = (waves[k % 4] - z * c) / k
    return c * PI**order + 0.0


def sinc_start(order: int) -> int:
    """Return from where the recurrence of `dsinc` may start with 0 to be exact at the order."""
    return 2 * order + 40


def turn(x: float) -> tuple[float, float]:
    """Return the sine and cosine of pi x; the reduction of x is exact."""
    whole = round_(x)
    angle = PI * (x - whole)
    sine, cosine = math.sin(angle), math.cos(angle)
    return (-sine, -cosine) if is_odd(whole) else (sine, cosine)
