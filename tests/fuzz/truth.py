# pyright: basic
"""The truth of a formula and how well float64 can know it: values, slopes and second derivatives.

Slopes are differences at a precision that leaves no doubt. Each truth comes with its tolerance: how
much it moves when every operation is off by a few ulps.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from ..autodiff.reference import mp, mpf
from .floats import INF
from .meaning import LARGE, SMALL, Exact, Meaning, stops, to_float
from .meaning import Floats as FloatField
from .structure import ALGEBRA, NoTruth
from .terms import Case, Floats, Term, inputs_of, walk

STEP = mpf(2) ** -60
SPREAD = 64.0
"""How many times what noise moves a truth is rounding's."""
NOISES = (1, 2)


class Value(NamedTuple):
    """What a value must be: as IEEE 754 has it, or in exact numbers."""

    ieee: Floats | None
    exact: Floats | None
    tolerance: Floats | None


class Number(NamedTuple):
    """A derivative along a direction, and how far from it rounding may lead."""

    true: float
    tolerance: float


@contextmanager
def precision(case: Case) -> Iterator[None]:
    """Work at a precision that holds the inputs beside each other."""
    numbers = [x for value in case.point.values() for x in np.abs(value).flat]
    numbers += [
        x
        for one in walk(case.term)
        if one.op == "number"
        for x in np.abs(np.ravel(one.attrs["value"]))
    ]
    sizes = [abs(math.log2(x)) for x in numbers if 0 < x < INF]
    with mp.workprec(420 + 2 * int(max(sizes, default=0.0))):
        yield


def is_random(term: Term) -> bool:
    """Tell whether elimination may come to another result than a formula, at infinities."""
    return any(one.op in ALGEBRA for one in walk(term))


def value_of(case: Case) -> Value:
    """Return what the value must be; nothing where there is no truth."""
    with precision(case), np.errstate(all="ignore"):
        ieee: Floats | None = None
        try:
            field = FloatField()
            found = Meaning(field, case.point).of(case.term)
            ieee = None if field.approximate else found
        except NoTruth:
            pass
        try:
            fields = [Exact(noise) for noise in (0, *NOISES)]
            found, *noisy = (Meaning(field, case.point).of(case.term) for field in fields)
        except NoTruth:
            return Value(ieee, None, None)
        moved = [spread(found, other) for other in noisy]
        floats = as_floats(found)
        tolerance = np.maximum(*moved) * SPREAD + np.abs(floats) * 1e-12
        return Value(ieee, floats, tolerance)


def as_floats(found: Any) -> Floats:
    """Return exact numbers as floats."""
    return np.array([to_float(x) for x in found.flat]).reshape(found.shape)


def spread(found: Any, other: Any) -> Floats:
    """Return how far apart two exact results are; nan where one is not finite."""
    with mp.workprec(60):
        return as_floats(np.asarray(np.abs(found - other)))


Direction = Mapping[str, Floats]


def direction(case: Case, seed: int = 0) -> Direction:
    """Return a direction, of the size of each entry."""
    draw = random.Random(seed)
    found: dict[str, Floats] = {}
    for name, value in case.point.items():
        sizes = np.where((value == 0) | ~np.isfinite(value), 1.0, np.abs(value))
        factors = [draw.choice((1, -1)) * draw.randint(1, 16) / 8 for _ in value.flat]
        found[name] = sizes * np.array(factors).reshape(value.shape)
    return found


def unit(case: Case, name: str, at: tuple[int, ...]) -> Direction:
    """Return the direction of one entry, of its size."""
    found = {one: np.zeros_like(value) for one, value in case.point.items()}
    size = abs(float(case.point[name][at]))
    found[name][at] = size if 0 < size < INF else 1.0
    return found


def zeros(case: Case) -> Direction:
    """Return no direction at all."""
    return {name: np.zeros_like(value) for name, value in case.point.items()}


