"""Columns of PyArrow as columns of numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...autodiff.rows import Column
from ...exporters.typography import shortened
from .. import numerals
from ..numerals import MISSING, TRUTH, TooLarge
from .arrow import arrow, invalid
from .batch import BadCell

LONGEST = 60
"""A report has at most so many letters of a cell."""

GROUPED = re.compile(r"[+-]?\d{1,3}(\.\d{3})+(,\d*)?")
"""A number with points between thousands."""

GROUPED_HINT = "with --decimal , its points would separate thousands: leave them out"


def numbers(column: Any, name: str, decimal: str = ".", missing: Sequence[str] = MISSING) -> Column:
    """Return an array of PyArrow as float64, nan where there is no value.

    Lists become a row of numbers each. Raises `BadCell` for all that is no number.
    """
    types = arrow().types
    kind = column.type
    if types.is_dictionary(kind):
        return numbers(column.dictionary_decode(), name, decimal, missing)
    if is_text(kind):
        column = from_text(column, name, decimal, missing)
    elif is_list(kind):
        return vectors(column, name)
    elif types.is_decimal(kind) or types.is_boolean(kind) or types.is_null(kind):
        column = column.cast(arrow().float64())
    elif not (types.is_integer(kind) or types.is_floating(kind)):
        raise BadCell(0, name, f"{kind} is not a number")
    found: Column = column.to_numpy(zero_copy_only=False).astype(np.float64, copy=False)
    return found


def single(column: Any) -> Any:
    """Return the chunks of a column as one array."""
    return column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)


def is_text(kind: Any) -> bool:
    """Tell whether a type is of text."""
    types = arrow().types
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def is_list(kind: Any) -> bool:
    """Tell whether a type is of lists."""
    types = arrow().types
    return bool(types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind))


def from_text(column: Any, name: str, decimal: str, missing: Sequence[str] = MISSING) -> Any:
    """Return a column of text as float64. Raises `BadCell` for the first that is no number."""
    pa, compute = arrow(), arrow("compute")
    text = compute.utf8_trim_whitespace(column.cast(pa.string()))
    text = compute.if_else(compute.is_in(text, pa.array(missing)), None, text)
    for digit in ("1", "0"):
        spelled = pa.array([one for one, value in TRUTH.items() if value == float(digit)])
        text = compute.if_else(compute.is_in(text, spelled), digit, text)
    if decimal != ".":
        if compute.any(compute.match_substring(text, ".")).as_py():
            return one_by_one(text.to_pylist(), column, name, decimal)
        text = compute.replace_substring(text, decimal, ".")
    try:
        found = compute.cast(text, pa.float64())
    except invalid():
        return one_by_one(text.to_pylist(), column, name)
    if infinite(found):
        digits = compute.match_substring_regex(text, "[0-9]")
        if compute.any(compute.and_(compute.is_inf(found), digits)).as_py():
            return one_by_one(text.to_pylist(), column, name)
    return found


def infinite(column: Any) -> bool:
    """Tell whether a column of numbers has an infinite one, which may be one that is too large."""
    compute = arrow("compute")
    return bool(compute.any(compute.is_inf(column)).as_py())


def one_by_one(texts: list[str | None], column: Any, name: str, decimal: str = ".") -> Any:
    """Return numbers as PyArrow does not read them, such as `1_000`. Raises `BadCell`."""
    found: list[float | None] = []
    for row, text in enumerate(texts):
        try:
            found.append(None if text is None else number(text, decimal))
        except TooLarge as error:
            raise BadCell(row, name, str(error), column[row].as_py()) from None
        except ValueError:
            cell = column[row].as_py()
            hint = GROUPED_HINT if decimal == "," and GROUPED.fullmatch(text or "") else None
            written = shortened(cell, LONGEST)
            raise BadCell(row, name, f"'{written}' is not a number", cell, hint) from None
    return arrow().array(found, arrow().float64())


def number(text: str, decimal: str = ".") -> float:
    """Return the number that a text is, with a decimal point of its own. Raises `ValueError`."""
    if decimal != ".":
        if "." in text:
            raise ValueError
        text = text.replace(decimal, ".")
    return numerals.number(text)


def vectors(column: Any, name: str) -> Column:
    """Return lists as a row of numbers each: one array where all are of one shape.

    Where a list is missing all its numbers are.
    """
    values = column.to_pylist()
    there = {k: row_of(value, k, name) for k, value in enumerate(values) if value is not None}
    blank = np.full(next(iter(there.values())).shape if there else (), np.nan)
    rows = [there.get(k, blank) for k in range(len(values))]
    if len({row.shape for row in rows}) > 1:
        return list(rows)
    return np.array(rows, dtype=np.float64)


def row_of(value: Any, row: int, name: str) -> Any:
    """Return a list of numbers, or of lists, as an array. Raises `BadCell`."""
    try:
        return np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadCell(row, name, f"{value!r} is not an array of numbers") from None
