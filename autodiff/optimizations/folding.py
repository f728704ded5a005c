"""Constant folding: what no input is in becomes a number, or a small array of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, prod
from typing import TYPE_CHECKING

from ..evaluate import run, to_nested
from ..ops.leaves import constant
from ..ops.structure import broadcast_to
from ..program import Program
from ..rewrite import throughout
from ..shapes import infer

if TYPE_CHECKING:
    from ..evaluate import Value, Values
    from ..graph import Graph, Nested

MOST = 100
"""An array of more entries stays the operation that makes it."""


def gather(graph: Graph, nodes: Sequence[int]) -> list[int]:
    """Put a number that is computed and then repeated for one that is repeated first."""

    def change(index: int, node: int) -> int:
        op, args, attrs = graph.nodes[node]
        leaves = [graph.nodes[arg] for arg in args]
        shapes = {leaf.attrs for leaf in leaves if leaf.op is broadcast_to}
        if attrs or op.move is not None or len(shapes) != 1:
            return node
        inner = [
            leaf.args[0] if leaf.op is broadcast_to else arg
            for arg, leaf in zip(args, leaves, strict=True)
        ]
        if any(graph.literal(arg) is None for arg in inner):
            return node
        return graph.add(broadcast_to, (graph.add(op, tuple(inner)),), *shapes)

    new = throughout(graph, nodes, change)
    return [new[node] for node in nodes]


def fold(graph: Graph, nodes: Sequence[int]) -> list[int]:
    """Put numbers for the parts in which no input is and nothing is drawn, as evaluation has them.

    What is not finite stays as it is written, so that one can still be told who made it.
    """
    wanted = ends(graph, nodes)
    values: Values = run(Program(graph, wanted), {}) if wanted else []
    numbers = ((index, nested(values[index])) for index in wanted)
    known = {index: number for index, number in numbers if number is not None}

    def change(index: int, node: int) -> int:
        number = known.get(index)
        return node if number is None else graph.constant(number)

    new = throughout(graph, nodes, change)
    return [new[node] for node in nodes]


def ends(graph: Graph, nodes: Sequence[int]) -> list[int]:
    """Return the last nodes that are small and have no input in them, numbers left out.

    A view, such as a number repeated, costs nothing and stays.
    """
    needed = graph.needed(nodes)
    drawing = [index for index in needed if graph.nodes[index].op.draws]
    drawn = graph.dependents(drawing, max(needed, default=-1))
    closed = [index for index in needed if graph.is_closed(index) and not drawn[index]]
    shapes = infer(graph, {}, closed)
    small = {i for i in closed if prod(shapes[i]) <= MOST and not graph.nodes[i].op.view}
    used = {*nodes}
    for index in needed:
        if index not in small:
            used.update(graph.nodes[index].args)
    return [i for i in closed if i in small and i in used and graph.nodes[i].op is not constant]


def nested(value: Value) -> Nested | None:
    """Return a value as a constant holds it, None where it is not finite throughout."""
    if isinstance(value, float | int):
        return value if isfinite(value) else None
    from numpy import isfinite as all_finite

    return to_nested(value) if all_finite(value).all() else None
