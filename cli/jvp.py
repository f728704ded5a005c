"""`cgraph jvp`: the Jacobian of a formula times a vector, its derivative in a direction."""

from __future__ import annotations

import click

from ..autodiff.asked import named
from ..autodiff.products import jvp
from . import matrices, options, vectors
from .command import FormulaCommand
from .forms import Block, show
from .output import Answer
from .question import Question

EXAMPLES = """
cgraph jvp "u = x*y; v = x + y" --output u,v --x 2 --y 3 --vector x=1,y=2
cgraph jvp "r*cos(t); r*sin(t)" --r 2 --t 0 --vector 0,1
cgraph jvp "s*v^2" --s 3 --v "[1, 2]" --vector "v=[1, 0]" --json
"""


@click.command("jvp", cls=FormulaCommand, examples=EXAMPLES)
@options.formula
@options.bindings
@vectors.option("inputs")
@options.lines
@options.digits
@options.json
@options.out
@options.quiet
def command(question: Question, vector: tuple[str, ...]) -> Answer:
    """Print the Jacobian times a vector: how each output changes in a direction, a line each.

    It takes one forward pass, however many inputs there are.
    """
    along = vectors.vector_of(vector, list(question.wrt(())), question.request.seed)
    by = named(question.graph, along)
    found = jvp(question.graph, question.outputs, by, along, question.values())
    question.warn_of([one.result for one in found])
    keys = matrices.keys(question)
    held = {
        "value": {key: one.result.value for key, one in zip(keys, found, strict=True)},
        "jvp": {key: one.tangent for key, one in zip(keys, found, strict=True)},
    }
    lines = [(matrices.differential(question, k), one.tangent) for k, one in enumerate(found)]
    arrays = [(("", key), one.tangent) for key, one in zip(question.keys, found, strict=True)]
    return show(question.request, [Block("", lines, held, arrays)])
