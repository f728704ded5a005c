# pyright: basic
"""Which entries of inputs reach an entry of the value: by what each op reads, and by what it takes.

Where there is no value there is no derivative, and nowhere else: an entry that reaches no nan has
the derivative that it has without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .floats import FLOATS
from .meaning import Meaning
from .structure import Array, Field, NoTruth
from .terms import Case, Floats, inputs_of

FLAT = frozenset(
    [
        "sign",
        "floor",
        "ceil",
        "round",
        "trunc",
        "step",
        "and",
        "or",
        "not",
        "stop_gradient",
        "less",
        "less_equal",
        "greater",
        "greater_equal",
        "equal",
        "not_equal",
        "min",
        "max",
        "clip",
        "relu",
        "leaky_relu",
        "elu",
        "in_training",
    ]
)
"""Ops by which an argument may have no derivative: what reaches a nan through one is left open."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A number, the entries that may reach it, and those that certainly do."""

    number: float
    may: int
    does: int

    def __add__(self, other: Any) -> Any:
        return joined("add", self, as_mark(other))

    def __radd__(self, other: Any) -> Any:
        return self + other

    def __mul__(self, other: Any) -> Any:
        return joined("mul", self, as_mark(other))

    def __rmul__(self, other: Any) -> Any:
        return self * other


def as_mark(value: Any) -> Mark:
    """Return a number as one that nothing reaches."""
    return value if isinstance(value, Mark) else Mark(float(value), 0, 0)


def joined(name: str, *args: Mark) -> Mark:
    """Return an op at marks."""
    with np.errstate(all="ignore"):
        number = float(FLOATS[name](*[np.float64(arg.number) for arg in args]))
    may = does = 0
    for arg in args:
        may |= arg.may
        does |= arg.does
    if name == "where":
        does = args[1 if args[0].number != 0 else 2].does
    return Mark(number, may, 0 if name in FLAT else does)


def boxed(marks: list[Any], shape: tuple[int, ...]) -> Array:
    """Return marks as an array."""
    found = np.empty(len(marks), dtype=object)
    for k, mark in enumerate(marks):
        found[k] = mark
    return found.reshape(shape)


class Marks(Field):
    """Numbers that know what reaches them."""

    step = 0.0

    def lift(self, value: Any) -> Array:
        """Return numbers that nothing reaches."""
        found = np.asarray(value)
        if found.dtype == object:
            return found
        return boxed([Mark(float(x), 0, 0) for x in found.flat], found.shape)

    def each(self, name: str, *args: Array) -> Array:
        """Return an elementwise op."""
        if name not in FLOATS:
            raise NoTruth(name)
        marks = [self.lift(arg) for arg in args]
        shape = np.broadcast_shapes(*(one.shape for one in marks))
        rows = zip(*(np.broadcast_to(one, shape).flat for one in marks), strict=True)
        return boxed([joined(name, *map(as_mark, row)) for row in rows], shape)


Entries = Mapping[str, Floats]


def reached(case: Case) -> tuple[Entries, Entries]:
    """Return which entries may reach a value that is not finite, and which do reach a nan.

    Each is 1 or 0 for each entry of each input. Raises `NoTruth`.
    """
    field = Marks()
    env: dict[str, Array] = {}
    bit = 1
    for name in inputs_of(case.term):
        marks = []
        for x in case.point[name].flat:
            marks.append(Mark(float(x), bit, bit))
            bit <<= 1
        env[name] = boxed(marks, case.point[name].shape)
    may = does = 0
    for mark in np.asarray(Meaning(field, env).of(case.term)).flat:
        found = as_mark(mark)
        if not np.isfinite(found.number):
            may |= found.may
            does |= found.does if np.isnan(found.number) else 0
    return spread_out(case, may), spread_out(case, does)


def spread_out(case: Case, bits: int) -> Entries:
    """Return the bits by entry."""
    found: dict[str, Floats] = {}
    for name in inputs_of(case.term):
        shape = case.point[name].shape
        size = case.point[name].size
        found[name] = np.array([float(bits >> k & 1) for k in range(size)]).reshape(shape)
        bits >>= size
    return found
