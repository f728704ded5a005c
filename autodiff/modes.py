"""Training or inference: what a program says of both becomes what is meant.

Where a graph has the two side by side, one of them is chosen before anything is differentiated, run
or drawn; the other is then not needed, nor are its inputs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .rewrite import throughout

if TYPE_CHECKING:
    from .graph import Graph, Node


def settle(graph: Graph) -> None:
    """Make the outputs and named values those of training or inference, whichever is meant."""
    if not matters(graph):
        return

    def change(index: int, node: int) -> int:
        held = graph.nodes[node]
        return meant(graph, held) if held.op.modes else node

    chosen = throughout(graph, [*graph.outputs, *graph.names.values()], change)
    graph.outputs = [chosen[node] for node in graph.outputs]
    graph.names = {name: chosen[node] for name, node in graph.names.items()}


def matters(graph: Graph) -> bool:
    """Tell whether the graph says anything of training and of inference."""
    return any(node.op.modes for node in graph.nodes)


def meant(graph: Graph, node: Node) -> int:
    """Return the argument that a node stands for which has one for each mode."""
    return node.args[0 if graph.training else 1]
