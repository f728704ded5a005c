"""The gradient of an output, in either mode."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

from .forward import forward
from .ops.structure import broadcast_to, sum_to
from .ops.table import Expr
from .reverse import filled, reverse

if TYPE_CHECKING:
    from .graph import Graph
    from .reverse import Shapes

Mode: TypeAlias = Literal["reverse", "forward", "auto"]


def gradient(
    graph: Graph,
    output: int,
    wrt: Sequence[int],
    mode: Mode = "reverse",
    shapes: Shapes | None = None,
) -> list[int]:
    """Append the derivatives of (the sum of) `output` by each node of `wrt`; return their nodes.

    `shapes` gives the shape of each node that `output` and `wrt` need, None where all are scalars;
    a derivative has the shape of what it is by. "auto" is the mode with the fewest passes: reverse,
    since there is one output. Raises `GraphError` at the limit on nodes.
    """
    if mode != "forward":
        return reverse(graph, output, wrt, shapes)
    return [by_forward(graph, output, node, shapes) for node in wrt]


def by_forward(graph: Graph, output: int, node: int, shapes: Shapes | None) -> int:
    """Return the derivative by one node, from one forward pass along all its elements at once.

    The elements of an elementwise graph do not mix, so that one pass has the whole gradient.
    """
    seed = filled(graph, 1.0, node, shapes)
    tangent = Expr(graph, forward(graph, [output], {node: seed.node})[0])
    if shapes is None or not (shapes[node] or shapes[output]):
        return tangent.node
    whole = broadcast_to(tangent, attrs=(shapes[output],))
    return sum_to(whole, attrs=(shapes[node],)).node
