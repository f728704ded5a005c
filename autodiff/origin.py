"""Who made the NaN: back from a result to the node where finite values stopped being so."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from .graph import ELSEWHERE, Graph
from .ops.leaves import constant, placeholder
from .ops.rules import At, Expr
from .program import Program

if TYPE_CHECKING:
    from .evaluate import Value, Values
    from .graph import Node, Shape


class Culprit(NamedTuple):
    """The node that made a value nan or infinite out of finite ones.

    `value` is its value and `args` those of its arguments, at `element` where they are arrays (None
    for scalars); of arrays whose elements it moves or mixes, `args` has the shapes. Where a
    derivative is at fault, `primal` is the node whose derivative it is; with `kink` that has a kink
    there, and so no second derivative.
    """

    node: int
    value: float
    args: tuple[float | Shape, ...]
    element: tuple[int, ...] | None
    primal: int | None
    kink: bool = False


def find(
    graph: Graph, result: int, values: Values, seen: set[tuple[int, tuple[int, ...]]]
) -> Culprit | None:
    """Return the culprit for a result that is not finite.

    None where the result is finite, or where the formula or a binding itself is not, or where the
    way back meets one that was gone before: `seen` keeps the nodes and elements of all of them.
    Arguments that are not selected are not followed: they may be nan and harmless.
    """
    index = first_bad(values[result])
    here = result
    while index is not None and (here, index) not in seen:
        seen.add((here, index))
        node = graph.nodes[here]
        told = node.op is constant and here not in graph.came_from
        if told or node.op is placeholder:
            return None
        bad = None if is_kink(graph, here) else followed(node, here, index, values)
        if bad is None:
            return culprit(graph, here, index, values)
        here, index = bad
    return None


def is_kink(graph: Graph, index: int) -> bool:
    """Tell whether a node is the nan that a twin has for its derivative at a kink."""
    made_for = graph.came_from.get(index)
    return (
        made_for in graph.nodes[index].args
        and made_for is not None
        and graph.nodes[made_for].op.plain is not None
        and any(graph.literal(arg) is not None for arg in graph.nodes[index].args)
    )


def followed(
    node: Node, here: int, index: tuple[int, ...], values: Values
) -> tuple[int, tuple[int, ...]] | None:
    """Return the argument to follow and the index of its bad element, None where none is bad.

    A selected one, if there is: with nan among them min and max select none, and yet pass it on.
    And for a nan one that is nan: an infinite one beside it may be harmless.
    """
    args = [element(values[arg], index) for arg in node.args]
    result = element(values[here], index)
    bad: list[tuple[tuple[bool, bool], int, tuple[int, tuple[int, ...]]]] = []
    for k, arg in enumerate(node.args):
        if node.op.move is not None:
            at = first_bad(values[arg])
        else:
            at = None if math.isfinite(args[k]) else aligned(index, values[arg])
        if at is not None:
            doubts = not selected(node, k, result, args), result != result and args[k] == args[k]
            bad.append((doubts, k, (arg, at)))
    return min(bad)[2] if bad else None


def selected(node: Node, k: int, result: float, args: Sequence[float]) -> bool:
    """Tell whether an op selects argument k at these values."""
    if not node.op.conditions:
        return True
    scratch = Graph()
    given = {f"{i}": value for i, value in enumerate((result, *args))}
    leaves = [Expr(scratch, scratch.placeholder(name)) for name in given]
    condition = node.op.selected(k, At(leaves[0], tuple(leaves[1:]), node.attrs, ()))
    if condition is None:
        return True
    from .evaluate import run

    program = Program(scratch, [condition.node])
    return bool(run(program, given)[condition.node])


def culprit(graph: Graph, here: int, index: tuple[int, ...], values: Values) -> Culprit:
    """Return the finding at a node, told in terms of the formula where it is a derivative's."""
    primal = here
    while (origin := graph.came_from.get(primal, ELSEWHERE)) != ELSEWHERE:
        primal = origin
    node = graph.nodes[primal]
    args = tuple([argument(node, values[arg], index) for arg in node.args])
    is_array = not isinstance(values[here], float)
    value = element(values[here], index)
    if value != value and primal != here and node.op.move is None:
        read = [element(values[arg], index) for arg in node.args]
        value = infinite_slope(node, read) or value
    return Culprit(
        node=here,
        value=value,
        args=args,
        element=index if is_array else None,
        primal=None if primal == here else primal,
        kink=is_kink(graph, here),
    )


def infinite_slope(node: Node, args: Sequence[float]) -> float | None:
    """Return the infinite partial of an op, None where there is none: a flow of 0 made it nan."""
    from .evaluate import run

    if not all(map(math.isfinite, args)):
        return None
    scratch = Graph()
    leaves = tuple([Expr(scratch, scratch.constant(value)) for value in args])
    result = Expr(scratch, scratch.add(node.op, tuple([leaf.node for leaf in leaves]), node.attrs))
    for _, partial, _ in node.op.local(At(result, leaves, node.attrs, ()), range(len(args))):
        slope = partial.node if isinstance(partial, Expr) else scratch.constant(partial)
        value = run(Program(scratch, [slope]), {})[slope]
        if isinstance(value, float) and math.isinf(value):
            return value
    return None


def argument(node: Node, value: Value | None, index: tuple[int, ...]) -> float | Shape:
    """Return what a node reads of an argument at an index: a number, or the shape of an array."""
    if node.op.move is None or value is None or isinstance(value, float | int):
        return element(value, index)
    return value.shape


def first_bad(value: Value) -> tuple[int, ...] | None:
    """Return the index of the first element that is not finite, () for a float, None if all are."""
    if isinstance(value, float):
        return None if math.isfinite(value) else ()
    import numpy as np

    bad = np.argwhere(~np.isfinite(value))
    return tuple(int(i) for i in bad[0]) if len(bad) else None


def element(value: Value | None, index: tuple[int, ...]) -> float:
    """Return the element that an elementwise op at `index` reads; nan where there is none."""
    if value is None or getattr(value, "size", 1) == 0:
        return math.nan
    if isinstance(value, float | int):
        return value
    if not value.size:
        return math.nan
    at = aligned(index, value)
    return float(value.flat[0] if len(at) != value.ndim else value[at])


def aligned(index: tuple[int, ...], value: Value) -> tuple[int, ...]:
    """Return the index in an argument that broadcasting reads at `index` of the result."""
    shape: Shape = () if isinstance(value, float | int) else value.shape
    last = index[len(index) - len(shape) :] if shape else ()
    return tuple(min(i, size - 1) for i, size in zip(last, shape, strict=False))
