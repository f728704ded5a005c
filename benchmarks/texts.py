"""Text to numbers: read a formula of many terms, differentiate it by ten inputs, evaluate both.

A process for each peer and size, ended where it takes too long. Those that have no reader of their
own are fed through Python's: a statement a term, for it does not read long sums.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from .apart import apart, settle
from .peers import imported, is_installed
from .report import Point, Row, duration, seconds

SIZES = (100, 1_000, 10_000, 100_000)
CAP = 30.0
"""Seconds that a text may take."""

GROWTH = 10
"""How much longer a text takes than the one before, at least."""

ROUNDS, ENOUGH = 5, 5.0
INPUTS = tuple(f"x{k}" for k in range(10))

Answer = tuple[float, Sequence[float]]


class Terms(NamedTuple):
    """The terms `sin(x_i*c)*exp(-x_j^2)/(1+x_k^2)` of a text, no two of them the same."""

    i: Any
    c: Any
    j: Any
    k: Any

    def __str__(self) -> str:
        told = zip(*(part.tolist() for part in self), strict=True)
        return " + ".join(f"sin(x{i}*{c})*exp(-x{j}^2)/(1+x{k}^2)" for i, c, j, k in told)

    def at(self, x: Any) -> Answer:
        """Return value and gradient, by hand."""
        s, e, q = np.sin(x[self.i] * self.c), np.exp(-(x[self.j] ** 2)), 1 + x[self.k] ** 2
        found = np.zeros(len(INPUTS))
        np.add.at(found, self.i, self.c * np.cos(x[self.i] * self.c) * e / q)
        np.add.at(found, self.j, -2 * x[self.j] * s * e / q)
        np.add.at(found, self.k, -2 * x[self.k] * s * e / q**2)
        return float((s * e / q).sum()), found.tolist()


def drawn(count: int) -> Terms:
    """Return so many terms, drawn; ten have all inputs."""
    draw = np.random.default_rng(0)
    i, (j, k) = np.arange(count) % len(INPUTS), draw.integers(0, len(INPUTS), (2, count))
    return Terms(i, np.round(0.1 + np.arange(count) / count, 6), j, k)


def by_cgraph(text: str, point: Sequence[float]) -> Answer:
    """Return value and gradient of a text by cgraph."""
    from cgraph import value_and_grad

    value, gradient = value_and_grad(text, dict(zip(INPUTS, point, strict=True)))
    return value, [gradient[name] for name in INPUTS]


def program(text: str) -> str:
    """Return a text as Python statements, a term each."""
    return "total = " + pythonic(text).replace(" + ", "\ntotal += ")


def pythonic(text: str) -> str:
    """Return a text with Python's sign for powers."""
    return text.replace("^", "**")


def total(code: Any, inputs: Sequence[Any], sin: Any, exp: Any) -> Any:
    """Return what the statements find, with some library's functions."""
    names = dict(zip(INPUTS, inputs, strict=True)) | {"sin": sin, "exp": exp}
    exec(code, names)
    return names["total"]


def by_casadi(text: str, point: Sequence[float]) -> Answer:
    """Return value and gradient of a text by CasADi."""
    casadi: Any = imported("casadi")
    x = casadi.SX.sym("x", len(INPUTS))
    value = total(program(text), casadi.vertsplit(x), casadi.sin, casadi.exp)
    run = casadi.Function("f", [x], [value, casadi.gradient(value, x)])
    found, gradient = run(point)
    return float(found), gradient.full().ravel()


def by_symengine(text: str, point: Sequence[float]) -> Answer:
    """Return value and gradient of a text by SymEngine."""
    symengine: Any = imported("symengine")
    symbols = [symengine.Symbol(name) for name in INPUTS]
    value = symengine.sympify(pythonic(text))
    run = symengine.Lambdify(symbols, [value, *(value.diff(symbol) for symbol in symbols)])
    found = run(point)
    return float(found[0]), found[1:]


def by_sympy(text: str, point: Sequence[float]) -> Answer:
    """Return value and gradient of a text by SymPy."""
    sympy: Any = imported("sympy")
    symbols = [sympy.Symbol(name) for name in INPUTS]
    value = sympy.sympify(pythonic(text))
    parts = [value, *(value.diff(symbol) for symbol in symbols)]
    found = sympy.lambdify(symbols, parts, modules="math", cse=True)(*point)
    return found[0], found[1:]


