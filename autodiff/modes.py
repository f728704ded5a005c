"""Training or inference: what a program says of both becomes what is meant.

Where a graph has the two side by side, one of them is chosen before anything is differentiated, run
or drawn; the other is then not needed, nor are its inputs.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .graph import Graph, Node


def settle(graph: Graph) -> None:
    """Make the outputs and named values those of training or inference, whichever is meant."""
    if not matters(graph):
        return
    wanted = list(dict.fromkeys([*graph.outputs, *graph.names.values()]))
    chosen = choices(graph, wanted)
    graph.outputs = [chosen.get(node, node) for node in graph.outputs]
    graph.names = {name: chosen.get(node, node) for name, node in graph.names.items()}


def matters(graph: Graph) -> bool:
    """Tell whether the graph says anything of training and of inference."""
    return any(node.op.modes for node in graph.nodes)


def meant(graph: Graph, node: Node) -> int:
    """Return the argument that a node stands for which has one for each mode."""
    return node.args[0 if graph.training else 1]


def choices(graph: Graph, wanted: Iterable[int]) -> dict[int, int]:
    """Return what stands for each node that changes when a mode is chosen."""
    found: dict[int, int] = {}
    for index, node in graph.walk(graph.needed(wanted)):
        args = tuple([found.get(arg, arg) for arg in node.args])
        if node.op.modes:
            choice = meant(graph, node)
            found[index] = found.get(choice, choice)
        elif args != node.args:
            graph.at, graph.scope = graph.spans[index], graph.scopes.get(index, "")
            found[index] = graph.add(node.op, args, node.attrs)
    graph.scope = ""
    return found
