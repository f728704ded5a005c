"""The value and the gradient of long formulas, from their text, beside others.

Each runs in a process of its own, from the text to the numbers, and is stopped after a while.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from math import isclose
from statistics import median
from typing import Any, NamedTuple

from cgraph import grad, parse, value_and_grad

from .parsing import products
from .peers import imported, is_installed
from .report import Row, seconds

TARGET = 3.0
COUNT = 100_000

TERMS = 20_000
NAMES = [f"x{k}" for k in range(10)]
POINT = {name: 0.1 + 0.07 * k for k, name in enumerate(NAMES)}
ROUNDS = 3
PATIENCE = 60.0
"""The seconds after which a peer is stopped."""


def rows() -> Iterator[Row]:
    """Yield the time in both modes, parsing included; and that of a machine-made formula."""
    text = products(COUNT)
    time = seconds(lambda: value_and_grad(parse(text), {"x": 0.5}))
    what = f"{COUNT:,} terms of `x*c`: value and gradient"
    yield Row(what, f"{time:.2f} s", f"{TARGET:.0f} s", time <= TARGET)
    time = seconds(lambda: grad(parse(text), {"x": 0.5}, mode="forward"))
    yield Row("the same in forward mode", f"{time:.2f} s", f"{TARGET:.0f} s", time <= TARGET)
    yield from beside_peers()


def beside_peers() -> Iterator[Row]:
    """Yield the time of 20,000 terms of three functions over that of each peer."""
    ours = measured(OURS)
    what = f"{TERMS:,} terms of `sin(x*c)*exp(-y^2)/(1+z^2)` over ten inputs: text to gradient"
    for peer in PEERS:
        told = f"{what} / {peer.name}"
        if not is_installed(peer.package):
            yield Row(told, f"skipped: {peer.package} is not installed", "1", True)
            continue
        theirs = measured(peer)
        pairs = zip(ours.numbers, theirs.numbers, strict=bool(theirs.numbers))
        assert all(isclose(one, other, rel_tol=1e-9) for one, other in pairs), peer.name
        stopped = "" if theirs.numbers else ", stopped"
        ratio = f"{ours.time / theirs.time:.2f} ({ours.time:.2f} s / {theirs.time:.2f} s{stopped})"
        yield Row(told, ratio, "1", ours.time <= theirs.time)


def machine_made(count: int) -> str:
    """Return a sum of terms of three functions over ten inputs, each with a constant of its own."""
    draw = random.Random(0)
    return " + ".join(
        f"sin({draw.choice(NAMES)}*{draw.uniform(0.5, 2.0):.9f})"
        f"*exp(-{draw.choice(NAMES)}^2)/(1+{draw.choice(NAMES)}^2)"
        for _ in range(count)
    )


def cgraph(text: str) -> Sequence[float]:
    """Return the value and the gradient, by cgraph."""
    value, gradient = value_and_grad(text, POINT)
    return value, *(gradient[name] for name in NAMES)


def symengine(text: str) -> Sequence[float]:
    """Return the same by SymEngine. Each term is read by itself: the sum would be in n^2 steps."""
    se: Any = imported("symengine")
    terms = text.replace("^", "**").split(" + ")
    value = se.Add(*[se.sympify(term) for term in terms])
    symbols = [se.Symbol(name) for name in NAMES]
    slopes = [se.diff(value, symbol) for symbol in symbols]
    run = se.Lambdify(symbols, [value, *slopes], cse=True)
    return [float(number) for number in run(list(POINT.values()))]


def casadi(text: str) -> Sequence[float]:
    """Return the same by CasADi, whose expressions Python makes as it runs the text."""
    ca: Any = imported("casadi")
    symbols = {name: ca.SX.sym(name) for name in NAMES}
    sys.setrecursionlimit(10 * TERMS)
    code = compile(text.replace("^", "**"), "formula", "eval")
    value = eval(code, {"sin": ca.sin, "exp": ca.exp, **symbols})
    inputs = ca.vertcat(*symbols.values())
    run = ca.Function("run", [inputs], [value, ca.gradient(value, inputs)])
    return [float(number) for found in run(list(POINT.values())) for number in found.nz]


class Reader(NamedTuple):
    """Somebody who reads a formula: what it is called, its package, and how it is asked."""

    name: str
    package: str
    run: Callable[[str], Sequence[float]]


OURS = Reader("cgraph", "cgraph", cgraph)
PEERS = (Reader("SymEngine", "symengine", symengine), Reader("CasADi", "casadi", casadi))


class Measured(NamedTuple):
    """The median time from the text to the numbers, and the numbers; none of what was stopped."""

    time: float
    numbers: Sequence[float]


def measured(reader: Reader) -> Measured:
    """Return how long a reader takes, in a process of its own."""
    command = [sys.executable, "-m", "cgraph.benchmarks.gradients", reader.package]
    try:
        done = subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return Measured(PATIENCE, [])
    return Measured(*json.loads(done.stdout))


def main(package: str) -> None:
    """Print the median time of a reader, and what it finds."""
    run = next(one.run for one in (OURS, *PEERS) if one.package == package)
    text = machine_made(TERMS)
    run(machine_made(10))
    found: list[Sequence[float]] = []
    times = [seconds(lambda: found.append(run(text))) for _ in range(ROUNDS)]
    print(json.dumps([median(times), [*found[-1]]]))


if __name__ == "__main__":
    main(sys.argv[1])
