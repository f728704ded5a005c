"""The ops in mpmath, in as many digits as its context has; each is called as its row is.

A name that Python has for itself ends in `_`, as the rows' own do. Outside its domain a function is
nan; what raises there, or leaves the real numbers, is made nan by who calls it (`in_full`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath

mp: Any = mpmath.mp
"""mpmath has no types, hence the loose ones of this file."""


def truth(condition: Any) -> Any:
    """Return 1 for true and 0 for false."""
    return mp.mpf(1 if condition else 0)


def off_poles(x: Any, function: Callable[[Any], Any]) -> Any:
    """Return nan at the poles 0, -1, -2, ..., elsewhere the function's value."""
    return mp.nan if x <= 0 and x == mp.floor(x) else function(x)


# Arithmetic and rounding


def add(x: Any, y: Any) -> Any:
    """Return x + y."""
    return x + y


def sub(x: Any, y: Any) -> Any:
    """Return x - y."""
    return x - y


def mul(x: Any, y: Any) -> Any:
    """Return x*y."""
    return x * y


def div(x: Any, y: Any) -> Any:
    """Return x/y."""
    return x / y


def mod(x: Any, y: Any) -> Any:
    """Return x - y*floor(x/y)."""
    return x - y * mp.floor(x / y)


def neg(x: Any) -> Any:
    """Return -x."""
    return -x


abs_ = abs
sign, floor, ceil, round_ = mp.sign, mp.floor, mp.ceil, mp.nint


def trunc(x: Any) -> Any:
    """Return x without its fraction."""
    return mp.floor(x) if x > 0 else mp.ceil(x)


def step(x: Any) -> Any:
    """Return 1 for x > 0, else 0."""
    return truth(x > 0)


# Comparisons, logic, selection


def less(x: Any, y: Any) -> Any:
    """Return whether x < y."""
    return truth(x < y)


def less_equal(x: Any, y: Any) -> Any:
    """Return whether x <= y."""
    return truth(x <= y)


def greater(x: Any, y: Any) -> Any:
    """Return whether x > y."""
    return truth(x > y)


def greater_equal(x: Any, y: Any) -> Any:
    """Return whether x >= y."""
    return truth(x >= y)


def equal(x: Any, y: Any) -> Any:
    """Return whether x = y."""
    return truth(x == y)


def not_equal(x: Any, y: Any) -> Any:
    """Return whether x and y differ."""
    return truth(x != y)


def and_(a: Any, b: Any) -> Any:
    """Return whether neither is 0."""
    return truth(a != 0 and b != 0)


def or_(a: Any, b: Any) -> Any:
    """Return whether one is not 0."""
    return truth(a != 0 or b != 0)


def not_(a: Any) -> Any:
    """Return whether it is 0."""
    return truth(a == 0)


def where(condition: Any, a: Any, b: Any) -> Any:
    """Return a where the condition is not 0, else b."""
    return a if condition != 0 else b


def min_(*args: Any) -> Any:
    """Return the least argument, nan where one is nan."""
    return mp.nan if any(map(mp.isnan, args)) else min(args)


def max_(*args: Any) -> Any:
    """Return the greatest argument, nan where one is nan."""
    return mp.nan if any(map(mp.isnan, args)) else max(args)


def clip(x: Any, low: Any, high: Any) -> Any:
    """Return min(max(x, low), high)."""
    return min_(max_(x, low), high)


def bounded(x: Any) -> Any:
    """Return x brought between -1000 and 1000."""
    return clip(x, mp.mpf(-1000), mp.mpf(1000))


def relu(x: Any) -> Any:
    """Return x for x > 0, else 0."""
    return mp.mpf(0) if x <= 0 else x


def leaky_relu(x: Any, slope: Any) -> Any:
    """Return x for x > 0, else slope*x."""
    return x if x > 0 else slope * x


def elu(x: Any, alpha: Any) -> Any:
    """Return x for x > 0, else alpha*(exp(x) - 1)."""
    return x if x > 0 else alpha * mp.expm1(x)


# Powers, exponentials, logarithms

sqrt, exp, expm1, log, log10, log1p = mp.sqrt, mp.exp, mp.expm1, mp.log, mp.log10, mp.log1p
hypot = mp.hypot


def pow_(x: Any, y: Any) -> Any:
    """Return x^y; 0^0 is 1."""
    return mp.mpf(1) if y == 0 else x**y


def powlog(n: Any, x: Any, y: Any) -> Any:
    """Return x^y*log(x)^n."""
    return pow_(x, y) * pow_(mp.log(x), n)


