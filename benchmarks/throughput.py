"""Value and gradient row by row, for ten million rows, beside peers and limits."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping

from . import peers
from .apart import apart, settle
from .formulas import CHEAP, FORMULAS, TRANSCENDENTAL, drawn
from .report import Point, Row, at_most, duration, interleaved

ROWS = 10_000_000
ROUNDS = 5
LIMIT = {CHEAP.name: 1.6, TRANSCENDENTAL.name: 1.4}
"""How much longer than the hand-fused kernel we may take."""

FASTER = {(TRANSCENDENTAL.name, "JAX jit"): 2.0, (TRANSCENDENTAL.name, "PyTorch"): 5.0}
"""How much faster than a peer we are to be."""

COPY = "a copy of as many bytes"
LIMITS = (
    (peers.OURS.name, peers.LIMIT.name),
    (peers.OURS_AGAIN.name, peers.LIMIT_AGAIN.name),
    (peers.OURS_AGAIN.name, COPY),
)
"""What is compared with limits, like with like: copies too are into memory that is there."""


def rows(quick: bool = False) -> Iterator[Row]:
    """Yield our time, and those of peers and limits beside it, for each formula."""
    count, rounds = (ROWS // 10, 3) if quick else (ROWS, ROUNDS)
    for name in FORMULAS:
        yield from beside(name, count, apart("throughput", name, count, rounds))


def beside(name: str, count: int, found: Mapping[str, float | str]) -> Iterator[Row]:
    """Yield the rows of one formula."""
    times = {peer: time for peer, time in found.items() if isinstance(time, float)}
    ours = times[peers.OURS.name]
    for peer in dict(LIMITS):
        speed = count / times[peer]
        told = f"{duration(times[peer])}, {speed / 1e6:.3g} M rows/s"
        yield Row(f"{name}, {count:,} rows: {peer}", told, point=point(name, peer, speed))
    for peer, limit in LIMITS:
        if limit in times:
            most = LIMIT.get(name) if limit == peers.LIMIT.name else None
            row = at_most(f"{name}: {peer} / {limit}", times[peer], times[limit], most)
            yield row._replace(point=point(name, limit, count / times[limit]))
    for peer, time in found.items():
        if isinstance(time, str):
            yield Row(f"{name}: {peer} / cgraph", f"skipped: {time}")
        elif not any(peer in pair for pair in LIMITS):
            yield slower(name, peer, time, ours, count)


def slower(name: str, peer: str, time: float, ours: float, count: int) -> Row:
    """Return the row of a peer, which is to take so many times as long as we do."""
    what, shown = f"{name}: {peer} / cgraph", point(name, peer, count / time)
    found = f"{time / ours:.2f} ({duration(time)} / {duration(ours)})"
    least = FASTER.get((name, peer))
    if least is None:
        return Row(what, found, point=shown)
    return Row(what, found, f"at least {least:g}", time >= least * ours, shown)


def point(name: str, peer: str, speed: float) -> Point:
    """Return a peer's rows a second as the plot has them."""
    return Point(f"rows a second: {name}", peer, 0.0, speed)


def compared(name: str, count: int, rounds: int) -> dict[str, float | str]:
    """Return the seconds that each peer takes, or why there are none."""
    calls = {peer.name: call for peer, call in peers.made_ready(FORMULAS[name], drawn(count))}
    found = {peer: call for peer, call in calls.items() if isinstance(call, str)}
    timed = {peer: call for peer, call in calls.items() if not isinstance(call, str)}
    return found | interleaved({**timed, COPY: peers.copying(count)}, rounds)


if __name__ == "__main__":
    settle()
    print(json.dumps(compared(sys.argv[1], *map(int, sys.argv[2:]))))
