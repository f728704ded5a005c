"""Simplification: passes over the nodes, from the inputs on, until nothing changes.

Each node is rebuilt on its simple arguments and shown to the rules in `rules/`, in order. The links
of a chain of sums or products are left to its end, which takes them all at once, so that a sum of
100,000 terms is collected in one go.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .declared import declared_shapes, mixes
from .errors import FormulaError
from .ops.comparison import and_, not_, or_
from .ops.rules import Expr
from .ops.selection import where
from .ops.structure import broadcast_to
from .rewrite import throughout
from .rules import RULES, WITH_ARRAYS
from .rules.view import PRODUCTS, SUMS, View

if TYPE_CHECKING:
    from .graph import Graph, Shapes


LOGIC = (and_, or_, not_)


def simplify(graph: Graph, nodes: Sequence[int], derived: bool = False) -> list[int]:
    """Append what `nodes` are in their simplest form; return those nodes.

    No value changes where the nodes have one, but for the sign of a zero. `derived` says
    that they are derivatives, in which a factor 0 takes its product with it. It ends: no rule makes
    a node longer, and a pass that brings back what was there before is the last. Raises
    `GraphError` at the limit on nodes.
    """
    found = written_out(graph, nodes) if derived else list(nodes)
    seen: set[tuple[int, ...]] = set()
    while tuple(found) not in seen:
        seen.add(tuple(found))
        found = once(graph, found, derived)
    return found


def written_out(graph: Graph, nodes: Sequence[int]) -> list[int]:
    """Return nodes with what the table has for derivatives alone written as textbooks have it."""
    if not any(graph.nodes[index].op.textbook for index in graph.needed(nodes)):
        return list(nodes)

    def change(index: int, node: int) -> int:
        op, args, _ = graph.nodes[node]
        plain = op.textbook
        return node if plain is None else plain(*[Expr(graph, arg) for arg in args]).node

    written = throughout(graph, nodes, change, traced=True)
    return [written[node] for node in nodes]


def once(graph: Graph, nodes: Sequence[int], derived: bool) -> list[int]:
    """Return the nodes after one pass."""
    needed = graph.needed(nodes)
    view = View(graph, derived, shapes_for_rules(graph, needed))
    keeps = Keeper(view, needed)
    links = inner_links(graph, needed, nodes)
    deciding = in_conditions(graph, needed)

    def change(index: int, node: int) -> int:
        if index in links:
            view.inside.add(node)
            return node
        view.deciding = index in deciding
        return applied(view, node, keeps)

    simple = throughout(graph, nodes, change, traced=True)
    return [simple[index] for index in nodes]


def applied(view: View, node: int, keeps: Keeper) -> int:
    """Return what the first rule that changes a node makes of it; the next pass goes on.

    A rule may not make the node longer, so that passes come to an end, nor change its shape.
    """
    for rule in keeps.rules:
        found = rule(view, node)
        if found is not None and found != node:
            found = keeps.shaped(node, found)
            if found != node and view.size(found) <= view.size(node):
                return found
    return node


def shapes_for_rules(graph: Graph, needed: Sequence[int]) -> Shapes | None:
    """Return the shapes of nodes as the program tells them, None without arrays, or if it does not.

    Then inputs that nobody declares are numbers.
    """
    try:
        return declared_shapes(graph, needed)
    except FormulaError:
        return None


class Keeper:
    """Keeps the shapes of nodes: x - x is 0 of the shape of x, where that matters.

    `rules` are those for what is in the nodes.
    """

    def __init__(self, view: View, needed: Sequence[int]) -> None:
        self.view = view
        nodes = view.graph.nodes
        moves = any(nodes[index].op.move for index in needed)
        self.rules = WITH_ARRAYS if moves else RULES
        self.matters = (
            moves and view.shapes is None and any(mixes(nodes[index].op) for index in needed)
        )

    def shaped(self, node: int, found: int) -> int:
        """Return what a rule found for a node in the node's shape, the node itself if in doubt."""
        view = self.view
        if view.shapes is not None:
            shape = view.shapes[node]
            if view.shapes[found] != shape:
                return view.graph.add(broadcast_to, (found,), (shape,))
        elif self.matters and view.graph.nodes[node].op.move is None:
            return found if self.shaping(node) <= self.shaping(found) else node
        return found

    def shaping(self, node: int) -> set[int]:
        """Return what the shape of an elementwise node comes from: inputs, arrays, other ops."""
        nodes, found, seen, pending = self.view.graph.nodes, set[int](), {node}, [node]
        while pending:
            index = pending.pop()
            op, args, _ = nodes[index]
            if op.move is None and args:
                pending += [arg for arg in args if arg not in seen]
                seen.update(args)
            elif self.view.graph.literal(index) is None:
                found.add(index)
        return found


def in_conditions(graph: Graph, needed: Sequence[int]) -> set[int]:
    """Return the nodes that decide something: comparisons, logic, and what they are made of."""
    found: set[int] = set()
    for index in reversed(needed):
        op, args, _ = graph.nodes[index]
        if index in found or op in LOGIC or op.complement is not None:
            found.update(args)
        elif op is where:
            found.add(args[0])
    return found


def inner_links(graph: Graph, needed: Sequence[int], kept: Sequence[int]) -> set[int]:
    """Return the nodes of sums, and of products, that only a node of the same kind uses, once."""
    uses = dict.fromkeys(needed, 0)
    alike: set[int] = set()
    for index in needed:
        op, args, _ = graph.nodes[index]
        for arg in args:
            uses[arg] += 1
            for chain in (SUMS, PRODUCTS):
                if op in chain and graph.nodes[arg].op in chain:
                    alike.add(arg)
    return {index for index in alike if uses[index] == 1} - set(kept)
