"""The absolute value and the functions that jump: the sign, whole numbers, the step."""

from __future__ import annotations

import math
from collections.abc import Callable

from .forms import basic
from .table import Op

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
    scalar=basic.sign,
    array="numpy:sign",
    partials=(None,),
    convention="the derivative is 0, at the jump too",
    graphdef="Sign",
)


def _jump(
    name: str, doc: str, scalar: Callable[[float], float], array: str, graphdef: str | None = None
) -> Op:
    """Return the row of a step function."""
    return Op(
        name=name,
        signature=f"{name}(x)",
        doc=doc,
        scalar=scalar,
        array=array,
        partials=(None,),
        convention="the derivative is 0, at the jumps too",
        graphdef=graphdef,
    )


floor = _jump("floor", "the greatest whole number not above x", basic.floor, "numpy:floor", "Floor")

ceil = _jump("ceil", "the least whole number not below x", basic.ceil, "numpy:ceil", "Ceil")

round_ = _jump(
    "round", "the nearest whole number, halves to even", basic.round_, "numpy:rint", "Rint"
)

trunc = _jump("trunc", "x without its fraction", basic.trunc, "numpy:trunc")

step = _jump("step", "1 where x is positive, else 0", basic.step, ".forms.basic_arrays:step")
