"""Shapes before anything runs, as the program tells them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from .errors import FormulaError
from .inputs import input_shapes
from .shapes import infer, make_arrays

if TYPE_CHECKING:
    from .graph import Graph, Shape
    from .ops import Op
    from .shapes import Inferred


def declared_shapes(graph: Graph, nodes: Sequence[int], wrt: int | None = None) -> Inferred | None:
    """Return the shapes of `nodes` as the program tells them; an input is a scalar unless declared.

    `nodes` are in order and closed under arguments. None says that all are scalars. Raises as
    `infer` does, and where elements are mixed of an input that nobody declares; but where no
    element of `wrt` is mixed, None says that there is nothing to know.
    """
    known = input_shapes(graph)
    if not (any(known.values()) or make_arrays(graph, nodes)):
        return None
    if wrt is None or any(mixes(graph.nodes[index].op) for index in moving(graph, nodes, wrt)):
        check_declared(graph, nodes, known)
        return infer(graph, known, nodes)
    try:
        return infer(graph, known, nodes)
    except FormulaError:
        return None


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


def moving(graph: Graph, nodes: Sequence[int], wrt: int) -> list[int]:
    """Return those of some nodes, in order, that depend on another."""
    marks = graph.dependents([wrt], max(nodes, default=-1))
    return [index for index in nodes if marks[index] and index != wrt]
