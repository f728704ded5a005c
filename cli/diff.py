"""`cgraph diff`: the derivative of a formula, as a formula."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import click

from ..autodiff.asked import node_of
from ..autodiff.declared import declared_shapes
from ..autodiff.errors import UsageError
from ..autodiff.symbolic import one_by_one
from ..autodiff.ways import shape_summed
from ..exporters.short import short
from . import options
from .command import FormulaCommand
from .forms import json_line
from .output import Answer, in_parts
from .question import Question, listed

MANY = 100
"""So many derivatives, and more, are printed each as soon as it is known."""

EXAMPLES = """
cgraph diff "x^2*sin(x)" --wrt x
cgraph diff "x^2*y^3" --wrt x,y --order 2
cgraph diff "(x^2 + y^3)*2" --wrt x --steps --x 2 --y 3
cgraph diff "x^3" --wrt x | cgraph eval --x 2
"""


@click.command("diff", cls=FormulaCommand, examples=EXAMPLES)
@options.formula
@options.bindings
@options.wrt
@click.option(
    "--order",
    type=click.IntRange(min=1, max=100),
    default=1,
    metavar="N",
    help="Differentiate N times.",
)
@click.option("--mixed", metavar="NAMES", help="Differentiate by x, then by y: x,y.")
@click.option(
    "--steps", is_flag=True, help="Show how it is done by hand, a rule a line, for numbers."
)
@options.flat
@options.lines
@options.digits
@options.json
@options.out
@options.quiet
def command(
    question: Question,
    wrt: tuple[str, ...],
    order: int,
    mixed: str | None,
    steps: bool,
    flat: bool,
) -> Answer:
    """Print the derivative of each output as a formula that cgraph reads.

    With several names, or outputs, a block each under a comment line. A long derivative is printed
    as a program with named parts. Values are for --steps, whose last line then has numbers.
    """
    paths = asked(question, wrt, order, mixed)
    if steps:
        from .steps import stories

        return stories(question, paths)
    warn_of_values(question)
    texts = told(question, paths, flat)
    if question.line is not None or len(question.outputs) * len(paths) < MANY:
        return "".join(texts)
    return in_parts(texts)


def told(question: Question, paths: Mapping[str, Sequence[int]], flat: bool) -> Iterator[str]:
    """Yield the derivatives of each output by each path, or of JSON a line for each output."""
    graph, alone = question.graph, len(question.outputs) == len(paths) == 1
    for k, output in enumerate(question.outputs):
        note_of_sum(question, k, list(paths.values()))
        held: dict[str, str] = {}
        nodes = one_by_one(graph, output, list(paths.values()))
        for (by, path), node in zip(paths.items(), nodes, strict=True):
            text = short(graph, [node], flat)
            if question.request.as_json:
                held[by] = text.rstrip("\n")
            else:
                yield text if alone else f"# {title(question, k, by, len(path))}\n{text}"
        if question.request.as_json:
            yield json_line({**question.told[k], "derivative": held})
        question.note_cut_short()


def asked(
    question: Question, wrt: Sequence[str], order: int, mixed: str | None
) -> Mapping[str, list[int]]:
    """Return the nodes to differentiate by, one after the other, by name: `x`, or `x,y`."""
    if mixed is None:
        return {name: [node] * order for name, node in question.wrt(wrt).items()}
    if wrt or order > 1:
        raise UsageError("--mixed says it all", hint="leave out --wrt and --order")
    names = [listed([name])[0] for name in mixed.split(",") if name.strip()]
    if not names:
        raise UsageError("--mixed takes the names to differentiate by", hint="--mixed x,y")
    return {",".join(names): list(map(partial(node_of, question.graph), names))}


def title(question: Question, k: int, by: str, order: int) -> str:
    """Return what a derivative of output k is called: d/dx, d^2g/dx^2, d^2/dxdy, d(x^2)/dx."""
    of = question.names[k] or (f"({question.labels[k]})" if len(question.outputs) > 1 else "")
    power = f"^{order}" if order > 1 else ""
    below = "".join(f"d{name}" for name in by.split(","))
    return f"d{power}{of}/{below}" + ("" if "," in by else power)


def note_of_sum(question: Question, k: int, paths: Sequence[Sequence[int]]) -> None:
    """Say where output k is an array, whose sum is differentiated."""
    graph, output = question.graph, question.outputs[k]
    if declared_shapes(graph, graph.needed([output]), output) is None:
        return
    shapes = [shape_summed(graph, output, path[0]) for path in paths]
    shape = next((shape for shape in shapes if shape), None)
    if shape:
        told = f"{question.labels[k]} has shape {shape}, so this is the derivative of its sum"
        question.request.note(f"{told} (cgraph jac: of each entry)")


def warn_of_values(question: Question) -> None:
    """Warn of values: a formula has no use for them, but where the program runs at them."""
    request, graph = question.request, question.graph
    used = graph.placeholders if request.dynamic else request.bindings.constants
    for one in request.bindings.unused(used) if question.line is None else []:
        meant = one.name in question.graph.placeholders or one.name in question.graph.names
        why = ": diff prints a formula (cgraph grad: its value)"
        question.request.warn_unused(one, None if meant else question.graph.inputs(), why)
