"""What a picture shows: a graph, which nodes are what in it, and what is written at them.

The caller has done the computing; the two `..._labels` say what to write on the edges.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from ..autodiff.ops.leaves import constant, placeholder
from .text import formula, value_text

if TYPE_CHECKING:
    from ..autodiff.graph import Graph, Shape
    from .text import Value

SHORT = 20
"""The longest formula that fits on an edge."""

Edge = tuple[int, int]
"""A node and the place of one of its arguments."""


class Kind(Enum):
    """What a reader must tell apart at a glance; the value is what the legend says."""

    WRT = "differentiated by"
    INPUT = "input"
    CONSTANT = "constant"
    OPERATION = "operation"
    DERIVED = "made by differentiation"
    OUTPUT = "output"
    DERIVATIVE = "derivative of the output"


class Gradient(NamedTuple):
    """The gradient of an output at nodes, and what to call the output where there are several.

    `lost` are the nodes at which it is a number that rounding alone made.
    """

    output: str
    by_node: Mapping[int, Value]
    lost: Collection[int] = ()


class Scene(NamedTuple):
    """A picture to be drawn of the nodes that `outputs` need.

    `derivatives` are the last of these: of each output before them, its derivatives by the name of
    what they are by; `labels` says what to call them. `wrt` are the nodes that are differentiated
    by; `values` gives each node's number or array, where there is one, and `gradients` those of the
    outputs' derivatives. `edges` gives the text on an edge, and `edge_meaning` says for the legend
    what it is. `shapes` goes to exporters of graphs, where it is known, and `given`, the values of
    inputs, to those of code; these are told that all is `optimized`, since they derive again.
    """

    graph: Graph
    outputs: Sequence[int]
    wrt: Collection[int] = ()
    values: Mapping[int, Value] = {}
    gradients: Sequence[Gradient] = ()
    labels: Mapping[int, str] = {}
    edges: Mapping[Edge, str] = {}
    edge_meaning: str = ""
    shapes: Mapping[int, Shape] = {}
    given: Mapping[str, Value] = {}
    optimized: bool = False
    derivatives: Sequence[Mapping[str, int]] = ()

    @property
    def primals(self) -> Sequence[int]:
        """The outputs that are no derivatives of others."""
        return self.outputs[: len(self.outputs) - sum(map(len, self.derivatives))]

    def kind(self, node: int) -> Kind:
        """Return what a node is to the reader."""
        op = self.graph.nodes[node].op
        if node in self.wrt:
            return Kind.WRT
        if op is placeholder:
            return Kind.INPUT
        if node in self.outputs:
            asked = node in self.labels or node in self.graph.came_from
            return Kind.DERIVATIVE if asked else Kind.OUTPUT
        if op is constant:
            return Kind.CONSTANT
        return Kind.DERIVED if node in self.graph.came_from else Kind.OPERATION


def partial_labels(
    graph: Graph, partials: Mapping[Edge, int], values: Mapping[int, Value], digits: int | None = 4
) -> dict[Edge, str]:
    """Return the text of each local derivative: its value where known, else a short formula."""
    return {
        edge: value_text(values[node], digits) if node in values else formula(graph, node, SHORT)
        for edge, node in partials.items()
        if node in values or not formula(graph, node, SHORT).endswith("...")
    }


def shape_labels(
    graph: Graph, nodes: Iterable[int], shapes: Mapping[int, Shape]
) -> dict[Edge, str]:
    """Return the shape of what flows along each edge, where it is known."""
    return {
        (index, k): str(shapes[arg]) if shapes[arg] else "scalar"
        for index, node in graph.walk(nodes)
        for k, arg in enumerate(node.args)
        if arg in shapes
    }
