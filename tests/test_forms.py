"""The scalar and the array form of every op, and its partials, against mpmath at 60 digits.

Points are drawn over an op's whole domain on a logarithmic scale. Errors are counted in ulps of the
true value; below 1e-304 an absolute error of 2e-320 is allowed, for digits fade there.
"""

# mpmath has no types.
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false
# pyright: reportUnknownVariableType=false

import itertools
import math
import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest
from mpmath import mp, mpf

from cgraph.autodiff.graph import Graph
from cgraph.autodiff.ops import OPS, Expr, scalars

Point = tuple[float, ...]
Truth = Callable[..., Any]

INF, NAN = math.inf, math.nan
FADING = 1e-304


# Points


def spread(low: float, high: float, count: int = 60) -> list[float]:
    """Return numbers from 10^low to 10^high, evenly on a logarithmic scale."""
    draw = random.Random(f"{low} {high} {count}")
    return [10.0 ** draw.uniform(low, high) for _ in range(count)]


def both(xs: Iterable[float]) -> list[float]:
    return [signed for x in xs for signed in (x, -x)]


def one(xs: Iterable[float]) -> list[Point]:
    return [(x,) for x in xs]


def pairs(xs: Iterable[float], ys: Iterable[float]) -> list[Point]:
    """Return each of xs with one of ys, which are mixed first."""
    mixed = list(ys)
    random.Random(1).shuffle(mixed)
    return list(zip(xs, itertools.cycle(mixed), strict=False))


CLOSE = [10.0**-k for k in range(1, 16)]
POSITIVE = [*spread(-307, 308), *(1.0 + x for x in both(CLOSE)), 5e-324, 1e-310]
REAL = both(spread(-307, 308))
MODERATE = both(spread(-5, 5))
EXPONENTS = both([*spread(-307, 2.85), *spread(0, 2.85)])
UNIT = both([*spread(-307, 0), *(1.0 - x for x in CLOSE)])
BEYOND_UNIT = both([*spread(0, 308), *(1.0 + x for x in CLOSE)])
TAILS = both([*spread(-307, 1.43), *spread(0, 1.43)])
NORMAL = both([*spread(-307, 1.57), *spread(0, 1.57)])
GAMMA = [*spread(-307, 2.23), *spread(-2, 2.23), *(-x for x in spread(-307, 2.26)), 1.46163, 2.5]
STIRLING = [*spread(-300, 300), *spread(-1, 2), *(-x for x in spread(-10, 6))]
ORDERS = [
    (float(n), sign * x)
    for n in (1, 2, 3, 5, 10, 20)
    for sign, high in ((1.0, 290 / n), (-1.0, 3.0))
    for x in spread(-290 / (n + 1), high, 8) + spread(-1, 2, 8)
]
ABOUT_1_AND_2 = [n + x for n in (1.0, 2.0) for x in both(CLOSE)]
WAVES = [(float(n), x) for n in (0, 1, 2, 3, 4, 7, 20, 100) for x in both(spread(-3, 4, 12))]
ROOTS = [2.0, 3.0, 4.0, 5.0, 7.0, -3.0, -2.0, 1.5, 20.0]


# Truths


def sinpi_over_pi(x: Any) -> Any:
    return mp.sinpi(x) / mp.pi


def sinc_derivative(n: int, x: Any) -> Any:
    """Leibniz's rule on sin(pi x)/pi times 1/x."""
    waves = (mp.sinpi(x), mp.cospi(x), -mp.sinpi(x), -mp.cospi(x))
    return mp.fsum(
        mp.binomial(n, k)
        * mp.pi ** (k - 1)
        * waves[k % 4]
        * (-1) ** (n - k)
        * mp.factorial(n - k)
        / x ** (n - k + 1)
        for k in range(n + 1)
    )


def real_root(x: Any, n: Any) -> Any:
    return mp.sign(x) * abs(x) ** (mpf(1) / n)


