"""Work in order: one thread reads, several work on what it has read, and results come in order.

Whoever takes the results may be interrupted at any point. So all that it shares with the others are
queues that are safe then (`SimpleQueue`, which is written in C), and no lock of Python's.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 2
"""So many pieces of work for each thread wait to be done, or to be taken."""

TICK = 0.1
"""Seconds after which who waits for others looks whether all is over."""


class Job(Generic[T, R]):
    """A chunk, and what comes of it once somebody has worked on it."""

    def __init__(self, chunk: T) -> None:
        self.chunk = chunk
        self._done: SimpleQueue[tuple[R | None, BaseException | None]] = SimpleQueue()

    def run(self, work: Callable[[T], R]) -> None:
        """Do the work."""
        try:
            self._done.put((work(self.chunk), None))
        except BaseException as error:
            self._done.put((None, error))

    def result(self) -> R:
        """Wait for what came of the work, once; return it, or raise what it raised."""
        found, error = self._done.get()
        if error is not None:
            raise error
        return found  # type: ignore[return-value]


def ordered(
    chunks: Iterable[T], work: Callable[[T], R], threads: int, stop: Callable[[], None]
) -> Generator[Job[T, R], None, None]:
    """Yield each chunk with its work, in order, while others are read and worked on.

    What reading raises is raised here. When the caller stops, so does all else; `stop` ends a
    reading that waits for what may never come.
    """
    line = Line(chunks, work, threads)
    try:
        yield from line.jobs()
    finally:
        stop()
        line.stop()


class Line(Generic[T, R]):
    """A thread that reads, threads that work, and the queues between them and the caller."""

    def __init__(self, chunks: Iterable[T], work: Callable[[T], R], threads: int) -> None:
        self._chunks = chunks
        self._work = work
        self._over = False
        self._room: SimpleQueue[None] = SimpleQueue()
        """An entry for each job that may be in flight besides those that are."""
        self._todo: SimpleQueue[Job[T, R] | None] = SimpleQueue()
        self._flight: SimpleQueue[Job[T, R] | BaseException | None] = SimpleQueue()
        for _ in range(AHEAD * threads):
            self._room.put(None)
        self._threads = [Thread(target=self._read, daemon=True)]
        self._threads += [Thread(target=self._do, daemon=True) for _ in range(threads)]
        for thread in self._threads:
            thread.start()

    def jobs(self) -> Iterator[Job[T, R]]:
        """Yield what is in flight, in order."""
        while True:
            found = self._flight.get()
            if found is None:
                return
            if isinstance(found, BaseException):
                raise found
            yield found
            self._room.put(None)

    def stop(self) -> None:
        """End the threads, after what they are just doing."""
        self._over = True
        for _ in self._threads:
            self._todo.put(None)
        for thread in self._threads:
            thread.join()

    def _read(self) -> None:
        try:
            for chunk in self._chunks:
                if not self._wait_for_room():
                    return
                job: Job[T, R] = Job(chunk)
                self._todo.put(job)
                self._flight.put(job)
            self._flight.put(None)
        except BaseException as error:
            self._flight.put(error)

    def _wait_for_room(self) -> bool:
        """Wait until another job may be in flight; tell whether it is still wanted."""
        while not self._over:
            try:
                self._room.get(timeout=TICK)
                return not self._over
            except Empty:
                continue
        return False

    def _do(self) -> None:
        while (job := self._todo.get()) is not None and not self._over:
            job.run(self._work)
