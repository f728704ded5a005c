"""The evaluator by blocks of rows, on all cores: a block goes through everything while it is hot.

Nothing but what is wanted is as long as the rows, and what is found for a block is written straight
into that. NumPy lets other threads run while it computes: each core takes block after block.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from functools import cache
from threading import Thread
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import all_finite, fitting, placed, some_nan
from .evaluate import Outputs
from .levels import Kind
from .machine import OWN

if TYPE_CHECKING:
    from .evaluate import Array, Asked, Value
    from .graph import Shape
    from .levels import Layout, Level
    from .machine import Machine

BLOCK, SMALLEST = 32_768, 1_024
"""The rows of a block, and how few they may be where a formula has many columns at once."""

CACHED = 2**19
"""So many numbers of a block are to be hot at once."""

SPARING = 4
"""A part of them where columns are made again rather than kept: there memory counts."""

LESSON = 30 * 2**17
"""The numbers of an array of 30 MB."""

ENOUGH = 2**20
"""A thread more is worth its start for so many operations on numbers."""

TOGETHER = 2**19
"""A core takes so many rows in turn: two that touch a new page of memory at once both clear it."""


def sweep(layout: Layout, values: dict[int, Any], asked: Asked) -> Outputs:
    """Return what a program wants, given its inputs and constants by node, as NumPy's."""
    keep_memory()
    found: list[Any] = [None] * len(layout.wanted)
    settled: set[int] = set()
    finite = True
    with np.errstate(all="ignore"):
        for level, machine in zip(layout.levels, layout.machines, strict=True):
            for step in level.whole:
                values[step.node] = step.form(*[values[arg] for arg in step.args], *step.attrs)
            if level.folds or level.wanted:
                for place in level.wanted:
                    found[place] = space(layout.rows, place, asked)
                over = _Pass(layout, level, machine, values, found, asked)
                over.run()
                settled |= over.settled()
                finite = finite and over.finite
    for place, node in enumerate(layout.wanted):
        if layout.facts[node].kind is not Kind.COLUMN:
            found[place] = alone(layout, place, values[node], asked)
            finite = finite and (not asked.watch or all_finite(np.asarray(found[place])))
    return Outputs(found, settled, finite)


@cache
def keep_memory() -> None:
    """Let the C library keep what is freed for what is made next, where it is glibc's.

    By itself it gives arrays of a block's size back to the system, and each new one is then cleared
    page by page, which takes longer than to compute it. It learns from large arrays that are freed
    that there will be more of them: 32 MB is the most that it learns from. This one is not touched,
    and takes no memory.
    """
    np.empty(LESSON)


def space(shape: Shape, place: int, asked: Asked) -> Array:
    """Return the array to write a wanted value of some shape into."""
    given = asked.out[place] if asked.out else None
    return np.empty(shape) if given is None else fitting(given, shape)


def alone(layout: Layout, place: int, value: Any, asked: Asked) -> Value:
    """Return a wanted value that is no column, in memory of its own."""
    shape = asked.rows or layout.facts[layout.wanted[place]].shape
    if not shape:
        return placed(float(value), place, asked)
    found = space(shape, place, asked)
    np.copyto(found, value)
    return found


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def own(made: Any, given: Sequence[Any]) -> Any:
    """Return what a form made, in an array of its own: a form may return what it is given."""
    return made if made.flags.owndata and all(made is not one for one in given) else made.copy()


