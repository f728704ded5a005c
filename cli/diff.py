"""`cgraph diff`: the derivative of a formula, as a formula."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import click

from ..autodiff.asked import node_of
from ..autodiff.errors import UsageError
from ..autodiff.symbolic import derivatives
from ..autodiff.ways import shape_summed
from ..exporters.short import short
from . import options
from .command import FormulaCommand
from .forms import json_line
from .output import Answer
from .question import Question, listed

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
    blocks: list[tuple[str, str]] = []
    lines: list[str] = []
    for k, output in enumerate(question.outputs):
        nodes = derivatives(question.graph, output, list(paths.values()))
        note_of_sum(question, k, list(paths.values()))
        found = {
            by: short(question.graph, [node], flat) for by, node in zip(paths, nodes, strict=True)
        }
        blocks += [(title(question, k, by, len(paths[by])), text) for by, text in found.items()]
        held = {by: text.rstrip("\n") for by, text in found.items()}
        lines.append(json_line({**question.told[k], "derivative": held}))
    if question.request.as_json:
        return "".join(lines)
    if len(blocks) == 1:
        return blocks[0][1]
    return "".join(f"# {label}\n{text}" for label, text in blocks)


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
