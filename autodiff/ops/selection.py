"""Ops that select one of their arguments: each states where an argument is selected.

A path through an argument that is not selected contributes exactly 0, whatever the partials along
it; the passes see to that.
"""

from __future__ import annotations

from functools import reduce

from . import kinks
from .comparison import (
    and_,
    equal,
    greater,
    greater_equal,
    less,
    less_equal,
    not_,
    not_equal,
    or_,
)
from .forms import basic
from .rules import Each, Expr
from .table import Op, Torch

where: Op = Op(
    name="where",
    signature="where(condition, a, b)",
    topic="steps and choices",
    doc="a where the condition is true (not 0), else b; also written `a if condition else b`",
    differentiable="any real number but where the condition changes",
    scalar=basic.where,
    array=".forms.basic_arrays:where",
    partials=(None, lambda r, c, a, b: 1.0, lambda r, c, a, b: 1.0),
    conditions=(None, lambda r, c, a, b: c, lambda r, c, a, b: not_(c)),
    convention="the argument not selected contributes nothing, even where its derivative is nan",
    sign="where",
    graphdef="SelectV2",
    spelling={
        "c": "({0:?21} ? {1:11} : {2:10})",
        "javascript": "({0:?21} ? {1:11} : {2:10})",
        "python": "np.where({0:?}, {1}, {2})",
        "sympy": "sp.Piecewise(({1}, {0:?}), ({2}, True))",
        "latex": r"\begin{{cases}} {1} & \text{{if }} {0:?} \\ "
        r"{2} & \text{{otherwise}} \end{{cases}}",
    },
    torch=Torch("WhereBackward0", inputs=(1, 2)),
)


def _chosen(r: Expr, *args: Expr) -> list[Expr]:
    return [kinks.chosen(arg, r) for arg in args]


def _shares(r: Expr, *args: Expr) -> list[Expr]:
    """Return 1/n for each in an n-way tie, which is a kink if not all of them are one node."""
    single = {arg.node: arg for arg in args}.values()
    count = reduce(Expr.__add__, _chosen(r, *single))
    share: Expr = kinks.shared(1.0, count)
    if len(single) < len(args):
        among, alone = (_count(r, *those) for those in (args, single))
        share = share * (alone / among)
    return [share] * len(args)


def _count(r: Expr, *args: Expr) -> Expr:
    return reduce(Expr.__add__, [equal(arg, r) for arg in args])


def _lesser(least: Expr, x: Expr) -> Expr:
    return where(or_(less(x, least), not_equal(x, x)), x, least)


def _least(*args: Expr) -> Expr:
    return reduce(_lesser, args)


def _greater(greatest: Expr, x: Expr) -> Expr:
    return where(or_(greater(x, greatest), not_equal(x, x)), x, greatest)


def _greatest(*args: Expr) -> Expr:
    return reduce(_greater, args)


min_: Op = Op(
    name="min",
    signature="min(x, y, *more)",
    topic="steps and choices",
    doc="the least of its arguments",
    scalar=basic.min_,
    array=".forms.basic_arrays:min_",
    partials=Each(_shares),
    conditions=Each(_chosen),
    convention="in an n-way tie the derivative by each is 1/n; nan if any argument is nan",
    kink="where several are the least",
    ordered=False,
    graphdef="Minimum",
    graphdef_arity=2,
    definition=_least,
    spelling={
        "javascript": "Math.min({args})",
        "python": "np.minimum({0}, {1})",
        "sympy": "sp.Min({args})",
    },
    torch=Torch("MinimumBackward0"),
)

max_: Op = Op(
    name="max",
    signature="max(x, y, *more)",
    topic="steps and choices",
    doc="the greatest of its arguments",
    scalar=basic.max_,
    array=".forms.basic_arrays:max_",
    partials=Each(_shares),
    conditions=Each(_chosen),
    convention="in an n-way tie the derivative by each is 1/n; nan if any argument is nan",
    kink="where several are the greatest",
    ordered=False,
    graphdef="Maximum",
    graphdef_arity=2,
    definition=_greatest,
    spelling={
        "javascript": "Math.max({args})",
        "python": "np.maximum({0}, {1})",
        "sympy": "sp.Max({args})",
    },
    torch=Torch("MaximumBackward0"),
)


def _clip_shares(r: Expr, x: Expr, lo: Expr, hi: Expr) -> list[Expr]:
    """Return what each has where it is selected: less where it ties with another."""
    low, high, ends = (kinks.of_two(kinks.equal, *two) for two in ((x, lo), (x, hi), (lo, hi)))
    inside = (kinks.of_two(kinks.less_equal, one, hi) for one in (x, lo))
    return [
        1.0 / ((1.0 + low) * (1.0 + high)),
        1.0 / ((1.0 + low) * (1.0 + ends)),
        1.0 / (1.0 + and_(*inside)),
    ]


def _clip_chosen(r: Expr, x: Expr, lo: Expr, hi: Expr) -> list[Expr]:
    return [
        and_(greater_equal(x, lo), less_equal(x, hi)),
        and_(less_equal(x, lo), less_equal(lo, hi)),
        or_(greater_equal(x, hi), greater_equal(lo, hi)),
    ]


clip: Op = Op(
    name="clip",
    signature="clip(x, lo, hi)",
    topic="steps and choices",
    doc="x brought between lo and hi",
    scalar=basic.clip,
    array=".forms.basic_arrays:clip",
    partials=Each(_clip_shares),
    conditions=Each(_clip_chosen),
    convention="min(max(x, lo), hi) with their ties: at an end the derivative is 1/2 by each",
    kink="at its ends",
    graphdef="ClipByValue",
    definition=lambda x, lo, hi: min_(max_(x, lo), hi),
    spelling={"python": "np.clip({0}, {1}, {2})"},
    torch=Torch("ClampBackward0", numbers={(1, 2): "ClampBackward1"}),
)

bounded: Op = Op(
    name="bounded",
    signature="bounded(x)",
    internal=True,
    doc=f"x brought between -{basic.BOUND:g} and {basic.BOUND:g}, for a factor of what is 0 beyond",
    scalar=basic.bounded,
    array=".forms.basic_arrays:bounded",
    partials=(lambda r, x: equal(x, r),),
    convention="the derivative at both ends is 1",
    definition=lambda x: max_(min_(x, basic.BOUND), -basic.BOUND),
    textbook=lambda x: x,
    parity="odd",
)

relu: Op = Op(
    name="relu",
    signature="relu(x)",
    topic="activations",
    doc="x where it is positive, else 0",
    scalar=basic.relu,
    array=".forms.basic_arrays:relu",
    partials=(lambda r, x: 1.0,),
    conditions=(lambda r, x: kinks.greater(x, 0.0),),
    convention="the derivative at 0 is 0",
    kink="at 0",
    graphdef="Relu",
    definition=lambda x: where(less_equal(x, 0.0), 0.0, x),
    nonnegative=True,
)
