"""NumPy's files as tables: .npz has columns by name, .npy one, or the fields of its entries."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ...autodiff.errors import DataError
from .. import arrays
from ..arrays import Archive, as_floats
from ..data import dotted
from ..source import readable
from .batch import ROWS, BadCell, Batch, Chunk, Ready, Wanted, at_row
from .streams import Stream


class Arrays:
    """Arrays with a row for each entry of their first axis.

    The array of a .npy has the name "", unless its entries have fields.
    """

    def __init__(self, stream: Stream) -> None:
        self.name = stream.name
        self._stream = stream
        found = loaded(stream)
        if not hasattr(found, "dtype"):
            self._arrays: Mapping[str, Any] = Members(found)
            self.columns: Sequence[str] = list(map(dotted, found.names))
        elif found.dtype.names:
            self._arrays = {name: found[name] for name in found.dtype.names}
            self.columns = list(self._arrays)
        else:
            self._arrays = {"": found}
            self.columns = [""]
        self._done = 0.0

    def chunks(self, wanted: Wanted) -> Iterator[Chunk]:
        """Yield slices of the arrays."""
        arrays = {column: self._arrays[column] for column in wanted.all}
        size = self._common(arrays)
        numbers = {column: self._numeric(column, arrays[column]) for column in wanted.numbers}
        for start in range(0, max(size, 1), ROWS):
            here = slice(start, start + ROWS)
            self._done = start / max(size, 1)
            kept = {column: native(arrays[column][here]) for column in wanted.kept}
            rows = min(ROWS, size - start)
            taken = {
                column: as_floats(array[here], f"column '{column}' of {self.name}")
                for column, array in numbers.items()
            }
            yield Ready(self.name, Batch(rows, taken, kept))

    def share(self) -> float | None:
        """Return how much has been read."""
        return self._done

    def stop(self) -> None:
        """Let it be: a file keeps nobody waiting."""

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

    def _common(self, arrays: Mapping[str, Any]) -> int:
        """Return the length of all arrays. Raises `DataError` where they have none in common."""
        lengths: dict[str, int] = {}
        for column, array in arrays.items():
            if array.ndim == 0:
                raise DataError(f"{self.name}: '{column}' is one number, not a column")
            lengths[column] = len(array)
        if len(set(lengths.values())) > 1:
            told = ", ".join(f"{column} has {length:,}" for column, length in lengths.items())
            raise DataError(f"the columns of {self.name} differ in length: {told}")
        first = next(iter(self._arrays.values()), None) if not arrays else None
        return next(iter(lengths.values()), 0 if first is None else len(first))

    def _numeric(self, column: str, array: Any) -> Any:
        if array.dtype.kind not in "fiub":
            raise at_row(self.name, BadCell(0, column, f"{array.dtype} is not a number"), 0)
        return array


class Members(Mapping[str, Any]):
    """The arrays of an archive, each read when it is asked for; `fc1/weight` is `fc1.weight`."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._names = {dotted(name): name for name in archive.names}
        self._read: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._read:
            self._read[name] = self._archive[self._names[name]]
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def native(array: Any) -> Any:
    """Return a copy of an array, with bytes in the order of this machine."""
    return np.array(array, dtype=array.dtype.newbyteorder("="))


def loaded(stream: Stream) -> Any:
    """Return what a file of NumPy's has; an array in a file stays there."""
    from io import BytesIO

    if not stream.plain():
        return arrays.loaded(BytesIO(stream.rest()), stream.name)
    file = stream.file()
    if not stream.begins(arrays.ARRAY):
        return arrays.loaded(file, stream.name)
    with readable(stream.name):
        arrays.check(file, os.path.getsize(stream.path), stream.name)
        return np.load(stream.path, mmap_mode="r", allow_pickle=False)
