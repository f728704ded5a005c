"""Reductions along axes: a partial derivative for each element, and a sum.

In the rules the result stands repeated to the shape of the argument, so that they read as those of
functions of one element.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from . import kinks
from .parts import concat, index
from .powers import exp, unit
from .rules import At, Expr, Move, Operand
from .selection import where
from .structure import full, in_shape, inverse, number, positive, reshape, transpose, whole
from .subscripts import along
from .table import Attr, Op, TensorFlowInput, Torch

if TYPE_CHECKING:
    from ..graph import Shape

AXIS = Attr("axis", "axis", None)
KEEPDIMS = Attr("keepdims", "flag", False)
DDOF = Attr("ddof", "whole", 0)
NEED = "axes that its argument has, each once"


def axes_of(axis: Any, rank: int) -> tuple[int, ...] | None:
    """Return the axes that an attribute means, in order, None where there are no such axes."""
    given = range(rank) if axis is None else (axis,) if isinstance(axis, int) else axis
    found = tuple(sorted(positive(one, rank) for one in given))
    good = len(set(found)) == len(found) and all(0 <= one < rank for one in found)
    return found if good else None


def kept(shape: Shape, axes: tuple[int, ...]) -> Shape:
    """Return a shape with a 1 where it is reduced."""
    return tuple([1 if axis in axes else size for axis, size in enumerate(shape)])


def _reduced_shape(attrs: tuple[Any, ...], args: tuple[Shape, ...]) -> Shape | None:
    (shape,) = args
    axes = axes_of(attrs[0], len(shape))
    if axes is None:
        return None
    if attrs[1]:
        return kept(shape, axes)
    return tuple([size for axis, size in enumerate(shape) if axis not in axes])


def aligned(at: At, expr: Expr) -> Expr:
    """Return an expression of the result's shape so that it broadcasts to the argument's."""
    (shape,) = at.shapes
    axes = axes_of(at.attrs[0], len(shape)) or ()
    leading = axes == tuple(range(len(axes)))
    if at.attrs[1] or leading or not at.shape(expr):
        return expr
    return reshape(expr, attrs=(kept(shape, axes),))


def count(at: At) -> int:
    """Return how many elements are reduced to one."""
    (shape,) = at.shapes
    axes = axes_of(at.attrs[0], len(shape)) or ()
    return math.prod(shape[axis] for axis in axes)


def _summed(k: int, at: At, flow: Expr) -> Expr:
    return sum_(whole(k, at, flow), attrs=at.attrs[:2])


def _repeated(k: int, at: At, flow: Expr) -> Expr:
    return in_shape(at, aligned(at, flow), at.shapes[0])


def reduction(
    scale: Callable[[At, Expr, Expr], Operand] | None = None,
    selected: Callable[[Expr, Expr], Expr] | None = None,
    joined: str = "",
) -> Move:
    """Return what a reduction states: (at, result, argument) -> partial, and where it counts."""

    def partial(k: int, at: At) -> Operand:
        return 1.0 if scale is None else scale(at, aligned(at, at.result), at.args[0])

    def condition(k: int, at: At) -> Expr:
        assert selected is not None, "asked only where there is one"
        return selected(aligned(at, at.result), at.args[0])

    return Move(
        pushforward=_summed,
        transpose=_repeated,
        shape=_reduced_shape,
        scale=partial,
        selected=condition if selected else None,
        joined=f".forms.joined_arrays:{joined}" if joined else "",
        need=NEED,
    )


def along_axes(x: Expr, like: At) -> Expr:
    """Return the sum of x along the axes of a reduction, which are kept."""
    return sum_(x, attrs=(like.attrs[0], True))


def python(name: str, **more: str) -> dict[str, str]:
    """Return how NumPy spells a reduction."""
    options = {"axis": "{axis}", "keepdims": "{keepdims}", **more}
    told = ", ".join(f"{option}={value}" for option, value in options.items())
    return {"python": f"np.{name}({{0}}, {told})"} | latex(rf"\operatorname{{{{{name}}}}}")


def latex(function: str) -> dict[str, str]:
    """Return how LaTeX has a function along an axis, which stands below."""
    return {"latex": rf"{function}{{below}}\left({{0}}\right)"}


def where_told(name: str) -> Callable[[tuple[Any, ...]], str | None]:
    """Return what PyTorch's node is called where an axis is told."""
    return lambda attrs: None if attrs[0] is None else name


