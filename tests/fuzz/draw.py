"""Random formulas: ops drawn from the table itself, arguments that mostly are in their domains."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from cgraph.autodiff.ops import OPS, Attr, Builtin, Composition, Op, rows
from cgraph.autodiff.ops.table import REAL, REQUIRED

from ..autodiff.samples import domain, inside
from .floats import FLOATS
from .meaning import Floats as FloatField
from .meaning import Meaning
from .structure import NoTruth
from .terms import Case, Floats, Term, free_params, inputs_of, walk

SPECIAL = (0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, 1e200, -1e200, 1e-200)
PLAIN = (0.0, 1.0, 2.0, 3.0, 0.5, -1.0, -1.5, -2.0)
EQUATIONS = ("ij,jk->ik", "ij,j->i", "ij->ji", "ij->", "ii->i", "ii->", "i,j->ij", "i,i->")
MORE = ("bij,bjk->bik", "bij,bj->bi", "ij,ij->i", "ij->j", "i,ij,j->", "i->", "ij,kj->ik")
LARGEST = 18
"""The most entries that a value has."""
DERIVED = (
    *("bounded", "direction", "dpow", "dsinc", "leg", "legs", "powlog", "unit"),
    *("matmul_reached", "einsum_reached"),
)
"""What derivatives are made of: the derivatives are held to differences instead."""
UNDRAWN = (*DERIVED, "constant", "placeholder", "dropped", "dropout", "batch_norm", "in_training")
"""Besides: leaves; what draws random numbers or says of training what has tests of its own."""
COMMON = ("add", "sub", "mul", "div", "pow", "where", "max", "min", "neg", "matmul", "sum", "index")


def known() -> list[Builtin]:
    """Return what formulas can be made of: all that the table has."""
    found = [*OPS.values(), *(row for row in rows() if isinstance(row, Composition))]
    return [row for row in found if row.name not in UNDRAWN]


def elementwise() -> list[Builtin]:
    """Return what numbers can be made of."""
    return [row for row in known() if isinstance(row, Op) and row.move is None]


class Pool:
    """The terms that there are to draw from, with their values."""

    def __init__(self, draw: random.Random, env: dict[str, Floats], terms: Sequence[Term]) -> None:
        self.draw = draw
        self.env = env
        self.terms = list(terms)
        self.values: dict[Term, Floats] = {}

    def value(self, term: Term) -> Floats:
        """Return the value of a term, in floats."""
        if term not in self.values:
            with np.errstate(all="ignore"):
                self.values[term] = Meaning(FloatField(), self.env).of(term)
        return self.values[term]

    def pick(self, fits: Callable[[Floats], bool] = lambda _: True) -> Term | None:
        """Return a term that fits, a late one rather."""
        fitting = [one for one in self.terms if fits(self.value(one))]
        if not fitting:
            return None
        return self.draw.choice([*fitting, *fitting[-2:] * 3])


class Drawer:
    """Draws one formula."""

    def __init__(self, seed: int, arrays: bool) -> None:
        self.draw = random.Random(f"{seed} {arrays}")
        self.arrays = arrays
        self.rows = known() if arrays else elementwise()
        self.common = [row for row in self.rows if row.name in COMMON]
        self.moving = [row for row in self.rows if not isinstance(row, Op) or row.move is not None]
        self.wild = self.draw.random() < 0.3
        """Whether inputs are of any kind, or tame."""
        self.made = 0

    # -- leaves -----------------------------------------------------------------------------------

    def number(self) -> float:
        """Return a number."""
        if self.wild and self.draw.random() < 0.4:
            return self.draw.choice(SPECIAL)
        if self.draw.random() < 0.3:
            return self.draw.choice(PLAIN)
        return round(self.draw.uniform(-3.0, 3.0), self.draw.choice((1, 3, 15)))

    def array(self, shape: tuple[int, ...]) -> Floats:
        """Return an array of numbers, sometimes with equal ones."""
        found = np.array([self.number() for _ in range(math.prod(shape))])
        if self.draw.random() < 0.15 and found.size > 1:
            found[:] = found[0]
        return found.reshape(shape)

    def shape(self) -> tuple[int, ...]:
        """Return a shape."""
        m, n = self.draw.choice((1, 2, 2, 3)), self.draw.choice((1, 2, 2, 3))
        shapes: list[tuple[int, ...]] = [(), (n,), (n,), (m, n), (n, n), (2, n, n), (1, n), (m, 1)]
        return self.draw.choice(shapes) if self.arrays else ()

    def case(self) -> Case:
        """Return a formula with values for its inputs."""
        names = "xyz"[: self.draw.randint(1, 3)]
        point = {name: self.array(self.shape()) for name in names}
        if self.arrays and all(value.ndim == 0 for value in point.values()):
            point[names[0]] = self.array((2,))
        inputs = [Term("input", attrs={"name": name}) for name in names]
        pool = Pool(self.draw, point, inputs)
        self.grow(pool, self.draw.randint(2, 9))
        term = self.last(pool)
        named = [one for one in pool.terms if one.op not in ("input", "number")]
        chosen = [one for one in named if self.draw.random() < 0.25]
        return Case(term, point, frozenset(chosen))

    def last(self, pool: Pool) -> Term:
        """Return the term that the formula is: the last one that depends on an input."""
        for term in reversed(pool.terms):
            if inputs_of(term) and term.op != "input":
                return term
        return Term("add", (pool.terms[0], pool.terms[0]))

    # -- growing ----------------------------------------------------------------------------------

    def grow(self, pool: Pool, count: int, plain: bool = False) -> None:
        """Add terms to a pool."""
        for _ in range(count):
            for _ in range(12):
                term = self.special(pool) if not plain and self.draw.random() < 0.14 else None
                term = term or self.operation(pool)
                if term is not None and self.holds(pool, term):
                    pool.terms.append(term)
                    break

    def holds(self, pool: Pool, term: Term) -> bool:
        """Tell whether a term is well formed and of a size and of values to go on with."""
        if free_params(term) - pool.env.keys():
            return False
        try:
            with np.errstate(all="ignore"):
                value = pool.value(term)
        except (ValueError, TypeError, IndexError, NoTruth, np.exceptions.AxisError):
            return False
        if not 0 < value.size <= LARGEST or value.ndim > 3:
            return False
        if np.isnan(value).all() and self.draw.random() < 0.95:
            return False
        return bool(np.isfinite(value).any()) or self.draw.random() < 0.3

    def operation(self, pool: Pool) -> Term | None:
        """Return an op of the table at arguments of the pool, None where none fit."""
        dice = self.draw.random()
        among = self.common if dice < 0.35 else self.moving if dice < 0.6 else self.rows
        row = self.draw.choice(among or self.rows)
        most = row.most if row.most is not None else row.least + self.draw.randint(0, 2)
        args = [self.argument(pool, row, k) for k in range(max(most, row.least))]
        if not all(args):
            return None
        nodes = [arg for arg in args if arg is not None]
        attrs = {attr.name: self.attribute(pool, attr, nodes) for attr in row.attributes}
        attrs = {
            attr.name: attrs[attr.name]
            for attr in row.attributes
            if attr.default == REQUIRED or row.name in ("transpose",) or self.draw.random() < 0.6
        }
        if row.name == "transpose" and (self.draw.random() < 0.5 or "axes" not in attrs):
            attrs["axes"] = None
        if row.name == "where":
            attrs["infix"] = self.draw.random() < 0.3
        if row.listed and len(nodes) > 1:
            attrs["listed"] = self.draw.random() < 0.5
        return Term(row.name, tuple(nodes), attrs)

    def argument(self, pool: Pool, row: Builtin, k: int) -> Term | None:
        """Return the argument at place k: mostly one at which the op has a value."""
        allowed = domain(row, k) if isinstance(row, Op) else REAL
        if allowed.whole:
            return Term("number", attrs={"value": float(self.draw.randint(0, 3))})
        if row.name == "outer":
            return pool.pick(lambda value: value.ndim == 1)
        if (k and row.name in COMMON and self.draw.random() < 0.25) or self.draw.random() < 0.06:
            return Term("number", attrs={"value": self.number()})
        if row.name in ("pick", "cross_entropy", "one_hot") and k == max(row.least - 1, 0):
            return self.labels(pool)
        if not isinstance(row, Op):
            return pool.pick()
        if row.name == "trace":
            return pool.pick(lambda value: value.ndim == 2)
        if row.move is not None and row.name in ("det", "logdet", "inv", "solve", "cofactors"):
            return pool.pick(square_matrices) if k == 0 else pool.pick()
        if self.draw.random() < 0.12:
            return pool.pick()
        return pool.pick(lambda v: bool(all(inside(allowed, float(x)) for x in v.flat)))

    def labels(self, pool: Pool) -> Term:
        """Return labels, or weights."""
        other = pool.pick()
        if other is not None and self.draw.random() < 0.3:
            return other
        size = self.draw.choice((1, 2, 3))
        value: Any = np.array([float(self.draw.randint(0, 1)) for _ in range(size)])
        return Term("number", attrs={"value": value})

    def attribute(self, pool: Pool, attr: Attr, args: Sequence[Term]) -> Any:
        """Return a value for an attribute, by its kind."""
        shape = pool.value(args[0]).shape if args else ()
        axis = self.draw.randint(-len(shape), len(shape) - 1) if shape else 0
        match attr.kind:
            case "axis" if attr.name == "axis" and attr.default is None and len(shape) > 1:
                axes = tuple(sorted(self.draw.sample(range(len(shape)), 2)))
                return self.draw.choice([axis, axes, axis])
            case "axis":
                return axis
            case "axes":
                return tuple(self.draw.sample(range(len(shape)), len(shape)))
            case "flag":
                return self.draw.random() < 0.5
            case "whole":
                return self.draw.randint(int(attr.least or 0), 3)
            case "number":
                return self.draw.choice((1.0, 2.0, 0.5))
            case "text":
                return self.draw.choice((*EQUATIONS, *MORE))
            case "index":
                return self.index(shape) or [None]
            case "shape":
                return self.other_shape(shape)
            case "serial":
                return None

    def index(self, shape: tuple[int, ...]) -> list[Any]:
        """Return an index of an array of a shape."""
        parts: list[Any] = []
        if not shape:
            return parts
        for size in shape[: self.draw.randint(1, max(len(shape), 1))]:
            whole = self.draw.randint(-size, size - 1)
            parts.append(self.draw.choice([whole, *SLICES]))
        if self.draw.random() < 0.2:
            parts.insert(self.draw.randint(0, len(parts)), None)
        if self.draw.random() < 0.1:
            parts.append(...)
        return parts

    def other_shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """Return a shape that goes with another one."""
        size = math.prod(shape)
        whole = [(size,), (1, size), (size, 1), (1, *shape), (2, *shape), shape[1:], (2,), (3, 2)]
        ones = tuple(1 if self.draw.random() < 0.5 else n for n in shape)
        return self.draw.choice([*whole, ones, shape[::-1]])

    # -- what only texts have ---------------------------------------------------------------------

    def special(self, pool: Pool) -> Term | None:
        """Return a call of a function, a block, a loop, a comprehension or a derivative."""
        made = self.draw.choice((self.call, self.block, self.loop, self.each, self.derivative))
        return made(pool)

    def fresh(self, kind: str) -> str:
        """Return a new name."""
        self.made += 1
        return f"{kind}{self.made}"

    def inner(self, pool: Pool, env: dict[str, Floats], outside: Sequence[Term]) -> Pool:
        """Return a pool for a body: its parameters and some terms from outside."""
        params = [Term("param", attrs={"name": name}) for name in env]
        return Pool(self.draw, {**pool.env, **env}, [*outside, *params])

    def call(self, pool: Pool) -> Term | None:
        """Return a call of a function of the user."""
        args = [pool.pick() for _ in range(self.draw.randint(1, 2))]
        values = [pool.value(arg) for arg in args if arg is not None]
        env = {self.fresh("u"): value for value in values}
        inner = self.inner(pool, env, ())
        self.grow(inner, self.draw.randint(1, 3), plain=True)
        attrs = {"name": self.fresh("f"), "params": tuple(env)}
        return Term("call", tuple(arg for arg in args if arg), attrs, inner.terms[-1])

    def block(self, pool: Pool) -> Term | None:
        """Return an if-block."""
        args = [pool.pick(), pool.pick(), pool.pick()]
        limit = Term("number", attrs={"value": self.draw.choice((0.0, 1.0, 0.5))})
        nodes = [arg for arg in args if arg is not None]
        kinds = {one.op for one in walk(nodes[0])}
        if not inputs_of(nodes[0]) and pool.value(nodes[0]).ndim:
            return None
        if nodes[1] is nodes[2] or kinds & {"d", "gradient", "hessian", "len"}:
            return None  # One node, or a condition that may be known while the text is read.
        name = self.draw.choice(("less", "greater", "less_equal", "not_equal"))
        return Term("if", (Term(name, (nodes[0], limit)), *nodes[1:]))

    def loop(self, pool: Pool) -> Term | None:
        """Return a loop that changes one name."""
        start = pool.pick()
        assert start is not None
        state, counter = self.fresh("s"), self.fresh("k")
        env = {state: pool.value(start), counter: np.asarray(1.0)}
        inner = self.inner(pool, env, [one for one in pool.terms if one.op in ("input", "number")])
        self.grow(inner, self.draw.randint(1, 3), plain=True)
        body = inner.terms[-1]
        attrs = {"params": (state, counter), "count": self.draw.randint(1, 3)}
        fits = inner.value(body).shape == pool.value(start).shape and state in free_params(body)
        return Term("for", (start,), attrs, body) if fits else None

    def each(self, pool: Pool) -> Term | None:
        """Return what is made from the items of a comprehension."""
        counter = self.fresh("k")
        first = self.draw.randint(0, 1)
        last = first + self.draw.randint(0, 2)
        env = {counter: np.asarray(float(first))}
        inner = self.inner(pool, env, [one for one in pool.terms if one.op in ("input", "number")])
        whole = pool.pick(lambda value: value.ndim > 0 and value.shape[0] > last - first)
        if whole is not None and self.draw.random() < 0.7:
            inner.terms.append(Term("index", (whole,), {"index": [(counter, first)]}))
        self.grow(inner, self.draw.randint(1, 2), plain=True)
        fold = self.draw.choice(("sum", "prod", "max", "min", "stack" if self.arrays else "sum"))
        attrs = {"params": (counter,), "range": (first, last), "fold": fold}
        body = inner.terms[-1]
        return Term("each", (), attrs, body) if counter in free_params(body) else None

    def derivative(self, pool: Pool) -> Term | None:
        """Return a derivative inside of the formula, of a number."""
        of = pool.pick()
        if of is None or free_params(of) or not inputs_of(of):
            return None
        if pool.value(of).ndim:
            of = Term("sum", (of,))
        names = inputs_of(of)
        numbers = [name for name in names if pool.env[name].ndim == 0]
        kind = self.draw.choice(("d", "d", "gradient", "hessian"))
        if kind != "d" and numbers:
            return Term(kind, (of,), {"by": tuple(numbers)}) if self.arrays else None
        name = self.draw.choice(names)
        twice = name in numbers and self.draw.random() < 0.3
        return Term("d", (of,), {"by": (name,), "order": 2 if twice else 1})


SLICES = (slice(None), slice(1, None), slice(None, -1), slice(None, None, -1), slice(None, None, 2))


def square_matrices(value: Floats) -> bool:
    """Tell whether an array is a square matrix or a stack of them."""
    return value.ndim >= 2 and value.shape[-1] == value.shape[-2]


def truthless() -> list[str]:
    """Return the elementwise ops of the table that nothing independent is known of."""
    return [row.name for row in elementwise() if row.name not in FLOATS]
