"""`cgraph export`: a graph as a file that another tool opens."""

from __future__ import annotations

import click

from ..exporters.compose import Wanted
from ..exporters.options import Options
from . import options
from .command import FormulaCommand
from .formats import exported, format_of, scene_for
from .output import Answer
from .question import Question

EXAMPLES = """
cgraph export "(x+y)*z" -o graph.json
cgraph export "sin(x)^2" --grad --format pbtxt
cgraph export -f model.cg --format tensorboard -o runs/model
cgraph export "x*y + x" | dot -Tpdf > graph.pdf
"""


@click.command("export", cls=FormulaCommand, examples=EXAMPLES)
@options.formula
@options.bindings
@options.wrt
@click.option("--grad", is_flag=True, help="Export the derivatives as further outputs.")
@options.format_(only_pictures=False)
@options.digits
@options.out
@options.quiet
def command(question: Question, wrt: tuple[str, ...], grad: bool, format_: str | None) -> Answer:
    """Write the graph of a formula for another tool, with the shapes that values give."""
    exporter = format_of(format_, question.request.out)
    scene = scene_for(question, Wanted(question.wrt(wrt), backward=grad))
    question.graph.outputs = list(scene.outputs)
    asked = Options(digits=question.request.digits or 4, warn=question.request.warn)
    return exported(question, exporter, scene, asked)
