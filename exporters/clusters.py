"""What a picture draws a box around: the nodes of a scope, where there are several.

Scopes are those of names: a user function's body, a fused group, and the inputs `fc1.weight` and
`fc1.bias`, which belong together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ..autodiff.optimizations.fusion import NAME
from .names import GRADIENTS

DEEPEST = 5
"""Boxes in boxes beyond this depth are left out."""


class Cluster(NamedTuple):
    """A box: its scope, what is written at it, and the scope of the box that it is in, or ""."""

    scope: str
    label: str
    within: str


class Event(NamedTuple):
    """A step of writing a picture: a box that opens or closes, or a node."""

    opens: Cluster | None = None
    closes: bool = False
    node: int = -1


def clusters_of(paths: Mapping[int, str]) -> tuple[dict[str, Cluster], dict[int, str]]:
    """Return the boxes by scope, and the innermost one of each node that is in any, by its scope.

    A scope with a single node has none, nor has one that only holds another, nor have derivatives
    but for groups among them: they have a colour, and lie apart from what they are derivatives of.
    """
    inside: dict[str, int] = {}
    for path in paths.values():
        for scope in scopes(path):
            inside[scope] = inside.get(scope, 0) + 1
    largest = heaviest(inside)
    found: dict[str, Cluster] = {}
    for scope in sorted(inside, key=lambda it: it.count("/")):
        outer = [it for it in scopes(scope) if it in found]
        several = inside[scope] > 1 and inside[scope] != largest.get(scope)
        if several and len(outer) < DEEPEST and not of_derivatives(scope):
            within = outer[-1] if outer else ""
            found[scope] = Cluster(scope, label(scope, within), within)
    home = {node: [it for it in scopes(path) if it in found] for node, path in paths.items()}
    return found, {node: own[-1] for node, own in home.items() if own}


def scopes(path: str) -> list[str]:
    """Return a scope and those around it, the outermost first: `f` and `f/g` for `f/g`."""
    parts = path.split("/") if path else []
    return ["/".join(parts[: k + 1]) for k in range(len(parts))]


def of_derivatives(scope: str) -> bool:
    """Tell whether a scope is of derivatives, and no fused group."""
    *outer, last = scope.split("/")
    return GRADIENTS in (*outer[:1], scope) and not last.startswith(f"{NAME}_")


def label(scope: str, within: str) -> str:
    """Return what to write at a box: its scope as seen from the box around it."""
    if within or not scope.startswith(f"{GRADIENTS}/"):
        return scope.removeprefix(f"{within}/")
    return scope.rpartition("/")[2]


def heaviest(inside: Mapping[str, int]) -> dict[str, int]:
    """Return for each scope how many nodes the largest scope right within it has."""
    found: dict[str, int] = {}
    for scope, count in inside.items():
        outer = scope.rpartition("/")[0]
        found[outer] = max(found.get(outer, 0), count)
    return found


def events(
    nodes: Sequence[int], clusters: Mapping[str, Cluster], home: Mapping[int, str]
) -> Iterator[Event]:
    """Yield what to write: nodes in order, but those of a box together, where its first one is."""
    members: dict[str, list[int | str]] = {"": []}
    for node in nodes:
        enter(members, clusters, home.get(node, ""), node)
    pending: list[Iterator[int | str]] = [iter(members[""])]
    while pending:
        item = next(pending[-1], None)
        if item is None:
            pending.pop()
            if pending:
                yield Event(closes=True)
        elif isinstance(item, str):
            yield Event(opens=clusters[item])
            pending.append(iter(members[item]))
        else:
            yield Event(node=item)


def enter(
    members: dict[str, list[int | str]], clusters: Mapping[str, Cluster], place: str, node: int
) -> None:
    """Put a node into its box, and boxes that are new into theirs."""
    child: int | str = node
    while place not in members:
        members[place] = [child]
        place, child = clusters[place].within, place
    members[place].append(child)
