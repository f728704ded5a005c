"""Derivatives to be read: simplified, of any order; and nodes as a graph of their own."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from . import ways
from .errors import FormulaError
from .gradient import gradient
from .graph import Graph
from .inputs import input_shapes
from .ops.powers import pow_
from .simplify import simplify

MANY = 20
"""Of so many first derivatives, and more, a reverse pass gives all at once."""

LONGEST = 100_000
"""A derivative of more operations is not written out."""


def derivatives(graph: Graph, output: int, paths: Sequence[Sequence[int]]) -> list[int]:
    """Append the derivative of a node by each path of nodes; return them as `one_by_one` does."""
    return list(one_by_one(graph, output, paths))


def one_by_one(graph: Graph, output: int, paths: Sequence[Sequence[int]]) -> Iterator[int]:
    """Append the derivative of a node by each path of nodes, one after the other; yield them.

    Each is simplified before it is differentiated further. Forward mode has the terms in the order
    in which they are written by hand. Raises `GraphError` at the limit on nodes, and `FormulaError`
    as `ways.derivative` does, and where one is too long to be read; of an array by an array it is
    that of the sum.
    """
    arrays = any(graph.nodes[index].op.move for index in graph.needed([output]))
    if len(paths) >= MANY and not arrays and not any(input_shapes(graph).values()):
        first = gradient(graph, output, [path[0] for path in paths])
        for node, path in zip(first, paths, strict=True):
            yield further(graph, node, path[1:])
    else:
        for path in paths:
            yield further(graph, output, path)


def further(graph: Graph, node: int, path: Sequence[int]) -> int:
    """Return the derivative of a node by one node after another, simplified."""

    def simplified(node: int) -> int:
        size = len(graph.needed([node]))
        if size > LONGEST:
            told = f"a derivative of {size:,} operations is too long to be read"
            raise FormulaError(told, hint="cgraph eval has its value: d(f, x)")
        return simplify(graph, [node], derived=True)[0]

    if not path:
        return simplified(node)
    return ways.further(graph, node, path, between=simplified, sums=True)


def extracted(graph: Graph, nodes: Sequence[int], named: bool = True) -> Graph:
    """Return what `nodes` need as a graph of its own, whose outputs they are.

    Inputs come in the order in which they are read when the nodes are written out; inputs keep
    their defaults and shapes, and with `named` values keep their names.
    """
    found, _ = copied(graph, nodes)
    # What a pass made is a formula like any other from here on.
    found.scopes, found.came_from = {}, {}
    if not named:
        found.names = {}
    return found


def freed(graph: Graph, names: Collection[str]) -> Graph:
    """Return a graph in which the constants that are written by these names are inputs.

    The graph itself where there are none.
    """
    if names and not set(names).isdisjoint(graph.letters.values()):
        return with_inputs(graph, names)
    return graph


def with_inputs(graph: Graph, names: Collection[str]) -> Graph:
    """Return a copy of a graph in which constants of these names are inputs."""
    found, new = Graph(graph.max_nodes), dict[int, int]()
    for index, node in enumerate(graph.nodes):
        found.at, letter = graph.spans[index], graph.letters.get(index)
        args = tuple([new[arg] for arg in node.args])
        if letter is not None and letter in names:
            base = found.placeholder(letter)
            new[index] = found.add(pow_, (base, *args)) if args else base
        else:
            new[index] = found.adopt(node, args, letter)
    found.outputs = [new[node] for node in graph.outputs]
    found.take_tables(graph, new)
    return found


def copied(graph: Graph, nodes: Sequence[int]) -> tuple[Graph, dict[int, int]]:
    """Return what nodes need as a graph of its own, side tables and all, and what each became."""
    found = Graph(graph.max_nodes)
    new: dict[int, int] = {}
    pending = list(reversed(nodes))
    while pending:
        index = pending[-1]
        node = graph.nodes[index]
        unknown = [arg for arg in node.args if arg not in new]
        if unknown:
            pending += reversed(unknown)
            continue
        pending.pop()
        if index not in new:
            found.at = graph.spans[index]
            new[index] = found.adopt(
                node, tuple([new[arg] for arg in node.args]), graph.letters.get(index)
            )
    found.outputs = [new[node] for node in nodes]
    found.take_tables(graph, new)
    return found, new
