"""What `--vector` says: `x=1,y=2`, or the numbers alone in the order of what they are for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from ..autodiff.errors import UsageError
from .names import normal
from .options import Decorator
from .values import value_of

if TYPE_CHECKING:
    from ..autodiff.evaluate import Value

OPENING, CLOSING = "([", ")]"


def option(of: str) -> Decorator:
    """Return the option for a vector of inputs or outputs, whichever `of` says."""
    return click.option(
        "--vector",
        multiple=True,
        required=True,
        metavar="VALUES",
        help=f"The vector, a=1,b=2 (what is left out is 0), or 1,2 for the {of} in order.",
    )


def vector_of(options: Sequence[str], order: Sequence[str], seed: int) -> dict[str, Value]:
    """Return the vector that options say, by name; `order` has the names that bare numbers are for.

    Raises `UsageError` for a name with two values, for bare numbers that are not one for each name,
    and for what reads as neither.
    """
    parts = [part.strip() for option in options for part in separated(option)]
    if not any("=" in part for part in parts):
        if len(parts) != len(order):
            told = f"--vector has {len(parts)} values for {len(order)} names"
            raise UsageError(told, hint=f"in order: {', '.join(order)}")
        named = zip(order, parts, strict=True)
        return {
            name: value_of(part, f"--vector {name}", f"vector {name}", seed) for name, part in named
        }
    found: dict[str, Value] = {}
    for part in parts:
        name, equals, text = part.partition("=")
        name = normal(name.strip())
        if not equals:
            raise UsageError(f"--vector takes NAME=VALUE, not {part!r}")
        if name in found:
            raise UsageError(f"--vector has two values for {name}")
        found[name] = value_of(text, f"--vector {name}", f"vector {name}", seed)
    return found


def separated(text: str) -> Iterator[str]:
    """Yield the parts of a text between the commas that stand in no brackets."""
    depth, start = 0, 0
    for k, letter in enumerate(text):
        depth += (letter in OPENING) - (letter in CLOSING)
        if letter == "," and depth == 0:
            yield text[start:k]
            start = k + 1
    yield text[start:]
