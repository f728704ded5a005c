"""Which rows of columns lack a value, and which others come out nan or infinite."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .arrays import all_finite
from .rows import entry

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .evaluate import Value
    from .rows import Column, Columns


class Seen(NamedTuple):
    """So many rows, and the first of them (from 0) with its inputs; None where there is none."""

    rows: int = 0
    first: int | None = None
    row: Mapping[str, Value] | None = None

    def then(self, other: Seen, offset: int) -> Seen:
        """Return the count over these rows and others that come `offset` rows after the first."""
        if self.first is not None or other.first is None:
            return self._replace(rows=self.rows + other.rows)
        return Seen(other.rows, other.first + offset, other.row)


class Survey(NamedTuple):
    """Which rows lack a value, and which others come out nan, or infinite."""

    missing: Seen = Seen()
    nan: Seen = Seen()
    infinite: Seen = Seen()

    def then(self, other: Survey, offset: int) -> Survey:
        """Return the survey of these rows and others that follow."""
        return Survey(*(mine.then(its, offset) for mine, its in zip(self, other, strict=True)))


def survey(columns: Columns, found: Iterable[Column], size: int) -> Survey:
    """Return which rows are not finite; what is nan in a column of the input is missing."""
    suspects = [column for column in found if not finite(column)]
    given = [column for column in columns.values() if not finite(column)]
    if not suspects and not given:
        return Survey()
    missing = any_row(given, np.isnan, size)
    nan = any_row(suspects, np.isnan, size) & ~missing
    infinite = any_row(suspects, np.isinf, size) & ~missing & ~nan
    return Survey(*(seen(rows, columns) for rows in (missing, nan, infinite)))


def lacking(columns: Columns, size: int) -> NDArray[np.bool_]:
    """Return which rows lack the value of a column."""
    return any_row([column for column in columns.values() if not finite(column)], np.isnan, size)


def finite(column: Column) -> bool:
    """Tell whether a column is finite throughout."""
    if isinstance(column, np.ndarray):
        return all_finite(column)
    return all(np.isfinite(value).all() for value in column)


def any_row(columns: Iterable[Column], test: np.ufunc, size: int) -> NDArray[np.bool_]:
    """Return for which rows a test holds in one of the columns, anywhere in the row."""
    found = np.zeros(size, dtype=np.bool_)
    for column in columns:
        if isinstance(column, np.ndarray):
            found |= test(column).reshape(size, -1).any(axis=1)
        else:
            found |= [bool(test(value).any()) for value in column]
    return found


def seen(rows: NDArray[np.bool_], columns: Columns) -> Seen:
    """Return the count of marked rows, and the first with its values."""
    count = int(rows.sum())
    if not count:
        return Seen()
    first = int(rows.argmax())
    return Seen(count, first, {name: entry(column[first]) for name, column in columns.items()})