sum_: Op = Op(
    name="sum",
    signature="sum(x)",
    topic="along axes",
    doc="the sum of the elements, all or along axes",
    array=".forms.reductions_arrays:sum_",
    attributes=(AXIS, KEEPDIMS),
    move=reduction(joined="sums"),
    keeps_sum=True,
    fold=("add", 0.0),
    rule="sum",
    sign="Σ",
    graphdef="Sum",
    graphdef_input=TensorFlowInput("axis", none="all"),
    spelling=python("sum") | {"latex": r"(\sum{below} {0:90})"},
    torch=Torch("SumBackward0", told=where_told("SumBackward1")),
)

mean: Op = Op(
    name="mean",
    signature="mean(x)",
    topic="along axes",
    doc="the mean of the elements, all or along axes",
    array=".forms.reductions_arrays:mean",
    attributes=(AXIS, KEEPDIMS),
    move=reduction(lambda at, r, x: 1.0 / max(count(at), 1), joined="means"),
    graphdef="Mean",
    graphdef_input=TensorFlowInput("axis", none="all"),
    spelling=python("mean"),
    torch=Torch("MeanBackward0", told=where_told("MeanBackward1")),
)


def _running(x: Expr, axis: int, size: int, shape: Shape, ahead: bool) -> Expr:
    """Return the product of all elements before (ahead: after) each along an axis.

    Each round doubles how far a product reaches, so there are log2(size) rounds.
    """

    def part(of: Expr, first: int | str, last: int | str) -> Expr:
        return index(of, attrs=(along(axis, f"{first}:{last}"),))

    def shifted(of: Expr, by: int) -> Expr:
        ones = full(x, 1.0, (*shape[:axis], by, *shape[axis + 1 :]))
        both = [part(of, by, ""), ones] if ahead else [ones, part(of, "", size - by)]
        return concat(*both, attrs=(axis,))

    found = shifted(x, 1)
    step = 1
    while step < size:
        found = found * shifted(found, step)
        step *= 2
    return found


def others(at: At, r: Expr, x: Expr) -> Operand:
    """Return for each element the product of the others, whether or not some are 0."""
    (shape,) = at.shapes
    axes = axes_of(at.attrs[0], len(shape)) or ()
    if count(at) < 2:
        return 1.0
    if len(axes) == 1:
        return _products(x, axes[0], shape)
    rest = [axis for axis in range(len(shape)) if axis not in axes]
    order = (*rest, *axes)
    turned = tuple([shape[axis] for axis in order])
    flat = (*turned[: len(rest)], count(at))
    row = reshape(transpose(x, attrs=(order,)), attrs=(flat,))
    found = reshape(_products(row, len(rest), flat), attrs=(turned,))
    return transpose(found, attrs=(inverse(order),))


def _products(x: Expr, axis: int, shape: Shape) -> Expr:
    """Return the product of the others along one axis: of those before and those after."""
    before, after = (_running(x, axis, shape[axis], shape, ahead) for ahead in (False, True))
    return before * after


prod: Op = Op(
    name="prod",
    signature="prod(x)",
    topic="along axes",
    doc="the product of the elements, all or along axes",
    array=".forms.reductions_arrays:prod",
    attributes=(AXIS, KEEPDIMS),
    move=reduction(others, joined="products"),
    fold=("mul", 1.0),
    sign="Π",
    graphdef="Prod",
    graphdef_input=TensorFlowInput("axis", none="all"),
    spelling=python("prod") | {"latex": r"(\prod{below} {0:90})"},
    torch=Torch("ProdBackward0", told=where_told("ProdBackward1")),
)


def _chosen(r: Expr, x: Expr) -> Expr:
    return kinks.chosen(x, r)


def _shares(at: At, r: Expr, x: Expr) -> Operand:
    """Return 1/n for each in an n-way tie."""
    return kinks.shared(1.0, along_axes(_chosen(r, x), at))


