"""Powers, exponentials, logarithms, trigonometric and hyperbolic functions and their inverses.

Partials are written to keep their digits over the whole domain: (1 - x)*(1 + x) and not 1 - x^2
near the ends, products of small factors and not a difference of large ones in the tails.
"""

from __future__ import annotations

import math

from . import scalars
from .comparison import equal
from .selection import where
from .table import POSITIVE, REAL, Domain, Expr, Op

LN2, LN10 = math.log(2.0), math.log(10.0)
ABOVE_MINUS_ONE = Domain("x > -1", low=-1.0)
UNIT = Domain("-1 < x < 1", low=-1.0, high=1.0)
BEYOND_UNIT = Domain("x < -1 or x > 1", low=-1.0, high=1.0, outside=True)
NOT_ZERO = Domain("any real number but 0", low=0.0, high=0.0, outside=True)

sqrt: Op = Op(
    name="sqrt",
    signature="sqrt(x)",
    doc="the square root",
    scalar=scalars.sqrt,
    array=".arrays:sqrt",
    partials=(lambda r, x: 1.0 / (2.0 * r),),
    convention="the derivative at 0 is inf; both zeros count as 0",
    domain=(POSITIVE,),
    graphdef="Sqrt",
)

cbrt: Op = Op(
    name="cbrt",
    signature="cbrt(x)",
    doc="the cube root, of negative numbers too",
    scalar=scalars.cbrt,
    array=".arrays:cbrt",
    partials=(lambda r, x: 1.0 / (3.0 * r**2.0),),
    convention="the derivative at 0 is inf",
    domain=(NOT_ZERO,),
)

root: Op = Op(
    name="root",
    signature="root(x, n)",
    doc="the n-th root, of negative numbers too where n is odd",
    scalar=scalars.root,
    array=".arrays:root",
    partials=(
        # 1/(n*r^(n-1)) has the limit at 0, but loses digits for large n and overflows for n < 0.
        lambda r, x, n: where(equal(x, 0.0), 1.0 / (n * r ** (n - 1.0)), r / n / x),
        lambda r, x, n: where(equal(x, 0.0), 0.0, -r * log(abs_(x)) / n / n),
    ),
    convention="the derivative by x at 0 is inf (n > 1), that by n is 0 there",
    domain=(POSITIVE, Domain("n > 0", low=0.5, high=50.0)),
)

exp: Op = Op(
    name="exp",
    signature="exp(x)",
    doc="e to the power x",
    scalar=scalars.exp,
    array="numpy:exp",
    partials=(lambda r, x: r,),
    graphdef="Exp",
)

exp2: Op = Op(
    name="exp2",
    signature="exp2(x)",
    doc="2 to the power x",
    scalar=scalars.exp2,
    array="numpy:exp2",
    partials=(lambda r, x: LN2 * r,),
)

expm1: Op = Op(
    name="expm1",
    signature="expm1(x)",
    doc="exp(x) - 1, with all its digits near 0",
    scalar=scalars.expm1,
    array="numpy:expm1",
    partials=(lambda r, x: exp(x),),
    graphdef="Expm1",
)

log: Op = Op(
    name="log",
    signature="log(x)",
    doc="the natural logarithm",
    scalar=scalars.log,
    array="numpy:log",
    partials=(lambda r, x: 1.0 / x,),
    convention="log(0) is -inf with derivative inf; below 0 there is no value and no derivative",
    aliases=("ln",),
    domain=(POSITIVE,),
    graphdef="Log",
)

log_base: Op = Op(
    name="log_base",
    signature="log(x, base)",
    doc="the logarithm to a base, exact where log2 and log10 are",
    scalar=scalars.log_base,
    array=".arrays:log_base",
    partials=(
        lambda r, x, b: 1.0 / log(b) / x,
        lambda r, x, b: -r / log(b) / b,
    ),
    convention="log(0, base) is -inf with derivative inf, for a base above 1",
    domain=(POSITIVE, Domain("base > 0 but 1", low=1.5, high=1e3)),
)

log2: Op = Op(
    name="log2",
    signature="log2(x)",
    doc="the logarithm to base 2",
    scalar=scalars.log2,
    array="numpy:log2",
    partials=(lambda r, x: (1.0 / LN2) / x,),
    convention="log2(0) is -inf with derivative inf",
    domain=(POSITIVE,),
)

log10: Op = Op(
    name="log10",
    signature="log10(x)",
    doc="the logarithm to base 10",
    scalar=scalars.log10,
    array="numpy:log10",
    partials=(lambda r, x: (1.0 / LN10) / x,),
    convention="log10(0) is -inf with derivative inf",
    domain=(POSITIVE,),
)

