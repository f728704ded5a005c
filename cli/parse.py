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
"""


@click.command("parse", cls=FormulaCommand, examples=EXAMPLES)
@options.formula
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
    """Print the graph of a formula as GraphDef JSON, which every command takes for a formula."""
    text = graphdef_json(question.graph)
    if question.request.texts.lines:
        return text.replace("\n", "") + "\n"
    return text
