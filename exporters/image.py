"""Pictures as SVG, PNG and PDF, drawn by Graphviz: the one in graphviz-pure, or the system's `dot`.

graphviz-pure comes with cgraph, so SVG and PNG need nothing else. A system `dot` draws what it
cannot: PDF, and letters that its fonts lack in a PNG; or everything, where CGRAPH_DOT names one.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from shutil import which
from typing import NamedTuple, cast

from ..autodiff.errors import DataError, GraphError, MissingExtraError, UsageError
from .dot import Style, dot
from .options import Options
from .scene import Scene
from .typography import fitted, lacking

MOST_NODES = 2000
SECONDS = 20
"""What a picture may take: no reader has use for a larger one."""

SMALLER = "write it as text with --format dot, or draw a part of it with --output NAME"
INSTALL = "install Graphviz (graphviz.org/download), or name its dot in CGRAPH_DOT"


class Engine(NamedTuple):
    """A program that draws DOT, and whether it is the one without a font library."""

    path: str
    pure: bool


def picture(scene: Scene, options: Options, kind: str) -> bytes:
    """Return the picture of a scene, `kind` being svg, png or pdf.

    Raises `GraphError` where it is too large to draw, `MissingExtraError` where the program for it
    is missing.
    """
    count = len(scene.graph.needed(scene.outputs))
    if count > MOST_NODES:
        raise GraphError(f"a graph of {count:,} nodes is too large to draw", hint=SMALLER)
    style = Style(options.direction, options.theme, options.digits)
    text = dot(scene, style)
    chosen = engine(kind, text, options)
    if chosen.pure:
        text = dot(scene, style._replace(fit=fitted))
    return image(text, kind, chosen, options.dpi)


def svg(scene: Scene, options: Options) -> bytes:
    """Return the picture as SVG."""
    return picture(scene, options, "svg")


def png(scene: Scene, options: Options) -> bytes:
    """Return the picture as PNG."""
    return picture(scene, options, "png")


def pdf(scene: Scene, options: Options) -> bytes:
    """Return the picture as PDF."""
    return picture(scene, options, "pdf")


# -- engines --------------------------------------------------------------------------------------


def engine(kind: str, text: str, options: Options) -> Engine:
    """Return the program to draw with. Raises `MissingExtraError` where there is none."""
    named = os.environ.get("CGRAPH_DOT")
    if named:
        if not which(named):
            raise UsageError(f"CGRAPH_DOT names '{named}', which is not a program")
        return Engine(named, pure=False)
    system, pure = which("dot"), bundled()
    strange = lacking(text) if kind == "png" else ""
    if system and (kind == "pdf" or strange or not pure):
        return Engine(system, pure=False)
    if kind == "pdf":
        raise MissingExtraError("a PDF needs a Graphviz on this system", hint=INSTALL)
    if not pure:
        raise MissingExtraError(
            "no Graphviz was found", hint=f"pip install graphviz-pure, or {INSTALL}"
        )
    if strange:
        options.warn(f"the PNG lacks the letter '{strange}': write SVG, or {INSTALL}")
    return Engine(pure, pure=True)


def bundled() -> str | None:
    """Return the path of graphviz-pure's program, None where it is not installed."""
    places = (os.path.dirname(sys.executable), sysconfig.get_path("scripts"), None)
    tries = (which("graphviz-pure", path=place) for place in places)
    return next(filter(None, tries), None)


def image(text: str, kind: str, chosen: Engine, dpi: int) -> bytes:
    """Return DOT drawn by a program.

    Raises `GraphError` where it takes too long, `DataError` where the program fails.
    """
    command = [chosen.path, "-Kdot", f"-T{kind}"]
    if kind == "png":
        command.append(f"-Gdpi={dpi}")
    try:
        drawn = run(command, text.encode())
    except subprocess.TimeoutExpired:
        message = f"the picture takes more than {SECONDS} seconds to lay out"
        raise GraphError(message, hint=SMALLER) from None
    except (subprocess.CalledProcessError, RuntimeError, OSError) as error:
        raise DataError(f"{os.path.basename(chosen.path)} failed: {reason(error)}") from None
    if not drawn:
        raise DataError(f"{os.path.basename(chosen.path)} drew nothing")
    return drawn


def run(command: list[str], text: bytes) -> bytes:
    """Return what a program of Graphviz writes."""
    from graphviz.backend import execute

    run_check = cast("Callable[..., subprocess.CompletedProcess[bytes]]", execute.run_check)
    return run_check(command, input=text, capture_output=True, quiet=True, timeout=SECONDS).stdout


def reason(error: Exception) -> str:
    """Return the first line that says what went wrong."""
    told = getattr(error, "stderr", None) or str(error).encode()
    lines: list[str] = told.decode(errors="replace").split("\n")
    return next((line for line in lines if "rror" in line), lines[0])
