"""A reader of the LaTeX that cgraph writes: it works the equations of an `align` out as numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping

from cgraph.autodiff.ops import OPS, Op, lookup

TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\d+\.?\d*|[A-Za-z]|\S")
COMPARISONS = {
    "<": "less",
    ">": "greater",
    r"\le": "less_equal",
    r"\ge": "greater_equal",
    "=": "equal",
    r"\ne": "not_equal",
}
PRODUCTS = {r"\cdot": "mul", r"\times": "mul", "/": "div", r"\bmod": "mod"}
BRACKETS = {"(": "", "|": "abs", r"\lfloor": "floor", r"\lceil": "ceil", "[": ""}
CALLED = {r"\ln": "log", r"\Gamma": "gamma", r"\psi": "digamma"}


def read(text: str, values: Mapping[str, float]) -> dict[str, float]:
    """Return what is left of each `&=` with its number, at the values of symbols."""
    body = text.removeprefix("\\begin{align*}\n").removesuffix("\n\\end{align*}\n")
    found: dict[str, float] = {}
    for equation in body.split(" \\\\\n"):
        left, right = equation.split(" &= ")
        reader = Reader(right, {**values, **found})
        found[left] = reader.either()
        assert reader.next == "", equation
    return found


class Reader:
    """Recursive descent over one expression, a method for each level of precedence."""

    def __init__(self, text: str, values: Mapping[str, float]) -> None:
        self.tokens: list[str] = [*TOKEN.findall(text), ""]
        self.values = values

    @property
    def next(self) -> str:
        return self.tokens[0]

    def take(self, *expected: str) -> str:
        assert not expected or self.next in expected, (self.tokens[:8], expected)
        return self.tokens.pop(0)

    def chain(self, part: Callable[[], float], signs: Mapping[str, str]) -> float:
        found = part()
        while self.next in signs:
            found = OPS[signs[self.take()]].scalar(found, part())
        return found

    def either(self) -> float:
        return self.chain(self.both, {r"\lor": "or"})

    def both(self) -> float:
        return self.chain(self.denied, {r"\land": "and"})

    def denied(self) -> float:
        if self.next == r"\lnot":
            self.take()
            return OPS["not"].scalar(self.atom())
        return self.chain(self.sum, COMPARISONS)

    def sum(self) -> float:
        if self.next == "-":
            self.take()
            return self.summed(-self.product())
        return self.summed(self.product())

    def summed(self, found: float) -> float:
        while self.next in ("+", "-"):
            sign, part = self.take(), self.product()
            found = found + part if sign == "+" else found - part
        return found

    def product(self) -> float:
        return self.chain(self.power, PRODUCTS)

    def power(self) -> float:
        is_exp = self.next == "e" and "e" not in self.values
        base = self.take() if is_exp else self.atom()
        if self.next != "^":
            return float(base)
        self.take()
        exponent = self.group()
        return OPS["exp"].scalar(exponent) if is_exp else OPS["pow"].scalar(base, exponent)

    def group(self, close: str = "}") -> float:
        self.take("{", "[")
        found = self.either()
        self.take(close)
        return found

    def atom(self) -> float:
        token = self.next
        if token[:1].isdigit():
            return float(self.take())
        if token == r"\left":
            return self.bracketed()
        known = {r"\frac": self.fraction, r"\sqrt": self.root, r"\begin": self.cases}
        if token in known:
            self.take()
            return known[token]()
        if token in (r"\pi", r"\infty"):
            return math.pi if self.take() == r"\pi" else math.inf
        return self.named()

    def bracketed(self) -> float:
        self.take(r"\left")
        op = BRACKETS[self.take()]
        found = self.either()
        self.take(r"\right")
        self.take()
        return OPS[op].scalar(found) if op else found

    def fraction(self) -> float:
        above = self.group()
        return OPS["div"].scalar(above, self.group())

    def root(self) -> float:
        order = self.group("]") if self.next == "[" else 2.0
        return OPS["root"].scalar(self.group(), order)

    def cases(self) -> float:
        self.word()
        chosen, condition = self.either(), 0.0
        self.take("&")
        self.take(r"\text")
        self.word()
        condition = self.either()
        self.take(r"\\")
        other = self.either()
        for _ in ("&", r"\text"):
            self.take()
        self.word()
        self.take(r"\end")
        self.word()
        return chosen if condition else other

    def word(self) -> str:
        """Return the letters in braces."""
        letters = ""
        self.take("{")
        while self.next != "}":
            letters += self.take().removeprefix("\\")
        self.take()
        return letters

    def named(self) -> float:
        """Return the number of a symbol, or of a function's call."""
        name = self.take()
        if name in (r"\operatorname", r"\mathrm"):
            name = f"{name}{{{self.word()}}}"
        if name == r"\log":
            self.take("_")
            base = self.group()
            return OPS["log_base"].scalar(self.bracketed(), base)
        if self.tokens[:2] == [r"\left", "("]:
            return self.call(name)
        if name == r"\ln":
            return OPS["log"].scalar(self.bracketed())
        if self.next == "_":
            self.take()
            name += f"_{{{self.index()}}}"
        return math.nan if name == r"\mathrm{nan}" else self.values[name]

    def index(self) -> str:
        letters = ""
        self.take("{")
        depth = 1
        while depth:
            token = self.take()
            depth += (token == "{") - (token == "}")
            letters += token if depth else ""
        return letters.replace(",", ", ")

    def call(self, name: str) -> float:
        inner = re.sub(r"\\operatorname\{(\w+)\}", r"\1", name)
        function = CALLED.get(name, inner.removeprefix("\\"))
        self.take(r"\left")
        self.take("(")
        args = [self.either()]
        while self.next == ",":
            self.take()
            args.append(self.either())
        self.take(r"\right")
        self.take(")")
        op = lookup(function, len(args)) or OPS[function]
        assert isinstance(op, Op)
        return op.scalar(*args)
