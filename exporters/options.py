"""What a caller may ask of an exporter; each uses what concerns it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


def silent(message: str) -> None:
    """Take no notice of a warning."""


class Options(NamedTuple):
    """How to draw: where the graph runs to, colours, digits of numbers, dots per inch of a PNG.

    `warn` is told what the caller should know about the result. Code has a function called `name`,
    numbers of the type `real`, and in C it includes its own `header`.
    """

    direction: str = "right"
    theme: str = "light"
    digits: int | None = 4
    dpi: int = 144
    warn: Callable[[str], None] = silent
    name: str = ""
    real: str | None = None
    header: str = ""


DEFAULT = Options()
