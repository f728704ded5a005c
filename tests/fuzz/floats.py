# pyright: basic
"""Every elementwise op in NumPy and SciPy, as IEEE 754 has it: what cgraph's own forms are beside.

Only what is declared at awkward points (DESIGN, `cgraph functions`) is put in by hand.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

Function = Callable[..., Any]

NAN, INF = np.nan, np.inf


def root(x: Any, n: Any) -> Any:
    """Return x^(1/n), negative for negative x where n is odd."""
    odd = np.mod(n, 2.0) == 1.0
    size = np.power(np.abs(x), 1.0 / n)
    return np.where(x < 0, np.where(odd, -size, NAN), size)


def log_base(x: Any, base: Any) -> Any:
    """Return the logarithm to a base."""
    return np.log(x) / np.log(base)


def chosen(pick: Function) -> Function:
    """Return the least or the greatest of any number of arguments; nan passes through."""

    def function(*args: Any) -> Any:
        found = args[0]
        for arg in args[1:]:
            found = pick(found, arg)
        return found

    return function


def sinc(x: Any) -> Any:
    """Return sin(pi x)/(pi x), which is 0 at infinity."""
    return np.where(np.isinf(x), 0.0, np.sinc(x))


def dsinc(n: Any, x: Any) -> Any:
    """Return nan: there is nothing that has it."""
    return np.where(np.isinf(x), 0.0, NAN) + 0 * n


def share(x: Any, y: Any) -> Any:
    """Return e^x/(e^x + e^y); equal ones have equal shares."""
    return np.where(x == y, 0.5, special.expit(x - y))


def clip(x: Any, lo: Any, hi: Any) -> Any:
    """Return min(max(x, lo), hi)."""
    return np.minimum(np.maximum(x, lo), hi)


def gamma(x: Any) -> Any:
    """Return gamma: inf at 0, nan at the other poles."""
    found = special.gamma(x)
    return np.where((x < 0) & (x == np.floor(x)), NAN, np.where(x == 0, 1 / (x + 0.0), found))


def lgamma(x: Any) -> Any:
    """Return the logarithm of the absolute value of gamma."""
    return np.where(np.isneginf(x), INF, special.gammaln(x))


def digamma(x: Any) -> Any:
    """Return digamma: nan at its poles."""
    return np.where((x <= 0) & (x == np.floor(x)), NAN, special.digamma(x))


def polygamma(n: Any, x: Any) -> Any:
    """Return what SciPy has for x > 0, nan elsewhere."""
    return np.where(x > 0, special.polygamma(np.asarray(n, int), np.abs(x)), NAN)


def truth(function: Function) -> Function:
    """Return a comparison as 1 or 0."""
    return lambda *args: np.asarray(function(*args), np.float64)


def erfcx_tail(x: Any) -> Any:
    """Return 1 - erf(x)."""
    return special.erfc(x)


def acot(x: Any) -> Any:
    """Return atan(1/x), pi/2 at both zeros."""
    return np.where(x == 0, np.pi / 2, np.arctan(1 / np.asarray(x)))


def _one(function: Function) -> Function:
    return lambda x: function(1 / np.asarray(x))


def relu(x: Any) -> Any:
    """Return x where it is positive, else 0."""
    return np.where(x <= 0, 0.0, x)


def tails(function: Function, left: float, right: Function) -> Function:
    """Return a function with its limits at the infinities."""
    return lambda x: np.where(np.isneginf(x), left, np.where(np.isposinf(x), right(x), function(x)))


FLOATS: dict[str, Function] = {
    **{"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.true_divide},
    **{"mod": np.mod, "neg": np.negative, "pow": np.power, "abs": np.abs, "sign": np.sign},
    **{"floor": np.floor, "ceil": np.ceil, "round": np.rint, "trunc": np.trunc},
    **{"checkpoint": lambda x: x, "stop_gradient": lambda x: x, "in_training": lambda a, b: b},
    "step": lambda x: np.where(np.isnan(x), NAN, np.where(x > 0, 1.0, 0.0)),
    **{"less": truth(np.less), "less_equal": truth(np.less_equal)},
    **{"greater": truth(np.greater), "greater_equal": truth(np.greater_equal)},
    **{"equal": truth(np.equal), "not_equal": truth(np.not_equal)},
    **{"and": truth(np.logical_and), "or": truth(np.logical_or), "not": truth(np.logical_not)},
    **{"where": lambda c, a, b: np.where(np.asarray(c) != 0, a, b), "clip": clip, "relu": relu},
    **{"min": chosen(np.minimum), "max": chosen(np.maximum)},
    "leaky_relu": lambda x, slope: np.where(x > 0, x, slope * x),
    "elu": lambda x, alpha: np.where(x > 0, x, alpha * np.expm1(x)),
    **{"sqrt": np.sqrt, "cbrt": np.cbrt, "root": root, "exp": np.exp, "exp2": np.exp2},
    **{"expm1": np.expm1, "log": np.log, "log2": np.log2, "log10": np.log10, "log1p": np.log1p},
    **{"log_base": log_base, "logaddexp": np.logaddexp, "xlogy": special.xlogy},
    **{"sin": np.sin, "cos": np.cos, "tan": np.tan},
    **{"sec": lambda x: 1 / np.cos(x), "csc": lambda x: 1 / np.sin(x)},
    **{"cot": lambda x: 1 / np.tan(x), "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan},
    **{"asec": _one(np.arccos), "acsc": _one(np.arcsin), "acot": acot, "atan2": np.arctan2},
    **{"sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "sech": lambda x: 1 / np.cosh(x)},
    **{"csch": lambda x: 1 / np.sinh(x), "coth": lambda x: 1 / np.tanh(x)},
    **{"asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh},
    **{"asech": lambda x: np.arccosh(1 / np.abs(x)) + 0 * np.sqrt(x)},
    **{"acsch": _one(np.arcsinh), "acoth": _one(np.arctanh), "hypot": np.hypot},
    **{"degrees": np.degrees, "radians": np.radians, "sinc": sinc, "dsinc": dsinc},
    **{"sigmoid": special.expit, "share": share, "softplus": lambda x: np.logaddexp(0, x)},
    "silu": tails(lambda x: x * special.expit(x), 0.0, lambda x: x),
    "gelu": tails(lambda x: x * special.ndtr(x), 0.0, lambda x: x),
    **{"erf": special.erf, "erfc": special.erfc, "gaussian": lambda x: np.exp(-x * x)},
    "normpdf": lambda x: np.exp(-x * x / 2) / np.sqrt(2 * np.pi),
    **{"normcdf": special.ndtr, "gamma": gamma, "lgamma": lgamma},
    **{"digamma": digamma, "polygamma": polygamma},
}
