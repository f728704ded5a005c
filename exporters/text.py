"""Numbers, formulas and programs as text, which reads back to the same bits and the same graph.

A formula is written by a stack of pieces still to be written, never by recursion: a node becomes
its pieces, among them its arguments with the precedence that they must have to do without brackets.
All that is known of an operator is its row of the op table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import count
from typing import TYPE_CHECKING, TypeAlias

from ..autodiff.constants import FREE
from ..autodiff.ops import FUNCTIONS, OPS
from ..autodiff.ops.leaves import placeholder

if TYPE_CHECKING:
    import numpy

    from ..autodiff.graph import Attribute, Graph, Nested, Node
    from ..autodiff.ops import Attr
    from .options import Options
    from .scene import Scene

    Value: TypeAlias = float | numpy.ndarray
    Piece: TypeAlias = str | tuple[int, int]
    """Text, or a node and the least precedence at which it needs no brackets."""

LARGE = 100
"""An array with more entries than this is written in summary."""

FIRST = 3
"""How many of its entries a summary shows."""

ROUNDED = 4
"""The digits of the numbers in a summary."""

BLOCK = 100_000
"""So many entries are taken together where all are looked at."""

REPEATED = 8
"""A program gives a shared expression with more nodes than this a name."""

DEEP = 1000
"""More pieces than this waiting to be written make a formula deep."""

NAMED = {value: name for name, value in FREE.items()}
"""What formulas call a number, as long as the program calls nothing else so."""

CALL = 100
NUMBER = CALL - 1
"""A number is not indexed as it stands."""
CHAIN, PRODUCT = OPS["less"].precedence, OPS["mul"].precedence
SIGN = OPS["neg"].precedence
"""Where `-x` binds. What binds tighter, `^`, takes a signed operand on its right: `2^-x`."""


# -- numbers --------------------------------------------------------------------------------------


def number(value: float, digits: int | None = None) -> str:
    """Return a number in its shortest form that reads back to the same bits, or rounded."""
    text = repr(float(value)) if digits is None else f"{float(value):.{digits}g}"
    return text.removesuffix(".0")


def value_text(value: Value | Nested, digits: int | None = None) -> str:
    """Return a number, or an array as `[[1, 2], [3, 4]]`, a large one in summary."""
    if isinstance(value, int | float | tuple):
        return nested_text(value, digits)
    if value.size > LARGE:
        return summary(value, digits or ROUNDED)
    return nested_text(value.tolist(), digits)


def summary(value: numpy.ndarray, digits: int) -> str:
    """Return the shape of an array, its norm and its first entries, in order."""
    length = number(norm(value), digits)
    first = ", ".join(number(entry, digits) for entry in value.flat[:FIRST])
    return f"{value.shape}, norm {length}, [{first}, ...]"


def norm(value: numpy.ndarray) -> float:
    """Return the norm of an array, scaled so that no square is too large; it is never copied."""
    import numpy as np

    with np.errstate(all="ignore"):
        largest = np.maximum(value.max(), -value.min())
        scale = largest if 0.0 < largest < np.inf else 1.0
        blocks = np.nditer(value, ["external_loop", "buffered"], buffersize=BLOCK)
        squares = sum(np.square(np.asarray(block) / scale).sum() for block in blocks)
        return float(np.sqrt(squares) * scale)


def nested_text(value: Nested | list[Nested], digits: int | None) -> str:
    """Return a nesting of numbers in brackets."""
    if isinstance(value, int | float):
        return number(value, digits)
    return f"[{', '.join([nested_text(item, digits) for item in value])}]"


# -- formulas -------------------------------------------------------------------------------------


def formula(
    graph: Graph, node: int, limit: int | None = None, known: Mapping[int, str] | None = None
) -> str:
    """Return a node as a formula that parses back to it.

    Nodes in `known`, but for `node` itself, are written as the text given there, which should be a
    name. A formula longer than `limit` characters ends in `...` there; one that is also deep begins
    with it, or the way to its first character would be longer than all that is shown.
    """
    written: list[str] = []
    room = limit
    for text in _texts(graph, node, limit, known or {}):
        written.append(text)
        if room is not None:
            room -= len(text)
            if room < 0:
                return "".join(written)[: max(0, (limit or 0) - 3)] + "..."
    return "".join(written)


def _texts(graph: Graph, node: int, limit: int | None, known: Mapping[int, str]) -> Iterator[str]:
    pending = _pieces(graph, node, 0)[::-1]
    while pending:
        piece = pending.pop()
        if isinstance(piece, str):
            yield piece
        elif piece[0] in known:
            yield known[piece[0]]
        elif limit is not None and len(pending) > max(limit, DEEP):
            yield "..."
        else:
            pending.extend(_pieces(graph, *piece)[::-1])


def _pieces(graph: Graph, index: int, least: int) -> list[Piece]:
    node = graph.nodes[index]
    if not node.args:
        pieces, precedence = _leaf(graph, node)
    elif node.op.infix is None:
        pieces, precedence = _call(graph, node), CALL
    else:
        pieces, precedence = _operation(graph, node), node.op.precedence
    return pieces if precedence >= least else ["(", *pieces, ")"]


def _leaf(graph: Graph, node: Node) -> tuple[list[Piece], int]:
    held = str(node.attrs[0]) if node.op is placeholder else node.value
    name = NAMED.get(held) if isinstance(held, float) else None
    if name and name not in graph.placeholders and name not in graph.names:
        return [name], CALL
    text = held if isinstance(held, str) else nested_text(held, None)
    if text.startswith("-"):
        return [text], SIGN
    return [text], NUMBER if isinstance(held, float) else CALL


def _operation(graph: Graph, node: Node) -> list[Piece]:
    op, args, _ = node
    sign = op.infix or ""
    if len(args) == 1:
        if graph.literal(args[0]) is not None:  # -2 would be a number, and not the negative of one
            return [sign, "(", (args[0], 0), ")"]
        return [f"{sign} " if sign.isalpha() else sign, (args[0], op.precedence + 1)]
    left, right = op.precedence, op.precedence + 1
    if op.precedence > SIGN:
        left, right = op.precedence + 1, SIGN
    elif op.precedence == CHAIN:
        left = op.precedence + 1
    first: Piece = (args[0], left)
    if (
        op.natural and graph.literal(args[0]) == FREE["e"]
    ):  # the letter would make it an exponential
        first = number(FREE["e"])
    between = sign if op.precedence >= PRODUCT else f" {sign} "
    return [first, between, (args[1], right)]


def _call(graph: Graph, node: Node) -> list[Piece]:
    op = node.op
    said = _said(node)
    if op.postfix is not None and all(f"{{{name}}}" in op.postfix for name in said):
        return [(node.args[0], CALL), op.postfix.format(**said)]
    opening, closing = (f"{op.function or op.name}(", ")")
    # One array alone would be read as the list of the arguments itself.
    alone = op.listed and len(node.args) == 1
    if op.brackets and not said:
        opening, closing = op.brackets
        alone = False
    pieces: list[Piece] = [opening]
    for attr in op.attributes:
        if attr.kind == "text":
            pieces += [said.pop(attr.name), ", "]
    for arg in _spoken(graph, node):
        pieces += [*("[",) * alone, (arg, 0), *("]",) * alone, ", "]
    for text in said.values():
        pieces += [text, ", "]
    pieces[-1] = closing
    return pieces


def _said(node: Node) -> dict[str, str]:
    """Return the attributes that are not the op's defaults by name, as a call has them."""
    return {
        attr.name: attribute(attr, held)
        for attr, held in zip(node.op.attributes, node.attrs, strict=True)
        if attr.kind == "serial" or held != attr.default
    }


