"""`cgraph check --data`: the derivatives, or a claim, at the rows of a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from ..autodiff.check import Component, Verdict
from ..autodiff.claim import findings
from ..autodiff.errors import DataError
from ..autodiff.undefined import has_nan
from ..exporters.text import value_text
from .checks import (
    TICK,
    Checked,
    as_json,
    claim_held,
    claim_told,
    differs,
    held,
    note_held,
    only,
    read_claim,
    table,
    warn_unsettled,
)
from .forms import json_line
from .progress import Progress
from .rows import asked, first_rows
from .source import shown

if TYPE_CHECKING:
    from ..autodiff.evaluate import Value
    from ..autodiff.graph import Graph
    from .forms import Held
    from .output import Answer
    from .question import Question

COMPARED = (Verdict.AGREES, Verdict.DIFFERS)
"""What is said of a derivative that can be compared."""


class Worst(NamedTuple):
    """The row at which derivatives fare worst; in how many they differ, or can be compared."""

    row: int
    point: Mapping[str, Value]
    found: list[Component]
    differing: int
    compared: int


def check_rows(
    question: Question,
    by: Mapping[str, int],
    claim: str | None,
    to_check: Checked,
) -> Answer:
    """Return how derivatives, or a claim, fare at the first rows; the call fails where they differ.

    Rows that lack a value are passed over. Raises `DataError` where there are no others.
    """
    points = dict(whole_rows(question))
    if not points:
        raise DataError(f"{shown(asked(question).path)} has no rows to check")
    if claim is not None:
        return claim_at(question, by, read_claim(question, claim), points, to_check.tolerance)
    told: list[str] = []
    for k, output in enumerate(question.outputs):
        worst: Worst | None = None
        progress = Progress(not question.request.quiet)
        for count, (row, point) in enumerate(points.items()):
            found = to_check.components(question.graph, output, by, point)
            one = Worst(row, point, found, int(differs(found)), int(is_compared(found)))
            worst = worse(worst, one)
            progress.tell(count, count / len(points))
        progress.clear()
        assert worst is not None, "there are rows"
        told.append(compared(question, k, worst, len(points), to_check))
    return "".join(told)


def whole_rows(question: Question) -> Iterator[tuple[int, dict[str, Value]]]:
    """Yield the rows to check that lack no value, by number, with the values that all share."""
    limit = asked(question).limit
    inputs = question.graph.inputs()
    shared = question.request.bindings.of(inputs)
    skipped = 0
    with closing(first_rows(question)) as rows:
        for number, row in enumerate(rows, 1):
            if number > limit:
                question.request.note(f"rows after the first {limit:,} are not checked (--limit N)")
                break
            if any(has_nan(value) for value in row.values()):
                skipped += 1
            else:
                given = {**shared, **row}
                yield number, {name: given[name] for name in inputs if name in given}
    if skipped:
        what = "row lacks a value and is" if skipped == 1 else "rows lack a value and are"
        question.request.note(f"{skipped:,} {what} not checked")


def worse(one: Worst | None, other: Worst) -> Worst:
    """Return the worse of two rows, with the counts of both."""
    if one is None:
        return other
    last = other if badness(other) > badness(one) else one
    differing, compared = one.differing + other.differing, one.compared + other.compared
    return last._replace(differing=differing, compared=compared)


def is_compared(found: Sequence[Component]) -> bool:
    """Tell whether a component of a row can be compared with its numerical derivative."""
    return not found or any(one.verdict in COMPARED for one in found)


def badness(one: Worst) -> tuple[bool, bool, float]:
    """Return how bad a row is: whether derivatives differ or can be compared, how far they are."""
    errors = [
        component.error
        for component in one.found
        if component.verdict in COMPARED and component.error > 0.0
    ]
    return differs(one.found), is_compared(one.found), max(errors, default=0.0)


def compared(question: Question, k: int, worst: Worst, rows: int, to_check: Checked) -> str:
    """Return what is to be said of an output: how many rows were checked, and the worst of them."""
    where = asked(question).path if asked(question).path != "-" else "stdin"
    failed = worst.differing > 0
    question.request.failed |= failed
    count = worst.differing
    warn_unsettled(question, worst.found)
    note_held(question, worst.found)
    if as_json(question):
        of_worst: dict[str, Held] = {"row": worst.row, "at": dict(worst.point)}
        found = held(worst.found, failed)
        counts = {"rows": rows, "compared": worst.compared, "differing": count}
        return json_line({**question.told[k], **counts, **of_worst, **found})
    title = [f"# {question.labels[k]}"] if len(question.outputs) > 1 else []
    checked = f"{rows:,} row{'s' * (rows != 1)} of {where} checked"
    at = ", ".join(f"{name} = {value_text(value)}" for name, value in worst.point.items())
    lines = [*title, f"{checked}, {state(worst, rows)} is row {worst.row:,}: {at}"]
    return "\n".join([*lines, *table(question, k, worst.found, to_check), ""])


def state(worst: Worst, rows: int) -> str:
    """Return in how many rows derivatives can be compared and differ, up to which row is shown."""
    if not worst.compared:
        return "none can be compared; the first"
    some = "" if worst.compared == rows else f"{worst.compared:,} can be compared, "
    count = worst.differing
    return f"{some}{f'the derivatives differ in {count:,}' if count else 'none differs'}; the worst"


def claim_at(
    question: Question,
    by: Mapping[str, int],
    claim: Graph,
    points: Mapping[int, Mapping[str, Value]],
    tolerance: float,
) -> Answer:
    """Return whether a claim is the derivative in all rows, or the first row in which it is not."""
    name, node = only(by)
    for row, point in points.items():
        last = findings(question.graph, (name, node), claim, point, tolerance)[-1]
        if not last.right:
            question.request.failed |= last.sides is None
            if as_json(question):
                return json_line({**question.told[0], "row": row, **claim_held(last, len(points))})
            return f"row {row:,}: {claim_told(question, name, last, 0)}\n"
    if as_json(question):
        return json_line({**question.told[0], "right": True, "rows": len(points)})
    label = f"d{question.names[0] or ''}/d{name}"
    return f"{TICK} this is {label}: it agrees at {len(points):,} rows\n"
