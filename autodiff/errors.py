"""Errors that speak: what was found, where, and what to do about it.

Every error cgraph raises on purpose is a `CgraphError`. One that knows its place prints as a
compiler would (`net.cg:3:9: error: ...`, the line, a caret run); `exit_code` says whose fault.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

NOWHERE = -1
"""The offset of what stands in no source text."""


class Place(NamedTuple):
    """A run of characters in a source: its line and column count from 1."""

    source: str
    line: int
    column: int
    text: str
    length: int

    def __str__(self) -> str:
        """Return `name:line:column`."""
        return f"{self.source}:{self.line}:{self.column}"


class Source(NamedTuple):
    """A text, where it starts in the common count of offsets, and the number of its first line."""

    name: str
    text: str
    start: int
    first_line: int


class Sources:
    """All texts a program was read from, laid end to end, so that one integer is a place."""

    def __init__(self) -> None:
        self._sources: list[Source] = []

    def add(self, name: str, text: str, first_line: int = 1) -> Source:
        """Append a text; its characters get the offsets from the returned `start` on."""
        last = self._sources[-1] if self._sources else None
        start = last.start + len(last.text) + 1 if last else 0
        source = Source(name, text, start, first_line)
        self._sources.append(source)
        return source

    def source(self, offset: int) -> Source | None:
        """Return the source in which an offset is, None where it is `NOWHERE` or in no text."""
        at = bisect_right(self._sources, offset, key=lambda source: source.start) - 1
        return self._sources[at] if offset >= 0 and at >= 0 else None

    def place(self, offset: int, length: int = 1) -> Place | None:
        """Return the place of `offset`, None where it is `NOWHERE` or in no text."""
        source = self.source(offset)
        if source is None:
            return None
        here = offset - source.start
        first = source.text.rfind("\n", 0, here) + 1
        end = source.text.find("\n", here)
        line = source.text[first : None if end < 0 else end].removesuffix("\r")
        number = source.first_line + source.text.count("\n", 0, here)
        return Place(source.name, number, here - first + 1, line, max(1, length))


class CgraphError(Exception):
    """The root of all errors cgraph raises on purpose.

    Attributes: `message`; `place` or None; `hint`, the remedy, or None; `exit_code`, 1 where the
    formula or its data is at fault and 2 where the command line (the call) is.
    """

    exit_code = 1

    def __init__(self, message: str, place: Place | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.hint = hint

    @property
    def line(self) -> int | None:
        """The line, from 1, or None."""
        return self.place.line if self.place else None

    @property
    def column(self) -> int | None:
        """The column, from 1, or None."""
        return self.place.column if self.place else None

    def __str__(self) -> str:
        """Return the full report: place, message, remedy, source line and carets."""
        remedy = f" ({self.hint})" if self.hint else ""
        if self.place is None:
            return f"error: {self.message}{remedy}"
        return f"{self.place}: error: {self.message}{remedy}\n{excerpt(self.place)}"


class FormulaError(CgraphError):
    """The formula is not one, or does not fit its values."""


class GraphError(CgraphError):
    """A graph that cannot be: a cycle, a missing input, an unknown op, too many nodes."""


class DataError(CgraphError):
    """A file that cannot be read, understood or written."""


class UsageError(CgraphError):
    """The call asks for what there is not: bindings, names, options."""

    exit_code = 2


class MissingExtraError(CgraphError):
    """A library or program that is not installed; the hint names the extra."""


def pip_line(package: str, extra: str = "") -> str:
    """Return the line that installs a package for the Python that runs, and the extra that has it.

    It is short where the shell's own pip is of that Python.
    """
    import os
    import sys
    from shutil import which

    scripts, pip = os.path.dirname(sys.executable), which("pip")
    short = pip is not None and os.path.dirname(os.path.abspath(pip)) == scripts
    python = f'"{sys.executable}"' if " " in sys.executable else sys.executable
    line = f"{'pip' if short else f'{python} -m pip'} install {package}"
    return f"{line}; the extra {DISTRIBUTION}[{extra}] has it" if extra else line


DISTRIBUTION = "cgraph-cli"
"""What package registries call us; there `cgraph` is another project."""

WIDTH = 100
"""Longest stretch of a source line that a report shows."""


def excerpt(place: Place) -> str:
    """Return the source line with carets below, cut to a window where it is long."""
    start = max(0, place.column - 1 - WIDTH // 2) if len(place.text) > WIDTH else 0
    shown = printable(place.text[start : start + WIDTH])
    lead, tail = "..." * (start > 0), "..." * (start + WIDTH < len(place.text))
    gutter = f"  {place.line} | "
    indent = " " * (len(gutter) - 2) + "| " + " " * (len(lead) + place.column - 1 - start)
    room = min(start + WIDTH, len(place.text)) - place.column + 1
    length = max(1, min(place.length, room))
    return f"{gutter}{lead}{shown}{tail}\n{indent}{'^' * length}"


def printable(text: str) -> str:
    """Return the text with a mark for each control character, which could command a terminal."""
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() else " " if letter.isspace() else "\ufffd" for letter in text
    )


NEAR = 0.7
"""How alike two names must be for the one to be a slip for the other, as difflib counts."""

MOST_NAMES, LONGEST_NAME = 10_000, 100
"""Beyond these nobody looks for slips: comparing would take longer than the rest of the run."""


def closest(name: str, known: Iterable[str]) -> str | None:
    """Return the one of `known` that `name` is probably a slip for, in whatever case, or None."""
    from difflib import get_close_matches

    if not 1 < len(name) <= LONGEST_NAME:
        return None
    folded: dict[str, str] = {}
    for one in known:
        folded.setdefault(one.casefold(), one)
    if len(folded) > MOST_NAMES:
        return None
    close = get_close_matches(name.casefold(), folded, n=1, cutoff=NEAR)
    return folded[close[0]] if close else None


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """Return the question that names the closest of `known`, None where none is close."""
    near = closest(name, known)
    return None if near is None else f"did you mean '{near}'?"
