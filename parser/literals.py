"""Numbers that must be known while a text is read: arrays, defaults, sizes, values of bindings."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, NoReturn

from ..autodiff.draws import drawn, generator_of
from ..autodiff.eager import Eager, Unknown
from ..autodiff.errors import FormulaError
from ..autodiff.graph import Graph, Nested, shape_of_nested
from ..autodiff.limits import MOST_AXES
from .expressions import Uneven
from .lexer import Token

if TYPE_CHECKING:
    from ..autodiff.evaluate import Value

MAX_DIGITS = 18
"""The most digits of a size."""


def array_of(constants: Eager, entries: Sequence[int], opening: Token) -> Nested | Uneven | None:
    """Return the array with these entries, None where one of them depends on an input.

    Raises `FormulaError` where there are none, or brackets are too deep.
    """
    graph = constants.graph
    try:
        values = tuple([constants.nested(entry) for entry in entries])
    except Unknown:
        return None
    if not values:
        refuse(graph, opening, "the array has no entries")
    shapes = set(map(shape_of_nested, values))
    if len(shapes) > 1:
        found = " and ".join(sorted("a number" if s == () else f"shape {s}" for s in shapes)[:2])
        told = f"the entries of an array have one shape, not {found}"
        return Uneven(tuple(entries), FormulaError(told, graph.place(opening[2], len(opening[1]))))
    if len(shapes.pop()) >= MOST_AXES:
        refuse(graph, opening, f"an array has at most {MOST_AXES} dimensions")
    return values


def constant_of(constants: Eager, node: int, name: Token) -> Nested:
    """Return the default of an input; raise `FormulaError` where it is no constant or misfits."""
    graph = constants.graph
    try:
        value = constants.nested(node)
    except Unknown as found:
        refuse(graph, name, f"the default of '{name[1]}' depends on the input '{found.name}'")
    own = shape_of_nested(value)
    shape = graph.shapes.get(name[1], own)
    if shape != own:
        refuse(graph, name, f"'{name[1]}' has shape {shape}, its default {own}")
    return value


def size_of(graph: Graph, token: Token) -> int:
    """Return the number of entries along one axis of an input."""
    digits = token[1].replace("_", "")
    if not digits.isdecimal() or len(digits) > MAX_DIGITS or int(digits) == 0:
        refuse(graph, token, f"a size is a whole number from 1 on, not {token[1][:MAX_DIGITS]}")
    return int(digits)


def refuse(graph: Graph, token: Token, message: str) -> NoReturn:
    """Raise an error at a token."""
    raise FormulaError(message, graph.place(token[2], len(token[1])))


def parse_value(text: str, name: str = "<value>", seed: int = 0, of: str = "") -> Value:
    """Return the number or array that a constant formula says: `-3e-5`, `pi/4`, `2*randn(3) + 1`.

    Random numbers are drawn from `seed` and the name of what the value is `of`. Raises
    `FormulaError` where the text is no formula, or no constant.
    """
    from .build import Builder
    from .driver import built
    from .expressions import Given

    values: dict[str, Value] = {}
    given = Given(values=values, draw=partial(draw, values, seed, of))
    graph = built(Builder(Graph(), given=given), text, name)
    if len(graph.outputs) != 1 or graph.names:
        raise FormulaError("one constant was expected, not a program", graph.place(0))
    try:
        return Eager(graph, values.get).value(graph.outputs[0])
    except Unknown as found:
        unknown = found.name
    at = graph.spans[graph.placeholders[unknown]]
    raise FormulaError(
        f"'{unknown}' is not a number", graph.place(at, len(unknown)), "a value is a constant"
    )


def draw(
    values: dict[str, Value], seed: int, of: str, function: str, args: Sequence[Nested]
) -> str:
    """Draw random numbers for a value; return the name under which they are among `values`.

    Raises `ValueError` for arguments that do not fit.
    """
    count = len(values) + 1
    name = f"{function} {count}"
    values[name] = drawn(function, generator_of(seed, f"{of} {count}"), args)
    return name
