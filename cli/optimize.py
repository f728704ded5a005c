"""`cgraph optimize`: a formula at its fastest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

import click

from ..autodiff.evaluate import complete, run
from ..autodiff.program import Program
from ..exporters.compose import Wanted, append_gradients
from ..exporters.options import Options
from ..exporters.registry import Exporter
from ..exporters.short import short
from ..exporters.text import program
from . import options
from .command import FormulaCommand
from .formats import exported, format_of, scene_for
from .forms import json_line
from .output import STDOUT, Answer
from .question import Question
from .timing import best_times, duration

if TYPE_CHECKING:
    from ..autodiff.evaluate import Value
    from ..autodiff.graph import Graph
    from ..exporters.scene import Scene

    Work: TypeAlias = tuple[Graph, Sequence[int]]
    """A graph, and the nodes that are wanted of it."""

EXAMPLES = """
cgraph optimize "(x^2 + 3*y)/4 + sin(pi/4)*(3*y + x^2)"
cgraph optimize "x^3*exp(-y)" --grad --x 1.5 --y 2
cgraph optimize -f model.cg --bindings values.json --grad -o model.png
cgraph optimize "x^2/2 + x^3/3" --format graphdef | cgraph eval --x 2
"""


@click.command("optimize", cls=FormulaCommand, examples=EXAMPLES)
@options.formula
@options.bindings
@options.wrt
@click.option("--grad", is_flag=True, help="Optimize the value and its derivatives together.")
@options.flat
@options.format_(only_pictures=False, otherwise="a program")
@options.json
@options.out
@options.quiet
def command(
    question: Question, wrt: tuple[str, ...], grad: bool, flat: bool, format_: str | None
) -> Answer:
    """Print a formula as a program that gives the same and is faster to run.

    Numbers are computed beforehand, what is the same is computed once, and x^2 becomes x*x, x/10
    x*0.1, where a last digit is all that may change. A note says how many nodes there were and are
    and, if the inputs have values, how long a run took and takes. With --format or -o every
    exporter takes the result, in which chains of elementwise operations are groups.
    """
    graph, request = question.graph, question.request
    by: Mapping[str, int] = question.wrt(wrt) if grad else {}
    given = question.values(partly=True)
    slopes = append_gradients(graph, question.outputs, by, given) if grad else []
    before: Work = (graph, [*question.outputs, *chain(*(one.values() for one in slopes))])
    scene = scene_for(question, Wanted(by, backward=grad, optimize=True))
    facts = compared(before, (scene.graph, scene.outputs), given)
    request.note("; ".join(told(what, *pair) for what, pair in facts.items()))
    exporter = wanted_format(format_, request.out)
    if exporter is not None:
        return exported(question, exporter, scene, Options(warn=request.warn))
    text = text_of(scene, flat)
    if request.as_json:
        held = {what: {"before": one, "after": other} for what, (one, other) in facts.items()}
        return json_line({"formula": text.rstrip("\n"), **held})
    return text


def wanted_format(name: str | None, path: str | None) -> Exporter | None:
    """Return the format that is asked for, None for the program's text."""
    if name is None and (path is None or path in STDOUT):
        return None
    return format_of(name, path)


def compared(
    before: Work, after: Work, given: Mapping[str, Value]
) -> dict[str, tuple[float, float]]:
    """Return what there is to compare: nodes, and seconds where the inputs have values."""
    sizes = [len(graph.needed(nodes)) for graph, nodes in (before, after)]
    found: dict[str, tuple[float, float]] = {"nodes": (sizes[0], sizes[1])}
    values = complete(before[0], given)
    if values.keys() >= before[0].inputs(before[1]).keys():
        programs = [Program(graph, nodes) for graph, nodes in (before, after)]
        times = best_times([partial(run, one, values) for one in programs])
        found["seconds"] = (times[0], times[1])
    return found


def told(what: str, before: float, after: float) -> str:
    """Return a comparison in words."""
    if what == "seconds":
        return f"{duration(before)} before, {duration(after)} after"
    return f"{before} {what} before, {after} after"


def text_of(scene: Scene, flat: bool) -> str:
    """Return the program; derivatives get names, by which `--output` asks for them."""
    graph = scene.graph
    if not scene.derivatives:
        return short(graph, scene.outputs, flat)
    taken = {*graph.names, *graph.placeholders}
    for k, (output, slopes) in enumerate(zip(scene.primals, scene.derivatives, strict=True), 1):
        called = graph.output_name(output) or (str(k) if len(scene.primals) > 1 else "")
        named = {f"d{called}_d{by}": node for by, node in slopes.items()}
        graph.names |= {name: node for name, node in named.items() if name not in taken}
    graph.outputs = list(scene.outputs)
    return program(graph, share=not flat)
