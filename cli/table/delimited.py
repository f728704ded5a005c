"""CSV and TSV: blocks of lines, each read by PyArrow, and read again where it finds a fault."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain
from typing import Any

from ...autodiff.errors import CgraphError, DataError, Place
from ..numerals import is_number
from ..source import LONGEST_LINE
from . import convert
from .arrow import arrow, invalid
from .batch import BadCell, Batch, Chunk, Wanted
from .guesses import guessed, with_tabs
from .options import Form
from .streams import (
    BYTES_AHEAD,
    MARK,
    Stream,
    Streamed,
    blocks,
    by_line,
    mended_by,
    place_at,
)

LINE_END = re.compile("\r\n|\r|\n")

MARKS = ("-", "--", "?", ".", "..", "missing", "none", "n.a.", "unknown")
"""Cells that probably say that there is no value."""

BINARY = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
"""Bytes that no text has."""

DECLARATION = re.compile(rb"(?:\xef\xbb\xbf)?sep=([\t -!#-~])\r?(?:\n|$)")


class Delimited(Streamed):
    """A table of text with a header. Raises `DataError` where it has none."""

    def __init__(self, stream: Stream, form: Form, hurried: bool, guess: bool = False) -> None:
        super().__init__(stream)
        self.form = form
        self._blocks = blocks(stream, form.delimiter.encode(), hurried)
        first = begun(self._blocks, self.name)
        check_encoding(stream, first)
        separator, said = declared(first)
        if separator == form.decimal:
            told = (
                f"the cells of {self.name} are separated by '{separator}', as its first line says"
            )
            raise DataError(f"{told}: --decimal is another")
        if separator:
            self.form = form = form._replace(delimiter=separator)
        said = said.removeprefix(MARK)
        meant = guessed(said, form, self.name) if guess and not separator else None
        if meant:
            self.notes = meant.notes
            said, self.form = meant.header, form._replace(delimiter=meant.delimiter)
            form = self.form
        self._blanks = meant is not None and meant.blanks
        if self._blanks:
            head_line, _, rest = said.lstrip(b"\n").partition(b"\n")
            said = with_tabs(head_line) + b"\n" + rest
        head, self._first = header(said, form, self.name)
        self._line = first.count(b"\n", 0, len(first) - len(self._first)) + 1
        self.columns: Sequence[str] = [cell.strip() for cell in head]
        if all(map(is_number, self.columns)):
            shown = form.delimiter.join(head)
            hint = "write names in a line above"
            raise DataError(f"{self.name} has no header: its first line is '{shown}'", hint=hint)

    def chunks(self, wanted: Wanted) -> Iterator[Chunk]:
        """Yield the blocks of lines."""
        reading = Reading(self.name, self.columns, wanted, self.form)
        all_blocks = chain([self._first], self._blocks)
        if self._blanks:
            all_blocks = chain.from_iterable([with_tabs(block)] for block in all_blocks)
        for line, block in by_line(all_blocks, self._line):
            yield Lines(reading, block, line)


class Reading:
    """What is the same for all blocks of a file: the columns, and PyArrow's options.

    What is carried along is text, so that no row changes it: 007 is no 7. In a format that has
    numbers, the columns of inputs are numbers all the same.
    """

    def __init__(self, name: str, columns: Sequence[str], wanted: Wanted, form: Form) -> None:
        self.name = name
        self.columns = columns
        self.wanted = wanted
        self.form = form
        first = {column: k for k, column in reversed(list(enumerate(columns)))}
        self.places = {column: first[column] for column in wanted.all}
        pa = arrow()
        numbers = {str(self.places[column]): pa.float64() for column in wanted.numbers}
        texts = {str(self.places[column]): pa.string() for column in wanted.kept}
        self.types = numbers | texts if wanted.as_text else texts | numbers

    def table(self, block: bytes, types: Mapping[str, Any] | None = None) -> Any:
        """Return the columns of a block, called by their places, in types of their own or these."""
        reader = arrow("csv")
        read = reader.ReadOptions(
            use_threads=False,
            block_size=BYTES_AHEAD,
            column_names=list(map(str, range(len(self.columns)))),
        )
        parse = reader.ParseOptions(delimiter=self.form.delimiter, newlines_in_values=b'"' in block)
        as_they_are = reader.ConvertOptions(
            include_columns=list(map(str, self.places.values())),
            column_types=self.types if types is None else types,
            null_values=self.form.missing,
            decimal_point=self.form.decimal,
        )
        return reader.read_csv(arrow().BufferReader(block), read, parse, as_they_are)


@dataclass(frozen=True)
class Lines:
    """A block of lines of a file, the first of which has this number there."""

    reading: Reading
    block: bytes
    first: int

    def batch(self) -> Batch:
        """Read the block. Raises `BadCell`, or `DataError` at the line."""
        reading, block = self.reading, self.block
        if not block.strip():
            return self._empty()
        self._check_quotes()
        table = self._table()
        column = {name: convert.single(table[str(place)]) for name, place in reading.places.items()}
        numbers = {
            name: convert.numbers(column[name], name, reading.form.decimal, reading.form.missing)
            for name in reading.wanted.numbers
        }
        kept = {name: column[name] for name in reading.wanted.kept}
        if not reading.wanted.as_text:
            # A block that had to be read as text is to have the type of the others.
            both = [name for name in kept if name in numbers]
            kept |= {name: arrow().array(numbers[name], from_pandas=True) for name in both}
        return Batch(table.num_rows, numbers, kept)

    def error(self, bad: BadCell, before: int) -> CgraphError:
        """Return what to report of a cell, with the line that it is in."""
        for k, (line, cells) in enumerate(self._records()):
            if k == bad.row:
                at = self._place(line, cells, self.reading.places[bad.column])
                told = f"column '{bad.column}': {bad.what}"
                return DataError(told, at, bad.hint or remedy(bad.found.strip(), self.reading.form))
        return DataError(f"{self.reading.name}: column '{bad.column}': {bad.what}")

    def _table(self) -> Any:
        """Read the block: numbers as such, or else as text, which is to be made numbers."""
        pa, reading = arrow(), self.reading
        with suppress(invalid()):
            table = reading.table(self.block)
            if not any(map(convert.infinite, self._floats(table))):
                return table
        places = (str(reading.places[name]) for name in reading.wanted.numbers)
        try:
            return reading.table(self.block, reading.types | dict.fromkeys(places, pa.string()))
        except invalid() as error:
            raise self._fault(str(error)) from None

    def _check_quotes(self) -> None:
        """Raise `DataError` where something follows a closing quote: PyArrow joins the two."""
        if b'"' not in self.block:
            return
        pattern = well_quoted(self.reading.form.delimiter.encode())
        good = pattern.match(self.block)
        start = good.end() if good else 0
        if start < len(self.block):
            place = place_at(self.block, start, self.reading.name, self.first)
            told = "something follows the quote that closes this cell"
            raise DataError(told, place, 'a quote in quotes is written ""')

    def _floats(self, table: Any) -> list[Any]:
        """Return the columns that PyArrow has read as numbers."""
        names = self.reading.wanted.numbers
        columns = [table[str(self.reading.places[name])] for name in names]
        return [column for column in columns if column.type == arrow().float64()]

    def _empty(self) -> Batch:
        pa, wanted = arrow(), self.reading.wanted
        none = {name: convert.numbers(pa.array([], pa.float64()), name) for name in wanted.numbers}
        places = {name: str(self.reading.places[name]) for name in wanted.kept}
        kept = {name: pa.array([], self.reading.types[at]) for name, at in places.items()}
        return Batch(0, none, kept)

    @cached_property
    def _text(self) -> str:
        return self.block.decode("utf-8", "replace")

    def _records(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the rows that have cells, each with its line in the block, from 0."""
        line = 0
        for cells, end in rows_of(self._text, self.reading.form):
            if cells:
                yield line, cells
            line = end

    def _place(self, line: int, cells: Sequence[str] = (), k: int = 0) -> Place:
        """Return the place of a line, or of cell k in it."""
        text = LINE_END.split(self._text)[line]
        before = sum(len(cell) + 1 for cell in cells[:k])
        if '"' in text:
            before = max(0, text.find(cells[k])) if cells else 0
        length = len(cells[k]) if cells else 0
        return Place(self.reading.name, self.first + line, before + 1, text, max(1, length))

    def _fault(self, told: str) -> CgraphError | BadCell:
        """Return what is wrong with the block, that PyArrow would not take."""
        reading = self.reading
        width = len(reading.columns)
        for row, (line, cells) in enumerate(self._records()):
            if len(cells) != width:
                what = f"{counted(len(cells))}, where the header has {width}"
                at = self._place(line, cells, width) if len(cells) > width else self._place(line)
                return DataError(what, at, self._uneven(cells))
            for name in reading.wanted.all:
                cell = cells[reading.places[name]]
                if "\ufffd" in cell:
                    return BadCell(row, name, f"'{cell}' is not text in UTF-8", cell)
        return DataError(f"cannot read {reading.name}: {told}")

    def _uneven(self, cells: Sequence[str]) -> str:
        """Return the remedy where a row has more cells than the header, or fewer."""
        separator, width = self.reading.form.delimiter, len(self.reading.columns)
        shown = "tab" if separator == "\t" else f"'{separator}'"
        if cells[0].startswith("#"):
            return "a comment is not read: delete it"
        if width == 1:
            return f"cells are separated by {shown}: is that the --delimiter?"
        if len(cells) > width:
            return f"a cell that has a {shown} in it is written in quotes"
        return f"an empty cell has its {shown} too"


