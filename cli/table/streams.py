"""Bytes from files, compressed ones and pipes: as they come, in blocks of whole lines."""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Protocol

from ...autodiff.errors import DataError, Place
from ..source import LONGEST_LINE, endless, readable, shown
from .arrow import arrow
from .quotes import open_quote

FIRST, BLOCK = 1 << 16, 1 << 22
"""Bytes of the first block, from which blocks grow, and of those that follow."""

BYTES_AHEAD = 1 << 27
"""More than any block: PyArrow is to take it whole."""

PATIENCE = 0.02
"""Seconds to wait for more of a block on a pipe; then what has come is passed on."""

TICK = 0.1
"""Seconds after which who waits for a pipe looks whether anybody still wants what comes."""

LONGEST = LONGEST_LINE
"""A line has at most so many bytes; where more are in quotes, a quote was left open."""

MOST_HELD = 1 << 30
"""So many bytes of a pipe, or of a packed file, are held where a format must be read whole."""

MARK = b"\xef\xbb\xbf"
"""A byte-order mark in UTF-8."""

MAGIC = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\xfd7zXZ": "lzma", b"\x28\xb5\x2f\xfd": "zstd"}
"""How compressed files begin, and what unpacks them."""


class Stream:
    """The bytes of a file or of stdin, unpacked; what was looked at ahead is read again.

    Raises `DataError` for what cannot be read.
    """

    def __init__(self, path: str) -> None:
        self.name = shown(path)
        self.path = path
        self._ahead = b""
        self._raw: Any = opened(path)
        self._size, self._pipe = measured(self._raw)
        self._file: Any = None
        self._stopped = False
        self.packed = next((how for magic, how in MAGIC.items() if self.begins(magic)), "")
        if self.packed:
            self._file = unpacked(self.packed, Rest(self._ahead, self._next))
            self._ahead = b""

    def begins(self, magic: bytes) -> bool:
        """Tell whether the bytes ahead begin so."""
        return self.peek(len(magic)).startswith(magic)

    def peek(self, size: int) -> bytes:
        """Return the bytes ahead, so many or all there are; they are still to be read."""
        while len(self._ahead) < size and (more := self._more(size - len(self._ahead))):
            self._ahead += more
        return self._ahead

    def read(self, size: int) -> bytes:
        """Return at most so many bytes, of what has come; none at the end."""
        if self._ahead:
            found, self._ahead = self._ahead[:size], self._ahead[size:]
            return found
        return self._more(size)

    def rest(self) -> bytes:
        """Return all bytes that are left. Raises `DataError` where they may have no end."""
        parts: list[bytes] = []
        room = MOST_HELD
        while more := self.read(BLOCK):
            parts.append(more)
            room -= len(more)
            if room < 0:
                told = f"{self.name} has more than {MOST_HELD:,} bytes, the most that are held"
                raise DataError(told, hint="a file that is not packed is read where it is")
        return b"".join(parts)

    def idle(self) -> bool:
        """Tell whether nothing has come on a pipe for a moment."""
        if self._ahead or self.packed or not self._pipe:
            return False
        return not has_come(self._raw, PATIENCE)

    def plain(self) -> bool:
        """Tell whether it is a file that others may open by its path, as it is.

        Stdin has none, though a file may be behind it.
        """
        return self.path != "-" and not self._pipe and not self.packed and self._size is not None

    def file(self) -> Any:
        """Return the file itself, from its beginning, where it is a plain one."""
        self._raw.seek(0)
        return self._raw

    def share(self) -> float | None:
        """Return how much of a file has been read, None where its size is not known."""
        if not self._size or self._raw.closed:
            return None
        return float(min(1.0, self._raw.tell() / self._size))

    def stop(self) -> None:
        """Let a pipe end here, for whoever waits for what comes on it."""
        self._stopped = True

    def close(self) -> None:
        """Close the file; stdin stays open."""
        if self.path != "-":
            self._raw.close()

    def _more(self, size: int) -> bytes:
        with readable(self.name):
            return (self._file.read(size) if self._file else self._next(size)) or b""

    def _next(self, size: int) -> bytes:
        """Return the next bytes of the file as it is."""
        while self._pipe and not has_come(self._raw, TICK):
            if self._stopped:
                return b""
        return b"" if self._stopped else self._raw.read(size)


def has_come(pipe: Any, patience: float) -> bool:
    """Tell whether there is something to read on a pipe, or comes within so many seconds."""
    from select import select

    try:
        return bool(select([pipe.fileno()], [], [], patience)[0])
    except (OSError, ValueError):  # a system may not be able to tell
        return True


@contextmanager
def closed_on_error(held: Closing) -> Generator[None, None, None]:
    """Close what is held open where something goes wrong before anybody else does."""
    try:
        yield
    except BaseException:
        held.close()
        raise


class Closing(Protocol):
    """What is held open."""

    def close(self) -> None:
        """Give it back."""
        ...


