"""Trigonometric functions, their inverses, and the sine cardinal."""

from __future__ import annotations

import math

from .forms import elementary
from .powers import direction, hypot, leg, sqrt
from .rounding import abs_, sign
from .rules import Expr
from .table import BEYOND_UNIT, NOT_ZERO, REAL, UNIT, Domain, Op, Torch

sin: Op = Op(
    name="sin",
    signature="sin(x)",
    topic="angles",
    doc="the sine, x in radians",
    scalar=elementary.sin,
    array="numpy:sin",
    partials=(lambda r, x: cos(x),),
    graphdef="Sin",
    parity="odd",
    undoes="asin",
    squares=("cos", 1.0),
    addition=("cos", 1.0),
)

cos: Op = Op(
    name="cos",
    signature="cos(x)",
    topic="angles",
    doc="the cosine, x in radians",
    scalar=elementary.cos,
    array="numpy:cos",
    partials=(lambda r, x: -sin(x),),
    graphdef="Cos",
    parity="even",
    undoes="acos",
    squares=("sin", 1.0),
)

tan: Op = Op(
    name="tan",
    signature="tan(x)",
    topic="angles",
    doc="the tangent, x in radians",
    defined="any real number but odd multiples of pi/2",
    scalar=elementary.tan,
    array="numpy:tan",
    partials=(lambda r, x: 1.0 + r**2.0,),
    graphdef="Tan",
    parity="odd",
    undoes="atan",
    quotient=("sin", "cos"),
)

sec: Op = Op(
    name="sec",
    signature="sec(x)",
    topic="angles",
    doc="the secant, 1/cos(x)",
    defined="any real number but odd multiples of pi/2",
    scalar=elementary.sec,
    array=".forms.elementary_arrays:sec",
    complex=".forms.elementary_arrays:sec",
    partials=(lambda r, x: r * tan(x),),
    definition=lambda x: 1.0 / cos(x),
    parity="even",
)

csc: Op = Op(
    name="csc",
    signature="csc(x)",
    topic="angles",
    doc="the cosecant, 1/sin(x)",
    scalar=elementary.csc,
    array=".forms.elementary_arrays:csc",
    complex=".forms.elementary_arrays:csc",
    partials=(lambda r, x: -r * cot(x),),
    convention="csc(0) is inf, with derivative -inf",
    definition=lambda x: 1.0 / sin(x),
    domain=(NOT_ZERO,),
    defined="any real number but multiples of pi",
    differentiable="any real number but multiples of pi",
    parity="odd",
)

cot: Op = Op(
    name="cot",
    signature="cot(x)",
    topic="angles",
    doc="the cotangent, 1/tan(x)",
    scalar=elementary.cot,
    array=".forms.elementary_arrays:cot",
    complex=".forms.elementary_arrays:cot",
    partials=(lambda r, x: -(1.0 + r**2.0),),
    convention="cot(0) is inf, with derivative -inf",
    definition=lambda x: 1.0 / tan(x),
    domain=(NOT_ZERO,),
    defined="any real number but multiples of pi",
    differentiable="any real number but multiples of pi",
    parity="odd",
)

asin: Op = Op(
    name="asin",
    signature="asin(x)",
    topic="angles",
    doc="the angle whose sine is x",
    scalar=elementary.asin,
    array="numpy:arcsin",
    partials=(lambda r, x: 1.0 / leg(x),),
    convention="the derivative at -1 and 1 is inf",
    aliases=("arcsin",),
    domain=(UNIT,),
    defined="-1 <= x <= 1",
    graphdef="Asin",
    parity="odd",
)

acos: Op = Op(
    name="acos",
    signature="acos(x)",
    topic="angles",
    doc="the angle whose cosine is x",
    scalar=elementary.acos,
    array="numpy:arccos",
    partials=(lambda r, x: -1.0 / leg(x),),
    convention="the derivative at -1 and 1 is -inf",
    aliases=("arccos",),
    domain=(UNIT,),
    defined="-1 <= x <= 1",
    graphdef="Acos",
)

atan: Op = Op(
    name="atan",
    signature="atan(x)",
    topic="angles",
    doc="the angle whose tangent is x",
    scalar=math.atan,
    array="numpy:arctan",
    partials=(lambda r, x: _bell(1.0, x),),
    aliases=("arctan",),
    graphdef="Atan",
    parity="odd",
)

asec: Op = Op(
    name="asec",
    signature="asec(x)",
    topic="angles",
    doc="the angle whose secant is x, acos(1/x)",
    scalar=elementary.asec,
    array=".forms.elementary_arrays:asec",
    partials=(lambda r, x: _beyond(1.0, x),),
    convention="the derivative at -1 and 1 is inf",
    aliases=("arcsec",),
    # Not acos(1/x): next to 1 the quotient has lost the digits that count; so below.
    definition=lambda x: atan2(_far_leg(x), sign(x)),
    domain=(BEYOND_UNIT,),
    defined="x <= -1 or x >= 1",
)

