"""The actions of expressions: each appends nodes to a graph and returns what its rule stands for.

An alias in the grammar is a method of the builder or an op of the table. Values are nodes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, NamedTuple, NoReturn, TypeVar

from ..autodiff.constants import CONSTANTS, FIXED, FREE
from ..autodiff.errors import FormulaError
from ..autodiff.graph import Graph, Nested, Shape
from ..autodiff.ops import OPS, Op
from ..autodiff.ops.comparison import RELATIONS
from .lexer import RESERVED, Token

if TYPE_CHECKING:
    from ..autodiff.eager import Eager
    from ..autodiff.evaluate import Value
    from .functions import Function

T = TypeVar("T")


class Literal(int):
    """The node of a number as it was written, with no brackets around: its negative is a number."""

    __slots__ = ()


class List(int):
    """The node of a list as it was written, with its entries."""

    entries: tuple[int, ...]


class Uneven:
    """A list whose entries make no array: a call may take them for its arguments.

    It is no node: whatever takes it for one raises why. Nodes are numbers, and keys.
    """

    def __init__(self, entries: tuple[int, ...], refusal: FormulaError) -> None:
        self.entries = entries
        self.refusal = refusal

    def __index__(self) -> int:
        """Raise why it is no node."""
        raise self.refusal

    def __hash__(self) -> int:
        """Raise why it is no node."""
        raise self.refusal


def natural(graph: Graph, op: Op, args: Sequence[int]) -> int:
    """Return the node of an op with a natural base: exp(x) for e^x.

    What is written as a number is one, whatever its digits: a power of 2.718281828459045.
    """
    base = args[0]
    if op.natural and graph.literal(base) == FREE["e"] and type(base) is not Literal:
        letter = graph.letters.get(base)
        power = OPS[op.natural]
        if letter is None:
            return graph.add(power, tuple(args[1:]))
        return graph.natural(power, tuple(args[1:]), letter)
    return graph.add(op, tuple(args))


class Given(NamedTuple):
    """What is known of the inputs; values are made use of where `dynamic`, else their shapes.

    `draw` is (what draws random numbers, its arguments) -> the name of an input that has them; None
    is for formulas, which have none.
    """

    shapes: Mapping[str, Shape] = {}
    values: Mapping[str, Value] = {}
    dynamic: bool = False
    draw: Callable[[str, Sequence[Nested]], str] | None = None

    def value(self, graph: Graph, name: str) -> Value | None:
        """Return the value of an input, None where none is known."""
        value = self.values.get(name)
        if value is None and name in graph.defaults:
            from ..autodiff.evaluate import from_nested

            return from_nested(graph.defaults[name])
        return value

    def shape(self, graph: Graph, name: str) -> Shape | None:
        """Return the shape of an input, None where none is known."""
        from ..autodiff.inputs import input_shape

        return input_shape(graph, name, self.values, self.shapes)

    def eager(self, graph: Graph) -> Eager:
        """Return the values of a program's nodes as far as they are known."""
        from ..autodiff.eager import Eager, unknown

        value = partial(self.value, graph) if self.dynamic else unknown
        return Eager(graph, value, partial(self.shape, graph), draws=self.dynamic)


def constant_called(graph: Graph, name: str) -> int:
    """Return the node of a constant by its name, which is kept where it may mean something else."""
    return graph.constant(CONSTANTS[name], name if name in FREE else None)


class Later(Exception):
    """In a function's body: what must be known is known only where the function is called."""