def polygamma(n: Any, x: Any) -> Any:
    """Hurwitz's zeta, by its recurrence from x < 0 to x > 0."""
    shift = 0 if x > 0 else int(-x) + 1
    terms = mp.fsum((x + k) ** (-n - 1) for k in range(shift))
    return (-1) ** (int(n) + 1) * mp.factorial(n) * (mp.zeta(n + 1, x + shift) + terms)


def exact(truth: Truth, point: Point) -> Any:
    """Return the true value; the precision grows until 30 digits stay."""
    digits, before = 60, None
    while True:
        with mp.workdps(digits):
            value = mpf(truth(*map(mpf, point)))
            settled = before is not None and abs(value - before) <= abs(value) * mpf(10) ** -30
            if settled and (value or digits > 1000):
                return value
        digits, before = 2 * digits, value
        assert digits < 4000, f"no truth at {point}"


class Form(NamedTuple):
    """The truth of an op, where it is compared, and to how many ulps.

    `scale` is the size of what is added up; near a zero of the sum errors are relative to it.
    """

    truth: Truth
    points: Sequence[Point]
    ulps: float = 2.0
    scale: Callable[..., float] = lambda *_: 0.0


def wide(x: float) -> float:
    """Return the size of digamma's terms below 0."""
    return math.log(2.0 - x) if x < 0.0 else 0.0


