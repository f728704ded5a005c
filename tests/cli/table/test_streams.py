"""Bytes in blocks of whole lines."""

from __future__ import annotations

import os
import time
from pathlib import Path
from threading import Thread, Timer

import pytest

from cgraph.autodiff.errors import DataError
from cgraph.cli.table import streams
from cgraph.cli.table.streams import Stream, blocks, whole_lines


@pytest.mark.parametrize(
    ("block", "end"),
    [
        (b"a\nb\nc", 4),
        (b"abc", 0),
        (b'a\n"b\nc', 2),
        (b'"a\nb"\nc', 6),
        (b'"a\nb', 0),
        (b'"a""\n""b"\nc', 10),
        (b'a"\nb\nc', 5),
        (b'a",b\n"c\nd', 5),
        (b'"a\n","b\n', 0),
    ],
)
def test_lines_end_outside_of_quotes(block: bytes, end: int) -> None:
    assert whole_lines(block, b",") == end
    assert whole_lines(block, b"") == block.rfind(b"\n") + 1


def test_a_quote_that_is_left_open_holds_up_no_more_than_it_may(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("FIRST", "BLOCK", "LONGEST"):
        monkeypatch.setattr(streams, name, 8)
    Path("lines").write_bytes(b'a\nb\n1,"a\n' + b"b\n" * 100)
    stream = Stream("lines")
    found = blocks(stream, b",", hurried=True)
    assert next(found) == b"a\nb\n"
    with pytest.raises(DataError, match="lines:3:3: error: a quote is not closed"):
        next(found)
    assert len(stream.rest()) > 150
    stream.close()


def test_blocks_grow_and_are_whole_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "FIRST", 10)
    monkeypatch.setattr(streams, "BLOCK", 40)
    content = b"".join(b"%d\n" % k for k in range(100)) + b"end"
    Path("lines").write_bytes(content)
    stream = Stream("lines")
    found = list(blocks(stream, b"", hurried=True))
    stream.close()
    assert b"".join(found) == content
    assert all(block.endswith(b"\n") for block in found[:-1])
    assert [len(block) for block in found[:4]] == [10, 19, 39, 39]


def test_a_line_longer_than_a_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "FIRST", 4)
    monkeypatch.setattr(streams, "BLOCK", 8)
    Path("lines").write_bytes(b"a" * 100 + b"\nb\n")
    stream = Stream("lines")
    assert b"".join(blocks(stream, b",", hurried=True)) == b"a" * 100 + b"\nb\n"
    stream.close()


def test_what_has_come_on_a_pipe_is_passed_on() -> None:
    os.mkfifo("pipe")

    def write() -> None:
        with open("pipe", "wb", buffering=0) as file:
            for part in (b"1\n2\n3", b"\n", b"4\n"):
                file.write(part)
                time.sleep(0.2)

    for hurried, expected in ((True, [b"1\n2\n", b"3\n", b"4\n"]), (False, [b"1\n2\n3\n4\n"])):
        writer = Thread(target=write)
        writer.start()
        stream = Stream("pipe")
        assert list(blocks(stream, b",", hurried=hurried)) == expected
        stream.close()
        writer.join()


def test_who_waits_for_a_pipe_can_be_let_go() -> None:
    os.mkfifo("pipe")
    held = os.open("pipe", os.O_RDWR)
    os.write(held, b"ahead")
    stream = Stream("pipe")
    Timer(0.2, stream.stop).start()
    assert stream.rest() == b"ahead"
    stream.close()
    os.close(held)


def test_how_much_of_a_file_is_read() -> None:
    Path("lines").write_bytes(b"1\n" * 50)
    stream = Stream("lines")
    assert stream.peek(4).startswith(b"1\n1\n")
    ahead = len(stream.read(50))
    stream.read(50 - ahead)
    assert stream.share() == 0.5
    stream.close()
    assert stream.share() is None
