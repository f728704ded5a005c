"""`cgraph hvp`: the Hessian of a formula times a vector."""

from __future__ import annotations

import click

from ..autodiff.asked import named
from ..autodiff.products import Bent, hvp
from . import matrices, options, vectors
from .command import FormulaCommand
from .forms import Block, show
from .output import Answer
from .question import Question

EXAMPLES = """
cgraph hvp "x^2*y + sin(y)" --x 1 --y 2 --vector x=1,y=2
cgraph hvp "x^2*y + sin(y)" --x 1 --y 2 --vector 1,2
cgraph hvp "s*v^2" --s 3 --v "[1, 2]" --vector "v=[1, 0]" --json
"""


@click.command("hvp", cls=FormulaCommand, examples=EXAMPLES)
@options.formula
@options.bindings
@vectors.option("inputs")
@options.wrt
@options.lines
@options.digits
@options.json
@options.out
@options.quiet
def command(question: Question, vector: tuple[str, ...], wrt: tuple[str, ...]) -> Answer:
    """Print the Hessian of each output times a vector, a line each input.

    The Hessian itself is not made: this takes as long as a few gradients.
    """
    by = question.wrt(wrt)
    along = vectors.vector_of(vector, list(by), question.request.seed)
    columns = named(question.graph, along)
    found = hvp(question.graph, question.outputs, by, columns, along, question.values())
    question.warn_of([one.result for one in found])
    matrices.note_of_sums(question, [one.result for one in found], "Hessian")
    return show(question.request, [block(question, k, one) for k, one in enumerate(found)])


def block(question: Question, k: int, one: Bent) -> Block:
    """Return what there is to say about output k."""
    title = question.labels[k] if len(question.outputs) > 1 else ""
    values = [(f"Hv[{name}]", value) for name, value in one.product.items()]
    (_, _, number, gradient, _), product = one
    held = {**question.told[k], "value": number, "gradient": gradient, "hvp": product}
    arrays = [((title, name), value) for name, value in product.items()]
    return Block(title, values, held, arrays)
