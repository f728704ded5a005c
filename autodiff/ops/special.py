"""Rounding, activations, and the special functions of statistics and analysis."""

from __future__ import annotations

import math
from collections.abc import Callable

from . import scalars
from .comparison import equal, greater
from .elementary import NOT_ZERO, exp, expm1, log
from .selection import where
from .table import POSITIVE, REAL, Domain, Op

NOT_A_POLE = Domain("any real number but 0, -1, -2, ...", low=-1e3)
TWO_OVER_ROOT_PI = 2.0 / math.sqrt(math.pi)


def _jump(
    name: str, doc: str, scalar: Callable[[float], float], array: str, graphdef: str | None = None
) -> Op:
    """Return the row of a step function."""
    return Op(
        name=name,
        signature=f"{name}(x)",
        doc=doc,
        scalar=scalar,
        array=array,
        partials=(None,),
        convention="the derivative is 0, at the jumps too",
        graphdef=graphdef,
    )


floor = _jump(
    "floor", "the greatest whole number not above x", scalars.floor, "numpy:floor", "Floor"
)
ceil = _jump("ceil", "the least whole number not below x", scalars.ceil, "numpy:ceil", "Ceil")
round_ = _jump(
    "round", "the nearest whole number, halves to even", scalars.round_, "numpy:rint", "Rint"
)
trunc = _jump("trunc", "x without its fraction", scalars.trunc, "numpy:trunc")
step = _jump("step", "1 where x is positive, else 0", scalars.step, ".arrays:step")

sigmoid: Op = Op(
    name="sigmoid",
    signature="sigmoid(x)",
    doc="the logistic function, 1/(1 + exp(-x))",
    scalar=scalars.sigmoid,
    array=".arrays:sigmoid",
    # r*(1 - r) has no digit left at x = 40.
    partials=(lambda r, x: r * sigmoid(-x),),
    definition=lambda x: 1.0 / (1.0 + exp(-x)),
    graphdef="Sigmoid",
)

softplus: Op = Op(
    name="softplus",
    signature="softplus(x)",
    doc="log(1 + exp(x)), without overflow",
    scalar=scalars.softplus,
    array=".arrays:softplus",
    partials=(lambda r, x: sigmoid(x),),
    convention="the derivative at 0 is 1/2",
    graphdef="Softplus",
)

leaky_relu: Op = Op(
    name="leaky_relu",
    signature="leaky_relu(x, slope=0.01)",
    doc="x where it is positive, else slope*x",
    scalar=scalars.leaky_relu,
    array=".arrays:leaky_relu",
    partials=(
        lambda r, x, slope: where(greater(x, 0.0), 1.0, slope),
        lambda r, x, slope: where(greater(x, 0.0), 0.0, x),
    ),
    convention="the derivative at 0 is the slope",
    domain=(NOT_ZERO, Domain("any real number", low=0.0, high=1.0)),
)

elu: Op = Op(
    name="elu",
    signature="elu(x, alpha=1)",
    doc="x where it is positive, else alpha*(exp(x) - 1)",
    scalar=scalars.elu,
    array=".arrays:elu",
    partials=(
        lambda r, x, alpha: where(greater(x, 0.0), 1.0, alpha * exp(x)),
        lambda r, x, alpha: where(greater(x, 0.0), 0.0, expm1(x)),
    ),
    convention="the derivative at 0 is alpha",
    domain=(NOT_ZERO, Domain("any real number", low=0.1, high=2.0)),
)

gelu: Op = Op(
    name="gelu",
    signature="gelu(x)",
    doc="x*normcdf(x), the exact one",
    scalar=scalars.gelu,
    array=".arrays:gelu",
    partials=(lambda r, x: normcdf(x) + x * normpdf(x),),
    definition=lambda x: x * normcdf(x),
)

silu: Op = Op(
    name="silu",
    signature="silu(x)",
    doc="x*sigmoid(x)",
    scalar=scalars.silu,
    array=".arrays:silu",
    partials=(lambda r, x: sigmoid(x) * (1.0 + x * sigmoid(-x)),),
    aliases=("swish",),
    definition=lambda x: x * sigmoid(x),
)

logaddexp: Op = Op(
    name="logaddexp",
    signature="logaddexp(x, y)",
    doc="log(exp(x) + exp(y)), without overflow",
    scalar=scalars.logaddexp,
    array="numpy:logaddexp",
    partials=(lambda r, x, y: share(x, y), lambda r, x, y: share(y, x)),
    convention="the derivative at x = y is 1/2 by each",
    ordered=False,
)

