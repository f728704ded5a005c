"""Functions of formulas that are written with the ops there are."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..limits import MOST_NUMBERS
from .labels import pick
from .matrices import matmul
from .parts import diag
from .powers import sqrt
from .programs import PROBABILITY, SERIAL, dropped, in_training
from .reductions import log_softmax, mean, var
from .rules import Expr
from .structure import SHAPE, repeated, transpose
from .table import Attr, Composition

if TYPE_CHECKING:
    from ..graph import Graph


def _number(graph: Graph, value: float) -> Expr:
    return Expr(graph, graph.constant(value))


def _filled(value: float) -> Callable[[Graph, Sequence[Expr], Sequence[Any]], Expr]:
    def make(graph: Graph, args: Sequence[Expr], attrs: Sequence[Any]) -> Expr:
        return repeated(_number(graph, value), attrs[0])

    return make


zeros = Composition(
    name="zeros",
    signature="zeros()",
    topic="made from sizes",
    doc="an array of zeros: zeros(3), zeros(2, 3)",
    attributes=(SHAPE,),
    make=_filled(0.0),
)

ones = Composition(
    name="ones",
    signature="ones()",
    topic="made from sizes",
    doc="an array of ones: ones(3), ones(2, 3)",
    attributes=(SHAPE,),
    make=_filled(1.0),
)

full = Composition(
    name="full",
    signature="full(value)",
    topic="made from sizes",
    doc="an array of one number: full(0.5, [2, 3])",
    attributes=(SHAPE,),
    make=lambda graph, args, attrs: repeated(args[0], attrs[0]),
)

eye = Composition(
    name="eye",
    signature="eye()",
    topic="made from sizes",
    doc="the identity matrix of a size",
    attributes=(Attr("size", "whole", least=0),),
    make=lambda graph, args, attrs: diag(repeated(_number(graph, 1.0), (attrs[0],))),
)


def _range(attrs: Sequence[Any]) -> tuple[float, float, float]:
    """Return the start, the stop and the step that the attributes of arange say."""
    first, second, step = attrs
    return (0.0, first, step) if second is None else (first, second, step)


def _steps(start: float, stop: float, step: float) -> float:
    """Return how many steps it is to the stop."""
    return (stop - start) / step


def _no_range(attrs: Sequence[Any]) -> str | None:
    start, stop, step = _range(attrs)
    if not all(map(math.isfinite, (start, stop, step))) or step == 0.0:
        return "arange needs finite numbers and a step that is not 0"
    if not _steps(start, stop, step) <= MOST_NUMBERS:
        return f"arange gives at most {MOST_NUMBERS:,} numbers"
    return None


def _arange(graph: Graph, args: Sequence[Expr], attrs: Sequence[Any]) -> Expr:
    start, stop, step = _range(attrs)
    count = max(0, math.ceil(_steps(start, stop, step)))
    return Expr(graph, graph.constant(tuple([start + k * step for k in range(count)])))


arange = Composition(
    name="arange",
    signature="arange()",
    topic="made from sizes",
    doc="the numbers start, start + step, ... before stop; arange(n) is 0, 1, ... n - 1",
    attributes=(Attr("start", "number"), Attr("stop", "number", None), Attr("step", "number", 1.0)),
    misfit=_no_range,
    make=_arange,
)


def _linspace(graph: Graph, args: Sequence[Expr], attrs: Sequence[Any]) -> Expr:
    (count,) = attrs
    start, stop = args
    first, last = start.literal, stop.literal
    steps = max(count - 1, 1)
    if first is None or last is None:
        parts = tuple([k / steps for k in range(count)])
        return start + (stop - start) * Expr(graph, graph.constant(parts))
    inner = [first + (last - first) * (k / steps) for k in range(count)]
    return Expr(graph, graph.constant((*inner[: count - 1], last) if count > 1 else tuple(inner)))


linspace = Composition(
    name="linspace",
    signature="linspace(start, stop)",
    topic="made from sizes",
    doc="so many numbers from start to stop, both included, at equal distances",
    attributes=(Attr("count", "whole", least=0, most=MOST_NUMBERS),),
    make=_linspace,
)


def _linear(graph: Graph, args: Sequence[Expr], attrs: Sequence[Any]) -> Expr:
    x, weight, bias = args
    product = matmul(x, transpose(weight, attrs=(None,)))
    return product if bias.literal == 0.0 else product + bias


linear = Composition(
    name="linear",
    signature="linear(x, weight, bias=0)",
    topic="networks",
    doc="x @ weight.T + bias, a layer as PyTorch has it",
    make=_linear,
)

mse = Composition(
    name="mse",
    signature="mse(y, target)",
    topic="networks",
    doc="the mean squared error, mean((y - target)^2)",
    aliases=("mse_loss",),
    paired=True,
    make=lambda graph, args, attrs: mean((args[0] - args[1]) ** 2.0, attrs=(None, False)),
)

cross_entropy = Composition(
    name="cross_entropy",
    signature="cross_entropy(x, target)",
    topic="networks",
    doc="the mean of -log(softmax(x)) at the target: a label 0, 1, ... a row, or its probabilities",
    make=lambda graph, args, attrs: (
        -mean(pick(log_softmax(args[0], attrs=(-1,)), args[1]), attrs=(None, False))
    ),
)

dropout = Composition(
    name="dropout",
    signature="dropout(x)",
    topic="networks",
    doc="with --training x with each element 0 with probability p, else divided by 1 - p",
    attributes=(PROBABILITY, SERIAL),
    make=lambda graph, args, attrs: in_training(dropped(args[0], attrs=tuple(attrs)), args[0]),
)


def _batch_norm(graph: Graph, args: Sequence[Expr], attrs: Sequence[Any]) -> Expr:
    x, running_mean, running_var, weight, bias = args
    middle = in_training(mean(x, attrs=(0, False)), running_mean)
    spread = in_training(var(x, attrs=(0, False, 0)), running_var)
    return (x - middle) / sqrt(spread + attrs[0]) * weight + bias


batch_norm = Composition(
    name="batch_norm",
    signature="batch_norm(x, mean, var, weight=1, bias=0)",
    topic="networks",
    doc="x less its mean, over its standard deviation, along the first axis: of the batch with "
    "--training, else as given",
    attributes=(Attr("eps", "number", 1e-5),),
    make=_batch_norm,
)
