"""The ops that move elements between shapes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from .rules import At, Expr, Move
from .subscripts import along, indexed_shape, is_index
from .table import Attr, Op

if TYPE_CHECKING:
    from ..graph import Nested, Shape

SHAPE = Attr("shape", "shape", least=0)


def number(like: Expr, value: float) -> Expr:
    """Return a number in the graph of an expression."""
    return Expr(like.graph, like.graph.constant(value))


def in_shape(at: At, flow: Expr, shape: Shape) -> Expr:
    """Return a flow in a shape: a tangent may be the same along an axis, and smaller there."""
    return flow if at.shape(flow) == shape else broadcast_to(flow, attrs=(shape,))


def whole(k: int, at: At, flow: Expr) -> Expr:
    """Return a tangent of argument k in the argument's shape."""
    return in_shape(at, flow, at.shapes[k])


def repeated(x: Expr, shape: Shape) -> Expr:
    """Return a number, or what broadcasts to the shape, in the shape."""
    return broadcast_to(x, attrs=(shape,)) if shape else x


def full(like: Expr, value: float, shape: Shape) -> Expr:
    """Return an array of one number."""
    return repeated(number(like, value), shape)


def nothing(k: int, at: At, flow: Expr) -> Expr:
    """Return the tangent of what does not depend on its argument."""
    return number(flow, 0.0)


def nothing_back(k: int, at: At, flow: Expr) -> Expr:
    """Return the cotangent of an argument that does not matter."""
    return full(flow, 0.0, at.shapes[k])


# -- sizes ----------------------------------------------------------------------------------------


def _fits(small: Shape, large: Shape) -> bool:
    """Tell whether an array of the first shape can be broadcast to the second."""
    return (
        len(small) <= len(large)
        and min(large, default=0) >= 0
        and all(a in (1, b) for a, b in zip(reversed(small), reversed(large), strict=False))
    )


def _summed_shape(attrs: tuple[Any, ...], args: tuple[Shape, ...]) -> Shape | None:
    shape: Shape = attrs[0]
    return shape if _fits(shape, args[0]) or _fits(args[0], shape) else None


def _repeated_shape(attrs: tuple[Any, ...], args: tuple[Shape, ...]) -> Shape | None:
    shape: Shape = attrs[0]
    return shape if _fits(args[0], shape) else None


sum_to: Op = Op(
    name="sum_to",
    signature="sum_to(x)",
    doc="the sum over the axes along which an array of the shape was broadcast",
    array=".forms.structure_arrays:sum_to",
    attributes=(SHAPE,),
    move=Move(
        pushforward=lambda k, at, flow: sum_to(whole(k, at, flow), attrs=at.attrs),
        transpose=lambda k, at, flow: in_shape(at, flow, at.shapes[0]),
        shape=_summed_shape,
        need="a shape that broadcasts to its argument's",
    ),
    keeps_sum=True,
    to_shape=True,
    spelling={
        "python": "sum_to({0}, {shape})",
        "latex": r"\operatorname{{sum}}_{{{told}}}\left({0}\right)",
    },
)

broadcast_to: Op = Op(
    name="broadcast_to",
    signature="broadcast_to(x)",
    doc="the array repeated to the shape",
    array=".forms.structure_arrays:broadcast_to",
    attributes=(SHAPE,),
    move=Move(
        pushforward=lambda k, at, flow: in_shape(at, flow, at.attrs[0]),
        transpose=lambda k, at, flow: sum_to(flow, attrs=(at.shapes[0],)),
        shape=_repeated_shape,
        need="a shape that its argument's broadcasts to",
    ),
    to_shape=True,
    view=True,
    graphdef="BroadcastTo",
    graphdef_inputs=("shape",),
    spelling={"python": "np.broadcast_to({0}, {shape})", "latex": r"\left[{0}\right]_{{{told}}}"},
)

