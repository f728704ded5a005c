"""How much a few characters may ask for: beyond it nothing is begun, and the error says so."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .graph import Shape

MOST_ENTRIES = 100_000_000
"""The most entries of an array that is made of smaller ones."""

MOST_SPARSE = 50_000_000
"""The most entries of a sparse matrix: each takes several numbers while it is made."""

MOST_NUMBERS = 10_000_000
"""The most entries of a constant: each is a number of its own."""

MOST_AXES = 32
"""The most dimensions of an array."""


def entries(shape: Shape) -> int:
    """Return how many entries an array has, those of its other axes where one axis has none."""
    return math.prod(shape) or math.prod(filter(None, shape))


def excess(shape: Shape, most: int = MOST_ENTRIES) -> str | None:
    """Return the limit that a shape is beyond, in words, None where there is none."""
    if len(shape) > MOST_AXES:
        return f"an array has at most {MOST_AXES} dimensions"
    if entries(shape) > most:
        return f"an array has at most {most:,} entries"
    return None
