"""Powers, roots, exponentials and logarithms.

Partials, here and in the modules beside it, are written to keep their digits over the whole domain:
(1 - x)*(1 + x) and not 1 - x^2 near the ends, products of small factors and not a difference of
large ones in the tails.
"""

from __future__ import annotations

import math

from .arithmetic import POWER, mod
from .comparison import and_, equal, greater_equal, less
from .forms import basic, elementary
from .rounding import abs_
from .rules import Expr, Operand
from .selection import where
from .table import NOT_ZERO, POSITIVE, REAL, Domain, Op

LN2, LN10 = math.log(2.0), math.log(10.0)

sqrt: Op = Op(
    name="sqrt",
    signature="sqrt(x)",
    doc="the square root",
    scalar=elementary.sqrt,
    array=".forms.elementary_arrays:sqrt",
    complex="numpy:sqrt",
    partials=(lambda r, x: 1.0 / (2.0 * r),),
    convention="the derivative at 0 is inf; both zeros count as 0",
    domain=(POSITIVE,),
    graphdef="Sqrt",
    spelling={"python": "np.sqrt({0})", "latex": r"\sqrt{{{0}}}"},
    nonnegative=True,
)

cbrt: Op = Op(
    name="cbrt",
    signature="cbrt(x)",
    doc="the cube root, of negative numbers too",
    scalar=elementary.cbrt,
    array=".forms.elementary_arrays:cbrt",
    partials=(lambda r, x: 1.0 / (3.0 * r**2.0),),
    convention="the derivative at 0 is inf",
    domain=(NOT_ZERO,),
    spelling={
        "python": "np.cbrt({0})",
        "sympy": "sp.real_root({0}, 3)",
        "latex": r"\sqrt[3]{{{0}}}",
    },
    parity="odd",
)

root: Op = Op(
    name="root",
    signature="root(x, n)",
    doc="the n-th root, of negative numbers too where n is odd",
    scalar=elementary.root,
    array=".forms.elementary_arrays:root",
    partials=(
        # 1/(n*r^(n-1)) has the limit at 0, but loses digits for large n and overflows for n < 0.
        lambda r, x, n: where(equal(x, 0.0), 1.0 / (n * r ** (n - 1.0)), r / n / x),
        lambda r, x, n: where(equal(x, 0.0), 0.0, -r * log(abs_(x)) / n / n),
    ),
    convention="the derivative by x at 0 is inf (n > 1), that by n is 0 there",
    domain=(POSITIVE, Domain("n > 0", low=0.5, high=50.0)),
    definition=lambda x, n: _real_root(x, n),
    spelling={"latex": r"\sqrt[{1}]{{{0}}}"},
)

exp: Op = Op(
    name="exp",
    signature="exp(x)",
    doc="e to the power x",
    scalar=elementary.exp,
    array="numpy:exp",
    partials=(lambda r, x: r,),
    graphdef="Exp",
    spelling={"latex": r"e^{{{0}}}"},
    undoes="log",
    nonnegative=True,
)

exp2: Op = Op(
    name="exp2",
    signature="exp2(x)",
    doc="2 to the power x",
    scalar=elementary.exp2,
    array="numpy:exp2",
    partials=(lambda r, x: LN2 * r,),
    definition=lambda x: pow_(2.0, x),
    undoes="log2",
    nonnegative=True,
)

expm1: Op = Op(
    name="expm1",
    signature="expm1(x)",
    doc="exp(x) - 1, with all its digits near 0",
    scalar=elementary.expm1,
    array="numpy:expm1",
    partials=(lambda r, x: exp(x),),
    graphdef="Expm1",
    definition=lambda x: exp(x) - 1.0,
    undoes="log1p",
)

log: Op = Op(
    name="log",
    signature="log(x)",
    doc="the natural logarithm",
    scalar=elementary.log,
    array="numpy:log",
    partials=(lambda r, x: 1.0 / x,),
    convention="log(0) is -inf with derivative inf; below 0 there is no value and no derivative",
    aliases=("ln",),
    domain=(POSITIVE,),
    graphdef="Log",
    spelling={"latex": r"\ln\left({0}\right)"},
    undoes="exp",
)

log_base: Op = Op(
    name="log_base",
    signature="log(x, base)",
    doc="the logarithm to a base, exact where log2 and log10 are",
    scalar=elementary.log_base,
    array=".forms.elementary_arrays:log_base",
    partials=(
        lambda r, x, b: 1.0 / log(b) / x,
        lambda r, x, b: -r / log(b) / b,
    ),
    convention="log(0, base) is -inf with derivative inf, for a base above 1",
    domain=(POSITIVE, Domain("base > 0 but 1", low=1.5, high=1e3)),
    definition=lambda x, b: _logarithm(x, b),
    spelling={"sympy": "sp.log({0}, {1})", "latex": r"\log_{{{1}}}\left({0}\right)"},
)

log2: Op = Op(
    name="log2",
    signature="log2(x)",
    doc="the logarithm to base 2",
    scalar=elementary.log2,
    array="numpy:log2",
    partials=(lambda r, x: (1.0 / LN2) / x,),
    convention="log2(0) is -inf with derivative inf",
    domain=(POSITIVE,),
    spelling={"sympy": "sp.log({0}, 2)", "latex": r"\log_{{2}}\left({0}\right)"},
    undoes="exp2",
)

