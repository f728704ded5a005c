"""The computational graph: a list of interned nodes, in topological order by construction.

A node can only be made from nodes that exist, so nobody ever sorts or recurses. A node is an op,
its arguments (indices of earlier nodes) and its attributes, and nothing else; names, source offsets
and scopes are side tables of the graph, values and shapes are results of passes.
"""

from __future__ import annotations

import gc
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import compress
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, cast

from .errors import NOWHERE, GraphError, Place, Sources
from .ops.leaves import constant, placeholder

if TYPE_CHECKING:
    from .ops.table import Composition, Op

Nested: TypeAlias = "float | tuple[Nested, ...]"
"""A constant: a number, or a rectangular nesting of tuples of numbers."""

Shape: TypeAlias = tuple[int, ...]

Shapes: TypeAlias = Mapping[int, Shape]
"""The shape of each node that matters."""

Attribute: TypeAlias = "str | Nested | Shape | None"

ELSEWHERE = -2
"""The node that a node was made for, where that one is not in the graph any more."""

FEW, MANY = 64, 16
"""Nodes are few where they are at most so many, and a part of all before the last."""

MAX_NODES = 10_000_000
"""The default limit on nodes: few characters of doubling functions can ask for any number."""


class Node(NamedTuple):
    """An operation applied to earlier nodes; `attrs` are in the order of `op.attributes`."""

    op: Op
    args: tuple[int, ...]
    attrs: tuple[Attribute, ...]

    @property
    def value(self) -> Nested:
        """The number, or the array of numbers, of a constant."""
        return cast("Nested", self.attrs[0])


def shape_of_nested(value: Nested) -> Shape:
    """Return the shape of a constant."""
    shape: list[int] = []
    while isinstance(value, tuple):
        shape.append(len(value))
        value = value[0] if value else 0.0
    return tuple(shape)


def spelled(value: Nested) -> object:
    """Return what two constants have in common when their bits agree."""
    if not isinstance(value, tuple):
        return repr(value)
    from array import array

    shape = shape_of_nested(value)
    rows: list[Any] = [value]
    for _ in shape[1:]:
        rows = [row for outer in rows for row in outer]
    return shape, b"".join([array("d", row).tobytes() for row in rows])


