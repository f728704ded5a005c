"""What `cgraph check` finds, as a table, a sentence or JSON."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from .. import parser
from ..autodiff.check import Component, Verdict, components, second_components
from ..autodiff.claim import Finding, findings
from ..autodiff.declared import check_declared
from ..autodiff.digits import cancelling
from ..autodiff.errors import UsageError
from ..autodiff.evaluate import complete
from ..autodiff.inputs import input_shapes
from ..autodiff.points import drawn, none_found, usable
from ..autodiff.results import plan, results
from ..autodiff.shapes import infer
from ..autodiff.stable import keeper
from ..exporters.culprit import LONGEST, names_of
from ..exporters.text import formula, number, value_text
from .forms import ending_of, json_line
from .stable import patterns
from .stable import told as keeps

if TYPE_CHECKING:
    from ..autodiff.evaluate import Value
    from ..autodiff.graph import Graph
    from .forms import Held
    from .output import Answer
    from .question import Question

DIGITS = 4
TICK, CROSS = "✓", "✗"
REMARKS = {
    Verdict.AGREES: TICK,
    Verdict.DIFFERS: f"{CROSS} they differ",
    Verdict.KINK: "a kink: {left} from the left, {right} from the right",
    Verdict.JUMP: "the value jumps here",
    Verdict.INFINITE: "infinite: no difference can tell",
    Verdict.UNDEFINED: "there is no derivative",
    Verdict.UNSETTLED: "not settled",
    Verdict.EDGE: "the values end here: {edge}",
    Verdict.LOST: "digits are lost to rounding here",
}
"""What a reader is told of a first derivative."""

SECOND = REMARKS | {
    Verdict.KINK: "{left} from the left, {right} from the right",
    Verdict.JUMP: "a kink: the first derivative jumps here",
    Verdict.UNDEFINED: "there is no second derivative",
}
"""What a reader is told of a second one."""

APART = {
    Verdict.KINK: "at a kink",
    Verdict.JUMP: "at a jump",
    Verdict.INFINITE: "infinite",
    Verdict.UNDEFINED: "without a derivative",
    Verdict.UNSETTLED: "not settled",
    Verdict.EDGE: "where values end",
    Verdict.LOST: "lost to rounding",
}
"""How what cannot be compared is counted."""

SECOND_APART = APART | {Verdict.KINK: "where it jumps", Verdict.JUMP: "at a kink"}
"""The same of second derivatives."""

HEADS = ("", "reverse", "forward", "numerical", "by", "relative error", "")


# -- both modes beside the numerical derivative ---------------------------------------------------


class Checked(NamedTuple):
    """What of an output is compared, and how: derivatives of which order, to which tolerance.

    `precision` is in how many digits the numerical derivative is taken, if it is said.
    """

    order: int
    tolerance: float
    precision: int | None

    def components(
        self, graph: Graph, output: int, by: Mapping[str, int], given: Mapping[str, Value]
    ) -> list[Component]:
        """Return what is compared."""
        find = components if self.order == 1 else second_components
        return find(graph, output, by, given, self.tolerance, self.precision)


def compare(question: Question, by: Mapping[str, int], asked: Checked) -> Answer:
    """Return the comparison of each output's derivatives; the call fails where they disagree."""
    given, point = at_values(question, by)
    told: list[str] = []
    for k, output in enumerate(question.outputs):
        found = asked.components(question.graph, output, by, given)
        failed = differs(found)
        question.request.failed |= failed
        warn_unsettled(question, found)
        warn_lost(question, output, found, by, given)
        note_held(question, found)
        note_left_out(question, found)
        if as_json(question):
            told.append(json_line({**question.told[k], **point_held(point), **held(found, failed)}))
        else:
            title = [f"# {question.labels[k]}"] if len(question.outputs) > 1 else []
            lines = [*title, *point_told(point, question.request.digits)]
            told.append("\n".join([*lines, *table(question, k, found, asked), ""]))
    return "".join(told)


def differs(found: Sequence[Component]) -> bool:
    """Tell whether a component differs."""
    return any(one.verdict is Verdict.DIFFERS for one in found)


def as_json(question: Question) -> bool:
    """Tell whether JSON is asked for."""
    return question.request.as_json or ending_of(question.request.out) == ".json"


def at_values(
    question: Question, by: Mapping[str, int]
) -> tuple[dict[str, Value], dict[str, Value]]:
    """Return values for all inputs, and those among them that had to be drawn."""
    graph, given = question.graph, question.values(partly=True)
    missing = [name for name in graph.inputs() if name not in {*given, *graph.defaults}]
    if not missing:
        return given, {}
    values = {**defaults(graph), **given}
    known = input_shapes(graph, values)
    needed = graph.needed([*question.outputs, *by.values()])
    check_declared(graph, needed, known)
    shapes = infer(graph, known, needed)
    ready = plan(graph, question.outputs, by, shapes=shapes if any(shapes.values()) else None)
    for point in drawn(missing, values, known):
        if all(map(usable, results(graph, ready, point))):
            return point, {name: point[name] for name in missing}
    raise none_found(missing)


