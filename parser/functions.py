"""User functions: a body is a graph of its own, and a call copies it into the program.

What a body gets from outside (arguments, values, inputs, calls of other functions) are placeholders
in it, linked to what they stand for. So a definition is as small as its text, however much it
expands to.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ..autodiff.errors import FormulaError, GraphError
from ..autodiff.graph import Graph, Node
from ..autodiff.ops import Op
from .derivatives import Derivative, derive, keep_lost
from .expressions import natural
from .tape import Recording

if TYPE_CHECKING:
    from ..autodiff.eager import Eager

MAX_DEPTH = 1000
"""The most functions that may be in one another."""


class Parameter(NamedTuple):
    """The argument at a position."""

    position: int


class Value(NamedTuple):
    """A node of the program, which the body knows by an assigned name."""

    node: int


class Input(NamedTuple):
    """An input of the program; it becomes one when a call is copied."""

    name: str


class Call(NamedTuple):
    """A function at arguments: nodes of the body in a link, of the program in an expansion.

    `serial` tells calls apart of a function whose calls differ.
    """

    function: Function
    args: tuple[int, ...]
    serial: int = 0


class AtCall(NamedTuple):
    """A body that is run at each call, with what names and functions were where it was defined."""

    body: Recording
    names: dict[str, int]
    functions: dict[str, Function]
    differentiates: bool


Link: TypeAlias = Parameter | Value | Input | Call | Derivative


class Function:
    """A user function: its parameters, its body and what the body's placeholders stand for.

    `size` is the number of nodes that a call expands to if none is shared, `depth` the number of
    functions that are in one another then.
    """

    def __init__(self, name: str, parameters: tuple[str, ...], at: int) -> None:
        self.name = name
        self.parameters = parameters
        self.at = at
        self.body = Graph()
        self.links: dict[int, Link] = {}
        self.serials = count(1)
        """Numbers for the nodes of the body that differ in nothing else."""
        self.needed: list[int] = []
        self.differs = False
        """Whether two calls at the same arguments are different nodes."""
        self.later: AtCall | None = None
        """The body, where it can only be run at the arguments."""
        self.size = 0
        self.depth = 1
        self._linked: dict[tuple[type[Link], Link], int] = {}
        """By kind too: the argument at 0 and the node 0 are equal as tuples."""

    @property
    def signature(self) -> str:
        """The call as a reader sees it."""
        return f"{self.name}({', '.join(self.parameters)})"

    def parameter(self, position: int) -> int:
        """Return what stands in the body for the argument at a position."""
        return self._link(Parameter(position))

    def value(self, node: int) -> int:
        """Return what stands in the body for a node of the program."""
        return self._link(Value(node))

    def input(self, name: str) -> int:
        """Return what stands in the body for an input of the program."""
        return self._link(Input(name))

    def call(self, function: Function, args: tuple[int, ...]) -> int:
        """Return what stands in the body for a call of another function."""
        return self._link(Call(function, args, next(self.serials) if function.differs else 0))

    def word(self, node: int) -> str:
        """Return the name of the input that a placeholder of the body stands for, else nothing."""
        link = self.links.get(node)
        return link.name if isinstance(link, Input) else ""

    def derivative(self, asked: Derivative) -> int:
        """Return what stands in the body for a derivative of nodes of the body."""
        return self._link(asked)

    def _link(self, target: Link) -> int:
        key = type(target), target
        node = self._linked.get(key)
        if node is None:
            node = self._linked[key] = self.body.placeholder(f"?{len(self.links)}")
            self.links[node] = target
        return node

    def close(self, result: int) -> None:
        """Take `result` as the value of the body, which is complete.

        Raises `FormulaError` where functions call one another too deep.
        """
        self.needed = sorted(self._closure({result}))
        links = [self.links.get(node) for node in self.needed]
        called = [link.function for link in links if isinstance(link, Call)]
        self.size = links.count(None) + sum(function.size for function in called)
        self.differs = any(function.differs for function in called) or any(
            has_serial(self.body.nodes[node].op) for node in self.needed
        )
        self.depth = 1 + max((function.depth for function in called), default=0)
        if self.depth > MAX_DEPTH:
            raise FormulaError(
                f"functions call one another more than {MAX_DEPTH:,} deep",
                self.body.place(self.at, len(self.name)),
            )

    def args(self, node: int) -> tuple[int, ...]:
        """Return the nodes of the body that a node of it is made from."""
        link = self.links.get(node)
        if isinstance(link, Derivative):
            return link.of + link.by
        return link.args if isinstance(link, Call) else self.body.nodes[node].args

    def expansion(
        self, into: Expansion, args: tuple[int, ...], scope: str
    ) -> Generator[Call, int, int]:
        """Copy the body into a graph; yield each call in it, take its node, return the result's."""
        copies = yield from self._copies(into, args, scope, self.needed)
        return copies[self.needed[-1]]

    def _copies(
        self, into: Expansion, args: tuple[int, ...], scope: str, nodes: Sequence[int]
    ) -> Generator[Call, int, dict[int, int]]:
        """Copy some nodes of the body, in order and closed under arguments."""
        copies: dict[int, int] = {}
        body, graph = self.body, into.graph
        for node in nodes:
            graph.at, graph.scope = body.spans[node], scope
            if node in body.scopes:
                graph.scope += f"/{body.scopes[node]}"
            match self.links.get(node):
                case Parameter(position):
                    copies[node] = args[position]
                case Value(target):
                    copies[node] = target
                case Input(name):
                    copies[node] = graph.placeholder(name)
                case Call(function, call_args):
                    call = into.called(function, tuple([copies[arg] for arg in call_args]))
                    copies[node] = into.made[call] if call in into.made else (yield call)
                case Derivative() as asked:
                    copies[node] = yield from self._derived(into, args, scope, asked)
                case None:
                    held = into.renewed(body.nodes[node])
                    copied = tuple([copies[arg] for arg in held.args])
                    if held.op.natural and body.literal(held.args[0]) is None:
                        copies[node] = natural(graph, held.op, copied)
                    else:
                        copies[node] = graph.adopt(held, copied, body.letters.get(node))
                    if node in body.made_by:
                        graph.made_by[copies[node]] = body.made_by[node]
        return copies

    def _derived(
        self, into: Expansion, args: tuple[int, ...], scope: str, asked: Derivative
    ) -> Generator[Call, int, int]:
        """Copy a derivative: taken by parameters as such, then at the arguments.

        An argument may be a number, and one that is there for other reasons too.
        """
        graph = into.graph
        free = into.freed(args)
        nodes = sorted(self._closure({*asked.of, *asked.by}))
        copies = yield from self._copies(into, tuple(free), scope, nodes)
        there = asked.at(copies)
        node = graph.substituted(derive(graph, there, into.known), free)
        keep_lost(graph, there, node, free)
        return node

    def _closure(self, wanted: set[int]) -> set[int]:
        """Return some nodes of the body with all that they are made from."""
        found = set(wanted)
        for node in range(max(found), -1, -1):
            if node in found:
                found.update(self.args(node))
        return found


