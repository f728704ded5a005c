# pyright: basic
"""The value of every elementwise op in mpmath: the one list of ops that knows nothing of the table.

Derivatives are differences at a precision that leaves no doubt; `SLOPES` states those that have
jumps nearby or take too long. Outside its domain a function is nan.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import mpmath

from .samples import FIRST_NORMAL

if TYPE_CHECKING:
    from cgraph.autodiff.graph import Graph

mp: Any = mpmath.mp
mpf: Any = mpmath.mpf
"""mpmath has no types, hence the loose checks of this file."""

Truth = Callable[..., Any]


def where_defined(defined: Callable[..., bool], function: Truth) -> Truth:
    """Return the function made nan where it is not defined."""
    return lambda *args: function(*args) if defined(*args) else mp.nan


def power(x: Any, y: Any) -> Any:
    """Return x^y; 0^0 is 1, and a negative x needs a whole y."""
    if y == 0:
        return mpf(1)
    if x == 0:
        return mpf(0) if y > 0 else mp.inf
    return x**y if x > 0 or y == mp.floor(y) else mp.nan


def real_root(x: Any, n: Any) -> Any:
    """Return x^(1/n), negative for negative x where n is odd."""
    if x < 0 and mp.floor(n) % 2 != 1:
        return mp.nan
    return mp.sign(x) * abs(x) ** (1 / n)


def log_sum(x: Any, y: Any) -> Any:
    """Return log(e^x + e^y)."""
    return max(x, y) + mp.log1p(mp.exp(-abs(x - y)))


def sinc(x: Any) -> Any:
    """Return sin(pi x)/(pi x)."""
    return mp.sinpi(x) / (mp.pi * x) if x else mpf(1)


def sinc_derivative(n: Any, x: Any) -> Any:
    """Return the n-th derivative of sinc: its series near 0, beyond Leibniz's rule."""
    n = int(n)
    if abs(x) < 2:
        return sinc_series(n, mp.pi * x)
    waves = (mp.sinpi(x), mp.cospi(x), -mp.sinpi(x), -mp.cospi(x))
    return mp.fsum(
        mp.binomial(n, k) * mp.pi ** (k - 1) * waves[k % 4] * (-1) ** (n - k)
        * mp.factorial(n - k) / x ** (n - k + 1)
        for k in range(n + 1)
    )  # fmt: skip


