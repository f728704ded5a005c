"""The operators of arithmetic, and the power."""

from __future__ import annotations

import operator

from . import scalars
from .comparison import and_, equal, greater_equal
from .elementary import log
from .selection import where
from .special import round_
from .table import Domain, Expr, Op, Operand

SUM, PRODUCT, NEGATION, POWER = 60, 70, 80, 90

add: Op = Op(
    name="add",
    signature="(x, y)",
    doc="the sum",
    scalar=operator.add,
    array="numpy:add",
    partials=(lambda r, x, y: 1.0, lambda r, x, y: 1.0),
    infix="+",
    precedence=SUM,
    sign="+",
    ordered=False,
    graphdef="AddV2",
)

sub: Op = Op(
    name="sub",
    signature="(x, y)",
    doc="the difference",
    scalar=operator.sub,
    array="numpy:subtract",
    partials=(lambda r, x, y: 1.0, lambda r, x, y: -1.0),
    infix="-",
    precedence=SUM,
    sign="−",
    graphdef="Sub",
)

mul: Op = Op(
    name="mul",
    signature="(x, y)",
    doc="the product",
    scalar=operator.mul,
    array="numpy:multiply",
    partials=(lambda r, x, y: y, lambda r, x, y: x),
    infix="*",
    precedence=PRODUCT,
    sign="×",
    ordered=False,
    graphdef="Mul",
)

div: Op = Op(
    name="div",
    signature="(x, y)",
    doc="the quotient",
    scalar=scalars.div,
    array="numpy:divide",
    partials=(lambda r, x, y: 1.0 / y, lambda r, x, y: -r / y),
    convention="1/0 is inf, 0/0 is nan",
    infix="/",
    precedence=PRODUCT,
    sign="÷",
    graphdef="RealDiv",
)

mod: Op = Op(
    name="mod",
    signature="mod(x, y)",
    doc="the remainder of floored division, with the sign of y, as in Python",
    scalar=scalars.mod,
    array="numpy:remainder",
    # floor(x/y), by the remainder: x/y may round up to the next whole number.
    partials=(lambda r, x, y: 1.0, lambda r, x, y: -round_((x - r) / y)),
    convention="the derivative is 1 by x and -floor(x/y) by y, at the jumps too",
    infix="%",
    precedence=PRODUCT,
    sign="mod",
    graphdef="FloorMod",
)

neg: Op = Op(
    name="neg",
    signature="(x)",
    doc="the negative",
    scalar=scalars.neg,
    array="numpy:negative",
    partials=(lambda r, x: -1.0,),
    infix="-",
    precedence=NEGATION,
    sign="−",
    graphdef="Neg",
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
    slope = y * x ** (y - 1.0)
    corner = equal(y, 0.0) if y.closed else and_(equal(x, 0.0), equal(y, 0.0))
    return where(corner, 0.0, slope)


def _power_by_exponent(r: Expr, x: Expr, y: Expr) -> Operand:
    if x.literal is not None and x.literal > 0.0:
        return r * log(x)
    return where(and_(equal(x, 0.0), greater_equal(y, 0.0)), 0.0, r * log(x))


pow_: Op = Op(
    name="pow",
    signature="pow(x, y)",
    doc="x to the power y",
    scalar=scalars.pow_,
    array=".arrays:pow_",
    partials=(_power_by_base, _power_by_exponent),
    convention="0^0 is 1; at x = 0, d/dx is 0, 1, inf at y = 2, 1, 0.5 and 0 at y = 0, and d/dy "
    "is 0 for y >= 0; at x < 0 and whole y, d/dy is nan; a constant exponent never uses log",
    domain=(Domain("x > 0, or any x with y whole", low=0.0), Domain("any real number")),
    infix="^",
    precedence=POWER,
    sign="^",
    graphdef="Pow",
)
