"""`cgraph inspect`: the nodes of a graph, one by one."""

from __future__ import annotations

import click

from . import options
from .command import FormulaCommand
from .forms import json_line
from .nodes import facts, table
from .output import Answer
from .question import Question

EXAMPLES = """
cgraph inspect "(x+y)*z"
cgraph inspect "(x+y)*z" --x 1 --y 3 --z -3 --order backward
cgraph inspect "1/n*A*(A/P)^(2/3)*sqrt(S)" --inputs
cgraph inspect "relu(X @ W)" --shape X=10,2 --shape W=2,4
cgraph inspect "x^2*3" --json | jq -c .next_functions
"""


@click.command("inspect", cls=FormulaCommand, examples=EXAMPLES)
@options.formula
@options.bindings
@options.wrt
@click.option("--inputs", is_flag=True, help="Print the names of the inputs alone, a line each.")
@click.option(
    "--order",
    type=click.Choice(["forward", "backward"]),
    default="forward",
    help="From the inputs to the outputs, or back.",
)
@options.lines
@options.digits
@options.json
@options.out
@options.quiet
def command(question: Question, wrt: tuple[str, ...], inputs: bool, order: str) -> Answer:
    """Print the nodes of a graph in topological order, with what is known of each.

    Shapes come from declarations and values, values and gradients from bindings.
    """
    if inputs:
        names = list(question.graph.inputs())
        return json_line(names) if question.request.as_json else "".join(f"{n}\n" for n in names)
    found = facts(question, question.wrt(wrt, needed=False))
    if order == "backward":
        found.reverse()
    if question.request.as_json:
        return "".join(json_line(fact.held()) for fact in found)
    return table(found, question.request.digits, bool(question.graph.shapes))
