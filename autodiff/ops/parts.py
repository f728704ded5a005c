"""Ops that take arrays apart and put them together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from .rules import At, Expr, Move
from .structure import SHAPE, fits, in_shape, positive, sum_to, whole
from .subscripts import along, indexed_shape, is_index
from .table import Attr, Op, TensorFlowInput, Torch

if TYPE_CHECKING:
    from ..graph import Nested, Shape

INDEX = Attr("index", "index", valid=is_index)


def _cut(attrs: tuple[Any, ...]) -> str | None:
    return "SliceBackward0" if ":" in attrs[0] else None


index: Op = Op(
    name="index",
    signature="index(x)",
    postfix="[{index}]",
    topic="order and parts",
    doc="the part of x at an index, which is written x[0], x[1:3], x[:, 1]",
    array=".forms.structure_arrays:index",
    attributes=(INDEX,),
    move=Move(
        pushforward=lambda k, at, flow: index(whole(k, at, flow), attrs=at.attrs),
        transpose=lambda k, at, flow: place(flow, attrs=(at.shapes[0], at.attrs[0])),
        shape=lambda attrs, args: indexed_shape(attrs[0], args[0]),
        holes=(False, True),
        need="an index within its argument",
        misfit=lambda attrs, args: f"index [{attrs[0]}] is not within shape {args[0]}",
    ),
    view=True,
    spelling={"python": "{0:100}[{index}]", "latex": r"{0:110}_{{{told}}}"},
    torch=Torch("SelectBackward0", told=_cut),
)


def _placed_shape(attrs: tuple[Any, ...], args: tuple[Shape, ...]) -> Shape | None:
    shape: Shape = attrs[0]
    part = indexed_shape(attrs[1], shape)
    return shape if part is not None and fits(args[0], part) else None


def _placed_back(k: int, at: At, flow: Expr) -> Expr:
    return sum_to_shape(at, index(flow, attrs=at.attrs[1:]), at.shapes[0])


def sum_to_shape(at: At, flow: Expr, shape: Shape) -> Expr:
    """Return a cotangent summed over the axes along which an argument of a shape was broadcast."""
    return flow if at.shape(flow) == shape else sum_to(flow, attrs=(shape,))


place: Op = Op(
    name="place",
    signature="place(x)",
    internal=True,
    doc="zeros of the shape with x put at the index",
    array=".forms.structure_arrays:place",
    attributes=(SHAPE, INDEX),
    move=Move(
        pushforward=lambda k, at, flow: place(flow, attrs=at.attrs),
        transpose=_placed_back,
        shape=_placed_shape,
        holes=(True, False),
        need="a part of its argument's shape at the index",
    ),
    keeps_sum=True,
    spelling={
        "python": "place({0}, {shape}, np.s_[{index}])",
        "latex": r"\operatorname{{place}}_{{{told}}}\left({0}\right)",
    },
)


# -- several --------------------------------------------------------------------------------------


def _stacked_shape(attrs: tuple[Any, ...], args: tuple[Shape, ...]) -> Shape | None:
    if not isinstance(attrs[0], int) or len(set(args)) != 1:
        return None
    axis = positive(attrs[0], len(args[0]) + 1)
    if not 0 <= axis <= len(args[0]):
        return None
    return (*args[0][:axis], len(args), *args[0][axis:])


def _stack_entry(k: int, at: At) -> str:
    return along(positive(at.attrs[0], len(at.shapes[0]) + 1), str(k))


def _stacked(k: int, at: At, flow: Expr) -> Expr:
    return place(flow, attrs=(at.shape(at.result), _stack_entry(k, at)))


def _stacked_together(at: At, flows: Sequence[Expr]) -> Expr:
    shaped = zip(flows, at.shapes, strict=True)
    return stack(*[filled(at, flow, shape) for flow, shape in shaped], attrs=at.attrs)


def filled(at: At, flow: Expr, shape: Shape) -> Expr:
    """Return a tangent in its argument's shape, a number as an array that formulas can write."""
    value: Nested | None = flow.literal
    if value is None:
        return in_shape(at, flow, shape) if shape else flow
    for size in reversed(shape):
        value = (value,) * size
    return Expr(flow.graph, flow.graph.constant(value))


