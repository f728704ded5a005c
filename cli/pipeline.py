"""Work in order: one thread reads, several work on what it has read, and results come in order."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from queue import Full, Queue
from threading import Event, Thread
from typing import Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 2
"""So many pieces of work for each thread wait to be done, or to be taken."""

TICK = 0.1
"""Seconds after which somebody who waits looks whether all is over."""


def ordered(
    chunks: Iterable[T], work: Callable[[T], R], threads: int, stop: Callable[[], None]
) -> Generator[tuple[T, Future[R]], None, None]:
    """Yield each chunk with its work, in order, while others are read and worked on.

    What reading raises is raised here. When the caller stops, so does all else; `stop` ends a
    reading that waits for what may never come.
    """
    line = Line(chunks, work, threads)
    try:
        yield from line.results()
    finally:
        stop()
        line.stop()


class Line(Generic[T, R]):
    """A thread that reads and a pool that works; the queue between holds what is in flight."""

    def __init__(self, chunks: Iterable[T], work: Callable[[T], R], threads: int) -> None:
        self._chunks = chunks
        self._work = work
        self._over = Event()
        self._queue: Queue[tuple[T, Future[R]] | BaseException | None] = Queue(AHEAD * threads)
        self._pool = ThreadPoolExecutor(threads)
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def results(self) -> Iterator[tuple[T, Future[R]]]:
        """Yield what is in flight, in order."""
        while True:
            found = self._queue.get()
            if found is None:
                return
            if isinstance(found, BaseException):
                raise found
            yield found

    def stop(self) -> None:
        """End the threads, after what they are just doing."""
        self._over.set()
        self._reader.join()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _read(self) -> None:
        try:
            for chunk in self._chunks:
                if self._over.is_set():
                    return
                self._put((chunk, self._pool.submit(self._work, chunk)))
            self._put(None)
        except BaseException as error:
            self._put(error)

    def _put(self, found: tuple[T, Future[R]] | BaseException | None) -> None:
        while not self._over.is_set():
            try:
                self._queue.put(found, timeout=TICK)
                return
            except Full:
                continue
