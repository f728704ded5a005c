"""The gradient of an output, in either mode."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from .errors import FormulaError, UsageError
from .flow import Flow, constant, settled, through
from .forward import between, forward, push
from .limits import MOST_ENTRIES
from .local import local, marked
from .ops.leaves import constant as number
from .ops.registry import OPS
from .ops.rules import Expr
from .reverse import filled, reverse

if TYPE_CHECKING:
    from .graph import Graph, Shape, Shapes

Mode: TypeAlias = Literal["reverse", "forward", "auto"]
MODES: tuple[str, ...] = get_args(Mode)


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
    since there is one output. Raises `UsageError` for another mode, `GraphError` at the limit on
    nodes.
    """
    check_mode(mode)
    if mode != "forward":
        return reverse(graph, output, wrt, shapes)
    return [by_forward(graph, output, node, shapes) for node in wrt]


def check_mode(mode: str) -> None:
    """Raise `UsageError` unless there is such a mode."""
    if mode not in MODES:
        raise UsageError(f"'{mode}' is no mode", hint=f"there are {', '.join(MODES)}")


def local_partials(graph: Graph, nodes: Iterable[int]) -> dict[tuple[int, int], int]:
    """Append the derivative of each node by each of its arguments, as if those were inputs.

    Returns the derivatives' nodes by (node, place of the argument). Constants are left out: nobody
    asks for the derivative by the 2 in `x^2`; and so are ops that move elements.
    """
    found: dict[tuple[int, int], int] = {}
    for index in nodes:
        op, args, _ = graph.nodes[index]
        marks = tuple([graph.nodes[arg].op is not number for arg in args])
        if op.move is None:
            zero = dict.fromkeys(((index, k) for k in marked(marks)), constant(graph, 0.0).node)
            found |= zero | {
                (index, k): settled(through(Flow(constant(graph, 1.0)), partial, condition)).node
                for k, partial, condition in local(graph, index, marks)
            }
    return found


def by_forward(graph: Graph, output: int, node: int, shapes: Shapes | None) -> int:
    """Return the derivative by one node: in one pass, or where elements mix a pass for each.

    As long as the elements do not mix, a tangent of ones has all their derivatives side by side.
    """
    if shapes is None or not (shapes[node] or shapes[output]):
        return forward(graph, [output], {node: constant(graph, 1.0).node}, shapes)[0]
    sum_to, ones = OPS["sum_to"], filled(graph, 1.0, node, shapes)
    if not mixes(graph, output, node):
        tangent = tangent_of(graph, output, node, Flow(ones), shapes)
        return sum_to(tangent, attrs=(shapes[node],)).node
    check_passes(graph, output, node, shapes)
    entries = [
        sum_to(tangent_of(graph, output, node, Flow(ones, unit), shapes), attrs=((),))
        for unit in units(graph, shapes[node])
    ]
    if not shapes[node]:
        return entries[0].node
    if not entries:
        return ones.node
    return OPS["reshape"](OPS["stack"](*entries), attrs=(shapes[node],)).node


def check_passes(graph: Graph, output: int, node: int, shapes: Shapes) -> None:
    """Raise `FormulaError` where a pass for each entry of a node takes more than anybody can hold.

    The tangents of all passes are there at once.
    """
    passes = math.prod(shapes[node])
    if passes * max(passes, math.prod(shapes[output])) > MOST_ENTRIES:
        told = f"forward mode takes a pass for each of {passes:,} entries, as they mix"
        raise FormulaError(told, graph.place(graph.spans[output]), "reverse mode takes one")


def mixes(graph: Graph, output: int, node: int) -> bool:
    """Tell whether an op that moves elements stands between a node and the output."""
    path = between(graph, [node], [output])
    return any(graph.nodes[i].op.move is not None for i in path if i != node)


def tangent_of(graph: Graph, output: int, node: int, seed: Flow, shapes: Shapes) -> Expr:
    """Return the output's tangent, in its shape, for a tangent of a node."""
    tangent = settled(push(graph, [output], {node: seed}, shapes)[0])
    return OPS["broadcast_to"](tangent, attrs=(shapes[output],))


def units(graph: Graph, shape: Shape) -> Iterator[Expr | None]:
    """Yield, for each element of a shape in order, the condition that it is this one.

    As a condition the others contribute nothing, also through a partial that is infinite. A number
    is always the one.
    """
    if not shape:
        yield None
        return
    size = math.prod(shape)
    for k in range(size):
        row = Expr(graph, graph.constant((0.0,) * k + (1.0,) + (0.0,) * (size - k - 1)))
        yield OPS["reshape"](row, attrs=(shape,))
