"""Results as files of NumPy: one array, an archive of arrays, a folder with a file for each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import TYPE_CHECKING
from zipfile import ZipFile, ZipInfo

from numpy import asarray
from numpy.lib.format import write_array

from ..autodiff.errors import UsageError
from ..exporters.files import save_all
from .forms import arrays_of
from .output import ended_by_signals

if TYPE_CHECKING:
    from ..autodiff.evaluate import Value
    from .forms import Block, Name
    from .output import Answer
    from .question import Request

ODD = re.compile(r'[<>:"/\\|?*%\x00-\x1f\x7f]|^\.')
"""What some system would not have in the name of a file, and what stands for it."""


def written(request: Request, ending: str, blocks: Sequence[Block]) -> Answer:
    """Return all arrays of some blocks as a file; a folder is written, as `-o` says."""
    if request.texts.lines:
        raise UsageError(f"--lines writes text or JSON, not {request.out}", hint="add --json")
    if ending == ".npy":
        return array_file(blocks)
    arrays = by_name(blocks)
    if ending == ".npz":
        return archive(arrays)
    contents = {path_of(name): encoded(value) for name, value in arrays.items()}
    with ended_by_signals():
        save_all(contents, str(request.out))
    return None


def by_name(blocks: Sequence[Block]) -> dict[Name, Value]:
    """Return all arrays by name. Raises `UsageError` where two have the same."""
    found: dict[Name, Value] = {}
    for name, value in (pair for block in blocks for pair in arrays_of(block)):
        if name in found:
            hint = "give the outputs names: p = ..., --output p"
            raise UsageError(f"two results are called {joined(name)!r}", hint=hint)
        found[name] = value
    return found


def joined(name: Name) -> str:
    """Return a name as it is in an archive."""
    return "/".join(filter(None, name))


def archive(arrays: Mapping[Name, Value]) -> bytes:
    """Return arrays as a .npz archive."""
    content = BytesIO()
    with ZipFile(content, "w") as whole:
        for name, value in arrays.items():
            with whole.open(ZipInfo(f"{joined(name)}.npy"), "w", force_zip64=True) as file:
                write_array(file, asarray(value, dtype=float), allow_pickle=False)
    return content.getvalue()


def array_file(blocks: Sequence[Block]) -> bytes:
    """Return the only value as a .npy file. Raises `UsageError` where there are several."""
    values = [value for block in blocks for _, value in block.values]
    if len(values) != 1:
        hint = "a .npz holds several: -o FILE.npz"
        raise UsageError(f"a .npy holds one array, not {len(values)}", hint=hint)
    return encoded(values[0])


def encoded(value: Value) -> bytes:
    """Return an array as the content of a .npy file."""
    content = BytesIO()
    write_array(content, asarray(value, dtype=float), allow_pickle=False)
    return content.getvalue()


def path_of(name: Name) -> str:
    """Return where in a folder an array goes; an output is a folder in it."""
    return "/".join(map(quoted, filter(None, name))) + ".npy"


def quoted(name: str) -> str:
    """Return a name as every system has it for a file, with `%2F` and the like in it."""
    return ODD.sub(lambda odd: f"%{ord(odd[0]):02X}", name)