FORMS: dict[str, Form] = {
    "add": Form(lambda x, y: x + y, pairs(MODERATE, MODERATE), 1),
    "sub": Form(lambda x, y: x - y, pairs(MODERATE, MODERATE), 1),
    "mul": Form(lambda x, y: x * y, pairs(MODERATE, MODERATE), 1),
    "div": Form(lambda x, y: x / y, pairs(MODERATE, MODERATE), 1),
    "mod": Form(lambda x, y: x - y * mp.floor(x / y), pairs(MODERATE, MODERATE), 1),
    "pow": Form(lambda x, y: x**y, pairs(spread(-5, 5), both(spread(-20, 1.7)))),
    "hypot": Form(lambda x, y: mp.sqrt(x * x + y * y), pairs(REAL, REAL)),
    "atan2": Form(lambda y, x: mp.atan2(y, x), pairs(REAL, MODERATE)),
    "degrees": Form(mp.degrees, one(both(spread(-300, 306)))),
    "radians": Form(mp.radians, one(both(spread(-300, 308)))),
    "sqrt": Form(mp.sqrt, one(POSITIVE), 1),
    "cbrt": Form(lambda x: real_root(x, 3), one(REAL), 1),
    "root": Form(real_root, pairs(POSITIVE, [*both(spread(-1, 7)), *ROOTS])),
    "exp": Form(mp.exp, one(EXPONENTS), 1),
    "exp2": Form(lambda x: mpf(2) ** x, one(EXPONENTS), 1),
    "expm1": Form(mp.expm1, one(EXPONENTS)),
    "log": Form(mp.log, one(POSITIVE), 1),
    "log2": Form(lambda x: mp.log(x, 2), one(POSITIVE), 1),
    "log10": Form(mp.log10, one(POSITIVE)),
    "log1p": Form(mp.log1p, one([*spread(-307, 308), *(-x for x in spread(-307, 0))])),
    "log_base": Form(mp.log, pairs(POSITIVE, [2.0, 10.0, 3.0, *spread(-5, 5)]), 4),
    "logaddexp": Form(
        lambda x, y: mp.log(mp.exp(x) + mp.exp(y)),
        pairs(both(spread(-3, 3)), both(spread(-3, 3))),
        scale=lambda x, y: max(abs(x), abs(y)),
    ),
    "xlogy": Form(lambda x, y: x * mp.log(y), pairs(MODERATE, spread(-300, 300))),
    "sin": Form(mp.sin, one(REAL), 1),
    "cos": Form(mp.cos, one(REAL), 1),
    "tan": Form(mp.tan, one(REAL), 1),
    "sec": Form(mp.sec, one(REAL)),
    "csc": Form(mp.csc, one(REAL)),
    "cot": Form(mp.cot, one(REAL)),
    "asin": Form(mp.asin, one(UNIT), 1),
    "acos": Form(mp.acos, one(UNIT), 1),
    "atan": Form(mp.atan, one(REAL), 1),
    "asec": Form(mp.asec, one(BEYOND_UNIT), 3),
    "acsc": Form(mp.acsc, one(BEYOND_UNIT), 3),
    "acot": Form(mp.acot, one(REAL)),
    "sinh": Form(mp.sinh, one(EXPONENTS)),
    "cosh": Form(mp.cosh, one(EXPONENTS)),
    "tanh": Form(mp.tanh, one(EXPONENTS)),
    "sech": Form(mp.sech, one(EXPONENTS), 3),
    "csch": Form(mp.csch, one(EXPONENTS), 3),
    "coth": Form(mp.coth, one(EXPONENTS), 3),
    "asinh": Form(mp.asinh, one(REAL)),
    "acosh": Form(mp.acosh, one(x for x in BEYOND_UNIT if x > 0)),
    "atanh": Form(mp.atanh, one(UNIT)),
    "asech": Form(mp.asech, one([x for x in UNIT if x > 0] + [5e-324, 1e-310]), 4),
    "acsch": Form(mp.acsch, one([*REAL, 5e-324, -1e-310, 2e-300, 1e-300])),
    "acoth": Form(mp.acoth, one(BEYOND_UNIT)),
    "sinc": Form(lambda x: sinpi_over_pi(x) / x, one([*REAL, *MODERATE])),
    "dsinc": Form(
        lambda n, x: sinc_derivative(int(n), x),
        WAVES,
        64,
        lambda n, x: 0.1 * math.pi**n / (n + 2.0 + abs(x)) if abs(x) > 0.5 else 0.0,
    ),
    "sigmoid": Form(lambda x: 1 / (1 + mp.exp(-x)), one(EXPONENTS)),
    "softplus": Form(lambda x: mp.log1p(mp.exp(x)), one(EXPONENTS)),
    "silu": Form(lambda x: x / (1 + mp.exp(-x)), one(EXPONENTS), 3),
    "gelu": Form(lambda x: x * mp.erfc(-x / mp.sqrt(2)) / 2, one(NORMAL), 16),
    "elu": Form(lambda x, a: x if x > 0 else a * mp.expm1(x), pairs(EXPONENTS, spread(-2, 2))),
    "leaky_relu": Form(lambda x, a: x if x > 0 else a * x, pairs(MODERATE, spread(-2, 2)), 1),
    "erf": Form(mp.erf, one(TAILS)),
    "erfc": Form(mp.erfc, one(TAILS), 8),
    "gaussian": Form(lambda x: mp.exp(-x * x), one(TAILS), 4),
    "normpdf": Form(mp.npdf, one(NORMAL), 4),
    "normcdf": Form(lambda x: mp.erfc(-x / mp.sqrt(2)) / 2, one(NORMAL), 16),
    "gamma": Form(mp.gamma, one(GAMMA), 16),
    "lgamma": Form(
        lambda x: mp.log(abs(mp.gamma(x))),
        one([*spread(-300, 4), *spread(-1, 1), *ABOUT_1_AND_2, *(-x for x in spread(-300, 2))]),
        32,
        scale=lambda x: 1.0 if x < 0.0 else 0.0,
    ),
    "digamma": Form(
        mp.digamma, one([*STIRLING, *(scalars.DIGAMMA_ZERO + x for x in both(CLOSE))]), 16, wide
    ),
    "polygamma": Form(polygamma, ORDERS, 64),
}