TIES = "in an n-way tie the derivative by each is 1/n; nan if any element is nan"

largest: Op = Op(
    name="largest",
    signature="max(x)",
    topic="along axes",
    doc="the greatest element, of all or along axes",
    array=".forms.reductions_arrays:max_",
    attributes=(AXIS, KEEPDIMS),
    move=reduction(_shares, _chosen, joined="greatest"),
    fold=("max", -math.inf),
    convention=TIES,
    kink="where several are the greatest",
    graphdef="Max",
    graphdef_input=TensorFlowInput("axis", none="all"),
    spelling=python("max", initial="-np.inf") | latex(r"\max"),
    torch=Torch("MaxBackward1", told=where_told("AmaxBackward0")),
)

smallest: Op = Op(
    name="smallest",
    signature="min(x)",
    topic="along axes",
    doc="the least element, of all or along axes",
    array=".forms.reductions_arrays:min_",
    attributes=(AXIS, KEEPDIMS),
    move=reduction(_shares, _chosen, joined="least"),
    fold=("min", math.inf),
    convention=TIES,
    kink="where several are the least",
    graphdef="Min",
    graphdef_input=TensorFlowInput("axis", none="all"),
    spelling=python("min", initial="np.inf") | latex(r"\min"),
    torch=Torch("MinBackward1", told=where_told("AminBackward0")),
)


def freedom(at: At) -> float:
    """Return what the sum of squares is divided by in a variance."""
    return float(max(count(at) - at.attrs[2], 0))


def deviation(at: At, x: Expr) -> Expr:
    """Return the elements less their mean."""
    return x - mean(x, attrs=(at.attrs[0], True))


def _of_variance(at: At, r: Expr, x: Expr) -> Operand:
    return deviation(at, x) * (number(x, 2.0) / freedom(at))


def _of_deviation(at: At, r: Expr, x: Expr) -> Operand:
    return where(kinks.equal(r, 0.0), 0.0, deviation(at, x) / (r * freedom(at)))


var: Op = Op(
    name="var",
    signature="var(x)",
    topic="along axes",
    doc="the variance, of all elements or along axes: the mean square deviation from the mean, "
    "divided by n - ddof",
    array=".forms.reductions_arrays:var",
    attributes=(AXIS, KEEPDIMS, DDOF),
    move=reduction(_of_variance),
    spelling={"python": "var({0}, {axis}, {keepdims}, {ddof})"} | latex(r"\operatorname{{var}}"),
)

std: Op = Op(
    name="std",
    signature="std(x)",
    topic="along axes",
    doc="the standard deviation, sqrt(var(x))",
    array=".forms.reductions_arrays:std",
    attributes=(AXIS, KEEPDIMS, DDOF),
    move=reduction(_of_deviation),
    convention="where all elements are equal the derivative is 0",
    kink="where all elements are equal",
    spelling={"python": "std({0}, {axis}, {keepdims}, {ddof})"} | latex(r"\operatorname{{std}}"),
)

norm: Op = Op(
    name="norm",
    signature="norm(x)",
    topic="along axes",
    doc="the Euclidean norm, of all elements or along axes",
    array=".forms.reductions_arrays:norm",
    attributes=(AXIS, KEEPDIMS),
    move=reduction(lambda at, r, x: where(kinks.equal(r, 0.0), 0.0, unit(x, r)), joined="norms"),
    convention="the derivative at the origin is 0, and by each element that is infinite its sign",
    kink="at the origin",
    spelling={
        "python": "norm({0}, {axis}, {keepdims})",
        "latex": r"\left\lVert {0} \right\rVert{below}",
    },
)


def _parts(at: At, r: Expr, x: Expr) -> Operand:
    rank = len(at.shapes[0])
    return softmax(x, attrs=(-1 if rank == 1 else at.attrs[0],)) if rank else 1.0