def dpow(x: Any, y: Any) -> Any:
    """Return x^y*log(x), 0 at x = 0 for y >= 0."""
    return mp.mpf(0) if x == 0 and y >= 0 else pow_(x, y) * mp.log(x)


def direction(x: Any, y: Any) -> Any:
    """Return x/hypot(x, y)."""
    return x / mp.hypot(x, y)


def unit(x: Any, length: Any) -> Any:
    """Return x/length."""
    return x / length


def leg(x: Any) -> Any:
    """Return sqrt(1 - x^2)."""
    return mp.sqrt((1 - x) * (1 + x))


def legs(x: Any) -> Any:
    """Return x*sqrt(1 - x^2)."""
    return x * leg(x)


def root(x: Any, n: Any) -> Any:
    """Return x^(1/n), negative for negative x where n is odd."""
    return -((-x) ** (1 / n)) if x < 0 and mp.floor(n) % 2 == 1 else x ** (1 / n)


def cbrt(x: Any) -> Any:
    """Return the cube root."""
    return root(x, mp.mpf(3))


def exp2(x: Any) -> Any:
    """Return 2^x."""
    return mp.mpf(2) ** x


def log2(x: Any) -> Any:
    """Return the logarithm to base 2."""
    return mp.log(x) / mp.ln2


def log_base(x: Any, base: Any) -> Any:
    """Return the logarithm to a base."""
    return mp.log(x) / mp.log(base)


def logaddexp(x: Any, y: Any) -> Any:
    """Return log(e^x + e^y)."""
    return max(x, y) + mp.log1p(mp.exp(-abs(x - y)))


def xlogy(x: Any, y: Any) -> Any:
    """Return x*log(y), and 0 where x is 0."""
    return x * mp.log(y) if x else mp.mpf(0)


# Trigonometric and hyperbolic functions

sin, cos, tan, sec, csc, cot = mp.sin, mp.cos, mp.tan, mp.sec, mp.csc, mp.cot
asin, acos, atan, atan2 = mp.asin, mp.acos, mp.atan, mp.atan2
asec, acsc, acot = mp.asec, mp.acsc, mp.acot
sinh, cosh, tanh, sech, csch, coth = mp.sinh, mp.cosh, mp.tanh, mp.sech, mp.csch, mp.coth
asinh, acosh, atanh = mp.asinh, mp.acosh, mp.atanh
asech, acsch, acoth = mp.asech, mp.acsch, mp.acoth
degrees, radians = mp.degrees, mp.radians


def sinc(x: Any) -> Any:
    """Return sin(pi x)/(pi x)."""
    return mp.sincpi(x)


def dsinc(n: Any, x: Any) -> Any:
    """Return the n-th derivative of sinc."""
    return mp.diff(mp.sincpi, x, int(n))


# Activations and special functions


def sigmoid(x: Any) -> Any:
    """Return 1/(1 + exp(-x))."""
    return 1 / (1 + mp.exp(-x))


def share(x: Any, y: Any) -> Any:
    """Return exp(x)/(exp(x) + exp(y))."""
    return sigmoid(x - y)


def softplus(x: Any) -> Any:
    """Return log(1 + exp(x))."""
    return logaddexp(x, mp.mpf(0))


def silu(x: Any) -> Any:
    """Return x*sigmoid(x)."""
    return x * sigmoid(x)


def gelu(x: Any) -> Any:
    """Return x*normcdf(x)."""
    return x * normcdf(x)


erf, erfc = mp.erf, mp.erfc


def gaussian(x: Any) -> Any:
    """Return exp(-x^2)."""
    return mp.exp(-x * x)


def normpdf(x: Any) -> Any:
    """Return the density of the normal distribution."""
    return mp.npdf(x)


def normcdf(x: Any) -> Any:
    """Return the normal distribution."""
    return mp.ncdf(x)


def gamma(x: Any) -> Any:
    """Return the gamma function."""
    return off_poles(x, mp.gamma)


def lgamma(x: Any) -> Any:
    """Return log(abs(gamma(x)))."""
    return off_poles(x, lambda at: mp.re(mp.loggamma(at)))


def digamma(x: Any) -> Any:
    """Return the derivative of lgamma."""
    return off_poles(x, mp.digamma)


def polygamma(n: Any, x: Any) -> Any:
    """Return the n-th derivative of digamma."""
    return off_poles(x, lambda at: mp.psi(int(n), at))


def stop_gradient(x: Any) -> Any:
    """Return x."""
    return x


def checkpoint(x: Any) -> Any:
    """Return x."""
    return x


def in_training(a: Any, b: Any) -> Any:
    """Return b."""
    return b
