"""What an op says of a node, its partials and their conditions, appended to the graph.

A rule is a function of expressions. It is run once for an op and the arguments asked for, on a
scratch graph; what it appends there is a template, and is appended wherever the op stands. A rule
that looks at numbers has a template for each that is frequent; else, and where it asks what a
scratch graph cannot tell, it is run in place.

What is said is said in one of two ways: whole partials, to be shown, or what a flow is multiplied
and divided by (`Quotient`).
"""

from __future__ import annotations

import itertools
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from .flow import standing
from .graph import Graph, Node
from .ops.arithmetic import div
from .ops.leaves import placeholder
from .ops.rules import At, Each, Expr, Operand, Quotient, Slope

if TYPE_CHECKING:
    from .graph import Shapes
    from .ops.table import Op

KEPT = 1024
"""The most templates that are kept."""

MOST = 16.0
"""Up to here, whole and half numbers have templates where a rule looks at numbers."""

Local: TypeAlias = tuple[int, Operand, Expr | None]
"""The place of an argument, the partial by it, and the condition that it is under."""

Weight: TypeAlias = tuple[int, Slope, Expr | None]
"""The same with what a flow is multiplied by."""

Numbers: TypeAlias = tuple[str | None, ...]
"""Which arguments are numbers, spelled so that -0.0 is not 0.0, and nan is nan."""


class Edge(NamedTuple):
    """What is said of argument k: nodes to append first, then the partial and its condition.

    Nodes are known by slots: the node itself is in slot 0, its arguments are in the next, and what
    is appended comes behind them. A partial that is a number is in `number`; one that is a quotient
    is divided by what is `below`, which is empty where partials are whole.
    """

    k: int
    appended: tuple[Node, ...]
    number: float | None
    slope: int
    condition: int | None
    below: tuple[int, ...]


class Template(NamedTuple):
    """What an op says of its arguments; `straight` where no partial is under a condition.

    `kinked` where twins are in it.
    """

    edges: tuple[Edge, ...]
    straight: bool
    kinked: bool


class Scratch(Graph):
    """A graph that templates are made on; `unsure` where a rule has asked more than it knows."""

    def __init__(self, numbers: Numbers | None) -> None:
        super().__init__()
        self.numbers = numbers
        self.unsure = False

    def literal(self, index: int) -> float | None:
        """Return the number of a scalar constant, None for every other node."""
        if self.numbers is None and self.nodes[index].op is placeholder:
            self.unsure = True
        return super().literal(index)

    def is_closed(self, index: int) -> bool:
        """Tell whether no input is in the node: here an input may stand for what has none."""
        if not super().is_closed(index):
            self.unsure = True
            return False
        return True

    def leaf(self, slot: int) -> int:
        """Return what stands for the node itself, or for an argument."""
        number = self.numbers[slot - 1] if self.numbers and slot else None
        if number is None:
            return self.placeholder(f"{slot}")
        return self.constant(float.fromhex(number))


def local(graph: Graph, index: int, marks: tuple[int, ...]) -> Iterator[Local]:
    """Yield, for each argument that is marked, its partial and the condition that it is under.

    Left out are arguments whose partial is 0 everywhere; a condition of None always holds.
    """
    op, args, _ = graph.nodes[index]
    found = template_of(graph, index, marks, whole=True)
    if found is None:
        yield from op.local(standing(graph, index, None), marked(marks))
        return
    slots = [index, *args]
    for edge in found.edges:
        append(graph, slots, edge.appended)
        yield edge.k, top_of(graph, slots, edge), condition_of(graph, slots, edge)


def weights(graph: Graph, index: int, marks: tuple[int, ...]) -> Iterator[Weight]:
    """Yield the same with what a flow is multiplied by: of a quotient its parts."""
    op, args, _ = graph.nodes[index]
    slots = [index, *args]
    found = template_of(graph, index, marks, whole=False)
    if found is None:
        for k, slope, condition in op.local(standing(graph, index, None), marked(marks)):
            yield k, parted(slope, slots), condition
        return
    for edge in found.edges:
        append(graph, slots, edge.appended)
        top, condition = top_of(graph, slots, edge), condition_of(graph, slots, edge)
        below = tuple([Expr(graph, slots[slot]) for slot in edge.below])
        yield edge.k, Quotient(top, below) if below else top, condition


def top_of(graph: Graph, slots: Sequence[int], edge: Edge) -> Operand:
    """Return an edge's partial, of a quotient what is above."""
    return Expr(graph, slots[edge.slope]) if edge.number is None else edge.number


def condition_of(graph: Graph, slots: Sequence[int], edge: Edge) -> Expr | None:
    """Return the condition that an edge is under."""
    return None if edge.condition is None else Expr(graph, slots[edge.condition])


def parted(slope: Operand, own: Container[int]) -> Slope:
    """Return a quotient as its parts, unless the partial is one of the node's own arguments."""
    below: list[Expr] = []
    while isinstance(slope, Expr) and slope.node not in own:
        graph = slope.graph
        op, args, _ = graph.nodes[slope.node]
        if op is div:
            below.insert(0, Expr(graph, args[1]))
            slope = Expr(graph, args[0])
            continue
        number = Graph.literal(graph, slope.node)
        slope = slope if number is None else number
        break
    return Quotient(slope, tuple(below)) if below else slope


