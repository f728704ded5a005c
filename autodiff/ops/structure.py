"""Leaves, and the ops that move elements between shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .table import Move, Op

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


sum_to: Op = Op(
    name="sum_to",
    signature="(x)",
    doc="the sum over the axes along which an array of the given shape was broadcast",
    scalar=_same,
    array=".moves:sum_to",
    attributes=("shape",),
    move=Move(
        pushforward=lambda k, at, flow: sum_to(flow, attrs=at.attrs),
        transpose=lambda k, at, flow: broadcast_to(flow, attrs=(at.shapes[0],)),
        shape=lambda attrs, args: attrs[0],
    ),
)

broadcast_to: Op = Op(
    name="broadcast_to",
    signature="(x)",
    doc="the array repeated to the given shape",
    scalar=_same,
    array=".moves:broadcast_to",
    attributes=("shape",),
    move=Move(
        pushforward=lambda k, at, flow: broadcast_to(flow, attrs=at.attrs),
        transpose=lambda k, at, flow: sum_to(flow, attrs=(at.shapes[0],)),
        shape=lambda attrs, args: attrs[0],
    ),
)
