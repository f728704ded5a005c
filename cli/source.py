"""Where formulas come from: the argument, files, or stdin, whole or line by line."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..autodiff.errors import DataError, UsageError

ARGUMENT = "<formula>"
"""What reports call the formula on the command line."""


class Text(NamedTuple):
    """The text of a formula and what to call it; `line` counts where each line is a formula."""

    name: str
    text: str
    line: int | None = None


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
            yield from each_line(read(self._file()))
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


def each_line(text: Text) -> Iterator[Text]:
    """Yield the lines of a text that say something, numbered."""
    for number, line in enumerate(text.text.split("\n"), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield Text(text.name, line, number)


def read(path: str) -> Text:
    """Return the text of a file, or of stdin for '-'. Raises `DataError`."""
    return Text(shown(path), decoded(read_bytes(path), shown(path)))


def shown(path: str) -> str:
    """Return what reports call a file."""
    return "<stdin>" if path == "-" else path


def read_bytes(path: str) -> bytes:
    """Return the content of a file, or of stdin for '-'. Raises `DataError`."""
    try:
        if path == "-":
            return b"" if sys.stdin is None else sys.stdin.buffer.read()
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise DataError(f"cannot read {shown(path)}: {error.strerror}") from None
    except ValueError as error:
        raise DataError(f"cannot read {path!r}: {error}") from None


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
