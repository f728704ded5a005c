"""Unique names for nodes, as GraphDef wants them: TensorFlow's rule, with scopes.

`/` is the only hierarchy there is, so no name may also be a scope: the scopes are found first, and
names keep out of their way.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..autodiff.graph import Graph

GRADIENTS = "gradients"
"""The scope of the nodes that a derivative pass made."""

LONGEST = 200
"""A longer name is cut: file systems and viewers have limits of their own."""


def unique_names(graph: Graph, nodes: Iterable[int]) -> dict[int, str]:
    """Return a name for each node: what a person called it, else its op's name, numbered."""
    wanted = list(nodes)
    given = _given(graph)
    named = {node: legal(given[node]) for node in wanted if node in given}
    scopes = {path_of(graph, node) for node in wanted if node not in given}
    taken = _with_parents(scopes | {name.rpartition("/")[0] for name in named.values()})
    found = {node: _free(name, taken) for node, name in named.items()}
    numbers: dict[str, count[int]] = {}
    for node in wanted:
        if node not in given:
            path, op = path_of(graph, node), graph.nodes[node].op.name
            found[node] = _free(f"{path}/{op}" if path else op, taken, numbers)
    return found


@lru_cache(maxsize=1024)
def legal(name: str) -> str:
    """Return the nearest name that TensorFlow allows: `fc1/weight` for `fc1.weight`."""
    parts = ["".join(map(_spelled, part)).lstrip("_") for part in re.split(r"[./]", name)]
    return "/".join(part or "v" for part in parts)[:LONGEST].rstrip("/")


def _spelled(letter: str) -> str:
    """Return a plain letter as it is, an accented one bare, a Greek one's name, else the code."""
    if letter.isascii():
        return letter if letter.isalnum() or letter in "_-" else "_"
    bare = unicodedata.normalize("NFKD", letter)[0]
    if bare.isascii() and bare.isalnum():
        return bare
    known = re.fullmatch(r"GREEK (SMALL|CAPITAL) LETTER (\w+)", unicodedata.name(letter, ""))
    if not known:
        return f"U{ord(letter):04X}"
    return known[2].lower() if known[1] == "SMALL" else known[2].capitalize()


def _given(graph: Graph) -> dict[int, str]:
    """Return the nodes that people named: an input's own name counts before its other names."""
    given = {node: name for name, node in reversed(graph.names.items())}
    return given | {node: name for name, node in graph.placeholders.items()}


def path_of(graph: Graph, node: int) -> str:
    """Return the scope of an unnamed node: its function, under `gradients` if a pass made it."""
    origin = graph.came_from.get(node)
    scope = graph.scopes.get(node) or graph.scopes.get(node if origin is None else origin, "")
    parts = [GRADIENTS] if origin is not None and not scope.startswith(GRADIENTS) else []
    return "/".join(filter(None, [*parts, *map(legal, scope.split("/"))] if scope else parts))


def _with_parents(scopes: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for scope in scopes:
        while scope:
            found.add(scope)
            scope = scope.rpartition("/")[0]
    return found


def _free(name: str, taken: set[str], numbers: dict[str, count[int]] | None = None) -> str:
    """Return `name`, or the first of `name_1`, `name_2`, ... that is free, and take it.

    `numbers` remembers where each name's numbering has got to, or a million `mul` would take a day.
    """
    free = name
    if free in taken:
        numbering = count(1) if numbers is None else numbers.setdefault(name, count(1))
        free = next(tried for k in numbering if (tried := f"{name}_{k}") not in taken)
    taken.add(free)
    return free