def sinc_series(n: int, z: Any) -> Any:
    """Return pi^n times the n-th derivative of sin(z)/z, by its power series."""
    total, k = mpf(0), n + n % 2
    while True:
        term = (-1) ** (k // 2) * z ** (k - n) / mp.factorial(k - n) / (k + 1)
        total += term
        k += 2
        if abs(term) <= abs(total) * mpf(2) ** -(mp.prec + 10):
            return mp.pi**n * total


def polygamma(n: Any, x: Any) -> Any:
    """Return the n-th derivative of digamma: Hurwitz's zeta, by its recurrence below 0."""
    if n == 0:
        return mp.digamma(x)
    shift = 0 if x > 0 else int(-x) + 1
    terms = mp.fsum((x + k) ** (-n - 1) for k in range(shift))
    return (-1) ** (int(n) + 1) * mp.factorial(n) * (mp.zeta(n + 1, x + shift) + terms)


def gaussian(square: Any) -> Any:
    """Return e^-square, 0 where it is 0 to any double."""
    return mp.exp(-square) if square < 10_000 else mpf(0)


def erfc(x: Any) -> Any:
    """Return 1 - erf(x), 0 and 2 where it is so to any double."""
    return mp.erfc(x) if abs(x) < 100 else mpf(0 if x > 0 else 2)


def not_a_pole(x: Any) -> bool:
    """Tell whether x is none of 0, -1, -2, ..."""
    return bool(x > 0 or x != mp.floor(x))


def truth(condition: Any) -> Any:
    """Return 1 for true and 0 for false."""
    return mpf(1 if condition else 0)


VALUES: dict[str, Truth] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": where_defined(lambda x, y: y != 0, lambda x, y: x / y),
    "mod": where_defined(lambda x, y: y != 0, lambda x, y: x - y * mp.floor(x / y)),
    "neg": lambda x: -x,
    "checkpoint": lambda x: x,
    "in_training": lambda a, b: b,
    "pow": power,
    "abs": abs,
    "sign": mp.sign,
    "floor": mp.floor,
    "ceil": mp.ceil,
    "round": mp.nint,
    "trunc": lambda x: mp.floor(x) if x > 0 else mp.ceil(x),
    "step": lambda x: truth(x > 0),
    "less": lambda x, y: truth(x < y),
    "less_equal": lambda x, y: truth(x <= y),
    "greater": lambda x, y: truth(x > y),
    "greater_equal": lambda x, y: truth(x >= y),
    "equal": lambda x, y: truth(x == y),
    "not_equal": lambda x, y: truth(x != y),
    "and": lambda a, b: truth(a != 0 and b != 0),
    "or": lambda a, b: truth(a != 0 or b != 0),
    "not": lambda a: truth(a == 0),
    "where": lambda c, a, b: a if c != 0 else b,
    "min": lambda *args: min(args),
    "max": lambda *args: max(args),
    "clip": lambda x, lo, hi: min(max(x, lo), hi),
    "relu": lambda x: max(x, mpf(0)),
    "bounded": lambda x: min(max(x, mpf(-1000)), mpf(1000)),
    "leaky_relu": lambda x, slope: x if x > 0 else slope * x,
    "elu": lambda x, alpha: x if x > 0 else alpha * mp.expm1(x),
    "sqrt": where_defined(lambda x: x >= 0, mp.sqrt),
    "cbrt": lambda x: real_root(x, mpf(3)),
    "root": real_root,
    "exp": mp.exp,
    "exp2": lambda x: mpf(2) ** x,
    "expm1": mp.expm1,
    "log": where_defined(lambda x: x > 0, mp.log),
    "log2": where_defined(lambda x: x > 0, lambda x: mp.log(x) / mp.ln2),
    "log10": where_defined(lambda x: x > 0, lambda x: mp.log(x) / mp.ln10),
    "log1p": where_defined(lambda x: x > -1, mp.log1p),
    "log_base": where_defined(
        lambda x, base: x > 0 and base > 0 and base != 1, lambda x, base: mp.log(x) / mp.log(base)
    ),
    "logaddexp": log_sum,
    "xlogy": where_defined(
        lambda x, y: x == 0 or y > 0, lambda x, y: x * mp.log(y) if x else mpf(0)
    ),
    "sin": mp.sin,
    "cos": mp.cos,
    "tan": mp.tan,
    "sec": mp.sec,
    "csc": where_defined(lambda x: x != 0, mp.csc),
    "cot": where_defined(lambda x: x != 0, mp.cot),
    "asin": where_defined(lambda x: abs(x) <= 1, mp.asin),
    "acos": where_defined(lambda x: abs(x) <= 1, mp.acos),
    "atan": mp.atan,
    "asec": where_defined(lambda x: abs(x) >= 1, lambda x: mp.acos(1 / x)),
    "acsc": where_defined(lambda x: abs(x) >= 1, lambda x: mp.asin(1 / x)),
    "acot": where_defined(lambda x: x != 0, lambda x: mp.atan(1 / x)),
    "atan2": mp.atan2,
    "sinh": mp.sinh,
    "cosh": mp.cosh,
    "tanh": mp.tanh,
    "sech": mp.sech,
    "csch": where_defined(lambda x: x != 0, mp.csch),
    "coth": where_defined(lambda x: x != 0, mp.coth),
    "asinh": mp.asinh,
    "acosh": where_defined(lambda x: x >= 1, mp.acosh),
    "atanh": where_defined(lambda x: abs(x) < 1, mp.atanh),
    "asech": where_defined(lambda x: 0 < x <= 1, lambda x: mp.acosh(1 / x)),
    "acsch": where_defined(lambda x: x != 0, lambda x: mp.asinh(1 / x)),
    "acoth": where_defined(lambda x: abs(x) > 1, lambda x: mp.atanh(1 / x)),
    "hypot": mp.hypot,
    "direction": lambda x, y: x / mp.hypot(x, y),
    "leg": where_defined(lambda x: abs(x) <= 1, lambda x: mp.sqrt((1 - x) * (1 + x))),
    "legs": where_defined(lambda x: abs(x) <= 1, lambda x: x * mp.sqrt((1 - x) * (1 + x))),
    "unit": where_defined(lambda x, length: length != 0, lambda x, length: x / length),
    "dpow": lambda x, y: power(x, y) * mp.log(x),
    "powlog": lambda n, x, y: power(x, y) * mp.log(x) ** int(n) if n else power(x, y),
    "degrees": lambda x: x * 180 / mp.pi,
    "radians": lambda x: x * mp.pi / 180,
    "sinc": sinc,
    "dsinc": sinc_derivative,
    "sigmoid": lambda x: 1 / (1 + mp.exp(-x)),
    "share": lambda x, y: 1 / (1 + mp.exp(y - x)),
    "softplus": lambda x: mp.log1p(mp.exp(x)),
    "silu": lambda x: x / (1 + mp.exp(-x)),
    "gelu": lambda x: x * erfc(-x / mp.sqrt(2)) / 2,
    "erf": lambda x: mp.erf(x) if abs(x) < 100 else mp.sign(x),
    "erfc": erfc,
    "gaussian": lambda x: gaussian(x * x),
    "normpdf": lambda x: gaussian(x * x / 2) / mp.sqrt(2 * mp.pi),
    "normcdf": lambda x: erfc(-x / mp.sqrt(2)) / 2,
    "gamma": where_defined(not_a_pole, mp.gamma),
    "lgamma": where_defined(not_a_pole, lambda x: mp.log(abs(mp.gamma(x)))),
    "digamma": where_defined(not_a_pole, mp.digamma),
    "polygamma": where_defined(lambda n, x: not_a_pole(x), polygamma),
}


