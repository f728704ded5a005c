"""The special functions of statistics and analysis."""

from __future__ import annotations

import math

from .forms import special
from .powers import exp
from .selection import bounded
from .table import Domain, Op, Torch

NOT_A_POLE = Domain("any real number but 0, -1, -2, ...", low=-1e3)
TWO_OVER_ROOT_PI = 2.0 / math.sqrt(math.pi)

gaussian: Op = Op(
    name="gaussian",
    signature="gaussian(x)",
    topic="special",
    doc="exp(-x^2), with all its digits in the tails",
    scalar=special.gaussian,
    array=".forms.special_arrays:gaussian",
    partials=(lambda r, x: -2.0 * (bounded(x) * r),),
    definition=lambda x: exp(-(x**2.0)),
    parity="even",
    nonnegative=True,
)

erf: Op = Op(
    name="erf",
    signature="erf(x)",
    topic="special",
    doc="the error function",
    scalar=math.erf,
    array=".forms.special_arrays:erf",
    complex="scipy.special:erf",
    partials=(lambda r, x: TWO_OVER_ROOT_PI * gaussian(x),),
    graphdef="Erf",
    spelling={"python": "special.erf({0})"},
    parity="odd",
)

erfc: Op = Op(
    name="erfc",
    signature="erfc(x)",
    topic="special",
    doc="1 - erf(x), with all its digits in the tail",
    scalar=math.erfc,
    array=".forms.special_arrays:erfc",
    complex="scipy.special:erfc",
    partials=(lambda r, x: -TWO_OVER_ROOT_PI * gaussian(x),),
    graphdef="Erfc",
    spelling={"python": "special.erfc({0})"},
)

normpdf: Op = Op(
    name="normpdf",
    signature="normpdf(x)",
    topic="special",
    doc="the density of the standard normal distribution",
    scalar=special.normpdf,
    array=".forms.special_arrays:normpdf",
    partials=(lambda r, x: -bounded(x) * r,),
    definition=lambda x: exp(x**2.0 / -2.0) / math.sqrt(2.0 * math.pi),
    parity="even",
    nonnegative=True,
)

normcdf: Op = Op(
    name="normcdf",
    signature="normcdf(x)",
    topic="special",
    doc="the distribution function of the standard normal distribution",
    scalar=special.normcdf,
    array=".forms.special_arrays:normcdf",
    complex="scipy.special:ndtr",
    partials=(lambda r, x: normpdf(x),),
    definition=lambda x: erfc(-x / math.sqrt(2.0)) / 2.0,
    nonnegative=True,
)

gamma: Op = Op(
    name="gamma",
    signature="gamma(x)",
    topic="special",
    doc="the gamma function; gamma(n + 1) is n factorial",
    scalar=special.gamma,
    array=".forms.special_arrays:gamma",
    partials=(lambda r, x: r * digamma(x),),
    convention="there is no value at 0, -1, -2, ...: inf at 0, nan at the others",
    domain=(NOT_A_POLE,),
    spelling={
        "c": "tgamma({0})",
        "latex": r"\Gamma\left({0}\right)",
    },
)

lgamma: Op = Op(
    name="lgamma",
    signature="lgamma(x)",
    topic="special",
    doc="the logarithm of the absolute value of gamma(x)",
    scalar=special.lgamma,
    array=".forms.special_arrays:lgamma",
    partials=(lambda r, x: digamma(x),),
    convention="inf at 0, -1, -2, ..., with derivative nan",
    domain=(NOT_A_POLE,),
    graphdef="Lgamma",
    spelling={
        "sympy": "sp.log(sp.Abs(sp.gamma({0})))",
        "latex": r"\ln\left|\Gamma\left({0}\right)\right|",
    },
)

digamma: Op = Op(
    name="digamma",
    signature="digamma(x)",
    topic="special",
    doc="the derivative of lgamma",
    scalar=special.digamma,
    array=".forms.special_arrays:digamma",
    complex="scipy.special:psi",
    partials=(lambda r, x: polygamma(1.0, x),),
    convention="nan at 0, -1, -2, ...",
    domain=(NOT_A_POLE,),
    graphdef="Digamma",
    spelling={"latex": r"\psi\left({0}\right)"},
)

polygamma: Op = Op(
    name="polygamma",
    signature="polygamma(n, x)",
    topic="special",
    doc="the n-th derivative of digamma, n a whole number",
    scalar=special.polygamma,
    array=".forms.special_arrays:polygamma",
    partials=(lambda r, n, x: math.nan, lambda r, n, x: polygamma(n + 1.0, x)),
    convention="there is no derivative by n: nan",
    domain=(Domain("n = 0, 1, 2, ...", low=0.0, high=4.0, whole=True), NOT_A_POLE),
    graphdef="Polygamma",
    torch=Torch("PolygammaBackward0", numbers={(0,): "PolygammaBackward0"}),
)