SPECIAL = {
    *("gelu", "erf", "erfc", "gaussian", "normpdf", "normcdf"),
    *("gamma", "lgamma", "digamma", "polygamma", "dsinc"),
}

SLOPES: dict[tuple[str, int], Form] = {
    ("tanh", 0): Form(lambda x: mp.sech(x) ** 2, one(EXPONENTS)),
    ("tan", 0): Form(lambda x: mp.sec(x) ** 2, one(REAL)),
    ("sec", 0): Form(lambda x: mp.sec(x) * mp.tan(x), one(REAL)),
    ("csc", 0): Form(lambda x: -mp.csc(x) * mp.cot(x), one(REAL)),
    ("cot", 0): Form(lambda x: -(mp.csc(x) ** 2), one(REAL)),
    ("asin", 0): Form(lambda x: 1 / mp.sqrt(1 - x * x), one(UNIT)),
    ("acos", 0): Form(lambda x: -1 / mp.sqrt(1 - x * x), one(UNIT)),
    ("atan", 0): Form(lambda x: 1 / (1 + x * x), one(REAL)),
    ("acot", 0): Form(lambda x: -1 / (1 + x * x), one(REAL)),
    ("asec", 0): Form(lambda x: 1 / (abs(x) * mp.sqrt(x * x - 1)), one(BEYOND_UNIT)),
    ("acsc", 0): Form(lambda x: -1 / (abs(x) * mp.sqrt(x * x - 1)), one(BEYOND_UNIT)),
    ("sech", 0): Form(lambda x: -mp.sech(x) * mp.tanh(x), one(EXPONENTS)),
    ("csch", 0): Form(lambda x: -mp.csch(x) * mp.coth(x), one(EXPONENTS)),
    ("coth", 0): Form(lambda x: -(mp.csch(x) ** 2), one(EXPONENTS)),
    ("asinh", 0): Form(lambda x: 1 / mp.sqrt(1 + x * x), one(REAL)),
    ("acosh", 0): Form(lambda x: 1 / mp.sqrt(x * x - 1), one(x for x in BEYOND_UNIT if x > 0)),
    ("atanh", 0): Form(lambda x: 1 / (1 - x * x), one(UNIT)),
    ("asech", 0): Form(lambda x: -1 / (x * mp.sqrt(1 - x * x)), one(x for x in UNIT if x > 0)),
    ("acsch", 0): Form(lambda x: -1 / (abs(x) * mp.sqrt(1 + x * x)), one(REAL)),
    ("acoth", 0): Form(lambda x: 1 / (1 - x * x), one(BEYOND_UNIT)),
    ("atan2", 0): Form(lambda y, x: x / (x * x + y * y), FORMS["atan2"].points),
    ("atan2", 1): Form(lambda y, x: -y / (x * x + y * y), FORMS["atan2"].points),
    ("hypot", 0): Form(lambda x, y: x / mp.sqrt(x * x + y * y), FORMS["hypot"].points),
    ("sqrt", 0): Form(lambda x: 1 / (2 * mp.sqrt(x)), one(POSITIVE)),
    ("cbrt", 0): Form(lambda x: abs(x) ** (-mpf(2) / 3) / 3, one(REAL)),
    ("root", 0): Form(lambda x, n: abs(x) ** (1 / n - 1) / n, pairs(POSITIVE, ROOTS)),
    ("exp", 0): Form(mp.exp, one(EXPONENTS)),
    ("expm1", 0): Form(mp.exp, one(EXPONENTS)),
    ("log", 0): Form(lambda x: 1 / x, one(POSITIVE)),
    ("log2", 0): Form(lambda x: 1 / (x * mp.ln2), one(POSITIVE)),
    ("log10", 0): Form(lambda x: 1 / (x * mp.ln10), one(POSITIVE)),
    ("log1p", 0): Form(lambda x: 1 / (1 + x), FORMS["log1p"].points),
    ("sinc", 0): Form(
        lambda x: sinc_derivative(1, x),
        one(both(spread(-300, 4))),
        scale=lambda x: 0.1 / abs(x) if abs(x) > 0.5 else 0.0,
    ),
    ("sigmoid", 0): Form(lambda x: mp.sech(x / 2) ** 2 / 4, one(EXPONENTS)),
    ("softplus", 0): Form(FORMS["sigmoid"].truth, one(EXPONENTS)),
    ("silu", 0): Form(
        lambda x: (1 + x / (1 + mp.exp(x))) / (1 + mp.exp(-x)),
        one(EXPONENTS),
        scale=lambda x: 0.05 if abs(x + 1.278) < 0.2 else 0.0,
    ),
    ("gelu", 0): Form(
        lambda x: FORMS["normcdf"].truth(x) + x * mp.npdf(x),
        one(NORMAL),
        scale=lambda x: 0.05 if abs(x + 0.752) < 0.2 else 0.0,
    ),
    ("erf", 0): Form(lambda x: 2 * mp.exp(-x * x) / mp.sqrt(mp.pi), one(TAILS)),
    ("erfc", 0): Form(lambda x: -2 * mp.exp(-x * x) / mp.sqrt(mp.pi), one(TAILS)),
    ("gaussian", 0): Form(lambda x: -2 * x * mp.exp(-x * x), one(TAILS)),
    ("normpdf", 0): Form(lambda x: -x * mp.npdf(x), one(NORMAL)),
    ("normcdf", 0): Form(mp.npdf, one(NORMAL)),
    ("gamma", 0): Form(
        lambda x: mp.gamma(x) * mp.digamma(x),
        one(x for x in GAMMA if abs(x) > 1e-150),
        scale=lambda x: abs(scalars.gamma(x)) * wide(x),
    ),
    ("lgamma", 0): Form(mp.digamma, one(STIRLING), 1000, wide),
    ("digamma", 0): Form(lambda x: polygamma(1, x), one(x for x in STIRLING if x > -1e3)),
    ("polygamma", 1): Form(lambda n, x: polygamma(n + 1, x), ORDERS[:64]),
}


