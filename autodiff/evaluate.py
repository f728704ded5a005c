"""Evaluators: they run a `Program` on Python floats, or on NumPy arrays where a value is one.

Both follow IEEE 754: nothing raises, log(0) is -inf. NumPy is imported only for arrays.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from .errors import UsageError
from .program import Program
from .shapes import shapes_at

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .graph import Graph, Nested, Shape

    Array: TypeAlias = NDArray[np.float64]
    Value: TypeAlias = float | Array

    Values: TypeAlias = Sequence[Value]
    """Values by node; what is not kept is None."""


class Asked(NamedTuple):
    """How a program is to be run.

    `derived` says of wanted positions that they are derivatives of others. With `watch` it is told
    whether all is finite. `threads` is how many cores to use at most, None for all; `out` may have
    an array to write into for each position. `rows` is the shape of each value that is wanted,
    where a program for scalars is run on columns; None leaves each in its own.
    """

    derived: Mapping[int, int] = {}
    watch: bool = False
    threads: int | None = None
    out: Sequence[Array | None] = ()
    rows: Shape | None = None


PLAINLY = Asked()


class Outputs(NamedTuple):
    """What a program wants, by position, each the caller's own.

    `settled` are derivatives that are nan already wherever what they are derivatives of is.
    `finite` tells that all is finite, if that is watched.
    """

    values: list[Value]
    settled: Collection[int]
    finite: bool


def evaluate(graph: Graph, wanted: Sequence[int], bindings: Mapping[str, Value]) -> list[Value]:
    """Return the values of `wanted`, inputs taken from `bindings`, then from the defaults.

    A value is a float, or a float64 array of the node's shape. Raises `UsageError` naming every
    input that has no value, `FormulaError` for shapes that do not fit.
    """
    given = complete(graph, bindings)
    shapes_at(graph, graph.needed(wanted), given)
    return outputs(Program(graph, wanted), given).values


def evaluate_known(
    graph: Graph, wanted: Sequence[int], bindings: Mapping[str, Value]
) -> dict[int, Value]:
    """Return the values of all nodes that `wanted` need and that the given inputs determine."""
    given = complete(graph, bindings)
    unknown = [node for name, node in graph.placeholders.items() if name not in given]
    needed = graph.needed(wanted)
    open_ended = graph.dependents(unknown, max(needed, default=-1))
    known = [node for node in needed if not open_ended[node]]
    shapes_at(graph, known, given)
    values = run(Program(graph, known), given)
    return {node: values[node] for node in known}


def complete(graph: Graph, bindings: Mapping[str, Value]) -> dict[str, Value]:
    """Return the bindings with the program's defaults put in."""
    defaults = {
        name: from_nested(value) for name, value in graph.defaults.items() if name not in bindings
    }
    return defaults | dict(bindings)


def from_nested(value: Any) -> Value:
    """Return a constant as a value: a float as it is, nested tuples as an array."""
    if isinstance(value, float):
        return value
    from .arrays import as_array

    return as_array(value)


def to_nested(value: Value) -> Nested:
    """Return a value as a constant holds it: a number as it is, an array as nested tuples."""
    if isinstance(value, float | int):
        return value
    entries: Any = value.tolist()
    return tupled(entries)


def tupled(entries: list[Any] | float) -> Nested:
    """Return nested lists as nested tuples; arrays have few axes."""
    return tuple(map(tupled, entries)) if isinstance(entries, list) else entries


def run(program: Program, bindings: Mapping[str, Value], keep: bool = False) -> Values:
    """Return the program's values by node: the wanted ones, and with `keep` all.

    Raises `UsageError` naming every input that has no value.
    """
    given = bound(program, bindings)
    if takes_floats(program, given):
        return run_scalars(program, given)  # type: ignore[arg-type]
    from .arrays import run_arrays

    return run_arrays(program, given, keep)


def outputs(program: Program, bindings: Mapping[str, Value], asked: Asked = PLAINLY) -> Outputs:
    """Return what the program wants. Raises as `run` does."""
    given = bound(program, bindings)
    if asked.rows is None and not asked.out and takes_floats(program, given):
        values = run_scalars(program, given)  # type: ignore[arg-type]
        found: list[Value] = [values[node] for node in program.wanted]
        return Outputs(found, (), not asked.watch or all(map(math.isfinite, found)))
    from .arrays import outputs_of_arrays

    return outputs_of_arrays(program, given, asked)


def is_finite(value: Value) -> bool:
    """Tell whether a value is finite throughout."""
    if isinstance(value, float | int):
        return math.isfinite(value)
    from .arrays import all_finite

    return all_finite(value)


def shape_of(value: Value) -> Shape:
    """Return the shape of a value."""
    return () if isinstance(value, float | int) else value.shape


def bound(program: Program, bindings: Mapping[str, Value]) -> list[tuple[int, Value]]:
    """Return the values of a program's inputs, by node. Raises as `run` does."""
    missing = [name for _, name in program.inputs if name not in bindings]
    if missing:
        raise UsageError(f"no value for {', '.join(missing)}")
    return [(node, bindings[name]) for node, name in program.inputs]


def takes_floats(program: Program, given: Sequence[tuple[int, Value]]) -> bool:
    """Tell whether a program can be run on Python floats."""
    return program.is_scalar and all(isinstance(value, float) for _, value in given)


def run_scalars(program: Program, given: Sequence[tuple[int, float]]) -> list[float]:
    """Run a program on Python floats."""
    values = begun(program)
    for node, value in given:
        values[node] = value
    run_steps(program, values)
    return values


def begun(program: Program) -> list[Any]:
    """Return the values by node of a program for floats before it is run: the constants."""
    values: list[Any] = [None] * program.size
    for node, value in program.constants:
        values[node] = value
    return values


def run_steps(program: Program, values: list[Any]) -> None:
    """Put the values of a program's operations beside those of its inputs and constants."""
    for node, function, args in program.scalar_steps:
        if len(args) == 2:
            left, right = args
            values[node] = function(values[left], values[right])
        elif len(args) == 1:
            values[node] = function(values[args[0]])
        else:
            values[node] = function(*[values[arg] for arg in args])
