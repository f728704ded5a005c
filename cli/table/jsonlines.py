"""JSON lines: an object a line; blocks of lines are read by PyArrow, odd ones line by line."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from ...autodiff.constants import IN_JSON
from ...autodiff.errors import CgraphError, DataError, Place
from ...parser.json_text import Huge, real, whole
from ..numerals import TooLarge
from . import convert
from .arrow import arrow, invalid
from .batch import BadCell, Batch, Chunk, Wanted
from .cells import is_list
from .streams import BYTES_AHEAD, MARK, Stream, Streamed, blocks, by_line, place_at

LINE_END = ord("\n")

MOST = sys.float_info.max
"""The largest float64."""


class JsonLines(Streamed):
    """A table of objects. Its columns are the names in the first block of lines."""

    def __init__(self, stream: Stream, hurried: bool) -> None:
        super().__init__(stream)
        self._blocks = blocks(stream, delimiter=b"", hurried=hurried)
        self._first = next(self._blocks, b"").removeprefix(MARK)
        if not self._first.strip():
            raise DataError(f"{self.name} is empty")
        if self._first.lstrip()[:1] == b"[":
            self._blocks = unpacked(chain([self._first], self._blocks), self.name)
            self._first = next(self._blocks, b"")
        names: dict[str, None] = {}
        for record in objects(self.name, self._first, 1):
            names.update(dict.fromkeys(record))
        self.columns: Sequence[str] = list(names)

    def chunks(self, wanted: Wanted) -> Iterator[Chunk]:
        """Yield the blocks of lines."""
        reading = Reading(self.name, wanted, self._first)
        for line, block in by_line(chain([self._first], self._blocks), 1):
            yield Lines(reading, block, line)


HALF = re.compile(
    r"\\u[dD][89abAB]\w\w(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]\w\w)\\u[dD][c-fC-F]\w\w"
)
"""A surrogate that is not one of a pair."""

TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]|\n|,[ \t\r]*\n?')
"""What tells the parts of an array from each other."""


def unpacked(blocks: Iterable[bytes], name: str) -> Iterator[bytes]:
    """Yield the entries of an array, each on the line that it begins on, as blocks of lines.

    An entry of several lines is one, and as many empty ones follow. Raises `DataError` for an
    array that does not end.
    """
    depth, owed, held, line = 0, 0, bytearray(), 1
    comma: Place | None = None
    for block in blocks:
        at, whole = 0, 0
        for token in TOKEN.finditer(block):
            sign = token[0][:1]
            if sign in b'"[{' or block[at : token.start()].strip():
                comma = None
            if sign == b'"' or (sign == b"," and depth > 1 and b"\n" not in token[0]):
                continue
            held += block[at : token.start()]
            at = token.end()
            if sign == b"," and depth == 1:
                comma = place_at(block, token.start(), name, line)
            elif sign in b"]}" and depth == 1 and comma:
                raise DataError("nothing follows the last comma of the array", comma)
            if sign in b"[{":
                held += sign if depth else b" "
                depth += 1
            elif sign in b"]}":
                depth -= 1
                held += sign if depth else b" "
            elif depth > 1:
                owed += 1
                held += sign.replace(b"\n", b" ")
            else:
                held += b"\n" * (1 + owed)
                owed, whole = 0, len(held)
        held += block[at:]
        line += block.count(b"\n")
        if whole:
            yield bytes(held[:whole])
            del held[:whole]
    if depth:
        raise DataError(f"{name} is an array that is never closed")
    yield bytes(held)


class Reading:
    """What is the same for all blocks of a file: the names, and the types that they have."""

    def __init__(self, name: str, wanted: Wanted, first: bytes) -> None:
        pa = arrow()
        self.name = name
        self.wanted = wanted
        self.types = dict.fromkeys(wanted.numbers, pa.float64())
        kept = [column for column in wanted.kept if column not in self.types]
        self.types |= kinds(self.name, first, kept)

    def table(self, block: bytes) -> Any:
        """Return the columns of a block, those of numbers as they are found."""
        reader = arrow("json")
        read = reader.ReadOptions(use_threads=False, block_size=BYTES_AHEAD)
        schema = arrow().schema(list(self.types.items()))
        parse = reader.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore")
        return reader.read_json(arrow().BufferReader(block), read, parse)


def kinds(name: str, block: bytes, columns: Sequence[str]) -> dict[str, Any]:
    """Return the types of columns as the first rows have them; what is not plain is text."""
    pa = arrow()
    if not columns:
        return {}
    records = list(objects(name, block, 1))
    found: dict[str, Any] = {}
    for column in columns:
        values = [worded(record.get(column)) for record in records]
        try:
            kind = pa.array(values).type
        except (invalid(), TypeError, ValueError, OverflowError):
            kind = pa.string()
        found[column] = pa.string() if pa.types.is_null(kind) else kind
    return found


@dataclass(frozen=True)
class Lines:
    """A block of lines of a file, the first of which has this number there."""

    reading: Reading
    block: bytes
    first: int

    def batch(self) -> Batch:
        """Read the block. Raises `BadCell`, or `DataError` at the line."""
        wanted = self.reading.wanted
        column = self._columns()
        size = len(next(iter(column.values()))) if column else sum(1 for _ in self._numbered())
        numbers = {name: convert.numbers(column[name], name) for name in wanted.numbers}
        return Batch(size, numbers, {name: column[name] for name in wanted.kept})

    def error(self, bad: BadCell, before: int) -> CgraphError:
        """Return what to report of a cell, with the line that it is in."""
        for k, (number, text) in enumerate(self._numbered()):
            if k == bad.row:
                start = max(text.find(f'"{bad.column}"'), 0)
                place = Place(self.reading.name, number, start + 1, text, len(bad.column) + 2)
                carried = bad.column not in self.reading.wanted.numbers
                hint = f"make it text: jq -c '.\"{bad.column}\" |= tostring'" if carried else None
                return DataError(f"column '{bad.column}': {bad.what}", place, hint)
        return DataError(f"{self.reading.name}: column '{bad.column}': {bad.what}")

    def _columns(self) -> dict[str, Any]:
        types = self.reading.types
        if not self.block.strip():
            return {name: arrow().array([], kind) for name, kind in types.items()}
        with suppress(invalid()):
            table = self.reading.table(self.block)
            found = {name: convert.single(table[name]) for name in types}
            if not self._dubious(found):
                return found
        records = list(objects(self.reading.name, self.block, self.first, list(types)))
        return {name: self._column(records, name) for name in types}

    def _dubious(self, columns: Mapping[str, Any]) -> bool:
        """Tell whether PyArrow may have passed over a fault: a number too large, a name twice."""
        numbers = self.reading.wanted.numbers
        return any(convert.infinite(columns[name]) for name in numbers) or any(
            may_be_twice(self.block, name, len(column)) for name, column in columns.items()
        )

    def _column(self, records: Sequence[dict[str, Any]], name: str) -> Any:
        """Return a column of objects. Raises `BadCell`."""
        pa, kind = arrow(), self.reading.types[name]
        values = [record.get(name) for record in records]
        if name in self.reading.wanted.numbers:
            return numbers(values, name)
        if pa.types.is_string(kind):
            values = [as_text(value) for value in values]
        elif pa.types.is_floating(kind):
            values = list(map(worded, values))
        try:
            return pa.array(values, kind)
        except (invalid(), TypeError, ValueError, OverflowError):
            return one_by_one(values, name, kind)

    def _numbered(self) -> Iterator[tuple[int, str]]:
        return numbered(self.block, self.first)


def may_be_twice(block: bytes, name: str, rows: int) -> bool:
    """Tell whether a line in a block of so many may have a name twice; mostly a look suffices."""
    spelled = json.dumps(name, ensure_ascii=False).encode()
    if b"\\u" in block:
        return True
    if block.count(spelled) <= 1:
        return False
    places = [match.start() for match in re.finditer(re.escape(spelled), block)]
    ends = np.flatnonzero(np.frombuffer(block, np.uint8) == LINE_END)
    lines = np.searchsorted(ends, places)
    return bool((np.diff(lines) == 0).any())


def worded(value: Any) -> Any:
    """Return a value, the number where it is a word that stands for one."""
    return IN_JSON.get(value, value) if isinstance(value, str) else value


def as_text(value: Any) -> str | None:
    """Return a value as text: what is none as JSON."""
    if isinstance(value, Huge):
        return value.digits
    return value if value is None or isinstance(value, str) else json.dumps(value)


def numbers(values: Sequence[Any], name: str) -> Any:
    """Return JSON's values as a column of numbers or of lists. Raises `BadCell`."""
    pa = arrow()
    for row, value in enumerate(values):
        if isinstance(value, dict):
            raise BadCell(row, name, "an object is not a number")
        if isinstance(value, list | int | float):
            check_size(value, row, name)
    words = [value for value in values if isinstance(value, str)]
    if words:
        text = pa.array([as_text(value) for value in values], pa.string())
        return convert.from_text(text, name, ".")
    try:
        return pa.array(values, pa.float64())
    except (invalid(), TypeError, ValueError, OverflowError):
        return one_by_one(values, name, None)