length: Op = Op(
    name="len",
    signature="len(x)",
    doc="the number of entries of x along its first axis",
    array=".forms.structure_arrays:length",
    move=Move(
        pushforward=nothing,
        transpose=nothing_back,
        shape=lambda attrs, args: () if args[0] else None,
        need="an array",
    ),
    of_shapes=lambda attrs, args: float(args[0][0]),
    spelling={"python": "float(len({0}))"},
)


# -- order ----------------------------------------------------------------------------------------


def _reshaped(attrs: tuple[Any, ...], args: tuple[Shape, ...]) -> Shape | None:
    shape: Shape = attrs[0]
    size = math.prod(args[0])
    open_ = [k for k, entries in enumerate(shape) if entries == -1]
    said = math.prod(entries for entries in shape if entries != -1)
    if len(open_) == 1 and said > 0 and size % said == 0:
        return tuple([size // said if entries == -1 else entries for entries in shape])
    return shape if not open_ and said == size and min(shape, default=0) >= 0 else None


reshape: Op = Op(
    name="reshape",
    signature="reshape(x)",
    doc="the elements of x, in order, in the shape; one size may be -1, whatever is left for it",
    array=".forms.structure_arrays:reshape",
    attributes=(Attr("shape", "shape", least=-1),),
    move=Move(
        pushforward=lambda k, at, flow: reshape(whole(k, at, flow), attrs=at.attrs),
        transpose=lambda k, at, flow: reshape(flow, attrs=(at.shapes[0],)),
        shape=_reshaped,
        need="a shape of as many elements",
        misfit=lambda attrs, args: (
            f"reshape needs a shape of {math.prod(args[0])} elements: {args[0]} to {attrs[0]}"
        ),
    ),
    keeps_sum=True,
    to_shape=True,
    view=True,
    graphdef="Reshape",
    graphdef_inputs=("shape",),
    spelling={
        "python": "np.reshape({0}, {shape})",
        "latex": r"\operatorname{{reshape}}_{{{told}}}\left({0}\right)",
    },
)


def positive(axis: int, rank: int) -> int:
    """Return an axis counted from the front."""
    return axis + rank if axis < 0 else axis


def _permutation(axes: tuple[int, ...] | None, rank: int) -> tuple[int, ...] | None:
    if axes is None:
        return tuple(range(rank))[::-1]
    found = tuple([positive(axis, rank) for axis in axes])
    return found if sorted(found) == list(range(rank)) else None


def inverse(order: Sequence[int]) -> tuple[int, ...]:
    """Return the order of axes that undoes another."""
    return tuple(sorted(range(len(order)), key=order.__getitem__))


def _transposed_shape(attrs: tuple[Any, ...], args: tuple[Shape, ...]) -> Shape | None:
    order = _permutation(attrs[0], len(args[0]))
    return None if order is None else tuple([args[0][axis] for axis in order])


def _transposed_back(k: int, at: At, flow: Expr) -> Expr:
    if at.attrs[0] is None:
        return transpose(flow, attrs=(None,))
    order = _permutation(at.attrs[0], len(at.shapes[0])) or ()
    return transpose(flow, attrs=(inverse(order),))


transpose: Op = Op(
    name="transpose",
    signature="transpose(x)",
    doc="x with its axes in the order given, or reversed, which is also written x.T",
    array=".forms.structure_arrays:transpose",
    attributes=(Attr("axes", "axes", None),),
    move=Move(
        pushforward=lambda k, at, flow: transpose(whole(k, at, flow), attrs=at.attrs),
        transpose=_transposed_back,
        shape=_transposed_shape,
        need="each axis once",
    ),
    keeps_sum=True,
    view=True,
    postfix=".T",
    sign="T",
    graphdef="Transpose",
    graphdef_inputs=("axes",),
    spelling={"python": "np.transpose({0}, {axes})", "latex": r"{0:101}^{{\top{told}}}"},
)


def swapped(x: Expr, rank: int) -> Expr:
    """Return x with its last two axes exchanged."""
    if rank == 2:
        return transpose(x, attrs=(None,))
    return transpose(x, attrs=((*range(rank - 2), rank - 1, rank - 2),))


# -- parts ----------------------------------------------------------------------------------------

INDEX = Attr("index", "index", valid=is_index)

index: Op = Op(
    name="index",
    signature="index(x)",
    postfix="[{index}]",
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
)


def _placed_shape(attrs: tuple[Any, ...], args: tuple[Shape, ...]) -> Shape | None:
    shape: Shape = attrs[0]
    part = indexed_shape(attrs[1], shape)
    return shape if part is not None and _fits(args[0], part) else None


def _placed_back(k: int, at: At, flow: Expr) -> Expr:
    return sum_to_shape(at, index(flow, attrs=at.attrs[1:]), at.shapes[0])


def sum_to_shape(at: At, flow: Expr, shape: Shape) -> Expr:
    """Return a cotangent summed over the axes along which an argument of a shape was broadcast."""
    return flow if at.shape(flow) == shape else sum_to(flow, attrs=(shape,))


place: Op = Op(
    name="place",
    signature="place(x)",
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
    graphdef_inputs=("axis",),
    spelling={"python": "np.concatenate([{args}], axis={axis})"},
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
)


# -- labels ---------------------------------------------------------------------------------------

one_hot: Op = Op(
    name="one_hot",
    signature="one_hot(t)",
    doc="1 at the label t and 0 at the other of so many classes, along a last axis",
    array=".forms.structure_arrays:one_hot",
    attributes=(Attr("classes", "whole", least=0),),
    move=Move(
        pushforward=lambda k, at, flow: full(flow, 0.0, at.shape(at.result)),
        transpose=nothing_back,
        shape=lambda attrs, args: (*args[0], attrs[0]),
    ),
    jumps=True,
    labels=lambda args: (0,),
    graphdef="OneHot",
    spelling={
        "python": "one_hot({0}, {classes})",
        "latex": r"\operatorname{{onehot}}_{{{told}}}\left({0}\right)",
    },
)


def _picked_shape(attrs: tuple[Any, ...], args: tuple[Shape, ...]) -> Shape | None:
    x, chosen = args
    return x[:-1] if x and chosen in (x, x[:-1]) else None


def _weights(at: At) -> Expr:
    """Return what an element of x counts in the result."""
    x, chosen = at.shapes
    return at.args[1] if chosen == x else one_hot(at.args[1], attrs=(x[-1],))


def _picked(k: int, at: At, flow: Expr) -> Expr:
    if k == 0:
        return pick(whole(0, at, flow), at.args[1])
    if at.shapes[0] != at.shapes[1]:
        return full(flow, 0.0, at.shapes[1])
    return pick(at.args[0], whole(1, at, flow))


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
        return column * _weights(at)
    return in_shape(at, column, at.shapes[k])


def _any_in_row(k: int, at: At, mask: Expr) -> Expr:
    if at.shapes[k] != at.shapes[0]:
        return full(mask, 0.0, at.shapes[0][:-1])
    return pick(whole(k, at, mask), full(mask, 1.0, at.shapes[0]))


pick: Op = Op(
    name="pick",
    signature="pick(x, t)",
    doc="x at the labels t along its last axis, or its sum there weighed by t of the shape of x",
    array=".forms.structure_arrays:pick",
    move=Move(
        pushforward=_picked,
        transpose=_picked_back,
        shape=_picked_shape,
        reached=(_any_in_row, _column),
        holes=(False, True),
        need="labels, one for each row, or weights, one for each element",
    ),
    jumps=True,
    labels=lambda args: () if args[0] == args[1] else (1,),
    convention="labels have no derivative (0); one that is no class gives nan",
    spelling={"python": "pick({0}, {1})"},
)
