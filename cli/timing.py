"""How long things take, measured beside one another, and how that is said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TypeAlias

Clock: TypeAlias = Callable[[], float]
"""Return the time, in seconds."""

BATCH = 0.001
"""Seconds that a batch of runs takes at least: the clock has no part in it."""

ROUNDS, SETTLED = 100, 8
"""So many rounds at most; so many in which no time has become shorter are enough."""

LONGEST = 2.0
"""Seconds after which no further round begins."""


def best_times(actions: Sequence[Callable[[], object]], clock: Clock = perf_counter) -> list[float]:
    """Return the shortest time of each action, in seconds, taken in turns until it is stable."""
    counts = [runs_in_a_batch(action, clock) for action in actions]
    best = [float("inf")] * len(actions)
    began, settled = clock(), 0
    for _ in range(ROUNDS):
        times = [batch(*pair, clock) for pair in zip(actions, counts, strict=True)]
        better = any(time < 0.99 * least for time, least in zip(times, best, strict=True))
        best = list(map(min, times, best))
        settled = 0 if better else settled + 1
        if settled == SETTLED or clock() - began > LONGEST:
            break
    return best


def runs_in_a_batch(action: Callable[[], object], clock: Clock) -> int:
    """Return how many runs take long enough to be measured."""
    action()
    count = 1
    while count * batch(action, count, clock) < BATCH:
        count *= 2
    return count


def batch(action: Callable[[], object], count: int, clock: Clock) -> float:
    """Return the time of one run, in seconds, from so many."""
    began = clock()
    for _ in range(count):
        action()
    return (clock() - began) / count


def duration(seconds: float) -> str:
    """Return a time in the unit that suits it: `12.3 us`."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"
