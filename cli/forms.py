"""Results in the forms that people and programs read: text, JSON, NumPy's files."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ..autodiff.constants import JSON_NAMES
from ..autodiff.errors import UsageError
from ..exporters.text import LARGE, value_text
from .output import STDOUT, Answer

if TYPE_CHECKING:
    from ..autodiff.evaluate import Value
    from .question import Request

Held: TypeAlias = "bool | int | float | str | Value | Sequence[Held] | Mapping[str, Held] | None"
"""What JSON can hold, and values."""

Name: TypeAlias = tuple[str, str]
"""What a file calls an array: its output, or "" where there is one, and its name there."""

FOLDER = "/"
ARRAYS = (".npy", ".npz", FOLDER)
"""Endings of what holds arrays, and nothing else."""

MANY = 500
"""Of more outputs so many are answered at a time: the first are seen while others are computed."""

SUMMARIES = f"arrays of more than {LARGE} numbers are in summary: --json or -o g.npz for all"

MARKET = ".mtx"
"""The ending of a file of Matrix Market's, which holds a sparse matrix."""

UNWRITTEN = (".csv", ".tsv", ".parquet", ".xlsx", ".pkl", ".h5", ".hdf5", ".mat", ".yaml", ".xml")
"""Endings that promise what is not written; what other endings get is text."""


class Block(NamedTuple):
    """What there is to say about one output: values by label, or "", and an object for JSON.

    `arrays` has what files of arrays hold, by the names that whoever loads them asks for; where it
    is None these are the labels.
    """

    title: str
    values: list[tuple[str, Value]]
    held: Mapping[str, Held]
    arrays: Sequence[tuple[Name, Value]] | None = None


def show(request: Request, blocks: Sequence[Block]) -> Answer:
    """Return blocks in the form that is asked for, by an option or by the ending of `-o`."""
    ending = ending_of(request.out)
    if ending in ARRAYS:
        from . import archives

        return archives.written(request, ending, blocks)
    if ending == MARKET:
        hint = "a sparse matrix is: --sparse of jac and hess"
        raise UsageError(f"results are not written as {ending}", hint=hint)
    if ending in UNWRITTEN:
        hint = "known: .txt .json .npy .npz, and folder/"
        raise UsageError(f"results are not written as {ending}", hint=hint)
    return lines_of(request, blocks)


def lines_of(request: Request, blocks: Iterable[Block]) -> str:
    """Return blocks as text or JSON."""
    if not wants_text(request):
        return "".join(json_line(block.held) for block in blocks)
    return "".join(text_of(request, block) for block in blocks)


def text_of(request: Request, block: Block) -> str:
    """Return a block as lines; a large array is shown in summary, with a note."""
    lines = [f"# {block.title}"] if block.title else []
    for label, value in block.values:
        if not isinstance(value, float | int) and value.size > LARGE:
            request.note_once(SUMMARIES)
        text = value_text(value, request.digits)
        lines.append(f"{label} = {text}" if label else text)
    return "\n".join([*lines, ""])


def arrays_of(block: Block) -> Sequence[tuple[Name, Value]]:
    """Return the arrays of a block with their names."""
    if block.arrays is not None:
        return block.arrays
    return [((block.title, label or "value"), value) for label, value in block.values]


def json_line(held: Held) -> str:
    """Return an object as a line of strict JSON, escaped where stdout has not all letters."""
    import json

    unicode = getattr(sys.stdout, "encoding", "").lower() in ("utf-8", "utf8")
    return json.dumps(strict(held), ensure_ascii=not unicode, allow_nan=False) + "\n"


def strict(held: Held) -> Held:
    """Return the same for JSON: arrays as lists, numbers that are not finite as words."""
    if isinstance(held, float):
        return held if math.isfinite(held) else JSON_NAMES[repr(held)]
    if held is None or isinstance(held, str | int):
        return held
    if isinstance(held, Mapping):
        return {name: strict(value) for name, value in held.items()}
    if isinstance(held, list | tuple):
        return [strict(value) for value in held]
    return strict(held.tolist())  # type: ignore[union-attr]


def in_lines(request: Request) -> bool:
    """Tell whether results are to be lines of text or of JSON, and no file of arrays."""
    return wants_text(request) or request.as_json or ending_of(request.out) == ".json"


def wants_text(request: Request) -> bool:
    """Tell whether results are to be text, and no JSON or arrays."""
    others = (".json", *ARRAYS, *UNWRITTEN)
    return not (request.as_json or ending_of(request.out) in others)


def ending_of(path: str | None) -> str:
    """Return what says what form to write a file in: its name's ending, or that it is a folder."""
    from os import sep
    from os.path import isdir, splitext

    if path is None or path in STDOUT:
        return ""
    return FOLDER if path.endswith(sep) or isdir(path) else splitext(path)[1].lower()
