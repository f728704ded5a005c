"""The ops that move elements between shapes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .rules import At, Expr, Move
from .table import UNTRACKED, Attr, Op, TensorFlowInput, Torch

if TYPE_CHECKING:
    from ..graph import Shape

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


def fits(small: Shape, large: Shape) -> bool:
    """Tell whether an array of the first shape can be broadcast to the second."""
    return (
        len(small) <= len(large)
        and min(large, default=0) >= 0
        and all(a in (1, b) for a, b in zip(reversed(small), reversed(large), strict=False))
    )


def _summed_shape(attrs: tuple[Any, ...], args: tuple[Shape, ...]) -> Shape | None:
    shape: Shape = attrs[0]
    return shape if fits(shape, args[0]) or fits(args[0], shape) else None


def _repeated_shape(attrs: tuple[Any, ...], args: tuple[Shape, ...]) -> Shape | None:
    shape: Shape = attrs[0]
    return shape if fits(args[0], shape) else None


sum_to: Op = Op(
    name="sum_to",
    signature="sum_to(x)",
    topic="order and parts",
    doc="the sum over the axes along which an array of the shape was broadcast",
    array=".forms.structure_arrays:sum_to",
    attributes=(SHAPE,),
    move=Move(
        pushforward=lambda k, at, flow: sum_to(whole(k, at, flow), attrs=at.attrs),
        transpose=lambda k, at, flow: in_shape(at, flow, at.shapes[0]),
        shape=_summed_shape,
        joined=".forms.joined_arrays:sums",
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
    topic="order and parts",
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
    graphdef_input=TensorFlowInput("shape"),
    spelling={"python": "np.broadcast_to({0}, {shape})", "latex": r"\left[{0}\right]_{{{told}}}"},
    torch=Torch("ExpandBackward0"),
)

length: Op = Op(
    name="len",
    signature="len(x)",
    topic="order and parts",
    doc="the number of entries of x along its first axis",
    array=".forms.structure_arrays:length",
    move=Move(
        pushforward=nothing,
        transpose=nothing_back,
        shape=lambda attrs, args: () if args[0] else None,
        need="an array",
    ),
    of_shapes=lambda attrs, args: float(args[0][0]),
    labels=lambda args: (0,),
    spelling={"python": "np.float64(len({0}))"},
    torch=UNTRACKED,
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
    topic="order and parts",
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
    graphdef_input=TensorFlowInput("shape", "Tshape"),
    spelling={
        "python": "np.reshape({0}, {shape})",
        "latex": r"\operatorname{{reshape}}_{{{told}}}\left({0}\right)",
    },
    torch=Torch("ViewBackward0"),
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
    topic="matrices",
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
    graphdef_input=TensorFlowInput("axes", "Tperm", "backwards"),
    spelling={"python": "np.transpose({0}, {axes})", "latex": r"{0:101}^{{\top{told}}}"},
    torch=Torch("PermuteBackward0"),
)


def swapped(x: Expr, rank: int) -> Expr:
    """Return x with its last two axes exchanged."""
    if rank == 2:
        return transpose(x, attrs=(None,))
    return transpose(x, attrs=((*range(rank - 2), rank - 1, rank - 2),))
