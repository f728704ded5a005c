"""Derivatives before anything runs: which shapes there are, the program tells.

By a number, the derivative of an array is that of each entry. By an array, that of a number is its
gradient, and that of an array is taken entry by entry where entries do not meet, else of its sum.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from .declared import declared_shapes, moving
from .errors import FormulaError
from .forward import forward
from .ops.rules import Expr
from .ops.structure import broadcast_to
from .reverse import reverse

if TYPE_CHECKING:
    from .graph import Graph, Shape, Shapes

ENTRIES = "d(sum(...), x) is the derivative of its sum, cgraph jac has an entry for each pair"
SECOND = "cgraph hess has an entry for each pair"


class Way(Enum):
    """How a derivative is taken."""

    BY_NUMBER = "of each entry by a number"
    ENTRYWISE = "of each entry by the one at its place"
    GRADIENT = "of a number by each entry"
    OF_SUM = "of the sum of an array by each entry"


class Derived(NamedTuple):
    """A derivative's node, and how it was taken."""

    node: int
    way: Way


def derivative(graph: Graph, node: int, wrt: int, shapes: Shapes | None = None) -> Derived:
    """Append the derivative of a node by another.

    `shapes` are those that are known besides what the program declares, if all are. Raises
    `FormulaError` where it needs the shape of an input that nobody declares.
    """
    if shapes is None:
        shapes = declared_shapes(graph, graph.needed([node, wrt]), wrt)
    one = graph.constant(1.0)
    if shapes is None or not shapes[wrt]:
        return Derived(forward(graph, [node], {wrt: one}, shapes)[0], Way.BY_NUMBER)
    if entrywise(graph, node, wrt, shapes):
        (tangent,) = forward(graph, [node], {wrt: one}, shapes)
        return Derived(in_full(graph, tangent, shapes, node), Way.ENTRYWISE)
    way = Way.OF_SUM if shapes[node] else Way.GRADIENT
    return Derived(reverse(graph, node, [wrt], shapes)[0], way)


def further(
    graph: Graph,
    node: int,
    path: Sequence[int],
    shapes_of: Callable[[Sequence[int]], Shapes | None] | None = None,
    between: Callable[[int], int] = int,
    sums: bool = False,
) -> int:
    """Return the derivative of a node by one node after another, `between` done to each of them.

    `shapes_of` gives the shapes that are known of nodes besides what the program declares. Raises
    `FormulaError` as `derivative` does, where that has an entry for each pair, and unless there may
    be `sums` where it would be that of an array's sum.
    """
    output, ways = node, list[Way]()
    for wrt in path:
        shapes = None if shapes_of is None else shapes_of(graph.needed([node, wrt]))
        node, way = derivative(graph, node, wrt, shapes)
        ways.append(way)
        if not sums:
            refuse_of_sum(graph, output, way)
        refuse_second(graph, output, ways)
        node = between(node)
    return node


def entrywise(graph: Graph, node: int, wrt: int, shapes: Shapes) -> bool:
    """Tell whether each entry of a node is made from none of `wrt` but the one at its place."""
    return shapes[node] == shapes[wrt] and not any(
        graph.nodes[index].op.move or shapes[index] != shapes[wrt]
        for index in moving(graph, graph.needed([node]), wrt)
    )


def shape_summed(graph: Graph, node: int, wrt: int) -> Shape | None:
    """Return the shape of what `derivative` takes the sum of, None where it takes none."""
    shapes = declared_shapes(graph, graph.needed([node, wrt]), wrt)
    if shapes is None or not (shapes[wrt] and shapes[node]):
        return None
    return None if entrywise(graph, node, wrt, shapes) else shapes[node]


def in_full(graph: Graph, tangent: int, shapes: Shapes, like: int) -> int:
    """Return a tangent in the shape of what it belongs to."""
    if shapes[tangent] == shapes[like]:
        return tangent
    return broadcast_to(Expr(graph, tangent), attrs=(shapes[like],)).node


def refuse_of_sum(graph: Graph, node: int, way: Way) -> None:
    """Raise `FormulaError` where a derivative of an array would be that of its sum."""
    if way is Way.OF_SUM:
        told = "the derivative of an array by an array has an entry for each pair"
        raise FormulaError(told, graph.place(graph.spans[node]), ENTRIES)


def refuse_second(graph: Graph, node: int, ways: list[Way]) -> None:
    """Raise `FormulaError` where a gradient has been differentiated by an array once more."""
    *before, last = ways
    if last in (Way.ENTRYWISE, Way.OF_SUM) and {*before} & {Way.GRADIENT, Way.OF_SUM}:
        told = "the second derivative by an array has an entry for each pair"
        raise FormulaError(told, graph.place(graph.spans[node]), SECOND)