def zero(*args: Any) -> Any:
    """Return the derivative of a step function."""
    return mpf(0)


STEPS = ("sign", "floor", "ceil", "round", "trunc", "step", "not", "and", "or")
COMPARISONS = ("less", "less_equal", "greater", "greater_equal", "equal", "not_equal")


def powlog_by_base(n: Any, x: Any, y: Any) -> Any:
    """Return the derivative of x^y*log(x)^n by x."""
    log = mp.log(x)
    return x ** (y - 1) * (y * log ** int(n) + (n * log ** int(n - 1) if n else 0))


SLOPES: dict[str, tuple[Truth, ...]] = {
    **dict.fromkeys((*STEPS, *COMPARISONS), (zero, zero)),
    "mod": (lambda x, y: mpf(1), lambda x, y: -mp.floor(x / y)),
    "erf": (lambda x: 2 * gaussian(x * x) / mp.sqrt(mp.pi),),
    "erfc": (lambda x: -2 * gaussian(x * x) / mp.sqrt(mp.pi),),
    "normcdf": (lambda x: gaussian(x * x / 2) / mp.sqrt(2 * mp.pi),),
    "gamma": (lambda x: mp.gamma(x) * mp.digamma(x),),
    "lgamma": (mp.digamma,),
    "digamma": (lambda x: polygamma(1, x),),
    "powlog": (
        lambda n, x, y: mp.nan,
        powlog_by_base,
        lambda n, x, y: VALUES["powlog"](n + 1, x, y),
    ),
    "polygamma": (lambda n, x: mp.nan, lambda n, x: polygamma(n + 1, x)),
    "dsinc": (lambda n, x: mp.nan, lambda n, x: sinc_derivative(n + 1, x)),
}


def slope(name: str, k: int, point: tuple[float, ...]) -> Any:
    """Return the true derivative of an op by argument k."""
    if name in SLOPES:
        return settled(SLOPES[name][k], point)
    return difference(VALUES[name], point, k)


def value(name: str, point: tuple[float, ...]) -> Any:
    """Return the true value of an op."""
    return settled(VALUES[name], point)


def settled(function: Truth, point: tuple[float, ...]) -> Any:
    """Return the value of a function at a precision that leaves it 30 digits.

    A 0 is believed only at the bits that the largest and the smallest double have between them.
    """
    bits, before = 200, mp.nan
    while True:
        with mp.workprec(bits):
            value = mpf(function(*map(mpf, point)))
            near = value == before or abs(value - before) <= abs(value) * mpf(2) ** -100
            if mp.isnan(value) or (near and (value or bits > 2200)):
                return value
        bits, before = 2 * bits, value
        assert bits < 10_000, f"no truth at {point}"


