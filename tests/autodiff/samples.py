"""Points of an op's domain, as its row states it: of all sizes, with its ends and tails."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from itertools import islice

from cgraph.autodiff.ops import OPS, Domain, Op

Point = tuple[float, ...]

INF = math.inf
FIRST_NORMAL = 2.0**-1022
TAIL = 307.0
COUNT = 160
ENDS = (0.0, 1.0)
"""Where functions are likely to lose digits, whether or not a domain ends there."""


def has_digits(name: str) -> Callable[..., bool]:
    """Return a test for points where the op's value is neither infinite nor subnormal."""
    return lambda *point: FIRST_NORMAL <= abs(OPS[name].scalar(*point)) < INF


def normal_argument(n: float, x: float) -> bool:
    """Tell whether x is not subnormal."""
    return abs(x) >= FIRST_NORMAL


def exact_below(x: float, y: float) -> bool:
    """Tell whether y - 1 is exact."""
    return (y - 1.0) + 1.0 == y


def ordinary_power(x: float, y: float) -> bool:
    """Tell whether x^y and its derivatives are neither infinite nor subnormal, and y - 1 exact."""
    sizes = [OPS["pow"].scalar(x, y - k) for k in (0.0, 1.0)]
    return exact_below(x, y) and all(1e-290 < size < 1e290 for size in sizes)


def comparable(x: float, y: float) -> bool:
    """Tell whether the squares of both sides' shares of the hypotenuse are normal numbers."""
    return 1e-140 < abs(x / y) < 1e140 and 1e-300 < math.hypot(x, y) < 1e300


LIMITED: dict[str, Callable[..., bool]] = {
    # Their derivatives are made from the value, which has lost its digits where it is subnormal.
    **{name: has_digits(name) for name in ("div", "hypot", "root", "unit")},
    # So is pi*x where x is subnormal, and its powers multiply the error.
    "dsinc": normal_argument,
    # x^(y - 1) is off by the rounding of y - 1 times log(x), up to 2^9 ulp.
    "pow": exact_below,
    "dpow": ordinary_power,
    "powlog": lambda n, x, y: ordinary_power(x, y),
    "direction": comparable,
}


def elementwise() -> list[Op]:
    """Return the ops that work element by element, and whose derivative is what it is."""
    return [op for op in OPS.values() if op.array and op.move is None and not op.stops]


def arity(op: Op) -> int:
    """Return the number of arguments to test an op with."""
    return op.most or op.least


def domain(op: Op, k: int) -> Domain:
    """Return the domain of an argument; the last one stands for those after it."""
    return op.domain[min(k, len(op.domain) - 1)]


def inside(domain: Domain, x: float) -> bool:
    """Tell whether x is in the domain, its ends excluded."""
    if domain.outside:
        return x < domain.low or x > domain.high
    return domain.low < x < domain.high


def candidates(domain: Domain, draw: random.Random) -> Iterator[float]:
    """Yield numbers of all sizes and both signs, and numbers next to the ends."""
    if domain.whole:
        while True:
            yield float(draw.randint(int(domain.low), int(min(domain.high, 9.0))))
    ends = [*ENDS, *(end for end in (domain.low, domain.high) if abs(end) < 1e300)]
    yield from (5e-324, -5e-324, 1e-310, 1e308, -1e308)
    while True:
        yield draw.choice((1.0, -1.0)) * 10.0 ** draw.uniform(-TAIL, TAIL)
        yield draw.choice((1.0, -1.0)) * 10.0 ** draw.uniform(-3.0, 3.0)
        yield draw.uniform(max(domain.low, -40.0), min(domain.high, 40.0))
        end = draw.choice(ends)
        yield end + draw.choice((1.0, -1.0)) * (abs(end) or 1.0) * 10.0 ** -draw.uniform(0.5, 15.5)


def numbers(domain: Domain, seed: str, count: int) -> list[float]:
    """Return numbers of the domain, always the same ones."""
    draw = random.Random(seed)
    fitting = (x for x in candidates(domain, draw) if domain.whole or inside(domain, x))
    return list(islice(fitting, count))


def points(op: Op, count: int = COUNT) -> list[Point]:
    """Return points of the op's whole domain."""
    columns = [numbers(domain(op, k), f"{op.name} {k}", count) for k in range(arity(op))]
    for k, column in enumerate(columns[1:]):
        random.Random(k).shuffle(column)
    found = list(zip(*columns, strict=True))
    allowed = LIMITED.get(op.name)
    return [point for point in found if allowed is None or allowed(*point)]


def moderate(op: Op, count: int = 12, size: float = 20.0) -> list[Point]:
    """Return points of the op's domain of ordinary size, not next to an end."""
    return [
        point
        for point in points(op, 40 * count)
        if all(1.0 / size < abs(x) < size or not x for x in point)
    ][:count]
