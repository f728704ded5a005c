"""Ops that take labels: whole numbers that name classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .reductions import sum_
from .rules import At, Expr, Move
from .selection import where
from .structure import full, in_shape, nothing_back, reshape, whole
from .table import UNTRACKED, Attr, Op

if TYPE_CHECKING:
    from ..graph import Shape

one_hot: Op = Op(
    name="one_hot",
    signature="one_hot(t)",
    topic="made from sizes",
    doc="1 at the label t and 0 at the other of so many classes, along a last axis",
    defined="whole numbers",
    array=".forms.structure_arrays:one_hot",
    attributes=(Attr("classes", "whole", least=0),),
    move=Move(
        pushforward=lambda k, at, flow: full(flow, 0.0, at.shape(at.result)),
        transpose=nothing_back,
        shape=lambda attrs, args: (*args[0], attrs[0]),
    ),
    jumps=True,
    labels=lambda args: (0,),
    spelling={
        "python": "one_hot({0}, {classes})",
        "latex": r"\operatorname{{onehot}}_{{{told}}}\left({0}\right)",
    },
    torch=UNTRACKED,
)


def _picked_shape(attrs: tuple[Any, ...], args: tuple[Shape, ...]) -> Shape | None:
    x, chosen = args
    return x[:-1] if x and chosen in (x, x[:-1]) else None


def _weights(at: At) -> Expr:
    """Return what an element of x counts in the result."""
    x, chosen = at.shapes
    return at.args[1] if chosen == x else one_hot(at.args[1], attrs=(x[-1],))


def _picked(k: int, at: At, flow: Expr) -> Expr:
    if at.shapes[0] != at.shapes[1]:
        return full(flow, 0.0, at.shapes[1]) if k else pick(whole(0, at, flow), at.args[1])
    if at.held is None:
        return pick(whole(k, at, flow), at.args[1 - k])
    return sum_(where(at.held, whole(k, at, flow) * at.args[1 - k], 0.0), attrs=(-1, False))


def _picked_back(k: int, at: At, flow: Expr) -> Expr:
    if k == 1 and at.shapes[0] != at.shapes[1]:
        return full(flow, 0.0, at.shapes[1])
    column = reshape(flow, attrs=((*at.shapes[0][:-1], 1),))
    return column * (_weights(at) if k == 0 else at.args[0])


def _column(k: int, at: At, mask: Expr) -> Expr:
    if at.shapes[k] != at.shapes[0]:
        return full(mask, 0.0, at.shapes[k])
    column = reshape(mask, attrs=((*at.shapes[0][:-1], 1),))
    if at.shapes[0] != at.shapes[1]:
        # A label that is no class makes nan: then any entry of the row might be meant.
        weights = _weights(at)
        return column * where(sum_(weights, attrs=(-1, True)), weights, 1.0)
    return in_shape(at, column, at.shapes[k])


def _any_in_row(k: int, at: At, mask: Expr) -> Expr:
    if at.shapes[k] != at.shapes[0]:
        return full(mask, 0.0, at.shapes[0][:-1])
    return pick(whole(k, at, mask), full(mask, 1.0, at.shapes[0]))


pick: Op = Op(
    name="pick",
    signature="pick(x, t)",
    topic="networks",
    doc="x at the labels t along its last axis, or its sum there weighed by t of the shape of x",
    array=".forms.structure_arrays:pick",
    move=Move(
        pushforward=_picked,
        transpose=_picked_back,
        shape=_picked_shape,
        reached=(_any_in_row, _column),
        weighs=True,
        holes=(False, True),
        need="labels, one for each row, or weights, one for each element",
    ),
    jumps=True,
    labels=lambda args: () if args[0] == args[1] else (1,),
    convention="labels have no derivative (0); one that is no class gives nan",
    spelling={"python": "pick({0}, {1})"},
)
