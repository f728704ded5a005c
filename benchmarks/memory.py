"""The memory of a reverse pass beside what it must keep, and with checkpoints beside without."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cgraph import parse
from cgraph.autodiff.results import Result, Run, plan, results
from cgraph.autodiff.shapes import shapes_at
from cgraph.autodiff.statistics import statistics

from . import training
from .report import Row, interleaved

if TYPE_CHECKING:
    from cgraph.autodiff.evaluate import Value

OVERHEAD = 1.2
LESS = 0.15
LONGER = 1.5
STEPS = 1_000
ROUNDS = 7


class Case(NamedTuple):
    """A program to differentiate by some of its inputs, at a point."""

    what: str
    text: str
    by: tuple[str, ...]
    point: Mapping[str, Value]


def recurrences() -> Iterator[Case]:
    """Yield two recurrences, element by element and of matrix products."""
    rng = np.random.default_rng(0)
    point = {name: rng.normal(size=10_000) for name in ("w", "h0", "x")}
    yield Case(
        f"{STEPS:,} steps of `tanh(w*h + x)`, 10,000 elements",
        recurrence("tanh(w*{h} + x)"),
        ("w", "h0", "x"),
        point,
    )
    point = {
        "W": rng.normal(size=(64, 64)) / 8.0,
        "U": rng.normal(size=(64, 64)) / 8.0,
        "b": rng.normal(size=(64, 1)),
        "x": rng.normal(size=(64, 128)),
        "h0": rng.normal(size=(64, 128)),
    }
    yield Case(
        f"{STEPS:,} steps of `tanh(W @ h + U @ x + b)`, 64 x 128",
        recurrence("tanh(W @ {h} + U @ (x*0.{k:03}) + b)"),
        ("W", "U", "b"),
        point,
    )


def classifier() -> Case:
    """Return the network of the measurement of time."""
    weights = training.parameters()
    return Case(training.WHAT, training.LOSS, tuple(weights), weights | training.data())


def recurrence(step: str) -> str:
    """Return a program that takes a step from `{h}` again and again; `{k}` is its number."""
    lines = [f"h = {step.format(h='h' if k else 'h0', k=k)}" for k in range(STEPS)]
    return "\n".join([*lines, "sum(h)"])


def rows() -> Iterator[Row]:
    """Yield the memory of each case's gradient; of recurrences also what checkpoints change.

    What a gradient must keep is what the derivatives read of the formula's values, and the results.
    The programs are made beforehand.
    """
    for case in (*recurrences(), classifier()):
        plain = Ready(case, checkpoint=False)
        kept, peak = plain.kept(), plain.peak()
        what = f"{case.what}: peak memory / what must be kept"
        found = f"{peak / kept:.2f} ({peak / 1e6:.2f} MB / {kept / 1e6:.2f} MB)"
        yield Row(what, found, f"{OVERHEAD}", peak <= OVERHEAD * kept)
    for case in recurrences():
        yield from compared(Ready(case, checkpoint=False), Ready(case, checkpoint=True), case.what)


def compared(plain: Ready, again: Ready, what: str) -> Iterator[Row]:
    """Yield the memory and the time with checkpoints, of the same gradient to the last bit."""
    assert plain.bits() == again.bits()
    peak, less = plain.peak(), again.peak()
    found = f"{100 * less / peak:.1f} % ({less / 1e6:.2f} MB / {peak / 1e6:.2f} MB)"
    told = f"{what}: peak memory with checkpoints / without"
    yield Row(told, found, f"{100 * LESS:.0f} %", less <= LESS * peak)
    times = interleaved({"plain": plain.run, "again": again.run}, ROUNDS)
    time, longer = times["plain"], times["again"]
    found = f"{longer / time:.2f} ({1e3 * longer:.0f} ms / {1e3 * time:.0f} ms)"
    yield Row("and the time", found, f"{LONGER}", longer <= LONGER * time)


class Ready:
    """A case with its program made."""

    def __init__(self, case: Case, checkpoint: bool) -> None:
        self.graph = parse(case.text).graph
        nodes = self.graph.outputs
        by = {name: self.graph.placeholders[name] for name in case.by}
        self.point = case.point
        shapes = shapes_at(self.graph, self.graph.needed(nodes), self.point)
        self.plan = plan(self.graph, nodes, by, shapes, Run("reverse", checkpoint))
        self.run()

    def run(self) -> list[Result]:
        """Find the gradient."""
        return results(self.graph, self.plan, self.point)

    def bits(self) -> list[bytes]:
        """Return the gradient's bits."""
        return [np.asarray(value).tobytes() for value in self.run()[0].gradient.values()]

    def kept(self) -> int:
        """Return the bytes that a run must keep."""
        gradient = self.run()[0].gradient.values()
        return statistics(self.graph, self.plan).kept_bytes + sum(
            np.asarray(value).nbytes for value in gradient
        )

    def peak(self) -> int:
        """Return the most bytes that a run takes, beside its inputs."""
        tracemalloc.start()
        self.run()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak
