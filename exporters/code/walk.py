"""A graph as statements: what is used more than once, or grows too long, is computed once by name.

The walk is one for all targets; what they write otherwise is in their `Target`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, count
from typing import TYPE_CHECKING, NamedTuple

from ...autodiff.errors import FormulaError, UsageError
from ...autodiff.evaluate import to_nested
from ...autodiff.inputs import input_shape
from ...autodiff.ops.leaves import constant, placeholder
from .forms import (
    ATOM,
    INDEXED,
    PRODUCT,
    Form,
    Piece,
    Target,
    careful_form,
    filled,
    form_of,
    number,
)
from .lower import Lowered, expanded, lowered
from .sizes import Words, piece, words

if TYPE_CHECKING:
    from ...autodiff.graph import Graph, Nested, Node
    from ..options import Options
    from ..scene import Scene
    from .sizes import Versions


class Code(NamedTuple):
    """What a target puts a frame around.

    `name` is the function's, `parameters` the inputs by name with what they are called, `lines` the
    statements, `values` the outputs, `gradients` the derivatives of each by name, none where none
    are asked for; `helpers` are the sources of the functions that the code needs.
    """

    name: str
    parameters: dict[str, str]
    lines: list[str]
    values: list[str]
    gradients: list[dict[str, str]]
    helpers: list[str]


class Names:
    """Names of a language, each given away once."""

    def __init__(self, target: Target, taken: Iterable[str]) -> None:
        self.target = target
        self.taken = {*taken, *target.reserved, *target.helpers}
        self.numbers = count(1)

    def free(self, name: str) -> str:
        """Return the nearest name that is free, and take it."""
        spelled = chain([name], (f"{name}_{k}" for k in count(1)))
        found = next(it for it in map(self.target.identifier, spelled) if it not in self.taken)
        self.taken.add(found)
        return found

    def fresh(self) -> str:
        """Return the first of t1, t2, ... that is free, and take it."""
        tried = (self.target.identifier(f"t{k}") for k in self.numbers)
        found = next(name for name in tried if name not in self.taken)
        self.taken.add(found)
        return found


def code(target: Target, scene: Scene, options: Options, made: Versions | None = None) -> Code:
    """Return a scene's outputs, and the derivatives among them, as code.

    Where they are `made` at several sizes, those are names.

    Raises `FormulaError` where the target lacks an op or has no arrays, `UsageError` where the
    function's name is none, `Unfit` where something does not follow a size in a way to be written.
    """
    name = function_name(target, options.name or "f")
    slopes = len(scene.outputs) - len(scene.primals)
    refuse_arrays(target, scene)
    at = Lowered(scene.graph, list(chain(*made.outputs) if made else scene.outputs))
    if slopes and target.simplifies:
        at = simpler(at, slopes)
    at = lowered(at, lambda op: form_of(target, op) is not None, target.title)
    names = Names(target, [name])
    inputs = scene.graph.inputs(scene.outputs)
    called = {at.graph.placeholders[one]: names.free(one) for one in inputs}
    writer = Writer(target, at.graph, names, called)
    for one in inputs:
        if one in scene.given:
            writer.bake(at.graph.placeholders[one], to_nested(scene.given[one]))
    wanted = at.wanted[: len(scene.outputs)]
    if made:
        ends = range(0, len(at.wanted), len(wanted))
        writer.size(made._replace(outputs=[at.wanted[k : k + len(wanted)] for k in ends]))
    if slopes and target.asks_value:
        for primal in wanted[: len(scene.primals)]:
            writer.given.setdefault(primal, "value")
    pieces = iter(writer.written(wanted))
    return Code(
        name,
        {one: called[at.graph.placeholders[one]] for one in inputs if one not in scene.given},
        writer.lines,
        [next(pieces) for _ in scene.primals],
        [{name: next(pieces) for name in of_one} for of_one in scene.derivatives],
        [source for helper, source in target.helpers.items() if helper in writer.used],
    )


def simpler(at: Lowered, slopes: int) -> Lowered:
    """Return a copy of the graph in which the derivatives, the last of `wanted`, are simplified."""
    from ...autodiff.simplify import simplify

    copy = expanded(at, lambda op: True, "")
    simple = simplify(copy.graph, copy.wanted[-slopes:], derived=True)
    return Lowered(copy.graph, [*copy.wanted[:-slopes], *simple])


def function_name(target: Target, name: str) -> str:
    """Return the function's name. Raises `UsageError` where the language would not have it."""
    kept = target.reserved | target.functions
    legal = target.identifier(name)
    if legal != name or name in kept:
        raise no_function_name(target, name, f"{legal}_" if legal in kept else legal)
    return name


def no_function_name(target: Target, name: str, legal: str) -> UsageError:
    """Return the error for a function's name that the language would not have."""
    told = name if name.isprintable() else ascii(name)[1:-1]
    hint = f"try --name {legal}"
    return UsageError(f"'{told}' is no name for a function in {target.title}", hint=hint)


def refuse_arrays(target: Target, scene: Scene) -> None:
    """Raise `FormulaError` where there are arrays and the target has none."""
    graph = scene.graph
    if target.array is not None:
        return
    for name, index in graph.inputs(scene.outputs).items():
        shape = input_shape(graph, name, scene.given)
        if shape:
            raise only_scalars(graph, index, f"{name} has shape {shape}", target)
    for index, node in graph.walk(graph.needed(scene.outputs)):
        if node.op.move or (node.op is constant and isinstance(node.attrs[0], tuple)):
            raise only_scalars(graph, index, "here is an array", target)


