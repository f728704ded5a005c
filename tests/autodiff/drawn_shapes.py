"""Strategies for shapes: of rank 0 to 3, any axis possibly of size 1 or 0."""

from __future__ import annotations

from typing import TypeAlias

from hypothesis import strategies as st

Shape: TypeAlias = tuple[int, ...]

SIZES = st.sampled_from([1, 2, 3, 2, 3, 4, 0])


def shapes(least: int = 0, most: int = 3) -> st.SearchStrategy[Shape]:
    """Return any shape."""
    return st.lists(SIZES, min_size=least, max_size=most).map(as_shape)


def as_shape(sizes: list[int]) -> Shape:
    """Return sizes as a shape."""
    return tuple(sizes)


@st.composite
def together(draw: st.DrawFn, count: int) -> tuple[Shape, ...]:
    """Draw shapes that broadcast: leading axes are left out, others are 1."""
    whole = draw(shapes())
    found: list[Shape] = []
    for _ in range(count):
        kept = whole[draw(st.integers(0, len(whole))) :]
        found.append(tuple([1 if draw(st.integers(0, 3)) == 0 else size for size in kept]))
    return tuple(found)
