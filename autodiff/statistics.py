"""What a program runs, keeps and holds, told from the program: the same on every machine.

A number takes 8 bytes. Counted is what operations make: inputs and constants are there anyway. A
view takes no memory, but what it is a view of lives as long as it does. Of columns that are run by
blocks a core has only a block at once, but for those that are wanted; one core is counted.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .graph import Graph
    from .results import Plan

BYTES = 8
"""What a float64 takes."""


class Statistics(NamedTuple):
    """What a plan does.

    `nodes` operations run: `derived` of them for derivatives alone, `again` of them once more.
    `kept` values of the formula are kept for derivatives, `kept_bytes` in all; `peak_bytes` is the
    most that is held at once, results included.
    """

    nodes: int
    derived: int
    again: int
    kept: int
    kept_bytes: int
    peak_bytes: int


class Memory:
    """The buffers that values lie in; one lives until none of the values in it does."""

    def __init__(self) -> None:
        self.buffers: dict[int, int] = {}
        """The buffer of each living value."""
        self.sizes: list[int] = []
        self.alive = self.peak = 0
        self._values: list[int] = []

    def make(self, value: int, size: int) -> None:
        """Put a value into a buffer of its own."""
        self.buffers[value] = len(self.sizes)
        self.sizes.append(size)
        self._values.append(1)
        self.alive += size
        self.peak = max(self.peak, self.alive)

    def share(self, value: int, other: int) -> None:
        """Put a value where another is, which may be in none of these buffers."""
        buffer = self.buffers.get(other)
        if buffer is not None:
            self.buffers[value] = buffer
            self._values[buffer] += 1

    def free(self, value: int) -> None:
        """Let go of a value."""
        buffer = self.buffers.pop(value, None)
        if buffer is not None:
            self._values[buffer] -= 1
            if not self._values[buffer]:
                self.alive -= self.sizes[buffer]


def statistics(graph: Graph, plan: Plan) -> Statistics:
    """Return what a plan does.

    A value is kept for derivatives if one of them reads it as it was first found, or if what is
    run again for them does.
    """
    program = plan.program
    size_of = sizes(plan)
    primal = set(graph.needed(plan.primals.values()))
    memory = Memory()
    first: set[int] = set()
    late: set[int] = set()
    kept: dict[int, int | None] = {}
    for (index, node), dying in zip(program.operations, program.dying, strict=True):
        if index in primal and index not in first:
            first.add(index)
        else:
            read = [arg for arg in node.args if arg in first and arg not in late]
            kept.update((arg, memory.buffers.get(arg)) for arg in read)
            late.add(index)
        if node.op.view:
            memory.share(index, node.args[0])
        else:
            memory.make(index, BYTES * size_of(index))
        for value in dying:
            memory.free(value)
    derived = len(late - primal)
    return Statistics(
        nodes=len(program.operations),
        derived=derived,
        again=len(program.operations) - len(first) - derived,
        kept=len(kept),
        kept_bytes=sum(memory.sizes[buffer] for buffer in set(kept.values()) if buffer is not None),
        peak_bytes=memory.peak,
    )


def sizes(plan: Plan) -> Callable[[int], int]:
    """Return how many numbers of a node are there at once."""
    program, shapes = plan.program, plan.shapes
    if shapes is None:
        return lambda node: 1
    layout = program.layout({node: shapes[node] for node, _ in program.inputs})
    if layout is None:
        return lambda node: math.prod(shapes[node])
    from .sweep import rows_of_block

    block = max(map(rows_of_block, layout.machines))
    wanted = {*program.wanted, *layout.wanted}

    def size(node: int) -> int:
        whole = math.prod(shapes[node])
        return whole if node in wanted else min(whole, block)

    return size
