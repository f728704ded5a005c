"""`cgraph hess`: the second derivatives of a formula."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from ..autodiff.hessian import Curvature, hessians
from . import matrices, options, sparse
from .command import FormulaCommand
from .forms import Block
from .matrices import Shown
from .output import Answer
from .question import Question

if TYPE_CHECKING:
    from ..autodiff.evaluate import Value
    from ..autodiff.results import Result

EXAMPLES = """
cgraph hess "x^2*y + sin(y)" --x 1 --y 2
cgraph hess "x^2*y + sin(y)" --x 1 --y 2 --value --grad
cgraph hess -f samples/black_scholes.cg --bindings option.json --wrt S,sigma
cgraph hess "x^2*y" --x 1 --y 2 --format matrix
cgraph hess "sum((X[1:] - X[:-1]^2)^2)" --X @x.npy --sparse -o H.mtx
"""


@click.command("hess", cls=FormulaCommand, examples=EXAMPLES)
@options.formula
@options.bindings
@options.wrt
@click.option("--value", is_flag=True, help="Print the value first.")
@click.option("--grad", is_flag=True, help="Print the first derivatives before the second.")
@matrices.option
@sparse.option
@options.lines
@options.digits
@options.json
@options.out
@options.quiet
def command(
    question: Question,
    wrt: tuple[str, ...],
    value: bool,
    grad: bool,
    format_: str,
    sparse_: bool,
    stats: bool,
) -> Answer:
    """Print the second derivative of each output by each pair of inputs, an entry a line.

    With --sparse rows and columns are the entries of --wrt in order, counted from 0 (from 1 in a
    .mtx). What is 0 at all values is left out; what only happens to be 0 is there.
    """
    sparse.check(sparse_, stats, format_)
    by = question.wrt(wrt)
    if sparse_:
        return sparse.show(question.request, in_few_passes(question, by, value, grad), stats)
    matrices.refuse_many("Hessian", len(by), len(by))
    found = hessians(question.graph, question.outputs, by, question.values())
    question.warn_of([one.result for one in found])
    matrices.note_of_sums(question, [one.result for one in found], "Hessian")
    shown = [described(question, k, one, value, grad) for k, one in enumerate(found)]
    return matrices.show(question.request, shown, format_)


def described(question: Question, k: int, one: Curvature, value: bool, grad: bool) -> Shown:
    """Return what there is to say about output k."""
    (_, _, number, gradient, _), hessian = one
    name = question.names[k] or ""
    before = said_before(one.result, name, value, grad)
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


def said_before(result: Result, name: str, value: bool, grad: bool) -> list[tuple[str, Value]]:
    """Return what is asked for besides: the value, and the first derivatives, by label."""
    found = [("value", result.value)] if value else []
    slopes = result.gradient.items() if grad else ()
    return found + [(f"d{name}/d{by}", slope) for by, slope in slopes]


def in_few_passes(
    question: Question, by: Mapping[str, int], value: bool, grad: bool
) -> list[sparse.Shown]:
    """Return the sparse Hessian of each output."""
    from ..autodiff.sparse import sparse_hessian

    given = question.values()
    found = [sparse_hessian(question.graph, node, by, given) for node in question.outputs]
    results = [result for one in found for result in one.results]
    question.warn_of(results)
    matrices.note_of_sums(question, results, "Hessian")
    shown: list[sparse.Shown] = []
    for k, (one, result) in enumerate(zip(found, results, strict=True)):
        title = question.labels[k] if len(found) > 1 else ""
        before = said_before(result, question.names[k] or "", value, grad)
        held = {**question.told[k], "value": result.value, "gradient": result.gradient}
        shown.append(
            sparse.Shown(title, before, held, "hessian", one, list(by), list(by), symmetric=True)
        )
    return shown
