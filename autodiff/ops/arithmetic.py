"""The operators of arithmetic; the power is in `powers`."""

from __future__ import annotations

import operator

from .forms import basic
from .registry import OPS
from .table import Op, Torch

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
    rule="sum",
    by_hand=lambda u, v, du, dv: du + dv,
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
    rule="sum",
    by_hand=lambda u, v, du, dv: du - dv,
    torch=Torch("SubBackward0", numbers={(0,): "RsubBackward1"}),
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
    rule="product",
    by_hand=lambda u, v, du, dv: du * v + u * dv,
)

div: Op = Op(
    name="div",
    signature="(x, y)",
    doc="the quotient",
    scalar=basic.div,
    array="numpy:divide",
    partials=(lambda r, x, y: 1.0 / y, lambda r, x, y: -r / y),
    convention="1/0 is inf, 0/0 is nan",
    infix="/",
    precedence=PRODUCT,
    sign="÷",
    graphdef="RealDiv",
    spelling={"latex": r"\frac{{{0}}}{{{1}}}"},
    rule="quotient",
    by_hand=lambda u, v, du, dv: (du * v - u * dv) / v**2.0,
)

mod: Op = Op(
    name="mod",
    signature="mod(x, y)",
    topic="steps and choices",
    doc="the remainder of floored division, with the sign of y, as in Python",
    defined="any real number; any real number but 0",
    differentiable="where x/y is not whole",
    scalar=basic.mod,
    array="numpy:remainder",
    jumps=True,
    # floor(x/y), by the remainder: x/y may round up to the next whole number.
    partials=(lambda r, x, y: 1.0, lambda r, x, y: -OPS["round"]((x - r) / y)),
    convention="the derivative is 1 by x and -floor(x/y) by y, at the jumps too",
    infix="%",
    precedence=PRODUCT,
    sign="mod",
    graphdef="FloorMod",
    spelling={"python": "np.mod({0}, {1})", "sympy": "sp.Mod({0}, {1})"},
    torch=Torch("RemainderBackward1", numbers={(1,): "RemainderBackward0"}),
)

neg: Op = Op(
    name="neg",
    signature="(x)",
    doc="the negative",
    scalar=basic.neg,
    array="numpy:negative",
    partials=(lambda r, x: -1.0,),
    infix="-",
    precedence=NEGATION,
    sign="−",
    graphdef="Neg",
    rule="constant factor",
)