def defaults(graph: Graph) -> Mapping[str, Value]:
    """Return the values that the program gives its inputs."""
    return complete(graph, {})


def warn_unsettled(question: Question, found: Iterable[Component]) -> None:
    """Warn of components that the numerical derivative is too rough to judge."""
    names = [one.name for one in found if one.verdict is Verdict.UNSETTLED]
    if names:
        told = f"differences are too rough to judge the derivative by {', '.join(names)}"
        question.request.warn(f"{told}: try --precision 50")


def warn_lost(
    question: Question,
    output: int,
    found: Iterable[Component],
    by: Mapping[str, int],
    given: Mapping[str, Value],
) -> None:
    """Warn of derivatives that rounding leaves no digits of, and say which sum cancels."""
    names = [one.name for one in found if one.verdict is Verdict.LOST]
    if not names:
        return
    graph, values = question.graph, complete(question.graph, given)
    node = cancelling(graph, output, by, values)
    told = f"rounding leaves too few digits to judge the derivative by {', '.join(names)}"
    if node is None:
        question.request.warn(f"{told}: that says nothing of the rule")
        return
    sum_ = formula(graph, node, LONGEST, names_of(graph))
    kept = keeper(graph, node, values, patterns(), slope=False)
    advice = f"; {keeps(graph, kept)} keeps them" if kept else ""
    question.request.warn(f"{told}: {sum_} loses them{advice}")


def note_left_out(question: Question, found: Sequence[Component]) -> None:
    """Say where only some components are compared, as all would take long."""
    if found and found[0].of > len(found):
        told = f"{len(found):,} of {found[0].of:,} derivatives are compared, evenly chosen"
        question.request.note(f"{told} (others by --wrt)")


def note_held(question: Question, found: Iterable[Component]) -> None:
    """Say what the numerical derivative takes as constant, as the others do."""
    for name in dict.fromkeys(name for one in found for name in one.held):
        verb = "are" if name == "labels" else "is"
        question.request.note(f"{name} {verb} taken as constant")


def table(question: Question, k: int, found: Sequence[Component], asked: Checked) -> list[str]:
    """Return the components in rows, and what they come to."""
    name, digits = question.names[k] or "", question.request.digits
    remarks, before = (REMARKS, f"d{name}/d") if asked.order == 1 else (SECOND, "")
    rows = [HEADS, *(row(f"{before}{one.name}", one, digits, remarks) for one in found)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(map(str.ljust, cells, widths)).rstrip() for cells in rows]
    return [*lines, summary(found, asked)] if found else ["nothing to differentiate by"]


def row(
    label: str, one: Component, digits: int | None, remarks: Mapping[Verdict, str]
) -> tuple[str, ...]:
    """Return a component's row."""
    numbers = [number(value, digits) for value in (one.reverse, one.forward)]
    compares = one.verdict in (Verdict.AGREES, Verdict.DIFFERS, Verdict.UNSETTLED)
    compares |= one.verdict is Verdict.LOST and bool(one.text)
    error = f"{one.error:.1e}" if one.error else "0"
    return (
        label,
        *numbers,
        (one.text or number(one.numerical, digits)) if compares else "-",
        one.how if compares else "-",
        error if compares else "-",
        remark(one, remarks),
    )


def remark(one: Component, remarks: Mapping[Verdict, str]) -> str:
    """Return what a reader must be told of a component."""
    left, right = (number(side + 0.0, DIGITS) for side in (one.left, one.right))  # -0 is 0
    if remarks is SECOND and one.verdict is Verdict.UNDEFINED and left == right != "nan":
        return f"nan by convention, and {left} on both sides"
    return remarks[one.verdict].format(left=left, right=right, edge=edge(left, right))


def edge(left: str, right: str) -> str:
    """Return the slope on the side that has values."""
    return f"{left} from the left" if right == "nan" else f"{right} from the right"


def summary(found: Sequence[Component], asked: Checked) -> str:
    """Return what the components come to, in a line."""
    tolerance, kinds = asked.tolerance, APART if asked.order == 1 else SECOND_APART
    wrong = [one.name for one in found if one.verdict is Verdict.DIFFERS]
    if wrong:
        return f"{CROSS} the derivatives by {', '.join(wrong)} differ by more than {tolerance:g}"
    counts = Counter(one.verdict for one in found)
    agreeing = counts.pop(Verdict.AGREES, 0)
    apart = ", ".join(f"{counts[verdict]} {kinds[verdict]}" for verdict in kinds if counts[verdict])
    if not apart:
        return f"{TICK} all agree to {tolerance:g}"
    if not agreeing:
        return f"nothing could be compared: {apart}"
    return f"{TICK} {agreeing} agree{'s' * (agreeing == 1)} to {tolerance:g}; apart: {apart}"