class Line:
    """The sum of a formula along a line through its point."""

    def __init__(self, case: Case, along: Direction, noise: int = 0) -> None:
        self.case, self.along = case, along
        self.stopped: dict[Term, Any] = {}
        self.names = inputs_of(case.term)
        self.field = Exact(noise, always=True)
        self.seen: dict[Any, dict[Term, Any]] = {}
        """What was found of each term, by step."""
        self.finite: list[bool] | None = None
        """Which entries of the value are finite, and are summed."""
        here = Meaning(self.field, case.point)
        self.stopped = {one: here.of(one) for one in stops(case.term)}
        self.at(mpf(0))

    def at(self, step: Any) -> Any:
        """Return the sum of the value at a step along the line."""
        self.field.calls = 0
        env = {
            name: self.field.lift(self.case.point[name]) + self.field.lift(self.along[name]) * step
            for name in self.names
        }
        meaning = Meaning(self.field, env, dict(self.stopped))
        value = meaning.of(self.case.term)
        self.seen[step] = meaning.memo
        if self.finite is None:
            self.finite = [bool(mp.isfinite(x)) for x in value.flat]
        total = mpf(0)
        for x, counts in zip(value.flat, self.finite, strict=True):
            total += x if counts else 0
        if not mp.isfinite(total):
            raise NoTruth("no value")
        return total

    def in_range(self, power: int = 1) -> bool:
        """Tell whether the slopes of all terms, to a power, are numbers that float64 has."""
        sizes = [abs(float(x)) for one in self.along.values() for x in one.flat if x]
        least, most = min(sizes, default=1.0), max(sizes, default=1.0)
        below, above = self.seen[-STEP], self.seen[STEP]
        for term in below.keys() & above.keys():
            for x in np.asarray(np.abs(above[term] - below[term]) / (2 * STEP)).flat:
                low, high = (x / most) ** power, (x / least) ** power
                if x and mp.isfinite(x) and not (low > SMALL and high < LARGE):
                    return False
        return True


def one_branch(line: Line) -> None:
    """Raise `NoTruth` where a condition holds on one side only."""
    conditions = {one.args[0] for one in walk(line.case.term) if one.op in ("where", "if")}
    for term in conditions:
        held = [np.asarray(memo[term] != 0) for memo in line.seen.values() if term in memo]
        if any(np.any(one != held[0]) for one in held):
            raise NoTruth("a branch ends")


def smooth(line: Line) -> None:
    """Raise `NoTruth` unless the slopes on both sides are the same."""
    smooth_there(line)
    one_branch(line)


def smooth_there(line: Line) -> None:
    """Raise `NoTruth` unless the slopes on both sides are the same, in numbers."""
    gaps, slopes = [], []
    for h in (STEP, STEP * mpf(2) ** -20):
        below, here, above = line.at(-h), line.at(mpf(0)), line.at(h)
        left, right = (here - below) / h, (above - here) / h
        gaps.append(abs(right - left))
        jump = abs(above - below) > mpf(2) ** -25 * (abs(here) + abs(above))
        if not jump and gaps[-1] <= mpf(2) ** -34 * (abs(left) + abs(right)):
            return
        slopes.append(left)
    if abs(slopes[1]) > 1000 * abs(slopes[0]) or not gaps[1] <= gaps[0] * mpf(2) ** -15:
        raise NoTruth("a kink")


def slope_of(case: Case, along: Direction) -> Number:
    """Return the derivative of the formula's sum along a direction. Raises `NoTruth`."""

    def slope(line: Line) -> Any:
        return (line.at(STEP) - line.at(-STEP)) / (2 * STEP)

    return measured(case, along, slope, 1e-11, 1)


def bend_of(case: Case, along: Direction) -> Number:
    """Return the second derivative along a direction. Raises `NoTruth`."""

    def bend(line: Line, h: Any = STEP) -> Any:
        return (line.at(h) - 2 * line.at(mpf(0)) + line.at(-h)) / (h * h)

    with precision(case), np.errstate(all="ignore"):
        line = Line(case, along)
        far, near = bend(line), bend(line, STEP * mpf(2) ** -15)
        if abs(far - near) > mpf(2) ** -20 * abs(near) + mpf(2) ** -60:
            raise NoTruth("a kink of the slope")
    return measured(case, along, bend, 1e-9, 2)


def measured(
    case: Case, along: Direction, measure: Callable[[Line], Any], relative: float, order: int
) -> Number:
    """Return what a measure gives, and how much noise moves it."""
    with precision(case), np.errstate(all="ignore"):
        lines = [Line(case, along, noise) for noise in (0, *NOISES)]
        smooth(lines[0])
        true, *noisy = (measure(line) for line in lines)
        if any(line.field.ranged for line in lines) or not lines[0].in_range(order):
            raise NoTruth("out of range")
        moved = max(abs(one - true) for one in noisy)
        return Number(to_float(true), to_float(moved) * SPREAD + relative * to_float(abs(true)))
