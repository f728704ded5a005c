"""Where formulas come from: the argument, files, or stdin, whole or line by line."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from io import BytesIO
from typing import IO, NamedTuple

from ..autodiff.errors import CgraphError, DataError, UsageError

ARGUMENT = "<formula>"
"""What reports call the formula on the command line."""


LONGEST = 1 << 28
"""A text has at most so many bytes: what has no end, such as /dev/zero, is to have one."""

LONGEST_LINE = 1 << 26
"""A line that is a formula, or has rows of a table, has at most so many bytes."""

PART = 1 << 20


class Text(NamedTuple):
    """The text of a formula and what to call it.

    `line` counts where each line is a formula, and `fault` is what is wrong with one.
    """

    name: str
    text: str
    line: int | None = None
    fault: DataError | None = None


class NoFormula(UsageError):
    """There is no formula, and nobody at the terminal to wait for."""

    def __init__(self, command: str) -> None:
        super().__init__("no formula")
        self.command = command

    def __str__(self) -> str:
        """Return the short help."""
        return (
            f'usage: cgraph {self.command} "(x+y)*z" [OPTIONS]\n'
            f"       cgraph {self.command} -f FILE [OPTIONS]\n"
            f'       echo "(x+y)*z" | cgraph {self.command} [OPTIONS]\n'
            f"error: no formula (cgraph {self.command} --help says more)"
        )


class Texts(NamedTuple):
    """What the call says about the formula: the argument, the files, and line by line or not."""

    command: str
    formula: str | None
    files: tuple[str, ...]
    lines: bool

    def programs(self) -> Iterator[Text]:
        """Yield the program, or each formula of it."""
        if self.formula not in (None, "-"):
            yield Text(ARGUMENT, str(self.formula))
        elif self.lines:
            yield from each_line(self._file())
        else:
            yield read(self._file())

    def libraries(self) -> list[tuple[str, str]]:
        """Return the names and texts of the files that come before the program."""
        files = self.files if self.formula is not None else self.files[:-1]
        return [tuple(read(file)[:2]) for file in files]  # type: ignore[misc]

    def check(self, tables: Sequence[str], data: str | None = None) -> None:
        """Raise `UsageError` unless stdin is read at most once, and has something to say."""
        from_stdin = ["-f -" for file in self.files if file == "-"]
        from_stdin += ["--bindings -" for table in tables if table == "-"]
        from_stdin += ["--data -"] if data == "-" else []
        if self.formula == "-" or (self.formula is None and not self.files):
            from_stdin.insert(0, "the formula")
        if len(from_stdin) > 1:
            raise UsageError(f"stdin can be read once, not for {' and for '.join(from_stdin)}")
        if self.lines and data is not None:
            raise UsageError("--lines reads many formulas, --data many rows: give one formula")
        if self.lines and self.formula not in (None, "-"):
            raise UsageError("--lines reads formulas from stdin or a file, not from an argument")
        if from_stdin[:1] == ["the formula"] and self.formula is None and at_terminal():
            raise NoFormula(self.command)

    def _file(self) -> str:
        return self.files[-1] if self.formula is None and self.files else "-"


def at_terminal() -> bool:
    """Tell whether stdin is a terminal."""
    return sys.stdin is not None and sys.stdin.isatty()


def each_line(path: str) -> Iterator[Text]:
    """Yield the lines of a file that say something, numbered, each when it has come."""
    name, number = shown(path), 0
    with readable(name), opened(path) as file:
        while line := file.readline(LONGEST_LINE + 1):
            if len(line) > LONGEST_LINE:
                raise DataError(f"{name}:{number + 1}: {endless(LONGEST_LINE)}")
            for text in lines_in(line.removesuffix(b"\n"), name):
                number += 1
                if text.fault or (text.text.strip() and not text.text.lstrip().startswith("#")):
                    yield text._replace(line=number)


def lines_in(line: bytes, name: str) -> Iterator[Text]:
    """Yield a line, or those that it is where lines end in a carriage return."""
    try:
        yield from (Text(name, part) for part in decoded(line, name).split("\n"))
    except DataError as error:
        yield Text(name, "", fault=error)


def read(path: str) -> Text:
    """Return the text of a file, or of stdin for '-'. Raises `DataError`."""
    return Text(shown(path), decoded(read_bytes(path), shown(path)))


def shown(path: str) -> str:
    """Return what reports call a file."""
    return "<stdin>" if path == "-" else path


def read_bytes(path: str, most: int = LONGEST) -> bytes:
    """Return the content of a file, or of stdin for '-'.

    Raises `DataError`, also for what has more than so many bytes.
    """
    parts: list[bytes] = []
    with readable(shown(path)), opened(path) as file:
        while part := file.read(PART):
            parts.append(part)
            most -= len(part)
            if most < 0:
                raise DataError(f"cannot read {shown(path)}: {endless(LONGEST)}")
    return b"".join(parts)


def endless(most: int) -> str:
    """Return what to say of a text or a line of more than so many bytes."""
    return f"it has no end, or more than {most:,} bytes"


def opened(path: str) -> AbstractContextManager[IO[bytes]]:
    """Return what opens a file to be read; stdin, '-', stays open."""
    if path != "-":
        return open(path, "rb")
    return nullcontext(BytesIO() if sys.stdin is None else sys.stdin.buffer)


class readable:
    """Report as a `DataError` what goes wrong with a file, whoever reads it.

    What is in it may be anything, and each library has errors of its own.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, MemoryError):
            what = f"cannot read {self._name or repr('')}: it takes more memory than there is"
            raise DataError(what, hint="a damaged file may ask for any amount") from None
        if isinstance(error, Exception) and not isinstance(error, CgraphError):
            raise DataError(f"cannot read {self._name or repr('')}: {told(error)}") from None


def told(error: Exception) -> str:
    """Return what an error of a library says, in a line."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__


def decoded(content: bytes, name: str) -> str:
    """Return bytes as text with plain line ends. Raises `DataError` where they are no text."""
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        found = f"byte 0x{content[error.start]:02x} at offset {error.start}"
        raise DataError(f"{name} is not text in UTF-8 ({found})") from None
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.removeprefix("\ufeff")
