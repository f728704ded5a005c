"""Ops that say how a program is differentiated and run, and give back their argument as it is."""

from __future__ import annotations

from .forms import basic
from .rules import At, Expr, Move
from .structure import whole
from .table import UNTRACKED, Attr, Op, Torch

SERIAL = Attr("serial", "serial", least=0)
PROBABILITY = Attr("p", "number", 0.5, least=0, most=1)

stop_gradient: Op = Op(
    name="stop_gradient",
    signature="stop_gradient(x)",
    topic="differentiation",
    doc="x, by which nothing is differentiated",
    scalar=basic.same,
    array=".forms.programs_arrays:same",
    partials=(None,),
    aliases=("detach",),
    stops=True,
    view=True,
    convention="the derivative is 0 by definition",
    graphdef="StopGradient",
    spelling=dict.fromkeys(("c", "javascript", "python", "sympy", "latex"), "{0}"),
    torch=UNTRACKED,
)

checkpoint: Op = Op(
    name="checkpoint",
    signature="checkpoint(x)",
    topic="differentiation",
    doc="x; what only x is made from is run again for the backward pass rather than kept",
    scalar=basic.same,
    array=".forms.programs_arrays:same",
    partials=(lambda r, x: 1.0,),
    checkpoints=True,
    view=True,
    undoes="checkpoint",
    spelling=dict.fromkeys(("c", "javascript", "python", "sympy", "latex"), "{0}"),
    torch=Torch("CheckpointFunctionBackward"),
)

in_training: Op = Op(
    name="in_training",
    signature="in_training(a, b)",
    topic="differentiation",
    doc="a with --training, else b",
    scalar=basic.second,
    array=".forms.programs_arrays:second",
    partials=(None, lambda r, a, b: 1.0),
    modes=True,
    convention="what is not meant contributes nothing, and needs no values",
    definition=lambda a, b: b,
    torch=Torch("WhereBackward0"),
)


def _dropped(k: int, at: At, flow: Expr) -> Expr:
    return dropped(whole(k, at, flow), attrs=at.attrs)


dropped: Op = Op(
    name="dropped",
    signature="dropped(x)",
    internal=True,
    doc="x with each element 0 with probability p, else divided by 1 - p; --seed says which",
    array=".forms.programs_arrays:dropped",
    attributes=(PROBABILITY, SERIAL),
    move=Move(
        pushforward=_dropped,
        transpose=_dropped,
        shape=lambda attrs, args: args[0],
        holes=(True, True),
    ),
    draws=True,
    spelling={"python": "dropped({0}, {p}, {serial}, {seed})"},
)
