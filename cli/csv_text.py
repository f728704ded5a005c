"""Tables of numbers in CSV: an empty cell is nan, and a first row with words names the columns."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..autodiff.errors import DataError, Place
from .numerals import TooLarge, cell, is_number
from .source import Text

COMMAS = "cells are separated by commas, and a decimal point is written ."


class Table(NamedTuple):
    """A text in rows of cells, each with its line, below the names of the columns, if any."""

    text: Text
    names: Sequence[str]
    rows: Sequence[tuple[int, Sequence[str]]]

    def numbers(self, columns: Sequence[int]) -> Iterator[tuple[float, ...]]:
        """Yield the numbers of each row that are in these columns, nan where a cell is empty.

        What the other columns hold does not matter. Raises `DataError` with its place.
        """
        lines = self.text.text.split("\n")
        for line, cells in self.rows:
            row = Place(self.text.name, line, 1, lines[line - 1], 1)
            yield tuple(number(cells, k, row) for k in columns)


def table_of(text: Text) -> Table:
    """Return the table that a text is. Raises `DataError` where it has no rows, or odd ones."""
    rows = rows_of(text)
    first = rows[0][1]
    header = [] if all(map(stands_for_a_number, first)) else [name.strip() for name in first]
    body = rows[1:] if header else rows
    if not body:
        raise DataError(f"{text.name} has no rows below the header {', '.join(header)!r}")
    for line, cells in body:
        check_width(text, line, cells, len(first))
    return Table(text, header, body)


def stands_for_a_number(text: str) -> bool:
    """Tell whether a cell of a first row is empty or a number, and so no name."""
    return not text.strip() or is_number(text)


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


def check_width(text: Text, line: int, cells: Sequence[str], width: int) -> None:
    """Raise `DataError` where a row has not as many cells as the first."""
    if len(cells) != width:
        shown = text.text.split("\n")[line - 1]
        what = f"{counted(len(cells))}, where the first row has {width}"
        hint = COMMAS if len(cells) > width else None
        raise DataError(what, Place(text.name, line, 1, shown, len(shown)), hint)


def counted(cells: int) -> str:
    """Return a number of cells in words."""
    return f"{cells} cell" if cells == 1 else f"{cells} cells"


def number(cells: Sequence[str], k: int, row: Place) -> float:
    """Return the number in cell k of a row, nan where it has none. Raises `DataError`."""
    text = cells[k]
    try:
        return cell(text)
    except TooLarge as error:
        raise DataError(str(error), placed(cells, k, row)) from None
    except ValueError:
        separated = ";" in text or "\t" in text
        told = f"{text!r} is not a number"
        raise DataError(told, placed(cells, k, row), COMMAS if separated else None) from None


def placed(cells: Sequence[str], k: int, row: Place) -> Place:
    """Return the place of cell k in a row."""
    start = row.text.find(cells[k]) if '"' in row.text else len(",".join([*cells[:k], ""]))
    return row._replace(column=max(1, start + 1), length=len(cells[k]))
