"""Tables as bytes, in the formats that are written: a batch becomes bytes, the bytes follow on.

What costs time (`encode`) needs nothing but the batch, so that several threads may do it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from io import BytesIO
from math import prod
from typing import Any, Protocol
from zipfile import ZipFile, ZipInfo

import numpy as np
from numpy.lib.format import write_array
from numpy.typing import NDArray

from ...autodiff.errors import DataError, UsageError
from .arrow import arrow, invalid
from .batch import is_array
from .cells import array_text, is_list, json_texts, lines, of_arrays, rounded, texts
from .formats import PACKED, ending_of
from .options import Form

Cells = Mapping[str, Any]
"""Columns by name: of numbers, or what PyArrow or NumPy has read, to be carried along."""

ENDINGS = (
    ".csv",
    ".tsv",
    ".jsonl",
    ".ndjson",
    ".json",
    ".parquet",
    ".arrow",
    ".feather",
    ".npz",
    ".npy",
)
TEXT = (".csv", ".tsv", ".txt", "")
"""Endings of files in which what is carried along is as it was written."""

GROUP = 1 << 20
"""So many rows make a group of rows in a Parquet file."""


class Sink(Protocol):
    """A format in which a table is written."""

    def encode(self, cells: Cells, size: int) -> Any:
        """Return rows in the form that `write` takes."""
        ...

    def write(self, encoded: Any) -> bytes:
        """Return the bytes that rows add, which may be none yet."""
        ...

    def end(self) -> bytes:
        """Return the bytes that come last."""
        ...


def keeps_text(path: str | None, as_json: bool) -> bool:
    """Tell whether what is carried along from a file of text is written as it is there."""
    return not as_json and (path is None or ending_of(path) in TEXT)


def sink_for(path: str | None, as_json: bool, form: Form, digits: int | None) -> Sink:
    """Return what writes a table to a path, by its ending. Raises `UsageError` for others."""
    ending = "" if path is None else ending_of(path)
    sink = plain_sink(ending, as_json, form, digits)
    packed = next((end for end in PACKED if path is not None and path.lower().endswith(end)), "")
    if packed and isinstance(sink, ArrowSink | ArraySink):
        hint = f"-o {path.removesuffix(packed)}" if path else None
        raise UsageError(f"only text is compressed, not a {ending}", hint=hint)
    return Packed(sink, packed) if packed else sink


def plain_sink(ending: str, as_json: bool, form: Form, digits: int | None) -> Sink:
    """Return what writes a table by the ending of its name."""
    if ending in (".jsonl", ".ndjson", ".json") or (as_json and ending in TEXT):
        return JsonSink()
    if ending in TEXT:
        return TextSink(form.settled(ending), digits)
    if ending == ".parquet":
        return ParquetSink()
    if ending in (".arrow", ".feather"):
        return ArrowSink()
    if ending in (".npz", ".npy"):
        return ArraySink(ending)
    raise UsageError(f"rows are not written as {ending}", hint=f"known: {' '.join(ENDINGS)}")


def check_kinds(cells: Cells) -> None:
    """Raise `DataError` for an array of NumPy that only its own files hold: complex numbers."""
    for name, column in cells.items():
        if is_array(column):
            try:
                arrow().from_numpy_dtype(column.dtype)
            except invalid():
                told = f"column '{name}' is {column.dtype}, which only .npz and .npy hold"
                raise DataError(told, hint="-o FILE.npz") from None


# -- text -----------------------------------------------------------------------------------------


class TextSink:
    """CSV, or TSV: a header, then a line for each row. Quotes are where a cell needs them."""

    def __init__(self, form: Form, digits: int | None) -> None:
        self._delimiter = form.delimiter or ","
        self._decimal = form.decimal
        self._digits = digits
        self._begun = False

    def encode(self, cells: Cells, size: int) -> tuple[bytes, bytes]:
        """Return the header, and the rows. Raises `DataError`, as all do, for what has no text."""
        check_kinds(cells)
        names = arrow().array(list(cells))
        head = self._delimiter.join(self._quoted(names).to_pylist()) + "\n"
        texts = [self._texts(column) for column in cells.values()]
        return head.encode(), lines(texts, self._delimiter, size)

    def write(self, encoded: tuple[bytes, bytes]) -> bytes:
        """Return the rows, the first time below the header."""
        head, rows = encoded
        found = rows if self._begun else head + rows
        self._begun = True
        return found

    def end(self) -> bytes:
        """Return nothing more."""
        return b""

    def _texts(self, column: Any) -> Any:
        """Return a column as text, nan where there is no number."""
        pa = arrow()
        if of_arrays(column):
            written = [array_text(row, self._digits) for row in column]
            return self._quoted(pa.array(written, pa.string()))
        if is_array(column):
            plain = column.dtype == np.float64 and self._digits is not None
            found = rounded(column, self._digits) if plain else column
            column = pa.array(np.ascontiguousarray(found))
        if pa.types.is_floating(column.type):
            return self._pointed(arrow("compute").cast(column, pa.string()))
        return self._quoted(texts(column))

    def _pointed(self, column: Any) -> Any:
        """Return numbers as text with the decimal point that is asked for."""
        if self._decimal == ".":
            return column
        return self._quoted(arrow("compute").replace_substring(column, ".", self._decimal))

    def _quoted(self, column: Any) -> Any:
        """Return texts, those in quotes that need them."""
        compute = arrow("compute")
        odd = compute.match_substring_regex(column, f'[\\x{ord(self._delimiter):02x}"\r\n]')
        if not compute.any(odd).as_py():
            return column
        doubled = compute.replace_substring(column, '"', '""')
        quoted = compute.binary_join_element_wise('"', doubled, '"', "")
        return compute.if_else(odd, quoted, column)


class JsonSink:
    """JSON lines: an object for each row."""

    def encode(self, cells: Cells, size: int) -> bytes:
        """Return the rows."""
        check_kinds(cells)
        parts: list[Any] = []
        for k, (name, column) in enumerate(cells.items()):
            key = json.dumps(name, ensure_ascii=False)
            parts += [f"{', ' if k else '{'}{key}: ", json_texts(column)]
        return lines([*parts, "}"], "", size)

    def write(self, encoded: bytes) -> bytes:
        """Return the rows."""
        return encoded

    def end(self) -> bytes:
        """Return nothing more."""
        return b""


# -- binary ---------------------------------------------------------------------------------------


class Pieces:
    """A file that hands on what is written to it."""

    closed = False

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._length = 0

    def write(self, data: Any) -> int:
        """Take bytes."""
        self._parts.append(bytes(data))
        self._length += len(self._parts[-1])
        return len(self._parts[-1])

    def tell(self) -> int:
        """Return how many bytes have been written."""
        return self._length

    def flush(self) -> None:
        """Do nothing: bytes are handed on when they are taken."""

    def close(self) -> None:
        """Do nothing: what has been written can still be taken."""

    def writable(self) -> bool:
        """Tell that it can be written."""
        return True

    def taken(self) -> bytes:
        """Return what has been written since the last time."""
        found = b"".join(self._parts)
        self._parts.clear()
        return found


class ArrowSink:
    """A file of Arrow's, which is Feather too."""

    def __init__(self) -> None:
        self._pieces = Pieces()
        self._writer: Any = None

    def encode(self, cells: Cells, size: int) -> Any:
        """Return the rows as a batch of PyArrow's."""
        check_kinds(cells)
        return arrow().RecordBatch.from_pydict(
            {name: array_of(column) for name, column in cells.items()}
        )

    def write(self, encoded: Any) -> bytes:
        """Return what the rows add."""
        if self._writer is None:
            self._writer = arrow("ipc").new_file(self._pieces, encoded.schema)
        if encoded.num_rows:
            self._writer.write_batch(encoded)
        return self._pieces.taken()

    def end(self) -> bytes:
        """Return the end of the file."""
        self._writer.close()
        return self._pieces.taken()


