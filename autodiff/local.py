"""What an op says of a node, its partials and their conditions, appended to the graph.

A rule is a function of expressions. It is run once for an op and the arguments asked for, on a
scratch graph; what it appends there is a template, and is appended wherever the op stands. A rule
that looks at numbers has a template for each that is frequent; else, and where it asks what a
scratch graph cannot tell, it is run in place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from .flow import standing
from .graph import Graph, Node
from .ops.leaves import placeholder
from .ops.rules import At, Expr, Operand

if TYPE_CHECKING:
    from .ops.table import Op

KEPT = 1024
"""The most templates that are kept."""

MOST = 16.0
"""Up to here, whole and half numbers have templates where a rule looks at numbers."""

Local: TypeAlias = tuple[int, Operand, Expr | None]
"""The place of an argument, the partial by it, and the condition that it is under."""

Numbers: TypeAlias = tuple[str | None, ...]
"""Which arguments are numbers, spelled so that -0.0 is not 0.0, and nan is nan."""


class Edge(NamedTuple):
    """What is said of argument k: nodes to append first, then the partial and its condition.

    Nodes are known by slots: the node itself is in slot 0, its arguments are in the next, and what
    is appended comes behind them. A partial that is a number is in `number`.
    """

    k: int
    appended: tuple[Node, ...]
    number: float | None
    slope: int
    condition: int | None


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
    found = template_of(graph, index, marks)
    if found is None:
        yield from op.local(standing(graph, index, None), marked(marks))
        return
    slots = [index, *args]
    for k, appended, number, slope, condition in found.edges:
        append(graph, slots, appended)
        yield (
            k,
            Expr(graph, slots[slope]) if number is None else number,
            None if condition is None else Expr(graph, slots[condition]),
        )


def straight(graph: Graph, index: int, marks: tuple[int, ...]) -> tuple[Edge, ...] | None:
    """Return what is said of marked arguments, None where that is more than their partials."""
    if graph.nodes[index].op.move is not None:
        return None
    found = template_of(graph, index, marks)
    return found.edges if found and found.straight else None


def template_of(graph: Graph, index: int, marks: tuple[int, ...]) -> Template | None:
    """Return the template of a node's op, None where its rules are run in place."""
    op, args, _ = graph.nodes[index]
    if op.kink and len(set(args)) < len(args):  # max(x, x) has none
        return None
    found = template(op, marks, None)
    if found is None and (numbers := numbers_of(graph, args)) is not None:
        found = template(op, marks, numbers)
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


def marked(marks: Sequence[int]) -> list[int]:
    """Return the places that are marked."""
    return [k for k, mark in enumerate(marks) if mark]


@lru_cache(KEPT)
def template(op: Op, marks: tuple[int, ...], numbers: Numbers | None) -> Template | None:
    """Return what an op says of its arguments, None where its rules ask more than is known.

    With `numbers` it is known which arguments are numbers, without them nothing is.
    """
    scratch = Scratch(numbers)
    leaves = [scratch.leaf(slot) for slot in range(len(marks) + 1)]
    # Arguments that are the same number are one leaf: it is known by the first one's slot.
    slots = {leaf: slot for slot, leaf in reversed([*enumerate(leaves)])}
    known, shift = len(scratch), len(leaves) - len(scratch)
    edges: list[Edge] = []
    result, *args = [Expr(scratch, leaf) for leaf in leaves]
    for k, slope, condition in op.local(At(result, tuple(args), (), ()), marked(marks)):
        made = scratch.nodes[known:]
        slots.update((node, node + shift) for node in range(known, len(scratch)))
        known = len(scratch)
        edges.append(edge(slots, k, made, slope, condition))
    plain = all(one.condition is None for one in edges)
    return None if scratch.unsure else Template(tuple(edges), plain, scratch.kinked)


def edge(
    slots: Mapping[int, int], k: int, made: Iterable[Node], slope: Operand, condition: Expr | None
) -> Edge:
    """Return what is said of argument k, its nodes known by slots."""
    appended = [Node(op, tuple([slots[arg] for arg in args]), attrs) for op, args, attrs in made]
    return Edge(
        k,
        tuple(appended),
        None if isinstance(slope, Expr) else slope,
        slots[slope.node] if isinstance(slope, Expr) else 0,
        None if condition is None else slots[condition.node],
    )