def check_size(value: Any, row: int, name: str) -> None:
    """Raise `BadCell` where a number, or one in a list, is too large for a float64."""
    if is_list(value):
        for one in value:
            check_size(one, row, name)
    elif isinstance(value, Huge) or (isinstance(value, int) and abs(value) > MOST):
        written = value.digits if isinstance(value, Huge) else str(value)
        raise BadCell(row, name, str(TooLarge(written)))


def one_by_one(values: Sequence[Any], name: str, kind: Any) -> Any:
    """Return values of one type. Raises `BadCell` for the first that is of another."""
    pa = arrow()
    for row in range(len(values)):
        try:
            pa.array(values[: row + 1] if kind is None else [values[row]], kind)
        except (invalid(), TypeError, ValueError, OverflowError):
            of_rows = f"{kind}, as rows before" if kind else "what rows before have"
            raise BadCell(row, name, f"{values[row]!r} is not {of_rows}") from None
    return pa.array(values, kind)


def numbered(block: bytes, first: int) -> Iterator[tuple[int, str]]:
    """Yield the lines of a block that say something, each with its number."""
    for number, line in enumerate(block.decode("utf-8", "replace").split("\n"), first):
        if line.strip():
            yield number, line.removesuffix("\r")


def objects(
    name: str, block: bytes, first: int, used: Iterable[str] = ()
) -> Iterator[dict[str, Any]]:
    """Yield the objects in a block.

    Raises `DataError` at a line that is none, or that has one of the names that are used twice.
    """
    for number, line in numbered(block, first):
        try:
            found = json.loads(line, parse_float=real, parse_int=whole, object_pairs_hook=Members)
        except json.JSONDecodeError as error:
            place = Place(name, number, error.colno, line, 1)
            raise DataError(f"this is no JSON: {error.msg.lower()}", place) from None
        except RecursionError:
            place = Place(name, number, 1, line, 1)
            raise DataError("JSON nested too deeply", place) from None
        check_letters(found, name, number, line)
        if not isinstance(found, Members):
            raise DataError("this is no object", Place(name, number, 1, line, len(line)))
        for twice in found.twice.intersection(used):
            spelled = json.dumps(twice, ensure_ascii=False)
            place = Place(name, number, line.rfind(spelled) + 1 or 1, line, len(spelled))
            raise DataError(f"'{twice}' is there twice", place)
        yield found


def check_letters(held: Any, name: str, number: int, line: str) -> None:
    """Raise `DataError` where a text in a line has half of a letter, which nothing can write."""
    if "\\u" not in line:
        return
    try:
        json.dumps(held, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        half = HALF.search(line)
        start, length = (half.start(), len(half[0])) if half else (0, 1)
        place = Place(name, number, start + 1, line, length)
        told = f"{line[start : start + length]} is half of a letter"
        raise DataError(told, place, "two of them, as in \\ud83d\\ude00, are one") from None


class Members(dict[str, Any]):
    """An object of JSON, and which names it has `twice`."""

    def __init__(self, pairs: Sequence[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        names = Counter([name for name, _ in pairs] if len(self) < len(pairs) else [])
        self.twice: set[str] = {name for name, count in names.items() if count > 1}
