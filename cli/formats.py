"""Which format a graph is written in, and the writing."""

from __future__ import annotations

from os.path import basename, isfile, splitext

from ..autodiff.errors import UsageError
from ..exporters.compose import Wanted, scene_of
from ..exporters.options import Options
from ..exporters.registry import Exporter, by_name, by_path
from ..exporters.scene import Scene
from .output import STDOUT, Answer, encoded, ended_by_signals
from .question import Question


def format_of(name: str | None, path: str | None) -> Exporter:
    """Return the format that is asked for by name, else by the ending of a file, else DOT."""
    if name is not None:
        return by_name(name)
    return by_name("dot") if path is None or path in STDOUT else by_path(path)


def scene_for(question: Question, wanted: Wanted) -> Scene:
    """Return what a question's picture shows; from here on the question is about its graph.

    Raises `UsageError` where `grad` lacks a value.
    """
    given = question.values(partly=not wanted.grad)
    scene, results = scene_of(question.graph, question.outputs, given, wanted)
    question.graph = scene.graph
    question.warn_of(results)
    return scene


def exported(question: Question, exporter: Exporter, scene: Scene, options: Options) -> Answer:
    """Return a scene in a format; where the format is of several files they are written."""
    out = question.request.out
    if exporter.writes == "directory":
        if not out or out in STDOUT:
            hint = "name it with -o DIRECTORY"
            raise UsageError(f"--format {exporter.name} writes a directory", hint=hint)
        exporter.write(scene, out)
        return None
    if exporter.beside[0] and out is not None and of_a_file(out):
        write_both(exporter, scene, options, out)
        return None
    return exporter.export(scene, options)


def of_a_file(path: str) -> bool:
    """Tell whether a path is that of a file, beside which there can be another."""
    from ..exporters.files import is_replaced

    return path not in STDOUT and is_replaced(path)


def function_name(exporter: Exporter, name: str | None, path: str | None) -> str:
    """Return what code calls its function: what its file is called unless it is told.

    "" is the exporter's own choice. Raises `UsageError` for a name where there is no code.
    """
    if name is not None and not exporter.code:
        raise UsageError(f"--format {exporter.name} has no function to be called '{name}'")
    if name is not None or exporter.code != "function" or path is None or path in STDOUT:
        return name or ""
    from ..exporters.code.identifiers import plain

    return plain(splitext(basename(path))[0])


def write_both(exporter: Exporter, scene: Scene, options: Options, path: str) -> None:
    """Write a scene and the file that goes beside it, which the first names: both, or neither.

    Warns of a file of that name that held something else: `-o` does not speak of it.
    """
    from ..exporters.files import save_together

    beside = splitext(path)[0] + exporter.beside[0]
    if beside == path:
        hint = f"-o {splitext(path)[0]}{exporter.endings[0]}"
        raise UsageError(
            f"{path} is what goes beside the file of --format {exporter.name}", hint=hint
        )
    second = encoded(exporter.second(scene, options))
    first = encoded(exporter.export(scene, options._replace(header=basename(beside))))
    other = holds_other(beside, second)
    with ended_by_signals():
        save_together({beside: second, path: first})
    if other:
        options.warn(f"{beside} held something else and has been replaced")


def holds_other(path: str, content: bytes) -> bool:
    """Tell whether there is a file that holds something else."""
    if not isfile(path):
        return False
    try:
        with open(path, "rb") as file:
            return file.read() not in (b"", content)
    except OSError:
        return True
