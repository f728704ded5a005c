"""Optimized graphs: what is left to run, and how long value and gradient take then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from cgraph import parse
from cgraph.autodiff.evaluate import run
from cgraph.autodiff.gradient import gradient
from cgraph.autodiff.graph import Graph
from cgraph.autodiff.optimize import optimized
from cgraph.autodiff.program import Program
from cgraph.autodiff.shapes import infer

from .report import Row, interleaved

FORMULAS = {
    "a normal density": "exp(-(x - m)^2/(2*s^2))/(s*sqrt(2*pi))",
    "a polynomial": "x^4/24 - x^3/6 + x^2/2 - x + 1",
    "a potential": "4*(1/r^12 - 1/r^6) + k*(x^2 + y^2 + z^2)/2",
    "a model with constants": "a*sin(2*pi*t/10)*exp(-t/3) + b*cos(2*pi*t/10)*exp(-t/3)",
    "a distance": "((x - a)^2 + (y - b)^2 + (z - c)^2)^0.5",
}

ENTRIES = 10_000
AT_MOST = 1.1
"""An optimized graph takes no longer than the plain one, the clock's noise aside."""

ROUNDS = 31


def rows() -> Iterator[Row]:
    """Yield nodes and times of value and gradient, on numbers and on arrays."""
    for what, text in FORMULAS.items():
        for size in (None, ENTRIES):
            yield row(what, text, size)


def row(what: str, text: str, size: int | None) -> Row:
    """Return what optimization changes in the value and the gradient of a formula."""
    graph = parse(text).graph
    draw = np.random.default_rng(0)
    inputs = graph.inputs()
    given = {name: value(draw, size) for name in inputs}
    shapes = infer(graph, dict.fromkeys(inputs, () if size is None else (size,)), needed(graph))
    slopes = gradient(graph, graph.outputs[0], list(inputs.values()), shapes=shapes)
    plain = [*graph.outputs, *slopes]
    fast = optimized(graph, plain)
    times = interleaved(
        {name: repeated(graph, nodes, given) for name, nodes in (("plain", plain), ("fast", fast))},
        ROUNDS,
    )
    ratio = times["fast"] / times["plain"]
    nodes = f"{len(graph.needed(plain))} nodes before, {len(graph.needed(fast))} after"
    on = "numbers" if size is None else f"arrays of {size:,}"
    return Row(f"{what}, {on}: {nodes}", f"{ratio:.2f} x", f"{AT_MOST} x", ratio <= AT_MOST)


def needed(graph: Graph) -> list[int]:
    """Return the nodes that the outputs need."""
    return graph.needed(graph.outputs)


def value(draw: np.random.Generator, size: int | None) -> Any:
    """Return a number between 1 and 2, or an array of them."""
    return draw.uniform(1.0, 2.0) if size is None else draw.uniform(1.0, 2.0, size)


def repeated(graph: Graph, nodes: Sequence[int], given: Mapping[str, Any]) -> Any:
    """Return an action that runs nodes for some milliseconds."""
    once = partial(run, Program(graph, nodes), given)
    count = 1000 if isinstance(next(iter(given.values())), float) else 10

    def action() -> None:
        for _ in range(count):
            once()

    return action
