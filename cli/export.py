"""`cgraph export`: a graph as a file that another tool opens."""

from __future__ import annotations

import click

from ..autodiff.errors import UsageError
from ..exporters.compose import Wanted
from ..exporters.options import Options
from . import options
from .command import FormulaCommand
from .formats import exported, format_of, function_name, scene_for
from .output import Answer
from .question import Question

EXAMPLES = """
cgraph export "(x+y)*z" -o graph.json
cgraph export "sin(x)^2" --grad --format pbtxt
cgraph export -f sensor.cg --grad --gain 2 --real float -o sensor.c
cgraph export -f model.cg --format tensorboard -o runs/model
cgraph export "x*y + x" | dot -Tpdf > graph.pdf
"""


@click.command("export", cls=FormulaCommand, examples=EXAMPLES)
@options.formula
@options.bindings
@options.wrt
@click.option("--grad", is_flag=True, help="Export the derivatives as further outputs.")
@options.optimize
@options.format_(only_pictures=False)
@click.option("--name", help="What code calls its function (default: as -o FILE is called, or f).")
@click.option("--real", metavar="TYPE", help="The numbers of C: double (default) or float.")
@options.digits
@options.out
@options.quiet
def command(
    question: Question,
    wrt: tuple[str, ...],
    grad: bool,
    optimize: bool,
    format_: str | None,
    name: str | None,
    real: str | None,
) -> Answer:
    """Write the graph of a formula for another tool, with the shapes that values give.

    Into code the values go as constants; its derivatives are by the other inputs, unless --wrt
    names some.
    """
    request = question.request
    exporter = format_of(format_, request.out)
    by = question.wrt(wrt, needed=grad)
    if exporter.code and not wrt:
        given = request.bindings.of(by)
        by = {one: node for one, node in by.items() if one not in given}
    wanted = Wanted(by, backward=grad, optimize=optimize, values=exporter.picture)
    scene = scene_for(question, wanted)
    scene.graph.outputs = list(scene.outputs)
    called = function_name(exporter, name, request.out)
    if real is not None and exporter.name != "c":
        raise UsageError(f"--real is for --format c, and not for {exporter.name}")
    asked = Options(digits=request.digits or 4, warn=request.warn, name=called, real=real)
    return exported(question, exporter, scene, asked)
