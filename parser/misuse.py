"""What is wrong with a call: no such function, too many arguments, a value for a function."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..autodiff.errors import FormulaError, did_you_mean
from ..autodiff.graph import Graph
from ..autodiff.ops import FUNCTIONS, Builtin
from .mistakes import BEGINNINGS, FUNCTION, LEIBNIZ

if TYPE_CHECKING:
    from .calls import Calls
    from .functions import Function
    from .lexer import Token

ELSEWHERE = {
    "sgn": "sign",
    "fabs": "abs",
    "ceiling": "ceil",
    "tg": "tan",
    "ctg": "cot",
    "power": "pow",
    "maximum": "max",
    "minimum": "min",
    "fmod": "mod",
    "expit": "sigmoid",
    "logistic": "sigmoid",
    "heaviside": "step",
    "if": "where",
    "ifelse": "where",
}
"""Functions by the names that they have elsewhere, in whatever case."""


DEFINITION = re.compile(r"\w+\s*\([\w\s,]*\)\s*:=")

DERIVATIVES = ("diff", "deriv", "derivative", "differentiate", "gradient", "ddx")
"""What the derivative is called elsewhere, in whatever case."""


def wrong_call(builder: Calls, name: Token, count: int) -> FormulaError:
    """Return the error for a call that no op takes."""
    if name[1] in FUNCTIONS:
        return wrong_count(builder.program, name, count, *FUNCTIONS[name[1]])
    return unknown_function(builder, name)


def wrong_count(graph: Graph, name: Token, count: int, *found: Builtin | Function) -> FormulaError:
    """Return the error for a function with a wrong number of arguments."""
    least = min(len(f.parameters) if not isinstance(f, Builtin) else f.least for f in found)
    mosts = [f.most if isinstance(f, Builtin) else len(f.parameters) for f in found]
    most = None if None in mosts else max(most for most in mosts if most is not None)
    if most is None:
        wanted = f"at least {least}"
    else:
        wanted = (
            f"{least}" if most == least else f"{least} {'or' if most == least + 1 else 'to'} {most}"
        )
    noun = "argument" if wanted in ("1", "at least 1") else "arguments"
    return FormulaError(
        f"{name[1]} takes {wanted} {noun}, {count} given",
        graph.place(name[2], len(name[1])),
        " or ".join(f.usage if isinstance(f, Builtin) else f.signature for f in found),
    )


def unknown_function(builder: Calls, name: Token) -> FormulaError:
    """Return the error for a call of no function: a misspelling, or a product."""
    text = name[1]
    place = builder.program.place(name[2], len(text))
    product = f"to multiply, write {text}*(...)"
    derivative = leibniz(builder, name)
    if derivative:
        return FormulaError("d/dx is no operator", place, derivative)
    if text in builder.known:
        return FormulaError(f"'{text}' is a value, not a function", place, product)
    if text.casefold() in DERIVATIVES:
        return FormulaError(f"unknown function '{text}'", place, "the derivative is d(f, x)")
    if text in BEGINNINGS or defines(builder, name):
        remedy = BEGINNINGS.get(text, FUNCTION)
        return FormulaError(f"unknown function '{text}'", place, remedy)
    module, _, last = text.rpartition(".")
    meant = ELSEWHERE.get(last.casefold(), last)
    if module and meant in FUNCTIONS:
        return FormulaError(f"unknown function '{text}'", place, f"write {meant}(...)")
    remedy = did_you_mean(meant, [*builder.functions, *FUNCTIONS]) or product
    return FormulaError(f"unknown function '{text}'", place, remedy)


def defines(builder: Calls, name: Token) -> bool:
    """Tell whether `f(x) := x^2` stands here, as other languages define a function."""
    source = builder.program.sources.source(name[2])
    return source is not None and DEFINITION.match(source.text, name[2] - source.start) is not None


def leibniz(builder: Calls, name: Token) -> str | None:
    """Return how `d/dx(f)` and `d^2/dx^2(f)` are written, None where this is none."""
    source = builder.program.sources.source(name[2])
    if source is None:
        return None
    found = LEIBNIZ.search(source.text[: name[2] - source.start].replace(" ", "") + name[1])
    return f"write d(f, {found[2]}) for the derivative of f" if found else None
