"""`cgraph explain`: the two passes, written out as a teacher would."""

from __future__ import annotations

import click

from ..exporters.explain.formats import FORMATS, written
from ..exporters.explain.tell import tell
from ..exporters.explain.teller import LIMIT, Asked
from . import options
from .command import FormulaCommand
from .forms import ending_of
from .output import Answer
from .question import Question

EXAMPLES = """
cgraph explain "(x+y)*z" --x 1 --y 3 --z -3
cgraph explain "p = x + y; g = p*z" --x 1 --y 3 --z -3 --mode forward
cgraph explain "sin(x)^2"
cgraph explain "1/(1+exp(-w*x))" --w 2 --x -1 -o lesson.html
"""
DIGITS = 4


@click.command("explain", cls=FormulaCommand, examples=EXAMPLES)
@options.formula
@options.bindings
@options.wrt
@click.option(
    "--mode",
    type=click.Choice(["reverse", "forward"]),
    default="reverse",
    help="Tell it from the output back, or from the inputs on.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(list(FORMATS)),
    help="How to write it (default: what the ending of -o says, else text).",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=LIMIT,
    metavar="N",
    help=f"Explain formulas of up to N operations ({LIMIT}).",
)
@options.digits
@options.out
@options.quiet
def command(
    question: Question, wrt: tuple[str, ...], mode: str, format_: str | None, limit: int
) -> Answer:
    """Write out how the derivatives of a formula come about, step by step.

    With values the numbers are put in; without, it is told with symbols alone. The html is a page
    of its own that readers step through. It is for numbers: of arrays, render --grad shows the
    passes.
    """
    digits = question.request.digits or DIGITS
    by, given = question.wrt(wrt, needed=False), question.values(partly=True)
    asked = [Asked(question.graph, one, by, given, mode, digits, limit) for one in question.outputs]
    return written([tell(one) for one in asked], format_, ending_of(question.request.out))
