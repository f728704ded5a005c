"""How many digits rounding leaves of a number: what a graph adds up may be larger than the sum.

Each operation rounds its result, by up to half a unit in the last place. What that does to an
output is the size of the result times the output's derivative by it (Higham, Accuracy and Stability
of Numerical Algorithms, ch. 3). Of `1 - cos(x)` near 0 no digit may be left.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from .evaluate import evaluate_known
from .known import gradient_at_nodes
from .ops.arithmetic import add, sub
from .reverse import reverse
from .shapes import shapes_at

if TYPE_CHECKING:
    from .evaluate import Value
    from .graph import Graph

HALF_UNIT = 2.0**-53
"""Half a unit in the last place of 1."""

CANCELS = 2.0**20
"""A sum cancels where its terms are so many times larger than it is."""

SUSPECT = 2.0**30
"""A derivative that is so many times smaller than others may be 0 but for rounding."""

MOST_SUSPECTS = 50

SEVERAL = 32
"""So many operations may round the same way."""


class Rounding(NamedTuple):
    """What rounding does to an output.

    `size` is the largest size, in the output's terms, of what is added up on the way to it, inputs
    and numbers included; `error` is how far the output may be off by the rounding of a single
    operation.
    """

    size: float
    error: float


def rounding(
    graph: Graph, output: int, wrt: Mapping[str, int], given: Mapping[str, Value]
) -> Rounding:
    """Return what rounding does to (the sum of) an output at a value for each input.

    Only what depends on `wrt` (name to node) counts. Raises as `gradients` does.
    """
    if not wrt:
        return Rounding(0.0, 0.0)
    slope, _ = gradient_at_nodes(graph, output, wrt, given)
    value = evaluate_known(graph, list(slope), given)
    sizes = {node: largest(value[node]) * largest(slope[node]) for node in slope}
    finite = {node: size for node, size in sizes.items() if math.isfinite(size)}
    rounded = [size for node, size in finite.items() if graph.nodes[node].args and node != output]
    return Rounding(max(finite.values(), default=0.0), HALF_UNIT * max(rounded, default=0.0))


def cancelling(
    graph: Graph, output: int, wrt: Mapping[str, int], given: Mapping[str, Value]
) -> int | None:
    """Return the sum or difference on the way to an output that loses most digits, if one does.

    What an input or a number adds is exact.
    """
    marks = graph.dependents(wrt.values(), output)
    rounded = {
        index: [arg for arg in node.args if graph.nodes[arg].args]
        for index, node in graph.walk(graph.needed([output]))
        if marks[index] and node.op in (add, sub)
    }
    sums = {index: terms for index, terms in rounded.items() if terms}
    value = evaluate_known(graph, [*sums, *chain(*sums.values())], given)
    losses = {
        index: max(largest(value[term]) for term in terms)
        / (largest(value[index]) or math.ulp(0.0))
        for index, terms in sums.items()
    }
    worst = max(losses, key=losses.__getitem__, default=None)
    return worst if worst is not None and losses[worst] > CANCELS else None


def only_rounding(
    graph: Graph,
    output: int,
    slopes: Mapping[int, Value],
    wrt: Mapping[str, int],
    given: Mapping[str, Value],
) -> set[int]:
    """Return the nodes by which an output's derivative is a number that rounding alone made.

    `slopes` are the derivatives. Looked at are numbers much smaller than the largest of them, the
    first few; so one that is exactly 0 by a cancellation is told from one that is small.
    """
    sizes = {node: largest(slope) for node, slope in slopes.items()}
    least = max(filter(math.isfinite, sizes.values()), default=0.0) / SUSPECT
    suspects = [node for node, size in sizes.items() if 0.0 < size < least][:MOST_SUSPECTS]
    numbers = [node for node in suspects if isinstance(slopes[node], float | int)]
    if not numbers:
        return set()
    nodes = graph.needed([output, *numbers])
    derivatives = reverse(graph, output, numbers, shapes_at(graph, nodes, given))
    return {
        node
        for node, slope in zip(numbers, derivatives, strict=True)
        if sizes[node] <= SEVERAL * rounding(graph, slope, wrt, given).error
    }


def largest(value: Value) -> float:
    """Return the largest size of a value's elements."""
    return float(abs(value) if isinstance(value, float | int) else abs(value).max(initial=0.0))
