"""Parquet and Arrow's own files: columns by name, in batches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ...autodiff.errors import CgraphError
from ..source import readable
from . import convert
from .arrow import arrow
from .batch import ROWS, BadCell, Batch, Chunk, Wanted, at_row
from .streams import Stream, Streamed


class Parquet:
    """A Parquet file; from a pipe it is read whole."""

    def __init__(self, stream: Stream) -> None:
        self.name = stream.name
        self._stream = stream
        source = stream.path if stream.plain() else arrow().BufferReader(stream.rest())
        with readable(self.name):
            self._file = arrow("parquet").ParquetFile(source)
        self.columns: Sequence[str] = self._file.schema_arrow.names
        self._rows = 0

    def chunks(self, wanted: Wanted) -> Iterator[Chunk]:
        """Yield batches of rows."""
        size = ROWS
        batches = self._file.iter_batches(batch_size=size, columns=wanted.all)
        schema = self._file.schema_arrow
        yield from rows_of(self.name, wanted, schema, counted(self, within(self.name, batches)))

    def count(self, rows: int) -> None:
        """Take note of rows that have been read."""
        self._rows += rows

    def share(self) -> float | None:
        """Return how much of the file has been read."""
        total = self._file.metadata.num_rows
        return self._rows / total if total else None

    def stop(self) -> None:
        """Let it be: a file keeps nobody waiting."""

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        self._stream.close()


class Arrow(Streamed):
    """A file of Arrow's (Feather), or a stream, which may be a pipe."""

    def __init__(self, stream: Stream) -> None:
        super().__init__(stream)
        pa = arrow()
        self._random = stream.begins(b"ARROW1")
        with readable(self.name):
            if self._random and stream.plain():
                self._source = pa.memory_map(stream.path)
            elif self._random:
                self._source = pa.BufferReader(stream.rest())
            else:
                self._source = pa.PythonFile(Whole(stream), "r")
            self._file = self._opened(None)
        self.columns: Sequence[str] = self._file.schema.names

    def chunks(self, wanted: Wanted) -> Iterator[Chunk]:
        """Yield batches of rows."""
        schema = self._file.schema
        if self._random:
            first = {name: k for k, name in reversed(list(enumerate(self.columns)))}
            places = [first[name] for name in wanted.all]
            file = self._opened(sorted(places))
            batches = (file.get_batch(k) for k in range(file.num_record_batches))
        else:
            batches = (batch.select(wanted.all) for batch in self._file)
        yield from rows_of(self.name, wanted, schema, within(self.name, batches))

    def share(self) -> float | None:
        """Return how much of the file has been read, where it is a stream."""
        return None if self._random else super().share()

    def _opened(self, places: Sequence[int] | None) -> Any:
        ipc = arrow("ipc")
        if not self._random:
            return ipc.open_stream(self._source)
        if places is None:
            return ipc.open_file(self._source)
        return ipc.open_file(self._source, options=ipc.IpcReadOptions(included_fields=places))


class Whole:
    """A stream that gives as many bytes as it is asked for, as PyArrow wants it."""

    closed = False

    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    def read(self, size: int = -1) -> bytes:
        """Return so many bytes; fewer at the end."""
        if size < 0:
            return self._stream.rest()
        parts: list[bytes] = []
        while size and (more := self._stream.read(size)):
            parts.append(more)
            size -= len(more)
        return b"".join(parts)


@dataclass(frozen=True)
class Records:
    """A batch of PyArrow's, still to be made numbers."""

    name: str
    wanted: Wanted
    held: Any

    def batch(self) -> Batch:
        """Return the rows. Raises `BadCell`."""
        held, wanted = self.held, self.wanted
        with readable(self.name):
            held.validate(full=True)
        numbers = {name: convert.numbers(held.column(name), name) for name in wanted.numbers}
        return Batch(held.num_rows, numbers, {name: held.column(name) for name in wanted.kept})

    def error(self, bad: BadCell, before: int) -> CgraphError:
        """Return what to report of a cell."""
        return at_row(self.name, bad, before)


def rows_of(name: str, wanted: Wanted, schema: Any, batches: Iterable[Any]) -> Iterator[Chunk]:
    """Yield batches in pieces that are not too large; an empty one where there is none."""
    none = True
    for batch in batches:
        for start in range(0, batch.num_rows, ROWS):
            none = False
            yield Records(name, wanted, batch.slice(start, ROWS))
    if none:
        fields = arrow().schema([schema.field(column) for column in wanted.all])
        yield Records(name, wanted, arrow().RecordBatch.from_pylist([], fields))


def counted(file: Parquet, batches: Iterable[Any]) -> Iterator[Any]:
    """Yield batches, and tell the file of their rows."""
    for batch in batches:
        file.count(batch.num_rows)
        yield batch


def within(name: str, batches: Iterable[Any]) -> Iterator[Any]:
    """Yield batches. Raises `DataError` where one cannot be read."""
    with readable(name):
        yield from batches
