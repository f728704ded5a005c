"""NumPy's files, .npy and .npz: what they say of their sizes is judged before anything is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from math import prod
from typing import IO, Any
from zipfile import ZipFile, ZipInfo

import numpy as np
from numpy.lib import format as npy

from ..autodiff.errors import DataError
from .source import readable

ARRAY, ARCHIVE, PICKLE = b"\x93NUMPY", b"PK", b"\x80"
"""How files begin: an array, an archive, and what other tools write into files called .npy."""

MOST_UNPACKED = 400_000_000
"""So many bytes may come out of a small archive."""

RATIO = 20
"""A large one may unpack to so many times its size: numbers seldom do."""


def loaded(file: IO[bytes], name: str) -> Any:
    """Return the array of a .npy, or the `Archive` of a .npz. Raises `DataError`."""
    with readable(name):
        begun = file.read(len(ARRAY))
        file.seek(0)
        if begun.startswith(ARCHIVE):
            return Archive(file, name)
        if begun == ARRAY:
            return array(file, left(file), name)
    what = (
        "it is a pickle, of objects of Python" if begun[:1] == PICKLE else "it is no .npy or .npz"
    )
    raise DataError(f"cannot read {name}: {what}", hint="numpy.save writes arrays")


def left(file: IO[bytes]) -> int:
    """Return how many bytes of a file there are, from its beginning; it is there again."""
    size = file.seek(0, 2)
    file.seek(0)
    return size


def array(file: IO[bytes], size: int, name: str) -> Any:
    """Return the array in a file of so many bytes. Raises `DataError` where it is to have more."""
    check(file, size, name)
    file.seek(0)
    return npy.read_array(file, allow_pickle=False)


def check(file: IO[bytes], size: int, name: str) -> None:
    """Raise `DataError` where the array in a file of so many bytes has more, or is of objects."""
    version = npy.read_magic(file)
    read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    shape, _, kind = read(file)
    if kind.hasobject:
        raise DataError(f"cannot read {name}: it holds objects")
    declared = prod(shape) * kind.itemsize
    if min(shape, default=0) < 0 or declared > size - file.tell():
        told = f"it is to have {declared:,} bytes, and has {size - file.tell():,}"
        raise DataError(f"cannot read {name}: {told}")


class Archive(Mapping[str, Any]):
    """The arrays of a .npz by name, each read when it is asked for.

    A name may be there twice, which is an error where it is asked for. So is to unpack, all in all,
    more than a file of its size may hold.
    """

    def __init__(self, file: IO[bytes], name: str) -> None:
        self._name = name
        self._zip = ZipFile(file)
        entries = self._zip.infolist()
        self.names = [entry.filename.removesuffix(".npy") for entry in entries]
        self._entries = dict(zip(self.names, entries, strict=True))
        self._counts = Counter(self.names)
        self._room = max(MOST_UNPACKED, RATIO * sum(entry.compress_size for entry in entries))

    def __getitem__(self, name: str) -> Any:
        entry = self._entries[name]
        if self._counts[name] > 1:
            raise DataError(f"{self._name} holds {name!r} twice")
        self._room -= entry.file_size
        if self._room < 0:
            told = f"what is asked of {self._name} unpacks to too much"
            raise DataError(f"{told}: '{name}' has {entry.file_size:,} bytes")
        with readable(f"'{name}' of {self._name}"):
            return self._read(entry, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def _read(self, entry: ZipInfo, name: str) -> Any:
        with self._zip.open(entry) as file:
            if file.read(len(ARRAY)) != ARRAY:
                raise DataError(f"{name} in {self._name} is not an array")
        with self._zip.open(entry) as file:
            return array(file, entry.file_size, f"'{name}' of {self._name}")


def as_floats(found: Any, where: str) -> Any:
    """Return numbers as float64. Raises `DataError` where one is too large for that."""
    with np.errstate(over="ignore"):
        floats = np.asarray(found, dtype=np.float64)
    wider = found.dtype.kind == "f" and found.dtype.itemsize > floats.dtype.itemsize
    if wider and (np.isinf(floats) & np.isfinite(found)).any():
        raise DataError(f"{where} holds a number that is too large for a float64")
    return floats