logsumexp: Op = Op(
    name="logsumexp",
    signature="logsumexp(x)",
    topic="along axes",
    doc="log(sum(exp(x))), of all elements or along axes, without overflow",
    array=".forms.reductions_arrays:logsumexp",
    attributes=(AXIS, KEEPDIMS),
    move=reduction(_parts, joined="logsumexps"),
    convention="of several that are inf, or all -inf, the derivative by each is 1/n",
    spelling={"python": "logsumexp({0}, {axis}, {keepdims})"}
    | latex(r"\operatorname{{logsumexp}}"),
)

# -- along an axis, which stays -------------------------------------------------------------------

LAST = Attr("axis", "axis", -1)


def _same_shape(attrs: tuple[Any, ...], args: tuple[Shape, ...]) -> Shape | None:
    return args[0] if args[0] and axes_of(attrs[0], len(args[0])) is not None else None


def _anywhere(k: int, at: At, mask: Expr) -> Expr:
    return in_shape(at, along_axes(whole(k, at, mask), at), at.shapes[0])


def _softmax_flow(k: int, at: At, flow: Expr) -> Expr:
    weighed = at.result * flow
    return weighed - at.result * along_axes(in_shape(at, weighed, at.shapes[0]), at)


softmax: Op = Op(
    name="softmax",
    signature="softmax(x)",
    topic="activations",
    doc="exp(x)/sum(exp(x)) along an axis, without overflow",
    array=".forms.reductions_arrays:softmax",
    attributes=(LAST,),
    move=Move(
        pushforward=_softmax_flow,
        transpose=_softmax_flow,
        shape=_same_shape,
        reached=(_anywhere, _anywhere),
        weighs=True,
        need=NEED,
    ),
    convention="several that are inf, or all -inf, have equal shares",
    graphdef="Softmax",
    graphdef_last=True,
    spelling={"python": "softmax({0}, {axis})"} | latex(r"\operatorname{{softmax}}"),
)


def _log_softmax(k: int, at: At, flow: Expr) -> Expr:
    given = whole(k, at, flow)
    return given - along_axes(exp(at.result) * given, at)


def _log_softmax_back(k: int, at: At, flow: Expr) -> Expr:
    return flow - exp(at.result) * along_axes(flow, at)


log_softmax: Op = Op(
    name="log_softmax",
    signature="log_softmax(x)",
    topic="activations",
    doc="log(softmax(x)), without the rounding of softmax",
    array=".forms.reductions_arrays:log_softmax",
    attributes=(LAST,),
    move=Move(
        pushforward=_log_softmax,
        transpose=_log_softmax_back,
        shape=_same_shape,
        reached=(_anywhere, _anywhere),
        weighs=True,
        need=NEED,
    ),
    graphdef="LogSoftmax",
    graphdef_last=True,
    spelling={"python": "log_softmax({0}, {axis})"} | latex(r"\ln\operatorname{{softmax}}"),
)


def _cumulated_shape(attrs: tuple[Any, ...], args: tuple[Shape, ...]) -> Shape | None:
    axis, (shape,) = attrs[0], args
    if axis is None:
        return (math.prod(shape),) if shape else None
    return shape if isinstance(axis, int) and axes_of(axis, len(shape)) is not None else None


def _cumulated_back(k: int, at: At, flow: Expr) -> Expr:
    axis, reverse = at.attrs
    found = cumsum(flow, attrs=(axis, not reverse))
    return (
        found
        if axis is not None or len(at.shapes[0]) == 1
        else reshape(found, attrs=(at.shapes[0],))
    )


cumsum: Op = Op(
    name="cumsum",
    signature="cumsum(x)",
    topic="along axes",
    doc="the running sum along an axis, or of all elements in order; from the end with reverse",
    array=".forms.reductions_arrays:cumsum",
    attributes=(AXIS, Attr("reverse", "flag", False)),
    move=Move(
        pushforward=lambda k, at, flow: cumsum(whole(k, at, flow), attrs=at.attrs),
        transpose=_cumulated_back,
        shape=_cumulated_shape,
        need="an axis that its argument has",
    ),
    graphdef="Cumsum",
    graphdef_input=TensorFlowInput("axis"),
    spelling={"python": "cumsum({0}, {axis}, {reverse})"} | latex(r"\operatorname{{cumsum}}"),
)
