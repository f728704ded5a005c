"""A question made ready once to be asked many times, with as little as possible around each run.

Floats go straight to the steps of their program. Where every input is a column of the same
rows and the formula mixes none, each row is a run on scalars: one plan serves for any number of
rows. For all else there is a plan for each combination of shapes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .evaluate import Asked, begun, run_steps, shape_of
from .results import Plans, numbers
from .shapes import make_arrays

if TYPE_CHECKING:
    from .evaluate import Array, Value
    from .graph import Graph, Shape
    from .results import Plan, Run


class Ready:
    """The values of nodes, and the derivatives of each, to be found at any bindings."""

    def __init__(
        self, graph: Graph, nodes: Sequence[int], wrt: Mapping[str, int], how: Run
    ) -> None:
        self._plans = Plans(graph, nodes, wrt, how)
        self._wrt, self._threads = tuple(wrt), how.threads
        self._names = tuple(graph.placeholders)
        self._inputs = tuple(graph.inputs(self._plans.needed))
        self._reads = [set(graph.inputs([node])) for node in nodes]
        """The inputs that each output depends on."""
        self._by_element = not make_arrays(graph, self._plans.needed)
        self._quick: _Quick | None = None

    def at_floats(self, bindings: Mapping[str, Any]) -> list[float] | None:
        """Return what `at` does where there is a float for each input, None for all else."""
        if self._quick is None:
            if not self._by_element:
                return None
            self._quick = _Quick(self._plans.of_scalars(), self._names)
        return self._quick.at(bindings)

    def at(self, given: Mapping[str, Value], out: Sequence[Array | None] = ()) -> list[Value]:
        """Return the values, then the derivatives of each, at a value for each input.

        `out` may have an array to write into for each. Raises `FormulaError` for shapes that do not
        fit, `UsageError` for an array in `out` that does not.
        """
        rows = self._rows(given)
        ready = self._plans.at(given) if rows is None else self._plans.of_scalars()
        return numbers(ready, given, Asked(ready.derived, False, self._threads, out, rows))[0]

    def _rows(self, given: Mapping[str, Value]) -> Shape | None:
        """Return the shape of the rows if every value that is wanted has a number for each.

        Each output depends on a column, and what derivatives are by are columns.
        """
        if not self._by_element:
            return None
        shapes = {name: shape_of(given[name]) for name in self._inputs if name in given}
        columns = {shape for shape in shapes.values() if shape}
        if len(columns) != 1:
            return None
        found = {name for name, shape in shapes.items() if shape}
        alike = all(found & reads for reads in self._reads) and found.issuperset(self._wrt)
        return columns.pop() if alike else None


class _Quick:
    """A plan for scalars, run on a Python number for each input."""

    def __init__(self, ready: Plan, inputs: Sequence[str]) -> None:
        self._program = ready.program
        self._before = begun(ready.program)
        self._count = len(inputs)
        self._idle = set(inputs).difference(name for _, name in ready.program.inputs)
        self._slopes: dict[int, list[int]] = {}
        for place, primal in ready.derived.items():
            self._slopes.setdefault(primal, []).append(place)

    def at(self, bindings: Mapping[str, Any]) -> list[float] | None:
        """Return what is wanted, None where the bindings are not just these numbers."""
        if len(bindings) != self._count or (self._idle and not self._idle <= bindings.keys()):
            return None
        values = self._before.copy()
        for node, name in self._program.inputs:
            value = values[node] = bindings.get(name)
            if type(value) is not float:
                return None
        run_steps(self._program, values)
        found = [values[node] for node in self._program.wanted]
        for primal, places in self._slopes.items():
            if found[primal] != found[primal]:
                for place in places:
                    found[place] = math.nan
        return found
