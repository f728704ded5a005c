"""The scalar and the array form of every op against the reference, and against each other.

Points are those of the op's domain, and further ones where the forms are to be right beyond it. An
op is compared to 2 ulps of the true value unless `CARE` says otherwise; below 1e-304 an error of
2e-320 is allowed, for digits fade there.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest

from cgraph.autodiff.ops import OPS
from cgraph.autodiff.ops.forms import shared

from . import reference
from .derivatives import every_slope
from .reference import mpf, ulps
from .samples import Point, arity, elementwise, moderate, points

INF, NAN = math.inf, math.nan
FADING = 1e-304
NAMES = [op.name for op in elementwise()]


@pytest.fixture(autouse=True)
def _silence() -> Iterator[None]:
    with np.errstate(all="ignore"):
        yield


# Further points


def spread(low: float, high: float, count: int = 60) -> list[float]:
    """Return numbers from 10^low to 10^high, evenly on a logarithmic scale."""
    draw = random.Random(f"{low} {high} {count}")
    return [10.0 ** draw.uniform(low, high) for _ in range(count)]


def both(xs: Iterable[float]) -> list[float]:
    return [signed for x in xs for signed in (x, -x)]


def mixed(xs: Sequence[float], ys: Iterable[float]) -> list[Point]:
    """Return each of xs with one of ys, which are mixed first."""
    others = list(ys)
    random.Random(1).shuffle(others)
    return list(zip(xs, itertools.cycle(others), strict=False))


def near(*places: float) -> list[Point]:
    return [(place + x,) for place in places for x in both(10.0**-k for k in range(1, 16))]


POSITIVE = [*spread(-307, 308), *(x for (x,) in near(1.0)), 5e-324, 1e-310]
ROOTS = mixed(POSITIVE, [2.0, 3.0, 4.0, 5.0, 7.0, -3.0, -2.0, 1.5, 20.0])
ORDERS = [
    (float(n), sign * x)
    for n in (1, 2, 3, 5, 10, 20)
    for sign, high in ((1.0, 290 / n), (-1.0, 3.0))
    for x in spread(-290 / (n + 1), high, 8) + spread(-1, 2, 8)
]
WAVES = [(float(n), x) for n in (0, 1, 2, 3, 4, 7, 20, 100) for x in both(spread(-3, 4, 12))]


# Values


def nothing(*_: float) -> float:
    return 0.0


def larger(x: float, y: float) -> float:
    return max(abs(x), abs(y))


def first_wave(n: float, x: float) -> float:
    """Return the size of the n-th derivative of sinc, beyond its middle."""
    return 0.1 * math.pi**n / (n + 2.0 + abs(x)) if abs(x) > 0.5 else 0.0


def one_below_0(x: float) -> float:
    return 1.0 if x < 0.0 else 0.0


def reflected(x: float) -> float:
    """Return the size of digamma's terms below 0."""
    return math.log(2.0 - x) if x < 0.0 else 0.0


class Care(NamedTuple):
    """What an op's values need: more ulps, or more points than its domain gives.

    `scale` is the size of what is added up; near a zero of the sum errors are relative to it.
    """

    ulps: float = 2.0
    further: Sequence[Point] = ()
    scale: Callable[..., float] = nothing


CARE: dict[str, Care] = {
    "root": Care(further=[*ROOTS, *mixed(POSITIVE, both(spread(-1, 7)))]),
    "log_base": Care(4.0, mixed(POSITIVE, [2.0, 10.0, 3.0, *spread(-5, 5)])),
    "logaddexp": Care(scale=larger),
    **dict.fromkeys(("asec", "acsc", "sech", "csch", "coth", "silu"), Care(3.0)),
    "asech": Care(4.0),
    "powlog": Care(8.0),
    "dsinc": Care(64.0, WAVES, first_wave),
    "erfc": Care(8.0),
    **dict.fromkeys(("gaussian", "normpdf"), Care(4.0)),
    **dict.fromkeys(("normcdf", "gelu", "gamma"), Care(16.0)),
    "lgamma": Care(32.0, near(1.0, 2.0), one_below_0),
    "digamma": Care(16.0, near(shared.DIGAMMA_ZERO), reflected),
    "polygamma": Care(64.0, ORDERS),
}


def on_scalars(name: str, points: Sequence[Point]) -> list[float]:
    return [OPS[name].scalar(*point) for point in points]


def on_arrays(name: str, points: Sequence[Point]) -> list[float]:
    found = OPS[name].on_arrays()(*(np.array(column) for column in zip(*points, strict=True)))
    assert found.dtype == np.float64
    return [float(value) for value in found]


@pytest.mark.parametrize("name", NAMES)
def test_both_forms_are_accurate_and_agree(name: str) -> None:
    care = CARE.get(name, Care())
    sample = [*points(OPS[name]), *care.further]
    truths = [reference.value(name, point) for point in sample]

    def worst(found: list[float], true: list[Any]) -> tuple[float, Point]:
        triples = zip(found, true, sample, strict=True)
        return max((ulps(x, y, max(care.scale(*p), FADING)), p) for x, y, p in triples)

    scalar, array = on_scalars(name, sample), on_arrays(name, sample)
    error, point = worst(scalar, truths)
    assert error <= care.ulps, f"scalar {name}{point}: {error} ulps"
    error, point = worst(array, truths)
    assert error <= care.ulps, f"array {name}{point}: {error} ulps"
    apart, point = worst(scalar, [mpf(value) for value in array])
    assert apart <= care.ulps, f"{name}{point}: the forms are {apart} ulps apart"


