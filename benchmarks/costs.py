"""What value and gradient cost beside the value alone, at any number of inputs and of any function.

Reverse mode is to take a small multiple of the value's time, however many inputs there are.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cgraph import Formula, compile
from cgraph.autodiff.graph import Graph
from cgraph.autodiff.ops import OPS, Domain, Expr, Op

from .apart import apart, settle
from .report import Point, Row, at_most, of_a_call

TARGET = 3.5
COUNTS = (1, 10, 100, 1_000, 10_000)
ENTRIES = 1_000
"""Of each of the inputs, where they are arrays."""

MODERATE = 3.0
COLUMN = 100_000
"""Entries of the arguments of a single function."""

WORST = 5
ROUNDS = 9
SUMS = {
    "sums of products `x_i*x_j`": "{x}*{y}",
    "sums of `sin(x_i)*x_j`": "sin({x})*{y}",
}
FORMULAS = (*SUMS, "products `x_1*x_2*...`")


def rows(quick: bool = False) -> Iterator[Row]:
    """Yield the ratios at each number of inputs, then those of the dearest functions."""
    counts = COUNTS[:4] if quick else COUNTS
    for what in FORMULAS:
        for entries in (0, ENTRIES):
            for count in counts:
                times: tuple[float, float] = apart("costs", what, count, entries)
                on = f"arrays of {entries:,}" if entries else "numbers"
                told = f"{what}, {count:,} inputs, {on}: value and gradient / value"
                row = at_most(told, times[0], times[1], TARGET)
                panel = f"value and gradient over value, on {on}"
                yield row._replace(point=Point(panel, what, count, times[0] / times[1]))
    yield from dearest(apart("costs"))


def dearest(found: dict[str, tuple[float, float]]) -> Iterator[Row]:
    """Yield how many functions are within the target, and the dearest of them."""
    ratios = {name: whole / value for name, (whole, value) in found.items()}
    within = sum(ratio <= TARGET for ratio in ratios.values())
    what = f"functions of the table whose value and gradient take at most {TARGET} x their value"
    yield Row(what, f"{within} of {len(ratios)}", "all", within == len(ratios))
    for name in sorted(ratios, key=lambda name: -ratios[name])[:WORST]:
        yield at_most(f"the dearest: `{name}`, {COLUMN:,} entries", *found[name], most=TARGET)


def text_of(what: str, count: int) -> str:
    """Return a formula of so many inputs."""
    names = [f"x{k}" for k in range(1, count + 1)]
    if what not in SUMS:
        return "*".join(names) if count > 1 else "x1*x1"
    after = [*names[1:], names[0]]
    return " + ".join(SUMS[what].format(x=x, y=y) for x, y in zip(names, after, strict=True))


def of_many(what: str, count: int, entries: int) -> tuple[float, float]:
    """Return the seconds of value and gradient, and of the value, of so many inputs."""
    draw = np.random.default_rng(0)
    point: dict[str, Any] = {
        f"x{k}": draw.uniform(0.9, 1.1, entries) if entries else draw.uniform(0.9, 1.1)
        for k in range(1, count + 1)
    }
    return both(text_of(what, count), point)


def of_functions() -> dict[str, tuple[float, float]]:
    """Return the seconds of both for each function of the table that works element by element."""
    ops = [op for op in OPS.values() if op.move is None and not op.stops and op.array]
    return {op.name: of_function(op) for op in ops if op.least}


def of_function(op: Op) -> tuple[float, float]:
    """Return the seconds of both for one function, its arguments drawn from its domain."""
    draw, graph = np.random.default_rng(0), Graph()
    names = "abc"[: op.most or op.least]
    graph.outputs = [op(*(Expr(graph, graph.placeholder(name)) for name in names)).node]
    point = {
        name: drawn(op.domain[min(k, len(op.domain) - 1)], draw) for k, name in enumerate(names)
    }
    return both(Formula(graph), point)


def drawn(domain: Domain, draw: np.random.Generator) -> NDArray[np.float64]:
    """Return a column of numbers of moderate size in a domain."""
    if domain.whole:
        return np.floor(draw.uniform(domain.low, domain.high + 1.0, COLUMN))
    if domain.outside:
        return draw.uniform(domain.high, domain.high + MODERATE, COLUMN)
    return draw.uniform(max(domain.low, -MODERATE), min(domain.high, MODERATE), COLUMN)


def both(formula: str | Formula, point: dict[str, Any]) -> tuple[float, float]:
    """Return the seconds of value and gradient, and those of the value."""
    whole, value = compile(formula, grad=True), compile(formula)
    times = of_a_call({"whole": lambda: whole(**point), "value": lambda: value(**point)}, ROUNDS)
    return times["whole"], times["value"]


if __name__ == "__main__":
    settle()
    if len(sys.argv) == 1:
        print(json.dumps(of_functions()))
    else:
        print(json.dumps(of_many(sys.argv[1], *map(int, sys.argv[2:]))))
