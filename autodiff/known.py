"""The numbers that given values determine, node by node."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from .evaluate import evaluate_known
from .results import Result, gradients

if TYPE_CHECKING:
    from .evaluate import Value
    from .graph import Graph


def known_values(
    graph: Graph, nodes: Iterable[int], given: Mapping[str, Value]
) -> Mapping[int, Value]:
    """Return the value of each node that the given values determine; none where none is given."""
    if graph.inputs() and not given and not graph.defaults:
        return {}
    return evaluate_known(graph, list(nodes), given)


def gradient_at_nodes(
    graph: Graph, output: int, wrt: Mapping[str, int], given: Mapping[str, Value]
) -> tuple[Mapping[int, Value], Result]:
    """Return the gradient of the output by each node between `wrt` and it, and as a result."""
    marks = graph.dependents(wrt.values(), output)
    by = {str(node): node for node in graph.needed([output]) if marks[node]}
    result = gradients(graph, [output], by, given)[0]
    return {node: result.gradient[name] for name, node in by.items()}, result
