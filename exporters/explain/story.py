"""What an explanation consists of: data alone, which the writers put into words, TeX or HTML.

A story has chapters, a chapter steps, a step lines. A line is an equation of its members with a
remark. Members are formulas (nodes of a graph made for the purpose, whose inputs are the names that
a reader sees), derivatives, and sums of products of these.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from ...autodiff.graph import Graph


class Formula(NamedTuple):
    """A formula: a node of a graph in which every name and number is as the reader sees it."""

    graph: Graph
    node: int


class Derivative(NamedTuple):
    """`dg/dx`; a partial one holds fixed what else the function is made of."""

    of: str
    by: str
    partial: bool = False


class Sum(NamedTuple):
    """A sum of products."""

    terms: tuple[tuple[Member, ...], ...]


Member: TypeAlias = Formula | Derivative | Sum


class Line(NamedTuple):
    """An equation of all its members, with a remark."""

    members: tuple[Member, ...]
    remark: str = ""


@dataclass
class Step:
    """What happens at one node: the operation it is about, if it must be said, and the lines."""

    about: Line | None = None
    lines: list[Line] = field(default_factory=list[Line])
    node: int = -1
    """The node of the explained graph."""


@dataclass
class Chapter:
    """A part of the story, with a sentence on what is done in it."""

    title: str
    saying: str = ""
    steps: list[Step] = field(default_factory=list[Step])


class Story(NamedTuple):
    """An explanation."""

    title: str
    chapters: list[Chapter]