stack: Op = Op(
    name="stack",
    signature="stack(x, *more)",
    topic="order and parts",
    doc="the array whose entries along a new axis are the arguments; [x, y] along the first",
    array=".forms.structure_arrays:stack",
    attributes=(Attr("axis", "axis", 0),),
    listed=True,
    move=Move(
        pushforward=_stacked,
        transpose=lambda k, at, flow: index(flow, attrs=(_stack_entry(k, at),)),
        shape=_stacked_shape,
        together=_stacked_together,
        need="entries of one shape",
    ),
    brackets=("[", "]"),
    rule="entry by entry",
    graphdef="Pack",
    spelling={"python": "np.stack([{args}], axis={axis})", "latex": r"\left[{args}\right]"},
    torch=Torch("StackBackward0"),
)


def _concat_shape(attrs: tuple[Any, ...], args: tuple[Shape, ...]) -> Shape | None:
    rank = len(args[0])
    if not isinstance(attrs[0], int):
        return None
    axis = positive(attrs[0], rank)
    rest = {(len(shape), *shape[:axis], *shape[axis + 1 :]) for shape in args}
    if len(rest) != 1 or not 0 <= axis < rank:
        return None
    return (*args[0][:axis], sum(shape[axis] for shape in args), *args[0][axis + 1 :])


def _concat_part(k: int, at: At) -> str:
    axis = positive(at.attrs[0], len(at.shapes[0]))
    ends = [0, *accumulate(shape[axis] for shape in at.shapes)]
    return along(axis, f"{ends[k]}:{ends[k + 1]}")


def _concatenated(k: int, at: At, flow: Expr) -> Expr:
    return place(flow, attrs=(at.shape(at.result), _concat_part(k, at)))


def _concatenated_together(at: At, flows: Sequence[Expr]) -> Expr:
    return concat(*[whole(k, at, flow) for k, flow in enumerate(flows)], attrs=at.attrs)


concat: Op = Op(
    name="concat",
    signature="concat(x, *more)",
    topic="order and parts",
    doc="the arguments, arrays or one list of them, laid end to end along an axis",
    array=".forms.structure_arrays:concat",
    attributes=(Attr("axis", "axis", 0),),
    listed=True,
    aliases=("concatenate",),
    move=Move(
        pushforward=_concatenated,
        transpose=lambda k, at, flow: index(flow, attrs=(_concat_part(k, at),)),
        shape=_concat_shape,
        together=_concatenated_together,
        need="arrays that agree but along the axis",
        misfit=lambda attrs, args: (
            f"concat needs arrays that agree but along axis {attrs[0]}: {', '.join(map(str, args))}"
        ),
    ),
    rule="part by part",
    graphdef="ConcatV2",
    graphdef_input=TensorFlowInput("axis"),
    spelling={"python": "np.concatenate([{args}], axis={axis})"},
    torch=Torch("CatBackward0"),
)


def _diag_shape(attrs: tuple[Any, ...], args: tuple[Shape, ...]) -> Shape | None:
    (shape,) = args
    if len(shape) == 1:
        return shape * 2
    return (min(shape),) if len(shape) == 2 else None


def on_diagonal(at: At, vector: Expr, shape: Shape) -> Expr:
    """Return the matrix of a shape with a vector on its diagonal."""
    matrix = diag(vector)
    size = min(shape)
    if shape == (size, size):
        return matrix
    return place(matrix, attrs=(shape, f":{size}, :{size}"))


def _diag_back(k: int, at: At, flow: Expr) -> Expr:
    return diag(flow) if len(at.shapes[0]) == 1 else on_diagonal(at, flow, at.shapes[0])


diag: Op = Op(
    name="diag",
    signature="diag(x)",
    topic="matrices",
    doc="the matrix with the vector x on its diagonal, or the diagonal of the matrix x",
    array=".forms.structure_arrays:diag",
    move=Move(
        pushforward=lambda k, at, flow: diag(whole(k, at, flow)),
        transpose=_diag_back,
        shape=_diag_shape,
        holes=(True, True),
        need="a vector or a matrix",
    ),
    spelling={"python": "np.diag({0})"},
    torch=Torch("DiagonalBackward0_copy", ranks={(1,): "DiagEmbedBackward0"}),
)
