"""Patterns that lose their value, each with what keeps it: 1/(1 + exp(-x)) with sigmoid(x).

The table is in the words of formulas, whose names stand for anything. Nothing is replaced by
itself: warnings and checks name the function, and `cgraph simplify --stable` puts it in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from .errors import CgraphError
from .evaluate import run, shape_of
from .ops.arithmetic import add, mul
from .ops.leaves import constant, placeholder
from .program import Program
from .results import finite, gradients
from .rewrite import throughout

if TYPE_CHECKING:
    from .evaluate import Value
    from .graph import Graph


class Pattern(NamedTuple):
    """A way to write what loses its value, and the way that keeps it.

    With `same` both are the same number wherever the first has one. `rank` is of the arrays that
    its names stand for, where that matters.
    """

    plain: str
    kept: str
    same: bool = True
    rank: int | None = None


PATTERNS = (
    Pattern("1/(1 + exp(-x))", "sigmoid(x)"),
    Pattern("exp(x)/(1 + exp(x))", "sigmoid(x)"),
    Pattern("1/(1 + exp(-k*x))", "sigmoid(k*x)"),
    Pattern("1/(1 + exp(x))", "sigmoid(-x)"),
    Pattern("a/(1 + exp(-x))", "a*sigmoid(x)"),
    Pattern("a/(1 + exp(-k*x))", "a*sigmoid(k*x)"),
    Pattern("a/(1 + exp(x))", "a*sigmoid(-x)"),
    Pattern("log(1 + exp(x))", "softplus(x)"),
    Pattern("log1p(exp(x))", "softplus(x)"),
    Pattern("log(exp(x) + exp(y))", "logaddexp(x, y)"),
    Pattern("log(sum(exp(x)))", "logsumexp(x)"),
    Pattern("exp(x)/sum(exp(x))", "softmax(x)", rank=1),
    Pattern("log(softmax(x))", "log_softmax(x)"),
    Pattern("sqrt(x*x)", "abs(x)"),
    Pattern("sqrt(x^2)", "abs(x)"),
    Pattern("sqrt(x^2 + y^2)", "hypot(x, y)"),
    Pattern("sqrt(x*x + y*y)", "hypot(x, y)"),
    Pattern("sqrt(sum(x^2))", "norm(x)"),
    Pattern("sqrt(sum(x*x))", "norm(x)"),
    Pattern("sin(x)/x", "sinc(x/pi)"),
    Pattern("x*log(y)", "xlogy(x, y)"),
    Pattern("x^(1/2)", "sqrt(x)"),
    Pattern("x^(1/3)", "cbrt(x)"),
    Pattern("x^(m/3)", "cbrt(x)^m"),
    Pattern("x^(1/n)", "root(x, n)", same=False),
    Pattern("x^(m/n)", "root(x, n)^m", same=False),
    Pattern("x^y", "root(x, 1/y)", same=False),
    Pattern("log(1 + x)", "log1p(x)"),
    Pattern("exp(x) - 1", "expm1(x)"),
    Pattern("1 - cos(x)", "2*sin(x/2)^2"),
)
"""The patterns, those within others after these."""

COMMUTATIVE = (add, mul)
NEAR = 8
"""So many nodes above a culprit its pattern may begin."""


class Read(NamedTuple):
    """A pattern with both sides as graphs of one output."""

    pattern: Pattern
    plain: Graph
    kept: Graph


class Found(NamedTuple):
    """A node that is a pattern's plain side: what its names stand for, and the nodes in it."""

    read: Read
    node: int
    names: Mapping[str, int]
    inside: frozenset[int]


def readable(parse: Callable[[str], Graph]) -> list[Read]:
    """Return the patterns as they are read."""
    return [Read(one, parse(one.plain), parse(one.kept)) for one in PATTERNS]


# -- matching -------------------------------------------------------------------------------------


def matched(read: Read, graph: Graph, node: int) -> Found | None:
    """Return how a node is the plain side of a pattern, None where it is not."""
    (output,) = read.plain.outputs
    if read.plain.nodes[output].op is not graph.nodes[node].op:
        return None
    for names, inside in ways(read.plain, output, graph, node, {}):
        return Found(read, node, names, inside)
    return None