def attribute(attr: Attr, held: Attribute) -> str:
    """Return an attribute as it is written in a call."""
    match attr.kind:
        case "index":
            return str(held)
        case "text":
            return f'"{held}"'
        case "shape":
            return str(list(held)) if isinstance(held, tuple) else str(held)
        case "flag":
            return f"{attr.name}={int(held is True)}"
        case _ if isinstance(held, float):
            return f"{attr.name}={number(held)}"
        case _:
            return f"{attr.name}={list(held) if isinstance(held, tuple) else held}"


def _spoken(graph: Graph, node: Node) -> tuple[int, ...]:
    """Return the arguments without those at the end that only repeat the op's defaults."""
    args = node.args
    for default in reversed(node.op.filling):
        if repr(graph.literal(args[-1])) != repr(default):
            break
        args = args[:-1]
    return args


# -- programs -------------------------------------------------------------------------------------


def program(graph: Graph, share: bool = True) -> str:
    """Return the whole graph as a program that reads back to it.

    Named values are statements, and with `share` so are expressions that are used several times and
    would swell the text (`t1`...).
    """
    outputs = graph.outputs
    needed = graph.needed([*outputs, *graph.names.values()])
    known, statements = _naming(graph, needed, share)
    lines: list[str] = []
    for name, node in statements:
        alias = known.get(node, name)
        lines.append(f"{name} = {alias if alias != name else formula(graph, node, None, known)}")
    if not (statements and outputs == [statements[-1][1]]):
        lines += [known.get(node) or formula(graph, node, None, known) for node in outputs]
    return "\n".join([*_declarations(graph, needed, lines), *lines]) + "\n"


