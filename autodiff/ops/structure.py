"""Leaves, and the ops that move elements between shapes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .table import At, Attr, Expr, Move, Op

if TYPE_CHECKING:
    from ..graph import Nested, Shape

constant: Op = Op(
    name="constant",
    signature="",
    doc="a number, or an array of numbers, written in the formula",
    scalar=float,
    array="",
    attributes=(Attr("value", "number"),),
    graphdef="Const",
)

placeholder: Op = Op(
    name="placeholder",
    signature="",
    doc="an input, whose value a binding gives",
    scalar=float,
    array="",
    attributes=(Attr("name", "text"),),
    graphdef="Placeholder",
)


def _fits(small: Shape, large: Shape) -> bool:
    """Tell whether an array of the first shape can be broadcast to the second."""
    return len(small) <= len(large) and all(
        a in (1, b) for a, b in zip(reversed(small), reversed(large), strict=False)
    )


def _summed_shape(attrs: tuple[Any, ...], args: tuple[Shape, ...]) -> Shape | None:
    shape: Shape = attrs[0]
    return shape if _fits(shape, args[0]) or _fits(args[0], shape) else None


def _repeated_shape(attrs: tuple[Any, ...], args: tuple[Shape, ...]) -> Shape | None:
    shape: Shape = attrs[0]
    return shape if _fits(args[0], shape) else None


def _summed(k: int, at: At, flow: Expr) -> Expr:
    # A tangent may be the same along an axis, and counts there as often as the argument.
    return sum_to(broadcast_to(flow, attrs=(at.shapes[0],)), attrs=at.attrs)


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
    array=".moves:sum_to",
    attributes=(Attr("shape", "shape"),),
    move=Move(pushforward=_summed, transpose=_summed_back, shape=_summed_shape),
    spelling={"python": "sum_to({0}, {shape})"},
)

broadcast_to: Op = Op(
    name="broadcast_to",
    signature="(x)",
    doc="the array repeated to the given shape",
    array=".moves:broadcast_to",
    attributes=(Attr("shape", "shape"),),
    move=Move(pushforward=_repeated, transpose=_repeated_back, shape=_repeated_shape),
    spelling={"python": "np.broadcast_to({0}, {shape})"},
)


def _stacked_shape(attrs: tuple[Any, ...], args: tuple[Shape, ...]) -> Shape | None:
    return (len(args), *args[0]) if len(set(args)) == 1 else None


def _stacked(k: int, at: At, flow: Expr) -> Expr:
    return place(flow, attrs=((k,), (len(at.args),)))


def _stacked_together(at: At, flows: Sequence[Expr]) -> Expr:
    shaped = zip(flows, at.shapes, strict=True)
    return stack(*[_filled(flow, shape) if shape else flow for flow, shape in shaped])


def _filled(flow: Expr, shape: Shape) -> Expr:
    """Return a tangent in its argument's shape, a number as an array that formulas can write."""
    from ..shapes import declared_shapes

    value: Nested | None = flow.literal
    if value is None:
        shapes = declared_shapes(flow.graph, flow.graph.needed([flow.node]))
        fits = shapes is not None and shapes[flow.node] == shape
        return flow if fits else broadcast_to(flow, attrs=(shape,))
    for size in reversed(shape):
        value = (value,) * size
    return Expr(flow.graph, flow.graph.constant(value))


def _stacked_back(k: int, at: At, flow: Expr) -> Expr:
    return take(flow, attrs=((k,),))


stack: Op = Op(
    name="stack",
    signature="(x, *more)",
    doc="the array whose entries are the arguments, all of one shape",
    array=".moves:stack",
    move=Move(
        pushforward=_stacked,
        transpose=_stacked_back,
        shape=_stacked_shape,
        together=_stacked_together,
    ),
    brackets=("[", "]"),
    rule="entry by entry",
    graphdef="Pack",
    spelling={"python": "np.stack([{args}])", "latex": r"\left[{args}\right]"},
)


def _taken_shape(attrs: tuple[Any, ...], args: tuple[Shape, ...]) -> Shape | None:
    return args[0][1:] if args[0] and 0 <= attrs[0][0] < args[0][0] else None


def _taken(k: int, at: At, flow: Expr) -> Expr:
    return take(flow, attrs=at.attrs)


def _taken_back(k: int, at: At, flow: Expr) -> Expr:
    return place(flow, attrs=(at.attrs[0], at.shapes[0][:1]))


take: Op = Op(
    name="take",
    signature="(x)",
    doc="the entry of an array at an index of its first axis",
    array=".moves:take",
    attributes=(Attr("index", "shape"),),
    move=Move(pushforward=_taken, transpose=_taken_back, shape=_taken_shape),
    spelling={"python": "{0:100}[{index}]", "latex": r"\left({0}\right)_{{{index}}}"},
)


def _placed_shape(attrs: tuple[Any, ...], args: tuple[Shape, ...]) -> Shape | None:
    return (*attrs[1], *args[0]) if 0 <= attrs[0][0] < attrs[1][0] else None


def _placed(k: int, at: At, flow: Expr) -> Expr:
    return place(flow, attrs=at.attrs)


def _placed_back(k: int, at: At, flow: Expr) -> Expr:
    return take(flow, attrs=at.attrs[:1])


place: Op = Op(
    name="place",
    signature="(x)",
    doc="the array of a size that is 0 but for an entry at an index",
    array=".moves:place",
    attributes=(Attr("index", "shape"), Attr("size", "shape")),
    move=Move(pushforward=_placed, transpose=_placed_back, shape=_placed_shape),
    spelling={"python": "place({0}, {index}, {size})"},
)