log10: Op = Op(
    name="log10",
    signature="log10(x)",
    doc="the logarithm to base 10",
    scalar=elementary.log10,
    array="numpy:log10",
    partials=(lambda r, x: (1.0 / LN10) / x,),
    convention="log10(0) is -inf with derivative inf",
    domain=(POSITIVE,),
    spelling={"sympy": "sp.log({0}, 10)", "latex": r"\log_{{10}}\left({0}\right)"},
)

log1p: Op = Op(
    name="log1p",
    signature="log1p(x)",
    doc="log(1 + x), with all its digits near 0",
    scalar=elementary.log1p,
    array="numpy:log1p",
    partials=(lambda r, x: 1.0 / (1.0 + x),),
    convention="log1p(-1) is -inf with derivative inf",
    domain=(Domain("x > -1", low=-1.0),),
    graphdef="Log1p",
    definition=lambda x: log(1.0 + x),
    undoes="expm1",
)


def _constant_power(x: Expr, exponent: float) -> Operand:
    """Return d/dx x^c for a number c, without the factors and powers that are 1."""
    if exponent == 0.0:
        return 0.0
    power = 1.0 if exponent == 1.0 else x if exponent == 2.0 else x ** (exponent - 1.0)
    return power if exponent == 1.0 else exponent * power


def _power_by_base(r: Expr, x: Expr, y: Expr) -> Operand:
    if y.literal is not None:
        return _constant_power(x, y.literal)
    power = y * x ** (y - 1.0)
    if y.number:
        return power
    corner = equal(y, 0.0) if y.closed else and_(equal(x, 0.0), equal(y, 0.0))
    return where(corner, 0.0, power)


def _power_by_exponent(r: Expr, x: Expr, y: Expr) -> Operand:
    if x.literal is not None and x.literal > 0.0:
        return r * log(x)
    return where(and_(equal(x, 0.0), greater_equal(y, 0.0)), 0.0, r * log(x))


pow_: Op = Op(
    name="pow",
    signature="pow(x, y)",
    doc="x to the power y",
    scalar=basic.pow_,
    array=".forms.basic_arrays:pow_",
    complex="numpy:power",
    partials=(_power_by_base, _power_by_exponent),
    natural="exp",
    convention="0^0 is 1; at x = 0, d/dx is 0, 1, inf at y = 2, 1, 0.5 and 0 at y = 0, and d/dy "
    "is 0 for y >= 0; at x < 0 and whole y, d/dy is nan; a constant exponent never uses log",
    domain=(Domain("x > 0, or any x with y whole", low=0.0), Domain("any real number")),
    infix="^",
    precedence=POWER,
    sign="^",
    graphdef="Pow",
    spelling={
        "javascript": "Math.pow({0}, {1})",
        "python": "np.power({0}, {1})",
        "sympy": "{0:100}**{1:80}",
        "latex": "{0:101}^{{{1}}}",
    },
    rule="power",
)

xlogy: Op = Op(
    name="xlogy",
    signature="xlogy(x, y)",
    doc="x*log(y), and 0 where x is 0",
    scalar=elementary.xlogy,
    array=".forms.elementary_arrays:xlogy",
    partials=(
        lambda r, x, y: log(y),
        lambda r, x, y: where(equal(x, 0.0), 0.0, x / y),
    ),
    convention="at (0, 0) the value is 0, d/dx is -inf and d/dy is 0",
    domain=(REAL, POSITIVE),
    graphdef="Xlogy",
    definition=lambda x, y: where(and_(equal(x, 0.0), equal(y, y)), 0.0, x * log(y)),
)

hypot: Op = Op(
    name="hypot",
    signature="hypot(x, y)",
    doc="the length of the hypotenuse, sqrt(x^2 + y^2) without overflow",
    scalar=math.hypot,
    array=".forms.elementary_arrays:hypot",
    partials=(
        lambda r, x, y: _cosine(x, r, other=y),
        lambda r, x, y: _cosine(y, r, other=x),
    ),
    convention="the derivative at (0, 0) is 0 in both",
    ordered=False,
    definition=lambda x, y: sqrt(x**2.0 + y**2.0),
    spelling={"python": "np.hypot({0}, {1})"},
    nonnegative=True,
)


def _cosine(side: Expr, length: Expr, other: Expr) -> Expr:
    """Return side/length, 0 where both sides are 0 (which a nonzero constant side rules out)."""
    slope = side / length
    if side.literal or other.literal:
        return slope
    return where(equal(length, 0.0), 0.0, slope)


def _real_root(x: Expr, n: Expr) -> Expr:
    odd = equal(mod(n, 2.0), 1.0)
    below = where(odd, -pow_(-x, 1.0 / n), math.nan)
    return where(less(x, 0.0), below, pow_(x, 1.0 / n))


def _logarithm(x: Expr, base: Expr) -> Expr:
    if base.literal in (2.0, 10.0):
        return log2(x) if base.literal == 2.0 else log10(x)
    plain = log(x) / log(base)
    if base.literal is not None:
        return plain
    return where(equal(base, 10.0), log10(x), where(equal(base, 2.0), log2(x), plain))


def leg(a: Expr) -> Expr:
    """Return sqrt(a^2 - 1) for a >= 1, right at 1 + 1e-16 and at 1e300."""
    return sqrt(a - 1.0) * sqrt(a + 1.0)
