"""What two graphs must share to be the same: what they compute, and their names."""

from __future__ import annotations

from typing import NamedTuple

from cgraph.autodiff.graph import Graph


class Likeness(NamedTuple):
    outputs: list[int]
    names: dict[str, int]
    inputs: list[str]
    defaults: str
    shapes: str


def likeness(graph: Graph) -> Likeness:
    """Return what a graph is; nodes are numbered by what they compute."""
    wanted = [*graph.outputs, *graph.names.values()]
    inputs = graph.inputs(wanted)
    numbers: dict[int, int] = {}
    known: dict[tuple[object, ...], int] = {}
    for index, node in graph.walk(graph.needed(wanted)):
        key = (node.op.name, *(numbers[arg] for arg in node.args), repr(node.attrs))
        numbers[index] = known.setdefault(key, hash(key))
    return Likeness(
        [numbers[node] for node in graph.outputs],
        {name: numbers[node] for name, node in graph.names.items()},
        list(inputs),
        repr({name: graph.defaults[name] for name in inputs if name in graph.defaults}),
        repr({name: graph.shapes[name] for name in inputs if name in graph.shapes}),
    )
