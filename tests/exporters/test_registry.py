"""Formats are found by their names and endings, and each writes."""

from __future__ import annotations

import pytest

from cgraph.autodiff.errors import UsageError
from cgraph.exporters.registry import EXPORTERS, Exporter, by_name, by_path
from cgraph.exporters.scene import Scene
from cgraph.parser import parse

BEGINNINGS = {
    "dot": "digraph",
    "svg": b"<?xml",
    "png": b"\x89PNG",
    "pdf": b"%PDF",
    "graphdef": '{"node"',
    "pbtxt": "node {",
    "cg": "(x + y)*z",
}


@pytest.mark.parametrize("exporter", EXPORTERS.values(), ids=EXPORTERS)
def test_every_format_writes(exporter: Exporter, tmp_path: object) -> None:
    graph = parse("(x+y)*z")
    scene = Scene(graph, graph.outputs)
    if exporter.writes == "directory":
        exporter.write(scene, str(tmp_path))
        return
    written = exporter.export(scene)
    assert written.startswith(BEGINNINGS[exporter.name])  # type: ignore[arg-type]
    assert isinstance(written, bytes) == (exporter.writes == "bytes")
    assert exporter.description


def test_formats_are_found() -> None:
    assert by_path("a.b/Graph.PNG").name == "png"
    assert by_path(r"C:\x.y\net.gv").name == "dot"
    assert by_name("json") is by_name("graphdef") is by_name(".json")
    assert by_name("PNG").binary
    assert not by_name("svg").binary


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("a/b.pnf", "'a/b.pnf' ends in .pnf, which says no format (did you mean .png? known: .dot"),
        ("a.b/c", "'a.b/c' has no ending, which says no format (known: .dot .gv"),
        ("x.", "'x.' ends in ., which says no format"),
    ],
)
def test_unknown_endings(path: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        by_path(path)
    assert message in str(caught.value)


def test_unknown_formats() -> None:
    with pytest.raises(UsageError) as caught:
        by_name("pgn")
    assert "'pgn' is not a format (did you mean png? known: dot svg" in str(caught.value)
