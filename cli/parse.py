"""`cgraph parse`: a formula as a graph that other commands and tools read."""

from __future__ import annotations

import click

from ..exporters.graphdef import graphdef_json
from . import options
from .command import FormulaCommand
from .output import Answer
from .question import Question

EXAMPLES = """
cgraph parse "(x+y)*z" | cgraph grad --x 1 --y 3 --z -3
cgraph parse "x*y + sin(x)" | tee graph.json | cgraph render -o graph.svg
cgraph parse -f model.cg --output loss -o loss.json
cgraph parse -f loop.cg --dynamic --x 2 -o trace.json
"""


@click.command("parse", cls=FormulaCommand, examples=EXAMPLES, values_with="--dynamic")
@options.formula
@options.values
@options.dynamic
@options.seed
@options.lines
@click.option(
    "--json", "as_json", is_flag=True, help="Changes nothing: a graph is always printed as JSON."
)
@click.option(
    "--training",
    is_flag=True,
    default=None,
    help="Keep of dropout and batch_norm what is meant in training (default: both).",
)
@options.out
@options.quiet
def command(question: Question) -> Answer:
    """Print the graph of a formula as GraphDef JSON, which every command takes for a formula.

    Values are for --dynamic: the graph is then what the program did at them, and has its inputs as
    ever.
    """
    graph = question.graph
    if question.request.dynamic:
        question.values(partly=True)
    text = graphdef_json(graph)
    if question.request.texts.lines:
        return text.replace("\n", "") + "\n"
    return text
