# pyright: basic
"""What a term means: its value in floats as IEEE 754 has them, and in exact numbers.

Exact runs can be made noisy: each result off by a few ulps, the same in every run of that noise. By
how much the answers differ then is how well any float64 arithmetic can know them.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from typing import Any

import numpy as np

from cgraph.autodiff.ops import OPS

from ..autodiff.reference import VALUES, mp, mpf
from .floats import FLOATS
from .structure import MIXING, MOVING, Array, Field, NoTruth
from .terms import HIDDEN, Term, free_params, inputs_of, walk

UNROUNDED = frozenset(
    [
        "neg",
        "abs",
        "sign",
        "floor",
        "ceil",
        "round",
        "trunc",
        "step",
        "where",
        "min",
        "max",
        "clip",
        "relu",
        "checkpoint",
        "stop_gradient",
        "in_training",
        "and",
        "or",
        "not",
        "less",
        "less_equal",
        "greater",
        "greater_equal",
        "equal",
        "not_equal",
    ]
)
LARGE, SMALL = mpf(10) ** 300, mpf(10) ** -290
NOISE = 2.0**-50
FACTORS = 4099


class Floats(Field):
    """float64, as IEEE 754 has it."""

    step = 2.0**-13

    def __init__(self) -> None:
        self.approximate = False

    def lift(self, value: Any) -> Array:
        """Return numbers as an array."""
        return np.asarray(value, dtype=np.float64)

    def each(self, name: str, *args: Array) -> Array:
        """Return an elementwise op."""
        with np.errstate(all="ignore"):
            return np.asarray(FLOATS[name](*args), dtype=np.float64)


@cache
def factors(noise: int) -> Array:
    """Return numbers next to 1, always the same ones."""
    draw = random.Random(noise)
    with mp.workprec(120):
        return np.array([1 + mpf(draw.uniform(-1, 1) * NOISE) for _ in range(FACTORS)])


class Exact(Field):
    """mpmath's numbers; what is not finite is as in IEEE 754. `noise` is 0 for none."""

    step = mpf(2) ** -85

    def __init__(self, noise: int = 0, always: bool = False) -> None:
        self.noise = noise
        self.always = always
        self.calls = 0
        self.ranged = False
        """Whether something was too large or too small for a float64 to go on with."""
        self.factors = factors(noise)

    def lift(self, value: Any) -> Array:
        """Return numbers as an array of exact ones."""
        found = np.asarray(value)
        if found.dtype == object:
            return found
        return np.array([mpf(float(x)) for x in found.flat], dtype=object).reshape(found.shape)

    def each(self, name: str, *args: Array) -> Array:
        """Return an elementwise op, off by the noise."""
        function = np.frompyfunc(exact(name), len(args), 1)
        return self.rounded(name, np.asarray(function(*args), dtype=object))

    def rounded(self, name: str, found: Array) -> Array:
        """Return results as they are, or off by the noise."""
        flat = found.reshape(-1)
        for x in flat:
            if x and mp.isfinite(x) and not SMALL < abs(x) < LARGE:
                self.ranged = True
        if not self.noise or name in UNROUNDED:
            return found
        self.calls += 1
        at = [(self.calls * 31 + k) % FACTORS for k in range(len(flat))]
        noisy = [
            x * factor if self.always or is_long(x) else x
            for x, factor in zip(flat, self.factors[at], strict=True)
        ]
        return np.array(noisy, dtype=object).reshape(found.shape)


def is_long(x: Any) -> bool:
    """Tell whether a number is no float64."""
    return bool(mp.isfinite(x)) and x.man_exp[0].bit_length() > 53


def to_float(x: Any) -> float:
    """Return the nearest float64; what is too large is infinite."""
    try:
        return float(x)
    except OverflowError:
        return math.inf if x > 0 else -math.inf


CACHE: dict[str, Callable[..., Any]] = {}


def exact(name: str) -> Callable[..., Any]:
    """Return an op on exact numbers; where these end, as floats have it."""
    if name not in CACHE:
        CACHE[name] = _exact(name)
    return CACHE[name]