log1p: Op = Op(
    name="log1p",
    signature="log1p(x)",
    doc="log(1 + x), with all its digits near 0",
    scalar=scalars.log1p,
    array="numpy:log1p",
    partials=(lambda r, x: 1.0 / (1.0 + x),),
    convention="log1p(-1) is -inf with derivative inf",
    domain=(ABOVE_MINUS_ONE,),
    graphdef="Log1p",
)

sin: Op = Op(
    name="sin",
    signature="sin(x)",
    doc="the sine, x in radians",
    scalar=scalars.sin,
    array="numpy:sin",
    partials=(lambda r, x: cos(x),),
    graphdef="Sin",
)

cos: Op = Op(
    name="cos",
    signature="cos(x)",
    doc="the cosine, x in radians",
    scalar=scalars.cos,
    array="numpy:cos",
    partials=(lambda r, x: -sin(x),),
    graphdef="Cos",
)

tan: Op = Op(
    name="tan",
    signature="tan(x)",
    doc="the tangent, x in radians",
    scalar=scalars.tan,
    array="numpy:tan",
    partials=(lambda r, x: 1.0 + r**2.0,),
    graphdef="Tan",
)

sec: Op = Op(
    name="sec",
    signature="sec(x)",
    doc="the secant, 1/cos(x)",
    scalar=scalars.sec,
    array=".arrays:sec",
    partials=(lambda r, x: r * tan(x),),
    definition=lambda x: 1.0 / cos(x),
)

csc: Op = Op(
    name="csc",
    signature="csc(x)",
    doc="the cosecant, 1/sin(x)",
    scalar=scalars.csc,
    array=".arrays:csc",
    partials=(lambda r, x: -r * cot(x),),
    convention="csc(0) is inf, with derivative -inf",
    definition=lambda x: 1.0 / sin(x),
    domain=(NOT_ZERO,),
)

cot: Op = Op(
    name="cot",
    signature="cot(x)",
    doc="the cotangent, 1/tan(x)",
    scalar=scalars.cot,
    array=".arrays:cot",
    partials=(lambda r, x: -(csc(x) ** 2.0),),
    convention="cot(0) is inf, with derivative -inf",
    definition=lambda x: 1.0 / tan(x),
    domain=(NOT_ZERO,),
)

asin: Op = Op(
    name="asin",
    signature="asin(x)",
    doc="the angle whose sine is x",
    scalar=scalars.asin,
    array="numpy:arcsin",
    partials=(lambda r, x: 1.0 / sqrt((1.0 - x) * (1.0 + x)),),
    convention="the derivative at -1 and 1 is inf",
    aliases=("arcsin",),
    domain=(UNIT,),
    graphdef="Asin",
)

acos: Op = Op(
    name="acos",
    signature="acos(x)",
    doc="the angle whose cosine is x",
    scalar=scalars.acos,
    array="numpy:arccos",
    partials=(lambda r, x: -1.0 / sqrt((1.0 - x) * (1.0 + x)),),
    convention="the derivative at -1 and 1 is -inf",
    aliases=("arccos",),
    domain=(UNIT,),
    graphdef="Acos",
)

atan: Op = Op(
    name="atan",
    signature="atan(x)",
    doc="the angle whose tangent is x",
    scalar=math.atan,
    array="numpy:arctan",
    partials=(lambda r, x: _bell(x),),
    aliases=("arctan",),
    graphdef="Atan",
)

asec: Op = Op(
    name="asec",
    signature="asec(x)",
    doc="the angle whose secant is x, acos(1/x)",
    scalar=scalars.asec,
    array=".arrays:asec",
    partials=(lambda r, x: 1.0 / _secant_root(abs_(x)) / abs_(x),),
    convention="the derivative at -1 and 1 is inf",
    aliases=("arcsec",),
    definition=lambda x: acos(1.0 / x),
    domain=(BEYOND_UNIT,),
)

acsc: Op = Op(
    name="acsc",
    signature="acsc(x)",
    doc="the angle whose cosecant is x, asin(1/x)",
    scalar=scalars.acsc,
    array=".arrays:acsc",
    partials=(lambda r, x: -1.0 / _secant_root(abs_(x)) / abs_(x),),
    convention="the derivative at -1 and 1 is -inf",
    aliases=("arccsc",),
    definition=lambda x: asin(1.0 / x),
    domain=(BEYOND_UNIT,),
)


def _secant_root(a: Expr) -> Expr:
    """Return sqrt(a^2 - 1) for a >= 1, right at 1 + 1e-16 and at 1e300."""
    return sqrt(a - 1.0) * sqrt(a + 1.0)


def _bell(x: Expr) -> Expr:
    """Return 1/(1 + x^2), without overflow at 1e155, where it does not yet vanish."""
    return 1.0 / hypot(1.0, x) / hypot(1.0, x)


acot: Op = Op(
    name="acot",
    signature="acot(x)",
    doc="the angle whose cotangent is x, atan(1/x)",
    scalar=scalars.acot,
    array=".arrays:acot",
    partials=(lambda r, x: -_bell(x),),
    convention="acot(0) is pi/2; it jumps there, with derivative -1",
    aliases=("arccot",),
    definition=lambda x: atan(1.0 / x),
    domain=(NOT_ZERO,),
)

atan2: Op = Op(
    name="atan2",
    signature="atan2(y, x)",
    doc="the angle of the point (x, y), in (-pi, pi]",
    scalar=math.atan2,
    array="numpy:arctan2",
    # x/(x^2 + y^2) overflows at 1e200 and is inf at 1e-200.
    partials=(
        lambda r, y, x: x / hypot(x, y) / hypot(x, y),
        lambda r, y, x: -y / hypot(x, y) / hypot(x, y),
    ),
    convention="there is no derivative at (0, 0): nan",
    aliases=("arctan2",),
    domain=(REAL, NOT_ZERO),
    graphdef="Atan2",
)

sinh: Op = Op(
    name="sinh",
    signature="sinh(x)",
    doc="the hyperbolic sine",
    scalar=scalars.sinh,
    array="numpy:sinh",
    partials=(lambda r, x: cosh(x),),
    graphdef="Sinh",
)

cosh: Op = Op(
    name="cosh",
    signature="cosh(x)",
    doc="the hyperbolic cosine",
    scalar=scalars.cosh,
    array="numpy:cosh",
    partials=(lambda r, x: sinh(x),),
    graphdef="Cosh",
)

tanh: Op = Op(
    name="tanh",
    signature="tanh(x)",
    doc="the hyperbolic tangent",
    scalar=math.tanh,
    array="numpy:tanh",
    # 1 - r^2 has no digit left at x = 20.
    partials=(lambda r, x: sech(x) ** 2.0,),
    graphdef="Tanh",
)

sech: Op = Op(
    name="sech",
    signature="sech(x)",
    doc="the hyperbolic secant, 1/cosh(x)",
    scalar=scalars.sech,
    array=".arrays:sech",
    partials=(lambda r, x: -r * tanh(x),),
    definition=lambda x: 1.0 / cosh(x),
)

csch: Op = Op(
    name="csch",
    signature="csch(x)",
    doc="the hyperbolic cosecant, 1/sinh(x)",
    scalar=scalars.csch,
    array=".arrays:csch",
    partials=(lambda r, x: -r * coth(x),),
    convention="csch(0) is inf, with derivative -inf",
    definition=lambda x: 1.0 / sinh(x),
    domain=(NOT_ZERO,),
)

coth: Op = Op(
    name="coth",
    signature="coth(x)",
    doc="the hyperbolic cotangent, 1/tanh(x)",
    scalar=scalars.coth,
    array=".arrays:coth",
    partials=(lambda r, x: -(csch(x) ** 2.0),),
    convention="coth(0) is inf, with derivative -inf",
    definition=lambda x: 1.0 / tanh(x),
    domain=(NOT_ZERO,),
)

asinh: Op = Op(
    name="asinh",
    signature="asinh(x)",
    doc="the inverse of sinh",
    scalar=math.asinh,
    array="numpy:arcsinh",
    partials=(lambda r, x: 1.0 / hypot(1.0, x),),
    aliases=("arcsinh", "arsinh"),
    graphdef="Asinh",
)

acosh: Op = Op(
    name="acosh",
    signature="acosh(x)",
    doc="the inverse of cosh, not negative",
    scalar=scalars.acosh,
    array="numpy:arccosh",
    partials=(lambda r, x: 1.0 / _secant_root(x),),
    convention="the derivative at 1 is inf",
    aliases=("arccosh", "arcosh"),
    domain=(Domain("x > 1", low=1.0),),
    graphdef="Acosh",
)

