"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import stat

from ..autodiff.errors import DataError


def save(content: bytes, path: str) -> None:
    """Write a file beside its place and rename it; pipes and devices are written as they are.

    A link is followed, and a file that is replaced keeps its mode. Raises `DataError`.
    """
    try:
        mode = os.stat(path).st_mode if os.path.exists(path) else None
        if path.startswith("/dev/") or not (mode is None or stat.S_ISREG(mode)):
            with open(path, "ab") as file:
                file.write(content)
        else:
            _replace(content, path and os.path.realpath(path), mode)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise DataError(f"cannot write {path or repr(path)}: {error.strerror}") from None


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
