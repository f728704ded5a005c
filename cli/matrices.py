"""Matrices of derivatives: their labels, and their two forms, by entry and as a matrix."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import click

from ..autodiff.errors import UsageError
from ..exporters.text import number
from . import forms
from .forms import ARRAYS, Block, Name, arrays_of, ending_of, text_of, wants_text
from .output import Answer
from .question import Question, Request, distinct

if TYPE_CHECKING:
    from ..autodiff.evaluate import Value
    from ..autodiff.results import Result

MANY = 10**6
"""Matrices of more entries had better be sparse if most are 0."""

option = click.option(
    "--format",
    "format_",
    type=click.Choice(["entries", "matrix"]),
    default="entries",
    help="A line an entry, by name, or the bare matrix, in the order of --wrt.",
)


class Shown(NamedTuple):
    """A matrix to show: what comes before it, its entries by label, and its rows of blocks.

    The blocks of row k are of as many rows of numbers as `heads[k]` has entries. `names` are what
    files call the entries.
    """

    before: Block
    entries: list[tuple[str, Value]]
    names: list[Name]
    heads: list[Value]
    rows: list[list[Value]]


MOST = 1_000_000
"""So many numbers are named one by one."""


def refuse_many(what: str, rows: int, columns: int) -> None:
    """Raise `UsageError` where a matrix of numbers, each with its name, is too large to be read."""
    if rows * columns > MOST:
        told = f"the {what} has {rows:,} x {columns:,} entries by name"
        hint = "--sparse has those that can be other than 0; or choose some with --wrt"
        raise UsageError(told, hint=hint)


def show(request: Request, matrices: Sequence[Shown], form: str) -> Answer:
    """Return matrices in the form that is asked for."""
    note_of_zeros(request, [block for one in matrices for row in one.rows for block in row])
    if form == "matrix" and wants_text(request):
        return "".join(
            text_of(request, one.before) + matrix_text(one, request.digits) for one in matrices
        )
    blocks = [whole(one, one.entries, one.names) for one in matrices]
    if form == "matrix" and ending_of(request.out) in ARRAYS:
        from ..autodiff.arrays import as_array

        blocks = [
            whole(one, [("matrix", as_array(written_out(one)))], [(one.before.title, "matrix")])
            for one in matrices
        ]
    return forms.show(request, blocks)


def note_of_zeros(request: Request, blocks: Iterable[Value]) -> None:
    """Say where most entries of large matrices are 0, which need not be found one by one."""
    arrays = [block for block in blocks if not isinstance(block, float | int)]
    entries = sum(array.size for array in arrays)
    if entries <= MANY:
        return
    from numpy import count_nonzero

    zeros = entries - sum(int(count_nonzero(array)) for array in arrays)
    if 2 * zeros > entries:
        told = f"{zeros:,} of {entries:,} entries are 0: --sparse leaves out those that always are"
        request.note(told)


def whole(shown: Shown, entries: list[tuple[str, Value]], names: Iterable[Name]) -> Block:
    """Return the block of a matrix: what comes before it, and entries, with names for files."""
    before = shown.before
    arrays = [*arrays_of(before), *zip(names, (entry for _, entry in entries), strict=True)]
    return before._replace(values=before.values + entries, arrays=arrays)


def matrix_text(shown: Shown, digits: int | None) -> str:
    """Return a matrix that reads back, a row a line, its columns aligned.

    A block of arrays is written out: a row for each entry of the output, a column for each entry
    of what it is by.
    """
    texts = [[number(x, digits) for x in row] for row in written_out(shown)]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    lines = [", ".join(map(str.rjust, row, widths)) for row in texts]
    return "[[" + "],\n [".join(lines) + "]]\n"


def written_out(shown: Shown) -> list[list[float]]:
    """Return the rows of numbers of a matrix."""
    if all(isinstance(block, float) for row in shown.rows for block in row):
        return [[float(block) for block in row] for row in shown.rows]
    import numpy as np

    found: list[list[float]] = []
    for head, row in zip(shown.heads, shown.rows, strict=True):
        found += np.hstack([np.reshape(block, (np.size(head), -1)) for block in row]).tolist()
    return found


def differential(question: Question, k: int) -> str:
    """Return the `d` of `d/dx` for output k: with its name, or with its formula among several."""
    name = question.names[k]
    if name is not None:
        return f"d{name}"
    return "d" if len(question.outputs) == 1 else f"d({question.labels[k]})"


def keys(question: Question) -> list[str]:
    """Return a key for each output, what it is called; formulas cut short may look the same."""
    return distinct(question.labels)


def note_of_sums(question: Question, results: Sequence[Result], what: str) -> None:
    """Say where an output is an array, whose sum is differentiated."""
    for label, result in zip(question.labels, results, strict=True):
        if not isinstance(result.value, float | int):
            told = f"{label} has shape {result.value.shape}, so this is the {what} of its sum"
            question.request.note(told)