# Comparison


def ulps(found: float, true: Any, scale: float = 0.0) -> float:
    """Return the error of `found` in ulps of the true value, or of the scale where that is more."""
    nearest = float(true)
    if math.isnan(found) or math.isinf(found) or math.isinf(nearest):
        return 0.0 if found == nearest else INF
    return float(abs(mpf(found) - true) / math.ulp(max(abs(nearest), scale, FADING)))


def on_scalars(op: str, points: Sequence[Point]) -> list[float]:
    return [OPS[op].scalar(*point) for point in points]


def on_arrays(op: str, points: Sequence[Point]) -> list[float]:
    found = OPS[op].on_arrays()(*(np.array(column) for column in zip(*points, strict=True)))
    assert found.dtype == np.float64
    return [float(value) for value in found]


def worst(found: list[float], form: Form, truths: list[Any]) -> tuple[float, Point]:
    return max(
        (ulps(value, true, form.scale(*point)), point)
        for value, true, point in zip(found, truths, form.points, strict=True)
    )


@pytest.fixture(autouse=True)
def _silence() -> Iterable[None]:
    with np.errstate(all="ignore"):
        yield


@pytest.mark.parametrize("name", FORMS)
def test_both_forms_are_accurate_and_agree(name: str) -> None:
    form = FORMS[name]
    truths = [exact(form.truth, point) for point in form.points]
    scalar, array = on_scalars(name, form.points), on_arrays(name, form.points)
    error, point = worst(scalar, form, truths)
    assert error <= form.ulps, f"scalar {name}{point}: {error} ulps"
    error, point = worst(array, form, truths)
    assert error <= form.ulps, f"array {name}{point}: {error} ulps"
    allowed = 1e-13 * 2.0**52 if name in SPECIAL else 2.0
    apart, point = worst(scalar, form, [mpf(value) for value in array])
    assert apart <= allowed, f"{name}{point}: the forms are {apart} ulps apart"