class Expansion:
    """The copying of bodies into a graph; `made` keeps the calls that have been copied."""

    def __init__(self, graph: Graph, serials: Iterator[int], known: Eager) -> None:
        self.graph = graph
        self.known = known
        self.made: dict[Call, int] = {}
        self.serials = serials
        """Numbers that no node of the graph has had."""
        self.calls = count(1)

    def called(self, function: Function, args: tuple[int, ...]) -> Call:
        """Return a call: the same for the same function and arguments, unless calls differ."""
        return Call(function, args, next(self.calls) if function.differs else 0)

    def freed(self, args: tuple[int, ...]) -> dict[int, int]:
        """Return inputs to stand for arguments while derivatives are taken by them."""
        return {self.known.stand(f"?{next(self.calls)}", arg): arg for arg in args}

    def renewed(self, node: Node) -> Node:
        """Return a node of a body as one of the graph, with a serial of its own if it has one."""
        if not has_serial(node.op):
            return node
        attrs = zip(node.op.attributes, node.attrs, strict=True)
        renewed = [next(self.serials) if attr.kind == "serial" else value for attr, value in attrs]
        return node._replace(attrs=tuple(renewed))

    def call(self, function: Function, args: tuple[int, ...]) -> int:
        """Return the node of a call: the bodies of all functions in it are copied.

        Raises `GraphError` beyond the limit on nodes.
        """
        first = call = self.called(function, args)
        if call in self.made:
            return self.made[call]
        check_size(self.graph, function)
        outer = self.graph.scope
        scope = self.graph.inner_scope(function.name)
        running = [(call, scope, function.expansion(self, args, scope))]
        answer: int | None = None
        while running:
            call, scope, body = running[-1]
            try:
                inner = next(body) if answer is None else body.send(answer)
            except StopIteration as end:
                answer = self.made[call] = end.value
                running.pop()
            else:
                answer = None
                self.graph.scope = scope
                scope = self.graph.inner_scope(inner.function.name)
                running.append((inner, scope, inner.function.expansion(self, inner.args, scope)))
        self.graph.scope = outer
        return self.made[first]


def has_serial(op: Op) -> bool:
    """Tell whether nodes of an op have a number that makes each another node."""
    return any(attr.kind == "serial" for attr in op.attributes)


def check_size(graph: Graph, function: Function) -> None:
    """Raise `GraphError` where a call would take the graph beyond its limit."""
    if len(graph) + function.size > graph.max_nodes:
        raise GraphError(
            f"the graph would have more than {graph.max_nodes:,} nodes",
            graph.place(graph.at, len(function.name)),
            "raise the limit with --max-nodes",
        )
