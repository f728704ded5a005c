"""Ops that a target has no word for are replaced by their definitions, until there are none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ...autodiff.errors import FormulaError
from ...autodiff.graph import ELSEWHERE, Graph
from ...autodiff.ops import Expr

if TYPE_CHECKING:
    from ...autodiff.ops import Op

    Spells = Callable[[Op], bool]


class Lowered(NamedTuple):
    """A graph in which every needed op can be written, and where `wanted` are in it."""

    graph: Graph
    wanted: Sequence[int]


def lowered(at: Lowered, spells: Spells, title: str) -> Lowered:
    """Return the graph with definitions put in for ops that the target called `title` lacks.

    The graph given stays as it is. Raises `FormulaError`, at its place, for an op that has neither
    a word in the target nor a definition.
    """
    while lacking(at, spells):
        at = expanded(at, spells, title)
    return at


def lacking(at: Lowered, spells: Spells) -> bool:
    """Tell whether a needed op has no word in the target."""
    walk = at.graph.walk(at.graph.needed(at.wanted))
    return any(node.args and not spells(node.op) for _, node in walk)


def expanded(at: Lowered, spells: Spells, title: str) -> Lowered:
    """Return a copy of the graph in which each lacking op is replaced by its definition, once."""
    old, new = at.graph, Graph(at.graph.max_nodes)
    placed: dict[int, int] = {}
    for index, node in old.walk(old.needed(at.wanted)):
        new.at = old.spans[index]
        args = tuple([placed[arg] for arg in node.args])
        if not node.args or spells(node.op):
            placed[index] = new.adopt(node, args, old.letters.get(index))
        elif node.op.definition is None:
            raise no_word(old, index, title)
        else:
            placed[index] = node.op.definition(*[Expr(new, arg) for arg in args]).node
    inputs = {name: placed[node] for name, node in old.placeholders.items() if node in placed}
    new.placeholders = inputs
    new.take_tables(old, placed)
    return Lowered(new, [placed[node] for node in at.wanted])


def no_word(graph: Graph, index: int, title: str) -> FormulaError:
    """Return the error for an op that a target has no word for."""
    name = graph.nodes[index].op.name
    origin = graph.came_from.get(index)
    needs = ""
    if origin is not None:
        what = "a derivative"
        if origin != ELSEWHERE:
            what = f"the derivative of {graph.nodes[origin].op.name}"
        needs = f", which {what} needs"
    hint = (
        "the other code formats may have it"
        if origin is None
        else "without --grad it is not needed"
    )
    return FormulaError(f"{title} has no {name}{needs}", graph.place(graph.spans[index]), hint)
