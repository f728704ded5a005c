"""JSON as it is read here: every error has its place."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import isinf
from typing import TypeAlias

from ..autodiff.errors import DataError, Sources

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

Pairs: TypeAlias = list[tuple[str, Json]]
"""The members of an object."""


class TooLarge(Exception):
    """A number, as it is written, that no float64 comes near."""


def finite(digits: str) -> float:
    """Return the number that digits say. Raises `TooLarge`."""
    number = float(digits)
    if isinf(number):
        raise TooLarge(digits)
    return number


def decoded(
    text: str, sources: Sources, start: int, gather: Callable[[Pairs], Json] | None = None
) -> Json:
    """Return what a text says, whose places count from `start`; `gather` makes the objects.

    Raises `DataError`.
    """
    try:
        held: Json = json.loads(text, parse_float=finite, object_pairs_hook=gather)
    except TooLarge as error:
        at = max(0, text.find(str(error)))
        what = "the number is too large for a float64"
        raise DataError(what, sources.place(start + at, len(str(error)))) from None
    except json.JSONDecodeError as error:
        what = f"not JSON: {error.msg[:1].lower()}{error.msg[1:]}"
        raise DataError(what, sources.place(start + error.pos)) from None
    except RecursionError:
        raise DataError("JSON nested too deeply", sources.place(start)) from None
    except ValueError:  # Python refuses to read integers of thousands of digits
        raise DataError("a number has too many digits", sources.place(start)) from None
    return held
