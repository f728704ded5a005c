"""The absolute value and the functions that jump: the sign, whole numbers, the step."""

from __future__ import annotations

import math
from collections.abc import Callable

from .comparison import equal, greater, less, less_equal
from .forms import basic
from .kinks import lost
from .rules import Definition, Expr
from .selection import where
from .table import Op

abs_: Op = Op(
    name="abs",
    signature="abs(x)",
    topic="steps and choices",
    doc="the absolute value",
    scalar=math.fabs,
    array="numpy:absolute",
    partials=(lambda r, x: kinked_sign(x),),
    convention="the derivative at 0 is 0",
    kink="at 0",
    graphdef="Abs",
    spelling={"c": "fabs({0})", "sympy": "sp.Abs({0})", "latex": r"\left|{0}\right|"},
    parity="even",
    nonnegative=True,
)

sign: Op = Op(
    name="sign",
    signature="sign(x)",
    topic="steps and choices",
    doc="-1, 0 or 1, by the sign of x",
    differentiable="any real number but 0",
    scalar=basic.sign,
    array="numpy:sign",
    partials=(None,),
    convention="the derivative is 0, at the jump too",
    graphdef="Sign",
    definition=lambda x: where(greater(x, 0.0), 1.0, where(less(x, 0.0), -1.0, x + 0.0)),
    # The sign of -0.0 is 0.0, not so in JavaScript.
    spelling={"javascript": "(Math.sign({0}) + 0)"},
    parity="odd",
)

kinked_sign: Op = sign.twinned("kink sign", (lambda r, x: lost(r),), (lambda r, x: equal(x, 0.0),))


def _jump(
    name: str,
    doc: str,
    at: str,
    scalar: Callable[[float], float],
    array: str,
    graphdef: str | None = None,
    definition: Definition | None = None,
    **spelling: str,
) -> Op:
    """Return the row of a step function, whose value jumps at some numbers."""
    return Op(
        name=name,
        signature=f"{name}(x)",
        topic="steps and choices",
        doc=doc,
        scalar=scalar,
        array=array,
        partials=(None,),
        convention="the derivative is 0, at the jumps too",
        differentiable=f"any real number but {at}",
        graphdef=graphdef,
        definition=definition,
        spelling=spelling,
    )


WHOLE = 2.0**52
"""From here on every float is a whole number, so that adding it rounds."""


def _to_even(x: Expr) -> Expr:
    below = -((WHOLE - x) - WHOLE)
    above = where(greater(x, 0.0), (x + WHOLE) - WHOLE, x)
    return where(less(abs_(x), WHOLE), where(less(x, 0.0), below, above), x)


floor = _jump(
    "floor",
    "the greatest whole number not above x",
    "the whole ones",
    basic.floor,
    "numpy:floor",
    "Floor",
    latex=r"\left\lfloor {0} \right\rfloor",
)

ceil = _jump(
    "ceil",
    "the least whole number not below x",
    "the whole ones",
    basic.ceil,
    "numpy:ceil",
    "Ceil",
    sympy="sp.ceiling({0})",
    latex=r"\left\lceil {0} \right\rceil",
)

round_ = _jump(
    "round",
    "the nearest whole number, halves to even",
    "halves of odd numbers",
    basic.round_,
    "numpy:rint",
    "Rint",
    _to_even,
    c="nearbyint({0})",
    sympy="(sp.floor({0:60} + sp.Rational(1, 2)) - "
    "sp.Piecewise((1, sp.Eq(sp.Mod({0}, 2), sp.Rational(1, 2))), (0, True)))",
)

trunc = _jump(
    "trunc",
    "x without its fraction",
    "the whole ones, 0 apart",
    basic.trunc,
    "numpy:trunc",
    definition=lambda x: where(less(x, 0.0), ceil(x), floor(x)),
)

step = _jump(
    "step",
    "1 where x is positive, else 0",
    "0",
    basic.step,
    ".forms.basic_arrays:step",
    definition=lambda x: where(greater(x, 0.0), 1.0, where(less_equal(x, 0.0), 0.0, x)),
)