share: Op = Op(
    name="share",
    signature="share(x, y)",
    doc="exp(x)/(exp(x) + exp(y)), the derivative of logaddexp by x",
    scalar=scalars.share,
    array=".arrays:share",
    partials=(lambda r, x, y: r * share(y, x), lambda r, x, y: -(r * share(y, x))),
    definition=lambda x, y: sigmoid(x - y),
)

xlogy: Op = Op(
    name="xlogy",
    signature="xlogy(x, y)",
    doc="x*log(y), and 0 where x is 0",
    scalar=scalars.xlogy,
    array=".arrays:xlogy",
    partials=(
        lambda r, x, y: log(y),
        lambda r, x, y: where(equal(x, 0.0), 0.0, x / y),
    ),
    convention="at (0, 0) the value is 0, d/dx is -inf and d/dy is 0",
    domain=(REAL, POSITIVE),
    graphdef="Xlogy",
)

gaussian: Op = Op(
    name="gaussian",
    signature="gaussian(x)",
    doc="exp(-x^2), with all its digits in the tails",
    scalar=scalars.gaussian,
    array=".arrays:gaussian",
    partials=(lambda r, x: -2.0 * (x * r),),
    definition=lambda x: exp(-(x**2.0)),
)

erf: Op = Op(
    name="erf",
    signature="erf(x)",
    doc="the error function",
    scalar=math.erf,
    array=".arrays:erf",
    partials=(lambda r, x: TWO_OVER_ROOT_PI * gaussian(x),),
    graphdef="Erf",
)

erfc: Op = Op(
    name="erfc",
    signature="erfc(x)",
    doc="1 - erf(x), with all its digits in the tail",
    scalar=math.erfc,
    array=".arrays:erfc",
    partials=(lambda r, x: -TWO_OVER_ROOT_PI * gaussian(x),),
    graphdef="Erfc",
)

normpdf: Op = Op(
    name="normpdf",
    signature="normpdf(x)",
    doc="the density of the standard normal distribution",
    scalar=scalars.normpdf,
    array=".arrays:normpdf",
    partials=(lambda r, x: -x * r,),
    definition=lambda x: exp(x**2.0 / -2.0) / math.sqrt(2.0 * math.pi),
)

normcdf: Op = Op(
    name="normcdf",
    signature="normcdf(x)",
    doc="the distribution function of the standard normal distribution",
    scalar=scalars.normcdf,
    array=".arrays:normcdf",
    partials=(lambda r, x: normpdf(x),),
    definition=lambda x: erfc(-x / math.sqrt(2.0)) / 2.0,
)

gamma: Op = Op(
    name="gamma",
    signature="gamma(x)",
    doc="the gamma function; gamma(n + 1) is n factorial",
    scalar=scalars.gamma,
    array=".arrays:gamma",
    partials=(lambda r, x: r * digamma(x),),
    convention="there is no value at 0, -1, -2, ...: inf at 0, nan at the others",
    domain=(NOT_A_POLE,),
)

lgamma: Op = Op(
    name="lgamma",
    signature="lgamma(x)",
    doc="the logarithm of the absolute value of gamma(x)",
    scalar=scalars.lgamma,
    array=".arrays:lgamma",
    partials=(lambda r, x: digamma(x),),
    convention="inf at 0, -1, -2, ..., with derivative nan",
    domain=(NOT_A_POLE,),
    graphdef="Lgamma",
)

digamma: Op = Op(
    name="digamma",
    signature="digamma(x)",
    doc="the derivative of lgamma",
    scalar=scalars.digamma,
    array=".arrays:digamma",
    partials=(lambda r, x: polygamma(1.0, x),),
    convention="nan at 0, -1, -2, ...",
    domain=(NOT_A_POLE,),
    graphdef="Digamma",
)

polygamma: Op = Op(
    name="polygamma",
    signature="polygamma(n, x)",
    doc="the n-th derivative of digamma, n a whole number",
    scalar=scalars.polygamma,
    array=".arrays:polygamma",
    partials=(lambda r, n, x: math.nan, lambda r, n, x: polygamma(n + 1.0, x)),
    convention="there is no derivative by n: nan",
    domain=(Domain("n = 0, 1, 2, ...", low=0.0, high=4.0, whole=True), NOT_A_POLE),
    graphdef="Polygamma",
)
