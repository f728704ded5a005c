"""Sparse Jacobians and Hessians: structure found, columns coloured, a pass run for each colour.

Both are prepared for the shapes of some inputs and then run at any values. Zeros of the structure
are left out; an entry that is 0 besides is there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import accumulate
from math import prod
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from .arrangement import Arrangement
from .colouring import Colouring, coloured, starred
from .compressed import Compressed, Recovery, Way, flat
from .evaluate import complete
from .flow import Flow, settled
from .forward import push
from .gradient import Mode, check_mode
from .graph import undisturbed
from .pattern import Indices, Pattern, transposed, union
from .results import Result
from .reverse import pull, reverse
from .seeds import shapes_of
from .shapes import shapes_at
from .sparsity import structure
from .undefined import Undefined

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from .evaluate import Value
    from .graph import Graph, Shapes
    from .shapes import Inferred


class Sparse(NamedTuple):
    """Outputs at the bindings, and the matrix of their derivatives.

    The rows of a Jacobian are the entries of all outputs in order; its columns, and both of a
    Hessian, are those of what it is by. `rows` and `columns` say how many belong to each; `passes`
    were run, in this mode.
    """

    results: list[Result]
    matrix: csr_array
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    passes: int
    mode: Literal["forward", "reverse"]


class SparseJacobian:
    """The Jacobian of nodes by others, for inputs of the shapes that `given` has.

    "auto" is the mode that takes fewer passes. Raises `UsageError` for another mode, `FormulaError`
    for shapes that do not fit and for more entries than anybody can hold.
    """

    def __init__(
        self,
        graph: Graph,
        nodes: Sequence[int],
        wrt: Mapping[str, int],
        given: Mapping[str, Value],
        mode: Mode = "auto",
    ) -> None:
        check_mode(mode)
        self._graph = graph
        self._asked, self._by = list(nodes), list(wrt.values())
        self._nodes, self._starts = each_once(self._asked), each_once(self._by)
        self.shapes = shapes_at(graph, graph.needed([*nodes, *self._by]), given)
        with undisturbed():
            self.pattern = structure(graph, self._nodes, self._starts, self.shapes)
        self._width = sum(sizes_of(self._starts, self.shapes))
        self.forward, self.colouring = coloured_either_way(self.pattern, self._width, mode)
        rows, columns = self.pattern.rows, self.pattern.columns
        colours = self.colouring.colours
        if self.forward:
            tangents = partial(pushed, graph, self._nodes, self.shapes)
            way = Way(self._starts, self._nodes, tangents)
            recovery = Recovery(colours[columns], rows)
        else:
            cotangents = partial(pull, graph, wrt=self._starts, shapes=self.shapes)
            way = Way(self._nodes, self._starts, cotangents)
            recovery = Recovery(colours[rows], columns)
        self._passes = Compressed(graph, self._nodes, way, self.shapes, self.colouring, recovery)
        self._arrangement = Arrangement(
            self.pattern,
            numbers_of(self._asked, self._nodes, self.shapes),
            numbers_of(self._by, self._starts, self.shapes),
            self._width,
        )

    @property
    def mode(self) -> Literal["forward", "reverse"]:
        """The mode that it is found by."""
        return "forward" if self.forward else "reverse"

    def at(self, given: Mapping[str, Value]) -> Sparse:
        """Return outputs and matrix. Raises `UsageError` for an input without a value."""
        found = self._passes.run(given)
        values = [found.values[node] for node in self._nodes]
        holes = np.isnan(flat(values, self._nodes, self.shapes))
        matrix = self._arrangement.matrix(found.entries, holes)
        names = self._graph.names_of()
        results = [
            Result(
                node,
                names.get(node, [None])[0],
                found.values[node],
                {},
                [] if k else found.culprits,
            )
            for k, node in enumerate(self._asked)
        ]
        rows, columns = (sizes_of(asked, self.shapes) for asked in (self._asked, self._by))
        return Sparse(results, matrix, rows, columns, self.colouring.number, self.mode)


class SparseHessian:
    """The Hessian of a node by others, for inputs of the shapes that `given` has.

    An output that is an array stands for its sum. Raises `FormulaError` for shapes that do not fit
    and for more entries than anybody can hold.
    """

    def __init__(
        self, graph: Graph, node: int, wrt: Mapping[str, int], given: Mapping[str, Value]
    ) -> None:
        self._graph, self._node, self._wrt = graph, node, wrt
        self._order = sorted(set(wrt.values()))
        shapes = shapes_at(graph, graph.needed([node, *self._order]), given)
        with undisturbed():
            self._slopes = reverse(graph, node, self._order, shapes)
            if shapes is not None:
                needed = graph.needed([node, *self._order, *self._slopes])
                shapes = shapes_at(graph, needed, given)
            found = structure(graph, self._slopes, self._order, shapes)
        self.shapes = shapes
        self._undefined = Undefined(graph, shapes)
        self._width = sum(sizes_of(self._order, shapes))
        self.pattern = union([found, transposed(found, self._width)], self._width)
        self.colouring, recovery = self._coloured()
        tangents = partial(pushed, graph, self._slopes, shapes)
        way = Way(self._order, self._order, tangents)
        nodes = each_once([node, *self._slopes])
        self._passes = Compressed(graph, nodes, way, shapes, self.colouring, recovery)
        numbers = numbers_of(list(wrt.values()), self._order, shapes)
        self._arrangement = Arrangement(self.pattern, numbers, numbers, self._width)

    def at(self, given: Mapping[str, Value]) -> Sparse:
        """Return output, gradient and matrix. Raises `UsageError` for an input without a value."""
        found = self._passes.run(given)
        value = found.values[self._node]
        slopes = zip(self._order, self._slopes, strict=True)
        plain = {start: found.values[slope] for start, slope in slopes}
        first = self._undefined.apply(self._node, value, plain, given)
        holes = np.isnan(flat([*first.values()], self._order, self.shapes))
        matrix = self._arrangement.matrix(found.entries, holes, holes)
        gradient = {name: first[start] for name, start in self._wrt.items()}
        name = self._graph.output_name(self._node)
        result = Result(self._node, name, value, gradient, found.culprits)
        sizes = sizes_of(list(self._wrt.values()), self.shapes)
        return Sparse([result], matrix, sizes, sizes, self.colouring.number, "forward")

    def _coloured(self) -> tuple[Colouring, Recovery]:
        """Return colours, and where the entries are found, those that mirror each other in one.

        Where one node is computed from another that it is differentiated by besides, the derivative
        by the later still depends on the earlier, but not the other way round: then the matrix is
        found as if it were not symmetric, and its lower triangle counts.
        """
        rows, columns = self.pattern.rows, self.pattern.columns
        low, high = np.minimum(rows, columns), np.maximum(rows, columns)
        apart = self._are_apart()
        colouring = starred(self.pattern) if apart else coloured(self.pattern, self._width)
        colours = colouring.colours
        turned = ~alone(self.pattern, colours, high, low) if apart else np.zeros(len(rows), bool)
        line, across = np.where(turned, high, low), np.where(turned, low, high)
        return colouring, Recovery(colours[line], across)

    def _are_apart(self) -> bool:
        """Tell whether no node that is differentiated by is computed from another."""
        last = self._order[-1] if self._order else -1
        marks = self._graph.dependents(self._order, last)
        return not any(marks[arg] for node in self._order for arg in self._graph.nodes[node].args)


def sparse_jacobian(
    graph: Graph,
    nodes: Sequence[int],
    wrt: Mapping[str, int],
    bindings: Mapping[str, Value],
    mode: Mode = "auto",
) -> Sparse:
    """Return `nodes` at the bindings and their Jacobian by `wrt`. Raises as its class does."""
    given = complete(graph, bindings)
    return SparseJacobian(graph, nodes, wrt, given, mode).at(given)


def sparse_hessian(
    graph: Graph, node: int, wrt: Mapping[str, int], bindings: Mapping[str, Value]
) -> Sparse:
    """Return a node at the bindings and its Hessian by `wrt`. Raises as its class does."""
    given = complete(graph, bindings)
    return SparseHessian(graph, node, wrt, given).at(given)


# -- passes ---------------------------------------------------------------------------------------


def pushed(
    graph: Graph, nodes: Sequence[int], shapes: Inferred | None, flows: Mapping[int, Flow]
) -> list[int]:
    """Append a forward pass; return the tangents of `nodes`."""
    return [settled(tangent).node for tangent in push(graph, nodes, flows, shapes)]


# -- rows and columns -----------------------------------------------------------------------------


def each_once(nodes: Sequence[int]) -> list[int]:
    """Return nodes in order, none twice."""
    return list(dict.fromkeys(nodes))


def sizes_of(nodes: Sequence[int], shapes: Shapes | None) -> tuple[int, ...]:
    """Return how many entries each node has."""
    return tuple([prod(shape) for shape in shapes_of(nodes, shapes)])


def numbers_of(wanted: Sequence[int], nodes: Sequence[int], shapes: Shapes | None) -> Indices:
    """Return where the entries of wanted nodes are among those of all."""
    sizes = sizes_of(nodes, shapes)
    where: dict[int, Indices] = {
        node: np.arange(end - size, end)
        for node, size, end in zip(nodes, sizes, accumulate(sizes), strict=True)
    }
    return np.concatenate([np.zeros(0, np.int64), *(where[node] for node in wanted)])


def coloured_either_way(pattern: Pattern, width: int, mode: Mode) -> tuple[bool, Colouring]:
    """Return whether columns are coloured (forward mode) or rows, and the colours.

    There are at least as many colours as a row (column) has entries: the way with fewer at least is
    tried first, the other where it may still do better.
    """
    turned = transposed(pattern, width)
    least = {True: most(pattern), False: most(turned)}
    order = [True, False] if least[True] <= least[False] else [False, True]
    if mode != "auto":
        order = [mode == "forward"]
    found: tuple[bool, Colouring] | None = None
    for forward in order:
        if found is None or least[forward] < found[1].number:
            rows, count = (pattern, width) if forward else (turned, pattern.height)
            colouring = coloured(rows, count)
            if found is None or colouring.number < found[1].number:
                found = forward, colouring
    assert found is not None, "one mode at least was tried"
    return found


def most(rows: Pattern) -> int:
    """Return how many entries the longest row has."""
    return int(rows.lengths.max(initial=0))


def alone(pattern: Pattern, colours: Indices, rows: Indices, columns: Indices) -> NDArray[np.bool_]:
    """Tell for each of some entries whether its row has no other of its column's colour."""
    count = int(colours.max(initial=0)) + 1
    keys, often = np.unique(pattern.rows * count + colours[pattern.columns], return_counts=True)
    single: NDArray[np.bool_] = often == 1
    return single[np.searchsorted(keys, rows * count + colours[columns])]
