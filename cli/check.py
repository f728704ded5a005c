"""`cgraph check`: are these derivatives right?"""

from __future__ import annotations

import math

import click

from ..autodiff.check import TOLERANCE
from ..autodiff.errors import UsageError
from . import options
from .checks import Checked, check_claim, compare
from .command import FormulaCommand
from .output import Answer
from .question import Question

EXAMPLES = """
cgraph check "(x+y)*z" --x 1 --y 3 --z -3
cgraph check "x^2*sin(x)" --wrt x --claim "2x*cos(x)"
cgraph check "log(1+exp(-y*w*x))" --wrt w --claim "-y*x/(1+exp(y*w*x))"
cgraph check "x^2*sin(y)" --x 1 --y 2 --order 2
cgraph check "x*y^2" --data rows.csv --limit 100
cgraph check -f model.cg --bindings values.json --precision 50
"""


def finite(ctx: click.Context, param: click.Parameter, value: float) -> float:
    """Return a tolerance. Raises `BadParameter` for nan, which no range refuses, and for inf."""
    if not math.isfinite(value):
        raise click.BadParameter(f"{value} is not a finite number.", ctx, param)
    return value


@click.command("check", cls=FormulaCommand, examples=EXAMPLES)
@options.formula
@options.bindings
@options.wrt
@click.option(
    "--claim",
    metavar="FORMULA",
    help="Check this derivative by a number, somebody's own; it may use the program's names.",
)
@click.option(
    "--tol",
    type=click.FloatRange(min=0.0, min_open=True),
    callback=finite,
    default=TOLERANCE,
    metavar="ERROR",
    help="The relative error to let pass (1e-06).",
)
@click.option(
    "--order",
    type=click.IntRange(min=1, max=2),
    default=1,
    metavar="N",
    help="Check the derivatives of this order, 1 or 2 (1).",
)
@options.table
@click.option(
    "--limit",
    cls=options.DataOption,
    type=click.IntRange(min=1),
    metavar="N",
    help="Check the first N rows of --data (1000).",
)
@click.option(
    "--precision",
    type=click.IntRange(min=1, max=1000),
    metavar="N",
    help="Take the numerical derivative in N digits, by mpmath.",
)
@options.digits
@options.json
@options.out
@options.quiet
def command(
    question: Question,
    wrt: tuple[str, ...],
    claim: str | None,
    tol: float,
    order: int,
    precision: int | None,
) -> Answer:
    """Compare derivatives of both modes with numerical ones, or with a claim.

    The numerical derivative is taken by a complex step where every function allows it, else by
    extrapolated differences. Exit code 1 says that they differ, or that the claim is wrong. What
    cannot be compared is neither right nor wrong, leaves the exit code 0, and is counted apart: at
    a kink or a jump, where a derivative is infinite or missing, or digits are lost to rounding.
    Inputs without a value are drawn: the same points at every run.
    """
    by = question.wrt(wrt)
    if claim is not None and order > 1:
        raise UsageError("a claim is of a first derivative: leave out --order")
    asked = Checked(order, tol, precision)
    if question.request.data:
        from .check_rows import check_rows

        return check_rows(question, by, claim, asked)
    if claim is not None:
        return check_claim(question, by, claim, tol)
    return compare(question, by, asked)
