# pyright: basic
"""Points at which a convention is declared, by op: where a formula needs one there.

Only what is selected counts: the branch that is not taken contributes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .meaning import Floats as FloatField
from .meaning import Meaning
from .structure import ALGEBRA, NoTruth
from .terms import Case, Term


def at(*points: float) -> Callable[..., bool]:
    """Return a test for one of the points in the first argument."""
    return lambda x, *more: bool(np.isin(np.asarray(x), points).any())


def tied(*args: Any) -> bool:
    """Tell whether two arguments are equal somewhere."""
    pairs = [(a, b) for k, a in enumerate(args) for b in args[k + 1 :]]
    return any(bool(np.any(np.equal(a, b))) for a, b in pairs)


def tied_elements(x: Any) -> bool:
    """Tell whether elements are equal."""
    return np.unique(x).size < np.size(x)


def jumps(x: Any) -> bool:
    """Tell whether twice a number is whole."""
    return bool(np.any(2 * np.asarray(x) == np.floor(2 * np.asarray(x))))


def both_zero(x: Any, y: Any) -> bool:
    """Tell whether both are zero somewhere."""
    return bool(np.any((np.equal(x, 0)) & (np.equal(y, 0))))


def singular(x: Any, *more: Any) -> bool:
    """Tell whether a matrix has no inverse, or nearly so."""
    return bool(np.any(np.abs(np.linalg.det(x)) < 1e-12)) if np.isfinite(x).all() else True


COMPARISONS = ("less", "less_equal", "greater", "greater_equal", "equal", "not_equal")

AWKWARD: dict[str, Callable[..., bool]] = {
    **dict.fromkeys(("abs", "sign", "step", "relu", "leaky_relu", "elu", "sqrt", "cbrt"), at(0)),
    **dict.fromkeys(("log", "log2", "log10", "acot", "not", "asech", "acsch"), at(0, 1)),
    **dict.fromkeys(
        ("asin", "acos", "atanh", "acosh", "acsc", "asec", "acoth", "log1p"), at(1, -1)
    ),
    **dict.fromkeys(("floor", "ceil", "round", "trunc"), jumps),
    **dict.fromkeys(("min", "max", "clip", *COMPARISONS), tied),
    **dict.fromkeys(("hypot", "atan2"), both_zero),
    **dict.fromkeys(("pow", "root", "xlogy", "and", "or"), lambda x, y: at(0)(x) or at(0)(y)),
    **dict.fromkeys(ALGEBRA, singular),
    "mod": lambda x, y: True,
    **dict.fromkeys(("largest", "smallest"), lambda x, *_: tied_elements(x)),
    **dict.fromkeys(("norm", "std"), lambda x, *_: tied_elements(np.append(x, 0.0))),
}


def is_awkward(case: Case) -> bool:
    """Tell whether what is selected in a formula needs a convention at its point."""
    meaning = Meaning(FloatField(), case.point)
    try:
        with np.errstate(all="ignore"):
            return any(awkward(meaning, term) for term in selected(meaning, case.term))
    except NoTruth:
        return True


def selected(meaning: Meaning, term: Term) -> list[Term]:
    """Return the terms that a term is made from, without branches that are taken nowhere."""
    found: dict[Term, None] = {}
    stack = [term]
    while stack:
        one = stack.pop()
        if one in found:
            continue
        found[one] = None
        args = list(one.args)
        if one.op in ("where", "if"):
            condition = meaning.of(args[0]) != 0
            args = [args[0], *args[1:2] * bool(np.any(condition))]
            args += one.args[2:] * (not np.all(condition))
        stack.extend(args)
    return list(found)


class Watching(FloatField):
    """Floats that notice ops at points where they need a convention."""

    def __init__(self) -> None:
        super().__init__()
        self.seen = False

    def each(self, name: str, *args: Any) -> Any:
        """Return an elementwise op."""
        self.seen |= name in AWKWARD and AWKWARD[name](*args)
        return super().each(name, *args)


def awkward(meaning: Meaning, term: Term) -> bool:
    """Tell whether an op needs a convention at its arguments, or one that a body repeats does."""
    if term.op in ("d", "gradient", "hessian"):
        return any(awkward(meaning, one) for one in selected(meaning, term.args[0]))
    if term.body is not None:
        watching = Watching()
        Meaning(watching, meaning.env).of(term)
        return watching.seen
    test = AWKWARD.get(term.op)
    return test is not None and test(*[meaning.of(arg) for arg in term.args])
