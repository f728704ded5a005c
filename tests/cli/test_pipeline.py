"""Work in order, by several threads."""

from __future__ import annotations

import time
from collections.abc import Iterator
from threading import Event, active_count

import pytest

from cgraph.cli.pipeline import ordered


def nothing() -> None: ...


@pytest.mark.parametrize("threads", [1, 4])
def test_results_come_in_order(threads: int) -> None:
    def work(k: int) -> int:
        time.sleep(0.002 * (k % 3))
        return k * k

    line = ordered(range(50), work, threads, nothing)
    assert [(k, future.result()) for k, future in line] == [(k, k * k) for k in range(50)]


def test_not_all_is_read_ahead() -> None:
    read: list[int] = []

    def chunks() -> Iterator[int]:
        for k in range(1000):
            read.append(k)
            yield k

    line = ordered(chunks(), str, 2, nothing)
    next(line)
    time.sleep(0.1)
    assert len(read) < 20
    line.close()


def test_what_reading_raises_comes_after_what_was_read() -> None:
    def chunks() -> Iterator[int]:
        yield 1
        raise ValueError("broken")

    found: list[int] = []
    with pytest.raises(ValueError, match="broken"):
        found += (future.result() for _, future in ordered(chunks(), int, 2, nothing))


def test_whoever_stops_ends_the_threads() -> None:
    before = active_count()
    waiting = Event()

    def chunks() -> Iterator[int]:
        yield 1
        waiting.wait(30)

    line = ordered(chunks(), int, 2, waiting.set)
    assert next(line)[1].result() == 1
    line.close()
    assert active_count() == before
