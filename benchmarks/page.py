"""The page of results: what was measured, on what, with the plot beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from .machine import description
from .peers import is_installed
from .report import Point, table
from .suite import Measured

INTRODUCTION = """# How fast it is

Ratios are measured side by side in one run; the last column says whether a target is reached. The
page is written by `make bench`, on the machine at its end; what a peer gives is compared with what
is right before it is timed.
"""


QUICK = "This was a quick run: smaller than it should be, and less to rely on.\n"


def write(path: Path, found: Sequence[Measured], quick: bool = False) -> None:
    """Write the page, and the plot beside it where the library that draws it is there."""
    points = [row.point for one in found for row in one.rows if row.point]
    picture = path.with_suffix(".svg") if draw(points, path.with_suffix(".svg")) else None
    path.write_text(page(found, picture.name if picture else None, quick))


def draw(points: Sequence[Point], path: Path) -> bool:
    """Draw the plot; tell whether there was anything to draw, and to draw with."""
    if not is_installed("matplotlib"):
        return False
    from .plot import plot

    return plot(points, path)


def page(found: Iterable[Measured], picture: str | None, quick: bool = False) -> str:
    """Return the page as Markdown."""
    parts = [INTRODUCTION, QUICK] if quick else [INTRODUCTION]
    if picture:
        parts.append(f"![Rows a second, texts, memory: cgraph beside others]({picture})\n")
    parts += [section(one) for one in found]
    return "\n".join([*parts, machine()])


def section(one: Measured) -> str:
    """Return a measurement's heading, note and table."""
    heading, _, rest = table(one.measurement.title, one.rows).partition("\n")
    return f"{heading[1:]}\n\n{one.measurement.note}\n{rest}"


def machine() -> str:
    """Return what it was measured on."""
    lines = ["## The machine", "", "| | |", "|---|---|"]
    return "\n".join([*lines, *(f"| {name} | {told} |" for name, told in description()), ""])