def _exact(name: str) -> Callable[..., Any]:
    if name == "stop_gradient":
        return lambda x: x
    if name not in VALUES:
        raise NoTruth(name)
    function, unsure = VALUES[name], name in ("polygamma", "dsinc")

    def op(*args: Any) -> Any:
        if unsure and not all(abs(x) < 1e4 for x in args):
            raise NoTruth(name)
        if name == "where":
            return args[1] if args[0] != 0 else args[2]
        found = mp.nan
        if not any(map(mp.isnan, args)):
            with suppress(ArithmeticError, ValueError):
                found = mpf(function(*args))
        if mp.isfinite(found) or any(map(is_long, args)):
            return found
        return in_floats(name, args)

    return op


def in_floats(name: str, args: tuple[Any, ...]) -> Any:
    """Return an op of numbers that are floats, as floats have it."""
    if name not in FLOATS:
        raise NoTruth(name)
    with np.errstate(all="ignore"):
        return mpf(float(FLOATS[name](*[np.float64(to_float(x)) for x in args])))


Env = Mapping[str, Array]


def stops(term: Term) -> list[Term]:
    """Return the terms by which nothing is differentiated. Raises `NoTruth` for bodies."""
    found = [one for one in walk(term) if one.op == "stop_gradient"]
    if any(map(free_params, found)):
        raise NoTruth("stop_gradient in a body")
    return found


