"""Comparisons and logic: 1 where they hold, 0 where they don't, with derivative 0 everywhere."""

from __future__ import annotations

from collections.abc import Callable

from . import scalars
from .table import Op

OR, AND, NOT, COMPARISON = 20, 30, 40, 50


def _comparison(
    name: str, infix: str, sign: str, scalar: Callable[..., float], graphdef: str, doc: str
) -> Op:
    return Op(
        name=name,
        signature="(x, y)",
        doc=f"1 where {doc}, else 0",
        scalar=scalar,
        array=f".arrays:{name}",
        partials=(None, None),
        convention="the derivative is 0, at the jump too",
        infix=infix,
        precedence=COMPARISON,
        sign=sign,
        ordered=sign not in "=≠",
        graphdef=graphdef,
    )


less = _comparison("less", "<", "<", scalars.less, "Less", "x is less than y")
less_equal = _comparison("less_equal", "<=", "≤", scalars.less_equal, "LessEqual", "x is at most y")
greater = _comparison("greater", ">", ">", scalars.greater, "Greater", "x is greater than y")
greater_equal = _comparison(
    "greater_equal", ">=", "≥", scalars.greater_equal, "GreaterEqual", "x is at least y"
)
equal = _comparison("equal", "==", "=", scalars.equal, "Equal", "x equals y")
not_equal = _comparison("not_equal", "!=", "≠", scalars.not_equal, "NotEqual", "x differs from y")

and_: Op = Op(
    name="and",
    signature="(a, b)",
    doc="1 where both are true (not 0), else 0",
    scalar=scalars.and_,
    array=".arrays:and_",
    partials=(None, None),
    convention="the derivative is 0",
    infix="and",
    precedence=AND,
    sign="and",
    ordered=False,
    graphdef="LogicalAnd",
)

or_: Op = Op(
    name="or",
    signature="(a, b)",
    doc="1 where one or both are true (not 0), else 0",
    scalar=scalars.or_,
    array=".arrays:or_",
    partials=(None, None),
    convention="the derivative is 0",
    infix="or",
    precedence=OR,
    sign="or",
    ordered=False,
    graphdef="LogicalOr",
)

not_: Op = Op(
    name="not",
    signature="(a)",
    doc="1 where a is 0, else 0",
    scalar=scalars.not_,
    array=".arrays:not_",
    partials=(None,),
    convention="the derivative is 0",
    infix="not",
    precedence=NOT,
    sign="not",
    graphdef="LogicalNot",
)
