"""A finding made small: parts of a formula replaced by simpler ones while it is still found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from .checks import Finding, look_at
from .meaning import Floats as FloatField
from .meaning import Meaning
from .structure import NoTruth
from .terms import LEAVES, Case, Floats, Term, free_params, inputs_of, walk

TRIES = 120
SIMPLE = (1.0, 2.0, 0.5, 0.0, -1.0)


def shrunk(finding: Finding, tries: int = TRIES) -> Finding:
    """Return the smallest formula found at which the same comparison fails alike."""
    best = finding
    left = tries
    while left:
        for case in smaller(best.case):
            left -= 1
            found = again(case, best)
            if found is not None:
                best = found
                break
            if not left:
                return best
        else:
            return best
    return best


def again(case: Case, finding: Finding) -> Finding | None:
    """Return the finding of the same kind at another formula, None where there is none."""
    if not inputs_of(case.term):
        return None
    found = look_at(case, finding.check).findings
    same = (one for one in found if one.kind == finding.kind)
    reason = finding.found.split(":")[0] if "exception" in finding.kind else ""
    return next((one for one in same if one.found.startswith(reason)), None)


def smaller(case: Case) -> Iterator[Case]:
    """Yield simpler formulas, the simplest first."""
    if case.named:
        yield replace(case, named=frozenset())
    inner = [one for one in walk(case.term) if one.op not in LEAVES and not free_params(one)]
    for term in inner[:-1]:
        yield replace(case, term=term)
    meaning = Meaning(FloatField(), case.point)
    for old in reversed(inner):
        for new in instead(meaning, old):
            yield replace(case, term=swapped(case.term, old, new))
    yield from simpler_points(case)


def instead(meaning: Meaning, old: Term) -> Iterator[Term]:
    """Yield simpler terms of the shape of a term."""
    try:
        shape = meaning.of(old).shape
        parts = [arg for arg in old.args if meaning.of(arg).shape == shape]
    except (NoTruth, ValueError):
        return
    yield from parts
    if not shape:
        yield Term("number", attrs={"value": 2.0})


def swapped(term: Term, old: Term, new: Term) -> Term:
    """Return a term with another one in the place of one in it."""
    made: dict[Term, Term] = {}
    for one in walk(term):
        if one is old:
            made[one] = new
            continue
        args = tuple(made[arg] for arg in one.args)
        body = None if one.body is None else made[one.body]
        changed = body is not one.body or any(
            a is not b for a, b in zip(args, one.args, strict=True)
        )
        made[one] = replace(one, args=args, body=body) if changed else one
    return made[term]


def simpler_points(case: Case) -> Iterator[Case]:
    """Yield the formula at simpler points."""
    for name in inputs_of(case.term):
        value = case.point[name]
        for at in np.ndindex(value.shape):
            for simple in SIMPLE[: 5 if float(value[at]) not in SIMPLE else 0]:
                yield replace(case, point={**case.point, name: with_entry(value, at, simple)})


def with_entry(value: Floats, at: tuple[int, ...], entry: float) -> Floats:
    """Return an array with another entry."""
    found = np.array(value)
    found[at] = entry
    return found
