"""Nodes as text to read: a formula, or where that would be long a program with named parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..autodiff.rules.view import View
from ..autodiff.symbolic import extracted
from .text import program

if TYPE_CHECKING:
    from ..autodiff.graph import Graph

LONG = 60
"""With more operations than this a formula is written in parts."""


def short(graph: Graph, nodes: Sequence[int], flat: bool = False) -> str:
    """Return nodes as a program that reads back to them: a line each, unless they are long.

    Then values keep the names that the formula gave them, and shared parts get names of their own;
    `flat` forbids both.
    """
    view = View(graph, derived=False)
    in_parts = not flat and any(view.size(node) > LONG for node in nodes)
    return program(extracted(graph, nodes, named=in_parts), share=in_parts)