def partial(name: str, k: int) -> tuple[Graph, int]:
    """Return a graph of the op's inputs `0`, `1`, ... and the node of its partial by argument k."""
    graph = Graph()
    op = OPS[name]
    args = tuple(Expr(graph, graph.placeholder(str(i))) for i in range(op.least))
    slope = op.partial(k, op(*args), args)
    assert isinstance(slope, Expr)
    return graph, slope.node


def run(graph: Graph, wanted: int, point: tuple[Any, ...], arrays: bool) -> Any:
    """Evaluate the whole graph in the order of its nodes."""
    values: list[Any] = []
    for node in graph.nodes:
        if node.op.name == "placeholder":
            values.append(point[int(str(node.attrs[0]))])
        elif node.op.name == "constant":
            values.append(node.attrs[0])
        else:
            form = node.op.on_arrays() if arrays else node.op.scalar
            values.append(form(*(values[arg] for arg in node.args)))
    return values[wanted]


@pytest.mark.parametrize(("name", "k"), SLOPES)
def test_partials_keep_their_digits(name: str, k: int) -> None:
    form = SLOPES[name, k]
    bound = max(form.ulps, 64.0)
    truths = [exact(form.truth, point) for point in form.points]
    graph, slope = partial(name, k)
    scalar = [run(graph, slope, point, arrays=False) for point in form.points]
    columns = tuple(np.array(column) for column in zip(*form.points, strict=True))
    array = np.broadcast_to(run(graph, slope, columns, arrays=True), len(form.points)).tolist()
    error, point = worst(scalar, form, truths)
    assert error <= bound, f"scalar d{name}/d{k} at {point}: {error} ulps"
    error, point = worst(array, form, truths)
    assert error <= bound, f"array d{name}/d{k} at {point}: {error} ulps"


# Awkward points

AWKWARD = [0.0, 0.5, 1.0, 2.0, 3.0, 1e-320, 1e-300, 800.0, 1e17, 1e300, 1.7976931348623157e308, INF]
COUNTS = {"min": 3, "max": 3}
ELEMENTWISE = [op.name for op in OPS.values() if op.array and not op.array.startswith(".moves")]


def same(x: float, y: float) -> bool:
    """Tell whether two results agree: NaN with NaN, zeros in sign, numbers to 1e-13."""
    if math.isnan(x) or math.isnan(y):
        return math.isnan(x) and math.isnan(y)
    near = x == y or math.isclose(x, y, rel_tol=1e-13, abs_tol=2e-320)
    return near and math.copysign(1.0, x) == math.copysign(1.0, y)


@pytest.mark.parametrize("name", ELEMENTWISE)
def test_forms_agree_at_awkward_points_and_never_raise(name: str) -> None:
    op = OPS[name]
    values = [*both(AWKWARD), NAN]
    count = COUNTS.get(name, op.most or op.least)
    points = list(itertools.product(values if count < 3 else values[::3], repeat=count))
    scalar, array = on_scalars(name, points), on_arrays(name, points)
    odd = [(p, s, a) for p, s, a in zip(points, scalar, array, strict=True) if not same(s, a)]
    assert not odd, f"{len(odd)} points, such as {odd[:5]}"


@pytest.mark.parametrize("name", ELEMENTWISE)
def test_array_forms_take_numbers_and_arrays_without_axes(name: str) -> None:
    op = OPS[name]
    count = COUNTS.get(name, op.most or op.least)
    expected = op.scalar(*[1.0] * count)
    for number in (1.0, np.float64(1.0), np.array(1.0)):
        found = op.on_arrays()(*[number] * count)
        assert found.dtype == np.float64
        assert found.shape == ()
        assert same(float(found), expected)
    mixed = op.on_arrays()(*[np.ones((2, 1)), *[np.ones(3)] * (count - 1)])
    assert mixed.shape == ((2, 3) if count > 1 else (2, 1))


