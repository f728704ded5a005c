"""The story of `cgraph diff --steps` as text: a rule a line, numbers and a tick at the end."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from math import isclose
from typing import TYPE_CHECKING

from ..autodiff.evaluate import complete, evaluate
from ..autodiff.results import gradients
from ..autodiff.steps import Story, story
from ..exporters.text import formula, value_text

if TYPE_CHECKING:
    from ..autodiff.evaluate import Value
    from .question import Question

WIDEST = 60
"""The names of rules stand in a column, at most so far to the right."""

COEFFICIENT = re.compile(r"(?<![\w.^*/)])([1-9]\d*(?:\.\d+)?)\*(?!d/d|[eE])([^\W\d]\w*)(?![\w.(])")
TICK, CROSS = "✓", "✗"


def stories(question: Question, paths: Mapping[str, Sequence[int]]) -> str:
    """Return how each output is differentiated by the nodes of each path, one after the other."""
    given = complete(question.graph, question.values(partly=True))
    blocks: list[str] = []
    for output in question.outputs:
        for by, path in paths.items():
            names, node = by.split(",") * len(path), output
            for name, wrt in zip(names, path, strict=False):
                found = story(question.graph, node, wrt, name, partial(formula, question.graph))
                number = value(question, node, found.simple, name, wrt, given)
                lines = told(question, node, name, found, number)
                blocks.append("".join(f"{line}\n" for line in lines))
                node = found.simple
    return "\n".join(blocks)


def told(question: Question, output: int, name: str, found: Story, number: str) -> list[str]:
    """Return a story as lines, the rules in a column; the last begins where the last step ended."""
    text = partial(written, question)
    left = [f"  = {text(step.node)}" for step in found.steps]
    width = min(WIDEST, max(map(len, left), default=0))
    lines = [f"{line:{width}}  {step.rule}" for line, step in zip(left, found.steps, strict=True)]
    ends = dict.fromkeys([text(found.tidy), text(found.simple), *filter(None, [number])])
    if left:
        ends.pop(left[-1].removeprefix("  = "), None)
    if number.endswith(TICK):
        ends.pop(number.removesuffix(f" {TICK}"), None)
    last = [f"  = {' = '.join(ends)}"] if ends else []
    return [f"d/d{name}({text(output)})", *lines, *last]


def value(
    question: Question, output: int, simple: int, name: str, wrt: int, given: Mapping[str, Value]
) -> str:
    """Return the derivative's number, and whether the gradient agrees; "" without all values."""
    graph = question.graph
    if not given or any(one not in given for one in graph.inputs([output, wrt])):
        return ""
    number = evaluate(graph, [simple], given)[0]
    (result,) = gradients(graph, [output], {name: wrt}, given)
    question.warn_of([result])
    slope = result.gradient[name]
    text = value_text(number, question.request.digits)
    if not isinstance(number, float) or not isinstance(slope, float):
        return text
    return f"{text} {TICK if number == slope or isclose(number, slope, rel_tol=1e-9) else CROSS}"


def written(question: Question, node: int) -> str:
    """Return a formula as it is written by hand: 2x for 2*x."""
    return COEFFICIENT.sub(r"\1\2", formula(question.graph, node))
