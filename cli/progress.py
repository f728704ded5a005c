"""How far long work has come: a line on stderr, where that is a terminal, and gone at the end."""

from __future__ import annotations

import sys
import time

AFTER, EVERY = 1.0, 0.1
"""Seconds until the line is shown, and between two of them."""

WIDTH = 24


class Progress:
    """A line that says how many rows are done, how much of the file that is, and how fast it goes.

    Nothing is shown where stderr is no terminal, or where results go to one.
    """

    def __init__(self, wanted: bool) -> None:
        self._start = time.monotonic()
        self._next = self._start + AFTER
        self._wanted = wanted and sys.stderr is not None and sys.stderr.isatty()
        self._shown = 0

    def tell(self, rows: int, share: float | None) -> None:
        """Show how far the work has come, if it is time."""
        now = time.monotonic()
        if not self._wanted or now < self._next:
            return
        self._next = now + EVERY
        text = line(rows, share, rows / (now - self._start))
        self._write(f"\r{text:<{self._shown}}")
        self._shown = len(text)

    def clear(self) -> None:
        """Take the line away."""
        if self._shown:
            self._write(f"\r{'':<{self._shown}}\r")
            self._shown = 0

    def _write(self, text: str) -> None:
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except OSError:  # nobody looks
            self._wanted = False


def line(rows: int, share: float | None, speed: float) -> str:
    """Return the line."""
    rough = round(speed, -3) if speed >= 10_000 else speed
    told = f"{rows:,} rows, {rough:,.0f} a second"
    if share is None:
        return told
    done = round(WIDTH * share)
    return f"[{'#' * done}{'-' * (WIDTH - done)}] {100 * share:3.0f}%  {told}"
