"""Matrices of derivatives: their labels, and their two forms, by entry and as a matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import click

from ..exporters.text import number
from . import forms
from .forms import ARRAYS, Block, ending_of, text_of, wants_text
from .question import Question, Request

if TYPE_CHECKING:
    from ..autodiff.evaluate import Value
    from ..autodiff.results import Result

option = click.option(
    "--format",
    "format_",
    type=click.Choice(["entries", "matrix"]),
    default="entries",
    help="A line an entry, by name, or the bare matrix, in the order of --wrt.",
)


class Shown(NamedTuple):
    """A matrix to show: what comes before it, its entries by label, and its rows of blocks.

    The blocks of row k are of as many rows of numbers as `heads[k]` has entries.
    """

    before: Block
    entries: list[tuple[str, Value]]
    heads: list[Value]
    rows: list[list[Value]]


def show(request: Request, matrices: Sequence[Shown], form: str) -> str | bytes:
    """Return matrices in the form that is asked for."""
    if form == "matrix" and wants_text(request):
        return "".join(
            text_of(request, one.before) + matrix_text(one, request.digits) for one in matrices
        )
    blocks = [one.before._replace(values=one.before.values + one.entries) for one in matrices]
    if form == "matrix" and ending_of(request.out) in ARRAYS:
        from ..autodiff.arrays import as_array

        whole = [("matrix", as_array(written_out(one))) for one in matrices]
        blocks = [
            one.before._replace(values=[*one.before.values, matrix])
            for one, matrix in zip(matrices, whole, strict=True)
        ]
    return forms.show(request, blocks)


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
    labels = question.labels
    return [
        f"{label} ({k + 1})" if labels.count(label) > 1 else label for k, label in enumerate(labels)
    ]


def note_of_sums(question: Question, results: Sequence[Result], what: str) -> None:
    """Say where an output is an array, whose sum is differentiated."""
    for label, result in zip(question.labels, results, strict=True):
        if not isinstance(result.value, float | int):
            told = f"{label} has shape {result.value.shape}, so this is the {what} of its sum"
            question.request.note(told)
