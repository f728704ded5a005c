# pyright: basic
"""Formulas as the fuzzer has them: terms that know nothing of cgraph's graph, and their text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]

LEAVES = ("input", "number", "param")


@dataclass(frozen=True, eq=False)
class Term:
    """What a formula is made of; terms that are there twice are one object.

    `op` is a name of the op table, of a composition, or one of those that only texts have:
    input, number, param, call, if, for, each, d, gradient and hessian. The leaves have their
    name or number in `attrs`; `body` is what a call, a loop or a comprehension repeats.
    """

    op: str
    args: tuple[Term, ...] = ()
    attrs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    body: Term | None = None

    def parts(self) -> tuple[Term, ...]:
        """Return all terms that it is directly made from."""
        return self.args if self.body is None else (*self.args, self.body)


@dataclass(frozen=True)
class Case:
    """A formula with a value for each of its inputs."""

    term: Term
    point: Mapping[str, Floats]
    named: frozenset[Term] = frozenset()
    """The terms that its text gives a name of their own."""

    @property
    def text(self) -> str:
        """The program."""
        return Writer(self.named).program(self.term)

    def bindings(self) -> dict[str, Any]:
        """Return the values as cgraph's functions take them."""
        names = inputs_of(self.term)
        return {name: plain(self.point[name]) for name in names}

    def __str__(self) -> str:
        given = " ".join(f"--{n} '{shown(v)}'" for n, v in self.bindings().items())
        return f'"{self.text}" {given}'


def plain(value: Floats) -> Any:
    """Return an array of no axes as a float."""
    return float(value) if np.ndim(value) == 0 else value


def shown(value: Any) -> str:
    """Return a number or an array as a command takes it."""
    return repr(np.asarray(value).tolist()).replace(" ", "")


def walk(term: Term) -> Iterator[Term]:
    """Yield every term that a term is made from once, itself last."""
    seen: set[Term] = set()
    stack = [(term, False)]
    while stack:
        one, ready = stack.pop()
        if ready:
            yield one
        elif one not in seen:
            seen.add(one)
            stack.append((one, True))
            stack.extend((part, False) for part in reversed(one.parts()))


def inputs_of(term: Term) -> list[str]:
    """Return the names of the inputs that a term needs."""
    found = (one.attrs["name"] for one in walk(term) if one.op == "input")
    return list(dict.fromkeys(found))


@lru_cache(maxsize=20_000)
def free_params(term: Term) -> frozenset[str]:
    """Return the parameters that a term has from outside of it."""
    if term.op == "param":
        return frozenset([str(term.attrs["name"])])
    found = frozenset[str]().union(*(free_params(arg) for arg in term.args))
    if term.body is not None:
        found |= free_params(term.body) - frozenset(term.attrs["params"])
    if term.op == "index":
        found |= {part[0] for part in term.attrs["index"] if isinstance(part, tuple)}
    return found


INFIX = {
    **{"add": "+", "sub": "-", "mul": "*", "div": "/", "mod": "%", "pow": "^", "matmul": "@"},
    **{"less": "<", "less_equal": "<=", "greater": ">", "greater_equal": ">="},
    **{"equal": "==", "not_equal": "!=", "and": "and", "or": "or"},
}
HIDDEN = ("listed", "infix")
"""Attributes of a term that say how it is written."""
NAMES = {"largest": "max", "smallest": "min", "log_base": "log"}
"""What formulas call an op whose own name is another."""


