"""Indices as they are written, `1:3, 0`, and what they do to shapes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from types import EllipsisType

    from ..graph import Shape

Subscript: TypeAlias = "int | slice | EllipsisType | None"

NUMBER = r"-?\d{1,18}"
SLICE = rf"(?:{NUMBER})?:(?:{NUMBER})?(?::(?!-?0+$)(?:{NUMBER})?)?"
PART = re.compile(rf"\.\.\.|None|{NUMBER}|{SLICE}", re.ASCII)
"""A number, a slice whose step is not 0, the axes that are left out, or a new axis."""


def subscripts(text: str) -> tuple[Subscript, ...]:
    """Return the parts of an index: whole numbers, slices, `...` and, for a new axis, None."""
    return tuple([subscript(part.strip()) for part in text.split(",")])


def is_index(text: str) -> bool:
    """Tell whether a text is an index."""
    parts = [part.strip() for part in text.split(",")]
    return all(map(PART.fullmatch, parts)) and parts.count("...") <= 1


def subscript(part: str) -> Subscript:
    """Return one part of an index."""
    if part == "...":
        return ...
    if part == "None":
        return None
    if ":" not in part:
        return int(part)
    return slice(*[int(bound) if bound else None for bound in part.split(":")])


def indexed_shape(text: str, shape: Shape) -> Shape | None:
    """Return the shape of the part of an array at an index, None where it is out of range."""
    parts = filled(subscripts(text), len(shape))
    if parts is None:
        return None
    found: list[int] = []
    sizes = iter(shape)
    for part in parts:
        if part is None:
            found.append(1)
        elif isinstance(part, slice):
            found.append(len(range(*part.indices(next(sizes)))))
        elif not -(size := next(sizes)) <= part < size:
            return None
    return tuple(found)


def filled(parts: Sequence[Subscript], rank: int) -> list[int | slice | None] | None:
    """Return a part for each axis, with whole slices for `...` and for axes that are left out."""
    said = sum(part is not None and part is not ... for part in parts)
    if said > rank or sum(part is ... for part in parts) > 1:
        return None
    rest = [slice(None)] * (rank - said)
    found: list[int | slice | None] = []
    for part in parts:
        if part is ...:
            found += rest
            rest = []
        else:
            found.append(part)
    return [*found, *rest]


def along(axis: int, part: str) -> str:
    """Return the index that has a part at an axis and all of the axes before."""
    return ", ".join([":"] * axis + [part])
