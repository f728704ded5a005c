"""The actions of the grammar: each appends nodes to the graph and returns what its rule stands for.

An alias in the grammar is a method here or an op of the table. The values of expressions are nodes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from ..autodiff.constants import CONSTANTS, FIXED
from ..autodiff.errors import NOWHERE, FormulaError
from ..autodiff.graph import Graph, Nested
from ..autodiff.ops import OPS, Composition, Expr, Op, fill, lookup
from ..autodiff.ops.comparison import COMPARISON
from .lexer import RESERVED, Token

if TYPE_CHECKING:
    from .attributes import Item, Keyword, Slice
    from .functions import Expansion, Function

DERIVATIVES = ("d", "grad", "hessian", "jacobian")
"""Calls that differentiate."""

RELATIONS = {op.infix: op for op in OPS.values() if op.precedence == COMPARISON}
"""The comparisons by their signs."""

T = TypeVar("T")


class Literal(int):
    """The node of a number as it was written, with no brackets around: its negative is a number."""

    __slots__ = ()


class List(int):
    """The node of a list as it was written, with its entries."""

    entries: tuple[int, ...]


class Builder:
    """The program that is being read: its graph, its functions, and what its names mean by now."""

    def __init__(self, program: Graph, inputs: Iterable[str] = ()) -> None:
        self.program = program
        self.graph = program
        """Where nodes go: the program, or the body of `function`."""
        self.function: Function | None = None
        self.functions: dict[str, Function] = {}
        self.inputs = frozenset(inputs)
        self.known: dict[str, int] = {}
        """What names, and numbers as they are written, stand for in `graph`."""
        self.outer: dict[str, int] = {}
        """The program's `known`, while a body is read."""
        self.read_at: dict[str, int] = {}
        """Where each input was first read."""
        self.rows: dict[tuple[str, int], Op] = {}
        """The ops that calls of values mean, by name and number of arguments."""
        self.serials = count(1)
        self.values: dict[Graph, dict[int, Nested]] = {}
        """The values of constant expressions that had to be known."""
        self.last = NOWHERE
        """The node of the last assignment."""
        for name in self.inputs:
            self.check_name(name, NOWHERE)

    def begin(self) -> None:
        """Forget what the texts before this one would have put out."""
        self.program.outputs.clear()
        self.last = NOWHERE

    def finish(self) -> None:
        """Settle the outputs, and the inputs in the order in which a reader meets them."""
        program, read_at = self.program, self.read_at
        if not program.outputs and self.last != NOWHERE:
            program.outputs.append(self.last)
        places = [
            (min(program.spans[node], read_at.get(name, program.spans[node])), name, node)
            for name, node in program.placeholders.items()
        ]
        program.placeholders = {name: node for _, name, node in sorted(places)}

    def action(self, rule: str) -> Callable[..., object]:
        """Return what a rule with this alias calls: a method, else the making of an op's node."""
        if rule == "-":
            return self.alone
        if hasattr(type(self), rule):
            method: Callable[..., object] = getattr(self, rule)
            return method
        return self.operator(OPS[rule])

    def alone(self, value: T) -> T:
        """Return the only value of a rule that does nothing."""
        return value

    def operator(self, op: Op) -> Callable[..., int]:
        """Return the action of a rule that is a sign between two operands, or before one."""

        def infix(left: int, sign: Token, right: int) -> int:
            graph = self.graph
            graph.at = sign[2]
            return graph.add(op, (left, right))

        def prefix(sign: Token, operand: int) -> int:
            self.graph.at = sign[2]
            return self.graph.add(op, (operand,))

        return prefix if op.most == 1 else infix

    def matmul(self, left: int, sign: Token, right: int) -> int:
        """Return `A @ B`."""
        self.graph.at = sign[2]
        return self.graph.add(OPS["matmul"], (left, right))

    def fail(self, message: str, token: Token, hint: str | None = None) -> NoReturn:
        """Raise an error at a token."""
        raise FormulaError(message, self.program.place(token[2], len(token[1])), hint)

    # -- statements -----------------------------------------------------------------------------

    def blank(self) -> None:
        """Take a line with no statement."""

    def lines(self, before: None, separator: Token, line: None) -> None:
        """Take one more line."""

    def assign(self, name: Token, sign: Token, node: int) -> None:
        """Take `p = x + y`: the name is the node from here on."""
        text = name[1]
        self.check_name(text, name[2])
        before = self.program.place(self.read_at.get(text, NOWHERE))
        if before:
            self.fail(
                f"'{text}' was read as an input before, at {before}",
                name,
                "assign it before its first use, or choose another name",
            )
        if text in self.program.placeholders:
            self.fail(f"'{text}' is an input and cannot be assigned", name)
        self.program.names[text] = self.known[text] = self.last = int(node)

    def output(self, node: int) -> None:
        """Take `x + y`: a bare expression is an output."""
        self.program.outputs.append(int(node))

    def declare(
        self, word: Token, name: Token, colon: Token | None = None, shape: Sequence[Token] = ()
    ) -> Token:
        """Take `input r` or `input X: (10, 2)`."""
        text = name[1]
        self.check_name(text, name[2])
        if text in self.program.names:
            self.fail(f"'{text}' is assigned and cannot be an input", name)
        self.program.at = name[2]
        self.known[text] = self.program.placeholder(text)
        if colon:
            from .literals import size_of

            self.program.shapes[text] = tuple(size_of(self.program, size) for size in shape)
        return name

    def declared(self, name: Token) -> None:
        """Take an input without a default."""

    def default(self, name: Token, sign: Token, node: int) -> None:
        """Take `input r = 0.05`."""
        from .literals import constant_of

        value = constant_of(self.program, node, name, self.found())
        self.program.defaults[name[1]] = value

    def header(self, name: Token, bracket: Token, *rest: list[Token] | Token) -> Function:
        """Take `f(a, b) =`: from here on nodes go to the body of a function."""
        from .functions import Function

        self.check_name(name[1], name[2])
        names = [token for part in rest if isinstance(part, list) for token in part]
        function = Function(name[1], tuple(token[1] for token in names), name[2])
        function.body.sources = self.program.sources
        self.function, self.graph = function, function.body
        self.outer, self.known = self.known, {}
        for position, token in enumerate(names):
            self.check_name(token[1], token[2])
            if token[1] in self.known:
                self.fail(f"two parameters of '{name[1]}' are called '{token[1]}'", token)
            function.body.at = token[2]
            self.known[token[1]] = function.parameter(position)
        return function

    def define(self, function: Function, result: int) -> None:
        """Take a function whose body has been read."""
        function.close(result)
        self.functions[function.name] = function
        self.function, self.graph, self.known = None, self.program, self.outer

    def check_name(self, name: str, at: int) -> None:
        """Raise `FormulaError` for a name that nothing else may have."""
        if name in FIXED or name in RESERVED:
            kind = "a constant" if name in FIXED else "a reserved word"
            self.fail(f"'{name}' is {kind} and cannot be a name", ("", name, at))

    # -- expressions ----------------------------------------------------------------------------

    def name(self, token: Token) -> int:
        """Return what a name stands for."""
        node = self.known.get(token[1])
        return self.resolve(token) if node is None else node

    def resolve(self, token: Token) -> int:
        """Find and keep what a name stands for: a value, a constant, or else an input."""
        _, name, self.graph.at = token
        if name in self.program.names:
            node = self.capture(self.program.names[name])
        elif (
            name in CONSTANTS and name not in self.inputs and name not in self.program.placeholders
        ):
            node = self.graph.constant(CONSTANTS[name])
            node = Literal(node) if name in FIXED else node
        elif name in self.functions:
            self.fail(
                f"'{name}' is a function", token, f"call it: {self.functions[name].signature}"
            )
        else:
            self.read_at.setdefault(name, token[2])
            inside = self.function
            node = inside.input(name) if inside else self.program.placeholder(name)
        self.known[name] = node
        return node

    def capture(self, node: int) -> int:
        """Return what stands for a node of the program in the body that is being read."""
        assert self.function, "in the program, assigned names are known"
        value = self.program.literal(node)
        return self.function.value(node) if value is None else self.graph.constant(value)

    def number(self, token: Token) -> int:
        """Return the node of a number."""
        node = self.known.get(token[1])
        if node is None:
            value = self.finite(token[1], token)
            self.graph.at = token[2]
            node = self.known[token[1]] = Literal(self.graph.constant(value))
        return node

    def finite(self, digits: str, token: Token) -> float:
        """Return the float64 that digits say."""
        value = float(digits)
        if math.isinf(value):
            self.fail("the number is too large for a float64", token)
        return value

    def neg(self, sign: Token, operand: int) -> int:
        """Return `-x`; the negative of a number is a number."""
        graph = self.graph
        graph.at = sign[2]
        value = graph.literal(operand) if type(operand) is Literal else None
        return graph.add(OPS["neg"], (operand,)) if value is None else graph.constant(-value)

    def plus(self, sign: Token, operand: T) -> T:
        """Return `+x`, which is x."""
        return operand

    def flip(self, sign: Token, coefficient: Token) -> Token:
        """Return a coefficient with the other sign."""
        kind, text, _ = coefficient
        return kind, text[1:] if text[0] == "-" else f"-{text}", sign[2]

    def scale(self, coefficient: Token, operand: int) -> int:
        """Return `2x`."""
        number = self.number(coefficient)
        self.graph.at = coefficient[2]
        return self.graph.add(OPS["mul"], (number, operand))

    def superscript(self, base: int, token: Token) -> int:
        """Return `x²`."""
        from .characters import SUPERSCRIPTS

        digits = token[1].translate(SUPERSCRIPTS)
        if not digits.lstrip("+-").isdecimal():
            self.fail(f"'{token[1]}' is no exponent", token)
        self.graph.at = token[2]
        exponent = self.graph.constant(self.finite(digits, token))
        return self.graph.add(OPS["pow"], (base, exponent))

    def choose(self, value: int, word: Token, condition: int, other: Token, otherwise: int) -> int:
        """Return `a if c else b`."""
        self.graph.at = word[2]
        return self.graph.add(OPS["where"], (condition, value, otherwise))

    def compare(self, left: int, sign: Token, right: int) -> tuple[int, int]:
        """Return the comparison `0 < x`, and its right side for the next one in a chain."""
        self.graph.at = sign[2]
        return self.graph.add(RELATIONS[sign[1]], (left, right)), right

    def compare_on(self, chain: tuple[int, int], sign: Token, right: int) -> tuple[int, int]:
        """Return a chain such as `0 < x < 1`: all of its comparisons hold."""
        node, middle = chain
        following, _ = self.compare(middle, sign, right)
        return self.graph.add(OPS["and"], (node, following)), right

    def compared(self, chain: tuple[int, int]) -> int:
        """Return a chain that is complete."""
        return chain[0]

    def group(self, opening: Token, node: int, closing: Token) -> int:
        """Return what is in brackets."""
        return int(node)

    def array(self, opening: Token, entries: list[int], closing: Token) -> int:
        """Return `[1, 2, x]`: a constant where all entries are."""
        from .literals import array_of

        value = array_of(self.graph, entries, opening, self.found())
        self.graph.at = opening[2]
        if value is None:
            node = List(self.graph.add(OPS["stack"], tuple(entries), (0,)))
        else:
            node = List(self.graph.constant(value))
        node.entries = tuple(entries)
        return node

    def index(self, base: int, opening: Token, items: list[Item], closing: Token) -> int:
        """Return `x[1:3, 0]`."""
        from .attributes import index_text

        text = index_text(self, opening, items)
        self.graph.at = opening[2]
        return self.graph.add(OPS["index"], (base,), (text,))

    def transposed(self, base: int, dot: Token) -> int:
        """Return `A.T`."""
        self.graph.at = dot[2]
        return self.graph.add(OPS["transpose"], (base,), (None,))

    def call(self, name: Token, args: list[int]) -> int:
        """Return a function at arguments: an op, or the copy of a user function's body."""
        _, text, self.graph.at = name
        if text in self.functions or self.function:
            function = self.user_function(name, len(args))
            if function:
                return self.called(function, tuple(args))
        op = self.rows.get((text, len(args)))
        if op is None:
            if text in DERIVATIVES:
                return self.derivative(name, args)
            op = self.plain_row(name, args)
            if op is None:
                return self.make(name, args)
        return self.graph.add(op, fill(op, self.graph, tuple(args)))

    def call_with(self, name: Token, opening: Token, items: list[Item], closing: Token) -> int:
        """Return a function at arguments of which some are no values: `sum(x, axis=0)`."""
        function = self.functions.get(name[1])
        if function or name[1] in DERIVATIVES:
            from .attributes import plain
            from .derivatives import FORMS

            plain(self, function.signature if function else FORMS[name[1]].signature, items)
        return self.make(name, items)

    def make(self, name: Token, items: Sequence[Item]) -> int:
        """Return a function of the table at arguments and attributes."""
        from .attributes import settled

        row, args, attrs = settled(self, name, items)
        graph = self.graph
        graph.at = name[2]
        nodes = fill(row, graph, args)
        if isinstance(row, Op):
            return graph.add(row, nodes, attrs)
        assert isinstance(row, Composition), "what can be called is an op or a composition of ops"
        return self.composed(row, [Expr(graph, node) for node in nodes], attrs)

    def composed(self, row: Composition, args: list[Expr], attrs: tuple[Any, ...]) -> int:
        """Return a composition's nodes, in a scope of its own where they are several."""
        graph, first = self.graph, len(self.graph)
        outer = graph.scope
        graph.scope = f"{outer}/{row.name}" if outer else row.name
        made = row.make(graph, args, attrs).node
        graph.scope = outer
        if len(graph) == first + 1:
            graph.scopes.pop(first)
            if outer:
                graph.scopes[first] = outer
        return made

    def keyword(self, name: Token, sign: Token, value: int | Token) -> Keyword:
        """Return an argument with a name."""
        from .attributes import Keyword

        return Keyword(name, value)

    def bounds(self, *parts: int | Token) -> list[Any]:
        """Return the first two numbers of a slice, None for one left out, and its colon."""
        colon = next(part for part in parts if not isinstance(part, int))
        at = parts.index(colon)
        start, stop = [*parts[:at], None][0], [*parts[at + 1 :], None][0]
        return [start, stop, colon]

    def sliced(self, bounds: list[Any], *more: int | Token) -> Slice:
        """Return a slice: its bounds, and its step where it has one."""
        from .attributes import Slice

        start, stop, colon = bounds
        return Slice(start, stop, more[1] if len(more) > 1 else None, colon)  # type: ignore[arg-type]

    def serial(self) -> int:
        """Return a number that no call before has had."""
        serials = self.function.serials if self.function else self.serials
        return next(serials)

    def found(self) -> dict[int, Nested]:
        """Return the values that are known of the nodes that are made now."""
        return self.values.setdefault(self.graph, {})

    def derivative(self, name: Token, args: list[int]) -> int:
        """Return `d(f, x)` and its like: made here, or in a body when a call copies it."""
        from .derivatives import asked, derive

        found = asked(self.graph, self.known, name, args)
        return self.function.derivative(found) if self.function else derive(self.graph, found)

    def called(self, function: Function, args: tuple[int, ...]) -> int:
        """Return a user function at arguments: copied, or kept as a call in a body."""
        if self.function:
            return self.function.call(function, args)
        return self.expansion.call(function, args)

    @cached_property
    def expansion(self) -> Expansion:
        """The copying of functions into the program."""
        from .functions import Expansion

        return Expansion(self.program, self.serials)

    def user_function(self, name: Token, number: int) -> Function | None:
        """Return the user function of this name, None where there is none."""
        text = name[1]
        if self.function and self.function.name == text:
            self.fail(f"recursion: '{text}' is called in its own body", name)
        function = self.functions.get(text)
        if function and len(function.parameters) != number:
            from .misuse import wrong_count

            raise wrong_count(self.program, name, number, function)
        return function

    def plain_row(self, name: Token, args: Sequence[int]) -> Op | None:
        """Find and keep the op that a call of values means, None where it needs more than nodes."""
        op = lookup(name[1], len(args))
        if not isinstance(op, Op) or op.attributes or op.listed:
            return None
        self.rows[name[1], len(args)] = op
        return op

    # -- lists ----------------------------------------------------------------------------------

    def first(self, item: T) -> list[T]:
        """Return a list's beginning."""
        return [item]

    def more(self, items: list[T], comma: Token, item: T) -> list[T]:
        """Return a list with one more item."""
        items.append(item)
        return items

    def nothing(self, opening: Token, closing: Token) -> list[object]:
        """Return `()`."""
        return []

    def inside(self, opening: Token, items: list[T], *closing: Token) -> list[T]:
        """Return the items in brackets."""
        return items
