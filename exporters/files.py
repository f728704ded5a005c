"""Files, and folders of files, that are written whole or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Generator, Iterable, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
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
                put(file, part)


def save_together(contents: Mapping[str, bytes], folder: str = "") -> None:
    """Write several files, by path: all are there, each of them whole, or all is as it was.

    With the `folder` that all are in, reports name it, and folders are made where there are none.
    Raises `DataError`.
    """
    # What is to be undone is noted before it is done: a signal may come in between.
    with ExitStack() as tidy, ExitStack() as undo:
        drafts: list[tuple[str, str, str]] = []
        for path, content in contents.items():
            with reported(folder or path):
                place = os.path.realpath(path)
                if folder:
                    make_folder(os.path.dirname(place), undo)
                drafts.append((path, place, drafted(place, content, undo)))
        for path, place, draft in drafts:
            with reported(folder or path):
                replace(place, draft, undo, tidy)
        undo.pop_all()


def save_all(contents: Mapping[str, bytes], folder: str) -> None:
    """Write files into a folder, made where there is none: all of them or none, each whole.

    `contents` is by path in the folder. Raises `DataError`.
    """
    whole = os.path.realpath(folder)
    if os.path.isdir(whole):
        save_together({os.path.join(whole, name): one for name, one in contents.items()}, folder)
        return
    from shutil import rmtree

    with reported(folder), ExitStack() as undo:
        draft = unused(os.path.dirname(whole))
        undo.callback(rmtree, draft, ignore_errors=True)
        os.mkdir(draft)
        save_together({os.path.join(draft, name): one for name, one in contents.items()}, folder)
        os.rename(draft, whole)
        undo.pop_all()


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


def put(file: IO[bytes], content: bytes) -> None:
    """Write all of some bytes: without a buffer a file may take fewer than it is given."""
    rest = memoryview(content)
    while rest:
        rest = rest[file.write(rest) :]


def opened(path: str) -> AbstractContextManager[IO[bytes]]:
    """Return what opens a path to be written."""
    if path.endswith(os.sep):
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
    if path in DESCRIPTORS or path.startswith("/dev/fd/"):
        number = DESCRIPTORS.get(path) or int(path.rpartition("/")[2])
        return open(number, "wb", buffering=0, closefd=False)
    if not is_replaced(path):
        return open(path, "ab", buffering=0)
    return replacing(path and os.path.realpath(path))


def is_replaced(path: str) -> bool:
    """Tell whether a path is a file's, or nobody's: no device, pipe or descriptor, which are open
    or written as they are."""
    regular = not os.path.exists(path) or stat.S_ISREG(os.stat(path).st_mode)
    return regular and not path.startswith("/dev/") and not path.endswith(os.sep)


@contextmanager
def replacing(path: str) -> Generator[IO[bytes], None, None]:
    """Open a file beside its place, which takes that place at the end, or is gone."""
    with ExitStack() as undo:
        draft = unused(os.path.dirname(path))
        undo.callback(remove, draft)
        file = open(draft, "xb")  # noqa: SIM115
        undo.callback(give_up, file)
        yield file
        file.close()
        keep_mode(path, draft)
        os.replace(draft, path)
        undo.pop_all()


def drafted(place: str, content: bytes, undo: ExitStack) -> str:
    """Write a file beside its place; return its path there."""
    draft = unused(os.path.dirname(place))
    undo.callback(remove, draft)
    with open(draft, "xb") as file:
        file.write(content)
    keep_mode(place, draft)
    return draft


def replace(place: str, draft: str, undo: ExitStack, tidy: ExitStack) -> None:
    """Put a file in its place; what was there has a second name until all is in its place."""
    if not os.path.lexists(place):
        undo.callback(remove, place)
        os.replace(draft, place)
        return
    if os.path.isdir(place):
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
    second = unused(os.path.dirname(place))
    tidy.callback(remove, second)
    name_again(place, second)
    undo.callback(os.replace, second, place)
    os.replace(draft, place)


def name_again(place: str, second: str) -> None:
    """Give a file a second name; a copy has it where the system has no such names."""
    try:
        os.link(place, second)
    except OSError:
        from shutil import copy2

        copy2(place, second)


def unused(folder: str) -> str:
    """Return the path of a file in a folder that nobody else writes, in no other thread either."""
    return os.path.join(folder, f".cgraph-{os.urandom(8).hex()}")


def make_folder(path: str, undo: ExitStack) -> None:
    """Make a folder and those that it is in, where they are not there."""
    if path and not os.path.isdir(path):
        make_folder(os.path.dirname(path), undo)
        os.mkdir(path)
        undo.callback(remove_folder, path)


def keep_mode(path: str, draft: str) -> None:
    """Give a file the mode of the one that it is to replace, if there is one."""
    if os.path.exists(path):
        os.chmod(draft, stat.S_IMODE(os.stat(path).st_mode))


def remove(path: str) -> None:
    """Remove a file, if it is there."""
    with suppress(OSError):
        os.unlink(path)


def remove_folder(path: str) -> None:
    """Remove a folder that nobody has written to."""
    with suppress(OSError):
        os.rmdir(path)


def give_up(file: IO[bytes]) -> None:
    """Close a file that is not wanted any more; what it could not take does not matter."""
    with suppress(OSError):
        file.close()