def by_torch(text: str, point: Sequence[float]) -> Answer:
    """Return value and gradient of a text by PyTorch."""
    torch: Any = imported("torch")
    inputs = [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in point]
    value = total(program(text), inputs, torch.sin, torch.exp)
    return value.item(), [part.item() for part in torch.autograd.grad(value, inputs)]


def by_jax(text: str, point: Sequence[float], jit: bool = False) -> Answer:
    """Return value and gradient of a text by JAX, without compiling."""
    jax: Any = imported("jax")
    jax.config.update("jax_enable_x64", True)
    numpy: Any = imported("jax.numpy")
    code = compile(program(text), "<text>", "exec")

    def function(inputs: Sequence[Any]) -> Any:
        return total(code, inputs, numpy.sin, numpy.exp)

    run = jax.value_and_grad(function)
    value, gradient = (jax.jit(run) if jit else run)(tuple(map(float, point)))
    return float(value), [float(part) for part in gradient]


def by_jax_compiled(text: str, point: Sequence[float]) -> Answer:
    """Return value and gradient of a text by JAX, compiled."""
    return by_jax(text, point, jit=True)


class Reader(NamedTuple):
    """Who makes numbers of a text, and the package that it takes."""

    name: str
    package: str
    answer: Callable[[str, Sequence[float]], Answer]


READERS = (
    Reader("cgraph", "cgraph", by_cgraph),
    Reader("SymEngine", "symengine", by_symengine),
    Reader("CasADi", "casadi", by_casadi),
    Reader("PyTorch", "torch", by_torch),
    Reader("JAX", "jax", by_jax),
    Reader("JAX jit", "jax", by_jax_compiled),
    Reader("SymPy", "sympy", by_sympy),
)


def rows(quick: bool = False) -> Iterator[Row]:
    """Yield our time for each size, then those of others."""
    last: dict[str, float] = {}
    for count in SIZES[:2] if quick else SIZES:
        found = {reader.name: timed(reader, count, last) for reader in READERS}
        last |= {name: time for name, time in found.items() if isinstance(time, float)}
        last |= {name: CAP for name, time in found.items() if isinstance(time, str)}
        yield from beside(count, found)


def beside(count: int, found: dict[str, float | str]) -> Iterator[Row]:
    """Yield the rows of one size."""
    ours = found["cgraph"]
    assert isinstance(ours, float)
    yield Row(f"{count:,} terms: cgraph", duration(ours), point=shown("cgraph", count, ours))
    for name, time in list(found.items())[1:]:
        what = f"{count:,} terms: {name} / cgraph"
        if isinstance(time, str):
            yield Row(what, f"skipped: {time}")
        else:
            ratio = f"{time / ours:.2f} ({duration(time)} / {duration(ours)})"
            yield Row(what, ratio, point=shown(name, count, time))


def shown(name: str, count: int, time: float) -> Point:
    """Return a time as the plot has it."""
    return Point("text to value and gradient", name, count, time)


def timed(reader: Reader, count: int, last: dict[str, float]) -> float | str:
    """Return the seconds for a text of so many terms, or why there are none."""
    if not is_installed(reader.package):
        return f"{reader.package} is not installed"
    if reader.name != "cgraph" and GROWTH * last.get(reader.name, 0.0) > CAP:
        return f"more than {CAP:.0f} s"
    try:
        return float(apart("texts", reader.name, count, seconds=2 * CAP))
    except subprocess.TimeoutExpired:
        return f"more than {CAP:.0f} s"
    except subprocess.CalledProcessError:
        return "it did not come to an end"


def answering(reader: Reader, count: int) -> float:
    """Return the seconds that a reader takes for a text, after it has given the right answer."""
    terms = drawn(count)
    point: list[float] = np.random.default_rng(1).uniform(-1.0, 1.0, len(INPUTS)).tolist()
    text = str(terms)
    reader.answer(str(drawn(len(INPUTS))), point)  # what is loaded at its first use
    answers: list[Answer] = []
    times = [seconds(lambda: answers.append(reader.answer(text, point)))]
    (value, gradient), (true, slopes) = answers[0], terms.at(np.asarray(point))
    assert np.allclose([value, *gradient], [true, *slopes], rtol=1e-9, atol=1e-9), reader.name
    while sum(times) < ENOUGH and len(times) < ROUNDS:
        times.append(seconds(lambda: reader.answer(text, point)))
    return median(times)


if __name__ == "__main__":
    settle()
    (found,) = [reader for reader in READERS if reader.name == sys.argv[1]]
    print(json.dumps(answering(found, int(sys.argv[2]))))
