"""Files that are written whole or not at all: by threads, several together, on full disks."""

from __future__ import annotations

import builtins
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from threading import Barrier
from typing import TYPE_CHECKING, Any

import pytest

from cgraph.autodiff.errors import DataError
from cgraph.exporters.files import put, save, save_all, save_together

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer

NO_ROOM = "File too large"
"""What a limit on the size of files says, which stands for a full disk."""

LIMITED = """
import resource, signal, sys
from cgraph.autodiff.errors import DataError
from cgraph.exporters.files import save, save_all, save_together
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
try:
    {call}
except DataError as error:
    print(error)
"""


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def everything() -> dict[str, str]:
    """Return what all files hold, by path."""
    return {str(path): path.read_text() for path in Path().rglob("*") if path.is_file()}


def one_file(name: str) -> None:
    save(b"x", name)


def folder(name: str) -> None:
    save_all({"x": b"x"}, name)


@pytest.mark.parametrize("write", [one_file, folder])
def test_threads_that_write_at_once(write: Callable[[str], None]) -> None:
    names = [f"{k}.out" for k in range(8)]
    at_once = Barrier(len(names))

    def written(name: str) -> None:
        at_once.wait()
        for _ in range(20):
            write(name)

    with ThreadPoolExecutor(len(names)) as pool:
        list(pool.map(written, names))
    assert sorted(os.listdir()) == names


def test_a_file_of_somebody_else_stays() -> None:
    theirs = f".cgraph-{os.getpid()}"
    Path(theirs).write_text("theirs")
    save(b"ours", "out")
    with pytest.raises(DataError):
        save(parts(), "other")
    assert everything() == {theirs: "theirs", "out": "ours"}


def parts() -> list[bytes]:
    raise DataError("no parts")


@pytest.mark.parametrize("missing", ["b", "a"])
def test_several_files_are_all_written_or_none(missing: str) -> None:
    there = ({"a", "b"} - {missing}).pop()
    Path(there).write_text("old")
    os.mkdir(missing)
    with pytest.raises(DataError) as caught:
        save_together({"a": b"new", "b": b"new"})
    assert str(caught.value) == f"error: cannot write {missing}: Is a directory"
    assert everything() == {there: "old"}
    assert sorted(os.listdir()) == ["a", "b"]
    os.rmdir(missing)
    os.chmod(there, 0o640)
    save_together({"a": b"new", "b": b"new"})
    assert everything() == {"a": "new", "b": "new"}
    assert os.stat(there).st_mode & 0o777 == 0o640


def test_a_folder_gets_all_files_or_none() -> None:
    os.makedirs("out/z")
    Path("out/x").write_text("old")
    with pytest.raises(DataError) as caught:
        save_all({"x": b"new", "deep/er/y": b"new", "z": b"new"}, "out")
    assert str(caught.value) == "error: cannot write out: Is a directory"
    assert everything() == {"out/x": "old"}
    assert sorted(os.listdir("out")) == ["x", "z"]


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ("save(b'n'*1000, 'a')", "a"),
        ("save([b'n'*60, b'n'*60], 'a')", "a"),
        ("save([b'n'*60, b'n'*9000, b'n'*60], 'a')", "a"),
        ("save_together({'b': b'n', 'a': b'n'*1000})", "a"),
        ("save_all({'b': b'n', 'a': b'n'*1000}, 'out')", "out"),
        ("save_all({'b': b'n', 'c/a': b'n'*1000}, 'new')", "new"),
    ],
)
def test_a_disk_that_is_full(call: str, told: str) -> None:
    os.mkdir("out")
    for path in ("a", "b", "out/a", "out/b"):
        Path(path).write_text("old")
    before = everything()
    words = [sys.executable, "-c", LIMITED.format(call=call)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr) == (f"error: cannot write {told}: {NO_ROOM}\n", "")
    assert everything() == before
    assert sorted(os.listdir()) == ["a", "b", "out"]


class Small(BytesIO):
    """A file that takes three bytes at a time, as one without a buffer may."""

    def write(self, content: Buffer) -> int:
        return super().write(memoryview(content)[:3])


def test_a_file_that_takes_less_than_it_is_given() -> None:
    file = Small()
    put(file, b"0123456789")
    assert file.getvalue() == b"0123456789"


@pytest.mark.parametrize("stop", range(12))
@pytest.mark.parametrize("called", ["open", "link", "replace", "chmod", "unlink"])
def test_an_interrupt_after_any_call_leaves_no_draft(
    called: str, stop: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A signal comes when a call has been made, before anything else is noted."""
    contents = {str(tmp_path / name): name.encode() for name in ("a", "b", "new")}
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(b"old")
    calls = iter(range(100))
    module: Any = builtins if called == "open" else os
    plain: Callable[..., Any] = getattr(module, called)

    def interrupted(*args: Any, **more: Any) -> Any:
        result = plain(*args, **more)
        if next(calls) == stop:
            if called == "open":
                result.close()
            raise KeyboardInterrupt
        return result

    monkeypatch.setattr(module, called, interrupted)
    with suppress(KeyboardInterrupt):
        save_together(contents)
    monkeypatch.undo()
    left = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert left in (
        {"a": b"old", "b": b"old"},
        {"a": b"a", "b": b"b", "new": b"new"},
    )
