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
    assert [(job.chunk, job.result()) for job in line] == [(k, k * k) for k in range(50)]


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
        found += (job.result() for job in ordered(chunks(), int, 2, nothing))
    assert found == [1]


def test_whoever_stops_ends_the_threads() -> None:
    before = active_count()
    waiting = Event()

    def chunks() -> Iterator[int]:
        yield 1
        waiting.wait(30)

    line = ordered(chunks(), int, 2, waiting.set)
    assert next(line).result() == 1
    line.close()
    assert active_count() == before


def test_what_work_raises_is_raised_in_its_place() -> None:
    line = ordered([1, 0, 2], lambda k: 1 // k, 2, nothing)
    assert next(line).result() == 1
    with pytest.raises(ZeroDivisionError):
        next(line).result()
    assert next(line).result() == 0
    line.close()
