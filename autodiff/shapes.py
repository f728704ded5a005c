"""Shapes of nodes, inferred before anything runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from .errors import FormulaError, UsageError, did_you_mean
from .limits import MOST_ENTRIES, entries, excess
from .ops.leaves import constant, placeholder

if TYPE_CHECKING:
    from .errors import Place
    from .graph import Graph, Nested, Node, Shape
    from .ops import Op


def shapes_at(graph: Graph, nodes: Sequence[int], values: Mapping[str, object]) -> Inferred | None:
    """Return the shapes of `nodes` at these input values, None where all are scalars.

    `nodes` are in order and closed under arguments. Raises as `infer` does.
    """
    inputs = {name: getattr(value, "shape", ()) for name, value in values.items()}
    for name in graph.shapes.keys() & inputs.keys():
        as_declared(graph, name, inputs[name])
    if any(inputs.values()) or any(makes_arrays(graph.nodes[node]) for node in nodes):
        return infer(graph, inputs, nodes)
    return None


def declared_shapes(graph: Graph, nodes: Sequence[int], wrt: int | None = None) -> Inferred | None:
    """Return the shapes of `nodes` as the program tells them; an input is a scalar unless declared.

    `nodes` are in order and closed under arguments. None says that all are scalars. Raises as
    `infer` does, and where elements are mixed of an input that nobody declares; but where no
    element of `wrt` is mixed, None says that there is nothing to know.
    """
    known = stated(graph)
    if not (any(known.values()) or any(makes_arrays(graph.nodes[node]) for node in nodes)):
        return None
    if wrt is None or any(mixes(graph.nodes[index].op) for index in moving(graph, nodes, wrt)):
        check_declared(graph, nodes, known)
        return infer(graph, known, nodes)
    try:
        return infer(graph, known, nodes)
    except FormulaError:
        return None


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


def moving(graph: Graph, nodes: Sequence[int], wrt: int) -> list[int]:
    """Return those of some nodes, in order, that depend on another."""
    marks = graph.dependents([wrt], max(nodes, default=-1))
    return [index for index in nodes if marks[index] and index != wrt]


def stated(graph: Graph) -> dict[str, Shape]:
    """Return the shapes of inputs that the program tells, by a declaration or a default."""
    defaults = {name: shape_of_nested(value) for name, value in graph.defaults.items()}
    return defaults | graph.shapes


def check_declared(graph: Graph, nodes: Sequence[int], known: Mapping[str, Shape]) -> None:
    """Raise `FormulaError` where an op mixes elements of an input of no known shape.

    `nodes` are in order and closed under arguments.
    """
    found = undeclared(graph, nodes, known)
    if found is None:
        return
    index, name = found
    op = graph.nodes[index].op
    raise FormulaError(
        f"{op.infix or op.function or op.name} needs the shape of {name}",
        graph.place(graph.spans[index]),
        f"declare it: input {name}: (3, 2), or input {name}: () where it is a number",
    )


def undeclared(
    graph: Graph, nodes: Sequence[int], known: Mapping[str, Shape]
) -> tuple[int, str] | None:
    """Return the first op that mixes elements of an input of no known shape, and the input.

    None where there is none: then such inputs may be taken for numbers. So they are in `[x, y]`.
    """
    mixing = [index for index in nodes if mixes(graph.nodes[index].op)]
    if not mixing:
        return None
    unknown = {name: node for name, node in graph.placeholders.items() if name not in known}
    marks = graph.dependents(unknown.values(), mixing[-1])
    first = next((index for index in mixing if marks[index]), None)
    if first is None:
        return None
    needed = set(graph.needed([first]))
    return first, next(name for name, node in unknown.items() if node in needed)


def mixes(op: Op) -> bool:
    """Tell whether what an op gives depends on the shapes of its arguments.

    The entries of a list are what they are, whether numbers or arrays.
    """
    return op.move is not None and op.brackets is None


def makes_arrays(node: Node) -> bool:
    """Tell whether a node may be an array though its arguments are scalars."""
    return node.op.move is not None or (node.op is constant and isinstance(node.attrs[0], tuple))


def as_declared(graph: Graph, name: str, shape: Shape) -> None:
    """Raise `FormulaError` unless the program declares this shape for an input."""
    if graph.shapes[name] != shape:
        told = f"{name} is declared with shape {graph.shapes[name]}, its value has shape {shape}"
        raise FormulaError(told, input_place(graph, name))


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


def input_shapes(graph: Graph, values: Mapping[str, object]) -> dict[str, Shape]:
    """Return the shapes of inputs that are known: declared, or those of defaults and values.

    Raises `FormulaError` where a value has another shape than is declared.
    """
    given: dict[str, Shape] = {name: getattr(it, "shape", ()) for name, it in values.items()}
    for name in graph.shapes.keys() & given.keys():
        as_declared(graph, name, given[name])
    defaults = {name: shape_of_nested(value) for name, value in graph.defaults.items()}
    return {**defaults, **graph.shapes, **given}


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
    return shape


def check_size(graph: Graph, index: int, shape: Shape, args: Sequence[Shape]) -> None:
    """Raise `FormulaError` where a node is too large an array, and larger than its arguments."""
    limit = excess(shape, max(MOST_ENTRIES, *map(entries, args), 0))
    if limit:
        told = f"an array of shape {shape} is too large"
        raise FormulaError(told, graph.place(graph.spans[index]), limit)


def misfit(graph: Graph, index: int, node: Node, args: tuple[Shape, ...]) -> FormulaError:
    """Return the error for arguments whose shapes do not go together."""
    from .ops import FUNCTIONS, OPS

    told = node.op.move and node.op.move.misfit and node.op.move.misfit(node.attrs, args)
    inside = graph.scopes.get(index, "").rpartition("/")[2]
    within = f"{inside}: " if inside in FUNCTIONS and inside not in OPS else ""
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
