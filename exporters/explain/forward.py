"""The pass of forward mode as a chapter, one for each input."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ...autodiff.evaluate import complete
from ...autodiff.results import Run, gradients
from .story import Chapter, Line, Step
from .teller import NOT_SELECTED, Teller, distinct

if TYPE_CHECKING:
    from ...autodiff.evaluate import Value


def tangents(teller: Teller, name: str, by: int) -> Chapter:
    """Tell the derivative of each part by one input, from the input on."""
    graph, asked = teller.graph, teller.asked
    chapter = Chapter(f"Forward by {name}", f"the derivative of each part by {name}")
    seed = Line((teller.derivative(by, by), teller.words.number(1.0)))
    chapter.steps.append(Step(lines=[seed], node=by))
    moving = graph.dependents([by], asked.output)
    nodes = [node for node in teller.operations if moving[node] and node != by]
    known: dict[int, Value] = {}
    if teller.complete:
        found = gradients(graph, nodes, {name: by}, complete(graph, asked.given), Run("forward"))
        known = {node: one.gradient[name] for node, one in zip(nodes, found, strict=True)}
    known[by] = 1.0
    for node in nodes:
        chapter.steps.append(tangent(teller, node, by, moving, known))
    return chapter


def tangent(
    teller: Teller, node: int, by: int, moving: Sequence[int], known: Mapping[int, Value]
) -> Step:
    """Return the step of a node in forward mode."""
    words = teller.words
    step = Step(Line(distinct([words.named(node), words.made(node)])), node=node)
    through = [edge for edge in teller.edges[node] if moving[edge.arg]]
    step.lines += [teller.local(edge) for edge in through]
    if [edge.arg for edge in through] == [by]:
        return step
    live = [edge for edge in through if teller.counts(edge)]
    locals_ = [teller.derivative(node, edge.arg, edge.held) for edge in live]
    terms = [
        (local,) if edge.arg == by else (local, teller.derivative(edge.arg, by))
        for local, edge in zip(locals_, live, strict=True)
    ]
    numbers = [
        (teller.slope(edge),) if edge.arg == by else (teller.slope(edge), as_float(known, edge.arg))
        for edge in live
    ]
    left = teller.derivative(node, by)
    remark = NOT_SELECTED if not live else ""
    step.lines.append(teller.chain(left, terms, numbers, as_float(known, node), remark))
    return step


def as_float(known: Mapping[int, Value], node: int) -> float | None:
    """Return a number that is known, else None."""
    found = known.get(node)
    return found if isinstance(found, float) else None
