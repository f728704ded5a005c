"""The shapes of inputs: what is declared of each, and what its value or its default has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .errors import FormulaError, UsageError, did_you_mean
from .graph import shape_of_nested

if TYPE_CHECKING:
    from .errors import Place
    from .graph import Graph, Shape


NOTHING: Mapping[str, Any] = {}


def input_shapes(
    graph: Graph, values: Mapping[str, object] = NOTHING, told: Mapping[str, Shape] = NOTHING
) -> dict[str, Shape]:
    """Return the shapes of inputs that are known. Raises as `input_shape` does."""
    names = {**graph.defaults, **graph.shapes, **told, **values}
    found = ((name, input_shape(graph, name, values, told)) for name in names)
    return {name: shape for name, shape in found if shape is not None}


def input_shape(
    graph: Graph,
    name: str,
    values: Mapping[str, object] = NOTHING,
    told: Mapping[str, Shape] = NOTHING,
) -> Shape | None:
    """Return the shape of an input, None where it is not known.

    It is what the program declares, else what is `told` besides, else that of its value, else that
    of its default. Raises `FormulaError` where a value has another shape than is declared.
    """
    declared = graph.shapes.get(name, told.get(name))
    if name in values:
        shape: Shape = getattr(values[name], "shape", ())
        if declared is not None and declared != shape:
            says = f"{name} is declared with shape {declared}, its value has shape {shape}"
            raise FormulaError(says, input_place(graph, name))
        return shape
    if declared is None and name in graph.defaults:
        return shape_of_nested(graph.defaults[name])
    return declared


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
