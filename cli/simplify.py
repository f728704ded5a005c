"""`cgraph simplify`: a formula in its simplest form."""

from __future__ import annotations

import click

from ..autodiff.simplify import simplify
from ..autodiff.stable import stabilized
from ..exporters.short import short
from . import options
from .command import FormulaCommand
from .forms import json_line
from .output import Answer
from .question import Question

EXAMPLES = """
cgraph simplify "x + x - 2*y*x/y"
cgraph simplify "sqrt(x^2) + sin(t)^2 + cos(t)^2"
cgraph simplify "log(1 + exp(x))" --stable
cgraph simplify -f model.cg --output loss
"""


@click.command("simplify", cls=FormulaCommand, examples=EXAMPLES)
@options.formula
@click.option(
    "--stable",
    is_flag=True,
    help="Put in the functions that keep their values: sigmoid(x) for 1/(1 + exp(-x)).",
)
@options.flat
@options.lines
@options.json
@options.out
@options.quiet
def command(question: Question, stable: bool, flat: bool) -> Answer:
    """Print the simplest form of each output.

    Its value is the same wherever the formula has one, huge, tiny and infinite inputs included:
    sqrt(x^2) is abs(x), 0*x and a/b/c stay. In a formula without any array an input is a number,
    and x - x is 0; in every other one its shape is unknown unless `input x: (3, 2)` tells it, and
    what depends on it stays.
    """
    graph = question.graph
    found = [*question.outputs, *graph.names.values()]
    if stable:
        from .stable import patterns

        found = stabilized(graph, found, patterns())
    found = simplify(graph, found)
    question.note_cut_short()
    graph.names = dict(zip(graph.names, found[len(question.outputs) :], strict=True))
    found = found[: len(question.outputs)]
    if question.request.as_json:
        texts = [short(graph, [node], flat).rstrip("\n") for node in found]
        told = zip(question.told, texts, strict=True)
        return "".join(json_line({**one, "formula": text}) for one, text in told)
    return short(graph, found, flat)