def _declarations(graph: Graph, needed: list[int], lines: list[str]) -> list[str]:
    """Return the `input` statements: where the text alone would not say what the inputs are.

    An input's default and shape must be said, that `e` is one, and their order where they do not
    appear in it.
    """
    present = set(needed)
    inputs = [name for name, node in graph.placeholders.items() if node in present]
    said = [
        name for name in inputs if name in graph.defaults or name in graph.shapes or name in FREE
    ]
    words = (word for line in lines for word in re.findall(r"[\w.]++(?!\()", line))
    known = set(inputs)
    appearing = [word for word in dict.fromkeys(words) if word in known]
    in_order = list(dict.fromkeys([*said, *appearing])) == inputs
    return [_input(graph, name) for name in (said if in_order else inputs)]


def _naming(
    graph: Graph, needed: list[int], share: bool
) -> tuple[dict[int, str], list[tuple[str, int]]]:
    """Return what to call nodes where they are used, and the assignments in order.

    A number is written out although it has a name: `k = 3` says nothing about the 3 in `x^3`.
    """
    known: dict[int, str] = {}
    for name, node in reversed(graph.names.items()):
        if graph.literal(node) is None and node not in graph.placeholders.values():
            known[node] = name
    shared = _shared(graph, needed, known) if share else []
    taken = {*graph.names, *graph.placeholders, *FREE}
    names = (f"t{k}" for k in count(1))
    free = (name for name in names if name not in taken and name not in FUNCTIONS)
    extra = dict(zip(free, shared, strict=False))
    known |= {node: name for name, node in extra.items()}
    statements = sorted((graph.names | extra).items(), key=lambda entry: entry[1])
    return known, statements


def _shared(graph: Graph, needed: list[int], known: Mapping[int, str]) -> list[int]:
    """Return the nodes to be given a name, lest their text be repeated."""
    uses = dict.fromkeys(needed, 0)
    for node in graph.outputs:
        uses[node] += 1
    for index in needed:
        for arg in graph.nodes[index].args:
            uses[arg] += 1
    size: dict[int, int] = {}
    found: list[int] = []
    for index in needed:
        size[index] = 1 + sum(size[arg] for arg in graph.nodes[index].args)
        if index in known:
            size[index] = 1
        elif uses[index] > 1 and size[index] > REPEATED:
            size[index] = 1
            found.append(index)
    return found


def _input(graph: Graph, name: str) -> str:
    """Return the `input` statement of an input, with its shape and its default."""
    default = graph.defaults.get(name)
    shape = f": {graph.shapes[name]}" if name in graph.shapes else ""
    return f"input {name}{shape}" + ("" if default is None else f" = {nested_text(default, None)}")


def export(scene: Scene, options: Options) -> str:
    """Return the scene's graph as a program."""
    return program(scene.graph)
