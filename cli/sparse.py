"""Sparse matrices of derivatives: as coordinate text, JSON, SciPy's .npz or Matrix Market's .mtx.

Text and JSON count rows and columns from 0, as formulas do; Matrix Market counts from 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from io import BytesIO
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

import click

from ..autodiff.errors import UsageError
from ..exporters.text import number, value_text
from . import options
from .forms import FOLDER, MARKET, Held, ending_of, json_line
from .output import Answer

if TYPE_CHECKING:
    from scipy.sparse import coo_array

    from ..autodiff.evaluate import Value
    from ..autodiff.sparse import Sparse
    from .question import Request

option = options.stack(
    click.option(
        "--sparse",
        "sparse_",
        is_flag=True,
        help="Find only what is not 0 by structure; a line an entry, row, column and number, "
        "or SciPy's -o FILE.npz, Matrix Market's -o FILE.mtx.",
    ),
    click.option("--stats", is_flag=True, help="Say on stderr how many passes --sparse took."),
)

NAMED = 10
"""So many names of rows or columns are told in text."""


class Shown(NamedTuple):
    """A sparse matrix to show: the names of its rows and columns, and what comes before it.

    `held` is what JSON has besides, `key` what it calls the matrix there.
    """

    title: str
    before: Sequence[tuple[str, Value]]
    held: Mapping[str, Held]
    key: str
    sparse: Sparse
    rows: Sequence[str]
    columns: Sequence[str]
    symmetric: bool = False


def check(sparse: bool, stats: bool, form: str) -> None:
    """Raise `UsageError` for options that do not go together."""
    if sparse and form == "matrix":
        raise UsageError("--sparse writes entries, not --format matrix")
    if stats and not sparse:
        raise UsageError("--stats tells of the passes of --sparse, which is not given")


def show(request: Request, matrices: Sequence[Shown], stats: bool) -> Answer:
    """Return sparse matrices in the form that the options, or the ending of `-o`, ask for."""
    if stats:
        request.afterwards += [told(one.sparse) for one in matrices]
    ending = ending_of(request.out)
    if ending in FILES:
        return FILES[ending](sole(request, matrices, ending), request.digits)
    if ending not in ("", ".txt", ".json"):
        where = "to a folder" if ending == FOLDER else f"as {ending}"
        hint = "known: .txt .json .npz .mtx"
        raise UsageError(f"a sparse matrix is not written {where}", hint=hint)
    if request.as_json or ending == ".json":
        return "".join(json_line(held(one)) for one in matrices)
    return "".join(text(one, request.digits) for one in matrices)


def sole(request: Request, matrices: Sequence[Shown], ending: str) -> Shown:
    """Return the one matrix. Raises `UsageError` where a file would hold several."""
    if request.texts.lines:
        raise UsageError(f"--lines writes text or JSON, not {request.out}", hint="add --json")
    if len(matrices) != 1:
        hint = "name one output: --output NAME"
        raise UsageError(f"a sparse {ending} holds one matrix, not {len(matrices)}", hint=hint)
    return matrices[0]


def told(sparse: Sparse) -> str:
    """Return what the matrix took, as a line."""
    height, width = sparse.matrix.shape
    what = f"{width:,} columns" if sparse.mode == "forward" else f"{height:,} rows"
    passes = f"{sparse.passes:,} {sparse.mode} pass{'es' * (sparse.passes != 1)}"
    return f"{sizes(sparse)}; {passes} for {what}"


def sizes(sparse: Sparse) -> str:
    """Return the size of a matrix and how many entries it has, in words."""
    height, width = sparse.matrix.shape
    count = sparse.matrix.nnz
    return f"{height:,} x {width:,}, {count:,} entr{'y' if count == 1 else 'ies'}"


# -- text and JSON --------------------------------------------------------------------------------


def text(shown: Shown, digits: int | None) -> str:
    """Return a matrix as lines of row, column and number, from 0 on, with comments before them."""
    lines = [shown.title] if shown.title else []
    lines += [f"{label} = {value_text(value, digits)}" for label, value in shown.before]
    lines += [
        sizes(shown.sparse),
        f"rows: {places(shown.rows, shown.sparse.rows)}",
        f"columns: {places(shown.columns, shown.sparse.columns)}",
    ]
    comments = [f"# {line}" for line in lines]
    entries = shown.sparse.matrix.tocoo()
    return "\n".join([*comments, *coordinates(entries, 0, digits), ""])


def coordinates(entries: coo_array, first: int, digits: int | None) -> Iterator[str]:
    """Yield a line an entry; rows and columns are counted from `first` on."""
    rows, columns = (entries.row + first).tolist(), (entries.col + first).tolist()
    for row, column, entry in zip(rows, columns, entries.data.tolist(), strict=True):
        yield f"{row} {column} {number(entry, digits)}"


def places(names: Sequence[str], counts: Sequence[int]) -> str:
    """Return where the entries of each name are: `x 0, v 1:4`; of many names the first ones."""
    found = [
        f"{name} {end - count}" if count == 1 else f"{name} {end - count}:{end}"
        for name, count, end in zip(names[:NAMED], counts, accumulate(counts), strict=False)
    ]
    if len(names) > NAMED:
        found.append(f"... {len(names) - NAMED:,} more")
    return ", ".join(found) or "none"


def held(shown: Shown) -> Mapping[str, Held]:
    """Return a matrix as an object for JSON: where each name's entries are, and all entries."""
    entries = shown.sparse.matrix.tocoo()
    matrix: dict[str, Held] = {
        "shape": list(shown.sparse.matrix.shape),
        "rows": spans(shown.rows, shown.sparse.rows),
        "columns": spans(shown.columns, shown.sparse.columns),
        "row": entries.row.tolist(),
        "column": entries.col.tolist(),
        "data": entries.data.tolist(),
    }
    return {**shown.held, shown.key: matrix}


def spans(names: Sequence[str], counts: Sequence[int]) -> dict[str, list[int]]:
    """Return from where to where the entries of each name are."""
    ends = accumulate(counts)
    return {name: [end - n, end] for name, n, end in zip(names, counts, ends, strict=True)}


# -- files ----------------------------------------------------------------------------------------


def scipy_file(shown: Shown, digits: int | None) -> bytes:
    """Return a matrix as `scipy.sparse.load_npz` reads it."""
    from scipy.sparse import save_npz

    content = BytesIO()
    save_npz(content, shown.sparse.matrix)
    return content.getvalue()


def market_file(shown: Shown, digits: int | None) -> str:
    """Return a matrix in Matrix Market's form, one triangle of a symmetric one."""
    from scipy.sparse import tril

    matrix = shown.sparse.matrix
    entries = (tril(matrix) if shown.symmetric else matrix).tocoo()
    kind = "symmetric" if shown.symmetric else "general"
    lines = [
        f"%%MatrixMarket matrix coordinate real {kind}",
        f"{matrix.shape[0]} {matrix.shape[1]} {entries.nnz}",
    ]
    return "\n".join([*lines, *coordinates(entries, 1, digits), ""])


FILES: dict[str, Callable[[Shown, int | None], Answer]] = {
    ".npz": scipy_file,
    MARKET: market_file,
}
