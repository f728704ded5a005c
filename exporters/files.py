"""Files, and folders of files, that are written whole or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Generator, Iterable, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from errno import EISDIR
from typing import IO

from ..autodiff.errors import DataError

DESCRIPTORS = {"/dev/stdout": 1, "/dev/stderr": 2}
"""Files that are open: to open them anew would write over what others write there."""


def save(content: bytes | Iterable[bytes], path: str) -> None:
    """Write a file beside its place and rename it; pipes, devices, descriptors as they are.

    The content may come in parts, which are written as they come: what they raise leaves no file. A
    link is followed, and a file that is replaced keeps its mode. Raises `DataError`.
    """
    parts = (content,) if isinstance(content, bytes) else content
    with target(path) as file:
        for part in parts:
            with reported(path):
                file.write(part)


@contextmanager
def target(path: str) -> Generator[IO[bytes], None, None]:
    """Open what a path stands for, to be written; a file is there when all has been written."""
    with ExitStack() as stack:
        with reported(path):
            file = stack.enter_context(opened(path))
        yield file
        with reported(path):
            stack.close()


@contextmanager
def reported(path: str) -> Generator[None, None, None]:
    """Report what goes wrong with a file as a `DataError`; a closed pipe stays what it is."""
    try:
        yield
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


def opened(path: str) -> AbstractContextManager[IO[bytes]]:
    """Return what opens a path to be written."""
    if path.endswith(os.sep):
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
    mode = os.stat(path).st_mode if os.path.exists(path) else None
    if path in DESCRIPTORS or path.startswith("/dev/fd/"):
        number = DESCRIPTORS.get(path) or int(path.rpartition("/")[2])
        return open(number, "wb", closefd=False)
    if path.startswith("/dev/") or not (mode is None or stat.S_ISREG(mode)):
        return open(path, "ab", buffering=0)
    return replacing(path and os.path.realpath(path), mode)


@contextmanager
def replacing(path: str, mode: int | None) -> Generator[IO[bytes], None, None]:
    """Open a file beside its place, which takes that place at the end, or is gone."""
    beside = os.path.join(os.path.dirname(path), f".cgraph-{os.getpid()}")
    try:
        with open(beside, "xb") as file:
            yield file
        if mode is not None:
            os.chmod(beside, stat.S_IMODE(mode))
        os.replace(beside, path)
    except BaseException:
        if os.path.exists(beside):
            os.unlink(beside)
        raise
