"""Pictures as SVG, PNG and PDF, drawn by Graphviz: that in graphviz-pure, or one with all of it.

graphviz-pure comes with cgraph, so SVG and PNG need nothing else. A system `dot`, or the Graphviz
in the wheels of pygraphviz, draws what it cannot: PDF, and letters that its fonts lack in a PNG.
Where CGRAPH_DOT names a `dot`, that draws everything.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from contextlib import suppress
from importlib.util import find_spec
from shutil import which
from typing import NamedTuple

from ..autodiff.errors import DataError, GraphError, MissingExtraError, UsageError, pip_line
from .dot import dot
from .options import Options
from .scene import Scene
from .typography import fitted, lacking

MOST_NODES = 2000
SECONDS = 20
"""What a picture may take: no reader has use for a larger one."""

LAYOUTS = ((), ("-Gnodesep=0.27",), ("-Granksep=0.52",), ("-Gsplines=curved",))
"""How graphviz-pure is asked in turn: it fails to route the edges of some graphs, and hardly ever
of the same graph with its nodes a little further apart."""

OTHERWISE = "try another --direction, or write it as text with --format dot"
SMALLER = "write it as text with --format dot, or draw a part of it with --output NAME"
INSTALL = "install Graphviz (graphviz.org/download), or name its dot in CGRAPH_DOT"


IN_WHEEL = """
import sys, pygraphviz
graph = pygraphviz.AGraph(string=sys.stdin.buffer.read().decode())
for word in sys.argv[1:]:
    if word[:2] == "-G":
        name, _, value = word[2:].partition("=")
        graph.graph_attr[name] = value
    if word[:2] == "-T":
        kind = word[2:]
sys.stdout.buffer.write(graph.draw(format=kind, prog="dot"))
"""
"""What draws by pygraphviz: a process of its own, which can be stopped where it takes too long."""


class Engine(NamedTuple):
    """A program that draws DOT, and whether it is the one without a font library.

    `first` are its words before those that `dot` takes.
    """

    path: str
    pure: bool
    first: tuple[str, ...] = ()
    name: str = ""


def picture(scene: Scene, options: Options, kind: str) -> bytes:
    """Return the picture of a scene, `kind` being svg, png or pdf.

    Raises `GraphError` where it is too large to draw, `MissingExtraError` where the program for it
    is missing.
    """
    count = len(scene.graph.needed(scene.outputs))
    if count > MOST_NODES:
        raise GraphError(f"a graph of {count:,} nodes is too large to draw", hint=SMALLER)
    *others, last = engines(kind, dot(scene, options), options)
    for other in others:
        with suppress(DataError, GraphError):
            return drawn(scene, options, kind, other)
    return drawn(scene, options, kind, last)


def drawn(scene: Scene, options: Options, kind: str, chosen: Engine) -> bytes:
    """Return the picture as a program draws it; raises as `image` does."""
    text = dot(scene, options, fitted) if chosen.pure else dot(scene, options)
    return image(text, kind, chosen, options.dpi)


def export_svg(scene: Scene, options: Options) -> bytes:
    """Return the picture as SVG."""
    return picture(scene, options, "svg")


def export_png(scene: Scene, options: Options) -> bytes:
    """Return the picture as PNG."""
    return picture(scene, options, "png")


def export_pdf(scene: Scene, options: Options) -> bytes:
    """Return the picture as PDF."""
    return picture(scene, options, "pdf")


# -- engines --------------------------------------------------------------------------------------


def engines(kind: str, text: str, options: Options) -> list[Engine]:
    """Return the programs to draw with, the one to try first in front.

    Raises `MissingExtraError` where there is none.
    """
    named = os.environ.get("CGRAPH_DOT")
    if named:
        if not which(named):
            raise UsageError(f"CGRAPH_DOT names '{named}', which is not a program")
        return [Engine(named, pure=False)]
    whole = whole_engines()
    if kind == "pdf":
        if not whole:
            hint = f"{pip_line('pygraphviz', 'pdf')}, or {INSTALL}"
            raise MissingExtraError("a PDF needs a whole Graphviz", hint=hint)
        return whole
    return [*pure_engines(kind, text, options, bool(whole)), *whole]


def whole_engines() -> list[Engine]:
    """Return the one Graphviz with fonts and all formats, if there is one: the system's first."""
    found = which("dot")
    if found:
        return [Engine(found, pure=False)]
    if find_spec("pygraphviz"):
        # Without -P a file of that name in the folder one works in would be run.
        return [Engine(sys.executable, False, ("-P", "-c", IN_WHEEL), "pygraphviz")]
    return []


def pure_engines(kind: str, text: str, options: Options, spare: bool) -> list[Engine]:
    """Return graphviz-pure if it can draw a text, or must as there is none to spare."""
    path = bundled()
    strange = lacking(text) if kind == "png" else ""
    if spare and (strange or not path):
        return []
    if not path:
        hint = f"{pip_line('graphviz-pure')}, or {INSTALL}"
        raise MissingExtraError("no Graphviz was found", hint=hint)
    if strange:
        remedy = f"write SVG, or {pip_line('pygraphviz', 'pdf')}, or {INSTALL}"
        options.warn(f"the PNG lacks the letter '{strange}': {remedy}")
    return [Engine(path, pure=True)]


def bundled() -> str | None:
    """Return the path of graphviz-pure's program, None where it is not installed."""
    places = (os.path.dirname(sys.executable), sysconfig.get_path("scripts"), None)
    tries = (which("graphviz-pure", path=place) for place in places)
    return next(filter(None, tries), None)


# -- drawing --------------------------------------------------------------------------------------


def image(text: str, kind: str, chosen: Engine, dpi: int) -> bytes:
    """Return DOT drawn by a program.

    Raises `GraphError` where it takes too long, `DataError` where the program fails.
    """
    name, reason = chosen.name or os.path.basename(chosen.path), ""
    for varied in LAYOUTS if chosen.pure else LAYOUTS[:1]:
        command = [chosen.path, *chosen.first, "-Kdot", f"-T{kind}", *varied]
        done = run([*command, f"-Gdpi={dpi}"] if kind == "png" else command, text)
        if done.stdout and not done.returncode:
            return done.stdout
        reason = reason or reason_of(done)
    raise DataError(f"{name} {reason}", hint=OTHERWISE)


def run(command: list[str], text: str) -> subprocess.CompletedProcess[bytes]:
    """Run a program on a text. Raises `GraphError` where it takes too long."""
    try:
        return subprocess.run(command, input=text.encode(), capture_output=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        message = f"the picture takes more than {SECONDS} seconds to lay out"
        raise GraphError(message, hint=SMALLER) from None
    except OSError as error:
        raise DataError(f"cannot run {command[0]}: {error.strerror}") from None


def reason_of(done: subprocess.CompletedProcess[bytes]) -> str:
    """Return what went wrong with a program, in the first of its own lines that says it."""
    if not done.returncode:
        return "drew nothing"
    lines = done.stderr.decode(errors="replace").strip().split("\n")
    said = next((line for line in lines if "rror" in line), lines[0])
    return f"failed: {said or f'exit status {done.returncode}'}"
