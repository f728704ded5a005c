"""The time of a row among ever more rows, into the same memory: it is to stay what it is."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

from .apart import apart, settle
from .formulas import BYTES_A_ROW, TRANSCENDENTAL, drawn
from .machine import available
from .peers import OURS_AGAIN
from .report import Row, at_most, seconds

SIZES = (100_000, 1_000_000, 10_000_000, 100_000_000)
UNIT = 1_000_000
FLAT = 1.5
"""How much longer a row may take than among a million."""

ROOM = 1.5
"""So many times its inputs and outputs must be free in memory."""

CALLS = 30
MOST = 30_000_000
"""Rows to run in all, which is at least three calls."""


def rows(quick: bool = False) -> Iterator[Row]:
    """Yield the time of a row at each size."""
    sizes = SIZES[:2] if quick else SIZES
    times = {size: apart("growth", size) for size in sizes if fits(size)}
    for size in sizes:
        what = f"{TRANSCENDENTAL.name}, {size:,} rows: time of a row / among {UNIT:,}"
        if size not in times:
            yield Row(what, "skipped: too little memory is free")
            continue
        yield at_most(what, times[size], times[UNIT], FLAT)


def fits(size: int) -> bool:
    """Tell whether there is memory for so many rows."""
    return ROOM * BYTES_A_ROW * size <= available()


def of_a_row(count: int) -> float:
    """Return the seconds of a row among so many, the median of some calls."""
    call = OURS_AGAIN.ready(TRANSCENDENTAL, drawn(count))
    call()
    times = sorted(seconds(call) for _ in range(max(3, min(CALLS, MOST // count))))
    return times[len(times) // 2] / count


if __name__ == "__main__":
    settle()
    print(json.dumps(of_a_row(int(sys.argv[1]))))
