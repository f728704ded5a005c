"""Shapes that the call declares: `--shape X=10,2`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..autodiff.errors import UsageError
from .names import is_name, normal

if TYPE_CHECKING:
    from ..autodiff.graph import Shape

BRACKETS = ("()", "[]")

MAX_DIGITS = 18
"""The most digits of a size."""


def shapes_of(options: Iterable[str]) -> dict[str, Shape]:
    """Return the shapes that options declare, by name. Raises `UsageError`."""
    found: dict[str, Shape] = {}
    for option in options:
        name, equals, sizes = option.partition("=")
        name = normal(name.strip())
        if not equals or not is_name(name):
            raise UsageError(f"--shape takes NAME=SIZES, as in X=10,2, not {option!r}")
        shape = shape_of(name, sizes.strip())
        if found.setdefault(name, shape) != shape:
            raise UsageError(f"--shape {name} is given twice: {found[name]} and {shape}")
    return found


def shape_of(name: str, sizes: str) -> Shape:
    """Return the shape that sizes say: `10,2`, `(10, 2)`, or nothing for a number."""
    if sizes[:1] + sizes[-1:] in BRACKETS:
        sizes = sizes[1:-1].strip()
    parts = [part.strip() for part in sizes.removesuffix(",").split(",")] if sizes else []
    for part in parts:
        if not (part.isdecimal() and part.isascii() and len(part) <= MAX_DIGITS and int(part)):
            told = f"a size is a whole number from 1 on, not {part!r}"
            raise UsageError(f"--shape {name}: {told}", hint=f"--shape {name}=10,2")
    return tuple(map(int, parts))
