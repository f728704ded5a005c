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

MOST_DIGITS = 4000
"""Whole numbers of so many digits are not read as such: Python refuses to from 4301 on."""


class Huge(float):
    """A number that no float64 comes near: infinite, with the `digits` in which it is written."""

    digits: str

    def __new__(cls, digits: str) -> Huge:
        """Return the number that digits say."""
        found = super().__new__(cls, "-inf" if digits[0] == "-" else "inf")
        found.digits = digits
        return found


def real(digits: str) -> float:
    """Return the number that digits say."""
    number = float(digits)
    return Huge(digits) if isinf(number) else number


def whole(digits: str) -> int | float:
    """Return the whole number that digits say; Python makes no `int` of thousands of them."""
    return int(digits) if len(digits) < MOST_DIGITS else Huge(digits)


class TooLarge(Exception):
    """A number is `Huge`, where all numbers are asked for."""


def checked(number: float) -> float:
    """Return a number that was read. Raises `TooLarge` where it is `Huge`."""
    if isinstance(number, Huge):
        raise TooLarge("the number is too large for a float64", number.digits)
    return float(number)


def finite(digits: str) -> float:
    """Return the number that digits say. Raises `TooLarge`."""
    return checked(real(digits))


def short(digits: str) -> int:
    """Return the whole number that digits say. Raises `TooLarge`."""
    number = whole(digits)
    if isinstance(number, float):
        raise TooLarge("a number has too many digits", digits)
    return number


def decoded(
    text: str,
    sources: Sources,
    start: int,
    gather: Callable[[Pairs], Json] | None = None,
    lenient: bool = False,
) -> Json:
    """Return what a text says, whose places count from `start`; `gather` makes the objects.

    Numbers that are too large are an error, or, where it is `lenient`, `Huge`. Raises `DataError`.
    """
    reals, wholes = (real, whole) if lenient else (finite, short)
    try:
        held: Json = json.loads(text, parse_float=reals, parse_int=wholes, object_pairs_hook=gather)
    except TooLarge as error:
        told, digits = error.args
        place = sources.place(start + max(0, text.find(digits)), len(digits))
        raise DataError(told, place) from None
    except json.JSONDecodeError as error:
        what = f"not JSON: {error.msg[:1].lower()}{error.msg[1:]}"
        raise DataError(what, sources.place(start + error.pos)) from None
    except RecursionError:
        raise DataError("JSON nested too deeply", sources.place(start)) from None
    return held
