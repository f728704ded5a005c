"""Simplification: passes over the nodes, from the inputs on, until nothing changes.

Each node is rebuilt on its simple arguments and shown to the rules in `rules/`, in order. The links
of a chain of sums or products are left to its end, which takes them all at once, so that a sum of
100,000 terms is collected in one go.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .declared import undeclared
from .errors import FormulaError
from .inputs import input_shapes
from .ops.arithmetic import div, mul
from .ops.comparison import and_, not_, or_
from .ops.powers import pow_
from .ops.rules import Expr
from .ops.selection import where
from .ops.structure import broadcast_to
from .ops.table import REAL
from .rewrite import throughout
from .rules import RULES, WITH_ARRAYS
from .rules.view import PRODUCTS, SUMS, View
from .shapes import Partly, infer, make_arrays

if TYPE_CHECKING:
    from .graph import Graph, Node
    from .shapes import Known


LOGIC = (and_, or_, not_)

MOST_WORK, MOST_TO_READ = 2_000_000, 60_000
"""So many links of sums and products are looked at, and no more; and of derivatives to be read."""


def simplify(graph: Graph, nodes: Sequence[int], derived: bool = False) -> list[int]:
    """Append what `nodes` are in their simplest form; return those nodes.

    No value changes beyond rounding where the nodes have one, and no shape. `derived` says that
    they are derivatives to be read, written as in a textbook (`rules` says what that assumes):
    numbers are made without it. It ends: no rule makes a node longer, and a pass that brings back
    what was there before is the last; after much work it stops, which `graph.cut_short` tells.
    Raises `GraphError` at the limit on nodes.
    """
    found = written_out(graph, nodes) if derived else list(nodes)
    seen: set[tuple[int, ...]] = set()
    progress = Progress()
    while tuple(found) not in seen:
        seen.add(tuple(found))
        found = once(graph, found, derived, progress)
    return found


class Progress:
    """How far the passes have come.

    `work` has been done, in links of sums and products that were looked at. `settled` has the nodes
    that the last pass left as they are, each with what it was to them: part of a condition or not,
    and so on. Where that and their arguments are the same again, so are they.
    """

    def __init__(self) -> None:
        self.work = 0
        self.settled: dict[int, tuple[bool, ...]] = {}


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


def once(graph: Graph, nodes: Sequence[int], derived: bool, progress: Progress) -> list[int]:
    """Return the nodes after one pass."""
    needed = graph.needed(nodes)
    before, settled = progress.settled, dict[int, tuple[bool, ...]]()
    view = View(graph, derived, shapes_for_rules(graph, needed, derived))
    keeps = Keeper(view, needed)
    links = inner_links(graph, needed, nodes)
    deciding = in_conditions(graph, needed)
    signing = set[int]() if derived else where_zeros_differ(graph, needed)

    def change(index: int, node: int) -> int:
        role = index in links, index in deciding, index in signing
        args = graph.nodes[node].args
        again = node == index and before.get(node) == role
        again = again and all(arg in settled or not graph.nodes[arg].args for arg in args)
        if role[0]:
            view.inside.add(node)
        found = node
        if not (again or role[0]):
            _, view.deciding, view.signing = role
            if progress.work + view.work > most:
                graph.cut_short = True
            else:
                found = applied(view, node, keeps)
        if found == node:
            settled[node] = role
        return found

    most = MOST_TO_READ if derived else MOST_WORK
    simple = throughout(graph, nodes, change, traced=True)
    progress.work += view.work
    progress.settled = settled
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


def shapes_for_rules(graph: Graph, needed: Sequence[int], derived: bool) -> Known | None:
    """Return the shapes of nodes that are known; None says that all are numbers.

    Without any array an input that nobody declares is a number, else its shape is unknown. A
    derivative was made as if it were a number, where the program does not mix its elements.
    """
    inputs = input_shapes(graph)
    if not (any(inputs.values()) or make_arrays(graph, needed)):
        return None
    try:
        if derived and undeclared(graph, needed, inputs) is None:
            return infer(graph, inputs, needed)
    except FormulaError:
        pass
    return Partly(graph, inputs)


class Keeper:
    """Keeps the shapes of nodes: x - x is 0 of the shape of x, where that matters.

    `rules` are those for what is in the nodes.
    """

    def __init__(self, view: View, needed: Sequence[int]) -> None:
        self.view = view
        nodes = view.graph.nodes
        moves = any(nodes[index].op.move for index in needed)
        self.rules = WITH_ARRAYS if moves else RULES

    def shaped(self, node: int, found: int) -> int:
        """Return what a rule found for a node in the node's shape, the node itself if in doubt."""
        view = self.view
        if view.shapes is None:
            return found
        shape, other = view.shape(node), view.shape(found)
        if shape is not None and other is not None:
            return found if shape == other else view.graph.add(broadcast_to, (found,), (shape,))
        if view.graph.nodes[node].op.move is not None:
            return found
        return found if self.shaping(node) == self.shaping(found) else node

    def shaping(self, node: int) -> set[int]:
        """Return what the shape of an elementwise node comes from: inputs, arrays, other ops."""
        nodes, found, seen, pending = self.view.graph.nodes, set[int](), {node}, [node]
        while pending:
            index = pending.pop()
            op, args, _ = nodes[index]
            if self.view.shape(index) == ():
                continue
            if op.move is None and args:
                pending += [arg for arg in args if arg not in seen]
                seen.update(args)
            else:
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


def where_zeros_differ(graph: Graph, needed: Sequence[int]) -> set[int]:
    """Return the nodes whose zeros may come to different values: 1/0 is inf, and 1/-0 is -inf."""
    found: set[int] = set()
    for index in reversed(needed):
        node = graph.nodes[index]
        if index in found:
            found.update(node.args)
        else:
            found.update(arg for k, arg in enumerate(node.args) if tells_zeros(graph, node, k))
    return found


def tells_zeros(graph: Graph, node: Node, k: int) -> bool:
    """Tell whether an op may have different values at 0 and -0 of an argument, both not zeros."""
    op, args, _ = node
    if op is pow_ and k == 0:
        exponent = graph.literal(args[1])
        return exponent is None or exponent < 0.0
    if (
        op in (*SUMS, mul, pow_)
        or (op is div and k == 0)
        or op.conditions
        or op.complement
        or op in LOGIC
    ):
        return False
    if op.move is not None:
        return False
    return len(args) > 1 or op.domain[0] is not REAL


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
