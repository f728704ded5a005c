"""The Jacobian: every entry of every output by every entry of every input."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from .evaluate import complete
from .flow import settled
from .forward import push
from .gradient import Mode, check_mode
from .results import Result
from .reverse import pull
from .seeds import Done, Pass, Paths, run_passes, shapes_of, undefined, unit
from .shapes import shapes_at

if TYPE_CHECKING:
    from .evaluate import Value
    from .graph import Graph, Shapes
    from .shapes import Inferred


def jacobians(
    graph: Graph,
    nodes: Sequence[int],
    wrt: Mapping[str, int],
    bindings: Mapping[str, Value],
    mode: Mode = "auto",
) -> list[Result]:
    """Return the value of each of `nodes` and its Jacobian by each of `wrt` (name to node).

    A Jacobian has the shape of the output followed by that of what it is by. "auto" is forward
    where there are fewer entries to differentiate by than entries of outputs, else reverse. Raises
    `UsageError` for another mode or an input without a value, `FormulaError` for shapes that do not
    fit.
    """
    check_mode(mode)
    given = complete(graph, bindings)
    by = list(wrt.values())
    shapes = shapes_at(graph, graph.needed([*nodes, *by]), given)
    forward = mode == "forward" or (mode == "auto" and entries(by, shapes) < entries(nodes, shapes))
    passes = (by_columns if forward else by_rows)(graph, nodes, by, shapes)
    done = run_passes(graph, nodes, passes, given)
    found: list[Result] = []
    called = graph.first_names()
    for k, node in enumerate(nodes):
        value = done.values[node]
        row = column_entries(done, k, by, shapes) if forward else done.caused[k]
        slopes = {name: undefined(block, rows=value) for name, block in zip(wrt, row, strict=True)}
        blamed = [] if k else done.culprits
        found.append(Result(node, called.get(node), value, slopes, blamed))
    return found


def entries(nodes: Sequence[int], shapes: Shapes | None) -> int:
    """Return how many numbers nodes are."""
    return sum(map(math.prod, shapes_of(nodes, shapes)))


def by_columns(
    graph: Graph, nodes: Sequence[int], by: Sequence[int], shapes: Inferred | None
) -> list[Pass]:
    """Append a forward pass from each node of `by`."""
    paths = Paths(graph, nodes)
    found: list[Pass] = []
    for start in by:
        seed = unit(graph, start, shapes)
        path = paths.between(start, nodes)
        flows = push(graph, nodes, {start: seed.flow}, shapes, path)
        ends = tuple([settled(flow).node for flow in flows])
        found.append(Pass(seed, ends, shapes_of(nodes, shapes)))
    return found


def by_rows(
    graph: Graph, nodes: Sequence[int], by: Sequence[int], shapes: Inferred | None
) -> list[Pass]:
    """Append a reverse pass from each of the outputs."""
    found: list[Pass] = []
    for start in nodes:
        seed = unit(graph, start, shapes)
        ends = pull(graph, {start: seed.flow}, by, shapes)
        found.append(Pass(seed, tuple(ends), shapes_of(by, shapes)))
    return found


def column_entries(done: Done, k: int, by: Sequence[int], shapes: Shapes | None) -> list[Value]:
    """Return what each forward pass found for output k."""
    columns = zip(done.caused, by, strict=True)
    return [axes_last(found[k], start, shapes) for found, start in columns]


def axes_last(block: Value, start: int, shapes: Shapes | None) -> Value:
    """Return what a forward pass found with the axes of its start, which come first, put last."""
    if isinstance(block, float | int):
        return block
    (shape,) = shapes_of([start], shapes)
    axes = range(block.ndim)
    return block.transpose(*axes[len(shape) :], *axes[: len(shape)])
