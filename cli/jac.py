"""`cgraph jac`: the Jacobian of a formula, every output by every input."""

from __future__ import annotations

import click

from ..autodiff.gradient import Mode
from ..autodiff.jacobian import jacobians
from ..autodiff.results import Run
from . import matrices, options
from .command import FormulaCommand
from .forms import Block, Held
from .matrices import Shown
from .output import Answer
from .question import Question

EXAMPLES = """
cgraph jac "u = x*y; v = x + y" --output u,v --x 2 --y 3
cgraph jac "r*cos(t); r*sin(t)" --r 2 --t 0 --format matrix
cgraph jac "x^2" --x "[1, 2, 3]"
cgraph jac "r*cos(t); r*sin(t)" --data rows.csv -o out.csv
cgraph jac -f model.cg --output u,v --wrt x --bindings values.json --json
"""


@click.command("jac", cls=FormulaCommand, examples=EXAMPLES)
@options.formula
@options.bindings
@options.wrt
@options.table
@options.keep
@options.threads
@options.mode
@matrices.option
@options.lines
@options.digits
@options.json
@options.out
@options.quiet
def command(question: Question, wrt: tuple[str, ...], mode: Mode, format_: str) -> Answer:
    """Print the derivative of each output by each input, entry by entry.

    The entries of an output and an input that are arrays have the shape of both, the output's
    first. Without --mode the mode with the fewer passes is taken.
    """
    by = question.wrt(wrt)
    if question.request.data:
        from .rows import by_row

        return by_row(question, by, Run(mode), jacobian=True)
    found = jacobians(question.graph, question.outputs, by, question.values(), mode)
    question.warn_of(found)
    rows = dict(zip(matrices.keys(question), found, strict=True))
    entries = [
        (f"{matrices.differential(question, k)}/d{name}", slope)
        for k, result in enumerate(found)
        for name, slope in result.gradient.items()
    ]
    held: dict[str, Held] = {
        "value": {key: result.value for key, result in rows.items()},
        "jacobian": {key: result.gradient for key, result in rows.items()},
    }
    several = len(rows) > 1
    shown = Shown(
        Block("", [], held),
        entries,
        [
            (key if several else "", name)
            for key, result in rows.items()
            for name in result.gradient
        ],
        [result.value for result in found],
        [list(result.gradient.values()) for result in found],
    )
    return matrices.show(question.request, [shown], format_)
