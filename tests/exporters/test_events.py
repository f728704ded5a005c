"""The event directory, served by a real TensorBoard."""

# protobuf has no types.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportMissingTypeStubs=false

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest
from google.protobuf import text_format
from tensorboard.compat.proto.graph_pb2 import GraphDef  # pyright: ignore[reportAttributeAccessIssue]

from cgraph.autodiff.errors import DataError, MissingExtraError, pip_line
from cgraph.exporters.events import write_events
from cgraph.parser import parse

PATIENCE = 90.0
"""Seconds that TensorBoard may take to start and to find the run."""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    """Write a graph and serve it on loopback; yield the address."""
    write_events(parse("p = x + y; p*z"), str(tmp_path / "demo"))
    command = [sys.executable, "-m", "tensorboard.main", "--logdir", str(tmp_path)]
    command += ["--host", "127.0.0.1", "--port", "0", "--load_fast", "false"]
    log = tmp_path / "log"
    with log.open("wb") as out, subprocess.Popen(command, stdout=out, stderr=out) as server:
        try:
            yield waited(lambda: address(log.read_text(), server.poll()))
        finally:
            server.kill()


def address(log: str, ended: int | None) -> str:
    assert ended is None, log
    found = re.search(r"http://127\.0\.0\.1:\d+/", log)
    return found[0] if found else ""


def waited(ask: object) -> str:
    """Return the first answer that is not empty."""
    assert callable(ask)
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        answer = ask()
        if answer:
            return str(answer)
        time.sleep(0.2)
    raise TimeoutError


def fetched(url: str) -> str:
    with urlopen(url, timeout=PATIENCE) as answer:
        text: str = answer.read().decode()
    return text


def test_tensorboard_shows_the_graph(served: str) -> None:
    info = waited(lambda: json.loads(fetched(f"{served}data/plugin/graphs/info")))
    assert "'run_graph': True" in info
    graph = text_format.Parse(fetched(f"{served}data/plugin/graphs/graph?run=demo"), GraphDef())
    assert [(node.name, node.op, list(node.input)) for node in graph.node] == [
        ("x", "Placeholder", []),
        ("y", "Placeholder", []),
        ("p", "AddV2", ["x", "y"]),
        ("z", "Placeholder", []),
        ("mul", "Mul", ["p", "z"]),
    ]


def test_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "tensorboard.compat.proto.event_pb2", None)
    with pytest.raises(MissingExtraError) as caught:
        write_events(parse("x"), str(tmp_path))
    assert caught.value.hint == pip_line("tensorboard", "tensorboard")


def test_a_directory_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="cannot write"):
        write_events(parse("x"), str(tmp_path / "file" / "run"))


def test_a_run_that_is_written_again_has_one_graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = tmp_path / "events.out.tfevents.0000000001.theirs"
    theirs.write_text("kept")
    for now in (1e9, 2e9, 2e9):
        monkeypatch.setattr("time.time", lambda now=now: now)
        path = write_events(parse("x + y"), str(tmp_path))
    assert sorted(tmp_path.iterdir()) == [theirs, Path(path)]
    assert theirs.read_text() == "kept"


def test_a_run_that_cannot_be_written_again_is_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = write_events(parse("x + y"), str(tmp_path))
    monkeypatch.setattr("time.time", lambda: 2e9)
    (tmp_path / "events.out.tfevents.2000000000.cgraph").mkdir()
    with pytest.raises(DataError, match="Is a directory"):
        write_events(parse("x"), str(tmp_path))
    assert Path(before).is_file()
