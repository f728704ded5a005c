"""Files, and folders of files, that are written whole or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from errno import EISDIR

from ..autodiff.errors import DataError

DESCRIPTORS = {"/dev/stdout": 1, "/dev/stderr": 2}
"""Files that are open: to open them anew would write over what others write there."""


def save(content: bytes, path: str) -> None:
    """Write a file beside its place and rename it; pipes, devices, descriptors as they are.

    A link is followed, and a file that is replaced keeps its mode. Raises `DataError`.
    """
    try:
        _write(content, path)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise DataError(f"cannot write {path or repr(path)}: {error.strerror}") from None
    except ValueError as error:
        raise DataError(f"cannot write {path!r}: {error}") from None


def save_all(contents: Mapping[str, bytes], folder: str) -> None:
    """Write files into a folder, made where there is none: each is whole, or not there.

    They are written to a place beside and moved when all are there. `contents` is by path in the
    folder. Raises `DataError`.
    """
    try:
        _move_all(contents, os.path.realpath(folder))
    except OSError as error:
        raise DataError(f"cannot write {folder}: {error.strerror}") from None


def _move_all(contents: Mapping[str, bytes], folder: str) -> None:
    from shutil import rmtree

    there = os.path.isdir(folder)
    beside = os.path.join(folder if there else os.path.dirname(folder), f".cgraph-{os.getpid()}")
    os.mkdir(beside)
    try:
        for name, content in contents.items():
            path = os.path.join(beside, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "xb") as file:
                file.write(content)
        if not there:
            os.rename(beside, folder)
            return
        for name in contents:
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            os.replace(os.path.join(beside, name), path)
    finally:
        rmtree(beside, ignore_errors=True)


def _write(content: bytes, path: str) -> None:
    if path.endswith(os.sep):
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
    mode = os.stat(path).st_mode if os.path.exists(path) else None
    if path in DESCRIPTORS or path.startswith("/dev/fd/"):
        number = DESCRIPTORS.get(path) or int(path.rpartition("/")[2])
        with open(number, "wb", closefd=False) as file:
            file.write(content)
    elif path.startswith("/dev/") or not (mode is None or stat.S_ISREG(mode)):
        with open(path, "ab") as file:
            file.write(content)
    else:
        _replace(content, path and os.path.realpath(path), mode)


def _replace(content: bytes, path: str, mode: int | None) -> None:
    beside = os.path.join(os.path.dirname(path), f".cgraph-{os.getpid()}")
    try:
        with open(beside, "xb") as file:
            file.write(content)
        if mode is not None:
            os.chmod(beside, stat.S_IMODE(mode))
        os.replace(beside, path)
    except BaseException:
        if os.path.exists(beside):
            os.unlink(beside)
        raise
