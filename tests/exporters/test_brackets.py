"""Brackets stand where they must: every op in every other, each side, each language, by value."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from cgraph.autodiff.evaluate import evaluate
from cgraph.autodiff.graph import Graph
from cgraph.autodiff.ops import OPS, Expr, Op
from cgraph.exporters.code import c, javascript, latex, python, symbolic
from cgraph.exporters.code.forms import Target
from cgraph.exporters.code.walk import Code, code
from cgraph.exporters.options import Options
from cgraph.exporters.scene import Scene

from ..autodiff.samples import arity, elementwise
from ..autodiff.tensors import first_cases, values
from . import latex_reader
from .running import run_lines
from .test_code import lacking

NAMES = ("x", "y", "z")
POINTS = ((0.7, 1.3, 0.4), (-1.4, 2.2, 3.0), (2.5, 2.0, -0.6))
"""Two of mixed sizes and one of ordinary numbers, so that most ops have a value at one of them."""


CALL = re.compile(r"[\\\w.{}]+(\(|\\left\()[\w, .-]*(\)|\\right\))")
"""The call of one function, in any language, at what holds no other call."""


def inline(target: Target) -> Target:
    """Return a target that gives no expression a name, lest a name stand for brackets."""
    return replace(target, shared=10**9, longest=10**9)


def within(graph: Graph, op: Op, inner: int, place: int) -> int:
    """Return the node of an op with a node in one place, and inputs in the others."""
    args = [graph.placeholder(name) for name in NAMES[: arity(op)]]
    args[place] = inner
    return graph.add(op, tuple(args))


def nested(target: Target) -> Graph:
    """Return a graph whose outputs are all ops of a target in all places of all.

    Those within are taken at a difference. The calls of one function are alike, so of them one
    stands within for all.
    """
    graph = Graph()
    first, *_ = [Expr(graph, graph.placeholder(name)) for name in NAMES]
    difference = (first - 0.25).node
    lacks = lacking(target.name)
    ops = [op for op in [*elementwise(), OPS["stop_gradient"]] if op.name not in lacks]
    inner = [*(within(graph, op, difference, 0) for op in ops), graph.constant(-1.5)]
    graph.outputs = inner
    texts = written(target, graph).values
    calls = [node for node, text in zip(inner, texts, strict=True) if CALL.fullmatch(text)]
    graph.outputs = [
        within(graph, op, node, place)
        for op in ops
        for place in range(arity(op))
        for node in inner
        if node not in calls[1:]
    ]
    return graph


def written(target: Target, graph: Graph) -> Code:
    """Return a graph's outputs as code."""
    return code(inline(target), Scene(graph, graph.outputs), Options())


def assert_same(graph: Graph, found: Sequence[Sequence[float]], texts: Sequence[str]) -> None:
    """Compare what expressions give at the points with what the graph is, where both have a value.

    Infinities are another test's, and SymPy's, which have no sign, nobody's.
    """
    compared = 0
    for point, row in zip(POINTS, found, strict=False):
        expected = evaluate(graph, graph.outputs, dict(zip(NAMES, point, strict=True)))
        for text, one, other in zip(texts, row, expected, strict=True):
            assert isinstance(other, float)
            if math.isfinite(other) and not math.isnan(one):
                assert abs(one - other) <= 1e-9 * abs(other) + 1e-12, (text, one, other)
                compared += 1
    assert compared > 0.6 * len(graph.outputs) * len(found)


PART = 200
"""The number of expressions in a function of C, which gcc compiles the slower the longer it is."""


def part(values: Sequence[str], first: int) -> Iterator[str]:
    """Yield the lines of a C function that works some expressions out."""
    yield f"static void f{first}(double x, double y, double z) {{ (void)x; (void)y; (void)z;"
    yield from (f"out[{first + k}] = {text};" for k, text in enumerate(values[first:][:PART]))
    yield "}"


def test_in_c(tmp_path: Path) -> None:
    graph = nested(c.target_of("double"))
    found = written(c.target_of("double"), graph)
    count = len(found.values)
    parts = "".join(f"f{first}(x, y, z); " for first in range(0, count, PART))
    calls = [f"f({', '.join(map(repr, point))});" for point in POINTS]
    frame = [
        "#include <math.h>\n#include <stdio.h>",
        *found.helpers,
        f"static double out[{count}];",
        *(line for first in range(0, count, PART) for line in part(found.values, first)),
        f"static void f(double x, double y, double z) {{ {parts}",
        f'for (int k = 0; k < {count}; k++) printf("%.17g ", out[k]);',
        'puts("");\n}',
        f"int main(void) {{ {' '.join(calls)} return 0; }}",
    ]
    lines = run_lines("c", "\n".join(frame), tmp_path)
    assert_same(graph, [list(map(float, line.split())) for line in lines], found.values)