class Expressions:
    """The graph that is being made, and what names in it mean by now."""

    def __init__(
        self, program: Graph, inputs: Iterable[str] = (), given: Given | None = None
    ) -> None:
        self.program = program
        self.given = given or Given()
        self.graph = program
        """Where nodes go: the program, or the body of `function`."""
        self.function: Function | None = None
        self.functions: dict[str, Function] = {}
        self.inputs = frozenset(inputs)
        self.names = program.names
        """What assigned names mean."""
        self.partial: dict[str, Token] = {}
        """Names that were assigned in some branches only, with the `if`."""
        self.known: dict[str, int] = {}
        """What names, and numbers as they are written, stand for in `graph`."""
        self.read = ""
        """The name that was read last."""
        self.read_at: dict[str, int] = {}
        """Where each input was first read."""
        self.serials = count(1)
        self.drawn = 0
        """How many numbers of `serials` were given."""
        self.eagers: dict[Graph, Eager] = {}
        """What is known of values in each graph."""
        self.constants: dict[Graph, Eager] = {}
        """The same, of constants only."""
        self.digits: dict[Graph, Eager] = {}
        """The same, of those that no name is in."""

    def fail(self, message: str, token: Token, hint: str | None = None) -> NoReturn:
        """Raise an error at a token."""
        raise FormulaError(message, self.program.place(token[2], len(token[1])), hint)

    def check_name(self, name: str, at: int) -> None:
        """Raise `FormulaError` for a name that nothing else may have."""
        if name in FIXED or name in RESERVED:
            kind = "a constant" if name in FIXED else "a reserved word"
            self.fail(f"'{name}' is {kind} and cannot be a name", ("", name, at))

    # -- what is known ----------------------------------------------------------------------------

    def value(self, node: int) -> Value:
        """Return the value of a node that must be known now.

        Raises `Unknown`, and `Later` in a function's body, where it is not.
        """
        from ..autodiff.eager import Unknown

        try:
            return self.eager().value(node)
        except Unknown:
            if self.function:
                raise Later from None
            raise

    def nested(self, node: int) -> Nested:
        """Return the same as a constant has it."""
        self.value(node)
        return self.eager().nested(node)

    def eager(self) -> Eager:
        """Return what is known of values in the graph."""
        if not self.function:
            return self.program_values()
        found = self.eagers.get(self.graph)
        if found is None:
            found = self.eagers[self.graph] = Given().eager(self.graph)
        return found

    def program_values(self) -> Eager:
        """Return what is known of values in the program."""
        found = self.eagers.get(self.program)
        if found is None:
            found = self.eagers[self.program] = self.given.eager(self.program)
        return found

    def constant_values(self) -> Eager:
        """Return what is known of constants in the graph."""
        from ..autodiff.eager import Eager

        return self.constants.setdefault(self.graph, Eager(self.graph))

    def in_digits(self, nodes: Iterable[int]) -> bool:
        """Tell whether no constant that is written by its name is in some constants."""
        from ..autodiff.eager import InDigits, Unknown

        if not self.graph.letters:
            return True
        digits = self.digits.setdefault(self.graph, InDigits(self.graph))
        try:
            return all(digits.value(node) is not None for node in nodes)
        except Unknown:
            return False

    def serial(self) -> int:
        """Return a number that no call before has had."""
        self.drawn += 1
        return next(self.function.serials if self.function else self.serials)

    # -- operators --------------------------------------------------------------------------------

    def alone(self, value: T) -> T:
        """Return the only value of a rule that does nothing."""
        return value

    # -- names and numbers ------------------------------------------------------------------------

    def name(self, token: Token) -> int:
        """Return what a name stands for."""
        node = self.known.get(token[1])
        self.read = token[1]
        return self.resolve(token) if node is None else node

    def resolve(self, token: Token) -> int:
        """Find and keep what a name stands for: a value, a constant, or else an input."""
        _, name, self.graph.at = token
        if name in self.names:
            node = self.capture(self.names[name])
        elif (
            name in CONSTANTS and name not in self.inputs and name not in self.program.placeholders
        ):
            node = constant_called(self.graph, name)
            node = Literal(node) if name in FIXED else node
        elif name in self.functions:
            self.fail(
                f"'{name}' is a function", token, f"call it: {self.functions[name].signature}"
            )
        elif name in self.partial:
            self.in_part(name, token)
        else:
            self.read_at.setdefault(name, token[2])
            inside = self.function
            node = inside.input(name) if inside else self.program.placeholder(name)
        self.known[name] = node
        return node

    def in_part(self, name: str, token: Token) -> NoReturn:
        """Raise the error for a name that has a value in some branches only."""
        told = f"'{name}' has a value only where the condition holds"
        self.fail(told, token, "give it one before the `if`, or in each branch")

    def capture(self, node: int) -> int:
        """Return what stands for a node of the program where nodes go now."""
        if not self.function:
            return node
        value = self.program.literal(node)
        if value is None:
            return self.function.value(node)
        return self.graph.constant(value, self.program.letters.get(node))

    def number(self, token: Token) -> int:
        """Return the node of a number."""
        node = self.known.get(token[1])
        if node is None:
            _, digits, at = token
            value = self.finite(digits, token)
            graph = self.graph
            graph.at = at
            node = self.known[digits] = Literal(graph.constant(value))
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

    def pow(self, base: int, sign: Token, exponent: int) -> int:
        """Return `x^y`; a power of the constant e is an exponential."""
        self.graph.at = sign[2]
        return natural(self.graph, OPS["pow"], (base, exponent))

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
        return natural(self.graph, OPS["pow"], (base, exponent))

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

    def array(self, opening: Token, entries: list[int], closing: Token) -> int | Uneven:
        """Return `[1, 2, x]`: a constant where all entries are."""
        from .literals import array_of

        value = array_of(self.constant_values(), entries, opening)
        self.graph.at = opening[2]
        if isinstance(value, Uneven):
            return value
        if value is None or not self.in_digits(entries):
            node = List(self.graph.add(OPS["stack"], tuple(entries), (0,)))
        else:
            node = List(self.graph.constant(value))
        node.entries = tuple(entries)
        return node

    def transposed(self, base: int, dot: Token) -> int:
        """Return `A.T`."""
        self.graph.at = dot[2]
        return self.graph.add(OPS["transpose"], (base,), (None,))

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
