"""Points drawn for a formula whose inputs have no values.

They are the same at every run, have few digits, so that they can be typed, and lie where the
formula and its derivative have values. No whole number is drawn: functions like to jump there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import count, islice
from typing import TYPE_CHECKING

from .errors import FormulaError

if TYPE_CHECKING:
    from random import Random

    from .evaluate import Value
    from .graph import Shape
    from .results import Result

MOST_DRAWN = 400
FIRST = (1.3, 0.7, 2.1, 0.4, 1.7, 2.9, 0.9)
RANGES = ((0.0, 3.0), (-3.0, 3.0), (0.0, 1.0), (-1.0, 1.0), (1.0, 10.0), (-0.1, 0.1))
"""Where points are drawn, in turn; the first point begins with the numbers of `FIRST`."""


def drawn(
    names: Sequence[str], given: Mapping[str, Value], shapes: Mapping[str, Shape] | None = None
) -> Iterator[dict[str, Value]]:
    """Yield points: a value for each name, of its shape if it has one, the given ones beside."""
    from random import Random

    draw = Random(0)
    for k in range(MOST_DRAWN):
        begin = iter(FIRST if k == 0 else ())
        limits = RANGES[k % len(RANGES)]
        numbers = (next(begin, None) or number(draw, *limits) for _ in count())
        yield {**given, **{name: shaped(numbers, (shapes or {}).get(name, ())) for name in names}}


def shaped(numbers: Iterator[float], shape: Shape) -> Value:
    """Return the next of some numbers, or an array of them."""
    if not shape:
        return next(numbers)
    import numpy as np

    return np.reshape(list(islice(numbers, math.prod(shape))), shape)


def number(draw: Random, low: float, high: float) -> float:
    """Return a number between two, of two decimals, that is not whole."""
    while True:
        found = round(draw.uniform(low, high), 2)
        if found != math.floor(found):
            return found


def usable(result: Result) -> bool:
    """Tell whether a result and its gradient are finite."""
    from .results import finite

    return finite([result.value, *result.gradient.values()])


def none_found(names: Sequence[str]) -> FormulaError:
    """Return the error for a formula that has no value at any point that was drawn."""
    told = f"of {MOST_DRAWN} points drawn none has a value and a derivative"
    return FormulaError(told, hint=f"give one: {' '.join(f'--{name} VALUE' for name in names)}")