class Rest:
    """What follows in a file after what has been looked at, as a file for what unpacks it."""

    closed = False

    def __init__(self, ahead: bytes, following: Callable[[int], bytes]) -> None:
        self._ahead = ahead
        self._following = following

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes, of what has come; all of them without a size."""
        if size < 0:
            return b"".join(iter(lambda: self.read(BLOCK), b""))
        if self._ahead:
            found, self._ahead = self._ahead[:size], self._ahead[size:]
            return found
        return self._following(size)

    def readable(self) -> bool:
        """Tell that it can be read."""
        return True


class Streamed:
    """A table that is read from a stream: how far, and to what end, the stream knows."""

    notes: tuple[str, ...] = ()
    """What was taken for what, where nobody said it."""

    def __init__(self, stream: Stream) -> None:
        self.name = stream.name
        self._stream = stream

    def share(self) -> float | None:
        """Return how much of it has been read, None where nobody knows."""
        return self._stream.share()

    def stop(self) -> None:
        """End a reading that waits for what may never come."""
        self._stream.stop()

    def close(self) -> None:
        """Close the file."""
        self._stream.close()


def by_line(blocks: Iterable[bytes], first: int) -> Iterator[tuple[int, bytes]]:
    """Yield blocks of lines, each with the number of its first; that of all is given."""
    for block in blocks:
        yield first, block
        first += block.count(b"\n")


def mended_by(command: str, path: str) -> str:
    """Return the pipeline in which a command mends a file, or what comes on stdin."""
    if path == "-":
        return f"... | {command.removesuffix(' <')} | cgraph ... --data -"
    return f"{command} {path} | cgraph ... --data -"


def opened(path: str) -> Any:
    """Return a file, or stdin for '-', to be read without a buffer. Raises `DataError`."""
    with readable(shown(path)):
        if path != "-":
            return open(path, "rb", buffering=0)
        if sys.stdin is None:
            return io.BytesIO()
        try:
            return open(sys.stdin.fileno(), "rb", buffering=0, closefd=False)
        except io.UnsupportedOperation:
            return sys.stdin.buffer


def measured(raw: Any) -> tuple[int | None, bool]:
    """Return the size of an open file, None where it has none, and whether it is a pipe."""
    try:
        found = os.fstat(raw.fileno())
    except (OSError, io.UnsupportedOperation):
        return None, False
    regular = stat.S_ISREG(found.st_mode)
    return found.st_size if regular else None, not regular


def unpacked(how: str, file: Rest) -> Any:
    """Return a compressed file as what is in it."""
    if how == "zstd":
        pa = arrow()
        return pa.CompressedInputStream(pa.PythonFile(file, "r"), how)
    return import_module(how).open(file)


def blocks(stream: Stream, delimiter: bytes, hurried: bool) -> Iterator[bytes]:
    """Yield the bytes in blocks of whole lines, which grow.

    Where cells have a delimiter, a line end in quotes is none, and a quote that is open at the end
    is a `DataError`; so is a line that may have no end. With `hurried` a block is what has come on
    a pipe when nothing more comes; without, how the bytes came makes no difference.
    """
    size, held, line = FIRST, b"", 1
    while True:
        block, ended = gathered(stream, held, max(size, 2 * len(held)), hurried)
        end = len(block) if ended else whole_lines(block, delimiter)
        too_long = not end and len(block) > LONGEST
        if delimiter and (ended or too_long):
            check_closed(block, delimiter, stream.name, line)
        if too_long:
            raise DataError(f"{stream.name}:{line}: {endless(LONGEST)}")
        if end:
            yield block[:end]
        if ended:
            return
        line += block.count(b"\n", 0, end)
        held = block[end:]
        size = min(2 * size, BLOCK)


def gathered(stream: Stream, held: bytes, size: int, hurried: bool) -> tuple[bytes, bool]:
    """Return what is held and what follows, about so many bytes; tell whether it is the end."""
    parts, length = [held], len(held)
    while length < size:
        more = stream.read(size - length)
        if not more:
            return b"".join(parts), True
        parts.append(more)
        length += len(more)
        if hurried and b"\n" in more and stream.idle():
            break
    return b"".join(parts), False


def whole_lines(block: bytes, delimiter: bytes) -> int:
    """Return where the last whole line of a block ends; with a delimiter, one outside of quotes."""
    end = block.rfind(b"\n") + 1
    while end and delimiter and (start := open_quote(block, delimiter, end)) is not None:
        end = block.rfind(b"\n", 0, start) + 1
    return end


def check_closed(block: bytes, delimiter: bytes, name: str, line: int) -> None:
    """Raise `DataError` where a quote is open at the end of a block that begins in this line."""
    start = open_quote(block, delimiter, len(block))
    if start is not None:
        raise DataError("a quote is not closed", place_at(block, start, name, line))


def place_at(block: bytes, start: int, name: str, line: int) -> Place:
    """Return the place of a byte in a block that begins in a line of a file."""
    begin, end = block.rfind(b"\n", 0, start) + 1, block.find(b"\n", start)
    indent = block[begin:start].decode("utf-8", "replace").removeprefix("\ufeff")
    rest = block[start : end if end > 0 else len(block)].decode("utf-8", "replace")
    number = line + block.count(b"\n", 0, start)
    return Place(name, number, len(indent) + 1, indent + rest.removesuffix("\r"), 1)
