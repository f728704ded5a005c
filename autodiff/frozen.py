"""What differentiation takes as constant, held constant: so that differences see the same function.

`stop_gradient(x)` has no derivative by definition, and neither has anything by labels.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from .evaluate import run
from .graph import Graph
from .local import labels_of
from .program import Program
from .shapes import shapes_at

if TYPE_CHECKING:
    from .evaluate import Value


class Frozen(NamedTuple):
    """A graph, its output, the values of its inputs, and what in it has been held constant."""

    graph: Graph
    output: int
    given: dict[str, Value]
    held: list[str]


def frozen(graph: Graph, output: int, given: Mapping[str, Value]) -> Frozen:
    """Return a graph in which what has no derivative by definition is an input of its value.

    The graph itself where there is nothing such.
    """
    needed = graph.needed([output])
    if not any(node.op.stops or node.op.labels for _, node in graph.walk(needed)):
        return Frozen(graph, output, dict(given), [])
    shapes = shapes_at(graph, needed, {name: given[name] for name in graph.inputs([output])})
    values = run(Program(graph, [output]), given, keep=True)
    copy, inputs, held = Graph(graph.max_nodes), dict(given), dict[str, None]()
    copy.seed = graph.seed

    def constant(index: int) -> int:
        inputs[f"value of {index}"] = values[index]
        return copy.placeholder(f"value of {index}")

    found: dict[int, int] = {}
    for index, node in graph.walk(needed):
        args = [found[arg] for arg in node.args]
        for k in labels_of(graph.nodes[index], shapes):
            args[k] = constant(node.args[k])
            held["labels"] = None
        if node.op.stops:
            held[node.op.function] = None
        found[index] = constant(index) if node.op.stops else copy.adopt(node, tuple(args))
    return Frozen(copy, found[output], inputs, list(held))
