"""The Hessian of the chained Rosenbrock function, beside its gradient taken often."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median

from cgraph import Formula, compile, hessian, parse
from cgraph.autodiff.gradient import gradient

from .report import Row, seconds

COUNT = 200
TARGET = 3.0
ROUNDS = 5

TEXT = " + ".join(f"100*(x{k + 1} - x{k}^2)^2 + (1 - x{k})^2" for k in range(1, COUNT))
POINT = {f"x{k}": -1.2 if k % 2 else 1.0 for k in range(1, COUNT + 1)}


def rows() -> Iterator[Row]:
    """Yield the time and the memory of all three orders, beside those of 200 gradients.

    The formula is read beforehand on both sides; the Hessian's graph is made each time. The
    gradient's is made and run each time in the first row; in the second, the harder measure, its
    program was made before and is only run.
    """
    program = compile(TEXT, grad=True)
    program(**POINT)
    time = typical(lambda formula: hessian(formula, POINT))
    many = {
        "gradient, graph made and run": COUNT * typical(lambda f: compile(f, grad=True)(**POINT)),
        "run of a gradient made before": COUNT * typical(lambda _: program(**POINT)),
    }
    for name, whole in many.items():
        what = f"Rosenbrock in {COUNT} variables: value, gradient, Hessian / {COUNT} x {name}"
        found = f"{time / whole:.2f} ({1e3 * time:.0f} ms / {1e3 * whole:.0f} ms)"
        yield Row(what, found, f"{TARGET:.0f}", time <= TARGET * whole)
    size, whole = memory(lambda formula: hessian(formula, POINT)), COUNT * memory(graph_of_gradient)
    found = f"{size / whole:.3f} ({size / 1e6:.1f} MB / {whole / 1e6:.0f} MB)"
    yield Row(f"its memory, at its peak / {COUNT} gradient graphs", found, "1", size < whole)


def typical(action: Callable[[Formula], object]) -> float:
    """Return the median time of an action on the formula, just read each time."""
    formulas = [parse(TEXT) for _ in range(ROUNDS)]
    return median(seconds(partial(action, formula)) for formula in formulas)


def graph_of_gradient(formula: Formula) -> None:
    """Append the gradient's graph."""
    graph = formula.graph
    gradient(graph, graph.outputs[0], list(graph.inputs().values()))


def memory(action: Callable[[Formula], object]) -> int:
    """Return the most bytes that an action takes, beside the formula."""
    formula = parse(TEXT)
    tracemalloc.start()
    action(formula)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak
