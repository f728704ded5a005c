"""Powers, roots, exponentials and logarithms.

Partials, here and in the modules beside it, are written to keep their digits over the whole domain:
(1 - x)*(1 + x) and not 1 - x^2 near the ends, products of small factors and not a difference of
large ones in the tails.
"""

from __future__ import annotations

import math

from . import kinks
from .arithmetic import POWER, mod
from .comparison import and_, equal, greater_equal, less, or_
from .forms import basic, elementary
from .rounding import abs_, floor, sign
from .rules import Expr, Operand
from .selection import max_, where
from .table import NOT_ZERO, POSITIVE, REAL, UNIT, Domain, Op, Torch

LN2, LN10 = math.log(2.0), math.log(10.0)

sqrt: Op = Op(
    name="sqrt",
    signature="sqrt(x)",
    topic="powers",
    doc="the square root",
    scalar=elementary.sqrt,
    array=".forms.elementary_arrays:sqrt",
    complex="numpy:sqrt",
    partials=(lambda r, x: 1.0 / (2.0 * r),),
    convention="the derivative at 0 is inf; both zeros count as 0",
    domain=(POSITIVE,),
    defined="x >= 0",
    graphdef="Sqrt",
    # Of -0.0 it is 0.0, unlike the functions of other languages: they are given -0.0 + 0.
    spelling={
        "c": "sqrt({0:60} + 0)",
        "javascript": "Math.sqrt({0:60} + 0)",
        "python": "np.sqrt({0:60} + 0.0)",
        "latex": r"\sqrt{{{0}}}",
    },
    nonnegative=True,
)

cbrt: Op = Op(
    name="cbrt",
    signature="cbrt(x)",
    topic="powers",
    doc="the cube root, of negative numbers too",
    scalar=elementary.cbrt,
    array=".forms.elementary_arrays:cbrt",
    partials=(lambda r, x: 1.0 / (3.0 * r) / r,),
    convention="the derivative at 0 is inf",
    domain=(NOT_ZERO,),
    defined="any real number",
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
    topic="powers",
    doc="the n-th root, of negative numbers too where n is odd",
    scalar=elementary.root,
    array=".forms.elementary_arrays:root",
    partials=(
        # The power has the limits at 0 and at infinity, but loses digits for large n.
        lambda r, x, n: where(_end(x), powlog(0.0, x, 1.0 / n - 1.0) / n, r / n / x),
        lambda r, x, n: -where(_end(x), powlog(1.0, x, 1.0 / n), r * log(abs_(x))) / n / n,
    ),
    convention="the derivative by x at 0 is inf (n > 1), that by n is 0 there",
    domain=(POSITIVE, Domain("n > 0", low=0.5, high=50.0)),
    defined="x >= 0, or any x with n odd; n not 0",
    definition=lambda x, n: _real_root(x, n),
    spelling={"latex": r"\sqrt[{1}]{{{0}}}"},
)


def _end(x: Expr) -> Expr:
    """Return where r/x has no value for a root r of x."""
    return or_(equal(x, 0.0), equal(abs_(x), math.inf))


exp: Op = Op(
    name="exp",
    signature="exp(x)",
    topic="powers",
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
    topic="powers",
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
    topic="powers",
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
    topic="powers",
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
    topic="powers",
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
    topic="powers",
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
    topic="powers",
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
    topic="powers",
    doc="log(1 + x), with all its digits near 0",
    scalar=elementary.log1p,
    array="numpy:log1p",
    partials=(lambda r, x: 1.0 / (1.0 + x),),
    convention="log1p(-1) is -inf with derivative inf",
    domain=(Domain("x > -1", low=-1.0),),
    graphdef="Log1p",
    definition=lambda x: log(1.0 + x),
    undoes="expm1",
    torch=Torch("Log1PBackward0"),
)


def _constant_power(r: Expr, x: Expr, exponent: float) -> Operand:
    """Return d/dx x^c for a number c, without the factors and powers that are 1."""
    if exponent == 0.0:
        return 0.0
    if exponent < 0.0:
        return exponent * r / _positive_zero(x, exponent)
    power = 1.0 if exponent == 1.0 else x if exponent == 2.0 else x ** (exponent - 1.0)
    return power if exponent == 1.0 else exponent * power


