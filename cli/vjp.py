"""`cgraph vjp`: a vector times the Jacobian of a formula, the gradient of weighted outputs."""

from __future__ import annotations

import click

from ..autodiff.errors import UsageError, did_you_mean
from ..autodiff.products import vjp
from . import matrices, options, vectors
from .command import FormulaCommand
from .forms import Block, show
from .output import Answer
from .question import Question

EXAMPLES = """
cgraph vjp "u = x*y; v = x + y" --output u,v --x 2 --y 3 --vector u=1,v=2
cgraph vjp "r*cos(t); r*sin(t)" --r 2 --t 0 --vector 0,1
cgraph vjp "s*v^2" --s 3 --v "[1, 2]" --vector "[1, 0]" --json
"""


@click.command("vjp", cls=FormulaCommand, examples=EXAMPLES)
@options.formula
@options.bindings
@vectors.option("outputs")
@options.wrt
@options.lines
@options.digits
@options.json
@options.out
@options.quiet
def command(question: Question, vector: tuple[str, ...], wrt: tuple[str, ...]) -> Answer:
    """Print a vector times the Jacobian: the derivative of weighted outputs, a line each input.

    It takes one reverse pass, however many inputs there are.
    """
    keys = matrices.keys(question)
    weights = vectors.vector_of(vector, keys, question.request.seed)
    outputs = dict(zip(keys, question.outputs, strict=True))
    for name in weights:
        if name not in outputs:
            known = f"known: {', '.join(keys)}"
            raise UsageError(
                f"no output is called '{name}'", hint=did_you_mean(name, keys) or known
            )
    nodes = {name: outputs[name] for name in weights}
    by = question.wrt(wrt)
    found, products = vjp(question.graph, nodes, by, weights, question.values())
    question.warn_of(found)
    held = {
        "value": {name: result.value for name, result in zip(nodes, found, strict=True)},
        "vjp": products,
    }
    lines = [(f"d/d{name}", value) for name, value in products.items()]
    arrays = [(("", name), value) for name, value in products.items()]
    return show(question.request, [Block("", lines, held, arrays)])
