"""The telling: the passes over a graph as a story, as a teacher would write them out."""

from __future__ import annotations

from collections.abc import Sequence

from ...autodiff.check import TOLERANCE, Along, Place, Verdict, verdict
from ...autodiff.evaluate import complete
from ...autodiff.gradient import gradient
from ...autodiff.numerical import Slopes, slopes
from ...autodiff.ops.leaves import placeholder
from ...autodiff.results import gradients
from ...autodiff.simplify import simplify
from ..text import formula, number
from .backward import backward
from .forward import tangents
from .story import Chapter, Derivative, Line, Step, Story
from .teller import Asked, Teller, distinct

LONGEST = 300
"""A formula in a title is cut after so many characters."""

TICK, CROSS = "✓", "✗"


def tell(asked: Asked) -> Story:
    """Return the story of an output's derivatives.

    Raises `FormulaError` where it has more operations than the limit, `UsageError` for arrays.
    """
    needed = set(asked.graph.needed([asked.output]))
    near = {name: node for name, node in asked.wrt.items() if node in needed}
    teller = Teller(asked._replace(wrt=near))
    chapters = [forward_values(teller)]
    if asked.mode == "forward":
        chapters += [tangents(teller, name, node) for name, node in near.items()]
    elif near:
        chapters.append(backward(teller))
    if asked.wrt:
        chapters.append(outcome(teller, [name for name in asked.wrt if name not in near]))
    return Story(title(teller), chapters)


def title(teller: Teller) -> str:
    """Return what is explained: the formula, and at which values."""
    asked = teller.asked
    text = f"{teller.name[asked.output]} = {formula(asked.graph, asked.output, LONGEST)}"
    at = [
        f"{name} = {number(teller.values[node], asked.digits)}"
        for name, node in asked.graph.inputs([asked.output]).items()
        if node in teller.values
    ]
    return f"{text} at {', '.join(at)}" if at else text


def forward_values(teller: Teller) -> Chapter:
    """Tell the value of each part."""
    graph, name = teller.graph, teller.name[teller.output]
    what = "the value" if teller.values else "the making"
    chapter = Chapter("Forward", f"{what} of each part, from the inputs to {name}")
    inputs = [node for node in teller.needed if graph.nodes[node].op is placeholder]
    told = [Line(distinct([teller.words.named(n), teller.words.value(n)])) for n in inputs]
    if told:
        chapter.steps.append(Step(lines=told))
    for node in teller.needed:
        if graph.nodes[node].args or (node == teller.output and node not in inputs):
            chapter.steps.append(Step(lines=[teller.made(node)], node=node))
    return chapter


def outcome(teller: Teller, absent: Sequence[str]) -> Chapter:
    """Tell the gradient, checked by finite differences where there are values.

    It is 0 by the names that are `absent` from the output.
    """
    asked = teller.asked
    if not teller.complete:
        chapter = Chapter("The gradient")
        found = gradient(asked.graph, asked.output, list(asked.wrt.values()))
        found = simplify(asked.graph, found, derived=True)
        lines = [symbolic(teller, *pair) for pair in zip(asked.wrt.values(), found, strict=True)]
    else:
        chapter = Chapter("The gradient", "checked by finite differences")
        result = gradients(asked.graph, [asked.output], asked.wrt, asked.given)[0]
        lines = [
            checked(teller, name, node, slope)
            for (name, node), slope in zip(asked.wrt.items(), result.gradient.values(), strict=True)
            if isinstance(slope, float)
        ]
    chapter.steps.append(Step(lines=[*lines, *(unmoved(teller, name) for name in absent)]))
    return chapter


def unmoved(teller: Teller, name: str) -> Line:
    """Return the derivative by what the output is not made of."""
    called = teller.name[teller.output]
    return Line((Derivative(called, name), teller.words.number(0.0)), f"{called} has no {name}")


def symbolic(teller: Teller, by: int, slope: int) -> Line:
    """Return a derivative as a formula."""
    return Line((teller.derivative(teller.output, by), teller.words.in_inputs(slope)))


def checked(teller: Teller, name: str, by: int, slope: float) -> Line:
    """Return a derivative's number, with what finite differences say to it."""
    asked = teller.asked
    given = complete(asked.graph, asked.given)
    along = Along(asked.graph, asked.output, Place(name, None), by, given)
    sides = slopes(along, along.x, teller.magnitude)
    value, best = teller.values[asked.output], sides.best
    found = verdict((slope, slope, best.slope), best.error, value, sides, TOLERANCE)
    members = (teller.derivative(asked.output, by), teller.words.number(slope))
    return Line(members, differences(found, sides, asked.digits))


def differences(found: Verdict, sides: Slopes, digits: int | None) -> str:
    """Return what finite differences say to a derivative."""
    left, right, middle = (
        number(one.slope + 0.0, digits) for one in (sides.left, sides.right, sides.best)
    )
    rough = f"differences: {left} from the left, {right} from the right, not settled"
    return {
        Verdict.AGREES: f"differences: {middle} {TICK}",
        Verdict.DIFFERS: f"differences: {middle} {CROSS}",
        Verdict.KINK: f"a kink: differences give {left} from the left, {right} from the right",
        Verdict.JUMP: "the value jumps here: differences say nothing",
        Verdict.INFINITE: "infinite: differences only grow",
        Verdict.UNDEFINED: "where there is no value there is no derivative",
        Verdict.EDGE: f"the values end here: differences give {middle}",
        Verdict.UNSETTLED: "differences say nothing here" if middle == "nan" else rough,
    }[found]
