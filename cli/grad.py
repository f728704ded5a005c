"""`cgraph grad`: the exact derivatives of a formula."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import click

from ..autodiff.errors import UsageError
from ..autodiff.gradient import Mode
from ..autodiff.results import Result, Run, solved
from . import options
from .command import FormulaCommand
from .forms import (
    ARRAYS,
    MANY,
    UNWRITTEN,
    Block,
    ending_of,
    in_lines,
    json_line,
    lines_of,
    show,
    wants_text,
)
from .output import Answer, in_parts
from .question import Question

if TYPE_CHECKING:
    from ..autodiff.evaluate import Value

EXAMPLES = """
cgraph grad "(x+y)*z" --x 1 --y 3 --z -3
cgraph grad "p = x + y; g = p*z" --wrt p,z --x 1 --y 3 --z -3
cgraph grad "x^2 + sin(x)" --x 0.5 --value --json
cgraph grad -f model.cg --wrt a,b --bindings values.json
cgraph grad "a*exp(-b*t)" --data rows.csv --a 2 --b 0.1 --wrt a,b -o out.csv
cgraph grad -f net.cg --wrt "fc1.*" --bindings weights.npz -o grads.npz
"""


@click.command("grad", cls=FormulaCommand, examples=EXAMPLES)
@options.formula
@options.bindings
@options.wrt
@options.mode
@click.option("--value", is_flag=True, help="Print the value first.")
@click.option(
    "--shapes", is_flag=True, help="Print the shape of each derivative alone; needs no values."
)
@options.table
@options.keep
@options.reduce
@options.threads
@options.memory
@options.optimize
@options.lines
@options.digits
@options.json
@options.results
@options.quiet
def command(
    question: Question,
    wrt: tuple[str, ...],
    mode: Mode,
    value: bool,
    shapes: bool,
    checkpoint: bool,
    stats: bool,
    optimize: bool,
) -> Answer:
    """Print the derivative of each output by each input, a line each."""
    by = question.wrt(wrt)
    if shapes and question.request.data:
        raise UsageError("--shapes needs no values, and --data has many: leave one out")
    if shapes:
        return shapes_told(question, by)
    graph, outputs = question.graph, question.outputs
    how = Run(mode, checkpoint, optimize, question.request.threads)
    if question.request.data:
        from .rows import answered

        return answered(question, by, how, lambda results: told(question, results, value))
    given = question.values()
    if len(outputs) > MANY and not stats and in_lines(question.request):
        return in_parts(part_by_part(question, by, how, value, given))
    results, plan = solved(graph, outputs, by, given, how)
    question.warn_of(results)
    if not checkpoint:  # it spares memory, and this takes more
        slopes = (one for found in plan.slopes.values() for one in found)
        question.note_conventions(slopes, given, by)
    if stats:
        question.tell_statistics(plan, mode)
    return told(question, results, value)


def part_by_part(
    question: Question,
    by: Mapping[str, int],
    how: Run,
    value: bool,
    given: Mapping[str, Value],
) -> Iterator[str]:
    """Yield the gradients of many outputs, some at a time."""
    for first in range(0, len(question.outputs), MANY):
        outputs = question.outputs[first : first + MANY]
        results, plan = solved(question.graph, outputs, by, given, how)
        question.warn_of(results)
        if not how.checkpoint:
            slopes = (one for found in plan.slopes.values() for one in found)
            question.note_conventions(slopes, given, by)
        yield lines_of(question.request, blocks_of(question, results, value, first))


def told(question: Question, results: Sequence[Result], value: bool) -> Answer:
    """Return the gradients of outputs, in the form that is asked for."""
    return show(question.request, blocks_of(question, results, value))


def blocks_of(
    question: Question, results: Sequence[Result], value: bool, first: int = 0
) -> list[Block]:
    """Return what there is to say of outputs, the first of them being one in so many.

    Where an output is an array, it is said that the gradient is of its sum.
    """
    for k, result in enumerate(results, first):
        if not isinstance(result.value, float | int):
            shape = result.value.shape
            told = f"{question.labels[k]} has shape {shape}, so this is the gradient of its sum"
            question.request.note(f"{told} (cgraph jac: the Jacobian)")
    return [block(question, k, result, value) for k, result in enumerate(results, first)]


def block(question: Question, k: int, result: Result, value: bool) -> Block:
    """Return what there is to say about output k."""
    name = question.names[k] or ""
    derivatives = [(f"d{name}/d{by}", slope) for by, slope in result.gradient.items()]
    first = [("value", result.value)] if value else []
    title = question.labels[k] if len(question.outputs) > 1 else ""
    told = {**question.told[k], "value": result.value, "gradient": result.gradient}
    arrays = [((title, by), array) for by, array in [*first, *result.gradient.items()]]
    return Block(title, first + derivatives, told, arrays)


def shapes_told(question: Question, by: Mapping[str, int]) -> Answer:
    """Return the shapes of the derivatives, which are those of what they are by."""
    request = question.request
    if ending_of(request.out) in (*ARRAYS, *UNWRITTEN):
        raise UsageError(f"shapes are written as text or JSON, not as {ending_of(request.out)}")
    shapes = question.shapes(by.values())
    found = {name: shapes[node] for name, node in by.items()}
    if not wants_text(request):
        return json_line({"shapes": found})
    return "".join(f"{name} {shape}\n" for name, shape in found.items())
