"""Results in the forms that people and programs read: text, JSON, NumPy archives."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ..autodiff.constants import JSON_NAMES
from ..autodiff.errors import UsageError
from ..exporters.text import LARGE, value_text

if TYPE_CHECKING:
    from ..autodiff.evaluate import Value
    from .question import Request

Held: TypeAlias = "bool | int | float | str | Value | Sequence[Held] | Mapping[str, Held] | None"
"""What JSON can hold, and values."""

ARRAYS = (".npy", ".npz")
UNWRITTEN = (".csv", ".tsv", ".parquet", ".xlsx", ".pkl", ".h5", ".hdf5", ".mat", ".yaml", ".xml")
"""Endings that promise what is not written; what other endings get is text."""


class Block(NamedTuple):
    """What there is to say about one output: values by label, or "", and an object for JSON."""

    title: str
    values: list[tuple[str, Value]]
    held: Mapping[str, Held]


def show(request: Request, blocks: Sequence[Block]) -> str | bytes:
    """Return blocks in the form that is asked for, by an option or by the ending of `-o`."""
    ending = ending_of(request.out)
    if ending == ".npz":
        return archive(blocks)
    if ending == ".npy":
        return array_file(blocks)
    if ending in UNWRITTEN:
        hint = "known: .txt .json .npy .npz"
        raise UsageError(f"results are not written as {ending}", hint=hint)
    if request.as_json or ending == ".json":
        return "".join(json_line(block.held) for block in blocks)
    return "".join(text_of(request, block) for block in blocks)


def text_of(request: Request, block: Block) -> str:
    """Return a block as lines; a large array is shown in summary, with a note."""
    lines = [f"# {block.title}"] if block.title else []
    for label, value in block.values:
        if not isinstance(value, float | int) and value.size > LARGE:
            entries = f"{label or 'the value'} has {value.size:,} entries"
            request.note(f"{entries}, shown in summary: --json or -o g.npz for all")
        text = value_text(value, request.digits)
        lines.append(f"{label} = {text}" if label else text)
    return "\n".join([*lines, ""])


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


def archive(blocks: Sequence[Block]) -> bytes:
    """Return all values as a .npz archive, each under its label."""
    from io import BytesIO
    from zipfile import ZipFile, ZipInfo

    from numpy import asarray
    from numpy.lib.format import write_array

    content = BytesIO()
    with ZipFile(content, "w") as archive:
        for block in blocks:
            for label, value in block.values:
                name = "/".join(filter(None, [block.title, label])) or "value"
                with archive.open(ZipInfo(f"{name}.npy"), "w", force_zip64=True) as file:
                    write_array(file, asarray(value, dtype=float), allow_pickle=False)
    return content.getvalue()


def array_file(blocks: Sequence[Block]) -> bytes:
    """Return the only value as a .npy file. Raises `UsageError` where there are several."""
    from io import BytesIO

    from numpy import asarray
    from numpy.lib.format import write_array

    values = [value for block in blocks for _, value in block.values]
    if len(values) != 1:
        hint = "a .npz holds several: -o FILE.npz"
        raise UsageError(f"a .npy holds one array, not {len(values)}", hint=hint)
    content = BytesIO()
    write_array(content, asarray(values[0], dtype=float), allow_pickle=False)
    return content.getvalue()


def wants_text(request: Request) -> bool:
    """Tell whether results are to be text, and no JSON or arrays."""
    others = (".json", *ARRAYS, *UNWRITTEN)
    return not (request.as_json or ending_of(request.out) in others)


def ending_of(path: str | None) -> str:
    """Return the ending of a file's name, which says what form to write it in."""
    from os.path import splitext

    return splitext(path)[1].lower() if path else ""
