"""Pictures: which program draws them, and what is said when none can."""

from __future__ import annotations

import os
import stat
import struct
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from shutil import which

import numpy
import pytest

from cgraph.autodiff.errors import (
    CgraphError,
    DataError,
    GraphError,
    MissingExtraError,
    UsageError,
    pip_line,
)
from cgraph.autodiff.graph import Graph
from cgraph.exporters import image
from cgraph.exporters.compose import Wanted, scene_of
from cgraph.exporters.options import Options
from cgraph.exporters.registry import by_name
from cgraph.exporters.scene import Scene
from cgraph.parser import parse


def scene(text: str = "(x+y)*z") -> Scene:
    graph = parse(text)
    return Scene(graph, graph.outputs)


def program(path: Path, script: str) -> str:
    """Write a program that stands for Graphviz."""
    path.write_text(f"#!{sys.executable}\nimport sys\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IEXEC)
    return str(path)


def only(found: str | None) -> Callable[..., str | None]:
    """Return a search of PATH that finds this program and no other."""

    def search(name: str, path: str | None = None) -> str | None:
        return which(name, path=path) if path else found

    return search


def nothing(module: str) -> None:
    """Say that a module is not installed."""
    return


def something(module: str) -> str:
    """Say that a module is installed."""
    return module


@pytest.fixture
def no_system_dot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(image, "which", only(None))
    monkeypatch.setattr(image, "find_spec", nothing)


def test_svg_and_png_need_no_graphviz(no_system_dot: None) -> None:
    svg = by_name("svg").export(scene())
    assert isinstance(svg, bytes)
    assert b"</svg>" in svg
    assert by_name("png").export(scene()).startswith(b"\x89PNG")  # type: ignore[arg-type]


def test_the_same_picture_is_the_same_bytes() -> None:
    assert by_name("svg").export(scene()) == by_name("svg").export(scene())


def test_resolution(no_system_dot: None) -> None:
    small, large = (image.export_png(scene(), Options(dpi=dpi)) for dpi in (72, 144))
    widths = [struct.unpack(">I", data[16:20])[0] for data in (small, large)]
    assert widths[1] == pytest.approx(2 * widths[0], abs=2)


def test_pictures_leave_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    image.export_svg(scene(), Options())
    assert os.listdir(tmp_path) == []


def test_a_pdf_needs_a_graphviz(no_system_dot: None) -> None:
    with pytest.raises(MissingExtraError) as refused:
        image.export_pdf(scene(), Options())
    hint = f"{pip_line('pygraphviz', 'pdf')}, or {image.INSTALL}"
    assert str(refused.value) == f"error: a PDF needs a whole Graphviz ({hint})"


@pytest.mark.skipif(find_spec("pygraphviz") is None, reason="needs pygraphviz: the extra `pdf`")
def test_the_graphviz_in_a_wheel_draws_a_pdf(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing in the folder where one works is run, and a file of its name there least of all."""
    monkeypatch.setattr(image, "which", only(None))
    monkeypatch.chdir(tmp_path)
    Path("pygraphviz.py").write_text("raise SystemExit(3)")
    pdf = by_name("pdf").export(scene())
    assert isinstance(pdf, bytes)
    assert pdf.startswith(b"%PDF")
    told: list[str] = []
    assert image.export_png(scene("重量*2"), Options(warn=told.append)).startswith(b"\x89PNG")
    assert not told
    wide = [image.export_png(scene("重量*2"), Options(dpi=dpi)) for dpi in (72, 144)]
    widths = [struct.unpack(">I", data[16:20])[0] for data in wide]
    assert widths[1] == pytest.approx(2 * widths[0], abs=2)


def test_a_wheel_that_fails_is_told_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(image, "which", only(None))
    monkeypatch.setattr(image, "find_spec", something)
    monkeypatch.setattr(image, "IN_WHEEL", "raise ImportError('broken')")
    with pytest.raises(DataError, match="pygraphviz failed: ImportError: broken"):
        image.export_pdf(scene(), Options())


def test_letters_that_the_fonts_lack(no_system_dot: None) -> None:
    told: list[str] = []
    image.export_png(scene("重量*2"), Options(warn=told.append))
    assert len(told) == 1
    remedy = f"write SVG, or {pip_line('pygraphviz', 'pdf')}, or {image.INSTALL}"
    assert told[0] == f"the PNG lacks the letter '重': {remedy}"
    image.export_svg(scene("重量*2"), Options(warn=told.append))
    assert len(told) == 1


def test_a_system_dot_has_the_letters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in = program(tmp_path / "dot", "print('drawn by the system', *sys.argv[1:])")
    monkeypatch.setattr(image, "which", only(stand_in))
    assert b"system -Kdot -Tpng -Gdpi=144" in image.export_png(scene("重量*2"), Options())
    assert b"system -Kdot -Tpdf" in image.export_pdf(scene(), Options())
    assert b"system" not in image.export_png(scene(), Options())


def test_a_dot_named_by_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CGRAPH_DOT", program(tmp_path / "mine", "print('mine')"))
    assert image.export_svg(scene(), Options()) == b"mine\n"
    monkeypatch.setenv("CGRAPH_DOT", str(tmp_path / "missing"))
    with pytest.raises(UsageError, match="missing', which is not a program"):
        image.export_svg(scene(), Options())


def test_no_program_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(image, "bundled", lambda: None)
    monkeypatch.setattr(image, "which", only(None))
    monkeypatch.setattr(image, "find_spec", nothing)
    with pytest.raises(MissingExtraError, match="no Graphviz was found") as caught:
        image.export_svg(scene(), Options())
    assert f"({pip_line('graphviz-pure')}, or install Graphviz" in str(caught.value)


@pytest.mark.parametrize(
    ("script", "error", "message"),
    [
        (
            "sys.stderr.write('Warning: a\\nError: b\\n'); sys.exit(1)",
            DataError,
            "mine failed: Error: b",
        ),
        ("sys.exit(3)", DataError, "mine failed: exit status 3"),
        ("pass", DataError, "mine drew nothing"),
        ("import time; time.sleep(30)", GraphError, "takes more than 0.5 seconds"),
    ],
)
def test_programs_that_fail(
    script: str,
    error: type[CgraphError],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CGRAPH_DOT", program(tmp_path / "mine", script))
    monkeypatch.setattr(image, "SECONDS", 0.5 if "sleep" in script else 20)
    with pytest.raises(error, match=message):
        image.export_svg(scene(), Options())


FAILS = "sys.stderr.write('Error: routesplines\\n'); sys.exit('-Gsplines=curved' not in sys.argv)"
"""A program that lays out with curved lines only."""


def test_another_layout_is_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = program(tmp_path / "pure", f"print('drawn'); {FAILS}")
    monkeypatch.setattr(image, "bundled", lambda: path)
    monkeypatch.setattr(image, "which", only(None))
    assert image.export_svg(scene(), Options()) == b"drawn\n"


def test_another_program_is_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = program(tmp_path / "pure", "import time; time.sleep(30)")
    monkeypatch.setattr(image, "bundled", lambda: slow)
    monkeypatch.setattr(image, "SECONDS", 0.5)
    monkeypatch.setattr(image, "which", only(program(tmp_path / "dot", "print('by the system')")))
    assert image.export_svg(scene(), Options()) == b"by the system\n"


def test_the_last_error_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = program(tmp_path / "pure", "sys.stderr.write('Error: routesplines'); sys.exit(1)")
    monkeypatch.setattr(image, "bundled", lambda: path)
    monkeypatch.setattr(image, "which", only(None))
    monkeypatch.setattr(image, "find_spec", nothing)
    with pytest.raises(DataError) as caught:
        image.export_svg(scene(), Options())
    assert str(caught.value) == (
        "error: pure failed: Error: routesplines "
        "(try another --direction, or write it as text with --format dot)"
    )


SHAPES = ([1.5], [1.0, 3.0, 5.0], [[1.0, 2.0], [3.0, 4.0]])


@pytest.mark.parametrize("text", ["x + y", "(x + y)*z", "max(x, y, z)", "where(x < y, x, y)^2"])
@pytest.mark.parametrize("direction", ["right", "down"])
def test_graphviz_pure_draws(text: str, direction: str, no_system_dot: None) -> None:
    for array in SHAPES:
        graph = parse(text)
        given = {name: numpy.array(array) for name in graph.inputs()}
        wanted = Wanted(graph.inputs(), grad=True, edges="partial")
        shown, _ = scene_of(graph, graph.outputs, given, wanted)
        assert b"</svg>" in image.export_svg(shown, Options(direction=direction))


def test_a_graph_too_large_to_draw() -> None:
    graph = Graph()
    node = graph.placeholder("x")
    sin = parse("sin(x)").nodes[-1].op
    for _ in range(image.MOST_NODES):
        node = graph.add(sin, (node,))
    graph.outputs = [node]
    with pytest.raises(GraphError) as caught:
        image.export_svg(Scene(graph, graph.outputs), Options())
    assert str(caught.value) == (
        "error: a graph of 2,001 nodes is too large to draw "
        "(write it as text with --format dot, or draw a part of it with --output NAME)"
    )