Way = tuple[dict[str, int], frozenset[int]]


def ways(pattern: Graph, at: int, graph: Graph, node: int, names: dict[str, int]) -> Iterator[Way]:
    """Yield each way in which a node is a pattern's: what the names are, and the nodes that it has.

    `names` are those that are taken already.
    """
    op, args, attrs = pattern.nodes[at]
    if op is placeholder:
        name = str(attrs[0])
        if names.get(name, node) == node:
            yield {**names, name: node}, frozenset()
        return
    here = graph.nodes[node]
    if here.op is not op or here.attrs != attrs or len(here.args) != len(args):
        return
    if op is constant:
        yield names, frozenset()
        return
    orders = [here.args, here.args[::-1]] if op in COMMUTATIVE else [here.args]
    for order in orders:
        for found, inside in each_way(pattern, args, graph, order, names):
            yield found, inside | {node}


def each_way(
    pattern: Graph,
    args: Sequence[int],
    graph: Graph,
    nodes: Sequence[int],
    names: dict[str, int],
) -> Iterator[Way]:
    """Yield each way in which some nodes are, one by one, those of a pattern."""
    if not args:
        yield names, frozenset()
        return
    for found, inside in ways(pattern, args[0], graph, nodes[0], names):
        for last, more in each_way(pattern, args[1:], graph, nodes[1:], found):
            yield last, inside | more


# -- what keeps the value of a culprit ------------------------------------------------------------


def keeper(
    graph: Graph, culprit: int, given: Mapping[str, Value], patterns: Sequence[Read], slope: bool
) -> Found | None:
    """Return the pattern that a culprit is in and whose other side is finite, if there is one.

    With `slope` its derivatives are to be finite too. `given` has a value for each input.
    """
    for node in above(graph, culprit):
        for read in patterns:
            found = matched(read, graph, node)
            if found and culprit in found.inside and keeps(graph, found, given, slope):
                return found
    return None


def above(graph: Graph, culprit: int) -> list[int]:
    """Return the nodes of the formula that are made from a culprit, the farthest first."""
    far = {culprit: 0}
    for index in range(culprit + 1, len(graph)):
        if index not in graph.came_from:
            steps = [far[arg] for arg in graph.nodes[index].args if arg in far]
            if steps and min(steps) < NEAR:
                far[index] = min(steps) + 1
    return sorted(far, key=lambda node: (-far[node], node))


def keeps(graph: Graph, found: Found, given: Mapping[str, Value], slope: bool) -> bool:
    """Tell whether the other side of a pattern is finite at these values."""
    names, kept, rank = found.names, found.read.kept, found.read.pattern.rank
    try:
        values = run(Program(graph, list(names.values())), given)
        at = {name: values[node] for name, node in names.items()}
        if rank is not None and any(len(shape_of(value)) != rank for value in at.values()):
            return False
        by = kept.inputs() if slope else {}
        by = {name: node for name, node in by.items() if not graph.is_closed(names[name])}
        (result,) = gradients(kept, kept.outputs, by, at)
    except CgraphError:
        return False
    return finite([result.value, *result.gradient.values()])


# -- putting it in --------------------------------------------------------------------------------


def stabilized(graph: Graph, nodes: Sequence[int], patterns: Sequence[Read]) -> list[int]:
    """Append what `nodes` are with the functions that keep values put in; return those nodes."""
    sure = [read for read in patterns if read.pattern.same and read.pattern.rank is None]

    def change(index: int, node: int) -> int:
        for read in sure:
            found = matched(read, graph, node)
            if found:
                return written(graph, found)
        return node

    new = throughout(graph, nodes, change)
    return [new[node] for node in nodes]


def written(graph: Graph, found: Found) -> int:
    """Append the other side of a pattern at what its names stand for; return its node."""
    kept, new = found.read.kept, dict[int, int]()
    for index in kept.needed(kept.outputs):
        op, args, attrs = kept.nodes[index]
        if op is placeholder:
            new[index] = found.names[str(attrs[0])]
        else:
            new[index] = graph.adopt(kept.nodes[index], tuple([new[arg] for arg in args]))
    return new[kept.outputs[0]]