atanh: Op = Op(
    name="atanh",
    signature="atanh(x)",
    doc="the inverse of tanh",
    scalar=scalars.atanh,
    array="numpy:arctanh",
    partials=(lambda r, x: 1.0 / (1.0 - x) / (1.0 + x),),
    convention="atanh(1) is inf, with derivative inf",
    aliases=("arctanh", "artanh"),
    domain=(UNIT,),
    graphdef="Atanh",
)

asech: Op = Op(
    name="asech",
    signature="asech(x)",
    doc="the inverse of sech, acosh(1/x)",
    scalar=scalars.asech,
    array=".arrays:asech",
    partials=(lambda r, x: -1.0 / (x * sqrt((1.0 - x) * (1.0 + x))),),
    convention="the derivative at 0 and 1 is -inf",
    aliases=("arcsech", "arsech"),
    definition=lambda x: acosh(1.0 / x),
    domain=(Domain("0 < x < 1", low=0.0, high=1.0),),
)

acsch: Op = Op(
    name="acsch",
    signature="acsch(x)",
    doc="the inverse of csch, asinh(1/x)",
    scalar=scalars.acsch,
    array=".arrays:acsch",
    partials=(lambda r, x: -1.0 / hypot(1.0, x) / abs_(x),),
    convention="the derivative at 0 is -inf",
    aliases=("arccsch", "arcsch"),
    definition=lambda x: asinh(1.0 / x),
    domain=(NOT_ZERO,),
)

acoth: Op = Op(
    name="acoth",
    signature="acoth(x)",
    doc="the inverse of coth, atanh(1/x)",
    scalar=scalars.acoth,
    array=".arrays:acoth",
    partials=(lambda r, x: 1.0 / (1.0 - x) / (1.0 + x),),
    convention="acoth(1) is inf, with derivative inf",
    aliases=("arccoth", "arcoth"),
    definition=lambda x: atanh(1.0 / x),
    domain=(BEYOND_UNIT,),
)

hypot: Op = Op(
    name="hypot",
    signature="hypot(x, y)",
    doc="the length of the hypotenuse, sqrt(x^2 + y^2) without overflow",
    scalar=math.hypot,
    array="numpy:hypot",
    partials=(
        lambda r, x, y: _cosine(x, r, other=y),
        lambda r, x, y: _cosine(y, r, other=x),
    ),
    convention="the derivative at (0, 0) is 0 in both",
    ordered=False,
)


def _cosine(side: Expr, length: Expr, other: Expr) -> Expr:
    """Return side/length, 0 where both sides are 0 (which a nonzero constant side rules out)."""
    slope = side / length
    if side.literal or other.literal:
        return slope
    return where(equal(length, 0.0), 0.0, slope)


degrees: Op = Op(
    name="degrees",
    signature="degrees(x)",
    doc="radians in degrees",
    scalar=math.degrees,
    array="numpy:degrees",
    partials=(lambda r, x: 180.0 / math.pi,),
    definition=lambda x: x * (180.0 / math.pi),
)

radians: Op = Op(
    name="radians",
    signature="radians(x)",
    doc="degrees in radians",
    scalar=math.radians,
    array="numpy:radians",
    partials=(lambda r, x: math.pi / 180.0,),
    definition=lambda x: x * (math.pi / 180.0),
)

sinc: Op = Op(
    name="sinc",
    signature="sinc(x)",
    doc="sin(pi*x)/(pi*x), and 1 at 0",
    scalar=scalars.sinc,
    array=".arrays:sinc",
    partials=(lambda r, x: dsinc(1.0, x),),
    convention="the derivative at 0 is 0",
)

dsinc: Op = Op(
    name="dsinc",
    signature="dsinc(n, x)",
    doc="the n-th derivative of sinc, n a whole number",
    scalar=scalars.dsinc,
    array=".arrays:dsinc",
    partials=(lambda r, n, x: math.nan, lambda r, n, x: dsinc(n + 1.0, x)),
    convention="there is no derivative by n: nan",
    domain=(Domain("n = 0, 1, 2, ...", low=0.0, high=4.0, whole=True), REAL),
)

abs_: Op = Op(
    name="abs",
    signature="abs(x)",
    doc="the absolute value",
    scalar=math.fabs,
    array="numpy:absolute",
    partials=(lambda r, x: sign(x),),
    convention="the derivative at 0 is 0",
    graphdef="Abs",
)

sign: Op = Op(
    name="sign",
    signature="sign(x)",
    doc="-1, 0 or 1, by the sign of x",
    scalar=scalars.sign,
    array="numpy:sign",
    partials=(None,),
    convention="the derivative is 0, at the jump too",
    graphdef="Sign",
)
