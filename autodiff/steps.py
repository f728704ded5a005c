"""How a derivative is found by hand: rule after rule, each applied to one derivative still open.

An open derivative is a leaf of the expression, with the text `d/dx(...)` for its name; a step puts
what its rule says in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

from .declared import mixes
from .errors import UsageError
from .flow import Flow, constant, settled, standing
from .inputs import input_shapes
from .ops.arithmetic import add, div, mul, neg, sub
from .ops.leaves import placeholder
from .ops.rules import Expr, Operand
from .rewrite import throughout
from .simplify import simplify

if TYPE_CHECKING:
    from .graph import Graph

LONGEST, WIDEST = 200, 2_000
"""A story of more steps is not told, nor one in which a line has more operations."""


class Step(NamedTuple):
    """The whole derivative after a step, and the rule that was used."""

    node: int
    rule: str


class Story(NamedTuple):
    """The steps, and then the derivative without what is 0 or 1 in it, and simplified."""

    steps: list[Step]
    tidy: int
    simple: int


class Teller:
    """The derivative of a node by another while it is being found; `text` writes a formula."""

    def __init__(self, graph: Graph, output: int, wrt: int, name: str, text: Callable[[int], str]):
        self.graph, self.wrt, self.name, self.text = graph, wrt, name, text
        self.active = graph.dependents([wrt], output)
        self.open: dict[int, int] = {}
        """What each leaf that stands for a derivative is the derivative of."""

    def hole(self, node: int) -> Expr:
        """Return the derivative of a node: 1 of the variable, else a leaf that stands for it."""
        if node == self.wrt:
            return Expr(self.graph, self.graph.constant(1.0))
        leaf = self.graph.add(placeholder, (), (f"d/d{self.name}({self.text(node)})",))
        self.open[leaf] = node
        return Expr(self.graph, leaf)

    def next(self, node: int) -> int | None:
        """Return the first leaf of an expression, as it reads, that is still open."""
        pending = [node]
        while pending:
            index = pending.pop()
            if index in self.open:
                return index
            pending += reversed(self.graph.nodes[index].args)
        return None

    def step(self, leaf: int) -> tuple[int, str]:
        """Return what to put for an open derivative, and the name of the rule that says so."""
        graph, node = self.graph, self.open[leaf]
        op, args, _ = graph.nodes[node]
        if not self.active[node]:
            return graph.constant(0.0), "constant"
        wanted = [k for k, arg in enumerate(args) if self.active[arg]]
        at = standing(graph, node, None)
        both = wanted == [0, 1] or op.rule == "sum"
        # By hand nobody writes the guard of a convention, which numbers need.
        guarded = bool(op.kink) and all(arg.literal is None for arg in at.args)
        if op.by_hand is not None and (both or guarded):
            zero = Expr(graph, graph.constant(0.0))
            du, dv = (self.hole(args[k]) if both or k in wanted else zero for k in (0, 1))
            u, v = at.args
            return op.by_hand(u, v, du, dv).node, str(op.rule)
        if op.move is not None:
            holes = {k: self.hole(args[k]) for k in wanted}
            return op.move.tangent(at, holes).node, str(op.rule or op.name)
        parts = [
            settled(Flow(self.scaled(partial, self.hole(args[k])), condition))
            for k, partial, condition in op.local(at, wanted)
        ]
        total = reduce(Expr.__add__, parts, constant(graph, 0.0)) if len(parts) != 1 else parts[0]
        return total.node, self.rule(node, wanted)

    def scaled(self, partial: Operand, inner: Expr) -> Expr:
        """Return the chain rule's product, without a factor 1."""
        graph = self.graph
        if isinstance(partial, Expr):
            (simple,) = simplify(graph, [partial.node], derived=True)
            partial = Expr(graph, simple)
        else:
            partial = Expr(graph, graph.constant(partial))
        if partial.literal == 1.0:
            return inner
        if inner.literal == 1.0:
            return partial
        return -inner if partial.literal == -1.0 else partial * inner

    def rule(self, node: int, wanted: Sequence[int]) -> str:
        """Return what the rule for a node is called."""
        op, args, _ = self.graph.nodes[node]
        if op is neg or (op in (mul, div) and wanted == [0]) or (op is mul and wanted == [1]):
            return "constant factor"
        name = op.rule or f"derivative of {op.function}"
        return f"{name}, chain" if any(args[k] != self.wrt for k in wanted) else name


def story(graph: Graph, output: int, wrt: int, name: str, text: Callable[[int], str]) -> Story:
    """Return how the derivative of a node by the one called `name` is found by hand.

    `text` writes a node as a formula. Raises `UsageError` where it would take too long, and for
    arrays.
    """
    refuse_arrays(graph, output, text)
    refuse_long(graph, output)
    teller = Teller(graph, output, wrt, name, text)
    node = teller.hole(output).node
    steps: list[Step] = []
    while (leaf := teller.next(node)) is not None:
        if len(steps) == LONGEST:
            raise UsageError(f"by hand it would take more than {LONGEST} steps")
        found, rule = teller.step(leaf)
        node = graph.substituted(node, {leaf: found})
        steps.append(Step(node, rule))
        refuse_long(graph, node)
    tidy = throughout(graph, [node], lambda index, made: tidied(graph, made))[node]
    return Story(steps, tidy, simplify(graph, [node], derived=True)[0])


def refuse_arrays(graph: Graph, output: int, text: Callable[[int], str]) -> None:
    """Raise `UsageError` where elements of arrays are mixed, or an input is declared as one."""
    needed = graph.needed([output])
    arrays = {graph.placeholders[name] for name, shape in input_shapes(graph).items() if shape}
    for index in needed:
        if mixes(graph.nodes[index].op) or index in arrays:
            told = f"by hand numbers are differentiated, and {text(index)} has to do with arrays"
            raise UsageError(told, hint="without --steps there is the derivative")


def refuse_long(graph: Graph, node: int) -> None:
    """Raise `UsageError` for a formula that is too long to be written out, again and again."""
    sizes: dict[int, int] = {}
    for index, (_, args, _) in graph.walk(graph.needed([node])):
        sizes[index] = bool(args) + sum([sizes[arg] for arg in args])
    if sizes[node] > WIDEST:
        told = f"by hand a line would have more than {WIDEST:,} operations, as parts are repeated"
        raise UsageError(told, hint="without --steps there is the derivative, with named parts")


def tidied(graph: Graph, node: int) -> int:
    """Return a sum or product without the arguments 0 and 1 that change nothing."""
    op, args, _ = graph.nodes[node]
    if op not in (add, sub, mul, div):
        return node
    first, second = (graph.literal(arg) for arg in args)
    if op is mul:
        if 0.0 in (first, second):
            return graph.constant(0.0)
        return args[1] if first == 1.0 else args[0] if second == 1.0 else node
    if op is div:
        return args[0] if second == 1.0 or first == 0.0 else node
    if second == 0.0:
        return args[0]
    if first == 0.0:
        return args[1] if op is add else (-Expr(graph, args[1])).node
    return node
