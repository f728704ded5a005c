"""A formula by rows: columns in; for each row the value of each output, and its derivatives, out.

A formula whose values are numbers is run on whole columns: an elementwise op on a column is the op
on each row. One that has arrays in a row, or makes them, is run a row at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from .evaluate import Asked, complete
from .jacobian import jacobians
from .results import PLAIN, Plans, Result, Run, numbers, results
from .shapes import shapes_at

if TYPE_CHECKING:
    from .evaluate import Array, Value
    from .graph import Graph

Column: TypeAlias = "Array | list[Value]"
"""A value for each row, along the first axis; a list where rows differ in shape."""

Columns: TypeAlias = "Mapping[str, Column]"


class Found(NamedTuple):
    """What rows come to: for each output its values, and its derivatives in the order of wrt."""

    values: list[Column]
    slopes: list[list[Column]]

    @property
    def columns(self) -> list[Column]:
        """All columns: the values, then the derivatives of one output after another."""
        return [*self.values, *(slope for found in self.slopes for slope in found)]


class Rows:
    """A formula made ready to be run on columns, any number of times and by several threads.

    `sample` has a row of the columns, which says their shapes; `constants` what is the same in all
    rows. With `jacobian` the derivatives of an output that is an array are those of each element.
    Raises `FormulaError` for shapes that do not fit.
    """

    def __init__(
        self,
        graph: Graph,
        nodes: Sequence[int],
        wrt: Mapping[str, int],
        constants: Mapping[str, Value],
        sample: Mapping[str, Value],
        how: Run = PLAIN,
        jacobian: bool = False,
    ) -> None:
        self._graph = graph
        self._nodes = tuple(nodes)
        self._wrt = dict(wrt)
        self._constants = complete(graph, constants)
        self._how = how
        self._jacobian = jacobian
        self._plans = Plans(graph, nodes, wrt, how)
        self._lock = Lock()
        self.plan = self._plans.at({**self._constants, **sample})
        self.elementwise = self.plan.shapes is None and self.plan.program.is_scalar
        """Whether columns are run whole."""

    def run(self, columns: Columns, size: int) -> Found:
        """Return what `size` rows come to, each column of that length."""
        if self.elementwise and all(is_flat(column) for column in columns.values()):
            found = self._whole(columns, size)
        else:
            with self._lock:
                rows = [self._row(row) for row in each(columns, size)]
            places = range(len(self._nodes) * (1 + len(self._wrt)))
            found = [gathered(row[place] for row in rows) for place in places]
        heads, count = len(self._nodes), len(self._wrt)
        slopes = [found[heads + k * count : heads + (k + 1) * count] for k in range(heads)]
        return Found(found[:heads], slopes)

    def blamed(self, row: Mapping[str, Value]) -> list[Result]:
        """Return the results at one row, with who made them nan or infinite."""
        with self._lock:
            given = {**self._constants, **row}
            return results(self._graph, self._plans.at(given), given)

    def _whole(self, columns: Columns, size: int) -> list[Column]:
        """Return the values in all rows, then the derivatives of each."""
        given = {**self._constants, **columns}
        asked = Asked(self.plan.derived, threads=1, rows=(size,))
        found, _ = numbers(self.plan, given, asked)  # type: ignore[arg-type]
        return list(found)  # type: ignore[arg-type]

    def _row(self, row: Mapping[str, Value]) -> list[Value]:
        """Return the values in a row, then the derivatives of each."""
        given = {**self._constants, **row}
        if self._jacobian:
            found = jacobians(self._graph, self._nodes, self._wrt, given, self._how.mode)
            slopes = [one.gradient[name] for one in found for name in self._wrt]
            return [*(one.value for one in found), *slopes]
        plan = self._plans.at(given)
        return numbers(plan, given, Asked(plan.derived))[0]


def of_one_number(
    graph: Graph, nodes: Sequence[int], columns: Iterable[str], given: Mapping[str, Value]
) -> int | None:
    """Return a reduction that finds one number in each row, of a column, if there is one.

    It is the first that `nodes` need; `given` has the values of a row.
    """
    needed = graph.needed(nodes)
    found = [index for index in needed if (move := graph.nodes[index].op.move) and move.joined]
    if not found:
        return None
    sources = [graph.placeholders[name] for name in columns]
    by_row = graph.dependents(sources, found[-1])
    shapes = shapes_at(graph, needed, complete(graph, given))
    for index in found:
        (arg,) = graph.nodes[index].args
        if by_row[arg] and not (shapes and shapes[arg]):
            return index
    return None


def each(columns: Columns, size: int) -> Iterator[dict[str, Value]]:
    """Yield the rows."""
    for k in range(size):
        yield {name: entry(column[k]) for name, column in columns.items()}


def entry(value: Value) -> Value:
    """Return an entry of a column as a value: a number as a float."""
    return value if isinstance(value, np.ndarray) else float(value)


def is_flat(column: Column) -> bool:
    """Tell whether a column has a number for each row."""
    return isinstance(column, np.ndarray) and column.ndim == 1


def gathered(values: Iterable[Value]) -> Column:
    """Return the values of rows as one array, a list where their shapes differ."""
    rows = list(values)
    if len({np.shape(row) for row in rows}) > 1:
        return rows
    return np.array(rows, dtype=np.float64)


# -- over all rows --------------------------------------------------------------------------------


class Sum:
    """The sum of values that come in batches; what rounding takes is kept, and added at the end."""

    def __init__(self) -> None:
        self._sum: Value = 0.0
        self._lost: Value = 0.0

    def add(self, value: Value) -> None:
        """Add a value, or the sum of a batch."""
        with np.errstate(all="ignore"):
            total = self._sum + value
            larger = np.abs(self._sum) >= np.abs(value)
            big, small = np.where(larger, self._sum, value), np.where(larger, value, self._sum)
            self._lost = self._lost + ((big - total) + small)
        self._sum = total

    def total(self) -> Value:
        """Return the sum."""
        with np.errstate(all="ignore"):
            found = np.where(np.isfinite(self._sum), self._sum + self._lost, self._sum)
        return found if found.ndim else float(found)


def summed(column: Column) -> Value:
    """Return the sum of a column over its rows. Raises `ValueError` where their shapes differ."""
    if isinstance(column, list):
        raise ValueError("rows of different shapes have no sum")
    with np.errstate(all="ignore"):
        found = column.sum(axis=0)
    return found if found.ndim else float(found)
