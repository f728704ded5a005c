"""`cgraph hess`: the second derivatives of a formula."""

from __future__ import annotations

import click

from ..autodiff.hessian import Curvature, hessians
from . import matrices, options
from .command import FormulaCommand
from .forms import Block
from .matrices import Shown
from .output import Answer
from .question import Question

EXAMPLES = """
cgraph hess "x^2*y + sin(y)" --x 1 --y 2
cgraph hess "x^2*y + sin(y)" --x 1 --y 2 --value --grad
cgraph hess -f samples/black_scholes.cg --bindings option.json --wrt S,sigma
cgraph hess "x^2*y" --x 1 --y 2 --format matrix
"""


@click.command("hess", cls=FormulaCommand, examples=EXAMPLES)
@options.formula
@options.bindings
@options.wrt
@click.option("--value", is_flag=True, help="Print the value first.")
@click.option("--grad", is_flag=True, help="Print the first derivatives before the second.")
@matrices.option
@options.lines
@options.digits
@options.json
@options.out
@options.quiet
def command(
    question: Question, wrt: tuple[str, ...], value: bool, grad: bool, format_: str
) -> Answer:
    """Print the second derivative of each output by each pair of inputs, an entry a line."""
    by = question.wrt(wrt)
    found = hessians(question.graph, question.outputs, by, question.values())
    question.warn_of([one.result for one in found])
    matrices.note_of_sums(question, [one.result for one in found], "Hessian")
    shown = [described(question, k, one, value, grad) for k, one in enumerate(found)]
    return matrices.show(question.request, shown, format_)


def described(question: Question, k: int, one: Curvature, value: bool, grad: bool) -> Shown:
    """Return what there is to say about output k."""
    (_, _, number, gradient, _), hessian = one
    name = question.names[k] or ""
    before = [("value", number)] if value else []
    if grad:
        before += [(f"d{name}/d{by}", slope) for by, slope in gradient.items()]
    entries = [
        (f"{row},{column}", entry)
        for row, blocks in hessian.items()
        for column, entry in blocks.items()
    ]
    title = question.labels[k] if len(question.outputs) > 1 else ""
    held = {**question.told[k], "value": number, "gradient": gradient, "hessian": hessian}
    rows = [list(blocks.values()) for blocks in hessian.values()]
    first = [((title, "value"), number)] if value else []
    if grad:
        first += [((title, by), slope) for by, slope in gradient.items()]
    block = Block(title, before, held, first)
    names = [(title, label) for label, _ in entries]
    return Shown(block, entries, names, list(gradient.values()), rows)
