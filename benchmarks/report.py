"""Measurements as rows of a Markdown table, each beside its target."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from statistics import median
from typing import NamedTuple


class Point(NamedTuple):
    """A measurement as the plot has it: in which panel, of what, where."""

    panel: str
    series: str
    x: float
    y: float


class Row(NamedTuple):
    """A measurement: what, how much, what was aimed at, and whether that is reached.

    What has no target is there for scale.
    """

    what: str
    found: str
    target: str = ""
    holds: bool = True
    point: Point | None = None

    @property
    def verdict(self) -> str:
        """Whether the target is reached, in a word."""
        if not self.target:
            return ""
        return "holds" if self.holds else "MISSED"


def table(title: str, rows: Iterable[Row]) -> str:
    """Return a Markdown table."""
    lines = [f"### {title}", "", "| | measured | target | |", "|---|---|---|---|"]
    lines += [f"| {row.what} | {row.found} | {row.target} | {row.verdict} |" for row in rows]
    return "\n".join([*lines, ""])


def at_most(what: str, ours: float, theirs: float, most: float | None = None) -> Row:
    """Return our time over theirs, which is to be no more than `most`."""
    found = f"{ours / theirs:.2f} ({duration(ours)} / {duration(theirs)})"
    if most is None:
        return Row(what, found)
    return Row(what, found, f"at most {most:g}", ours <= most * theirs)


def duration(time: float) -> str:
    """Return seconds in the unit that suits: `119 ms`."""
    for unit, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if time >= unit:
            return f"{time / unit:.3g} {name}"
    return f"{time / 1e-9:.3g} ns"


def seconds(action: Callable[[], object]) -> float:
    """Return how long an action takes."""
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def interleaved(actions: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Return the median time of each action, taken in turns so that all see the same machine."""
    times: dict[str, list[float]] = {name: [] for name in actions}
    for _ in range(rounds):
        for name, action in actions.items():
            times[name].append(seconds(action))
    return {name: median(found) for name, found in times.items()}


LEAST = 0.005
"""Seconds that a measurement of calls takes at least: the clock adds its own to each."""


def of_a_call(actions: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Return the median time of each action, taken in turns; short ones run many times a turn."""
    times = {name: repetitions(action) for name, action in actions.items()}
    many = {name: partial(repeat, action, times[name]) for name, action in actions.items()}
    return {name: time / times[name] for name, time in interleaved(many, rounds).items()}


def repetitions(action: Callable[[], object]) -> int:
    """Return how often an action, which has run once, must run to take long enough."""
    action()
    count = 1
    while seconds(partial(repeat, action, count)) < LEAST:
        count *= 2
    return count


def repeat(action: Callable[[], object], times: int) -> None:
    """Run an action so many times."""
    for _ in range(times):
        action()
