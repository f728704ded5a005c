"""Numerical derivatives of a function of one number: extrapolated differences from both sides.

Differences over steps that shrink by 4 are extrapolated to step 0 (Richardson, by Neville's scheme;
Ridders 1982 chooses the estimate by its error). The same values give the slope on each side, so a
kink or a jump is seen and not averaged over.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

FIRST, SHRINK, MOST_STEPS = 0.25, 4.0, 40
FINEST_OF_X, FINEST_OF_0 = 2.0**-34, 2.0**-42
"""The smallest step beside a number, and at 0."""

NOISE = 2.0**-51
"""The relative error of a value, as hoped."""

LAST, GROWTH = 6, 1.2
"""A slope is infinite where so many last quotients each are so much larger than the one before."""

JUMP = 1e-9
"""Values that are apart by less of their size may be so by rounding."""

ROUNDING = 2.0**-48
"""The relative error of the terms of a derivative."""

EXTRAPOLATIONS = 8
DOUBT = 10.0
"""How many of their errors two estimates may be apart."""

Function = Callable[[float], float]


class Estimate(NamedTuple):
    """A slope and how far it may be off; nan where there is none, infinite where it only grows."""

    slope: float
    error: float


NONE = Estimate(math.nan, math.nan)


class Slopes(NamedTuple):
    """The slope at a point and on either side of it, and by how much the value jumps there."""

    central: Estimate
    left: Estimate
    right: Estimate
    jump: bool
    rounding: float = 0.0
    """How far any derivative may be off by the rounding of what it is summed of."""

    @property
    def edge(self) -> bool:
        """Tell whether there are values on one side alone."""
        return math.isnan(self.left.slope) != math.isnan(self.right.slope)

    @property
    def best(self) -> Estimate:
        """The central slope, or at the edge of the domain that of the side that has values."""
        found = [one for one in (self.central, self.left, self.right) if one.slope == one.slope]
        return found[0] if found else NONE

    def unsure(self) -> Slopes:
        """Return the slopes as nothing to go by."""
        sides = self.central, self.left, self.right
        central, left, right = (one._replace(error=math.inf) for one in sides)
        return self._replace(central=central, left=left, right=right)

    def kink(self, tolerance: float) -> bool:
        """Tell whether the slopes on the two sides are not the same."""
        sides = self.left.slope, self.right.slope
        if any(map(math.isinf, sides)):
            return sides[0] != sides[1] and not any(map(math.isnan, sides))
        apart = abs(self.left.slope - self.right.slope)
        doubt = DOUBT * (self.left.error + self.right.error)
        return apart > doubt + tolerance * max(abs(self.left.slope), abs(self.right.slope))


def slopes(function: Function, x: float, size: float = 0.0) -> Slopes:
    """Return the slopes of a function at x, as its values near x show them.

    A value is good to the last digits of `size`, where that is larger than the value.
    """
    here = function(x)
    size = max(size, abs(here))
    if not math.isfinite(x):
        return Slopes(NONE, NONE, NONE, jump=False)
    widths: list[float] = []
    below: list[float] = []
    above: list[float] = []
    for width in steps(x):
        # What the sums round to is the step that is taken.
        low, high = x - width, x + width
        widths.append(width)
        below.append((function(low) - here) / (low - x) if low < x else math.nan)
        above.append((function(high) - here) / (high - x) if high > x else math.nan)
    middle = [(left + right) / 2.0 for left, right in zip(below, above, strict=True)]
    jump, steep = torn(function, here, x, widths, below, above)
    found = Slopes(
        central=extrapolated(middle, widths, SHRINK**2, size),
        left=extrapolated(below, widths, SHRINK, size),
        right=extrapolated(above, widths, SHRINK, size),
        jump=jump,
        rounding=ROUNDING * size / (abs(x) or 1.0),
    )
    return found.unsure() if steep else found


def steps(x: float) -> list[float]:
    """Return the steps around x, powers of 2, from coarse to fine."""
    width = FIRST * 2.0 ** math.frexp(max(abs(x), 1.0))[1]
    finest = abs(x) * FINEST_OF_X or FINEST_OF_0
    found: list[float] = []
    while width >= finest and len(found) < MOST_STEPS:
        found.append(width)
        width /= SHRINK
    return found


def extrapolated(
    quotients: Sequence[float], widths: Sequence[float], ratio: float, size: float
) -> Estimate:
    """Return the limit of difference quotients whose errors shrink by `ratio` and its powers.

    A finer estimate takes the place of a coarser one that is less sure, or that it refutes: far
    from a point a function may look flat.
    """
    bound = unbounded(quotients, widths, size)
    if bound:
        return Estimate(bound, 0.0)
    best = NONE
    before: list[float] = []
    for quotient, width in zip(quotients, widths, strict=True):
        if not math.isfinite(quotient):
            before = []
            continue
        row, found = neville(quotient, before, ratio)
        noise = NOISE * (size + abs(quotient) * width) / width
        one = Estimate(found.slope, max(found.error, noise))
        refuted = abs(one.slope - best.slope) > DOUBT * (one.error + best.error)
        if math.isnan(best.error) or one.error < best.error or refuted:
            best = one
        before = row
    return best


def neville(quotient: float, before: Sequence[float], ratio: float) -> tuple[list[float], Estimate]:
    """Return the next row of Neville's scheme, and the estimate in it that is surest."""
    row, power = [quotient], 1.0
    best = Estimate(quotient, abs(quotient - before[0]) if before else math.inf)
    for coarser in before[:EXTRAPOLATIONS]:
        power *= ratio
        row.append(row[-1] + (row[-1] - coarser) / (power - 1.0))
        error = max(abs(row[-1] - row[-2]), abs(row[-1] - coarser))
        if error < best.error:
            best = Estimate(row[-1], error)
    return row, best


def unbounded(quotients: Sequence[float], widths: Sequence[float], size: float) -> float:
    """Return inf or -inf where the quotients grow to the last, and by more than noise; else 0."""
    last = quotients[-LAST:]
    if not all(map(math.isfinite, last)) or abs(last[-1]) * widths[-1] <= JUMP * size:
        return 0.0
    grow = all(abs(after) > GROWTH * abs(before) for before, after in pairwise(last))
    return math.copysign(math.inf, last[-1]) if grow and last[-1] else 0.0


def jumps(quotients: Sequence[float], widths: Sequence[float], size: float) -> bool:
    """Tell whether values stay apart from the one here however near they are taken."""
    apart = [
        abs(quotient) * width
        for quotient, width in zip(quotients, widths, strict=True)
        if math.isfinite(quotient)
    ]
    return bool(apart) and apart[-1] > max(1e-3 * max(apart), JUMP * size)


def torn(
    function: Function,
    here: float,
    x: float,
    widths: Sequence[float],
    below: Sequence[float],
    above: Sequence[float],
) -> tuple[bool, bool]:
    """Tell whether the value jumps at x, and whether it only seems to: so steep is the function.

    A value that jumps has done so at the number next to x; else it turns within the finest step.
    """
    found: list[bool] = []
    for side, to in ((below, -math.inf), (above, math.inf)):
        if jumps(side, widths, abs(here)):
            apart = abs(function(math.nextafter(x, to)) - here)
            found.append(not apart < abs(side[-1]) * widths[-1] / 2.0)
    return any(found), not all(found)
