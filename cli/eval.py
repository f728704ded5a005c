"""`cgraph eval`: the value of a formula."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import click

from ..autodiff.results import Result, Run, solved
from . import options
from .command import FormulaCommand
from .forms import MANY, Block, in_lines, lines_of, show
from .output import Answer, in_parts
from .question import Question

EXAMPLES = r"""
cgraph eval "(x+y)*z" --x 1 --y 3 --z -3
cgraph eval "p = x + y; p*z" --output p --x 1 --y 3
cgraph eval -f model.cg --bindings values.json
cgraph eval "x*y" --data rows.csv --y 2 -o out.csv
printf 'x^2\nx^3\n' | cgraph eval --lines --x "[1, 2, 3]"
"""


@click.command("eval", cls=FormulaCommand, examples=EXAMPLES)
@options.formula
@options.bindings
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
def command(question: Question, checkpoint: bool, stats: bool, optimize: bool) -> Answer:
    """Print the value of each output of a formula, a line each."""
    graph, outputs = question.graph, question.outputs
    how = Run(checkpoint=checkpoint, optimize=optimize, threads=question.request.threads)
    if question.request.data:
        from .rows import answered

        return answered(question, {}, how, partial(told, question))
    given = question.values()
    results, plan = solved(graph, outputs, {}, given, how)
    question.warn_of(results)
    question.note_conventions(outputs, given)
    if stats:
        question.tell_statistics(plan)
    return told(question, results)


def told(question: Question, results: Sequence[Result]) -> Answer:
    """Return the values of outputs; of many, some at a time."""
    numbered = list(enumerate(results))
    if len(results) > MANY and in_lines(question.request):
        parts = (numbered[first : first + MANY] for first in range(0, len(results), MANY))
        return in_parts(
            lines_of(question.request, [block(question, *one) for one in part]) for part in parts
        )
    return show(question.request, [block(question, *one) for one in numbered])


def block(question: Question, k: int, result: Result) -> Block:
    """Return what there is to say about output k."""
    value = result.value
    label = question.asked[k] if question.asked else ""
    told = {**question.told[k], "value": value}
    if in_lines(question.request):  # what files call an output is known when all are
        return Block("", [(label, value)], told)
    return Block("", [(label, value)], told, [(("", question.keys[k]), value)])
