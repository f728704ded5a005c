"""Fusion: chains of elementwise operations become groups, each of which one loop could run.

A group has one way out: every other value in it is used in the group alone. It is a scope,
`fused_1`, and no operation: pictures draw it, GraphDef names its nodes by it, values do not change.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..ops.leaves import constant

if TYPE_CHECKING:
    from ..graph import Graph

NAME = "fused"

OUTSIDE = -1
"""Whoever uses outputs and what a person named."""


def fuse(graph: Graph) -> None:
    """Enter the groups among the nodes that the outputs need as scopes of the graph."""
    needed = graph.needed(graph.outputs)
    taken = {part for scope in graph.scopes.values() for part in scope.split("/")}
    names = (name for k in range(1, len(needed) + 1) if (name := f"{NAME}_{k}") not in taken)
    for name, members in zip(names, groups(graph, needed), strict=False):
        enter(graph, name, members)


def groups(graph: Graph, needed: Sequence[int]) -> list[list[int]]:
    """Return the groups of two operations and more, each in order, by their first nodes."""
    users: dict[int, list[int]] = {index: [] for index in needed}
    for index in needed:
        for arg in graph.nodes[index].args:
            users[arg].append(index)
    for index in (*graph.outputs, *graph.names.values()):
        users[index].append(OUTSIDE)
    ends: dict[int, int] = {}
    for index in reversed(needed):
        if graph.nodes[index].args and graph.nodes[index].op.move is None:
            into = {ends.get(user) for user in users[index]}
            end = into.pop() if len(into) == 1 else None
            alike = end is not None and (index in graph.came_from) == (end in graph.came_from)
            ends[index] = end if end is not None and alike else index
    found: dict[int, list[int]] = {}
    for index in sorted(ends):
        found.setdefault(ends[index], []).append(index)
    return [members + numbers(graph, members, users) for members in found.values() if members[1:]]


def numbers(graph: Graph, members: Sequence[int], users: dict[int, list[int]]) -> list[int]:
    """Return the numbers that nobody uses but a group."""
    inside = set(members)
    args = {arg for member in members for arg in graph.nodes[member].args}
    return [
        arg
        for arg in sorted(args)
        if graph.nodes[arg].op is constant and inside.issuperset(users[arg])
    ]


def enter(graph: Graph, name: str, members: Sequence[int]) -> None:
    """Put nodes in a scope, below the one that they have in common, their own scopes below it."""
    paths = {node: graph.scopes.get(node, "").split("/") for node in members}
    shared = in_common([path for node, path in paths.items() if graph.nodes[node].args])
    for node, path in paths.items():
        graph.scopes[node] = "/".join(filter(None, [*shared, name, *path[len(shared) :]]))


def in_common(paths: Sequence[Sequence[str]]) -> Sequence[str]:
    """Return the parts with which all paths begin."""
    first = paths[0]
    least = min(map(len, paths))
    ends = (k for k in range(least) if any(path[k] != first[k] for path in paths))
    return first[: next(ends, least)]