class ParquetSink(ArrowSink):
    """A Parquet file; batches are gathered to groups of rows."""

    def __init__(self) -> None:
        super().__init__()
        self._held: list[Any] = []
        self._rows = 0

    def write(self, encoded: Any) -> bytes:
        """Return what the rows add, once there are enough."""
        if self._writer is None:
            self._writer = arrow("parquet").ParquetWriter(self._pieces, encoded.schema)
        self._held.append(encoded)
        self._rows += encoded.num_rows
        return self._group() if self._rows >= GROUP else b""

    def end(self) -> bytes:
        """Return the last rows, and the end of the file."""
        return self._group() + super().end()

    def _group(self) -> bytes:
        table = arrow().Table.from_batches(self._held, self._held[0].schema)
        if self._rows:
            self._writer.write_table(table, row_group_size=self._rows)
        # An empty batch stays: the schema of the next group.
        self._held, self._rows = [self._held[0].slice(0, 0)], 0
        return self._pieces.taken()


def array_of(column: Any) -> Any:
    """Return a column as an array of PyArrow: rows that are arrays as lists."""
    pa = arrow()
    if is_list(column):
        return pa.array([np.asarray(row).tolist() for row in column])
    if not is_array(column):
        return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
    found = pa.array(np.ascontiguousarray(column).reshape(-1))
    for axis in range(column.ndim - 1, 0, -1):
        ends: Any = column.shape[axis] * np.arange(found_length(column, axis) + 1, dtype=np.int32)
        found = pa.ListArray.from_arrays(pa.array(ends, pa.int32()), found)
    return found


