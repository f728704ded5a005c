"""Where passes for whole matrices start: at one entry of a node, whichever it will be.

A unit tangent is ones under a condition, a mask that is true at one entry: what starts elsewhere is
not selected, so it contributes exactly 0 even through an infinite partial. The mask is an input
that no formula can name: a pass is appended once and run for each entry.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from .errors import FormulaError
from .evaluate import run
from .flow import Flow
from .limits import MOST_ENTRIES
from .ops.leaves import placeholder
from .ops.rules import Expr
from .origin import Culprit
from .program import Program
from .results import culprits, finite
from .reverse import filled
from .shapes import Inferred

if TYPE_CHECKING:
    from .evaluate import Value, Values
    from .graph import Graph, Shape, Shapes
    from .shapes import Inferred


class Seed(NamedTuple):
    """A unit tangent of a node of some shape; a scalar's needs no mask."""

    flow: Flow
    mask: str | None
    shape: Shape


class Pass(NamedTuple):
    """What a seed causes: nodes, with the shape that the value of each is to have."""

    seed: Seed
    nodes: tuple[int, ...]
    shapes: tuple[Shape, ...]


class Done(NamedTuple):
    """A run: values by node, for each pass a value for each of its nodes, and who is to blame.

    The value for a node has the seed's axes before its own.
    """

    values: Values
    caused: list[list[Value]]
    culprits: list[Culprit]


def hidden_input(graph: Graph, name: str, like: int, shapes: Inferred | None) -> Expr:
    """Return an input that is none of the formula's, in the shape of a node, which `shapes` learns.

    A name with a space is nobody's.
    """
    node = graph.add(placeholder, (), (name,))
    if shapes is not None:
        shapes[node] = shapes[like]
    return Expr(graph, node)


def unit(graph: Graph, node: int, shapes: Inferred | None) -> Seed:
    """Return the unit tangents (or cotangents) of a node."""
    ones = filled(graph, 1.0, node, shapes)
    if shapes is None or not shapes[node]:
        return Seed(Flow(ones, None), None, ())
    mask = f"entry of {node}"
    return Seed(Flow(ones, hidden_input(graph, mask, node, shapes)), mask, shapes[node])


def shapes_of(nodes: Iterable[int], shapes: Shapes | None) -> tuple[Shape, ...]:
    """Return the shape of each node."""
    return tuple([shapes[node] if shapes else () for node in nodes])


def run_passes(
    graph: Graph, nodes: Sequence[int], passes: Sequence[Pass], given: Mapping[str, Value]
) -> Done:
    """Run what `nodes` and the passes need; a pass from an array once for each of its entries.

    Raises `UsageError` naming every input that has no value.
    """
    plain = [node for one in passes if one.seed.mask is None for node in one.nodes]
    program = Program(graph, [*nodes, *plain])
    values = run(program, given)
    caused = [
        [values[node] for node in one.nodes] if one.seed.mask is None else swept(graph, one, given)
        for one in passes
    ]
    fine = finite(values[node] for node in program.wanted) and all(map(finite, caused))
    blamed = [] if fine else blame(graph, nodes, passes, given)
    fitted = [
        [fit(value, one.seed.shape + shape) for value, shape in zip(found, one.shapes, strict=True)]
        for one, found in zip(passes, caused, strict=True)
    ]
    return Done(values, fitted, blamed)


def swept(graph: Graph, one: Pass, given: Mapping[str, Value]) -> list[Value]:
    """Return what each entry of a pass's seed causes, along first axes of the seed's shape.

    Raises `FormulaError` where that is more than anybody can hold.
    """
    import numpy as np

    shapes = [one.seed.shape + shape for shape in one.shapes]
    entries = sum(map(math.prod, shapes))
    if entries > MOST_ENTRIES:
        told = f"a matrix of {entries:,} entries is too large"
        raise FormulaError(
            told,
            hint="--sparse leaves out zeros; cgraph jvp, vjp and hvp multiply it with a vector",
        )
    program = Program(graph, one.nodes)
    found = [np.empty(shape) for shape in shapes]
    for index in np.ndindex(one.seed.shape):
        mask = np.zeros(one.seed.shape)
        mask[index] = 1.0
        values = run(program, {**given, str(one.seed.mask): mask})
        for table, node in zip(found, one.nodes, strict=True):
            table[index] = values[node]
    return list(found)


def fit(value: Value, shape: Shape) -> Value:
    """Return a value in its whole shape: a derivative may be the same along an axis."""
    if not shape:
        return value
    import numpy as np

    return np.broadcast_to(value, shape).copy()


def blame(
    graph: Graph, nodes: Sequence[int], passes: Sequence[Pass], given: Mapping[str, Value]
) -> list[Culprit]:
    """Return who made nodes, or what passes cause, not finite, with all entries of masks taken.

    Nobody did where an input is not finite.
    """
    wanted = list(dict.fromkeys([*nodes, *(node for one in passes for node in one.nodes)]))
    program = Program(graph, wanted)
    if not finite(given[name] for _, name in program.inputs if name in given):
        return []
    taken = {mask: fit(1.0, shape) for (_, mask, shape), *_ in passes if mask is not None}
    return culprits(graph, wanted, run(program, {**given, **taken}, keep=True))


def undefined(block: Value, rows: Value = 0.0, columns: Value = 0.0) -> Value:
    """Return a matrix of derivatives, nan where there is nothing to differentiate.

    `rows` are what the first axes of the block belong to, `columns` the last: no value, no
    derivative.
    """
    if isinstance(block, float | int):
        return block if rows == rows and columns == columns else math.nan
    import numpy as np

    bad = np.isnan(rows)
    holes = bad.reshape(bad.shape + (1,) * (block.ndim - bad.ndim)) | np.isnan(columns)
    return np.where(holes, np.nan, block)


class Paths:
    """The ways from single nodes to some outputs: each asks no more nodes than it finds."""

    def __init__(self, graph: Graph, outputs: Iterable[int]) -> None:
        self._graph = graph
        self._users: dict[int, list[int]] = {}
        for index, node in graph.walk(graph.needed(outputs)):
            for arg in set(node.args):
                self._users.setdefault(arg, []).append(index)

    def between(self, source: int, outputs: Iterable[int]) -> list[int]:
        """Return the nodes that depend on `source` and that `outputs` need, in order."""
        reached, pending = {source}, [source]
        while pending:
            for user in self._users.get(pending.pop(), ()):
                if user not in reached:
                    reached.add(user)
                    pending.append(user)
        alive = reached.intersection(outputs)
        found: list[int] = []
        for index in sorted(reached, reverse=True):
            if index in alive:
                found.append(index)
                alive.update(self._graph.nodes[index].args)
        return found[::-1]
