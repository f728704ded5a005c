"""Shapes of nodes, inferred before anything runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, TypeAlias, cast

from .errors import FormulaError
from .graph import shape_of_nested
from .inputs import input_shapes
from .limits import MOST_ENTRIES, entries, excess
from .ops.leaves import constant, placeholder

if TYPE_CHECKING:
    from .graph import Graph, Node, Shape


def shapes_at(graph: Graph, nodes: Sequence[int], values: Mapping[str, object]) -> Inferred | None:
    """Return the shapes of `nodes` at these input values, None where all are scalars.

    `nodes` are in order and closed under arguments. Raises as `infer` does.
    """
    inputs = input_shapes(graph, values)
    if any(inputs.values()) or make_arrays(graph, nodes):
        return infer(graph, inputs, nodes)
    return None


def make_arrays(graph: Graph, indices: Iterable[int]) -> bool:
    """Tell whether one of some nodes may be an array though all inputs are scalars."""
    nodes = [graph.nodes[index] for index in indices]
    return any(op.move is not None for op in {node.op for node in nodes}) or any(
        isinstance(node.attrs[0], tuple) for node in nodes if node.op is constant
    )


class Inferred(dict[int, "Shape"]):
    """Shapes of nodes by node; one that is asked for and not there is inferred, and kept."""

    def __init__(self, graph: Graph, inputs: Mapping[str, Shape]) -> None:
        super().__init__()
        self._graph = graph
        self._inputs = inputs

    def __missing__(self, index: int) -> Shape:
        """Return the shape of a node. Raises as `infer` does."""
        pending = [index]
        while pending:
            node = self._graph.nodes[pending[-1]]
            unknown = [arg for arg in node.args if arg not in self]
            if unknown:
                pending += unknown
            else:
                self.add(pending.pop(), node)
        return self[index]

    def add(self, index: int, node: Node) -> None:
        """Infer the shape of a node from those of its arguments, which are there."""
        args = tuple([self[arg] for arg in node.args])
        self[index] = shape_of(self._graph, index, node, args, self._inputs)


class Partly(dict[int, "Shape | None"]):
    """Shapes of nodes by node, None for one that depends on that of an input that nobody told."""

    def __init__(self, graph: Graph, inputs: Mapping[str, Shape]) -> None:
        super().__init__()
        self._graph = graph
        self._inputs = inputs

    def __missing__(self, index: int) -> Shape | None:
        """Return and keep the shape of a node, if it is known."""
        pending = [index]
        while pending:
            here = pending[-1]
            unknown = [arg for arg in self._graph.nodes[here].args if arg not in self]
            if unknown:
                pending += unknown
            else:
                self[pending.pop()] = self._found(here)
        return self[index]

    def _found(self, index: int) -> Shape | None:
        """Return the shape of a node whose arguments are there, None where it is not known."""
        node = self._graph.nodes[index]
        args = [self[arg] for arg in node.args]
        told = tuple([shape for shape in args if shape is not None])
        if node.op is placeholder and node.attrs[0] not in self._inputs:
            return None
        if len(told) < len(args):
            return fixed_shape(node)
        try:
            return shape_of(self._graph, index, node, told, self._inputs)
        except FormulaError:
            return None


Known: TypeAlias = "Mapping[int, Shape | None]"
"""The shape of each node, None where it is not known."""


def fixed_shape(node: Node) -> Shape | None:
    """Return the shape that a node has whatever those of its arguments, if there is one."""
    op, _, attrs = node
    if op.move is None:
        return None
    if op.attributes and op.attributes[0].kind == "shape":
        shape = cast("Shape", attrs[0])
        return None if -1 in shape else shape
    return () if op.move.scale is not None and attrs[:2] == (None, False) else None


def infer(graph: Graph, inputs: Mapping[str, Shape], nodes: Iterable[int]) -> Inferred:
    """Return the shape of each of `nodes`, in order and closed under arguments.

    An input that `inputs` does not name is a scalar. Raises `FormulaError`, at the operator, where
    shapes do not go together.
    """
    shapes = Inferred(graph, inputs)
    for index in nodes:
        shapes.add(index, graph.nodes[index])
    return shapes


def known_shapes(graph: Graph, nodes: Sequence[int], inputs: Mapping[str, Shape]) -> Inferred:
    """Return the shapes of those of `nodes` whose inputs have one in `inputs`.

    Raises as `infer` does.
    """
    unknown = [node for name, node in graph.placeholders.items() if name not in inputs]
    marks = graph.dependents(unknown, max(nodes, default=-1))
    return infer(graph, inputs, [node for node in nodes if not marks[node]])


def shape_of(
    graph: Graph, index: int, node: Node, args: tuple[Shape, ...], inputs: Mapping[str, Shape]
) -> Shape:
    """Return the shape of one node from those of its arguments.

    Raises `FormulaError` where they do not go together, or where they make too large an array.
    """
    op, _, attrs = node
    if op is placeholder:
        return inputs.get(str(attrs[0]), ())
    if op is constant:
        return shape_of_nested(node.value)
    shape = broadcast(args) if op.move is None else op.move.shape(attrs, args)
    if shape is None:
        raise misfit(graph, index, node, args)
    if shape and shape not in args:
        check_size(graph, index, shape, args)
        check_pair(graph, index, args)
    return shape


def check_size(graph: Graph, index: int, shape: Shape, args: Sequence[Shape]) -> None:
    """Raise `FormulaError` where a node is too large an array, and larger than its arguments."""
    limit = excess(shape, max(MOST_ENTRIES, *map(entries, args), 0))
    if limit:
        told = f"an array of shape {shape} is too large"
        raise FormulaError(told, graph.place(graph.spans[index]), limit)


def check_pair(graph: Graph, index: int, args: tuple[Shape, ...]) -> None:
    """Raise `FormulaError` where a function of pairs would pair each entry with each."""
    inside = graph.made_by.get(index)
    if inside and inside.paired:
        told = f"{inside.name} needs arrays of one shape: {', '.join(map(str, args))}"
        hint = "a vector y as a column is y[:, None]"
        raise FormulaError(told, graph.place(graph.spans[index]), hint)


def misfit(graph: Graph, index: int, node: Node, args: tuple[Shape, ...]) -> FormulaError:
    """Return the error for arguments whose shapes do not go together."""
    told = node.op.move and node.op.move.misfit and node.op.move.misfit(node.attrs, args)
    inside = graph.made_by.get(index)
    within = f"{inside.name}: " if inside else ""
    return FormulaError(f"{within}{told or unmet(node, args)}", graph.place(graph.spans[index]))


def unmet(node: Node, args: tuple[Shape, ...]) -> str:
    """Return what an op needs of its arguments' shapes, the shapes, and the attributes given."""
    op = node.op
    called = op.infix if op.infix and not op.move else op.function or op.name
    name = "".join(op.brackets) if op.brackets else called
    need = "shapes that broadcast" if op.move is None else op.move.need
    told = [
        f"{attr.name} {held}"
        for attr, held in zip(op.attributes, node.attrs, strict=True)
        if held != attr.default and attr.kind != "serial"
    ]
    between = f" {op.infix} " if op.infix and op.move else ", "
    return f"{name} needs {need}: {', '.join([between.join(map(str, args)), *told])}"


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
