"""The ops on Python floats: what `math` and `operator` do not give as is.

Every function follows IEEE 754 and raises nothing: no value is NaN, too large is infinite with the
right sign, 1/0 is infinite with the sign of the zero, and a NaN argument gives NaN unless the
docstring says otherwise. Every run of the command line imports this module, so it imports next to
nothing. The formulas at the end serve floats and NumPy arrays alike.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

Number = TypeVar("Number", float, "NDArray[numpy.float64]")

INF = math.inf
NAN = math.nan
PI = math.pi
LN2 = 0.6931471805599453
EULER = 0.5772156649015329
WHOLE = 2.0**52
"""From here on every float is a whole number."""
TINY = 1e-300
"""Below it 1/x is about to overflow."""
TINY_ROOT = 1e-6
LARGE_ROOT = 1e6
"""Between these orders the rounding of 1/n may show in x^(1/n)."""
MOST_SINC = 600.0
"""The highest derivative of sinc: pi^n overflows soon after."""
MOST_FACTORIAL = 170.0
LEFT_END = -1000.0
"""From here down sigmoid and normcdf are 0, and x may be replaced by a finite number."""
GAUSS_END = 40.0
INV_SQRT_PI = 0.5641895835477563
INV_SQRT_2PI = 0.3989422804014327
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


def step(x: float) -> float:
    """Return 1 for x > 0, else 0."""
    return 1.0 if x > 0.0 else 0.0 if x <= 0.0 else NAN


def relu(x: float) -> float:
    """Return x for x > 0, else 0."""
    return 0.0 if x <= 0.0 else x


def leaky_relu(x: float, slope: float) -> float:
    """Return x for x > 0, else slope*x."""
    return x if x > 0.0 else slope * x


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


def logaddexp(x: float, y: float) -> float:
    """Return log(e^x + e^y) without overflow."""
    if x == y:
        return x + LN2  # two equal infinities have no difference
    return max_(x, y) + math.log1p(math.exp(-abs(x - y)))


def xlogy(x: float, y: float) -> float:
    """Return x*log(y), 0 where x is 0 whatever number y is."""
    return 0.0 if x == 0.0 and y == y else x * log(y)


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
    return math.atan2(leg(x), math.copysign(1.0, x))


def acsc(x: float) -> float:
    """Return asin(1/x), by its tangent as in `asec`."""
    return math.copysign(math.atan2(1.0, leg(x)), x)


def leg(x: float) -> float:
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


def turn(x: float) -> tuple[float, float]:
    """Return the sine and cosine of pi x; the reduction of x is exact."""
    whole = round_(x)
    angle = PI * (x - whole)
    sine, cosine = math.sin(angle), math.cos(angle)
    return (-sine, -cosine) if is_odd(whole) else (sine, cosine)


# Functions of machine learning and statistics


def sigmoid(x: float) -> float:
    """Return 1/(1 + e^-x), without overflow."""
    e = math.exp(-abs(x))
    return (1.0 if x >= 0.0 else e) / (1.0 + e)


def share(x: float, y: float) -> float:
    """Return e^x/(e^x + e^y), what the rounding of x - y loses put back to first order."""
    d = x - y
    if math.isfinite(d):
        return sigmoid(d) * (1.0 + difference_error(x, y, d) * sigmoid(-d))
    return 0.5 if x == y else sigmoid(d)


def softplus(x: float) -> float:
    """Return log(1 + e^x), without overflow."""
    return relu(x) + math.log1p(math.exp(-abs(x)))


def silu(x: float) -> float:
    """Return x*sigmoid(x)."""
    return max(x, LEFT_END) * sigmoid(x)


def gelu(x: float) -> float:
    """Return x*normcdf(x)."""
    return max(x, LEFT_END) * normcdf(x)


def elu(x: float, alpha: float) -> float:
    """Return x for x > 0, else alpha*(e^x - 1)."""
    return x if x > 0.0 else alpha * math.expm1(x)


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


# Formulas that serve floats and arrays alike


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


def sinc_start(order: int) -> int:
    """Return from where the recurrence of `dsinc` may start with 0 to be exact at the order."""
    return 2 * order + 40


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
