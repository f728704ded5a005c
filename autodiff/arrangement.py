"""How the entries of a pattern lie in the matrix that was asked for.

Its rows and columns may be in another order, and some of them there twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .pattern import Indices, Pattern

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from .evaluate import Array


class Arrangement:
    """The matrix of which row k is row `rows[k]` of a pattern, and column k its `columns[k]`."""

    def __init__(self, pattern: Pattern, rows: Indices, columns: Indices, width: int) -> None:
        from scipy.sparse import csr_array

        # Entries are numbered from 1 on: a 0 would be none.
        numbers = np.arange(1, pattern.entries + 1)
        shape = pattern.height, width
        whole = csr_array((numbers, pattern.columns, pattern.starts), shape=shape)
        if not is_counting(rows, pattern.height):
            whole = whole[rows]
        if not is_counting(columns, width):
            whole = whole[:, columns]
        whole.sort_indices()
        self._pattern = pattern
        self._columns, self._starts = whole.indices, whole.indptr
        self._shape = len(rows), len(columns)
        picks: Indices = whole.data - 1
        self._picks = None if is_counting(picks, pattern.entries) else picks

    def matrix(
        self,
        entries: Array,
        undefined_rows: NDArray[np.bool_],
        undefined_columns: NDArray[np.bool_] | None = None,
    ) -> csr_array:
        """Return the matrix of entries, nan where there is nothing to differentiate."""
        from scipy.sparse import csr_array

        found = entries
        if undefined_rows.any():
            found = np.where(undefined_rows[self._pattern.rows], np.nan, found)
        if undefined_columns is not None and undefined_columns.any():
            found = np.where(undefined_columns[self._pattern.columns], np.nan, found)
        if self._picks is not None:
            found = found[self._picks]
        # The indices are the matrix's own: it may be changed.
        return csr_array((found, self._columns.copy(), self._starts.copy()), shape=self._shape)


def is_counting(numbers: Indices, count: int) -> bool:
    """Tell whether numbers are all below a count, in order."""
    return len(numbers) == count and bool((numbers == np.arange(count)).all())
