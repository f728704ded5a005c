"""Values as the command line spells them: a number, a constant formula, or `@FILE`."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from .. import parser
from ..autodiff.errors import CgraphError, DataError, UsageError
from .numerals import word

if TYPE_CHECKING:
    from ..autodiff.evaluate import Value

PLAIN = "0123456789.+-eE"


def value_of(text: str, spelled: str, name: str = "", seed: int = 0) -> Value:
    """Return the value that `text` stands for; errors call it by how it was spelled, `--x`.

    Random numbers are drawn from the seed and the name of what gets them. Raises `DataError` for a
    file, and `CgraphError` as the command line's fault for all else.
    """
    if not text.strip():
        raise UsageError(f"{spelled} needs a value")
    if text[:1] == "@":
        from .data import read_value

        return read_value(text[1:])
    number = plain_number(text)
    number = word(text) if number is None else number
    if number is not None:
        return number
    try:
        return parser.parse_value(text, spelled, seed, name)
    except DataError:
        raise
    except CgraphError as error:
        error.exit_code = 2
        error.hint = meant(text.strip(), spelled) or error.hint
        raise


FILES = (".npy", ".npz", ".csv", ".json")
"""Endings of files of values."""


def meant(text: str, spelled: str) -> str | None:
    """Return the remedy for a file without its sign, or a list as others write it."""
    from os.path import isfile, splitext

    path = text if isfile(text) else text.rpartition(":")[0] or text
    if splitext(path)[1].lower() in FILES:
        return f"to take it from a file write {spelled} @{text}"
    inside = text.strip("()[]{}")
    parts = inside.replace(",", " ").split()
    bare = inside == text and "," in text
    if len(parts) > 1 and not bare and all(plain_number(part) is not None for part in parts):
        return f"write [{', '.join(parts)}] for an array"
    return None


def plain_number(text: str) -> float | None:
    """Return the number of a plain literal such as `-3e-5`; None for all else, as for `1e400`."""
    if text.strip(PLAIN):
        return None
    try:
        number = float(text)
    except ValueError:
        return None
    return number if isfinite(number) else None
