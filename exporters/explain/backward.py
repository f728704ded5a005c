"""The backward pass as a chapter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...autodiff.known import gradient_at_nodes
from .edges import Edge
from .story import Chapter, Derivative, Line, Step
from .teller import NOT_SELECTED, Teller, distinct

if TYPE_CHECKING:
    from ...autodiff.evaluate import Value


def backward(teller: Teller) -> Chapter:
    """Tell the derivative of the output by each part, from the output back."""
    return Backward(teller).chapter()


class Backward:
    """The backward pass: each node hands its derivative on to what it is made of."""

    def __init__(self, teller: Teller) -> None:
        self.teller = teller
        self.waiting: dict[int, list[Edge]] = {}
        for edge in (edge for several in teller.edges.values() for edge in several):
            self.waiting.setdefault(edge.arg, []).append(edge)
        self.idle: set[int] = set()
        """Nodes that no selected path leads to."""
        asked = teller.asked
        self.known: Mapping[int, Value] = {}
        if teller.defined:
            self.known, _ = gradient_at_nodes(teller.graph, teller.output, asked.wrt, asked.given)

    def chapter(self) -> Chapter:
        """Return the chapter."""
        teller = self.teller
        name = teller.name[teller.output]
        saying = f"the derivative of {name} by each part, from {name} to the inputs"
        if teller.complete and not teller.defined:
            saying = f"{name} has no value here, so it has no derivative: these are the rules alone"
        chapter = Chapter("Backward", saying)
        seed = Line((Derivative(name, name), teller.words.number(1.0)))
        chapter.steps.append(Step(lines=[seed], node=teller.output))
        for node in reversed(teller.operations):
            chapter.steps.append(self.step(node))
        return chapter

    def step(self, node: int) -> Step:
        """Return what happens at a node, and the derivatives that are complete after it."""
        teller = self.teller
        words = teller.words
        step = Step(Line(distinct([words.named(node), words.made(node)])), node=node)
        if node in self.idle:
            step.lines.append(Line((), NOT_SELECTED))
        for edge in teller.edges[node]:
            if node not in self.idle:
                step.lines.append(teller.local(edge))
        for edge in teller.edges[node]:
            if min(one.node for one in self.waiting[edge.arg]) == node:
                step.lines += self.complete(edge.arg)
        return step

    def complete(self, arg: int) -> list[Line]:
        """Return the chain rule for a part, all of whose uses have been told."""
        teller, output = self.teller, self.teller.output
        uses = sorted(self.waiting[arg], key=lambda edge: -edge.node)
        live = [edge for edge in uses if edge.node not in self.idle and teller.counts(edge)]
        lost = [edge for edge in uses if edge not in live]
        if not live:
            self.idle.add(arg)
        if [edge.node for edge in uses] == [output]:
            return []
        through = ", ".join(teller.name[edge.node] for edge in lost)
        remark = f"through {through} {NOT_SELECTED}" if lost and live else ""
        return [
            teller.chain(
                teller.derivative(output, arg),
                [self.term(edge) for edge in live],
                [self.numbers(edge) for edge in live],
                self.value(arg),
                remark or (NOT_SELECTED if lost else ""),
            )
        ]

    def term(self, edge: Edge) -> tuple[Derivative, ...]:
        """Return what an edge adds, with symbols."""
        teller = self.teller
        local = teller.derivative(edge.node, edge.arg, edge.held)
        if edge.node == teller.output:
            return (local,)
        return (teller.derivative(teller.output, edge.node), local)

    def numbers(self, edge: Edge) -> tuple[float | None, ...]:
        """Return the same with numbers."""
        slope = self.teller.slope(edge)
        if edge.node == self.teller.output:
            return (slope,)
        return (self.value(edge.node), slope)

    def value(self, node: int) -> float | None:
        """Return the derivative of the output by a node, None where it is not known."""
        found = self.known.get(node)
        return found if isinstance(found, float) else None
