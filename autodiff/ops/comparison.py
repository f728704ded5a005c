"""Comparisons and logic: 1 where they hold, 0 where they don't, with derivative 0 everywhere."""

from __future__ import annotations

from collections.abc import Callable

from .forms import basic
from .registry import OPS
from .table import UNTRACKED, Op

OR, AND, NOT, COMPARISON = 20, 30, 40, 50

COMPLEMENTS = {
    "less": "greater_equal",
    "less_equal": "greater",
    "greater": "less_equal",
    "greater_equal": "less",
    "equal": "not_equal",
    "not_equal": "equal",
}
"""The comparison that holds where one does not, nan aside."""


def _comparison(
    name: str, infix: str, sign: str, scalar: Callable[..., float], graphdef: str, doc: str
) -> Op:
    return Op(
        name=name,
        signature="(x, y)",
        doc=f"1 where {doc}, else 0",
        scalar=scalar,
        array=f".forms.basic_arrays:{name}",
        partials=(None, None),
        convention="the derivative is 0, at the jump too",
        infix=infix,
        precedence=COMPARISON,
        sign=sign,
        ordered=sign not in "=≠",
        graphdef=graphdef,
        complement=COMPLEMENTS[name],
        torch=UNTRACKED,
    )


less = _comparison("less", "<", "<", basic.less, "Less", "x is less than y")
less_equal = _comparison("less_equal", "<=", "≤", basic.less_equal, "LessEqual", "x is at most y")
greater = _comparison("greater", ">", ">", basic.greater, "Greater", "x is greater than y")
greater_equal = _comparison(
    "greater_equal", ">=", "≥", basic.greater_equal, "GreaterEqual", "x is at least y"
)
equal = _comparison("equal", "==", "=", basic.equal, "Equal", "x equals y")
not_equal = _comparison("not_equal", "!=", "≠", basic.not_equal, "NotEqual", "x differs from y")

RELATIONS = {OPS[name].infix: OPS[name] for name in COMPLEMENTS}
"""The comparisons by their signs."""

and_: Op = Op(
    name="and",
    signature="(a, b)",
    doc="1 where both are true (not 0), else 0",
    scalar=basic.and_,
    array=".forms.basic_arrays:and_",
    partials=(None, None),
    heeds=(lambda r, a, b: b, lambda r, a, b: a),
    convention="the derivative is 0",
    infix="and",
    precedence=AND,
    sign="and",
    ordered=False,
    graphdef="LogicalAnd",
    torch=UNTRACKED,
)

or_: Op = Op(
    name="or",
    signature="(a, b)",
    doc="1 where one or both are true (not 0), else 0",
    scalar=basic.or_,
    array=".forms.basic_arrays:or_",
    partials=(None, None),
    heeds=(lambda r, a, b: not_(b), lambda r, a, b: not_(a)),
    convention="the derivative is 0",
    infix="or",
    precedence=OR,
    sign="or",
    ordered=False,
    graphdef="LogicalOr",
    torch=UNTRACKED,
)

not_: Op = Op(
    name="not",
    signature="(a)",
    doc="1 where a is 0, else 0",
    scalar=basic.not_,
    array=".forms.basic_arrays:not_",
    partials=(None,),
    convention="the derivative is 0",
    infix="not",
    precedence=NOT,
    sign="not",
    graphdef="LogicalNot",
    torch=UNTRACKED,
)
