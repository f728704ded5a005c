"""`cgraph taylor`: the Taylor polynomial of a formula."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ..autodiff.errors import UsageError
from ..autodiff.evaluate import complete
from ..autodiff.taylor import Expansion, expansions
from ..exporters.polynomial import polynomial
from . import options
from .command import FormulaCommand
from .forms import ARRAYS, Block, Held, ending_of, show, wants_text
from .names import is_name, normal
from .output import Answer
from .question import Question
from .values import value_of

if TYPE_CHECKING:
    from ..autodiff.evaluate import Value

EXAMPLES = """
cgraph taylor "exp(sin(x))" --order 5 --at x=0
cgraph taylor "exp(sin(x))" --order 20 --at x=0 --format numbers
cgraph taylor "log(a + x)" --order 3 --at x=1 --a 2 --json
cgraph taylor "exp(x)" --order 9 --at x=0 | cgraph eval --x 0.5
"""
MOST = 200
"""The highest order: the time grows with its third power."""


@click.command("taylor", cls=FormulaCommand, examples=EXAMPLES)
@options.formula
@options.bindings
@click.option(
    "--order",
    type=click.IntRange(min=0, max=MOST),
    default=5,
    metavar="N",
    help=f"Go up to the power N (5), {MOST} at most.",
)
@click.option(
    "--at",
    multiple=True,
    metavar="NAME=VALUE",
    help="Expand in this input around this value (the only input without one, around 0).",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["polynomial", "numbers"]),
    default="polynomial",
    help="The polynomial as a formula, or its coefficients, a line each, lowest power first.",
)
@options.lines
@options.digits
@options.json
@options.out
@options.quiet
def command(question: Question, order: int, at: tuple[str, ...], format_: str) -> Answer:
    """Print the Taylor polynomial of each output in one input, as a formula that reads back.

    The other inputs have the values that bindings give them.
    """
    name, given = point(question, at)
    found = expansions(question.graph, question.outputs, name, order, given)
    question.warn_of([one.result for one in found])
    warn_of_lost(question, name, found)
    request, at_ = question.request, given[name]
    assert isinstance(at_, float)
    if format_ == "numbers" or not wants_text(request):
        return show(request, [block(question, k, one, name, at_) for k, one in enumerate(found)])
    texts = [polynomial(one.coefficients, name, at_, request.digits) for one in found]
    names = question.asked or [""] * len(found)
    lines = zip(names, texts, strict=True)
    return "".join(f"{called} = {text}\n" if called else f"{text}\n" for called, text in lines)


def point(question: Question, at: Sequence[str]) -> tuple[str, dict[str, Value]]:
    """Return the input to expand in, and the values given, its own among them.

    Without `--at` that is the only one without a value, at 0, or the only one there is. Raises
    `UsageError` where there are more, or `--at` says it more than once.
    """
    inputs = list(question.wrt((), needed=not at))
    if len(at) > 1:
        raise UsageError(f"--at is given twice: {at[0]} and {at[1]}")
    if not at:
        free = without_value(question, inputs)
        if len(free) == 1:
            question.request.note(f"around {free[0]} = 0 (--at {free[0]}=VALUE: elsewhere)")
            return free[0], question.values(also={free[0]: 0.0})
        if len(inputs) != 1:
            what = f"there are {len(inputs)} inputs to expand in"
            raise UsageError(what, hint="say which, and where: --at NAME=VALUE")
        return inputs[0], complete(question.graph, question.values())
    name, equals, text = at[0].partition("=")
    name = normal(name.strip())
    if not equals or not is_name(name):
        raise UsageError(f"--at takes NAME=VALUE, not {at[0]!r}")
    value = value_of(text, f"--at {name}")
    if not isinstance(value, float):
        raise UsageError(f"--at {name} takes a number, not an array")
    for other in question.request.bindings.unused(()):
        if other.name == name:
            raise UsageError(f"{name} is given twice: {other.text} and {text}")
    return name, question.values(also={name: value})


def without_value(question: Question, inputs: Sequence[str]) -> list[str]:
    """Return the inputs that neither the call nor the program gives a value."""
    given = {*question.request.bindings.of(inputs), *question.graph.defaults}
    return [name for name in inputs if name not in given]


def warn_of_lost(question: Question, name: str, found: list[Expansion]) -> None:
    """Warn of coefficients that are not finite where the value and the slope are."""
    for label, one in zip(question.labels, found, strict=True):
        bad = [k for k, c in enumerate(one.coefficients) if not math.isfinite(c)]
        if bad and not one.result.culprits:
            told = f"the series of {label} in {name} has no finite coefficient of order {bad[0]}"
            question.request.warn(told)


def block(question: Question, k: int, one: Expansion, name: str, at: float) -> Block:
    """Return what there is to say about output k."""
    numbers: list[tuple[str, Value]] = [("", c) for c in one.coefficients]
    if ending_of(question.request.out) in ARRAYS:
        from ..autodiff.arrays import as_array

        numbers = [("coefficients", as_array(one.coefficients))]
    title = question.labels[k] if len(question.outputs) > 1 else ""
    held: dict[str, Held] = {"variable": name, "at": at, "coefficients": one.coefficients}
    return Block(title, numbers, {**question.told[k], **held})