def only_scalars(graph: Graph, index: int, found: str, target: Target) -> FormulaError:
    """Return the error for an array in a target that has none."""
    told = f"code in {target.title} is for numbers: {found}"
    return FormulaError(told, graph.place(graph.spans[index]), "--format python takes arrays")


class Writer:
    """The statements of a graph as they are written, with a piece of text for each node."""

    def __init__(self, target: Target, graph: Graph, names: Names, called: dict[int, str]) -> None:
        self.target = target
        self.graph = graph
        self.names = names
        self.called = called
        self.pieces: dict[int, Piece] = {}
        self.lines: list[str] = []
        self.used: set[str] = set()
        self.given = {node: name for name, node in reversed(graph.names.items())}
        self.sized: Words = {}

    def size(self, made: Versions) -> None:
        """Write statements that give sizes names, by which they are written from here on."""
        names = [self.names.free("n") for _ in made.sizes]
        self.sized = words(self.graph, made, names)
        for size, name in zip(made.sizes, names, strict=True):
            of = self.called[self.graph.placeholders[size.name]]
            self.lines.append(self.target.let(name, Piece(f"len({of})")))

    def written(self, wanted: Sequence[int]) -> list[str]:
        """Write what `wanted` need; return their expressions."""
        needed = self.graph.needed(wanted)
        uses = self.uses(needed, wanted)
        for index, node in self.graph.walk(needed):
            if index in self.pieces:
                continue
            self.pieces[index] = self.piece(index, node)
            if node.args and self.wants_name(index, uses[index]):
                self.say(index, self.pieces[index])
        return [number(self.target, self.pieces[node]).text for node in wanted]

    def uses(self, needed: Sequence[int], wanted: Sequence[int]) -> Mapping[int, int]:
        """Return how often each node is used."""
        found = dict.fromkeys(needed, 0)
        for index in wanted:
            found[index] += 1
        for _, node in self.graph.walk(needed):
            for arg in node.args:
                found[arg] += 1
        return found

    def wants_name(self, index: int, uses: int) -> bool:
        """Tell whether a node is worth a statement: someone named it, it is shared, or long."""
        length = len(self.pieces[index].text)
        shared = uses > 1 and length > self.target.shared
        return index in self.given or shared or length > self.target.longest

    def bake(self, index: int, value: Nested) -> None:
        """Write the statement that makes an input a constant."""
        literal = self.literal(value)
        self.say(index, literal if isinstance(value, tuple) else self.alone(literal))

    def say(self, index: int, piece: Piece) -> None:
        """Write the statement that gives a node a name."""
        given = self.given.get(index)
        name = self.called.get(index) or (self.names.free(given) if given else self.names.fresh())
        self.lines.append(self.target.let(name, piece))
        self.pieces[index] = self.symbol(name, piece.truth)

    def symbol(self, name: str, truth: bool = False) -> Piece:
        """Return a name as a piece."""
        return Piece(name, INDEXED if "_" in name else ATOM, truth)

    def piece(self, index: int, node: Node) -> Piece:
        """Return a node as an expression of what has been written."""
        if node.op is constant:
            held = self.sized.get(index)
            return self.literal(node.value) if held is None else piece(held["value"])
        if node.op is placeholder:
            return self.symbol(self.called[index])
        form = careful_form(self.target, node.op, self.graph.literal(node.args[-1]))
        assert form is not None
        self.note_helpers(form)
        args = [self.pieces[arg] for arg in node.args]
        if all(self.graph.literal(arg) is not None for arg in node.args):
            args[0] = self.alone(args[0])
        attrs = self.attributes(node) | self.sized.get(index, {})
        return filled(self.target, form, args, attrs)

    def attributes(self, node: Node) -> dict[str, object]:
        """Return what a form may put in for names: the attributes, and the seed."""
        held = zip((attr.name for attr in node.op.attributes), node.attrs, strict=True)
        found: dict[str, object] = {"seed": self.graph.seed, **dict(held)}
        return found | dict(self.target.words(node)) if self.target.words else found

    def alone(self, literal: Piece) -> Piece:
        """Return a number as one that meets no symbol."""
        form = self.target.alone
        return Piece(form.text.format(literal.text)) if form else literal

    def note_helpers(self, form: Form) -> None:
        """Remember the helpers that a form calls, and those that they call."""
        pending = [helper for helper in self.target.helpers if form.text.startswith(f"{helper}(")]
        while pending:
            helper = pending.pop()
            if helper not in self.used:
                self.used.add(helper)
                source = self.target.helpers[helper]
                words = set(re.findall(r"\w+(?=\()", source))
                pending += [other for other in self.target.helpers if other in words]

    def literal(self, value: Nested) -> Piece:
        """Return a constant."""
        if isinstance(value, float):
            text = self.target.number(value)
            level = PRODUCT if " " in text else ATOM
            return Piece(text, self.target.sign if text.startswith("-") else level)
        assert self.target.array is not None
        return Piece(self.target.array(value))
