"""Which values of a program are columns, so that a block of rows can go through all of it at once.

A column has a number for each row, made of the numbers of that row alone. The elements of inputs of
one shape are the rows. A reduction to one number mixes them; it can be made of those of blocks.
What needs its number belongs to the next level, which goes over the rows once more and makes the
columns that it needs again: none is kept.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

from .graph import shape_of_nested
from .machine import Machine, assemble
from .ops.table import array_form
from .program import ArrayStep
from .shapes import broadcast

if TYPE_CHECKING:
    from .graph import Node, Shape
    from .program import Program

FEWEST = 32_768
"""With fewer numbers to make a program is run whole: they are hot anyway."""

FEWEST_ROWS = 2_048
"""So it is with fewer rows, which are one block."""

MOST_AGAIN = 3
"""Columns are made again for another level so often at most; beyond that it pays to keep them."""


class Kind(Enum):
    """What a value is: whole, as it was made at once; one number for all rows; a column."""

    WHOLE = 0
    EVEN = 1
    COLUMN = 2


class Fact(NamedTuple):
    """What is known of a value: its kind, its shape, and the level at which it is there."""

    kind: Kind
    shape: Shape
    level: int

    @property
    def is_number(self) -> bool:
        """Whether it is one number, and none for each row."""
        return self.kind is Kind.WHOLE and math.prod(self.shape) == 1


class Fold(NamedTuple):
    """A reduction of a column: of a block of it, and (parts, sizes) -> of the whole."""

    block: ArrayStep
    join: Callable[..., Any]


class Level(NamedTuple):
    """What is made whole before the rows are gone over, and then what of each block of them.

    The columns are those that `folds` or, in the end, the positions in `wanted` need, in order.
    """

    whole: list[ArrayStep]
    columns: list[ArrayStep]
    folds: list[Fold]
    wanted: list[int]


class Layout(NamedTuple):
    """How a program is run by blocks of rows, all of them of a shape.

    There is a machine for each level. `facts` are known of each node; `wanted` are the nodes that
    hold what the program wants.
    """

    rows: Shape
    levels: list[Level]
    machines: list[Machine]
    facts: Mapping[int, Fact]
    wanted: tuple[int, ...]


def layout(program: Program, shapes: Mapping[int, Shape]) -> Layout | None:
    """Return how a program is run by blocks at inputs of these shapes, by node.

    None where there are few rows, or rows are mixed in a way that blocks do not tell.
    """
    rows = max(shapes.values(), key=math.prod, default=())
    count = math.prod(rows)
    if count < FEWEST_ROWS or count * len(program.operations) < FEWEST:
        return None
    sorting = _Sorting(rows)
    for node, shape in shapes.items():
        kind = Kind.COLUMN if shape == rows else Kind.WHOLE
        sorting.facts[node] = Fact(kind, shape, 0)
    for node, constant in program.constants:
        sorting.facts[node] = Fact(Kind.WHOLE, shape_of_nested(constant), 0)
    for index, operation in program.operations:
        if index in sorting.facts:
            sorting.again(index)
        elif not sorting.put(index, operation, program.attributes(operation)):
            return None
    levels = sorting.levels(program.wanted)
    if sum(len(level.columns) for level in levels) > MOST_AGAIN * len(sorting.columns):
        return None
    wanted = sorting.meant(program.wanted)
    return Layout(
        rows, levels, [assemble(level, wanted) for level in levels], sorting.facts, wanted
    )


class _Sorting:
    """The operations of a program by what they make, as far as they have been looked at."""

    def __init__(self, rows: Shape) -> None:
        self.rows = rows
        self.facts: dict[int, Fact] = {}
        self.same: dict[int, int] = {}
        """Nodes that are what another is."""
        self.whole: list[ArrayStep] = []
        self.columns: list[ArrayStep] = []
        self.steps: dict[int, ArrayStep] = {}
        """The step that makes each column."""
        self.folds: list[Fold] = []

    def meant(self, nodes: Sequence[int]) -> tuple[int, ...]:
        """Return nodes, and for those that are what another is the other."""
        return tuple([self.same.get(node, node) for node in nodes])

    def put(self, index: int, node: Node, attrs: tuple[Any, ...]) -> bool:
        """Put an operation where it belongs; tell whether it does not mix rows in its own way."""
        op, args = node.op, self.meant(node.args)
        given = [self.facts[arg] for arg in args]
        shapes = tuple([fact.shape for fact in given])
        shape = broadcast(shapes) if op.move is None else op.move.shape(node.attrs, shapes)
        assert shape is not None, "shapes are inferred before anything is run"
        level = max([fact.level for fact in given], default=0)
        some_columns = any(fact.kind is Kind.COLUMN for fact in given)
        by_element = op.move is None and not op.draws and all(map(self._goes_with_rows, given))
        if op.to_shape and shape == shapes[0]:
            self.same[index] = args[0]
            self.facts[index] = given[0]
        elif by_element and shape == self.rows:
            own = any(fact.kind is not Kind.EVEN and fact.shape == self.rows for fact in given)
            kind = Kind.COLUMN if own else Kind.EVEN
            self._step(ArrayStep(index, op.on_arrays(), args, attrs), Fact(kind, shape, level))
        elif op.to_shape and op.view and given[0].is_number and shape == self.rows:
            self._step(ArrayStep(index, _number, args), Fact(Kind.EVEN, shape, level))
        elif not some_columns:
            form = _spreading(op.on_arrays(), given, self.rows)
            self._step(ArrayStep(index, form, args, attrs), Fact(Kind.WHOLE, shape, level))
        elif op.of_shapes:
            number = op.of_shapes(node.attrs, shapes)
            self._step(ArrayStep(index, _number, (), (number,)), Fact(Kind.WHOLE, shape, 0))
        elif op.move and op.move.joined and math.prod(shape) == 1:
            block = ArrayStep(index, op.on_arrays(), args, ((),) if op.to_shape else op.defaults)
            self.folds.append(Fold(block, array_form(op.move.joined)))
            self.facts[index] = Fact(Kind.WHOLE, shape, level + 1)
        else:
            return False
        return True

    def again(self, index: int) -> None:
        """Put an operation that was run before where it is run again."""
        if index in self.steps:
            self.columns.append(self.steps[index])

    def levels(self, wanted: Sequence[int]) -> list[Level]:
        """Return what is done at each level for the nodes that are wanted."""
        ends = self.meant(wanted)
        count = 1 + max([fact.level for fact in self.facts.values()], default=0)
        return [self._level(k, ends) for k in range(count)]

    def _level(self, k: int, ends: Sequence[int]) -> Level:
        whole = [step for step in self.whole if self.facts[step.node].level == k]
        folds = [fold for fold in self.folds if self.facts[fold.block.node].level == k + 1]
        wanted = [
            place
            for place, node in enumerate(ends)
            if self.facts[node].kind is Kind.COLUMN and self.facts[node].level == k
        ]
        needed = {fold.block.args[0] for fold in folds} | {ends[place] for place in wanted}
        columns: list[ArrayStep] = []
        for step in reversed(self.columns):
            if step.node in needed:
                needed.update(step.args)
                columns.append(step)
        return Level(whole, columns[::-1], folds, wanted)

    def _step(self, step: ArrayStep, fact: Fact) -> None:
        self.facts[step.node] = fact
        if fact.kind is Kind.COLUMN:
            self.steps[step.node] = step
            self.columns.append(step)
        else:
            self.whole.append(step)

    def _goes_with_rows(self, fact: Fact) -> bool:
        return fact.kind is not Kind.WHOLE or fact.is_number or fact.shape == self.rows


def _number(x: Any) -> Any:
    """Return one number, of NumPy's kind: a Python float would not follow IEEE 754."""
    import numpy as np

    return np.float64(np.reshape(x, ()))


def _spreading(form: Callable[..., Any], given: Sequence[Fact], rows: Shape) -> Callable[..., Any]:
    """Return a form that takes arguments that are one number for all rows as arrays."""
    even = [k for k, fact in enumerate(given) if fact.kind is Kind.EVEN]
    if not even:
        return form
    import numpy as np

    def spread(*args: Any) -> Any:
        found = list(args)
        for k in even:
            found[k] = np.broadcast_to(args[k], rows)
        return form(*found)

    return spread
