"""What PyTorch's autograd would have for the nodes of a graph: which functions take gradients on.

PyTorch makes several nodes of some ops (`1/x` is a product with a reciprocal), and computes some
functions otherwise; here an op is one node.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .graph import Graph, Node, Shape

ACCUMULATE = "AccumulateGrad"


class Tracked(NamedTuple):
    """A node that is differentiated: its `grad_fn`, None for an input, and what comes next.

    `next_functions` are pairs of a function and the place of its output, as PyTorch has them; None
    is the function of what is not differentiated.
    """

    grad_fn: str | None
    next_functions: list[tuple[str | None, int]]


def tracked(
    graph: Graph, nodes: Sequence[int], wrt: Iterable[int], shapes: Mapping[int, Shape]
) -> dict[int, Tracked]:
    """Return what requires a gradient among nodes that are in order and all that outputs need.

    Shapes are looked at as far as they are known.
    """
    found: dict[int, Tracked] = {}
    by = set(wrt)
    for index, node in graph.walk(nodes):
        if not node.args:
            if index in by:
                found[index] = Tracked(None, [])
            continue
        places = inputs_of(graph, node, shapes)
        args = [node.args[k] for k in places]
        if index not in by and not any(arg in found for arg in args):
            continue
        following = [(function_of(found, arg), 0) for arg in args]
        found[index] = Tracked(name_of(graph, node, shapes), following)
    return found


def function_of(found: Mapping[int, Tracked], node: int) -> str | None:
    """Return the function that takes a node's gradient on, None where it has none."""
    return (found[node].grad_fn or ACCUMULATE) if node in found else None


def inputs_of(graph: Graph, node: Node, shapes: Mapping[int, Shape]) -> Sequence[int]:
    """Return the places of the arguments that a node's gradient is handed on to."""
    torch = node.op.torch
    if torch.name == "":
        return ()
    places = range(len(node.args)) if torch.inputs is None else torch.inputs
    if numbers_of(graph, node) in torch.numbers:
        return [k for k in places if graph.literal(node.args[k]) is None]
    return places


def numbers_of(graph: Graph, node: Node) -> tuple[int, ...]:
    """Return the places of the arguments that are plain numbers."""
    return tuple(k for k, arg in enumerate(node.args) if graph.literal(arg) is not None)


def name_of(graph: Graph, node: Node, shapes: Mapping[int, Shape]) -> str:
    """Return the name of the function that takes a node's gradient on."""
    torch = node.op.torch
    told = torch.told(node.attrs) if torch.told else None
    if told is not None:
        return told
    if torch.numbers and (name := torch.numbers.get(numbers_of(graph, node))):
        return name
    if torch.ranks and all(arg in shapes for arg in node.args):
        ranks = tuple(len(shapes[arg]) for arg in node.args)
        if ranks in torch.ranks:
            return torch.ranks[ranks]
    words = node.op.name.split("_")
    return torch.name or f"{''.join(map(str.capitalize, words))}Backward0"
