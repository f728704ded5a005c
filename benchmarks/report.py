"""Measurements as rows of a Markdown table, each beside its target."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from statistics import median
from typing import NamedTuple


class Row(NamedTuple):
    """A measurement: what, how much, what was aimed at, and whether that is reached."""

    what: str
    found: str
    target: str
    holds: bool


def table(title: str, rows: Iterable[Row]) -> str:
    """Return a Markdown table."""
    lines = [f"### {title}", "", "| | measured | target | |", "|---|---|---|---|"]
    lines += [
        f"| {row.what} | {row.found} | {row.target} | {'holds' if row.holds else 'MISSED'} |"
        for row in rows
    ]
    return "\n".join([*lines, ""])


def seconds(action: Callable[[], object]) -> float:
    """Return how long an action takes."""
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def interleaved(actions: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Return the median time of each action, taken in turns so that all see the same machine."""
    times: dict[str, list[float]] = {name: [] for name in actions}
    for _ in range(rounds):
        for name, action in actions.items():
            times[name].append(seconds(action))
    return {name: median(found) for name, found in times.items()}