def _positive_zero(x: Expr, exponent: float) -> Expr:
    """Return x, with -0 as 0 where there is no power of negative numbers."""
    return x if exponent.is_integer() else x + 0.0


def _power_by_base(r: Expr, x: Expr, y: Expr) -> Operand:
    if y.literal is not None:
        return _constant_power(r, x, y.literal)
    number = y.number
    if number:
        return y * r / _positive_zero(x, number) if number < 0.0 else y * x ** (y - 1.0)
    if y.closed:
        return where(equal(y, 0.0), 0.0, y * x ** (y - 1.0))
    corner = and_(equal(x, 0.0), kinks.equal(y, 0.0))
    return where(corner, 0.0, y * powlog(0.0, x, y - 1.0))


def _power_by_exponent(r: Expr, x: Expr, y: Expr) -> Operand:
    if x.literal is not None and x.literal > 0.0:
        return r * log(x)
    return dpow(x, y)


def _power_by_hand(u: Expr, v: Expr, du: Expr, dv: Expr) -> Expr:
    """Return the derivative of u^v by the logarithm where both move, else by the rule of one."""
    if dv.literal == 0.0:
        slope = v * u ** (v - 1.0)
        return slope if du.literal == 1.0 else slope * du
    if du.literal == 0.0:
        slope = u**v * log(u)
        return slope if dv.literal == 1.0 else slope * dv
    return u**v * (dv * log(u) + v * du / u)


def _corner(x: Expr, y: Expr) -> Expr:
    """Return where 0^0 is: its value is a convention, and so are its derivatives."""
    return and_(equal(x, 0.0), equal(y, 0.0))


pow_: Op = Op(
    name="pow",
    signature="pow(x, y)",
    topic="powers",
    doc="x to the power y",
    scalar=basic.pow_,
    array=".forms.basic_arrays:pow_",
    complex="numpy:power",
    partials=(_power_by_base, _power_by_exponent),
    natural="exp",
    convention="0^0 is 1; at x = 0, d/dx is 0, 1, inf at y = 2, 1, 0.5 and 0 at y = 0, and d/dy "
    "is 0 for y >= 0; at x < 0 and whole y, d/dy is nan; a constant exponent never uses log",
    kink="at (0, 0)",
    domain=(Domain("x > 0, or any x with y whole", low=0.0), Domain("any real number")),
    defined="x >= 0, or any x with y whole",
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
    by_hand=lambda u, v, du, dv: _power_by_hand(u, v, du, dv),
    torch=Torch("PowBackward1", numbers={(1,): "PowBackward0", (0,): "PowBackward2"}),
)

powlog: Op = Op(
    name="powlog",
    signature="powlog(n, x, y)",
    internal=True,
    doc="x^y*log(x)^n, the n-th derivative of x^y by y, n a whole number",
    scalar=elementary.powlog,
    array=".forms.elementary_arrays:powlog",
    partials=(
        lambda r, n, x, y: math.nan,
        lambda r, n, x, y: _powlog_by_base(r, n, x, y),
        lambda r, n, x, y: _powlog_by_exponent(r, n, x, y),
    ),
    convention="there is no derivative by n: nan; at x = 0 it is the limit from above",
    domain=(
        Domain("n = 0, 1, 2, ...", low=0.0, high=4.0, whole=True),
        POSITIVE,
        Domain("any real number", low=-30.0, high=30.0),
    ),
    definition=lambda n, x, y: _powlog(n, x, y),
    textbook=lambda n, x, y: x**y if n.literal == 0.0 else _powlog(n, x, y),
)

