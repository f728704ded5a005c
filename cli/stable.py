"""The functions that keep values, named where a formula lost one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from .. import parser
from ..autodiff.evaluate import complete
from ..autodiff.graph import Graph
from ..autodiff.stable import Found, Read, keeper, readable, written
from ..exporters.culprit import LONGEST, names_of
from ..exporters.text import formula

if TYPE_CHECKING:
    from ..autodiff.evaluate import Value
    from ..autodiff.origin import Culprit


@cache
def patterns() -> list[Read]:
    """Return the patterns as they are read."""
    return readable(parser.parse)


def advice(graph: Graph, culprit: Culprit, given: Mapping[str, Value], slope: bool) -> str:
    """Return which function keeps the value that a culprit lost, "" where none is known."""
    if len(graph) > graph.max_nodes // 2:
        return ""
    node = culprit.node if culprit.primal is None else culprit.primal
    found = keeper(graph, node, complete(graph, given), patterns(), slope)
    return f"; {told(graph, found)} keeps it" if found else ""


def told(graph: Graph, found: Found) -> str:
    """Return the other side of a pattern at what its names stand for."""
    return formula(graph, written(graph, found), LONGEST, names_of(graph))