def found_length(column: NDArray[Any], axis: int) -> int:
    """Return how many lists there are along an axis."""
    return prod(column.shape[:axis])


class ArraySink:
    """A file of NumPy, written at the end: until then the columns are held."""

    def __init__(self, ending: str) -> None:
        self._ending = ending
        self._held: list[dict[str, Any]] = []

    def encode(self, cells: Cells, size: int) -> dict[str, Any]:
        """Return the rows as arrays. Raises `UsageError` for several columns in a .npy."""
        if self._ending == ".npy" and len(cells) != 1:
            hint = "a .npz holds several: -o FILE.npz"
            raise UsageError(f"a .npy holds one array, not {len(cells)}", hint=hint)
        return {name: numpy_of(name, column) for name, column in cells.items()}

    def write(self, encoded: dict[str, Any]) -> bytes:
        """Hold the rows."""
        self._held.append(encoded)
        return b""

    def end(self) -> bytes:
        """Return the file."""
        arrays = {
            name: np.concatenate([rows[name] for rows in self._held]) for name in self._held[0]
        }
        content = BytesIO()
        if self._ending == ".npy":
            np.save(content, next(iter(arrays.values())), allow_pickle=False)
            return content.getvalue()
        with ZipFile(content, "w") as whole:
            for name, array in arrays.items():
                with whole.open(ZipInfo(f"{name}.npy"), "w", force_zip64=True) as file:
                    write_array(file, array, allow_pickle=False)
        return content.getvalue()


def numpy_of(name: str, column: Any) -> Any:
    """Return a column as an array of NumPy. Raises `DataError` for what it has no type for."""
    if is_list(column):
        raise DataError(f"rows of '{name}' differ in shape: an array has none for them")
    if is_array(column):
        return column
    found = array_of(column).to_numpy(zero_copy_only=False)
    if found.dtype == object:
        return np.array(["" if one is None else str(one) for one in found], dtype=np.str_)
    return found


class Packed:
    """Another sink, compressed."""

    def __init__(self, sink: Sink, ending: str) -> None:
        self._sink = sink
        self._pack, self._end = packer(ending)
        self.encode = sink.encode

    def write(self, encoded: Any) -> bytes:
        """Return what rows add, compressed."""
        return self._pack(self._sink.write(encoded))

    def end(self) -> bytes:
        """Return the end, compressed."""
        return self._pack(self._sink.end()) + self._end()


def packer(ending: str) -> tuple[Callable[[bytes], bytes], Callable[[], bytes]]:
    """Return what compresses bytes, and what returns the last of them."""
    if ending == ".zst":
        pieces = Pieces()
        stream = arrow().CompressedOutputStream(arrow().PythonFile(pieces, "w"), "zstd")

        def pack(data: bytes) -> bytes:
            stream.write(data)
            return pieces.taken()

        def end() -> bytes:
            stream.close()
            return pieces.taken()

        return pack, end
    if ending == ".gz":
        from zlib import compressobj

        found: Any = compressobj(6, wbits=31)
    elif ending == ".bz2":
        from bz2 import BZ2Compressor

        found = BZ2Compressor()
    else:
        from lzma import LZMACompressor

        found = LZMACompressor()
    return found.compress, found.flush