def difference(function: Truth, point: tuple[float, ...], k: int) -> Any:
    """Return the derivative by argument k: a central difference over a step of 2^-200.

    Its bits are enough where the values' difference keeps 100 of them; at 4,800 bits what is lost
    is smaller than the smallest double.
    """
    found = mpf(0)
    for bits in (600, 1200, 2400, 4800):
        with mp.workprec(bits):
            h = step(point[k], 200)
            above, below = (at(function, point, {k: s * h}) for s in (1, -1))
            found = (above - below) / (2 * h)
            if abs(above - below) > abs(above) * mpf(2) ** (100 - bits):
                break
    return found


def curvature(name: str, j: int, k: int, point: tuple[float, ...]) -> Any:
    """Return the true second derivative of an op by arguments j and k."""
    if name in SLOPES:
        return difference(SLOPES[name][k], point, j)
    with mp.workprec(1500):
        h = step(point[j], 200)
        above, below = (slope_at(VALUES[name], point, {j: s * h}, k) for s in (1, -1))
        return (above - below) / (2 * h)


def slope_at(function: Truth, point: tuple[float, ...], shift: dict[int, Any], k: int) -> Any:
    """Return the derivative by argument k at a shifted point."""
    h = step(point[k], 400)
    up, down = ({**shift, k: shift.get(k, 0) + s * h} for s in (1, -1))
    return (at(function, point, up) - at(function, point, down)) / (2 * h)


def step(x: float, bits: int) -> Any:
    """Return a step that is small beside x and beside 1."""
    return mpf(min(abs(x), 1.0) or 1.0) * mpf(2) ** -bits


def at(function: Truth, point: tuple[float, ...], shift: dict[int, Any]) -> Any:
    """Return the function at a shifted point."""
    return mpf(function(*[mpf(x) + shift.get(i, 0) for i, x in enumerate(point)]))


# Errors


def ulps(found: float, true: Any, scale: float = 0.0) -> float:
    """Return the error in ulps of the truth, or of the scale where that is larger.

    Below the first normal number an ulp is 5e-324.
    """
    nearest = float(true)
    if not (math.isfinite(found) and math.isfinite(nearest)):
        return 0.0 if same(found, nearest) else math.inf
    return float(abs(mpf(found) - true) / math.ulp(max(abs(nearest), scale, FIRST_NORMAL)))


def same(x: float, y: float) -> bool:
    """Tell whether two numbers are equal, nan with nan."""
    return x == y or (x != x and y != y)


# Whole graphs

BITS = 1500
LARGEST = 2**2000


def evaluate(graph: Graph, wanted: Sequence[int], given: Mapping[str, Any]) -> list[Any]:
    """Return the values of nodes; nan where an op has none, or one too large to go on with."""
    values: dict[int, Any] = {}
    for index, node in graph.walk(graph.needed(wanted)):
        match node.op.name:
            case "placeholder":
                values[index] = mpf(given[str(node.attrs[0])])
            case "constant":
                values[index] = mpf(node.attrs[0])
            case name:
                values[index] = value_of(name, [values[arg] for arg in node.args])
    return [values[node] for node in wanted]


def value_of(name: str, args: list[Any]) -> Any:
    """Return an op's value; a nan passes through all ops but those that may ignore it."""
    if name not in ("where", "and", "or", "not", *COMPARISONS) and any(map(mp.isnan, args)):
        return mp.nan
    try:
        value = VALUES[name](*args)
    except (ArithmeticError, ValueError):
        return mp.nan
    return value if abs(value) < LARGEST else mp.nan


def sides(graph: Graph, output: int, given: Mapping[str, float], name: str) -> tuple[Any, Any]:
    """Return the slopes of a node by an input to the left and to the right."""
    with mp.workprec(BITS):
        h = step(given[name], 300)
        below, here, above = (
            evaluate(graph, [output], {**given, name: mpf(given[name]) + s * h})[0]
            for s in (-1, 0, 1)
        )
        return (here - below) / h, (above - here) / h