def straight(graph: Graph, index: int, marks: tuple[int, ...]) -> tuple[Edge, ...] | None:
    """Return what is said of marked arguments, None where that is more than their partials."""
    if graph.nodes[index].op.move is not None:
        return None
    found = template_of(graph, index, marks, whole=False)
    return found.edges if found and found.straight else None


def template_of(graph: Graph, index: int, marks: tuple[int, ...], whole: bool) -> Template | None:
    """Return the template of a node's op, None where its rules are run in place."""
    op, args, _ = graph.nodes[index]
    if op.kink and len(set(args)) < len(args):  # max(x, x) has none
        return None
    found = template(op, marks, None, whole)
    if found is None and (numbers := numbers_of(graph, args)) is not None:
        found = template(op, marks, numbers, whole)
    if found is not None and found.kinked:
        graph.kinked = True
    return found


def append(graph: Graph, slots: list[int], nodes: Iterable[Node]) -> None:
    """Append nodes of a template to the graph, and to the slots."""
    for node in nodes:
        op, taken, attrs = node
        args = tuple([slots[slot] for slot in taken])
        slots.append(graph.add(op, args, attrs) if args else graph.adopt(node))


def numbers_of(graph: Graph, args: Iterable[int]) -> Numbers | None:
    """Return which arguments are numbers, None where one is too rare for a template of its own."""
    literals = [graph.literal(arg) for arg in args]
    if not all(number is None or is_frequent(number) for number in literals):
        return None
    return tuple([None if number is None else number.hex() for number in literals])


def is_frequent(number: float) -> bool:
    """Tell whether a number is one of those that formulas have most: 2, -1, 0.5."""
    return abs(number) <= MOST and (2.0 * number).is_integer()


def labels_of(node: Node, shapes: Shapes | None) -> tuple[int, ...]:
    """Return which arguments of a node are labels: by them there is no derivative."""
    if node.op.labels is None or shapes is None:
        return ()
    return node.op.labels(tuple([shapes[arg] for arg in node.args]))


def followed(graph: Graph, index: int, shapes: Shapes | None) -> list[int]:
    """Return the arguments by which a node has a derivative."""
    node = graph.nodes[index]
    rules, count = node.op.partials, len(node.args)
    if node.op.move is None and not isinstance(rules, Each):
        return [k for k in range(count) if rules[k] is not None]
    labels = labels_of(node, shapes)
    return [k for k in range(count) if k not in labels]


def marked(marks: Sequence[int]) -> list[int]:
    """Return the places that are marked."""
    return [k for k, mark in enumerate(marks) if mark]


@lru_cache(KEPT)
def template(
    op: Op, marks: tuple[int, ...], numbers: Numbers | None, whole: bool
) -> Template | None:
    """Return what an op says of its arguments, None where its rules ask more than is known.

    With `numbers` it is known which arguments are numbers, without them nothing is. Partials are
    `whole`, or quotients are in parts.
    """
    scratch = Scratch(numbers)
    leaves = [scratch.leaf(slot) for slot in range(len(marks) + 1)]
    # Arguments that are the same number are one leaf: it is known by the first one's slot.
    slots = {leaf: slot for slot, leaf in reversed([*enumerate(leaves)])}
    free = len(leaves)
    edges: list[Edge] = []
    result, *args = [Expr(scratch, leaf) for leaf in leaves]
    for k, said, condition in op.local(At(result, tuple(args), (), ()), marked(marks)):
        slope = said if whole else parted(said, leaves)
        made = [node for node in needed(scratch, slope, condition) if node not in slots]
        slots.update(zip(made, itertools.count(free)))
        free += len(made)
        edges.append(edge(slots, k, [scratch.nodes[node] for node in made], slope, condition))
    plain = all(one.condition is None for one in edges)
    return None if scratch.unsure else Template(tuple(edges), plain, scratch.kinked)


def needed(graph: Graph, slope: Slope, condition: Expr | None) -> list[int]:
    """Return the nodes that are needed for what a flow is multiplied by, and its condition."""
    parts = (slope.top, *slope.below) if isinstance(slope, Quotient) else (slope,)
    return graph.needed([one.node for one in (*parts, condition) if isinstance(one, Expr)])


def edge(
    slots: Mapping[int, int], k: int, made: Iterable[Node], slope: Slope, condition: Expr | None
) -> Edge:
    """Return what is said of argument k, its nodes known by slots."""
    appended = [Node(op, tuple([slots[arg] for arg in args]), attrs) for op, args, attrs in made]
    top, below = slope if isinstance(slope, Quotient) else (slope, ())
    return Edge(
        k,
        tuple(appended),
        None if isinstance(top, Expr) else top,
        slots[top.node] if isinstance(top, Expr) else 0,
        None if condition is None else slots[condition.node],
        tuple([slots[one.node] for one in below]),
    )
