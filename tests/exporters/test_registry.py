"""Formats are found by their names and endings, and each writes every op."""

from __future__ import annotations

from os import environ
from pathlib import Path

import pytest

from cgraph.autodiff.errors import UsageError
from cgraph.autodiff.graph import Graph
from cgraph.autodiff.ops import OPS, Op
from cgraph.exporters.image import whole_engines
from cgraph.exporters.registry import EXPORTERS, Exporter, by_name, by_path
from cgraph.exporters.scene import Scene
from cgraph.parser import parse

from ..autodiff.tensors import attributes_of
from .drawing import WRITABLE, arity

WRITING = [it for it in EXPORTERS.values() if it.writes != "directory"]
DRAWN = ("abs", "add", "where")
"""The ops that Graphviz is run for; for the others it gets the same DOT with other words."""

PAIRS = [
    pytest.param(exporter, op, id=f"{exporter.name}-{op.name}")
    for exporter in WRITING
    for op in WRITABLE
    if not exporter.code  # test_code has their gaps
    if exporter.writes == "text" or op.name in DRAWN
]

BEGINNINGS = {
    "dot": "digraph",
    "svg": b"<?xml",
    "png": b"\x89PNG",
    "pdf": b"%PDF",
    "graphdef": '{"node"',
    "pbtxt": "node {",
    "cg": "(x + y)*z",
}


def scene_of(op: Op) -> Scene:
    """Return a picture of one op at inputs."""
    graph = Graph()
    args = tuple(graph.placeholder(f"x{k}") for k in range(arity(op)))
    graph.outputs = [graph.add(op, args, attributes_of(op))]
    return Scene(graph, graph.outputs)


def needs_its_program(exporter: Exporter) -> None:
    """Skip a test where nothing on this machine draws a format."""
    if exporter.name == "pdf" and not (environ.get("CGRAPH_DOT") or whole_engines()):
        pytest.skip("a PDF needs pygraphviz (the extra `pdf`), or a system Graphviz")


@pytest.mark.parametrize(("exporter", "op"), PAIRS)
def test_every_format_writes_every_op(exporter: Exporter, op: Op) -> None:
    needs_its_program(exporter)
    written = exporter.export(scene_of(op))
    assert written
    assert isinstance(written, bytes) == (exporter.writes == "bytes")


def test_the_ops_that_are_drawn_exist() -> None:
    assert OPS.keys() >= set(DRAWN)


@pytest.mark.parametrize("exporter", WRITING, ids=lambda exporter: exporter.name)
def test_formats_begin_as_they_should(exporter: Exporter) -> None:
    needs_its_program(exporter)
    graph = parse("(x+y)*z")
    beginning = BEGINNINGS.get(exporter.name, "")
    written = exporter.export(Scene(graph, graph.outputs))
    assert written[: len(beginning)] == (beginning or written[:0])
    assert exporter.description


@pytest.mark.parametrize("name", [it.name for it in EXPORTERS.values() if it not in WRITING])
def test_directories_are_written(name: str, tmp_path: Path) -> None:
    graph = parse("(x+y)*z")
    EXPORTERS[name].write(Scene(graph, graph.outputs), str(tmp_path))
    assert any(tmp_path.iterdir())


def test_formats_are_found() -> None:
    assert by_path("a.b/Graph.PNG").name == "png"
    assert by_path(r"C:\x.y\net.gv").name == "dot"
    assert by_name("json") is by_name("graphdef") is by_name(".json")
    assert by_name("PNG") is by_path("x.png")


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (
            "b.pnf",
            "'b.pnf' ends in .pnf, which says no format (did you mean '.png'? known: .dot",
        ),
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
        by_name("pgng")
    assert "'pgng' is not a format (did you mean 'png'? known: dot svg" in str(caught.value)
