"""The actions of statements: what a program's names, functions and outputs are.

An alias in the grammar is a method of the builder or an op of the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import MethodType
from typing import TYPE_CHECKING, Any, NamedTuple

from ..autodiff.constants import CONSTANTS
from ..autodiff.errors import NOWHERE
from ..autodiff.ops import OPS, Op
from .calls import DERIVATIVES, Calls
from .expressions import Given, Later
from .tape import AT_ONCE, MAX_DEPTH, TOO_DEEP, Action, Actions, Recording, Tape

if TYPE_CHECKING:
    from ..autodiff.graph import Graph
    from .blocks import Branch, Series
    from .functions import Function
    from .lexer import Token


class Header(NamedTuple):
    """The beginning of a function's definition: `f(a, b) =`."""

    name: Token
    parameters: tuple[Token, ...]


class Builder(Calls):
    """The program that is being read: its graph, its functions, and what its names mean by now."""

    def __init__(
        self, program: Graph, inputs: Iterable[str] = (), given: Given | None = None
    ) -> None:
        super().__init__(program, inputs, given)
        self.tape = Tape()
        self.last: Token | None = None
        """The name of the last assignment."""
        self.defined: Header | None = None
        """The last function that was defined."""
        self.variables: set[str] = set()
        """The variables of the loops that are running."""
        self.turns = 0
        """How often loops have run."""
        self.changed: dict[str, int | None] | None = None
        """In a branch or a loop: what the names that it assigns were before."""
        for name in self.inputs:
            self.check_name(name, NOWHERE)

    def begin(self) -> None:
        """Forget what the texts before this one would have put out."""
        self.program.outputs.clear()
        self.program.called.clear()
        self.last = self.defined = None

    def finish(self) -> None:
        """Settle the outputs, and the inputs in the order in which a reader meets them."""
        program, read_at = self.program, self.read_at
        if not program.outputs and not self.last and self.defined:
            self.output(self.itself(self.defined))
        if not program.outputs and self.last:
            if self.last[1] not in self.names:
                self.in_part(self.last[1], self.last)
            self.read = self.last[1]
            self.output(self.names[self.read])
        places = [
            (min(program.spans[node], read_at.get(name, program.spans[node])), name, node)
            for name, node in program.placeholders.items()
        ]
        program.placeholders = {name: node for _, name, node in sorted(places)}

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
        if text in self.variables:
            self.fail(f"'{text}' is the variable of a loop and cannot be assigned", name)
        self.bind(text, int(node))
        self.last = name

    def bind(self, name: str, node: int) -> None:
        """Let a name of the program be a node from here on."""
        if self.changed is not None:
            self.changed.setdefault(name, self.names.get(name))
        self.names[name] = self.known[name] = node

    def output(self, node: int) -> None:
        """Take `x + y`: a bare expression is an output."""
        outputs, read = self.program.outputs, self.read
        if self.names.get(read) == node:
            self.program.called[len(outputs)] = read
        outputs.append(int(node))

    def declare(
        self, word: Token, name: Token, colon: Token | None = None, shape: Sequence[Token] = ()
    ) -> Token:
        """Take `input r` or `input X: (10, 2)`."""
        text = name[1]
        self.outside(name, "an input is declared")
        self.check_name(text, name[2])
        if text in self.program.names:
            self.fail(f"'{text}' is assigned and cannot be an input", name)
        self.program.at = name[2]
        self.known[text] = self.program.placeholder(text)
        if colon:
            from .literals import size_of

            self.program.shapes[text] = tuple(size_of(self.program, size) for size in shape)
        self.program_values().forget()
        return name

    def declared(self, name: Token) -> None:
        """Take an input without a default."""

    def default(self, name: Token, sign: Token, node: int) -> None:
        """Take `input r = 0.05`."""
        from .literals import constant_of

        value = constant_of(self.constant_values(), node, name)
        self.program.defaults[name[1]] = value
        self.program_values().forget()

    def outside(self, name: Token, what: str) -> None:
        """Refuse a statement that may not be in a block."""
        if self.tape.open:
            self.fail(f"{what} outside of blocks", name)

    # -- functions ----------------------------------------------------------------------------

    def header(self, name: Token, bracket: Token, *rest: list[Token] | Token) -> Header:
        """Take `f(a, b) =`: from here on a function's body is recorded."""
        self.outside(name, "a function is defined")
        self.check_name(name[1], name[2])
        names = [token for part in rest if isinstance(part, list) for token in part]
        for position, token in enumerate(names):
            self.check_name(token[1], token[2])
            if token[1] in [before[1] for before in names[:position]]:
                self.fail(f"two parameters of '{name[1]}' are called '{token[1]}'", token)
        self.tape.start(name)
        return Header(name, tuple(names))

    def define(self, header: Header, result: object) -> None:
        """Take a function: its body becomes a graph, or is kept to be run at its arguments."""
        from .functions import AtCall, Function

        body = self.tape.stop(result, header.name)
        name, parameters = header.name, tuple(token[1] for token in header.parameters)
        function = Function(name[1], parameters, name[2])
        try:
            self.make_body(function, header, body)
        except Later:
            function = Function(name[1], parameters, name[2])
            differs = any(called[0][1] in DERIVATIVES for called in body.called("call"))
            function.later = AtCall(body, dict(self.names), dict(self.functions), differs)
            self.read_inputs(header, body)
        self.functions[name[1]] = function
        self.defined = header

    def itself(self, header: Header) -> int:
        """Return a function at inputs that are called as its parameters are."""
        name, parameters = header
        self.graph.at = name[2]
        args = tuple([int(self.name(token)) for token in parameters])
        return int(self.called(name, self.functions[name[1]], args))

    def make_body(self, function: Function, header: Header, body: Recording) -> None:
        """Run a function's body into its graph. Raises `Later` where it must know its arguments."""
        function.body.sources = self.program.sources
        function.body.training = self.program.training
        known, self.known = self.known, {}
        self.function, self.graph = function, function.body
        self.frames.append(function.name)
        try:
            for position, token in enumerate(header.parameters):
                function.body.at = token[2]
                self.known[token[1]] = function.parameter(position)
            function.close(int(body.play()))
        finally:
            self.frames.pop()
            self.eagers.pop(function.body, None)
            self.constants.pop(function.body, None)
            self.digits.pop(function.body, None)
            self.function, self.graph, self.known = None, self.program, known

    def read_inputs(self, header: Header, body: Recording) -> None:
        """Take note of the inputs that a body reads, though it is run only where it is called."""
        own = {token[1] for token in header.parameters}
        own |= {values[1][1] for values in body.called("comprehension")}
        for ((_, name, at),) in body.called("name"):
            constant = name in CONSTANTS and name not in self.inputs
            if name not in own and name not in self.names and not constant:
                self.read_at.setdefault(name, at)

    # -- blocks -------------------------------------------------------------------------------

    def record(self, opening: Token) -> Recording:
        """Begin what is run later, or more than once."""
        if len(self.tape.open) >= MAX_DEPTH:
            self.fail(TOO_DEEP, opening)
        return self.tape.start(opening)

    def recorded(
        self, recording: Recording, result: object, closing: Token | None = None
    ) -> Recording:
        """Return what is run later, as it is complete."""
        return self.tape.stop(result, closing or recording.opening)

    def first_branch(self, test: Recording, block: Recording) -> list[Branch]:
        """Return the branches of `if c { ... }`."""
        from .blocks import Branch

        return [Branch(test, block)]

    def next_branch(
        self, branches: list[Branch], word: Token, test: Recording, block: Recording
    ) -> list[Branch]:
        """Return the branches with `else if c { ... }`."""
        from .blocks import Branch

        return [*branches, Branch(test, block)]

    def branched(self, branches: list[Branch], *otherwise: Token | Recording) -> None:
        """Take `if c { ... } else { ... }`."""
        from .blocks import branched

        branched(self, branches, otherwise[-1] if otherwise else None)  # type: ignore[arg-type]

    def whiled(self, test: Recording, block: Recording) -> None:
        """Take `while c { ... }`."""
        from .blocks import whiled

        whiled(self, test, block)

    def looped(
        self,
        word: Token,
        name: Token,
        within: Token,
        low: int,
        to: Token,
        high: int,
        block: Recording,
    ) -> None:
        """Take `for i in 1 to n { ... }`."""
        from .blocks import each

        for _ in each(self, word, name, low, high):
            block.play()

    def comprehension(
        self, item: Recording, name: Token, within: Token, low: int, to: Token, high: int
    ) -> Series:
        """Return the items of `f(i) for i in 1 to n`."""
        from .blocks import Series, each

        found = [int(item.play()) for _ in each(self, item.closing, name, low, high)]
        return Series(item.opening, found)


# -- actions --------------------------------------------------------------------------------------


def action(name: str) -> Action:
    """Return what a rule with this alias calls: a method, else the making of an op's node."""
    found: Action | None = Builder.alone if name == "-" else getattr(Builder, name, None)
    return operator(OPS[name]) if found is None else found


def operator(op: Op) -> Action:
    """Return the action of a rule that is a sign between two operands, or before one."""

    def infix(builder: Builder, left: int, sign: Token, right: int) -> int:
        graph = builder.graph
        graph.at = sign[2]
        return graph.add(op, (left, right))

    def prefix(builder: Builder, sign: Token, operand: int) -> int:
        builder.graph.at = sign[2]
        return builder.graph.add(op, (operand,))

    return prefix if op.most == 1 else infix


def keeping(name: str) -> Action:
    """Return what the same rule calls while a recording is made."""
    action = ACTIONS[name]
    if name in AT_ONCE:
        return action

    def keep(builder: Builder, *values: Any) -> int:
        return builder.tape.open[-1].keep(name, MethodType(action, builder), values)

    return keep


ACTIONS, KEEPING = Actions(action), Actions(keeping)
