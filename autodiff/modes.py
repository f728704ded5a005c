"""Training or inference: what a program says of both becomes what is meant.

Where a graph has the two side by side, one of them is chosen before anything is differentiated, run
or drawn; the other is then not needed, nor are its inputs.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .graph import Graph


def settle(graph: Graph, training: bool = False) -> None:
    """Make the outputs and the named values of a graph those of training, or of inference."""
    wanted = list(dict.fromkeys([*graph.outputs, *graph.names.values()]))
    chosen = choices(graph, wanted, training)
    if chosen:
        graph.outputs = [chosen.get(node, node) for node in graph.outputs]
        graph.names = {name: chosen.get(node, node) for name, node in graph.names.items()}


def choices(graph: Graph, wanted: Iterable[int], training: bool) -> dict[int, int]:
    """Return what stands for each node that changes when a mode is chosen."""
    found: dict[int, int] = {}
    for index, node in graph.walk(graph.needed(wanted)):
        args = tuple([found.get(arg, arg) for arg in node.args])
        if node.op.modes:
            found[index] = args[0 if training else 1]
        elif args != node.args:
            graph.at, graph.scope = graph.spans[index], graph.scopes.get(index, "")
            found[index] = graph.add(node.op, args, node.attrs)
    graph.scope = ""
    return found