@contextmanager
def undisturbed() -> Generator[None, None, None]:
    """Pause the garbage collector while millions of small things are made, none of them garbage.

    They are old at once: no collection of young things goes over them afterwards.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            if not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
            gc.enable()


class Graph:
    """Nodes in topological order, with the names and places that people gave them.

    Nodes are known by their index. `spans[i]` is the source offset of node i or `NOWHERE`;
    `came_from[i]`, where a pass made node i, is the node before it that it was made for, or
    `ELSEWHERE`. `names` maps each
    assigned name to its (latest) node, `placeholders` each input's name to its node, in order of
    appearance, `defaults` and `shapes` an input's name to its default and to its declared shape,
    `scopes` a node to the path of the calls it was made in (`"f/g_1"`), and `made_by` to the
    function of the table, written with other ops, that it is a part of. `letters` maps a constant
    that was written by its name (`tau`) to that name, which a binding may give another value, and
    the exponential that stands for a power of `e` to its base.
    """

    def __init__(self, max_nodes: int = MAX_NODES) -> None:
        self.nodes: list[Node] = []
        self.spans: list[int] = []
        self.came_from: dict[int, int] = {}
        self.names: dict[str, int] = {}
        self.placeholders: dict[str, int] = {}
        self.defaults: dict[str, Nested] = {}
        self.shapes: dict[str, Shape] = {}
        self.scopes: dict[int, str] = {}
        self.made_by: dict[int, Composition] = {}
        self.letters: dict[int, str] = {}
        self.outputs: list[int] = []
        self.called: dict[int, str] = {}
        """By the place of an output: the name that the program asks for it by."""
        self.lost: dict[int, tuple[int, ...]] = {}
        """By a derivative that a program asks for and that is nothing: the inputs it was of."""
        self.sources = Sources()
        self.max_nodes = max_nodes
        self.seed = 0
        """What random numbers are drawn from."""
        self.training = False
        """Whether training is meant where the graph says something of it and of inference."""
        self.kinked = False
        """Whether twins are in it: nodes that have no derivative at a kink."""
        self.cut_short = False
        """Whether a simplification stopped before its end."""
        self.at = NOWHERE
        """The source offset that new nodes get."""
        self.scope = ""
        """The scope that new nodes get."""
        self.origin = NOWHERE
        """The node that new nodes are made for, while a pass runs."""
        self._index: dict[tuple[object, ...], int] = {}
        self._closed: dict[int, bool] = {}
        self._entered: dict[str, int] = {}

    def __len__(self) -> int:
        """Return the number of nodes."""
        return len(self.nodes)

    # -- making nodes ---------------------------------------------------------------------------

    def add(self, op: Op, args: tuple[int, ...] = (), attrs: tuple[Attribute, ...] = ()) -> int:
        """Return the node of `op` at `args`, the one there is or a new one.

        Raises `GraphError` where the graph would outgrow `max_nodes`.
        """
        parts = (op, args, attrs)
        found = self._index.get(parts)
        if found is not None:
            return found
        # As `Node(...)`, without its call: nodes are made by the million.
        node = tuple.__new__(Node, parts)
        return self._append(node, node)

    def constant(self, value: Nested, letter: str | None = None) -> int:
        """Return the node of a constant; constants are one node when their bits agree.

        One that is written by a name, its `letter`, is another than the same number in digits.
        """
        # 0.0 == -0.0 and nan != nan as keys, so these go by their spelling.
        plain = type(value) is float and value == value and value != 0.0
        key = (constant, letter or (value if plain else spelled(value)))
        found = self._index.get(key)
        if found is not None:
            return found
        index = self._append(key, Node(constant, (), (value,)))
        if letter:
            self.letters[index] = letter
        return index

    def placeholder(self, name: str) -> int:
        """Return the input called `name`, made at its first mention."""
        found = self.placeholders.get(name)
        if found is None:
            found = self.placeholders[name] = self.add(placeholder, (), (name,))
        return found

    def adopt(self, node: Node, args: tuple[int, ...] = (), letter: str | None = None) -> int:
        """Return this graph's node for a node of another graph, at arguments of its own."""
        if node.op is constant:
            return self.constant(node.value, letter)
        if node.op is placeholder:
            return self.placeholder(str(node.attrs[0]))
        if node.op.plain is not None:
            self.kinked = True
        if letter is not None:
            return self.natural(node.op, args, letter)
        return self.add(node.op, args, node.attrs)

    def natural(self, op: Op, args: tuple[int, ...], letter: str) -> int:
        """Return the node of an op that stands for a power of a letter: exp(x) for e^x.

        It is another than the op as it is called: the letter may be bound later.
        """
        key = (op, args, (), letter)
        found = self._index.get(key)
        if found is None:
            found = self._append(key, Node(op, args, ()))
            self.letters[found] = letter
        return found

    def take_tables(self, source: Graph, new: Mapping[int, int]) -> None:
        """Take what the side tables of a graph say of the nodes that became nodes of this one."""
        self.sources, self.seed, self.training = source.sources, source.seed, source.training
        inputs = self.placeholders
        self.defaults = {name: held for name, held in source.defaults.items() if name in inputs}
        self.shapes = {name: held for name, held in source.shapes.items() if name in inputs}
        self.names = {name: new[node] for name, node in source.names.items() if node in new}
        for node, index in new.items():
            origin = source.came_from.get(node)
            scope = source.scopes.get(node) or source.scopes.get(node if origin is None else origin)
            if scope:
                self.scopes.setdefault(index, scope)
            if node in source.made_by:
                self.made_by.setdefault(index, source.made_by[node])
            if origin is not None:
                before = new.get(origin, index)
                self.came_from.setdefault(index, before if before < index else ELSEWHERE)

    def substituted(self, node: int, meanings: Mapping[int, int]) -> int:
        """Return a node with other nodes in the place of some that it is made from."""
        marks = self.dependents(meanings, node)
        found = dict(meanings)
        for index in self.needed([node]):
            if marks[index] and index not in found:
                op, args, attrs = self.nodes[index]
                self.at = self.spans[index]
                found[index] = self.add(op, tuple([found.get(arg, arg) for arg in args]), attrs)
        return found.get(node, node)

    def inner_scope(self, name: str) -> str:
        """Return a scope in the present one, for one call of a function: `f/g`, then `f/g_1`."""
        path = f"{self.scope}/{name}" if self.scope else name
        found = path
        while found in self._entered:
            found = f"{path}_{self._entered[path]}"
            self._entered[path] += 1
        self._entered[found] = 1
        return found

    def _append(self, key: tuple[object, ...], node: Node) -> int:
        nodes = self.nodes
        index = len(nodes)
        if index >= self.max_nodes:
            raise GraphError(
                f"the graph would have more than {self.max_nodes:,} nodes",
                self.place(self.at),
                "raise the limit with --max-nodes",
            )
        nodes.append(node)
        self.spans.append(self.at)
        self._index[key] = index
        if self.scope:
            self.scopes[index] = self.scope
        if self.origin != NOWHERE:
            self.came_from[index] = self.origin
        return index

    @contextmanager
    def derived(self) -> Generator[None, None, None]:
        """Let a pass set `at` and `origin` as it goes; both are as before when it ends."""
        before = self.at, self.origin
        try:
            with undisturbed():
                yield
        finally:
            self.at, self.origin = before

    def make_for(self, index: int) -> None:
        """Give the nodes made from here on the place of node `index`, and it as their origin."""
        self.at, self.origin = self.spans[index], index

    # -- asking ---------------------------------------------------------------------------------

    def place(self, offset: int, length: int = 1) -> Place | None:
        """Return the place in the source of an offset, or None."""
        return self.sources.place(offset, length)

    def needed(self, wanted: Iterable[int]) -> list[int]:
        """Return the nodes that `wanted` are computed from, themselves included, in order."""
        wanted = set(wanted)
        few = self._few(wanted)
        if few is not None:
            return few
        marks = self.need(wanted)
        return list(compress(range(len(marks)), marks))

    def around(self, wanted: Iterable[int]) -> Sequence[int]:
        """Return nodes in order, those that `wanted` are computed from among them.

        Where these are many they are all up to the last: to look for them would take longer.
        """
        wanted = set(wanted)
        few = self._few(wanted)
        return range(max(wanted, default=-1) + 1) if few is None else few

    def _few(self, wanted: set[int]) -> list[int] | None:
        """Return the nodes that `wanted` are computed from, in order, None where they are many.

        One of many outputs may need few of the nodes before it; to mark them all would make the
        answers for all outputs quadratic in their number.
        """
        most = FEW + max(wanted, default=0) // MANY
        found, pending, nodes = set(wanted), list(wanted), self.nodes
        while pending:
            for arg in nodes[pending.pop()].args:
                if arg not in found:
                    found.add(arg)
                    pending.append(arg)
            if len(found) > most:
                return None
        return sorted(found)

    def need(self, wanted: Iterable[int]) -> bytearray:
        """Return a mark for each node up to the last of `wanted`: is one computed from it?"""
        nodes, wanted = self.nodes, set(wanted)
        marks = bytearray(max(wanted, default=-1) + 1)
        for index in wanted:
            marks[index] = 1
        for index in range(len(marks) - 1, -1, -1):
            if marks[index]:
                for arg in nodes[index].args:
                    marks[arg] = 1
        return marks

    def inputs(self, wanted: Iterable[int] | None = None) -> dict[str, int]:
        """Return the inputs that `wanted` (the outputs) need, by name, as they first appear.

        With the outputs' are those of which a derivative was asked for, and is nothing as it does
        not depend on what it is by: who writes d(C, S) takes C for more than a number.
        """
        marks = self.need(self.outputs if wanted is None else wanted)
        lost = [arg for node in self.lost if any(marks[node : node + 1]) for arg in self.lost[node]]
        if lost and wanted is None:
            marks = self.need([*self.outputs, *lost])
        found = self.placeholders.items()
        return {name: node for name, node in found if node < len(marks) and marks[node]}

    def dependents(
        self, sources: Iterable[int], last: int, among: Sequence[int] | None = None
    ) -> bytearray:
        """Return a mark for each node up to `last`: does it depend on one of `sources`?

        Only nodes of `among`, which are in order and include what they are computed from, are
        looked at where these are given.
        """
        marks = bytearray(last + 1)
        nodes, first = self.nodes, last + 1
        for index in sources:
            if index <= last:
                marks[index] = 1
                first = min(first, index)
        if among is None or isinstance(among, range):
            among = range(first, last + 1)
        for index in among:
            for arg in nodes[index].args:
                if marks[arg]:
                    marks[index] = 1
                    break
        return marks

    def is_closed(self, index: int) -> bool:
        """Tell whether no input is in the node: it is the same number at all bindings."""
        known = self._closed
        stack = [index]
        while stack:
            node = self.nodes[stack[-1]]
            unknown = [arg for arg in node.args if arg not in known]
            if unknown:
                stack.extend(unknown)
            else:
                here = stack.pop()
                known[here] = node.op is not placeholder and all(known[arg] for arg in node.args)
        return known[index]

    def literal(self, index: int) -> float | None:
        """Return the number of a scalar constant, None for every other node."""
        op, _, attrs = self.nodes[index]
        if op is not constant:
            return None
        value = attrs[0]
        return value if isinstance(value, float) else None

    def names_of(self) -> dict[int, list[str]]:
        """Return the assigned names of each node that has any."""
        found: dict[int, list[str]] = {}
        for name, node in self.names.items():
            found.setdefault(node, []).append(name)
        return found

    def output_name(self, output: int) -> str | None:
        """Return the first assigned name of an output; an input's own name is none."""
        return next((name for name, node in self.names.items() if node == output), None)

    def first_names(self) -> dict[int, str]:
        """Return the first assigned name of each node that has any: `output_name` of many."""
        return {node: name for name, node in reversed(self.names.items())}

    def output_names(self) -> list[str | None]:
        """Return the name of each output: that by which the program asks for it, else the first.

        Two outputs may be one node, which has the names of both.
        """
        first = self.first_names()
        asked = [self.called.get(k, "") for k in range(len(self.outputs))]
        return [
            name if self.names.get(name) == output else first.get(output)
            for name, output in zip(asked, self.outputs, strict=True)
        ]

    def named(self, name: str) -> int | None:
        """Return the node that a name stands for: an assigned name, or an input."""
        return self.names.get(name, self.placeholders.get(name))

    def walk(self, indices: Iterable[int]) -> Iterator[tuple[int, Node]]:
        """Yield each index with its node."""
        return ((index, self.nodes[index]) for index in indices)


