"""`cgraph render`: a picture of a computational graph."""

from __future__ import annotations

import click

from ..autodiff.errors import UsageError
from ..exporters.compose import Wanted
from ..exporters.options import Options
from . import options
from .command import FormulaCommand
from .formats import exported, format_of, scene_for
from .output import Answer
from .question import Question

EXAMPLES = """
cgraph render "(x+y)*z" -o graph.png
cgraph render "(x+y)*z" --x 1 --y 3 --z -3 --grad -o graph.svg
cgraph render "sin(x)^2" --backward --theme dark -o gradient.png
cgraph render "x*y + x" --edges partial | dot -Tsvg > graph.svg
"""


@click.command("render", cls=FormulaCommand, examples=EXAMPLES)
@options.formula
@options.bindings
@options.wrt
@click.option("--grad", is_flag=True, help="Write the gradient of the output at each node.")
@click.option("--backward", is_flag=True, help="Draw the derivatives' own nodes too.")
@click.option(
    "--edges",
    type=click.Choice(["shape", "partial", "none"]),
    default="none",
    help="Write shapes or local derivatives on the edges.",
)
@options.optimize
@options.style
@options.format_(only_pictures=True)
@options.digits
@options.out
@options.quiet
def command(
    question: Question,
    wrt: tuple[str, ...],
    grad: bool,
    backward: bool,
    edges: str,
    optimize: bool,
    direction: str,
    theme: str,
    dpi: int,
    format_: str | None,
) -> Answer:
    """Draw the graph of a formula, with values where they are given, and gradients with --grad."""
    request = question.request
    exporter = format_of(format_, request.out)
    if not exporter.picture:
        hint = f"cgraph export writes {exporter.name}"
        raise UsageError(f"{exporter.name} is no picture", hint=hint)
    digits = request.digits or 4
    by = question.wrt(wrt, needed=grad or backward)
    wanted = Wanted(by, grad, backward, edges, digits, optimize, marked=bool(wrt))
    scene = scene_for(question, wanted)
    asked = Options(direction, theme, digits, dpi, request.warn)
    return exported(question, exporter, scene, asked)
