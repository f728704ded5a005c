"""Patterns: which columns of a matrix each of its rows has entries in, as compressed rows."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain, pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .errors import FormulaError
from .limits import MOST_SPARSE

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Indices: TypeAlias = NDArray[np.int64]


class Pattern(NamedTuple):
    """The columns of row k are `columns[starts[k] : starts[k + 1]]`, ascending, each once."""

    starts: Indices
    columns: Indices

    @property
    def height(self) -> int:
        """The number of rows."""
        return len(self.starts) - 1

    @property
    def entries(self) -> int:
        """The number of entries."""
        return len(self.columns)

    @property
    def lengths(self) -> Indices:
        """The number of entries of each row."""
        return np.diff(self.starts)

    @property
    def rows(self) -> Indices:
        """The row of each entry."""
        return np.repeat(np.arange(self.height), self.lengths)

    def lists(self) -> list[list[int]]:
        """Return the columns of each row."""
        starts: list[int] = self.starts.tolist()
        columns: list[int] = self.columns.tolist()
        return [columns[start:end] for start, end in pairwise(starts)]


def empty(count: int) -> Pattern:
    """Return rows without an entry."""
    return Pattern(np.zeros(count + 1, dtype=np.int64), np.zeros(0, dtype=np.int64))


def diagonal(first: int, count: int) -> Pattern:
    """Return rows of one entry each, in the columns from `first` on."""
    return Pattern(np.arange(count + 1), np.arange(first, first + count))


def listed(rows: Sequence[Collection[int]]) -> Pattern:
    """Return rows of columns that are listed, in any order."""
    lengths = np.fromiter(map(len, rows), np.int64, len(rows))
    starts = starts_of(lengths)
    check_entries(int(starts[-1]))
    columns = np.fromiter(chain.from_iterable(rows), np.int64, int(starts[-1]))
    order = np.lexsort((columns, np.repeat(np.arange(len(rows)), lengths)))
    return Pattern(starts, columns[order])


def starts_of(lengths: Indices) -> Indices:
    """Return where rows of these lengths start, and where the last ends."""
    starts = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=starts[1:])
    return starts


def stacked(parts: Sequence[Pattern]) -> Pattern:
    """Return the rows of some matrices below each other."""
    if len(parts) == 1:
        return parts[0]
    lengths = np.concatenate([part.lengths for part in parts])
    return Pattern(starts_of(lengths), np.concatenate([part.columns for part in parts]))


def taken(rows: Pattern, which: Indices) -> Pattern:
    """Return the rows that `which` lists; -1 is one without entries."""
    there = which >= 0
    lengths = np.where(there, rows.lengths[which] if rows.height else 0, 0)
    starts = starts_of(lengths)
    check_entries(int(starts[-1]))
    shift = np.repeat(rows.starts[np.where(there, which, 0)] - starts[:-1], lengths)
    return Pattern(starts, rows.columns[shift + np.arange(starts[-1])])


def union(parts: Sequence[Pattern], width: int) -> Pattern:
    """Return the rows that have the entries of all of `parts`."""
    found, *others = {id(part): part for part in parts}.values()
    for other in others:
        both = rows_of(as_matrix(found, width) + as_matrix(other, width))
        same = [one for one in (found, other) if one.entries == both.entries]
        found = same[0] if same else both
    return found


def joined(groups: Pattern, rows: Pattern, width: int) -> Pattern:
    """Return for each group (of rows) the union of its rows."""
    check_entries(int(rows.lengths[groups.columns].sum()) if groups.entries else 0)
    return rows_of(as_matrix(groups, rows.height) @ as_matrix(rows, width))


def transposed(rows: Pattern, width: int) -> Pattern:
    """Return the rows of the transposed matrix."""
    return rows_of(as_matrix(rows, width).T.tocsr())


def as_matrix(rows: Pattern, width: int) -> csr_array:
    """Return rows as SciPy's matrix of true entries."""
    from scipy.sparse import csr_array

    true = np.ones(rows.entries, dtype=np.bool_)
    return csr_array((true, rows.columns, rows.starts), shape=(rows.height, width))


def rows_of(matrix: csr_array) -> Pattern:
    """Return SciPy's matrix as rows."""
    matrix.sort_indices()
    return Pattern(matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64))


def check_entries(entries: int) -> None:
    """Raise `FormulaError` where a matrix has too many entries."""
    if entries > MOST_SPARSE:
        told = f"a sparse matrix of {entries:,} entries is too large"
        raise FormulaError(told, hint="cgraph jvp, vjp and hvp multiply it with a vector")
