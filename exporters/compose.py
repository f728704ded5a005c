"""What is to be drawn or exported: a graph, with numbers where values are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..autodiff.declared import check_declared
from ..autodiff.gradient import gradient, local_partials
from ..autodiff.inputs import input_shapes
from ..autodiff.known import gradient_at_nodes, known_values
from ..autodiff.results import Result
from ..autodiff.shapes import infer, known_shapes
from .scene import Edge, Scene, partial_labels, shape_labels

if TYPE_CHECKING:
    from ..autodiff.evaluate import Value
    from ..autodiff.graph import Graph

MEANINGS = {"partial": "local derivatives", "shape": "shapes"}


class Wanted(NamedTuple):
    """What a picture is to show besides the graph and its values.

    `wrt` are the nodes to differentiate by, which look so with `marked`; `grad` asks for the
    gradient of each node, `backward` for the derivatives' own nodes, `edges` for shapes or
    partials, `optimize` for all of it at its fastest.
    """

    wrt: Mapping[str, int]
    grad: bool = False
    backward: bool = False
    edges: str = "none"
    digits: int | None = 4
    optimize: bool = False
    marked: bool = False


def scene_of(
    graph: Graph, outputs: Sequence[int], given: Mapping[str, Value], wanted: Wanted
) -> tuple[Scene, list[Result]]:
    """Return what a picture shows, and results that may have something to warn of.

    With `grad` and `backward` there is one output; with `grad` all inputs have values.
    """
    wrt = wanted.wrt
    gradients: Mapping[int, Value] = {}
    results: list[Result] = []
    appended = append_gradient(graph, outputs[0], wrt, given) if wanted.backward else {}
    shown = [*outputs, *appended.values()]
    if wanted.optimize:
        from ..autodiff.optimize import optimize

        graph, new = optimize(graph, shown, list(wrt.values()))
        shown = graph.outputs
        wrt = {name: new[node] for name, node in wrt.items() if node in new}
        appended = {name: new[node] for name, node in appended.items()}
    if wanted.grad:
        gradients, result = gradient_at_nodes(graph, shown[0], wrt, given)
        results.append(result)
    needed = graph.needed(shown)
    scene = Scene(
        graph,
        shown,
        wrt=list(wrt.values()) if wanted.grad or wanted.backward or wanted.marked else (),
        values=known_values(graph, shown, given),
        gradients=gradients,
        labels=labels_of(appended),
        edges=edge_texts(graph, needed, given, wanted),
        edge_meaning=MEANINGS.get(wanted.edges, ""),
        shapes=known_shapes(graph, needed, input_shapes(graph, given)),
        given=given,
        optimized=wanted.optimize,
    )
    return scene, results


def append_gradient(
    graph: Graph, output: int, wrt: Mapping[str, int], given: Mapping[str, Value]
) -> dict[str, int]:
    """Append the derivatives of an output to the graph; return their nodes by name, `d/dx`."""
    needed = graph.needed([output, *wrt.values()])
    known = input_shapes(graph, given)
    check_declared(graph, needed, known)
    shapes = infer(graph, known, needed)
    shaped = shapes if any(shapes.values()) else None
    derivatives = gradient(graph, output, list(wrt.values()), shapes=shaped)
    names = [f"d{graph.output_name(output) or ''}/d{name}" for name in wrt]
    return dict(zip(names, derivatives, strict=True))


def labels_of(named: Mapping[str, int]) -> dict[int, str]:
    """Return what to call each node, which may have several names."""
    found: dict[int, str] = {}
    for name, node in named.items():
        found[node] = f"{found[node]}, {name}" if node in found else name
    return found


def edge_texts(
    graph: Graph, nodes: Sequence[int], given: Mapping[str, Value], wanted: Wanted
) -> Mapping[Edge, str]:
    """Return what to write on the edges."""
    if wanted.edges == "shape":
        return shape_labels(graph, nodes, known_shapes(graph, nodes, input_shapes(graph, given)))
    if wanted.edges == "partial":
        partials = local_partials(graph, nodes)
        values = known_values(graph, partials.values(), given)
        return partial_labels(graph, partials, values, wanted.digits)
    return {}
