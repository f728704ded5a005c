"""What value and gradient cost beside the value alone, at any number of inputs and of any function.

Reverse mode is to take a small multiple of the value's time, however many inputs there are.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cgraph import Formula, compile
from cgraph.autodiff.graph import Graph
from cgraph.autodiff.ops import OPS, Domain, Expr, Op

from .apart import apart, settle
from .report import Row, at_most, of_a_call

TARGET = 3.5
COUNTS = (1, 10, 100, 1_000, 10_000)
ENTRIES = 1_000
"""Of each of the inputs, where they are arrays."""

MODERATE = 3.0
COLUMN = 100_000
"""Entries of the arguments of a single function."""

WORST = 5
ROUNDS = 5
SUMS = {
    "sums of products `x_i*x_j`": "{x}*{y}",
    "sums of `sin(x_i)*x_j`": "sin({x})*{y}",
}
FORMULAS = (*SUMS, "products `x_1*x_2*...`")


class Costs(NamedTuple):
    """Seconds of value and gradient, and of the value: into fresh outputs, and into the same."""

    whole: float
    value: float
    whole_again: float
    value_again: float

    def fresh(self) -> tuple[float, float]:
        """Return both, into fresh outputs."""
        return self.whole, self.value

    def again(self) -> tuple[float, float]:
        """Return both, into the same outputs."""
        return self.whole_again, self.value_again


def rows(quick: bool = False) -> Iterator[Row]:
    """Yield the ratios at each number of inputs, then those of the dearest functions."""
    counts = COUNTS[:4] if quick else COUNTS
    for what in FORMULAS:
        for entries in (0, ENTRIES):
            yield of_counts(what, entries, counts)
    found: dict[str, Costs] = {name: Costs(*times) for name, times in apart("costs").items()}
    yield from of_functions(found, "outputs reused", Costs.again, TARGET)
    yield from of_functions(found, "fresh outputs", Costs.fresh)


def of_counts(what: str, entries: int, counts: Sequence[int]) -> Row:
    """Return the ratios of a formula at each number of inputs, which are numbers or arrays."""
    times = Costs.again if entries else Costs.fresh
    found = [times(Costs(*apart("costs", what, count, entries))) for count in counts]
    ratios = [whole / value for whole, value in found]
    on = f"arrays of {entries:,}" if entries else "numbers"
    told = f"{what}, of {', '.join(f'{count:,}' for count in counts)} inputs, {on}"
    shown = ", ".join(f"{ratio:.2f}" for ratio in ratios)
    return Row(told, shown, f"at most {TARGET:g}", max(ratios) <= TARGET)


def of_functions(
    found: Mapping[str, Costs],
    outputs: str,
    times: Callable[[Costs], tuple[float, float]],
    most: float | None = None,
) -> Iterator[Row]:
    """Yield how many functions are within the target, and the dearest of them."""
    ratios = {name: (times(one)[0] / times(one)[1]) for name, one in found.items()}
    within = sum(ratio <= TARGET for ratio in ratios.values())
    what = f"functions within {TARGET:g}, {COLUMN:,} entries, {outputs}"
    target = "all" if most else ""
    yield Row(what, f"{within} of {len(ratios)}", target, not target or within == len(ratios))
    for name in sorted(ratios, key=lambda name: -ratios[name])[:WORST]:
        yield at_most(f"the dearest, {outputs}: `{name}`", *times(found[name]), most=most)


def text_of(what: str, count: int) -> str:
    """Return a formula of so many inputs."""
    names = [f"x{k}" for k in range(1, count + 1)]
    if what not in SUMS:
        return "*".join(names) if count > 1 else "x1*x1"
    after = [*names[1:], names[0]]
    return " + ".join(SUMS[what].format(x=x, y=y) for x, y in zip(names, after, strict=True))


def of_many(what: str, count: int, entries: int) -> Costs:
    """Return the seconds of value and gradient, and of the value, of so many inputs."""
    draw = np.random.default_rng(0)
    point: dict[str, Any] = {
        f"x{k}": draw.uniform(0.9, 1.1, entries) if entries else draw.uniform(0.9, 1.1)
        for k in range(1, count + 1)
    }
    return both(text_of(what, count), point)


def of_all_functions() -> dict[str, Costs]:
    """Return the seconds of both for each function of the table that works element by element."""
    ops = [op for op in OPS.values() if op.move is None and not op.stops and op.array]
    return {op.name: of_function(op) for op in ops if op.least}


def of_function(op: Op) -> Costs:
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


def both(formula: str | Formula, point: dict[str, Any]) -> Costs:
    """Return the seconds of value and gradient, and those of the value."""
    whole, value = compile(formula, grad=True), compile(formula)
    there, one = whole(**point), value(**point)
    times = of_a_call(
        {
            "whole": lambda: whole(**point),
            "value": lambda: value(**point),
            "whole again": lambda: whole.run(point, there),
            "value again": lambda: value.run(point, one),
        },
        ROUNDS,
    )
    return Costs(*times.values())


if __name__ == "__main__":
    settle()
    if len(sys.argv) == 1:
        print(json.dumps(of_all_functions()))
    else:
        print(json.dumps(of_many(sys.argv[1], *map(int, sys.argv[2:]))))
