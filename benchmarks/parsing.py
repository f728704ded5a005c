"""Text to graph: nodes a second, and time that is linear in length."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from statistics import median

from cgraph import parse

from .report import Row, seconds

NODES_PER_SECOND = 120_000
NODES_OF_A_TERM = 15
"""Of `sin(a)*exp(-b^2)/(1+c^2)` and the `+` before it, counted before equal nodes become one."""
LONGER = 1.5
"""How much longer a term may take in a text ten times as long."""


def rows() -> Iterator[Row]:
    """Yield the speed on terms of three functions, then the time a term on ever longer sums."""
    count = 20_000
    text = terms(count)
    time = median(parsing(text) for _ in range(3))
    speed = (NODES_OF_A_TERM * count - 1) / time
    what = f"{count:,} terms of `sin(a)*exp(-b^2)/(1+c^2)` over ten names"
    found = f"{speed:,.0f} nodes/s"
    yield Row(what, found, f"{NODES_PER_SECOND:,} nodes/s", speed >= NODES_PER_SECOND)
    before: float | None = None
    for count in (10_000, 100_000, 1_000_000):
        term = parsing(products(count)) / count
        holds = before is None or term <= LONGER * before
        target = "" if before is None else f"{LONGER} x the line above"
        yield Row(f"{count:,} terms of `x*c`", f"{1e6 * term:.1f} µs a term", target, holds)
        before = term


def parsing(text: str) -> float:
    """Return how long a text takes to parse."""
    gc.collect()
    return seconds(lambda: parse(text))


def terms(count: int) -> str:
    """Return a sum of terms over the names a to j."""
    names = "abcdefghij"
    return " + ".join(
        f"sin({names[k % 10]})*exp(-{names[(k + 1) % 10]}^2)/(1+{names[(k + 2) % 10]}^2)"
        for k in range(count)
    )


def products(count: int) -> str:
    """Return x*1 + x*2 + ..., in which no two terms are the same node."""
    return " + ".join(f"x*{k}" for k in range(1, count + 1))