dpow: Op = Op(
    name="dpow",
    signature="dpow(x, y)",
    internal=True,
    doc="x^y*log(x), the derivative of x^y by y",
    scalar=elementary.dpow,
    array=".forms.elementary_arrays:dpow",
    partials=(
        lambda r, x, y: _powlog_by_base(powlog(1.0, x, y), 1.0, x, y),
        lambda r, x, y: _powlog_by_exponent(r, 1.0, x, y),
    ),
    convention="at x = 0 it is 0 for y >= 0",
    domain=(POSITIVE, Domain("any real number", low=-30.0, high=30.0)),
    definition=lambda x, y: _guarded(x, y),
    textbook=lambda x, y: _guarded(x, y),
)


def _guarded(x: Expr, y: Expr) -> Expr:
    return where(and_(equal(x, 0.0), greater_equal(y, 0.0)), 0.0, x**y * log(x))


def _powlog_by_base(r: Expr, n: Operand, x: Expr, y: Expr) -> Expr:
    """Return the derivative by x; below y = 0 by division, as the power underflows before it."""
    order = n.literal if isinstance(n, Expr) else n
    if order == 0.0:
        return where(less(y, 0.0), y * r / x, _falling(n, x, y))
    before = max_(n - 1.0, 0.0) if order is None else order - 1.0
    below = (y * r + n * powlog(before, x, y)) / x
    return where(less(y, 0.0), below, _falling(n, x, y) + n * powlog(before, x, y - 1.0))


def _powlog_by_exponent(r: Expr, n: Operand, x: Expr, y: Expr) -> Expr:
    """Return the derivative by y: where nothing vanishes without a function for each order."""
    return where(_end(x), powlog(n + 1.0, x, y), r * log(x))


def _falling(n: Operand, x: Expr, y: Expr) -> Expr:
    """Return y*x^(y-1)*log(x)^n, 0 where x^y was 1."""
    return where(_corner(x, y), 0.0, y * powlog(n, x, y - 1.0))


def _powlog(n: Expr, x: Expr, y: Expr) -> Expr:
    power = x**y
    if n.literal == 0.0:
        return power
    logs = log(x) if n.literal == 1.0 else log(x) ** n
    vanishes = and_(equal(power, 0.0), greater_equal(x, 0.0))
    if n.literal is not None:
        return where(vanishes, 0.0, power * logs)
    found = where(or_(equal(n, 0.0), vanishes), power, power * logs)
    order = and_(and_(greater_equal(n, 0.0), less(n, math.inf)), equal(n, floor(n)))
    return where(order, found, math.nan)


xlogy: Op = Op(
    name="xlogy",
    signature="xlogy(x, y)",
    topic="powers",
    doc="x*log(y), and 0 where x is 0",
    scalar=elementary.xlogy,
    array=".forms.elementary_arrays:xlogy",
    partials=(
        lambda r, x, y: log(y),
        # Guarded by what is singular, so that by x it has its derivative 1/y.
        lambda r, x, y: where(_corner(x, y), 0.0, x / y),
    ),
    convention="at (0, 0) the value is 0, d/dx is -inf and d/dy is 0",
    domain=(REAL, POSITIVE),
    defined="any real number; y > 0, or any y at x = 0",
    graphdef="Xlogy",
    definition=lambda x, y: where(and_(equal(x, 0.0), equal(y, y)), 0.0, x * log(y)),
)

hypot: Op = Op(
    name="hypot",
    signature="hypot(x, y)",
    topic="powers",
    doc="the length of the hypotenuse, sqrt(x^2 + y^2) without overflow",
    scalar=math.hypot,
    array=".forms.elementary_arrays:hypot",
    partials=(
        lambda r, x, y: _slope(x, y, r),
        lambda r, x, y: _slope(y, x, r),
    ),
    convention="the derivative at (0, 0) is 0 in both",
    kink="at (0, 0)",
    ordered=False,
    definition=lambda x, y: sqrt(x**2.0 + y**2.0),
    spelling={"python": "np.hypot({0}, {1})"},
    nonnegative=True,
)


def _slope(side: Expr, other: Expr, length: Expr) -> Expr:
    """Return side/length, 0 where both sides are 0 (which a nonzero constant side rules out)."""
    slope = direction(side, other)
    if side.literal or other.literal:
        return slope
    return where(kinks.equal(length, 0.0), 0.0, slope)


