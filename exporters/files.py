"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import stat
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
