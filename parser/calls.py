"""The actions of calls: functions of the table, and those of the program."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, reduce
from typing import TYPE_CHECKING, Any

from ..autodiff.ops import FUNCTIONS, OPS, Composition, Expr, Op, fill, lookup
from .expressions import Expressions, Given, Later, Uneven, natural

if TYPE_CHECKING:
    from ..autodiff.graph import Graph
    from .arguments import Item, Keyword, Plain, Slice
    from .blocks import Series
    from .functions import AtCall, Expansion, Function
    from .lexer import Token

DERIVATIVES = ("d", "grad", "hessian", "jacobian")
"""Calls that differentiate."""

MAX_DEPTH = 100
"""The most functions that may be in one another where their bodies are run at the arguments."""


class Calls(Expressions):
    """Expressions with functions in them."""

    def __init__(
        self, program: Graph, inputs: Iterable[str] = (), given: Given | None = None
    ) -> None:
        super().__init__(program, inputs, given)
        self.rows: dict[tuple[str, int], Op] = {}
        """The ops that calls of values mean, by name and number of arguments."""
        self.frames: list[str] = []
        """The functions whose bodies are being run, in one another."""
        self.ran: dict[tuple[Function, tuple[int, ...], Graph], int] = {}
        """What functions were at arguments that they had to know."""

    def call(self, name: Token, args: list[int]) -> int:
        """Return a function at arguments: an op, or the copy of a user function's body."""
        _, text, self.graph.at = name
        if text in self.functions or self.frames:
            function = self.user_function(name, len(args))
            if function:
                return self.called(name, function, tuple(args))
        op = self.rows.get((text, len(args)))
        if op is None:
            if text in DERIVATIVES:
                return self.derivative(name, args)
            op = self.plain_row(name, args)
            if op is None:
                return self.make(name, args)
        if op.natural:
            return natural(self.graph, op, args)
        return self.graph.add(op, fill(op, self.graph, tuple(args)))

    def call_with(self, name: Token, opening: Token, items: list[Item], closing: Token) -> int:
        """Return a function at arguments of which some are no values: `sum(x, axis=0)`."""
        function = self.functions.get(name[1])
        if function or name[1] in DERIVATIVES:
            from .arguments import plain
            from .derivatives import FORMS

            plain(self, function.signature if function else FORMS[name[1]].signature, items)
        return self.make(name, items)

    def make(self, name: Token, items: Sequence[Item]) -> int:
        """Return a function of the table at arguments and attributes."""
        from ..autodiff.draws import DRAWS
        from .attributes import settled

        if name[1] in DRAWS:
            return self.random(name, items)
        row, args, attrs = settled(self, name, items)
        graph = self.graph
        graph.at = name[2]
        nodes = fill(row, graph, args)
        if isinstance(row, Op):
            return graph.add(row, nodes, attrs)
        assert isinstance(row, Composition), "what can be called is an op or a composition of ops"
        return self.composed(row, [Expr(graph, node) for node in nodes], attrs)

    def random(self, name: Token, items: Sequence[Item]) -> int:
        """Return an input that has random numbers, which only a value may be made of."""
        from .kinds import drawing

        found = drawing(self, name, items)
        return self.function.input(found) if self.function else self.program.placeholder(found)

    def composed(self, row: Composition, args: list[Expr], attrs: tuple[Any, ...]) -> int:
        """Return a composition's nodes, in a scope of its own where they are several."""
        graph, first = self.graph, len(self.graph)
        outer = graph.scope
        graph.scope = graph.inner_scope(row.name)
        made = row.make(graph, args, attrs).node
        graph.scope = outer
        graph.made_by.update(dict.fromkeys(range(first, len(graph)), row))
        if len(graph) == first + 1:
            graph.scopes.pop(first)
            if outer:
                graph.scopes[first] = outer
        return made

    def index(self, base: int, opening: Token, items: list[Plain], closing: Token) -> int:
        """Return `x[1:3, 0]`."""
        from .kinds import index_text

        text = index_text(self, opening, items)
        self.graph.at = opening[2]
        return self.graph.add(OPS["index"], (base,), (text,))

    def keyword(self, name: Token, sign: Token, value: int | Token | Uneven) -> Keyword:
        """Return an argument with a name."""
        from .arguments import Keyword

        if isinstance(value, Uneven):
            raise value.refusal
        return Keyword(name, value)

    def empty(self, opening: Token, closing: Token) -> Token:
        """Return `[]`."""
        from .arguments import NO_ENTRIES

        return NO_ENTRIES, "[]", opening[2]

    def bounds(self, *parts: int | Token) -> list[Any]:
        """Return the first two numbers of a slice, None for one left out, and its colon."""
        colon = next(part for part in parts if not isinstance(part, int))
        at = parts.index(colon)
        start, stop = [*parts[:at], None][0], [*parts[at + 1 :], None][0]
        return [start, stop, colon]

    def sliced(self, bounds: list[Any], *more: int | Token) -> Slice:
        """Return a slice: its bounds, and its step where it has one."""
        from .arguments import Slice

        start, stop, colon = bounds
        return Slice(start, stop, more[1] if len(more) > 1 else None, colon)  # type: ignore[arg-type]

    def derivative(self, name: Token, args: list[int]) -> int:
        """Return `d(f, x)` and its like: made here, or in a body when a call copies it."""
        from .derivatives import asked, derive, keep_lost

        found = asked(self.graph, self.known, name, args)
        if self.function:
            return self.function.derivative(found)
        node = derive(self.graph, found, self.eager())
        keep_lost(self.graph, found, node)
        return node

    def called(self, name: Token, function: Function, args: tuple[int, ...]) -> int:
        """Return a user function at arguments: copied, or kept as a call in a body."""
        if function.later:
            return self.run(name, function, function.later, args)
        if self.function:
            return self.function.call(function, args)
        return self.expansion.call(function, args)

    def run(self, name: Token, function: Function, later: AtCall, args: tuple[int, ...]) -> int:
        """Return a function at arguments whose body is run at them, once for the same ones."""
        if len(self.frames) >= MAX_DEPTH:
            told = f"functions whose arguments must be known are at most {MAX_DEPTH} deep"
            self.fail(told, name)
        if later.differentiates and self.function:
            raise Later
        key = function, args, self.graph
        found = self.ran.get(key)
        if found is None:
            drawn = self.drawn
            found = self.run_body(function, later, args)
            if drawn == self.drawn:
                self.ran[key] = found
        return found

    def run_body(self, function: Function, later: AtCall, args: tuple[int, ...]) -> int:
        """Run a body with its parameters standing for the arguments, and return its node."""
        graph = self.graph
        outer = self.known, self.names, self.functions, self.partial, graph.scope
        graph.scope = graph.inner_scope(function.name)
        free = self.expansion.freed(args) if later.differentiates else {}
        nodes = tuple(free) or args
        self.known = dict(zip(function.parameters, map(int, nodes), strict=True))
        self.names, self.functions, self.partial = later.names, later.functions, {}
        self.frames.append(function.name)
        try:
            result = int(later.body.play())
            return graph.substituted(result, free) if free else result
        finally:
            self.frames.pop()
            self.known, self.names, self.functions, self.partial, graph.scope = outer

    @cached_property
    def expansion(self) -> Expansion:
        """The copying of functions into the program."""
        from .functions import Expansion

        return Expansion(self.program, self.serials, self.program_values())

    def user_function(self, name: Token, number: int) -> Function | None:
        """Return the user function of this name, None where there is none."""
        text = name[1]
        if self.frames[-1:] == [text]:
            self.fail(f"recursion: '{text}' is called in its own body", name)
        function = self.functions.get(text)
        if function and len(function.parameters) != number:
            from .misuse import wrong_count

            raise wrong_count(self.program, name, number, function)
        return function

    def call_each(self, name: Token, series: Series, closing: Token) -> int:
        """Return a function of all items of a comprehension: `sum(f(i) for i in 1 to n)`."""
        items = series.items
        if name[1] in self.functions or self.frames[-1:] == [name[1]]:
            one = name[1] in self.functions and len(self.functions[name[1]].parameters) == 1
            return self.call(name, [self.array_each(series, closing)] if one else items)
        rows = FUNCTIONS.get(name[1], ())
        if any(row.most is None and row.accepts(len(items)) for row in rows):
            return self.call(name, items)
        fold = next((row.fold for row in rows if isinstance(row, Op) and row.fold), None)
        if fold:
            return self.folded(name, fold, items)
        if not lookup(name[1], 1) and lookup(name[1], len(items)):
            return self.call(name, items)
        return self.call(name, [self.array_each(series, closing)])

    def folded(self, name: Token, fold: tuple[str, float], items: list[int]) -> int:
        """Return the items with an op between them, and of none what the op starts from."""
        op, start = fold
        self.graph.at = name[2]
        if not items:
            return self.graph.constant(start)
        return reduce(lambda left, right: self.graph.add(OPS[op], (left, right)), items)

    def array_each(self, series: Series, closing: Token) -> int:
        """Return the array of all items of a comprehension."""
        return int(self.array(series.opening, series.items, closing))

    def plain_row(self, name: Token, args: Sequence[int]) -> Op | None:
        """Find and keep the op that a call of values means, None where it needs more than nodes."""
        op = lookup(name[1], len(args))
        if not isinstance(op, Op) or op.attributes or op.listed:
            return None
        self.rows[name[1], len(args)] = op
        return op
