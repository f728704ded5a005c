"""The formats: to add one, write its function in a file of its own and enter it here.

A function takes a scene and the options and returns text or bytes; one that writes a directory
takes the scene and the directory. Its module is imported when it is first used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Literal, NamedTuple, cast

from ..autodiff.errors import UsageError, did_you_mean
from .options import DEFAULT, Options
from .scene import Scene


class Exporter(NamedTuple):
    """A format: its name, what file names end in, what it writes, and where the code is."""

    name: str
    endings: tuple[str, ...]
    writes: Literal["text", "bytes", "directory"]
    picture: bool
    description: str
    function: str
    code: Literal["", "function", "formula"] = ""
    """Whether it is code, into which the given values go: a function, or no more than a formula."""
    beside: tuple[str, str] = ("", "")
    """The ending of a second file that goes beside the first, and who makes it."""

    def export(self, scene: Scene, options: Options = DEFAULT) -> str | bytes:
        """Return the scene in this format, which must be one of text or bytes."""
        return cast("Callable[[Scene, Options], str | bytes]", self._code())(scene, options)

    def write(self, scene: Scene, directory: str) -> None:
        """Write the scene in this format, which must be one of a directory."""
        cast("Callable[[Scene, str], None]", self._code())(scene, directory)

    def second(self, scene: Scene, options: Options) -> str:
        """Return the text of the file that goes beside the first."""
        return cast("Callable[[Scene, Options], str]", self._code(self.beside[1]))(scene, options)

    def _code(self, function: str | None = None) -> object:
        module, _, name = (function or self.function).partition(":")
        return getattr(import_module(module, __package__), name)


EXPORTERS = {
    exporter.name: exporter
    for exporter in (
        Exporter("dot", (".dot", ".gv"), "text", True, "Graphviz's text", ".dot:export"),
        Exporter("svg", (".svg",), "bytes", True, "a picture that scales", ".image:export_svg"),
        Exporter("png", (".png",), "bytes", True, "a picture in pixels", ".image:export_png"),
        Exporter("pdf", (".pdf",), "bytes", True, "a page", ".image:export_pdf"),
        Exporter("graphdef", (".json",), "text", False, "GraphDef JSON", ".graphdef:export_json"),
        Exporter("pbtxt", (".pbtxt",), "text", False, "GraphDef text", ".graphdef:export_text"),
        Exporter("cg", (".cg",), "text", False, "a program of cgraph's own", ".text:export"),
        Exporter(
            *("python", (".py",), "text", False, "Python with NumPy", ".code.python:export"),
            code="function",
        ),
        Exporter(
            *("c", (".c",), "text", False, "C99, with its header", ".code.c:export"),
            code="function",
            beside=(".h", ".code.c:header"),
        ),
        Exporter(
            *("javascript", (".js", ".mjs"), "text", False, "JavaScript"),
            *(".code.javascript:export", "function"),
        ),
        Exporter(
            *("latex", (".tex",), "text", False, "equations", ".code.latex:export", "formula")
        ),
        Exporter(
            *("sympy", (), "text", False, "a SymPy script", ".code.symbolic:export", "formula")
        ),
        Exporter(
            *("tensorboard", (), "directory", False, "events for TensorBoard", ".events:export")
        ),
    )
}
"""Every format by its name."""

ENDINGS = {ending: it for it in EXPORTERS.values() for ending in it.endings}
"""The formats by what file names end in."""


def by_name(name: str) -> Exporter:
    """Return the format of this name. Raises `UsageError` where there is none."""
    found = EXPORTERS.get(name.lower()) or ENDINGS.get(f".{name.lower().removeprefix('.')}")
    if found is None:
        raise UsageError(f"'{name}' is not a format", hint=_hint(name.lower(), list(EXPORTERS)))
    return found


def by_path(path: str) -> Exporter:
    """Return the format that a file name's ending means, `UsageError` where it means none."""
    base = path.replace("\\", "/").rpartition("/")[2]
    dot, ending = base.rpartition(".")[1:]
    found = ENDINGS.get(f".{ending.lower()}") if dot else None
    if found is None:
        what = f"'{path}' ends in .{ending}, which" if dot else f"'{path}' has no ending, which"
        hint = _hint(f".{ending.lower()}" if dot else "", list(ENDINGS))
        raise UsageError(f"{what} says no format", hint=hint)
    return found


def _hint(given: str, known: Sequence[str]) -> str:
    return " ".join(filter(None, [did_you_mean(given, known), "known:", *known]))
