"""What is done with a block of rows, worked out once: actions on registers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .ops.forms.basic_arrays import IN_PLACE

if TYPE_CHECKING:
    from .evaluate import Array
    from .levels import Level
    from .program import ArrayStep

OWN = -1
"""Where results go that a form makes in arrays of its own."""


class Action(NamedTuple):
    """A form, the registers of its arguments, and its attributes; its result's register.

    It writes into a space, or makes an array of its `OWN`; with `fold` it makes a part of that
    fold, and no result. Nobody reads the registers in `dead` after it.
    """

    form: Callable[..., Any]
    args: tuple[int, ...]
    attrs: tuple[Any, ...]
    result: int = 0
    into: int = OWN
    dead: tuple[int, ...] = ()
    fold: int | None = None


class Machine(NamedTuple):
    """The actions of a level.

    `given` has the registers of nodes whose values are there before. A space for each wanted
    position of the level comes first, then `buffers` that are for results on their way.
    """

    given: dict[int, int]
    actions: list[Action]
    registers: int
    buffers: int
    again: bool
    """Whether columns are made again rather than kept."""


def assemble(level: Level, wanted: Sequence[int]) -> Machine:
    """Return the machine for a level; `wanted` has the node of each wanted position."""
    return _Assembly(level, wanted).machine()


class _Assembly:
    """A machine while it is made. A buffer is free again when nobody reads what is in it."""

    def __init__(self, level: Level, wanted: Sequence[int]) -> None:
        self.steps = level.columns
        self.folds: dict[int, list[Action]] = {}
        for k, fold in enumerate(level.folds):
            form, attrs, (arg,) = fold.block.form, fold.block.attrs, fold.block.args
            self.folds.setdefault(arg, []).append(Action(form, (), attrs, fold=k))
        self.actions: list[Action] = []
        self.registers: dict[int, int] = {}
        self.outputs: dict[int, list[int]] = {}
        for space, place in enumerate(level.wanted):
            self.outputs.setdefault(wanted[place], []).append(space)
        self.first_buffer = self.spaces = len(level.wanted)
        self.lying: dict[int, int] = {}
        """The buffer that a node's value lies in."""
        self.free: list[int] = []

    def machine(self) -> Machine:
        """Return the machine."""
        made = {step.node for step in self.steps}
        read = [arg for step in self.steps for arg in step.args] + [*self.folds, *self.outputs]
        given = {node: self._register(node) for node in dict.fromkeys(read) if node not in made}
        for node in given:
            self._deliver(node)
        for step, dead in zip(self.steps, self._dying(made), strict=True):
            self._take(step, dead)
        buffers, again = self.spaces - self.first_buffer, len(made) < len(self.steps)
        return Machine(given, self.actions, len(self.registers), buffers, again)

    def _take(self, step: ArrayStep, dead: Sequence[int]) -> None:
        """Add the action of a step, after which some nodes are dead, and deliver its result."""
        self.free += [self.lying.pop(node) for node in dead if node in self.lying]
        args = tuple([self.registers[arg] for arg in step.args])
        gone = tuple([self.registers[node] for node in dead if node != step.node])
        fills = isinstance(step.form, np.ufunc) or step.form in IN_PLACE
        into = self._space(step.node) if fills else OWN
        register = self._register(step.node)
        self.actions.append(Action(step.form, args, step.attrs, register, into, gone))
        self._deliver(step.node, into)
        if step.node in dead and step.node in self.lying:
            self.free.append(self.lying.pop(step.node))

    def _deliver(self, node: int, there: int = OWN) -> None:
        """Bring a value to its outputs, where it is not there already, and its folds."""
        register = self.registers[node]
        for space in self.outputs.get(node, ()):
            if space != there:
                self.actions.append(Action(copy, (register,), (), register, space))
        for fold in self.folds.get(node, ()):
            self.actions.append(fold._replace(args=(register,)))

    def _space(self, node: int) -> int:
        """Return the space for a result: its output's, or a buffer."""
        if node in self.outputs:
            return self.outputs[node][0]
        if not self.free:
            self.free.append(self.spaces)
            self.spaces += 1
        self.lying[node] = self.free.pop()
        return self.lying[node]

    def _register(self, node: int) -> int:
        return self.registers.setdefault(node, len(self.registers))

    def _dying(self, made: set[int]) -> list[list[int]]:
        """Return for each step which of the columns made here nobody reads after it.

        Nobody does until the end, or until a column is made again.
        """
        seen: set[int] = set()
        found: list[list[int]] = []
        for step in reversed(self.steps):
            last = [node for node in {step.node, *step.args} if node in made and node not in seen]
            seen.update(last)
            seen.discard(step.node)
            found.append(last)
        return found[::-1]


def copy(x: Array, out: Array) -> Array:
    """Copy a column."""
    np.copyto(out, x)
    return out
