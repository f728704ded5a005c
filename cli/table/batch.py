"""What a table is to whoever reads it: its columns, and chunks of rows that become batches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeGuard

import numpy as np
from numpy.typing import NDArray

from ...autodiff.errors import CgraphError, DataError
from ...autodiff.rows import Column

ROWS = 65_536
"""So many rows are taken together where a format leaves the choice."""


@dataclass(frozen=True)
class Wanted:
    """The columns to read: those that are numbers, and those to carry along.

    With `as_text`, a column of both, in a file of text, is carried along as it is written there.
    """

    numbers: Sequence[str]
    kept: Sequence[str]
    as_text: bool = True

    @property
    def all(self) -> list[str]:
        """Each column once."""
        return list(dict.fromkeys([*self.numbers, *self.kept]))


@dataclass(frozen=True)
class Batch:
    """Rows: the columns of numbers, nan where there is none, and those that are carried along."""

    size: int
    numbers: Mapping[str, Column]
    kept: Mapping[str, Any]


class Chunk(Protocol):
    """Rows as they come from a file; reading them is left to whoever has the time."""

    def batch(self) -> Batch:
        """Read the rows. Raises `BadCell`, or `DataError` that has its place."""
        ...

    def error(self, bad: BadCell, before: int) -> CgraphError:
        """Return what to report of a cell; so many rows came before this chunk."""
        ...


class Source(Protocol):
    """A table that is open."""

    name: str
    """What reports call it."""
    columns: Sequence[str]
    """The names of its columns, as they stand there."""

    def chunks(self, wanted: Wanted) -> Iterator[Chunk]:
        """Yield the rows in order; at least one chunk, which may be empty."""
        ...

    def share(self) -> float | None:
        """Return how much of it has been read, None where nobody knows."""
        ...

    def stop(self) -> None:
        """End a reading that waits for what may never come."""
        ...

    def close(self) -> None:
        """Give back what is held open."""
        ...


def is_array(column: Any) -> TypeGuard[NDArray[Any]]:
    """Tell whether a column is an array of NumPy's."""
    return isinstance(column, np.ndarray)


@dataclass
class BadCell(Exception):
    """A cell that is no number: its row in the batch, its column, and what is wrong with it."""

    row: int
    column: str
    what: str
    found: str = field(default="")
    """The text of the cell, if it has one."""
    hint: str | None = None


def at_row(name: str, bad: BadCell, before: int) -> DataError:
    """Return the report of a cell of a file that has rows and no lines."""
    return DataError(f"{name}, row {before + bad.row + 1:,}: column '{bad.column}': {bad.what}")


@dataclass(frozen=True)
class Ready:
    """A chunk that needs no further work."""

    name: str
    rows: Batch

    def batch(self) -> Batch:
        """Return the rows."""
        return self.rows

    def error(self, bad: BadCell, before: int) -> CgraphError:
        """Return what to report of a cell."""
        return at_row(self.name, bad, before)