class Meaning:
    """The values of terms in a field, at values for the inputs."""

    def __init__(self, field: Any, env: Env, memo: dict[Term, Array] | None = None) -> None:
        self.field = field
        self.env = {name: field.lift(value) for name, value in env.items()}
        self.memo: dict[Term, Array] = {} if memo is None else memo

    def of(self, term: Term) -> Array:
        """Return the value of a term."""
        if term in self.memo:
            return self.memo[term]
        found = self.found(term)
        self.memo[term] = found
        return found

    def found(self, term: Term) -> Array:
        """Return the value of a term that is not known yet."""
        field = self.field
        match term.op:
            case "input" | "param":
                return self.env[str(term.attrs["name"])]
            case "number":
                return field.lift(term.attrs["value"])
            case "call" | "for" | "each":
                return self.repeated(term)
            case "d" | "gradient" | "hessian":
                return self.differentiated(term)
            case "if" if not inputs_of(term.args[0]) and not free_params(term.args[0]):
                taken = np.all(self.of(term.args[0]) != 0)
                return self.of(term.args[1] if taken else term.args[2])
            case "if":
                return field.each("where", *[self.of(arg) for arg in term.args])
        args = [self.of(arg) for arg in term.args]
        attrs = {k: v for k, v in term.attrs.items() if k not in HIDDEN}
        if term.op == "index":
            attrs["index"] = [self.index_part(part) for part in attrs["index"]]
        if term.op in MOVING:
            return MOVING[term.op](field, *args, **attrs)
        if term.op in MIXING:
            args = [field.rounded("", arg) if isinstance(field, Exact) else arg for arg in args]
            return np.asarray(MIXING[term.op](field, *args, **attrs))
        if term.op in FLOATS:
            return field.each(term.op, *args)
        return self.by_own_form(term, args)

    def by_own_form(self, term: Term, args: list[Array]) -> Array:
        """Return the value of an op that nothing independent is known of, which is no truth."""
        row = OPS.get(term.op)
        if row is None or not isinstance(self.field, Floats):
            raise NoTruth(term.op)
        self.field.approximate = True
        attrs = [term.attrs.get(attr.name, attr.default) for attr in row.attributes]
        with np.errstate(all="ignore"):
            return np.asarray(row.on_arrays()(*args, *attrs), dtype=np.float64)

    def index_part(self, part: Any) -> Any:
        """Return a part of an index, in which a counter has its value."""
        if isinstance(part, tuple):
            counter = self.env[part[0]][()]
            return int(float(getattr(counter, "number", counter))) - int(part[1])
        return part

    def repeated(self, term: Term) -> Array:
        """Return what a body comes to: once, in a loop, or for each item."""
        assert term.body is not None
        params = term.attrs["params"]
        args = [self.of(arg) for arg in term.args]
        match term.op:
            case "call":
                return self.inside(term.body, dict(zip(params, args, strict=True)))
            case "for":
                state = args[0]
                for k in range(1, int(term.attrs["count"]) + 1):
                    counter = self.field.lift(float(k))
                    state = self.inside(term.body, {params[0]: state, params[1]: counter})
                return state
        first, last = term.attrs["range"]
        counters = [self.field.lift(float(k)) for k in range(first, last + 1)]
        items = [self.inside(term.body, {params[0]: counter}) for counter in counters]
        if term.attrs["fold"] == "stack":
            return np.stack(items)
        name = {"sum": "add", "prod": "mul"}.get(term.attrs["fold"], term.attrs["fold"])
        found = items[0]
        for item in items[1:]:
            found = self.field.each(name, found, item)
        return found

    def inside(self, body: Term, given: Env) -> Array:
        """Return a body's value; what no parameter is in keeps the value that it has outside."""
        closed = {term: value for term, value in self.memo.items() if not free_params(term)}
        return Meaning(self.field, {**self.env, **given}, closed).of(body)

    def shifted(self, term: Term, name: str, at: tuple[int, ...], by: Any) -> Any:
        """Return a number with an entry of an input shifted."""
        moved = np.array(self.env[name])
        moved[at] = moved[at] + by
        return self.moved(term, {**self.env, name: moved}).of(term)[()]

    def moved(self, term: Term, env: Env) -> Meaning:
        """Return the meaning at other inputs; what is stopped stays, and so does the noise."""
        stopped = {one: self.of(one) for one in stops(term)}
        if isinstance(self.field, Exact):
            self.field.calls = 0
        return Meaning(self.field, env, stopped)

    def differentiated(self, term: Term) -> Array:
        """Return derivatives, as differences."""
        (of,) = term.args
        by = term.attrs["by"]
        if isinstance(self.field, Floats):
            self.field.approximate = True
        elif not isinstance(self.field, Exact):
            raise NoTruth("what reaches a derivative")
        if term.op == "d":
            name = by[0]
            order = term.attrs["order"]
            found = [
                self.slope(of, name, at) if order == 1 else self.bend(of, (name, at), (name, at))
                for at in np.ndindex(self.env[name].shape)
            ]
            return np.array(found, dtype=self.env[name].dtype).reshape(self.env[name].shape)
        if term.op == "gradient":
            return np.array([self.slope(of, name, ()) for name in by], self.env[by[0]].dtype)
        rows = [[self.bend(of, (one, ()), (two, ())) for two in by] for one in by]
        return np.array(rows, dtype=self.env[by[0]].dtype)

    def scale(self, name: str, at: tuple[int, ...]) -> Any:
        """Return a step that is small beside an entry."""
        size = abs(self.env[name][at])
        return self.field.step * (size if 0 < size < math.inf else 1)

    def slope(self, term: Term, name: str, at: tuple[int, ...]) -> Any:
        """Return the derivative by an entry of an input. Raises `NoTruth` at a kink."""
        h = self.scale(name, at)
        below, here, above = (self.shifted(term, name, at, s * h) for s in (-1, 0, 1))
        if isinstance(self.field, Exact):
            left, right = (here - below) / h, (above - here) / h
            size = abs(left) + abs(right)
            if not mp.isfinite(size) or abs(left - right) > size * mpf(2) ** -30 + mpf(2) ** -40:
                raise NoTruth("a kink inside of d()")
        return (above - below) / (2 * h)

    def bend(self, term: Term, one: tuple[str, Any], two: tuple[str, Any]) -> Any:
        """Return the second derivative by two entries."""
        h = self.scale(*two)
        moved = []
        for sign in (1, -1):
            there = np.array(self.env[two[0]])
            there[two[1]] = there[two[1]] + sign * h
            moved.append(self.moved(term, {**self.env, two[0]: there}).slope(term, *one))
        return (moved[0] - moved[1]) / (2 * h)
