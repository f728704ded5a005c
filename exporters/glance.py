"""Values at a glance: a small one whole, of a large array its shape and what lies in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .text import number, value_text

if TYPE_CHECKING:
    from .text import Value

MOST = 6
"""An array of more entries is not written out."""

LONGEST, MOST_ROWS = 32, 3
"""Nor is one whose lines would be longer than this, in characters, or more."""

FEWEST = 3
"""Digits of the least and the greatest entry."""


def glance(value: Value, digits: int | None) -> list[str]:
    """Return a value in one or two lines: `0.5`, `[1, 2]`, or `(10, 2)` and `-1.3 to 2.1`."""
    if isinstance(value, float | int):
        return [number(value, digits)]
    fewer = min(FEWEST, digits or FEWEST)
    for precision in (digits, fewer) if 0 < value.size <= MOST else ():
        lines = rows(value, precision)
        if len(lines) <= MOST_ROWS and max(map(len, lines)) <= LONGEST:
            return lines
    return [str(value.shape), extent(value, fewer)] if value.size else [str(value.shape)]


def in_a_line(value: Value, digits: int | None) -> str:
    """Return the same in one line, where a matrix has no rows."""
    return " ".join(glance(value, digits))


def rows(value: Value, digits: int | None) -> list[str]:
    """Return an array whole, a matrix row by row."""
    if isinstance(value, float | int) or value.ndim != 2:
        return [value_text(value, digits)]
    *others, last = [value_text(row, digits) for row in value]
    return [f"[{line}," if not k else f"{line}," for k, line in enumerate(others)] + [
        f"{last}]" if others else f"[{last}]"
    ]


def extent(value: Value, digits: int) -> str:
    """Return the least and the greatest number in an array, and whether nan is there too."""
    import numpy as np

    holes = np.isnan(value)
    if holes.all():
        return "nan"
    least, greatest = (number(float(end), digits) for end in (np.nanmin(value), np.nanmax(value)))
    told = f"all {least}" if least == greatest else f"{least} to {greatest}"
    return f"{told}, nan" if holes.any() else told
