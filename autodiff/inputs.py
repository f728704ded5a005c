"""The shapes of inputs: what is declared of each, and what its value or its default has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from .errors import FormulaError, UsageError, did_you_mean
from .graph import shape_of_nested

if TYPE_CHECKING:
    from .errors import Place
    from .graph import Graph, Shape


def stated(graph: Graph) -> dict[str, Shape]:
    """Return the shapes of inputs that the program tells, by a declaration or a default."""
    defaults = {name: shape_of_nested(value) for name, value in graph.defaults.items()}
    return defaults | graph.shapes


def input_shapes(graph: Graph, values: Mapping[str, object]) -> dict[str, Shape]:
    """Return the shapes of inputs that are known: declared, or those of defaults and values.

    Raises `FormulaError` where a value has another shape than is declared.
    """
    given: dict[str, Shape] = {name: getattr(it, "shape", ()) for name, it in values.items()}
    for name in graph.shapes.keys() & given.keys():
        as_declared(graph, name, given[name])
    defaults = {name: shape_of_nested(value) for name, value in graph.defaults.items()}
    return {**defaults, **graph.shapes, **given}


def as_declared(graph: Graph, name: str, shape: Shape) -> None:
    """Raise `FormulaError` unless the program declares this shape for an input."""
    if graph.shapes[name] != shape:
        told = f"{name} is declared with shape {graph.shapes[name]}, its value has shape {shape}"
        raise FormulaError(told, input_place(graph, name))


def declare(graph: Graph, shapes: Mapping[str, Shape]) -> None:
    """Declare shapes of inputs, as a program does.

    Raises `UsageError` for what is no input, `FormulaError` where the program says another shape.
    """
    for name, shape in shapes.items():
        if name not in graph.placeholders:
            raise no_input(graph, name)
        if graph.shapes.setdefault(name, shape) != shape:
            told = f"{name} is declared with shape {graph.shapes[name]}, not {shape}"
            raise FormulaError(told, input_place(graph, name))


def no_input(graph: Graph, name: str) -> UsageError:
    """Return the error for a shape of what is no input."""
    hint: str | None
    if name in graph.names:
        hint = "the formula computes it; a shape is declared of an input"
    else:
        known = f"inputs: {', '.join(graph.placeholders)}" if graph.placeholders else None
        hint = did_you_mean(name, graph.placeholders) or known
    return UsageError(f"'{name}' is not an input of the formula", hint=hint)


def input_place(graph: Graph, name: str) -> Place | None:
    """Return where an input is declared, or first read."""
    return graph.place(graph.spans[graph.placeholders[name]], len(name))