class Writer:
    """The text of a term: statements that it needs, then its expression."""

    def __init__(self, named: frozenset[Term]) -> None:
        self.named = named
        self.lines: list[str] = []
        self.known: dict[Term, str] = {}

    def program(self, term: Term) -> str:
        """Return the whole program on one line."""
        last = self.text(term)
        return "; ".join([*self.lines, last])

    def text(self, term: Term) -> str:
        """Return a term as an expression."""
        if term not in self.known:
            found = self.expression(term)
            blocks = term.op in ("if", "for")
            if (term in self.named or blocks) and term.op not in LEAVES and not free_params(term):
                found = self.let(found)
            if free_params(term):
                return found
            self.known[term] = found
        return self.known[term]

    def let(self, value: str) -> str:
        """Return a new name for a value."""
        name = f"p{len(self.lines)}"
        self.lines.append(f"{name} = {value}")
        return name

    def expression(self, term: Term) -> str:
        """Return a term as it is written where nothing names it."""
        match term.op:
            case "input" | "param":
                return str(term.attrs["name"])
            case "number":
                return constant(term.attrs["value"])
            case "call":
                return self.called(term)
            case "if":
                return self.block(term)
            case "for":
                return self.loop(term)
            case "each":
                return self.comprehension(term)
            case "d":
                order = term.attrs["order"]
                more = f", {order}" if order > 1 else ""
                return f"d({self.text(term.args[0])}, {term.attrs['by'][0]}{more})"
            case "gradient" | "hessian":
                kind = "grad" if term.op == "gradient" else "hessian"
                return f"{kind}({self.text(term.args[0])}, [{', '.join(term.attrs['by'])}])"
            case _:
                return self.operation(term)

    def operation(self, term: Term) -> str:
        """Return an op of the table at its arguments."""
        args = [self.text(arg) for arg in term.args]
        match term.op:
            case "neg":
                return f"(-{args[0]})"
            case "not":
                return f"(not {args[0]})"
            case "where" if term.attrs.get("infix"):
                return f"({args[1]} if {args[0]} else {args[2]})"
            case "index":
                return f"({args[0]})[{index_text(term.attrs['index'])}]"
            case "transpose" if term.attrs["axes"] is None:
                return f"({args[0]}).T"
            case name if name in INFIX and len(args) == 2:
                return f"({args[0]} {INFIX[name]} {args[1]})"
            case name:
                given = [f"{k}={attribute(k, v)}" for k, v in term.attrs.items() if k not in HIDDEN]
                if name == "place":
                    given = [attribute("shape", term.attrs["shape"])]
                    given.append(index_text(term.attrs["index"]))
                whole = f"[{', '.join(args)}]" if term.attrs.get("listed") else ", ".join(args)
                return f"{NAMES.get(name, name)}({', '.join(filter(None, [whole, *given]))})"

    def called(self, term: Term) -> str:
        """Return a call of a function of the user, and define the function."""
        assert term.body is not None
        name, params = str(term.attrs["name"]), ", ".join(term.attrs["params"])
        line = f"{name}({params}) = {Writer(frozenset()).text(term.body)}"
        if line not in self.lines:
            self.lines.append(line)
        return f"{name}({', '.join(self.text(arg) for arg in term.args)})"

    def block(self, term: Term) -> str:
        """Return the name that an if-block gives a value, or a selection inside of a body."""
        condition, first, second = (self.text(arg) for arg in term.args)
        if free_params(term):
            return f"where({condition}, {first}, {second})"
        name = f"b{len(self.lines)}"
        self.lines.append(f"if {condition} {{ {name} = {first} }} else {{ {name} = {second} }}")
        return name

    def loop(self, term: Term) -> str:
        """Return the name that a loop gives its last value."""
        assert term.body is not None
        state, counter = term.attrs["params"]
        start = self.text(term.args[0])
        body = self.text(term.body)
        self.lines.append(f"{state} = {start}")
        count = term.attrs["count"]
        self.lines.append(f"for {counter} in 1 to {count} {{ {state} = {body} }}")
        return str(state)

    def comprehension(self, term: Term) -> str:
        """Return what is made from the items of a comprehension."""
        assert term.body is not None
        (counter,) = term.attrs["params"]
        first, last = term.attrs["range"]
        items = f"{self.text(term.body)} for {counter} in {first} to {last}"
        fold = term.attrs["fold"]
        return f"[{items}]" if fold == "stack" else f"{fold}({items})"


def constant(value: Any) -> str:
    """Return a number or an array of numbers as a formula has it."""
    if isinstance(value, np.ndarray) and value.ndim:
        return f"[{', '.join(constant(part) for part in value)}]"
    number = float(value)
    text = repr(number).removesuffix(".0")
    return f"({text})" if text.startswith("-") else text


def index_text(parts: Sequence[Any]) -> str:
    """Return an index as it is written."""
    return ", ".join(index_part(part) for part in parts)


def index_part(part: Any) -> str:
    """Return one part of an index."""
    if isinstance(part, slice):
        bounds = ["" if one is None else str(one) for one in (part.start, part.stop)]
        return ":".join([*bounds, *([str(part.step)] if part.step is not None else [])])
    if isinstance(part, tuple):
        return f"{part[0]} - {part[1]}"
    return "..." if part is ... else str(part)


def attribute(name: str, value: Any) -> str:
    """Return the value of an attribute."""
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, tuple):
        return f"[{', '.join(map(str, value))}]"
    return repr(value)
