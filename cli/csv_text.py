"""Tables of numbers in CSV: an empty cell is nan, and a first row with words names the columns."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence

from ..autodiff.errors import DataError, Place
from .source import Text

COMMAS = "cells are separated by commas, and a decimal point is written ."


def columns(text: Text) -> tuple[Sequence[str], Sequence[tuple[float, ...]]]:
    """Return the names of the columns, none where there is no header, and the rows.

    Raises `DataError`.
    """
    rows = rows_of(text)
    first = rows[0][1]
    header = [] if all(map(is_number, first)) else [cell.strip() for cell in first]
    body = rows[1:] if header else rows
    if not body:
        raise DataError(f"{text.name} has no rows below the header {', '.join(header)!r}")
    return header, [numbers(text, line, cells, len(first)) for line, cells in body]


def rows_of(text: Text) -> list[tuple[int, list[str]]]:
    """Return the rows that have cells, each with its line. Raises `DataError`."""
    reader = csv.reader((f"{line}\n" for line in text.text.split("\n")), strict=True)
    try:
        rows = [(reader.line_num, cells) for cells in reader if cells]
    except csv.Error as error:
        raise DataError(f"{text.name}:{reader.line_num}: {error}") from None
    if not rows:
        raise DataError(f"{text.name} is empty")
    return rows


def is_number(cell: str) -> bool:
    """Tell whether a cell is empty or a number."""
    try:
        float(cell.strip() or "nan")
    except ValueError:
        return False
    return True


def numbers(text: Text, line: int, cells: Sequence[str], width: int) -> tuple[float, ...]:
    """Return the numbers in a row. Raises `DataError` with its place."""
    shown = text.text.split("\n")[line - 1]
    if len(cells) != width:
        what = f"{counted(len(cells))}, where the first row has {width}"
        hint = COMMAS if len(cells) > width else None
        raise DataError(what, Place(text.name, line, 1, shown, len(shown)), hint)
    return tuple(number(cell, Place(text.name, line, 1, shown, 1)) for cell in cells)


def counted(cells: int) -> str:
    """Return a number of cells in words."""
    return f"{cells} cell" if cells == 1 else f"{cells} cells"


def number(cell: str, row: Place) -> float:
    """Return the number in a cell of a row, nan where it is empty. Raises `DataError`."""
    value = float(cell.strip() or "nan") if is_number(cell) else None
    if value is not None and not (math.isinf(value) and cell.strip(" +-")[:1].isdigit()):
        return value
    place = row._replace(column=max(1, row.text.find(cell) + 1), length=len(cell))
    if value is not None:
        raise DataError(f"{cell.strip()} is too large for a float64", place)
    separated = ";" in cell or "\t" in cell
    raise DataError(f"{cell!r} is not a number", place, COMMAS if separated else None)