direction: Op = Op(
    name="direction",
    signature="direction(x, y)",
    internal=True,
    doc="x/hypot(x, y), the derivative of hypot by x",
    scalar=elementary.direction,
    array=".forms.elementary_arrays:direction",
    partials=(
        lambda r, x, y: direction(y, x) * direction(y, x) / hypot(x, y),
        lambda r, x, y: -(r * direction(y, x)) / hypot(x, y),
    ),
    convention="there is no value at (0, 0): nan",
    domain=(NOT_ZERO, NOT_ZERO),
    definition=lambda x, y: _direction(x, y),
    textbook=lambda x, y: _cosine(x, y),
)


def _cosine(x: Expr, y: Expr) -> Expr:
    """Return x/hypot(x, y), the arguments of hypot in the order in which they were read."""
    return x / (hypot(x, y) if x.node < y.node else hypot(y, x))


def _direction(x: Expr, y: Expr) -> Expr:
    """Return it with its limits at infinity."""
    far = where(equal(abs_(y), math.inf), math.nan, sign(x))
    return where(equal(abs_(x), math.inf), far, x / hypot(x, y))


unit: Op = Op(
    name="unit",
    signature="unit(x, length)",
    internal=True,
    doc="x/length, the derivative of norm by x",
    scalar=elementary.unit,
    array=".forms.elementary_arrays:unit",
    partials=(lambda r, x, length: 1.0 / length, lambda r, x, length: -r / length),
    convention="where both are infinite it is the sign",
    domain=(REAL, NOT_ZERO),
    definition=lambda x, length: where(
        and_(equal(abs_(x), math.inf), equal(abs_(length), math.inf)),
        sign(x) * sign(length),
        x / length,
    ),
    textbook=lambda x, length: x / length,
)

leg: Op = Op(
    name="leg",
    signature="leg(x)",
    internal=True,
    doc="sqrt(1 - x^2), the leg beside a leg x and the hypotenuse 1, with all its digits near 1",
    scalar=elementary.leg,
    array=".forms.elementary_arrays:leg",
    # Of (1 - x)*(1 + x) it would be the sum of two terms, one of them 0*inf at 1.
    partials=(lambda r, x: -x / r,),
    convention="the derivative at -1 and 1 is inf and -inf",
    domain=(UNIT,),
    definition=lambda x: sqrt((1.0 - x) * (1.0 + x)),
    textbook=lambda x: sqrt((1.0 - x) * (1.0 + x)),
    parity="even",
    nonnegative=True,
)


legs: Op = Op(
    name="legs",
    signature="legs(x)",
    internal=True,
    doc="x*sqrt(1 - x^2), the product of the legs beside the hypotenuse 1",
    scalar=elementary.legs,
    array=".forms.elementary_arrays:legs",
    partials=(lambda r, x: (1.0 - 2.0 * x * x) / leg(x),),
    convention="the derivative at -1 and 1 is -inf",
    domain=(UNIT,),
    definition=lambda x: x * leg(x),
    textbook=lambda x: x * sqrt((1.0 - x) * (1.0 + x)),
    parity="odd",
)


def _real_root(x: Expr, n: Expr) -> Expr:
    odd = equal(mod(n, 2.0), 1.0)
    below = where(odd, -pow_(-x, 1.0 / n), math.nan)
    # x^n has the value of the root at both zeros: 0 or an infinity, with the sign of x.
    at_0 = where(odd, x**n, pow_(x, 1.0 / n))
    above = where(equal(x, 0.0), at_0, pow_(x, 1.0 / n))
    return where(less(x, 0.0), below, above)


def _logarithm(x: Expr, base: Expr) -> Expr:
    if base.literal in (2.0, 10.0):
        return log2(x) if base.literal == 2.0 else log10(x)
    plain = log(x) / log(base)
    if base.literal is not None:
        return plain
    return where(equal(base, 10.0), log10(x), where(equal(base, 2.0), log2(x), plain))