def rows_of_block(machine: Machine) -> int:
    """Return how many rows a block has, so that what is made of it stays in a cache."""
    at_once = max(machine.buffers + len(machine.given), 1)
    most = CACHED // SPARING if machine.again else CACHED
    return min(BLOCK, max(SMALLEST, most // at_once))


class _Pass:
    """One way over all rows, at one level."""

    def __init__(
        self,
        layout: Layout,
        level: Level,
        machine: Machine,
        values: dict[int, Any],
        found: Sequence[Any],
        asked: Asked,
    ) -> None:
        self.level, self.values, self.asked, self.facts = level, values, asked, layout.facts
        self.machine = machine
        self.count, self.rows = math.prod(layout.rows), rows_of_block(self.machine)
        self.blocks = range(-(-self.count // self.rows))
        self.outputs = {place: found[place].reshape(-1) for place in level.wanted}
        given = {register: values[node] for node, register in self.machine.given.items()}
        self.columns = {k: value.reshape(-1) for k, value in given.items() if np.size(value) > 1}
        self.numbers = {k: np.ravel(value)[0] for k, value in given.items() if np.size(value) == 1}
        self.parts = [np.empty(len(self.blocks)) for _ in level.folds]
        self.slopes = {
            primal: [k for k, of in asked.derived.items() if of == primal and k in self.outputs]
            for primal in self.outputs.keys() & asked.derived.values()
        }
        """The positions written here that are derivatives of one that is."""
        self.finite = True
        self.with_nan: set[int] = set()
        self.failures: list[BaseException] = []

    def settled(self) -> set[int]:
        """Return the derivatives that are nan wherever what they are derivatives of is."""
        fine = self.slopes.keys() - self.with_nan
        written = {k for slopes in self.slopes.values() for k in slopes}
        return written | {k for k, primal in self.asked.derived.items() if primal in fine}

    def run(self) -> None:
        """Go over all rows; what is folded is among the values then."""
        work = self.count * len(self.machine.actions)
        many = min(self.asked.threads or cores(), len(self.blocks), 1 + work // ENOUGH)
        step = max(1, min(TOGETHER // self.rows, len(self.blocks) // (4 * many)))
        todo = iter([self.blocks[k : k + step] for k in self.blocks[::step]])
        others = [Thread(target=self._work, args=(todo,), daemon=True) for _ in range(1, many)]
        for thread in others:
            thread.start()
        self._work(todo)
        for thread in others:
            thread.join()
        if self.failures:
            raise self.failures[0]
        sizes = np.full(len(self.blocks), float(self.rows))
        sizes[-1] = self.count - self.rows * (len(self.blocks) - 1)
        for fold, parts in zip(self.level.folds, self.parts, strict=True):
            shape = self.facts[fold.block.node].shape
            self.values[fold.block.node] = np.full(shape, fold.join(parts, sizes))[()]

    def _work(self, todo: Iterator[range]) -> None:
        """Do blocks until there are no more, or something failed."""
        try:
            registers: list[Any] = [None] * self.machine.registers
            for register, number in self.numbers.items():
                registers[register] = number
            buffers = [np.empty(self.rows) for _ in range(self.machine.buffers)]
            with np.errstate(all="ignore"):
                for blocks in todo:
                    for block in blocks:
                        if self.failures:
                            return
                        self._block(block, registers, buffers)
        except BaseException as failure:
            self.failures.append(failure)

    def _block(self, block: int, registers: list[Any], buffers: list[Array]) -> None:
        """Run everything for one block, and look at what came out."""
        start = block * self.rows
        stop = min(start + self.rows, self.count)
        for register, column in self.columns.items():
            registers[register] = column[start:stop]
        made = {place: output[start:stop] for place, output in self.outputs.items()}
        self._act(block, registers, [*made.values(), *(one[: stop - start] for one in buffers)])
        for primal, slopes in self.slopes.items():
            if some_nan(made[primal]):
                self.with_nan.add(primal)
                holes = np.isnan(made[primal])
                for k in slopes:
                    np.copyto(made[k], np.nan, where=holes)
        if self.asked.watch and self.finite:
            self.finite = all(map(all_finite, made.values()))

    def _act(self, block: int, registers: list[Any], spaces: list[Array]) -> None:
        """Run the machine's actions."""
        for form, args, attrs, result, into, dead, fold in self.machine.actions:
            given = [registers[arg] for arg in args]
            if fold is not None:
                self.parts[fold][block] = form(*given, *attrs)
            elif into == OWN:
                registers[result] = own(form(*given, *attrs), given)
            else:
                registers[result] = form(*given, out=spaces[into])
            for register in dead:
                registers[register] = None
