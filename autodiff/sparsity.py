"""Which entries of outputs depend on which entries of inputs: the structure of a Jacobian.

Patterns are carried from the inputs on, node by node, without running anything: an elementwise op
depends on what its arguments depend on, entry by entry, an op that moves elements on what its rule
says (`reach.py`). A zero of the structure is one at all values.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from .bearing import bearing, handed_on
from .forward import between
from .local import followed
from .pattern import Pattern, diagonal, empty, joined, listed, stacked, taken, union
from .reach import Call, Reach
from .seeds import shapes_of

if TYPE_CHECKING:
    from .graph import Graph, Shape, Shapes


class Cell:
    """The columns that a number depends on; numbers that depend on the same share one.

    `uses` is how often it will still be asked for: who asks last may add to it.
    """

    __slots__ = ("columns", "uses")

    def __init__(self, columns: set[int], uses: int = 0) -> None:
        self.columns = columns
        self.uses = uses


Reached: TypeAlias = "Cell | Pattern"
"""What a node depends on: the columns of a number, or of each entry of an array."""


def structure(
    graph: Graph, nodes: Sequence[int], by: Sequence[int], shapes: Shapes | None
) -> Pattern:
    """Return the pattern of the Jacobian: the entries of `nodes`, in order, by those of `by`.

    Neither has a node twice. Raises `FormulaError` where it has more entries than anybody can hold.
    """
    sizes = [prod(shape) for shape in shapes_of(by, shapes)]
    firsts = dict(zip(by, np.cumsum([0, *sizes]).tolist(), strict=False))
    spread = Spread(graph, nodes, firsts, sum(sizes), shapes)
    spread.run()
    blank = [empty(prod(shape)) for shape in shapes_of(nodes, shapes)]
    return in_rows([spread.found.get(node, none) for node, none in zip(nodes, blank, strict=True)])


class Spread:
    """A walk from what is differentiated by, `firsts` (node to first column), to `nodes`.

    `found` has what nodes depend on, as long as somebody will ask.
    """

    def __init__(
        self,
        graph: Graph,
        nodes: Sequence[int],
        firsts: Mapping[int, int],
        width: int,
        shapes: Shapes | None,
    ) -> None:
        self.found: dict[int, Reached] = {}
        self._graph = graph
        self._firsts = firsts
        self._width = width
        self._shapes = shapes
        self._reach = Reach()
        self._path = between(graph, firsts, nodes)
        reached, kinked = {*self._path}, bearing(graph, self._path)
        self._followed = [
            [k for k in read(graph, index, shapes, kinked) if graph.nodes[index].args[k] in reached]
            for index in self._path
        ]
        self._uses = dict.fromkeys(nodes, 1)
        for index, places in zip(self._path, self._followed, strict=True):
            for k in places:
                arg = graph.nodes[index].args[k]
                self._uses[arg] = self._uses.get(arg, 0) + 1

    def run(self) -> None:
        """Walk."""
        for index, places in zip(self._path, self._followed, strict=True):
            args = self._graph.nodes[index].args
            held = {k: self.found[args[k]] for k in places if args[k] in self.found}
            for one in held.values():
                if isinstance(one, Cell):
                    one.uses -= 1
            parts = [self._at(index, held)] if held else []
            if index in self._firsts:
                parts.append(self._start(index))
            if parts and index in self._uses:
                self._keep(index, parts)
            self._drop([args[k] for k in places])

    def _keep(self, index: int, parts: Sequence[Reached]) -> None:
        whole = parts[0] if len(parts) == 1 else merged(parts, self._width)
        if isinstance(whole, Cell):
            whole.uses += self._uses[index]
        self.found[index] = whole

    def _drop(self, args: Sequence[int]) -> None:
        for arg in args:
            self._uses[arg] -= 1
            if not self._uses[arg]:
                self.found.pop(arg, None)

    def _shape(self, index: int) -> Shape:
        return self._shapes[index] if self._shapes else ()

    def _start(self, index: int) -> Reached:
        shape, first = self._shape(index), self._firsts[index]
        return diagonal(first, prod(shape)) if shape else Cell({first})

    def _at(self, index: int, held: Mapping[int, Reached]) -> Reached:
        """Return what a node depends on through some of its arguments."""
        node, shape = self._graph.nodes[index], self._shape(index)
        if node.op.move is None:
            parts = [
                repeated(one, self._shape(node.args[k]), shape) if shape else one
                for k, one in held.items()
            ]
            return merged(parts, self._width)
        shapes = [self._shape(arg) for arg in node.args]
        seed = self._graph.seed
        call = Call(node.op, node.attrs, tuple(shapes), shape, tuple(held), seed)
        rows = moved(self._reach, call, [*held.values()], self._width)
        return rows if shape else Cell(set(rows.columns.tolist()))


def read(graph: Graph, index: int, shapes: Shapes | None, kinked: Collection[int]) -> list[int]:
    """Return the arguments by which a node has a derivative, or a kink that it hands on."""
    handed = {k for k, _ in handed_on(graph, index, kinked)} if kinked else set[int]()
    return sorted(handed.union(followed(graph, index, shapes)))


def repeated(one: Reached, shape: Shape, wanted: Shape) -> Pattern:
    """Return what an argument depends on, broadcast to another shape."""
    rows = in_rows([one])
    if shape == wanted:
        return rows
    numbers = np.arange(rows.height).reshape(shape)
    return taken(rows, np.broadcast_to(numbers, wanted).ravel())


def moved(reach: Reach, call: Call, held: Sequence[Reached], width: int) -> Pattern:
    """Return what the result of a call depends on through the arguments that are followed."""
    sources = reach.sources(call)
    parts = [in_rows(held)] if len(sources) == 1 else [in_rows([one]) for one in held]
    found = [
        taken(rows if groups is None else joined(groups, rows, width), which)
        for rows, (which, groups) in zip(parts, sources, strict=True)
    ]
    return union(found, width)


def merged(parts: Sequence[Reached], width: int) -> Reached:
    """Return what depends on all of some parts, all numbers or all arrays of one shape."""
    cells = [part for part in parts if isinstance(part, Cell)]
    if len(cells) < len(parts):
        return union([part for part in parts if isinstance(part, Pattern)], width)
    most = max(cells, key=lambda cell: len(cell.columns))
    others = [cell.columns for cell in cells if cell is not most]
    if all(columns <= most.columns for columns in others):
        return most
    if not most.uses:
        most.columns.update(*others)
        return most
    return Cell(most.columns.union(*others))


def in_rows(parts: Sequence[Reached]) -> Pattern:
    """Return what some nodes depend on, entry by entry, below each other."""
    if len(parts) == 1 and isinstance(parts[0], Pattern):
        return parts[0]
    if all(isinstance(part, Cell) for part in parts):
        return listed([part.columns for part in parts if isinstance(part, Cell)])
    return stacked(
        [part if isinstance(part, Pattern) else listed([part.columns]) for part in parts]
    )
