"""Hyperbolic functions and their inverses."""

from __future__ import annotations

import math

from .comparison import and_, less, not_equal
from .forms import elementary
from .powers import hypot, leg, legs, log, log1p, sqrt
from .rounding import abs_, sign
from .rules import Expr
from .selection import where
from .table import BEYOND_UNIT, NOT_ZERO, UNIT, Domain, Op

sinh: Op = Op(
    name="sinh",
    signature="sinh(x)",
    topic="hyperbolic",
    doc="the hyperbolic sine",
    scalar=elementary.sinh,
    array="numpy:sinh",
    partials=(lambda r, x: cosh(x),),
    graphdef="Sinh",
    parity="odd",
    undoes="asinh",
    addition=("cosh", -1.0),
)

cosh: Op = Op(
    name="cosh",
    signature="cosh(x)",
    topic="hyperbolic",
    doc="the hyperbolic cosine",
    scalar=elementary.cosh,
    array="numpy:cosh",
    partials=(lambda r, x: sinh(x),),
    graphdef="Cosh",
    parity="even",
    undoes="acosh",
    nonnegative=True,
    squares=("sinh", -1.0),
)

tanh: Op = Op(
    name="tanh",
    signature="tanh(x)",
    topic="hyperbolic",
    doc="the hyperbolic tangent",
    scalar=math.tanh,
    array="numpy:tanh",
    # 1 - r^2 has no digit left at x = 20.
    partials=(lambda r, x: sech(x) ** 2.0,),
    graphdef="Tanh",
    parity="odd",
    undoes="atanh",
    quotient=("sinh", "cosh"),
    squares=("sech", 1.0),
)

sech: Op = Op(
    name="sech",
    signature="sech(x)",
    topic="hyperbolic",
    doc="the hyperbolic secant, 1/cosh(x)",
    scalar=elementary.sech,
    array=".forms.elementary_arrays:sech",
    partials=(lambda r, x: -r * tanh(x),),
    definition=lambda x: 1.0 / cosh(x),
    parity="even",
    nonnegative=True,
    squares=("tanh", 1.0),
)

csch: Op = Op(
    name="csch",
    signature="csch(x)",
    topic="hyperbolic",
    doc="the hyperbolic cosecant, 1/sinh(x)",
    scalar=elementary.csch,
    array=".forms.elementary_arrays:csch",
    partials=(lambda r, x: -r * coth(x),),
    convention="csch(0) is inf, with derivative -inf",
    definition=lambda x: 1.0 / sinh(x),
    domain=(NOT_ZERO,),
    parity="odd",
)

coth: Op = Op(
    name="coth",
    signature="coth(x)",
    topic="hyperbolic",
    doc="the hyperbolic cotangent, 1/tanh(x)",
    scalar=elementary.coth,
    array=".forms.elementary_arrays:coth",
    complex=".forms.elementary_arrays:coth",
    partials=(lambda r, x: -(csch(x) ** 2.0),),
    convention="coth(0) is inf, with derivative -inf",
    definition=lambda x: 1.0 / tanh(x),
    domain=(NOT_ZERO,),
    parity="odd",
)

asinh: Op = Op(
    name="asinh",
    signature="asinh(x)",
    topic="hyperbolic",
    doc="the inverse of sinh",
    scalar=math.asinh,
    array="numpy:arcsinh",
    partials=(lambda r, x: 1.0 / hypot(1.0, x),),
    aliases=("arcsinh", "arsinh"),
    graphdef="Asinh",
    parity="odd",
    undoes="sinh",
)

acosh: Op = Op(
    name="acosh",
    signature="acosh(x)",
    topic="hyperbolic",
    doc="the inverse of cosh, not negative",
    scalar=elementary.acosh,
    array="numpy:arccosh",
    partials=(lambda r, x: 1.0 / sqrt(x - 1.0) / sqrt(x + 1.0),),
    convention="the derivative at 1 is inf",
    aliases=("arccosh", "arcosh"),
    domain=(Domain("x > 1", low=1.0),),
    defined="x >= 1",
    graphdef="Acosh",
)

atanh: Op = Op(
    name="atanh",
    signature="atanh(x)",
    topic="hyperbolic",
    doc="the inverse of tanh",
    scalar=elementary.atanh,
    array="numpy:arctanh",
    partials=(lambda r, x: 1.0 / leg(x) / leg(x),),
    convention="atanh(1) is inf, with derivative inf",
    aliases=("arctanh", "artanh"),
    domain=(UNIT,),
    graphdef="Atanh",
    parity="odd",
    undoes="tanh",
)

asech: Op = Op(
    name="asech",
    signature="asech(x)",
    topic="hyperbolic",
    doc="the inverse of sech, acosh(1/x)",
    scalar=elementary.asech,
    array=".forms.elementary_arrays:asech",
    partials=(lambda r, x: -1.0 / legs(x),),
    convention="the derivative at 0 and 1 is -inf",
    aliases=("arcsech", "arsech"),
    # Not acosh(1/x): next to 1 the quotient has lost the digits that count; so below.
    definition=lambda x: 2.0 * asinh(sqrt((1.0 - x) / 2.0) / sqrt(x)),
    domain=(Domain("0 < x < 1", low=0.0, high=1.0),),
    defined="0 < x <= 1",
)

acsch: Op = Op(
    name="acsch",
    signature="acsch(x)",
    topic="hyperbolic",
    doc="the inverse of csch, asinh(1/x)",
    scalar=elementary.acsch,
    array=".forms.elementary_arrays:acsch",
    partials=(lambda r, x: -1.0 / hypot(1.0, x) / abs_(x),),
    convention="the derivative at 0 is -inf",
    aliases=("arccsch", "arcsch"),
    definition=lambda x: _inverse_csch(x),
    domain=(NOT_ZERO,),
)


def _inverse_csch(x: Expr) -> Expr:
    """Return asinh(1/x), by a logarithm where 1/x is about to overflow."""
    near = and_(less(abs_(x), elementary.TINY), not_equal(x, 0.0))
    return where(near, sign(x) * (elementary.LN2 - log(abs_(x))), asinh(1.0 / x))


acoth: Op = Op(
    name="acoth",
    signature="acoth(x)",
    topic="hyperbolic",
    doc="the inverse of coth, atanh(1/x)",
    scalar=elementary.acoth,
    array=".forms.elementary_arrays:acoth",
    partials=(lambda r, x: -1.0 / (abs_(x) - 1.0) / (abs_(x) + 1.0),),
    convention="acoth(1) is inf, with derivative -inf",
    aliases=("arccoth", "arcoth"),
    definition=lambda x: sign(x) * log1p(2.0 / (abs_(x) - 1.0)) / 2.0,
    domain=(BEYOND_UNIT,),
)
