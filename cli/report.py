"""What goes to stderr: errors, warnings and notes, coloured on a terminal only."""

from __future__ import annotations

import os
import sys

from ..autodiff.errors import printable

RED, YELLOW, CYAN = "31", "33", "36"


def error(text: str) -> None:
    """Write the report of an error, which says `error:` itself."""
    _tell(text, "error:", RED)


def warning(text: str) -> None:
    """Write a warning: the result stands, but it may not be what was meant."""
    _tell(f"warning: {text}", "warning:", YELLOW)


def note(text: str) -> None:
    """Write a note: the result is right, and there is more to know about it."""
    _tell(f"note: {text}", "note:", CYAN)


def statistics(text: str) -> None:
    """Write what was asked to be said beside the result."""
    _tell(f"stats: {text}", "stats:", CYAN)


def coloured() -> bool:
    """Tell whether stderr is a terminal whose user has not declined colours."""
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return wanted and sys.stderr.isatty()


def _tell(text: str, word: str, colour: str) -> None:
    if sys.stderr is None:
        return
    text = "\n".join(map(printable, text.split("\n")))
    if coloured():
        text = text.replace(word, f"\x1b[1;{colour}m{word}\x1b[0m", 1)
    try:
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()
    except OSError:  # nobody listens, and there is nobody else to tell
        pass
