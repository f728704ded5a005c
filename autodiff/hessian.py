"""The Hessian: forward over reverse, one triangle of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from .evaluate import complete
from .flow import settled
from .forward import push
from .graph import undisturbed
from .jacobian import axes_last
from .results import Result
from .reverse import reverse
from .seeds import Pass, Paths, run_passes, shapes_of, undefined, unit
from .shapes import shapes_at
from .undefined import Undefined

if TYPE_CHECKING:
    from .evaluate import Value
    from .graph import Graph
    from .shapes import Inferred


class Curvature(NamedTuple):
    """The value and gradient of an output, and its second derivatives by name and name."""

    result: Result
    hessian: dict[str, dict[str, Value]]


def hessians(
    graph: Graph, nodes: Sequence[int], wrt: Mapping[str, int], bindings: Mapping[str, Value]
) -> list[Curvature]:
    """Return the value, gradient and Hessian of each of `nodes` by each of `wrt` (name to node).

    The block of two names has the shape of the first followed by that of the second. An output that
    is an array stands for its sum. Where there is no value or no first derivative there is no
    second. Raises `UsageError` for an input without a value, `FormulaError` for shapes that do not
    fit.
    """
    given = complete(graph, bindings)
    with undisturbed():
        return [hessian(graph, node, wrt, given) for node in nodes]


def hessian(
    graph: Graph, node: int, wrt: Mapping[str, int], given: Mapping[str, Value]
) -> Curvature:
    """Return the value, gradient and Hessian of a node at a value for each input."""
    order = sorted(set(wrt.values()))
    shapes = shapes_at(graph, graph.needed([node, *order]), given)
    slopes = reverse(graph, node, order, shapes)
    if shapes is not None:
        shapes = shapes_at(graph, graph.needed([node, *order, *slopes]), given)
    done = run_passes(graph, [node, *slopes], triangle(graph, order, slopes, shapes), given)
    plain = {start: done.values[slope] for start, slope in zip(order, slopes, strict=True)}
    first = Undefined(graph, shapes).apply(node, done.values[node], plain, given)
    second: dict[tuple[int, int], Value] = {}
    for k, (start, row) in enumerate(zip(order, done.caused, strict=True)):
        for end, block in zip(order[k:], row, strict=True):
            found = undefined(block, first[start], first[end])
            second[start, end] = found
            second[end, start] = axes_last(found, start, shapes)
    gradient = {name: first[start] for name, start in wrt.items()}
    result = Result(node, graph.output_name(node), done.values[node], gradient, done.culprits)
    return Curvature(
        result,
        {row: {name: second[wrt[row], end] for name, end in wrt.items()} for row in wrt},
    )


def triangle(
    graph: Graph, order: Sequence[int], slopes: Sequence[int], shapes: Inferred | None
) -> list[Pass]:
    """Append a forward pass from each node to its derivative and those of the nodes after it.

    From the earlier node to the derivative by the later one: where the later one is computed from
    the earlier, its derivative still depends on the earlier, but not the other way round.
    """
    paths = Paths(graph, slopes)
    found: list[Pass] = []
    for k, start in enumerate(order):
        ends = slopes[k:]
        seed = unit(graph, start, shapes)
        flows = push(graph, ends, {start: seed.flow}, shapes, paths.between(start, ends))
        caused = tuple([settled(flow).node for flow in flows])
        found.append(Pass(seed, caused, shapes_of(order[k:], shapes)))
    return found