@pytest.mark.parametrize(
    ("name", "k", "sample"), [("root", 0, ROOTS), ("polygamma", 1, ORDERS[:64])]
)
def test_derivatives_keep_their_digits_beyond_the_domain(
    name: str, k: int, sample: list[Point]
) -> None:
    truths = [reference.slope(name, k, point) for point in sample]
    for way, slopes in every_slope(OPS[name], k, sample).items():
        triples = zip(slopes, truths, sample, strict=True)
        worst = max((ulps(slope, true, FADING), point) for slope, true, point in triples)
        assert worst[0] <= 64.0, f"d{name}/d{k}, {way}: {worst}"


def test_roots_of_cubes_are_exact() -> None:
    roots = [k * 2.0**shift for k in range(-130000, 130001, 977) for shift in (0, -300, 300)]
    cubes = [(x * x * x,) for x in roots]
    assert on_scalars("cbrt", cubes) == roots
    assert on_arrays("cbrt", cubes) == roots


# Awkward points

AWKWARD = [0.0, 0.5, 1.0, 2.0, 3.0, 1e-320, 1e-300, 800.0, 1e17, 1e300, 1.7976931348623157e308, INF]


def agree(x: float, y: float) -> bool:
    """Tell whether two results agree: NaN with NaN, zeros in sign, numbers to 1e-13."""
    if math.isnan(x) or math.isnan(y):
        return math.isnan(x) and math.isnan(y)
    close = x == y or math.isclose(x, y, rel_tol=1e-13, abs_tol=2e-320)
    return close and math.copysign(1.0, x) == math.copysign(1.0, y)


def count(name: str) -> int:
    """Return a number of arguments: three where any number may be."""
    return OPS[name].most or 3


@pytest.mark.parametrize("name", NAMES)
def test_forms_agree_at_awkward_points_and_never_raise(name: str) -> None:
    values = [*both(AWKWARD), NAN]
    sample = list(itertools.product(values if count(name) < 3 else values[::3], repeat=count(name)))
    scalar, array = on_scalars(name, sample), on_arrays(name, sample)
    odd = [(p, s, a) for p, s, a in zip(sample, scalar, array, strict=True) if not agree(s, a)]
    assert not odd, f"{len(odd)} points, such as {odd[:5]}"
    assert all(isinstance(value, float) for value in scalar)


@pytest.mark.parametrize("name", NAMES)
def test_array_forms_take_numbers_and_arrays_without_axes(name: str) -> None:
    expected = OPS[name].scalar(*[1.0] * count(name))
    for number in (1.0, np.float64(1.0), np.array(1.0)):
        found = OPS[name].on_arrays()(*[number] * count(name))
        assert found.dtype == np.float64
        assert found.shape == ()
        assert agree(float(found), expected)
    mixed = OPS[name].on_arrays()(*[np.ones((2, 1)), *[np.ones(3)] * (count(name) - 1)])
    assert mixed.shape == ((2, 3) if count(name) > 1 else (2, 1))


@pytest.mark.parametrize("name", [name for name in NAMES if count(name) > 1])
def test_array_forms_take_numbers_beside_arrays(name: str) -> None:
    """A constant of a formula reaches them as a NumPy number."""
    op = OPS[name]
    awkward = (0.0, -1.0, 1.0, 2.0, 0.5, INF, -INF, NAN, 1e308, 5e-324)
    for point in itertools.product(awkward, repeat=arity(op)):
        for k in range(arity(op)):
            beside = [np.full(3, x) if i == k else np.float64(x) for i, x in enumerate(point)]
            found = op.on_arrays()(*beside)
            assert found.shape == (3,)
            assert float(found[0]) == pytest.approx(op.scalar(*point), rel=1e-13, nan_ok=True)


DEAF = {"less", "less_equal", "greater", "greater_equal", "equal", "not_equal", "and", "or", "not"}
"""Comparisons and logic answer 1 or 0 whatever they are asked."""
SELECTING = {"where", "leaky_relu", "elu", "in_training"}
"""They do not look at an argument that is not selected."""


@pytest.mark.parametrize("name", sorted(set(NAMES) - DEAF - SELECTING))
def test_nan_in_gives_nan_out(name: str) -> None:
    op = OPS[name]
    point = moderate(op, 1)[0]
    for k in range(arity(op)):
        holed = [*point[:k], NAN, *point[k + 1 :]]
        assert math.isnan(op.scalar(*holed))
        assert np.isnan(op.on_arrays()(*map(np.array, holed)))


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
def test_values_at_special_points(name: str, args: Point, value: float) -> None:
    for found in (OPS[name].scalar(*args), float(OPS[name].on_arrays()(*args))):
        assert repr(found) == repr(value)
