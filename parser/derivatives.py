"""Derivatives in formulas: `d(f, x)`, `grad(f, [x, y])`, `hessian(f, [x])`, `jacobian([f], [x])`.

Each is the graph that differentiation appends, so what it returns is differentiated and evaluated
like anything else. Of a number by an array it is the gradient, of arrays it is taken element by
element.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from ..autodiff.errors import FormulaError
from ..autodiff.graph import Graph
from ..autodiff.inputs import input_shapes
from ..autodiff.ops.leaves import constant as constant_op
from ..autodiff.ops.leaves import placeholder
from ..autodiff.ops.parts import stack
from ..autodiff.reverse import reverse
from ..autodiff.shapes import make_arrays
from .lexer import Token

if TYPE_CHECKING:
    from ..autodiff.eager import Eager

NO_INPUTS: Mapping[int, int] = {}

MOST = 100
"""The highest order."""


class Form(NamedTuple):
    """A call that differentiates: what it is, with how many arguments, and as a reader sees it."""

    kind: str
    counts: tuple[int, ...]
    signature: str


FORMS = {
    "d": Form("d", (2, 3), "d(f, x) or d(f, x, order)"),
    "grad": Form("grad", (2,), "grad(f, [x, y])"),
    "hessian": Form("hessian", (2,), "hessian(f, [x, y])"),
    "jacobian": Form("jacobian", (2,), "jacobian([f, g], [x, y])"),
}


class Derivative(NamedTuple):
    """What is asked: of which nodes, by which nodes; `rank` is how often by all of them at once.

    A rank of 0 is one derivative by one node, to an order; rank 1 is a row of derivatives for each
    of `of`, rank 2 a matrix of second derivatives.
    """

    of: tuple[int, ...]
    by: tuple[int, ...]
    order: int
    rank: int
    whole: bool
    """Whether `of` is a list, whose derivatives are rows of a matrix."""

    def at(self, nodes: Mapping[int, int]) -> Derivative:
        """Return the same of other nodes."""
        of, by = (tuple([nodes[node] for node in group]) for group in (self.of, self.by))
        return self._replace(of=of, by=by)


def asked(graph: Graph, known: Mapping[str, int], name: Token, args: Sequence[int]) -> Derivative:
    """Return what `name(args)` asks for. Raises `FormulaError` where it asks for nothing."""
    kind, counts, signature = FORMS[name[1]]
    if len(args) not in counts:
        least, most = min(counts), max(counts)
        wanted = f"{least}" if least == most else f"{least} or {most}"
        refuse(graph, name, f"{name[1]} takes {wanted} arguments, {len(args)} given", signature)
    by = entries(graph, args[1])
    for one, node in known.items():
        if node in by and one.isidentifier() and is_number(graph, node):
            told = f"{one} is a constant, nothing to differentiate by"
            refuse(graph, name, told, signature)
    if not by or not all(is_variable(graph, known, node) for node in by):
        refuse(graph, name, f"{name[1]} needs the names to differentiate by", signature)
    if kind == "d":
        return Derivative((args[0],), by, order_of(graph, name, args[2:]), 0, False)
    of = entries(graph, args[0]) if kind == "jacobian" else (args[0],)
    return Derivative(of, by, 1, 2 if kind == "hessian" else 1, kind == "jacobian")


def entries(graph: Graph, node: int) -> tuple[int, ...]:
    """Return the entries of a list, or the node itself where it is none."""
    op, args, _ = graph.nodes[node]
    return args if op is stack else (node,)


def is_variable(graph: Graph, known: Mapping[str, int], node: int) -> bool:
    """Tell whether a node is an input, a parameter, or a value with a name."""
    if graph.nodes[node].op is placeholder:
        return True
    return node in known.values() and not is_number(graph, node)


def is_number(graph: Graph, node: int) -> bool:
    """Tell whether a node is a constant."""
    return graph.nodes[node].op is constant_op


def order_of(graph: Graph, name: Token, args: Sequence[int]) -> int:
    """Return the order that `d(f, x, n)` asks for, 1 unless it says."""
    order = graph.literal(args[0]) if args else 1.0
    if order is None or not 0 <= order <= MOST or order != int(order):
        refuse(graph, name, f"an order is a whole number from 0 to {MOST}", FORMS["d"].signature)
    return int(order)


def refuse(graph: Graph, name: Token, message: str, hint: str) -> NoReturn:
    """Raise an error at a call."""
    raise FormulaError(message, graph.place(name[2], len(name[1])), hint)


def derive(graph: Graph, asked: Derivative, known: Eager) -> int:
    """Append a derivative to the graph and return its node; shapes that are `known` matter."""
    with graph.derived():
        if asked.rank == 0:
            return further(graph, asked.of[0], asked.by * asked.order, known)
        rows = all_partials(graph, asked.of, asked.by, known)
        if asked.rank == 2:
            rows = all_partials(graph, rows[0], asked.by, known)
        matrix = [array(graph, row) for row in rows]
        return array(graph, matrix) if asked.whole or asked.rank == 2 else matrix[0]


def keep_lost(
    graph: Graph, asked: Derivative, found: int, standing: Mapping[int, int] = NO_INPUTS
) -> None:
    """Take note of the inputs of what does not depend on what it is differentiated by.

    `d(C, S)` where nothing is assigned to C is 0, and C hardly meant as a number that varies. Some
    inputs are `standing` for arguments of a function.
    """
    marks = graph.dependents(asked.by, max(asked.of))
    if asked.order and not any(marks[node] for node in asked.of):
        leaves = (node for node in graph.needed(asked.of) if not graph.nodes[node].args)
        inputs = [standing.get(node, node) for node in leaves]
        graph.lost[found] = tuple(graph.inputs(inputs).values())


def array(graph: Graph, nodes: Sequence[int]) -> int:
    """Return the array of some nodes, a constant where they all are, as it would be read."""
    held = [graph.nodes[node] for node in nodes]
    if all(node.op is constant_op for node in held):
        return graph.constant(tuple([node.value for node in held]))
    return graph.add(stack, tuple(nodes), (0,))


def all_partials(
    graph: Graph, nodes: Sequence[int], by: Sequence[int], known: Eager
) -> list[list[int]]:
    """Return the derivatives of nodes; what is asked for twice is derived once."""
    names = list(dict.fromkeys(by))
    rows = {node: partials(graph, node, names, known) for node in dict.fromkeys(nodes)}
    places = [names.index(one) for one in by]
    return [[rows[node][place] for place in places] for node in nodes]


def partials(graph: Graph, node: int, by: Sequence[int], known: Eager) -> list[int]:
    """Return the derivatives of a node: all in one pass where all are numbers."""
    if has_arrays(graph, [node, *by], known):
        return [further(graph, node, [index], known) for index in by]
    return reverse(graph, node, by)


def further(graph: Graph, node: int, path: Sequence[int], known: Eager) -> int:
    """Return the derivative of a node by one node after another.

    Raises `FormulaError` where that is no array, or takes shapes that nobody knows.
    """
    if not has_arrays(graph, [node, *path], known):
        for wrt in path:
            (node,) = reverse(graph, node, [wrt])
        return node
    from ..autodiff import ways

    return ways.further(graph, node, path, known.shapes)


def has_arrays(graph: Graph, nodes: Sequence[int], known: Eager) -> bool:
    """Tell whether there is an array in what nodes are made from, as far as is known."""
    needed = graph.needed(nodes)
    if make_arrays(graph, needed) or any(input_shapes(graph).values()):
        return True
    shapes = known.shapes(needed)
    return shapes is not None and any(shapes[index] for index in needed)
