"""Where there is no value there is no derivative: which derivatives an output that is nan takes.

Of an output that is an array the gradient is that of its sum. An entry of it is nan where an entry
of the output that depends on it is: by what the ops between them read, whatever is selected there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from .local import followed
from .ops.registry import OPS
from .ops.rules import At, Expr

if TYPE_CHECKING:
    from .evaluate import Value
    from .graph import Graph, Shapes
    from .program import Program


def holes(graph: Graph, output: int, wrt: Sequence[int], shapes: Shapes) -> list[Expr | None]:
    """Append where each node of `wrt` is read by entries of an output that are nan: 1, else 0.

    Each mask is in the shape of its node; None where the output does not depend on it. `shapes`
    gives the shape of each node. Raises `GraphError` at the limit on nodes.
    """
    value = Expr(graph, output)
    around = graph.around([output])
    active = graph.dependents(wrt, output, around)
    arrived: dict[int, Expr] = {}
    found: dict[int, Expr] = {}
    with graph.derived():
        graph.make_for(output)
        arrived[output] = OPS["not_equal"](value, value)
        for index in reversed(around):
            mask = arrived.pop(index, None)
            if mask is None or not active[index]:
                continue
            graph.make_for(index)
            found[index] = mask
            for k in followed(graph, index, shapes):
                arg = graph.nodes[index].args[k]
                if active[arg]:
                    part = read_through(graph, index, k, mask, shapes)
                    before = arrived.get(arg)
                    arrived[arg] = part if before is None else OPS["or"](before, part)
    return [found.get(node) for node in wrt]


def read_through(graph: Graph, index: int, k: int, mask: Expr, shapes: Shapes) -> Expr:
    """Return which entries of argument k the entries of a node that are in a mask read."""
    from .flow import standing
    from .ops.structure import in_shape

    node = graph.nodes[index]
    shape = shapes[node.args[k]]
    at = standing(graph, index, shapes)
    if node.op.move is None:
        if shape == shapes[index]:
            return mask
        counted = OPS["sum_to"](in_shape(at, mask, shapes[index]), attrs=(shape,))
    else:
        counted = back_through(at, k, mask)
    return OPS["greater"](in_shape(at, counted, shape), 0.0)


def back_through(at: At, k: int, mask: Expr) -> Expr:
    """Return how often the entries in a mask of a result read each entry of argument k."""
    from .ops.structure import in_shape

    move = at.result.graph.nodes[at.result.node].op.move
    assert move is not None, "asked of ops that move elements"
    rule = move.transpose if move.reached is None else move.reached[1]
    return rule(k, at, in_shape(at, mask, at.shape(at.result)))


class Undefined:
    """The rule for the gradients of a graph's nodes at inputs of some shapes; None is of scalars.

    What it has found of an output it keeps: a table asks again for each of its rows.
    """

    def __init__(self, graph: Graph, shapes: Shapes | None) -> None:
        self._graph = graph
        self._shapes = shapes
        self._programs: dict[tuple[int, tuple[int, ...]], tuple[Program, list[Expr | None]]] = {}

    def apply(
        self,
        output: int,
        value: Value,
        slopes: Mapping[int, Value],
        given: Mapping[str, Value],
    ) -> dict[int, Value]:
        """Return derivatives of the output by node, nan where it has no value.

        `value` is the output's, `given` has a value for each input. Where all are scalars values
        may still be columns, each entry a run of its own.
        """
        if not has_nan(value):
            return dict(slopes)
        if isinstance(value, float) or not self._shapes or not self._shapes[output]:
            return {node: derivative(value, slope) for node, slope in slopes.items()}
        import numpy as np

        from .arrays import as_value

        masks = self._masks(output, tuple(slopes), given)
        return {
            node: as_value(np.where(mask, np.nan, slopes[node])) for node, mask in masks.items()
        }

    def _masks(
        self, output: int, wrt: tuple[int, ...], given: Mapping[str, Value]
    ) -> dict[int, Value]:
        """Return where each of `wrt` is read by what has no value."""
        from .evaluate import run

        key = output, wrt
        if key not in self._programs:
            self._programs[key] = self._made(output, wrt)
        program, masks = self._programs[key]
        values = run(program, given)
        return {
            node: 0.0 if mask is None else values[mask.node]
            for node, mask in zip(wrt, masks, strict=True)
        }

    def _made(self, output: int, wrt: tuple[int, ...]) -> tuple[Program, list[Expr | None]]:
        from .program import Program

        assert self._shapes is not None, "of scalars nothing is asked"
        masks = holes(self._graph, output, wrt, self._shapes)
        return Program(self._graph, [mask.node for mask in masks if mask is not None]), masks


def has_nan(value: Value) -> bool:
    """Tell whether there is no value, in part or whole."""
    if isinstance(value, float | int):
        return value != value
    from .arrays import some_nan

    return some_nan(value)


def derivative(primal: Value, slope: Value) -> Value:
    """Return a derivative's value, nan where its own primal is: entry by entry, or as a whole."""
    if isinstance(primal, float):
        if primal == primal:
            return slope
        if isinstance(slope, float):
            return math.nan
    import numpy as np

    from .arrays import as_value

    found: Value = as_value(np.where(np.isnan(primal), np.nan, slope))
    return found