def held(found: Sequence[Component], failed: bool) -> dict[str, Held]:
    """Return the components for JSON."""
    return {
        "agree": not failed,
        "counts": {verdict.value: n for verdict, n in Counter(o.verdict for o in found).items()},
        "components": {
            one.name: {
                "reverse": one.reverse,
                "forward": one.forward,
                "numerical": one.text or one.numerical,
                "by": one.how,
                "error": one.error,
                "left": one.left,
                "right": one.right,
                "verdict": one.verdict.value,
            }
            for one in found
        },
    }


# -- a claim --------------------------------------------------------------------------------------


def check_claim(question: Question, by: Mapping[str, int], claim: str, tolerance: float) -> Answer:
    """Return whether a claim is the derivative; the call fails where it is not."""
    pair = only(by)
    graph, given = question.graph, question.values(partly=True)
    found = findings(graph, pair, read_claim(question, claim), given, tolerance)
    last = found[-1]
    nothing = last.derivative != last.derivative
    question.request.failed |= not last.right and last.sides is None and not nothing
    if as_json(question):
        return json_line({**question.told[0], **claim_held(last, len(found))})
    drawn_ones = len(found) if any(name not in given for name in last.point) else 0
    return f"{claim_told(question, pair[0], last, drawn_ones)}\n"


def only(by: Mapping[str, int]) -> tuple[str, int]:
    """Return what a claim's derivative is by. Raises `UsageError` unless that is one."""
    if len(by) != 1:
        named = f"there are {', '.join(by)}" if by else "the formula has no input"
        raise UsageError("a claim is of one derivative: add --wrt NAME", hint=named)
    (pair,) = by.items()
    return pair


def read_claim(question: Question, claim: str) -> Graph:
    """Return the graph of a claim, which may use the names and functions of the program."""
    request, library = question.request, list(question.request.libraries)
    if not parser.is_graph(question.text):
        library.append(("<formula>", question.text))
    return parser.parse(
        claim,
        name="--claim",
        inputs=request.constants,
        library=library,
        max_nodes=request.max_nodes,
    )


def claim_told(question: Question, name: str, last: Finding, points: int) -> str:
    """Return what a claim comes to, in a line."""
    digits = question.request.digits or DIGITS
    label = f"d{question.names[0] or ''}/d{name}"
    yours, mine = apart(last.claimed, last.derivative, digits)
    at = ", ".join(f"{one} = {value_text(value)}" for one, value in last.point.items())
    if last.right and points > 1:
        return f"{TICK} this is {label}: it agrees at {points} points drawn"
    if last.right:
        return f"{TICK} this is {label}" + (f" at {at}: {mine}" if at else f": {mine}")
    if last.derivative != last.derivative:
        return f"at {at} there is no derivative to compare with: yours is {yours}"
    if last.sides is not None:
        left, right = (number(one.slope, digits) for one in (last.sides.left, last.sides.right))
        what = "a jump" if last.sides.jump else f"a kink, {left} from the left and {right} from the"
        rest = "" if last.sides.jump else " right"
        return f"at {at} there is {what}{rest}: yours is {yours}, the derivative taken is {mine}"
    return f"wrong: at {at} yours is {yours}, the derivative is {mine}"


def apart(x: float, y: float, digits: int) -> tuple[str, str]:
    """Return two numbers rounded to the same place, the larger one to so many digits.

    To more, where it takes more to tell them apart.
    """
    size = max(abs(x), abs(y))
    if not math.isfinite(size) or size == 0.0:
        return number(x, digits), number(y, digits)
    first = math.floor(math.log10(size)) + 1
    for more in range(digits, 18):
        texts = number(round(x, more - first)), number(round(y, more - first))
        if x == y or texts[0] != texts[1]:
            return texts
    return number(x), number(y)


def claim_held(last: Finding, points: int) -> dict[str, Held]:
    """Return what there is to say about a claim, for JSON."""
    return {
        "right": last.right,
        "points": points,
        "at": last.point,
        "claimed": last.claimed,
        "derivative": last.derivative,
        "kink": last.sides is not None,
    }


def point_told(point: Mapping[str, Value], digits: int | None) -> list[str]:
    """Return the line that says which values were drawn."""
    if not point:
        return []
    return [f"at {', '.join(f'{name} = {value_text(value)}' for name, value in point.items())}"]


def point_held(point: Mapping[str, Value]) -> dict[str, Held]:
    """Return the drawn values for JSON."""
    return {"at": dict(point)} if point else {}
