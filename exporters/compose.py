"""What is to be drawn or exported: a graph, with numbers where values are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from ..autodiff.declared import check_declared
from ..autodiff.digits import only_rounding
from ..autodiff.gradient import gradient, local_partials
from ..autodiff.inputs import input_shapes
from ..autodiff.known import gradient_at_nodes, known_values
from ..autodiff.results import Result
from ..autodiff.shapes import infer, known_shapes
from .scene import SHORT, Edge, Gradient, Scene, partial_labels, shape_labels
from .text import formula

if TYPE_CHECKING:
    from ..autodiff.evaluate import Value
    from ..autodiff.graph import Graph

MEANINGS = {"partial": "local derivatives", "shape": "shapes"}


class Wanted(NamedTuple):
    """What a picture is to show besides the graph and its values.

    `wrt` are the nodes to differentiate by, which look so with `marked`; `grad` asks for the
    gradient of each node, `backward` for the derivatives' own nodes, `edges` for shapes or
    partials, `optimize` for all of it at its fastest; without `values` no node's is computed.
    """

    wrt: Mapping[str, int]
    grad: bool = False
    backward: bool = False
    edges: str = "none"
    digits: int | None = 4
    optimize: bool = False
    marked: bool = False
    values: bool = True


def scene_of(
    graph: Graph, outputs: Sequence[int], given: Mapping[str, Value], wanted: Wanted
) -> tuple[Scene, list[Result]]:
    """Return what a picture shows, and results that may have something to warn of.

    With `grad` all inputs have values.
    """
    wrt = wanted.wrt
    gradients: list[Gradient] = []
    results: list[Result] = []
    appended = append_gradients(graph, outputs, wrt, given) if wanted.backward and wrt else []
    shown = [*outputs, *chain(*(one.values() for one in appended))]
    called = names_of(graph, outputs)
    if wanted.optimize:
        from ..autodiff.optimize import optimize

        graph, new = optimize(graph, shown, list(wrt.values()))
        shown = graph.outputs
        wrt = {name: new[node] for name, node in wrt.items() if node in new}
        appended = [{name: new[node] for name, node in one.items()} for one in appended]
    if wanted.grad:
        for name, output in zip(called, shown, strict=False):
            at_nodes, result = gradient_at_nodes(graph, output, wrt, given)
            lost = only_rounding(graph, output, at_nodes, wrt, given)
            gradients.append(Gradient(name, at_nodes, lost))
            results.append(result)
    needed = graph.needed(shown)
    scene = Scene(
        graph,
        shown,
        wrt=list(wrt.values()) if wanted.grad or wanted.backward or wanted.marked else (),
        values=known_values(graph, shown, given) if wanted.values else {},
        gradients=gradients,
        labels=labels_of(called, appended),
        edges=edge_texts(graph, needed, given, wanted),
        edge_meaning=MEANINGS.get(wanted.edges, ""),
        shapes=known_shapes(graph, needed, input_shapes(graph, given)),
        given=given,
        optimized=wanted.optimize,
        derivatives=appended,
    )
    return scene, results


def append_gradients(
    graph: Graph, outputs: Sequence[int], wrt: Mapping[str, int], given: Mapping[str, Value]
) -> list[dict[str, int]]:
    """Append the derivatives of outputs to the graph; return their nodes by names of `wrt`."""
    needed = graph.needed([*outputs, *wrt.values()])
    known = input_shapes(graph, given)
    check_declared(graph, needed, known)
    shapes = infer(graph, known, needed)
    shaped = shapes if any(shapes.values()) else None
    nodes = list(wrt.values())
    found = (gradient(graph, output, nodes, shapes=shaped) for output in outputs)
    return [dict(zip(wrt, slopes, strict=True)) for slopes in found]


def names_of(graph: Graph, outputs: Sequence[int]) -> list[str]:
    """Return what a derivative calls outputs: by its name; among several by its formula, or number.

    One without a name is called nothing.
    """
    names = [graph.output_name(output) or "" for output in outputs]
    if len(outputs) == 1:
        return names
    texts = [f"({formula(graph, output, SHORT)})" for output in outputs]
    plain = [f"{k}" if text.endswith("...)") else text for k, text in enumerate(texts, start=1)]
    return [name or text for name, text in zip(names, plain, strict=True)]


def labels_of(called: Sequence[str], derivatives: Sequence[Mapping[str, int]]) -> dict[int, str]:
    """Return what to call each derivative: `du/dx`; a node may be several."""
    found: dict[int, str] = {}
    for output, slopes in zip(called, derivatives, strict=False):
        for by, node in slopes.items():
            name = f"d{output}/d{by}"
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
