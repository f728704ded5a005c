"""Leaves, and the ops that move elements between shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .table import At, Expr, Move, Op

if TYPE_CHECKING:
    from ..graph import Shape

constant: Op = Op(
    name="constant",
    signature="",
    doc="a number, or an array of numbers, written in the formula",
    scalar=float,
    array="",
    attributes=("value",),
    graphdef="Const",
)

placeholder: Op = Op(
    name="placeholder",
    signature="",
    doc="an input, whose value a binding gives",
    scalar=float,
    array="",
    attributes=("name",),
    graphdef="Placeholder",
)


def _same(x: float, shape: Shape) -> float:
    return x


def _own_shape(attrs: tuple[Any, ...], args: tuple[Shape, ...]) -> Shape:
    shape: Shape = attrs[0]
    return shape


def _summed(k: int, at: At, flow: Expr) -> Expr:
    return sum_to(flow, attrs=at.attrs)


def _summed_back(k: int, at: At, flow: Expr) -> Expr:
    return broadcast_to(flow, attrs=(at.shapes[0],))


def _repeated(k: int, at: At, flow: Expr) -> Expr:
    return broadcast_to(flow, attrs=at.attrs)


def _repeated_back(k: int, at: At, flow: Expr) -> Expr:
    return sum_to(flow, attrs=(at.shapes[0],))


sum_to: Op = Op(
    name="sum_to",
    signature="(x)",
    doc="the sum over the axes along which an array of the given shape was broadcast",
    scalar=_same,
    array=".moves:sum_to",
    attributes=("shape",),
    move=Move(pushforward=_summed, transpose=_summed_back, shape=_own_shape),
)

broadcast_to: Op = Op(
    name="broadcast_to",
    signature="(x)",
    doc="the array repeated to the given shape",
    scalar=_same,
    array=".moves:broadcast_to",
    attributes=("shape",),
    move=Move(pushforward=_repeated, transpose=_repeated_back, shape=_own_shape),
)
