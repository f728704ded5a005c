"""Activations of neural networks, and the sums of exponentials behind them."""

from __future__ import annotations

import math

from . import kinks
from .comparison import equal, greater
from .forms import special
from .powers import LN2, exp, expm1, log1p
from .rounding import abs_
from .rules import Expr
from .selection import bounded, max_, relu, where
from .special import normcdf, normpdf
from .table import NOT_ZERO, Domain, Op, Torch

sigmoid: Op = Op(
    name="sigmoid",
    signature="sigmoid(x)",
    topic="activations",
    doc="the logistic function, 1/(1 + exp(-x))",
    scalar=special.sigmoid,
    array=".forms.special_arrays:sigmoid",
    # r*(1 - r) has no digit left at x = 40.
    partials=(lambda r, x: r * sigmoid(-x),),
    definition=lambda x: 1.0 / (1.0 + exp(-x)),
    graphdef="Sigmoid",
    nonnegative=True,
)

softplus: Op = Op(
    name="softplus",
    signature="softplus(x)",
    topic="activations",
    doc="log(1 + exp(x)), without overflow",
    scalar=special.softplus,
    array=".forms.special_arrays:softplus",
    partials=(lambda r, x: sigmoid(x),),
    convention="the derivative at 0 is 1/2",
    graphdef="Softplus",
    definition=lambda x: relu(x) + log1p(exp(-abs_(x))),
    nonnegative=True,
)

leaky_relu: Op = Op(
    name="leaky_relu",
    signature="leaky_relu(x, slope=0.01)",
    topic="activations",
    doc="x where it is positive, else slope*x",
    scalar=special.leaky_relu,
    array=".forms.special_arrays:leaky_relu",
    partials=(
        lambda r, x, slope: where(kinks.greater(x, 0.0), 1.0, slope),
        lambda r, x, slope: where(kinks.greater(x, 0.0), 0.0, x),
    ),
    convention="the derivative at 0 is the slope",
    kink="at 0",
    domain=(NOT_ZERO, Domain("any real number", low=0.0, high=1.0)),
    defined="any real number",
    definition=lambda x, slope: where(greater(x, 0.0), x, slope * x),
    torch=Torch(numbers={(1,): "LeakyReluBackward0"}),
)

elu: Op = Op(
    name="elu",
    signature="elu(x, alpha=1)",
    topic="activations",
    doc="x where it is positive, else alpha*(exp(x) - 1)",
    scalar=special.elu,
    array=".forms.special_arrays:elu",
    partials=(
        lambda r, x, alpha: where(kinks.greater(x, 0.0), 1.0, alpha * exp(x)),
        lambda r, x, alpha: where(kinks.greater(x, 0.0), 0.0, expm1(x)),
    ),
    convention="the derivative at 0 is alpha",
    kink="at 0",
    domain=(NOT_ZERO, Domain("any real number", low=0.1, high=2.0)),
    defined="any real number",
    definition=lambda x, alpha: where(greater(x, 0.0), x, alpha * expm1(x)),
    torch=Torch(numbers={(1,): "EluBackward0"}),
)

gelu: Op = Op(
    name="gelu",
    signature="gelu(x)",
    topic="activations",
    doc="x*normcdf(x), the exact one",
    scalar=special.gelu,
    array=".forms.special_arrays:gelu",
    partials=(lambda r, x: normcdf(x) + bounded(x) * normpdf(x),),
    definition=lambda x: _times_share(x, normcdf(x)),
)


def _times_share(x: Expr, share: Expr) -> Expr:
    """Return x*share, -0.0 at -inf, where the share is 0."""
    return where(equal(x, -math.inf), -0.0, x * share)


silu: Op = Op(
    name="silu",
    signature="silu(x)",
    topic="activations",
    doc="x*sigmoid(x)",
    scalar=special.silu,
    array=".forms.special_arrays:silu",
    partials=(lambda r, x: sigmoid(x) * (1.0 + bounded(x) * sigmoid(-x)),),
    aliases=("swish",),
    definition=lambda x: _times_share(x, sigmoid(x)),
)

logaddexp: Op = Op(
    name="logaddexp",
    signature="logaddexp(x, y)",
    topic="powers",
    doc="log(exp(x) + exp(y)), without overflow",
    scalar=special.logaddexp,
    array="numpy:logaddexp",
    partials=(lambda r, x, y: share(x, y), lambda r, x, y: share(y, x)),
    convention="the derivative at x = y is 1/2 by each",
    ordered=False,
    definition=lambda x, y: where(equal(x, y), x + LN2, max_(x, y) + log1p(exp(-abs_(x - y)))),
    spelling={"sympy": "sp.log(sp.exp({0}) + sp.exp({1}))"},
)

share: Op = Op(
    name="share",
    signature="share(x, y)",
    internal=True,
    doc="exp(x)/(exp(x) + exp(y)), the derivative of logaddexp by x",
    scalar=special.share,
    array=".forms.special_arrays:share",
    partials=(lambda r, x, y: r * share(y, x), lambda r, x, y: -(r * share(y, x))),
    definition=lambda x, y: where(equal(x, y), 0.5, sigmoid(x - y)),
    spelling={"sympy": "(1/(1 + sp.exp({1:60} - {0:61})))"},
)