acsc: Op = Op(
    name="acsc",
    signature="acsc(x)",
    topic="angles",
    doc="the angle whose cosecant is x, asin(1/x)",
    scalar=elementary.acsc,
    array=".forms.elementary_arrays:acsc",
    partials=(lambda r, x: _beyond(-1.0, x),),
    convention="the derivative at -1 and 1 is -inf",
    aliases=("arccsc",),
    definition=lambda x: sign(x) * atan2(1.0, _far_leg(x)),
    domain=(BEYOND_UNIT,),
    defined="x <= -1 or x >= 1",
    parity="odd",
)

acot: Op = Op(
    name="acot",
    signature="acot(x)",
    topic="angles",
    doc="the angle whose cotangent is x, atan(1/x)",
    scalar=elementary.acot,
    array=".forms.elementary_arrays:acot",
    partials=(lambda r, x: _bell(-1.0, x),),
    convention="acot(0) is pi/2; it jumps there, with derivative -1",
    aliases=("arccot",),
    definition=lambda x: atan(1.0 / x),
    domain=(NOT_ZERO,),
    defined="any real number",
)


def _bell(factor: float, x: Expr) -> Expr:
    """Return factor/(1 + x^2), without overflow at 1e155, where it does not yet vanish."""
    return factor / hypot(1.0, x) / hypot(1.0, x)


def _far_leg(x: Expr) -> Expr:
    """Return sqrt(x^2 - 1), right at 1 + 1e-16 and at 1e300."""
    return sqrt(abs_(x) - 1.0) * sqrt(abs_(x) + 1.0)


def _beyond(factor: float, x: Expr) -> Expr:
    """Return factor/(sqrt(x^2 - 1)*|x|).

    Each divisor grows, so that all terms of its derivatives have one sign: at 1 they are infinite.
    """
    return factor / sqrt(abs_(x) - 1.0) / sqrt(abs_(x) + 1.0) / abs_(x)


atan2: Op = Op(
    name="atan2",
    signature="atan2(y, x)",
    topic="angles",
    doc="the angle of the point (x, y), in (-pi, pi]",
    scalar=math.atan2,
    array="numpy:arctan2",
    # x/(x^2 + y^2) overflows at 1e200 and is inf at 1e-200.
    partials=(
        lambda r, y, x: direction(x, y) / hypot(y, x),
        lambda r, y, x: -direction(y, x) / hypot(y, x),
    ),
    convention="there is no derivative at (0, 0): nan",
    aliases=("arctan2",),
    domain=(REAL, NOT_ZERO),
    defined="any real numbers",
    differentiable="any real numbers but (0, 0)",
    graphdef="Atan2",
)

degrees: Op = Op(
    name="degrees",
    signature="degrees(x)",
    topic="angles",
    doc="radians in degrees",
    scalar=math.degrees,
    array="numpy:degrees",
    partials=(lambda r, x: 180.0 / math.pi,),
    definition=lambda x: x * (180.0 / math.pi),
    torch=Torch("Rad2DegBackward0"),
)

radians: Op = Op(
    name="radians",
    signature="radians(x)",
    topic="angles",
    doc="degrees in radians",
    scalar=math.radians,
    array="numpy:radians",
    partials=(lambda r, x: math.pi / 180.0,),
    definition=lambda x: x * (math.pi / 180.0),
    torch=Torch("Deg2RadBackward0"),
)

sinc: Op = Op(
    name="sinc",
    signature="sinc(x)",
    topic="angles",
    doc="sin(pi*x)/(pi*x), and 1 at 0",
    scalar=elementary.sinc,
    array=".forms.elementary_arrays:sinc",
    partials=(lambda r, x: dsinc(1.0, x),),
    convention="the derivative at 0 is 0",
    definition=lambda x: dsinc(0.0, x),
    spelling={"sympy": "sp.sinc(sp.pi*{0:71})"},
    parity="even",
)

dsinc: Op = Op(
    name="dsinc",
    signature="dsinc(n, x)",
    internal=True,
    doc="the n-th derivative of sinc, n a whole number",
    scalar=elementary.dsinc,
    array=".forms.elementary_arrays:dsinc",
    partials=(lambda r, n, x: math.nan, lambda r, n, x: dsinc(n + 1.0, x)),
    convention="there is no derivative by n: nan",
    domain=(Domain("n = 0, 1, 2, ...", low=0.0, high=4.0, whole=True), REAL),
)
