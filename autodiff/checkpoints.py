"""What is not kept for a backward pass, but run again there: less memory for more time.

A region is a part of the formula; `regions` gives operations the number of theirs. Of a region's
values those are kept that the rest of the formula uses. The others are freed, and when a pass needs
one of them, what it needs of the region is run again just before. So running a region again takes
no other one: its arguments from outside are there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from .graph import Graph, Shapes

Passes: TypeAlias = Sequence[Sequence[int]]
"""The derivatives that each pass finds."""

Regions: TypeAlias = Mapping[int, int]


def order(graph: Graph, nodes: Sequence[int], passes: Passes, regions: Regions) -> list[int]:
    """Return the order in which to run `nodes`, then pass after pass.

    Each pass is run as if there were no other: what two of them need and nobody wants, both run.
    """
    primal = graph.needed(nodes)
    wanted = {*nodes, *(slope for slopes in passes for slope in slopes)}
    again = freed(graph, primal, regions).difference(wanted)
    there = set(primal)
    found = list(primal)
    for slopes in passes:
        late = [node for node in graph.needed(slopes) if node not in there]
        found += interleaved(graph, late, parts(graph, primal, late, again, regions), regions)
        there.update(node for node in late if node in wanted or not graph.nodes[node].args)
    return found


def freed(graph: Graph, primal: Sequence[int], regions: Regions) -> set[int]:
    """Return the nodes that nothing of the formula outside their region uses."""
    found = set(regions)
    for index, node in graph.walk(primal):
        here = regions.get(index)
        found.difference_update(arg for arg in node.args if regions.get(arg) != here)
    return found


def parts(
    graph: Graph,
    primal: Sequence[int],
    late: Sequence[int],
    again: AbstractSet[int],
    regions: Regions,
) -> dict[int, list[int]]:
    """Return what is to be run again of each region for the steps of a pass, in order."""
    used = {arg for _, node in graph.walk(late) for arg in node.args}
    found: dict[int, list[int]] = {}
    for index in reversed(primal):
        if index in used and index in again:
            used.update(graph.nodes[index].args)
            found.setdefault(regions[index], []).append(index)
    return {region: nodes[::-1] for region, nodes in found.items()}


def interleaved(
    graph: Graph, late: Sequence[int], parts: dict[int, list[int]], regions: Regions
) -> list[int]:
    """Return the steps of a pass, before the first that needs it the part of each region."""
    found: list[int] = []
    for index, node in graph.walk(late):
        for arg in node.args:
            if arg in regions:
                found += parts.pop(regions[arg], ())
        found.append(index)
    return found


def marked(graph: Graph, nodes: Sequence[int], passes: Passes) -> dict[int, int]:
    """Return the regions that ops ask for: what only the argument of such an op is made from.

    A region ends at other such ops, at inputs, and at values that are used elsewhere too.
    """
    found: dict[int, int] = {}
    users: dict[int, int | None] = dict.fromkeys(nodes)
    users.update((slope, None) for slopes in passes for slope in slopes)
    for index in reversed(graph.needed(nodes)):
        op, args, _ = graph.nodes[index]
        region = index if op.checkpoints else users[index]
        if args and region not in (None, index):
            found[index] = region
        for arg in args:
            if users.setdefault(arg, region) != region:
                users[arg] = None
    return found


def sections(
    graph: Graph, nodes: Sequence[int], passes: Passes, shapes: Shapes | None
) -> dict[int, int]:
    """Return as regions sections that each keep the root of what the whole formula keeps.

    So what is kept at all boundaries is about as much as what one section keeps inside. The last
    section is no region: a pass begins with it.
    """
    primal = graph.needed(nodes)
    sizes = kept_sizes(graph, primal, passes, shapes)
    limit = math.hypot(*sizes.values())
    found: dict[int, int] = {}
    section, filled = 0, 0
    for index, node in graph.walk(primal):
        if node.args:
            if filled >= limit > 0:
                section, filled = section + 1, 0
            found[index] = section
            filled += sizes.get(index, 0)
    return {index: number for index, number in found.items() if number < section}


def kept_sizes(
    graph: Graph, primal: Sequence[int], passes: Passes, shapes: Shapes | None
) -> dict[int, int]:
    """Return the numbers in each value that would be kept for passes, were nothing run again."""
    here = set(primal)
    needed = graph.needed(slope for slopes in passes for slope in slopes)
    late = [node for index, node in graph.walk(needed) if index not in here]
    owners: dict[int, int] = {}
    for index, (op, args, _) in graph.walk(primal):
        owners[index] = owners[args[0]] if op.view else index
    kept = {owners[arg] for node in late for arg in node.args if arg in here}
    return {
        index: math.prod(shapes[index]) if shapes is not None else 1
        for index in kept
        if graph.nodes[index].args
    }