@pytest.mark.parametrize(
    ("name", "args", "value"),
    [
        ("div", (1.0, -0.0), -INF),
        ("div", (0.0, 0.0), NAN),
        ("mod", (-5.0, 3.0), 1.0),
        ("mod", (5.0, 0.0), NAN),
        ("pow", (0.0, 0.0), 1.0),
        ("pow", (0.0, -1.0), INF),
        ("pow", (-0.0, -3.0), -INF),
        ("pow", (-8.0, 1.0 / 3.0), NAN),
        ("pow", (-10.0, 309.0), -INF),
        ("round", (2.5,), 2.0),
        ("round", (-0.4,), -0.0),
        ("ceil", (-0.5,), -0.0),
        ("floor", (-INF,), -INF),
        ("sign", (-0.0,), 0.0),
        ("step", (0.0,), 0.0),
        ("step", (NAN,), NAN),
        ("relu", (NAN,), NAN),
        ("less", (NAN, 1.0), 0.0),
        ("and", (NAN, -1.0), 1.0),
        ("min", (1.0, NAN, 0.0), NAN),
        ("max", (2.0, 3.0, 1.0), 3.0),
        ("clip", (NAN, 0.0, 1.0), NAN),
        ("sqrt", (-0.0,), 0.0),
        ("cbrt", (27.0,), 3.0),
        ("cbrt", (-0.0,), -0.0),
        ("root", (-32.0, 5.0), -2.0),
        ("root", (-8.0, -3.0), -0.5),
        ("root", (-16.0, 4.0), NAN),
        ("root", (0.0, 5.0), 0.0),
        ("log", (-0.0,), -INF),
        ("log", (-1.0,), NAN),
        ("log_base", (1000.0, 10.0), 3.0),
        ("log_base", (8.0, 2.0), 3.0),
        ("logaddexp", (-INF, -INF), -INF),
        ("logaddexp", (INF, -INF), INF),
        ("xlogy", (0.0, 0.0), 0.0),
        ("xlogy", (0.0, NAN), NAN),
        ("csc", (-0.0,), -INF),
        ("atanh", (-1.0,), -INF),
        ("asech", (0.0,), INF),
        ("acoth", (-1.0,), -INF),
        ("acot", (-0.0,), -math.pi / 2.0),
        ("sinc", (0.0,), 1.0),
        ("sinc", (-3.0,), 0.0),
        ("sinc", (1e15,), 0.0),
        ("sinc", (-INF,), 0.0),
        ("dsinc", (1.0, 0.0), 0.0),
        ("dsinc", (0.5, 1.0), NAN),
        ("silu", (-INF,), -0.0),
        ("gelu", (-INF,), -0.0),
        ("elu", (-INF, 2.0), -2.0),
        ("normcdf", (-INF,), 0.0),
        ("gamma", (-0.0,), -INF),
        ("gamma", (-1.0,), NAN),
        ("lgamma", (-2.0,), INF),
        ("digamma", (0.0,), NAN),
        ("polygamma", (1.0, -3.0), INF),
        ("polygamma", (2.0, -3.0), NAN),
        ("polygamma", (1.5, 1.0), NAN),
    ],
)
def test_conventions(name: str, args: Point, value: float) -> None:
    for found in (OPS[name].scalar(*args), float(OPS[name].on_arrays()(*args))):
        assert repr(found) == repr(value)


def test_roots_of_cubes_are_exact() -> None:
    roots = [k * 2.0**shift for k in range(-130000, 130001, 977) for shift in (0, -300, 300)]
    cubes = one(x * x * x for x in roots)
    assert on_scalars("cbrt", cubes) == roots
    assert on_arrays("cbrt", cubes) == roots