def test_in_javascript(tmp_path: Path) -> None:
    graph = nested(javascript.TARGET)
    found = written(javascript.TARGET, graph)
    values = ",\n".join(found.values)
    frame = [*found.helpers, f"const f = (x, y, z) => [{values}];"]
    frame += [f"console.log(f({', '.join(map(repr, p))}).map(Number).join(' '));" for p in POINTS]
    lines = run_lines("javascript", "\n".join(frame), tmp_path)
    assert_same(graph, [list(map(float, line.split())) for line in lines], found.values)


def test_in_python() -> None:
    graph = nested(python.TARGET)
    found = written(python.TARGET, graph)
    scope: dict[str, Any] = {}
    head = ["import numpy as np", "from scipy import special", *found.helpers]
    exec("\n".join([*head, f"def f(x, y, z): return [{', '.join(found.values)}]"]), scope)
    with np.errstate(all="ignore"):
        rows = [list(map(float, scope["f"](*map(np.float64, point)))) for point in POINTS]
    assert_same(graph, rows, found.values)


def test_in_sympy() -> None:
    graph = nested(symbolic.TARGET)
    found = written(symbolic.TARGET, graph)
    scope: dict[str, Any] = {}
    each = ", ".join(f"lambda: {value}" for value in found.values)
    exec(
        "\n".join(["import sympy as sp", *found.helpers, f"def f(x, y, z): return [{each}]"]), scope
    )
    # An integral for orders that are no whole numbers: it would take minutes.
    exec("def dsinc(n, x): return sp.nan", scope)
    numbers = map(scope["sp"].Float, POINTS[0])
    assert_same(graph, [list(map(real, scope["f"](*numbers)))], found.values)


def real(expression: Callable[[], Any]) -> float:
    """Return a number of SymPy as a float, nan where it is none."""
    try:
        return float(expression())
    except (TypeError, ValueError, ZeroDivisionError):
        return math.nan


def test_in_latex() -> None:
    graph = nested(latex.TARGET)
    found = written(latex.TARGET, graph)
    text = " \\\\\n".join(f"v_{{{k}}} &= {value}" for k, value in enumerate(found.values))
    equations = f"\\begin{{align*}}\n{text}\n\\end{{align*}}\n"
    rows = [
        list(latex_reader.read(equations, dict(zip(NAMES, point, strict=True))).values())
        for point in POINTS[:1]
    ]
    assert_same(graph, rows, found.values)


# Arrays


def arrays_in() -> Iterator[tuple[Graph, dict[str, Any]]]:
    """Yield a graph for each op that mixes elements: sums in its places, and its square."""
    for case in first_cases().values():
        op, given = OPS[case.op], values(case)
        graph = Graph()
        inputs = [Expr(graph, graph.placeholder(name)) for name in given]
        results = [op(*inputs, attrs=case.attrs)]
        for place, one in enumerate(inputs):
            for inner in (one - one * 0.0, 1.0 * one, OPS["checkpoint"](one + 0.0)):
                results.append(op(*inputs[:place], inner, *inputs[place + 1 :], attrs=case.attrs))
        outer = [part for r in results for part in (1.0 - r * 2.0, -(r**2.0), r / (r - 3.0))]
        graph.outputs = [one.node for one in (*results, *outer)]
        graph.shapes = {name: np.shape(value) for name, value in given.items()}
        yield graph, given


def test_in_python_with_arrays() -> None:
    for graph, given in arrays_in():
        found = written(python.TARGET, graph)
        scope: dict[str, Any] = {}
        head = ["import numpy as np", "from scipy import special", *found.helpers]
        body = f"def f({', '.join(given)}): return [{', '.join(found.values)}]"
        exec("\n".join([*head, body]), scope)
        expected = evaluate(graph, graph.outputs, given)
        for text, one, other in zip(
            found.values, scope["f"](*map(np.asarray, given.values())), expected, strict=True
        ):
            np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-13, err_msg=text)
