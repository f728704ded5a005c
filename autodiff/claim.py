"""Somebody's own derivative beside ours, at given values or at points drawn for the purpose."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from .asked import one
from .check import Along, Place, alike, total
from .declared import check_declared
from .errors import UsageError
from .evaluate import complete, evaluate
from .inputs import input_shapes
from .numerical import Slopes, slopes
from .points import drawn, none_found, usable
from .results import plan, results

if TYPE_CHECKING:
    from .evaluate import Value
    from .graph import Graph

WITHOUT = "cgraph diff has the derivative, check without --claim its numbers"

POINTS = 20
"""So many points are taken where the bindings leave that open."""


class Finding(NamedTuple):
    """A claim at a point: what it says there, and what the derivative is.

    `sides` are the slopes on either side where the claim is wrong at a kink, else None.
    """

    point: dict[str, Value]
    claimed: float
    derivative: float
    right: bool
    sides: Slopes | None = None


def findings(
    graph: Graph,
    by: tuple[str, int],
    claim: Graph,
    bindings: Mapping[str, Value],
    tolerance: float,
) -> list[Finding]:
    """Return the claim beside the derivative of the output by a node, `by` (name, node).

    At the bindings where they and the defaults say all, else at drawn points, up to the first where
    the claim is wrong. Raises `UsageError` where there are several outputs, or the claim has inputs
    that the formula has not, or a value is an array; `FormulaError` where no point is found.
    """
    output = one(graph.outputs, "choose one with --output NAME")
    missing, given = asked(graph, claim, complete(graph, bindings))
    ready = plan(graph, [output], dict([by]))
    found: list[Finding] = []
    for point in drawn(missing, given) if missing else [given]:
        result = results(graph, ready, point)[0]
        if missing and not usable(result):
            continue
        (derivative,) = result.gradient.values()
        yours, mine = total(evaluate(claim, claim.outputs, point)[0]), total(derivative)
        used = {name: point[name] for name in graph.inputs()}
        found.append(Finding(used, yours, mine, alike(mine, yours, tolerance)))
        if not found[-1].right or len(found) == POINTS:
            break
    if not found:
        raise none_found(missing)
    return [*found[:-1], with_sides(graph, by, found[-1], tolerance)]


def asked(
    graph: Graph, claim: Graph, given: dict[str, Value]
) -> tuple[list[str], dict[str, Value]]:
    """Return the inputs without a value, and the values. Raises as `findings` does."""
    one(claim.outputs, "a claim is one formula")
    inputs = graph.inputs()
    unknown = [name for name in claim.inputs() if name not in inputs]
    if unknown:
        raise UsageError(f"the claim speaks of {', '.join(unknown)}, the formula does not")
    known = input_shapes(graph, given)
    if any(known.values()):
        raise UsageError("a claim is checked at numbers, not at arrays", hint=WITHOUT)
    check_declared(graph, graph.needed(graph.outputs), known)
    return [name for name in inputs if name not in given], given


def with_sides(graph: Graph, by: tuple[str, int], last: Finding, tolerance: float) -> Finding:
    """Return a finding with the slopes on either side, where a wrong claim met a kink."""
    if last.right or not math.isfinite(last.derivative):
        return last
    name, node = by
    point = complete(graph, last.point)
    along = Along(graph, graph.outputs[0], Place(name, None), node, point)
    sides = slopes(along, along.x)
    return last._replace(sides=sides if sides.jump or sides.kink(tolerance) else None)
