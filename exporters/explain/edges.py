"""The local derivatives of an explained graph: one for each node and argument, with its selection.

A node that has an argument twice, as in `x*x`, has one derivative by it: the sum.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

from ...autodiff.flow import Flow, constant, settled
from ...autodiff.local import local, marked
from ...autodiff.ops.rules import Expr

if TYPE_CHECKING:
    from ...autodiff.graph import Graph
    from ...autodiff.ops.rules import Operand


class Path(NamedTuple):
    """A partial derivative and the condition it is under (None: it always counts), as nodes."""

    partial: int
    condition: int | None
    settled: int


class Edge(NamedTuple):
    """A node, an argument of it, and the partial derivatives by it.

    `held` tells that the other arguments depend on this one too, so that the derivative is partial.
    """

    node: int
    arg: int
    paths: tuple[Path, ...]
    held: bool

    def counting(self, values: Mapping[int, float]) -> list[Path]:
        """Return the paths that are selected, or may be."""
        return [
            path
            for path in self.paths
            if path.condition is None or values.get(path.condition, 1.0) != 0.0
        ]

    def chosen(self, values: Mapping[int, float]) -> bool:
        """Tell whether a known condition decided that the edge counts."""
        return any(path.condition in values for path in self.paths if path.condition is not None)


def edges(graph: Graph, nodes: Iterable[int], active: Sequence[int]) -> dict[int, list[Edge]]:
    """Append the local derivatives of nodes by their active arguments; return them by node."""
    found: dict[int, list[Edge]] = {}
    with graph.derived():
        for index in nodes:
            graph.make_for(index)
            args = graph.nodes[index].args
            marks = tuple([active[arg] for arg in args])
            paths: dict[int, list[Path]] = {args[k]: [] for k in marked(marks)}
            for k, partial, condition in local(graph, index, marks):
                paths[args[k]].append(path(graph, partial, condition))
            found[index] = [
                Edge(index, arg, tuple(several), held(graph, args, arg))
                for arg, several in paths.items()
            ]
    return found


def path(graph: Graph, partial: Operand, condition: Expr | None) -> Path:
    """Return a partial derivative and its condition as nodes."""
    value = partial if isinstance(partial, Expr) else constant(graph, partial)
    whole = settled(Flow(value, condition))
    return Path(value.node, None if condition is None else condition.node, whole.node)


def held(graph: Graph, args: Sequence[int], arg: int) -> bool:
    """Tell whether another argument depends on this one."""
    return any(other != arg and graph.dependents([arg], other)[other] for other in args)


def total(graph: Graph, paths: Sequence[Path], values: Mapping[int, float]) -> int:
    """Return the node of the sum of partial derivatives; conditions that are not known stay."""
    parts = [
        Expr(graph, one.partial if one.condition in (None, *values) else one.settled)
        for one in paths
    ]
    return reduce(Expr.__add__, parts).node if parts else graph.constant(0.0)