def rows_of(text: str, form: Form) -> Iterator[tuple[list[str], int]]:
    """Yield the rows of a text, each with the number of lines up to its end.

    A cell may be as long as a line.
    """
    csv.field_size_limit(LONGEST_LINE)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=form.delimiter)
    for cells in reader:
        yield cells, reader.line_num


@cache
def well_quoted(delimiter: bytes) -> re.Pattern[bytes]:
    """Return what matches cells as far as nothing follows a closing quote but the cell's end."""
    end = re.escape(delimiter)
    quoted, plain = b'"[^"]*+(?:""[^"]*+)*+"', b'[^"\n%b][^\n%b]*+' % (end, end)
    return re.compile(b"(?:(?:%b|%b)?+(?:%b|\\r?\\n|\\Z))*+" % (quoted, plain, end))


def counted(cells: int) -> str:
    """Return a number of cells in words."""
    return f"{cells} cell" if cells == 1 else f"{cells} cells"


def remedy(cell: str, form: Form) -> str | None:
    """Return how a cell that is no number is read, if there is a way."""
    if cell.lower() in MARKS:
        return f"--na='{cell}' says that it is no value"
    if form.decimal == "." and "," in cell and is_number(cell.replace(",", ".", 1)):
        return "--decimal ,"
    if form.decimal == "," and is_number(cell.replace(".", "").replace(",", ".", 1)):
        return "with --decimal , a number has no ."
    return None


