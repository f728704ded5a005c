"""The memory that value and gradient take beside inputs and outputs, a process each."""

from __future__ import annotations

import gc
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from . import peers
from .apart import apart, settle
from .formulas import TRANSCENDENTAL, drawn
from .peers import PEERS, Peer
from .report import Point, Row

ROWS = 10_000_000
TARGET = 100.0
"""Megabytes."""

STATUS, MARKS = Path("/proc/self/status"), Path("/proc/self/clear_refs")
FEW = 1000


def rows(quick: bool = False) -> Iterator[Row]:
    """Yield the megabytes of each peer."""
    count = ROWS // 10 if quick else ROWS
    for peer in (peer for peer in PEERS if peer.fresh):
        what = f"{TRANSCENDENTAL.name}, {count:,} rows: {peer.name}"
        found = apart("peak", peer.name, count) if peer.installed else "it is not installed"
        if isinstance(found, str):
            yield Row(what, f"skipped: {found}")
            continue
        row = Row(what, f"{found:.0f} MB", point=Point("peak memory", peer.name, 0.0, found))
        if peer is peers.OURS:
            row = row._replace(target=f"at most {TARGET:g} MB", holds=found <= TARGET)
        yield row


def peak(peer: Peer, count: int) -> float | str:
    """Return the megabytes that a call takes at its peak, or why that is not known.

    Whatever the library loads or compiles was there before: it ran on few rows, then on all.
    """
    if not MARKS.exists():
        return "Linux alone tells"
    columns = drawn(count)
    peer.ready(TRANSCENDENTAL, drawn(FEW))()
    call = peer.ready(TRANSCENDENTAL, columns)
    before = resident("VmRSS")
    call()
    gc.collect()
    MARKS.write_text("5")  # forget the high-water mark
    found = call()
    return resident("VmHWM") - before - 8e-6 * count * len(found)


def resident(name: str) -> float:
    """Return a number of megabytes that the system knows of this process."""
    (kilobytes,) = re.findall(rf"{name}:\s+(\d+) kB", STATUS.read_text())
    return float(kilobytes) * 1.024e-3


def attempt(peer: Peer, count: int) -> float | str:
    """Return the megabytes of a peer, or why it has none."""
    try:
        return peak(peer, count)
    except Exception as error:
        if peer is peers.OURS:
            raise
        return f"did not run here ({type(error).__name__})"


if __name__ == "__main__":
    settle()
    named = {peer.name: peer for peer in PEERS}
    print(json.dumps(attempt(named[sys.argv[1]], int(sys.argv[2]))))
