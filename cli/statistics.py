"""What `--stats` says: the nodes that ran, what was kept for derivatives, the most memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..autodiff.statistics import statistics

if TYPE_CHECKING:
    from ..autodiff.gradient import Mode
    from ..autodiff.graph import Graph
    from ..autodiff.results import Plan

PASSES: dict[Mode, str] = {"forward": "pass of tangents"}
"""What finds derivatives, where that is not the backward pass."""


def told(graph: Graph, plan: Plan, mode: Mode = "auto") -> str:
    """Return the statistics of a plan as a line."""
    found = statistics(graph, plan)
    which = PASSES.get(mode, "backward pass")
    run = f"{counted(found.nodes, 'node')} run"
    if found.derived:
        run += f", {found.derived:,} of them for the {which}"
    if found.again:
        run += f", {found.again:,} of them again"
    kept = f"{counted(found.kept, 'value')} kept" if found.kept else "nothing kept"
    kept += " for it" if found.derived else f" for a {which}"
    if found.kept:
        kept += f" ({counted(found.kept_bytes, 'byte')})"
    return f"{run}; {kept}; at most {counted(found.peak_bytes, 'byte')} alive"


def counted(number: int, what: str) -> str:
    """Return a number of things."""
    return f"{number:,} {what}{'s' * (number != 1)}"