def begun(blocks: Iterator[bytes], name: str) -> bytes:
    """Return the first block and, where that says nothing, those up to the first that does.

    Raises `DataError` for what says nothing and may have no end.
    """
    found = b""
    while not declared(found)[1].strip():
        if len(found) > LONGEST_LINE:
            raise DataError(f"{name} is empty, as far as its first {LONGEST_LINE:,} bytes say")
        if not (block := next(blocks, b"")):
            break
        found += block
    return found


def declared(block: bytes) -> tuple[str, bytes]:
    """Return what a first line such as `sep=;`, Excel's, says that separates cells, and the rest.

    Without such a line it is "", and all.
    """
    line = DECLARATION.match(block)
    return (line[1].decode(), block[line.end() :]) if line else ("", block)


def check_encoding(stream: Stream, block: bytes) -> None:
    """Raise `DataError` where the first line is no text in UTF-8, or is all there is."""
    wide = wide_text(block)
    if not wide and BINARY.search(block[:64]):
        told = f"cannot read {stream.name}: it is no text, and no table that is known"
        raise DataError(told, hint="cgraph reads CSV, TSV, JSON, Parquet, Arrow, .npy and .npz")
    line = block[: block.find(b"\n") + 1 or len(block)]
    if not wide and b"\r" in line.rstrip():
        hint = mended_by("tr '\\r' '\\n' <", stream.path)
        raise DataError(f"the lines of {stream.name} end in a carriage return alone", hint=hint)
    try:
        if not wide:
            line.decode()
            return
        told = "UTF-16"
    except UnicodeDecodeError as error:
        told = f"byte 0x{line[error.start]:02x} at offset {error.start}"
    hint = mended_by(f"iconv -f {wide or 'LATIN1'} -t UTF-8", stream.path)
    raise DataError(f"{stream.name} is not text in UTF-8 ({told})", hint=hint)


def wide_text(block: bytes) -> str:
    """Return what a text of two bytes a letter is called, nothing for all else."""
    if block[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "UTF-16"
    start = block[:64]
    if len(start) > 1 and not (any(start[1::2]) and any(start[::2])):
        return "UTF-16BE" if any(start[1::2]) else "UTF-16LE"
    return ""


def header(block: bytes, form: Form, name: str) -> tuple[list[str], bytes]:
    """Return the cells of the first row that has some, and the bytes that follow it."""
    text = block.decode("utf-8", "replace")
    none: tuple[list[str], int] = [], 0
    cells, end = next((row for row in rows_of(text, form) if row[0]), none)
    if not any(cell.strip() for cell in cells):
        raise DataError(f"{name} is empty")
    lines = block.split(b"\n", end)
    return cells, lines[end] if len(lines) > end else b""
