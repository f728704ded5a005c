"""Shapes of nodes, inferred before anything runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from .errors import FormulaError
from .ops.structure import constant, placeholder

if TYPE_CHECKING:
    from .graph import Graph, Nested, Node, Shape


def shapes_at(
    graph: Graph, nodes: Sequence[int], values: Mapping[str, object]
) -> dict[int, Shape] | None:
    """Return the shapes of `nodes` at these input values, None where all are scalars.

    `nodes` are in order and closed under arguments. Raises as `infer` does.
    """
    inputs = {name: getattr(value, "shape", ()) for name, value in values.items()}
    for name in graph.shapes.keys() & inputs.keys():
        as_declared(graph, name, inputs[name])
    if any(inputs.values()) or any(makes_arrays(graph.nodes[node]) for node in nodes):
        return infer(graph, inputs, nodes)
    return None


def declared_shapes(graph: Graph, nodes: Sequence[int]) -> dict[int, Shape] | None:
    """Return the shapes of `nodes` as the program tells them; an input is a scalar unless declared.

    `nodes` are in order and closed under arguments. None says that all are scalars, or that shapes
    do not fit so, which evaluation tells where they do not fit either.
    """
    if not any(makes_arrays(graph.nodes[node]) for node in nodes):
        return None
    try:
        return infer(graph, graph.shapes, nodes)
    except FormulaError:
        return None


def makes_arrays(node: Node) -> bool:
    """Tell whether a node may be an array though its arguments are scalars."""
    return node.op.move is not None or (node.op is constant and isinstance(node.attrs[0], tuple))


def as_declared(graph: Graph, name: str, shape: Shape) -> None:
    """Raise `FormulaError` unless the program declares this shape for an input."""
    if graph.shapes[name] != shape:
        place = graph.place(graph.spans[graph.placeholders[name]], len(name))
        told = f"{name} is declared with shape {graph.shapes[name]}, its value has shape {shape}"
        raise FormulaError(told, place)


def infer(graph: Graph, inputs: Mapping[str, Shape], nodes: Sequence[int]) -> dict[int, Shape]:
    """Return the shape of each of `nodes` (in order, closed under arguments) and no other.

    An input that `inputs` does not name is a scalar. Raises `FormulaError`, at the operator, where
    shapes do not go together.
    """
    shapes: dict[int, Shape] = {}
    for index in nodes:
        node = graph.nodes[index]
        shapes[index] = shape_of(graph, index, node, [shapes[arg] for arg in node.args], inputs)
    return shapes


def shape_of(
    graph: Graph, index: int, node: Node, args: list[Shape], inputs: Mapping[str, Shape]
) -> Shape:
    """Return the shape of one node from those of its arguments."""
    if node.op is placeholder:
        return inputs.get(str(node.attrs[0]), ())
    if node.op is constant:
        return shape_of_nested(node.value)
    move = node.op.move
    shape = broadcast(args) if move is None else move.shape(node.attrs, tuple(args))
    if shape is None:
        name = node.op.infix or "".join(node.op.brackets or ()) or node.op.function or node.op.name
        need = "shapes that broadcast" if move is None else "shapes that go together"
        found = ", ".join(map(str, args))
        raise FormulaError(f"{name} needs {need}: {found}", graph.place(graph.spans[index]))
    return shape


def shape_of_nested(value: Nested) -> Shape:
    """Return the shape of a constant."""
    shape: list[int] = []
    while isinstance(value, tuple):
        shape.append(len(value))
        value = value[0] if value else 0.0
    return tuple(shape)


def broadcast(shapes: Sequence[Shape]) -> Shape | None:
    """Return the shape that arrays of these shapes broadcast to, None where they do not."""
    if len(set(shapes)) == 1:
        return shapes[0]
    found: list[int] = []
    for sizes in zip_longest(*map(reversed, shapes), fillvalue=1):
        longer = {size for size in sizes if size != 1}
        if len(longer) > 1:
            return None
        found.append(longer.pop() if longer else 1)
    return tuple(reversed(found))
