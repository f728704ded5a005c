"""`cgraph jac`: the Jacobian of a formula, every output by every input."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

from ..autodiff.errors import UsageError
from ..autodiff.gradient import Mode
from ..autodiff.jacobian import jacobians
from ..autodiff.results import Result, Run
from . import matrices, options, sparse
from .command import FormulaCommand
from .forms import Block, Held
from .matrices import Shown
from .output import Answer
from .question import Question

EXAMPLES = """
cgraph jac "u = x*y; v = x + y" --output u,v --x 2 --y 3
cgraph jac "r*cos(t); r*sin(t)" --r 2 --t 0 --format matrix
cgraph jac "x^2" --x "[1, 2, 3]"
cgraph jac "r*cos(t); r*sin(t)" --data rows.csv -o out.csv
cgraph jac -f model.cg --output u,v --wrt x --bindings values.json --json
cgraph jac "X[1:] - X[:-1]^2" --X @x.npy --sparse -o J.npz
"""


@click.command("jac", cls=FormulaCommand, examples=EXAMPLES)
@options.formula
@options.bindings
@options.wrt
@options.table
@options.keep
@options.threads
@options.mode
@matrices.option
@sparse.option
@options.lines
@options.digits
@options.json
@options.results
@options.quiet
def command(
    question: Question,
    wrt: tuple[str, ...],
    mode: Mode,
    format_: str,
    sparse_: bool,
    stats: bool,
) -> Answer:
    """Print the derivative of each output by each input, entry by entry.

    The entries of an output and an input that are arrays have the shape of both, the output's
    first. Without --mode the mode with the fewer passes is taken.

    With --sparse the rows of the matrix are the entries of all outputs in order, its columns those
    of --wrt, both counted from 0 (from 1 in a .mtx). What is 0 at all values is left out; what only
    happens to be 0 is there.
    """
    sparse.check(sparse_, stats, format_)
    by = question.wrt(wrt)
    if question.request.data:
        if sparse_:
            raise UsageError("--sparse is for one matrix, and --data has one in each row")
        from .rows import by_row

        return by_row(question, by, Run(mode), jacobian=True)
    if sparse_:
        return sparse.show(question.request, [in_few_passes(question, by, mode)], stats)
    matrices.refuse_many("Jacobian", len(question.outputs), len(by))
    found = jacobians(question.graph, question.outputs, by, question.values(), mode)
    question.warn_of(found)
    return matrices.show(question.request, [described(question, found)], format_)


def described(question: Question, found: Sequence[Result]) -> Shown:
    """Return what there is to say about the Jacobian of all outputs."""
    rows = dict(zip(matrices.keys(question), found, strict=True))
    entries = [
        (f"{matrices.differential(question, k)}/d{name}", slope)
        for k, result in enumerate(found)
        for name, slope in result.gradient.items()
    ]
    held: dict[str, Held] = {
        "value": {key: result.value for key, result in rows.items()},
        "jacobian": {key: result.gradient for key, result in rows.items()},
    }
    several = len(rows) > 1
    return Shown(
        Block("", [], held),
        entries,
        [
            (key if several else "", name)
            for key, result in rows.items()
            for name in result.gradient
        ],
        [result.value for result in found],
        [list(result.gradient.values()) for result in found],
    )


def in_few_passes(question: Question, by: Mapping[str, int], mode: Mode) -> sparse.Shown:
    """Return the sparse Jacobian of all outputs."""
    from ..autodiff.sparse import sparse_jacobian

    found = sparse_jacobian(question.graph, question.outputs, by, question.values(), mode)
    question.warn_of(found.results)
    keys = matrices.keys(question)
    values = {key: one.value for key, one in zip(keys, found.results, strict=True)}
    return sparse.Shown("", [], {"value": values}, "jacobian", found, keys, list(by))