def check(graph: Graph) -> None:
    """Raise `GraphError` unless the graph is what every pass may rely on.

    Arguments come before their node, as many as the op takes; nodes are interned; the side tables
    speak of nodes that exist, and what a node was made for is before it.
    """
    seen: set[object] = set()
    for index, node in enumerate(graph.nodes):
        if not all(0 <= arg < index for arg in node.args):
            raise GraphError(f"node {index} ({node.op.name}) has an argument that is not before it")
        if not node.op.takes(len(node.args)):
            raise GraphError(f"node {index} ({node.op.name}) has {len(node.args)} arguments")
        if len(node.attrs) != len(node.op.attributes):
            raise GraphError(f"node {index} ({node.op.name}) has {len(node.attrs)} attributes")
        key = (node.op, node.args, repr(node.attrs), graph.letters.get(index))
        if key in seen:
            raise GraphError(f"node {index} ({node.op.name}) is there twice")
        seen.add(key)
    tables: Sequence[Iterable[int]] = (
        graph.outputs,
        graph.names.values(),
        graph.placeholders.values(),
        graph.scopes,
        graph.made_by,
        graph.letters,
        graph.came_from,
        graph.lost,
    )
    for index, origin in graph.came_from.items():
        if origin != ELSEWHERE and not 0 <= origin < index:
            raise GraphError(f"node {index} was made for node {origin}, which is not before it")
    if len(graph.spans) != len(graph) or any(not 0 <= n < len(graph) for t in tables for n in t):
        raise GraphError("a side table speaks of a node that does not exist")
