"""What can be said of each node of a graph, in the words that PyTorch's users know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..autodiff.inputs import input_shapes
from ..autodiff.known import gradient_at_nodes, known_values
from ..autodiff.ops.leaves import constant
from ..autodiff.pytorch import tracked
from ..autodiff.shapes import known_shapes
from ..exporters.glance import extent
from ..exporters.names import unique_names
from ..exporters.text import ROUNDED, nested_text, value_text

if TYPE_CHECKING:
    from ..autodiff.evaluate import Value
    from ..autodiff.graph import Graph, Shape
    from .forms import Held
    from .question import Question

LONGEST = 40
"""Of a longer array the table has the least and the greatest number."""

KNOWN = ("shape", "value", "gradient")
"""What may not be known of a node."""


class Fact(NamedTuple):
    """What there is to say of a node; its shape and its numbers where they are known."""

    number: int
    name: str
    op: str
    inputs: list[int]
    is_leaf: bool
    requires_grad: bool
    grad_fn: str | None
    next_functions: list[tuple[str | None, int]]
    shape: Shape | None
    value: Value | None
    gradient: Value | None

    def held(self) -> dict[str, Held]:
        """Return it as an object for JSON, without what is not known."""
        number, *_ = self
        found: dict[str, Held] = {"index": number, **self._asdict()}
        unknown = [name for name in KNOWN if found[name] is None]
        return {name: held for name, held in found.items() if name not in ("number", *unknown)}


def facts(question: Question, wrt: Mapping[str, int]) -> list[Fact]:
    """Return the facts of each node that the outputs need, in topological order."""
    graph = question.graph
    needed = graph.needed(question.outputs)
    numbers = {node: k for k, node in enumerate(needed)}
    names = spoken_names(graph, needed)
    values, gradients = at_bindings(question, wrt)
    given = question.request.bindings.of(graph.inputs())
    shapes = known_shapes(graph, needed, input_shapes(graph, given))
    functions = tracked(graph, needed, wrt.values(), shapes)
    return [
        Fact(
            number=numbers[index],
            name=names[index],
            op=node.op.name,
            inputs=[numbers[arg] for arg in node.args],
            is_leaf=index not in functions or functions[index].grad_fn is None,
            requires_grad=index in functions,
            grad_fn=functions[index].grad_fn if index in functions else None,
            next_functions=functions[index].next_functions if index in functions else [],
            shape=shapes.get(index),
            value=values.get(index),
            gradient=gradients.get(index),
        )
        for index, node in graph.walk(needed)
    ]


def spoken_names(graph: Graph, nodes: Sequence[int]) -> dict[int, str]:
    """Return what to call each node: a person's name for it, its number, or a made-up name."""
    names = unique_names(graph, nodes)
    for index, node in graph.walk(nodes):
        if node.op is constant:
            names[index] = nested_text(node.value, None)
    given = {node: called[0] for node, called in graph.names_of().items()}
    return names | given | {node: name for name, node in graph.placeholders.items()}


def at_bindings(
    question: Question, wrt: Mapping[str, int]
) -> tuple[Mapping[int, Value], Mapping[int, Value]]:
    """Return the values that the bindings determine, and the gradients where they are all there."""
    graph, given = question.graph, question.values(partly=True)
    values = known_values(graph, question.outputs, given)
    if not wrt or not all(node in values for node in graph.inputs().values()):
        return values, {}
    if len(question.outputs) > 1:
        question.request.note("gradients are of one output: choose it with --output NAME")
        return values, {}
    gradients, result = gradient_at_nodes(graph, question.outputs[0], wrt, given)
    question.warn_of([result])
    return values, gradients


def table(found: Sequence[Fact], digits: int | None, shapes: bool = False) -> str:
    """Return the facts as a table; a column in which nothing is known is left out.

    Shapes are in it where something is an array, or where they are asked for by `shapes`.
    """
    heads = ("#", "name", "op", "inputs", "leaf", "grad_fn", *KNOWN)
    columns = list(zip(heads, *(cells(fact, digits) for fact in found), strict=True))
    idle = [head for head, *column in columns if head in KNOWN and not any(column)]
    if not shapes and not any(fact.shape for fact in found):
        idle.append("shape")
    shown = [column for column in columns if column[0] not in idle]
    widths = [max(map(len, column)) for column in shown]
    lines = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in zip(*shown, strict=True))
    return "".join(f"{line}\n" for line in lines)


def cells(fact: Fact, digits: int | None) -> tuple[str, ...]:
    """Return a row of the table."""
    inputs = ", ".join(map(str, fact.inputs))
    leaf = "yes" if fact.is_leaf else ""
    shape = "" if fact.shape is None else str(fact.shape)
    numbers = (short(value, digits) for value in (fact.value, fact.gradient))
    return (str(fact.number), fact.name, fact.op, inputs, leaf, fact.grad_fn or "", shape, *numbers)


def short(value: Value | None, digits: int | None) -> str:
    """Return a value as text, the extent of a long array; nothing where it is not known."""
    if value is None:
        return ""
    if isinstance(value, float | int) or value.size <= LONGEST:
        text = value_text(value, digits)
        if len(text) <= LONGEST:
            return text
    return extent(value, digits or ROUNDED)
