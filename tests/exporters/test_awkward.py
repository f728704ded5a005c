"""Code gives what the formulas give where numbers are awkward: zeros, infinities, poles, ends.

Each op stands in a function with its derivatives, and again with a number for one of two arguments.
All functions of a target are in one file, run once.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from cgraph.autodiff.graph import Graph
from cgraph.autodiff.ops import Op
from cgraph.autodiff.results import gradients
from cgraph.exporters.code import c, javascript_helpers

from ..autodiff.samples import arity, elementwise
from .running import exported, once, run_lines, script_number

INF, NAN = math.inf, math.nan
FIRST = (0.0, -0.0, INF, -INF, NAN, 1.0, -1.0, 0.5)
SECOND = (*FIRST, 5e-324, -5e-324, 1e308, -1e308, -0.5, 2.0, -2.0, 3.0, -3.0, 1e-10)
THIRD = (-1e-10, 1e-300, -1e-300, 40.0, -40.0, 750.0, -750.0, 1e16, -1e16, 0.3, -171.5, 2.5)
LISTS = {1: (*SECOND, *THIRD, -12.5, 1.0 + 1e-15, 12345.0), 2: SECOND, 3: FIRST}
"""The numbers that each argument of a function is given, by how many arguments it has."""
CONSTANTS = (0.0, 0.5, 2.0, -3.0, INF)

EITHER = {"max", "min", "clip", "share"}
"""Where a language may give either zero: of two that are equal, or of a share that is rounded."""


class Function(NamedTuple):
    """An op at inputs, as a graph and as code that also gives the derivatives."""

    name: str
    op: str
    graph: Graph
    source: str

    @property
    def arity(self) -> int:
        return len(self.graph.inputs())

    @property
    def points(self) -> list[tuple[float, ...]]:
        return list(itertools.product(LISTS[self.arity], repeat=self.arity))


Row = list[float]
"""A value, and the derivative by each input."""


def functions(target: str) -> list[Function]:
    """Return every op of a target at inputs, and those of two arguments at a number too."""
    found: list[Function] = []
    for op in elementwise():
        calls: list[tuple[float | None, ...]] = [(None,) * arity(op)]
        if arity(op) == 2:
            calls += [call for value in CONSTANTS for call in ((None, value), (value, None))]
        for k, call in enumerate(calls):
            graph = graph_of(op, call)
            name = f"f_{op.name}_{k}"
            found.append(Function(name, op.name, graph, exported(graph, target, name)))
    return found


def graph_of(op: Op, call: Sequence[float | None]) -> Graph:
    """Return the graph of an op at numbers, and at inputs where there is none."""
    graph = Graph()
    args = [
        graph.placeholder(f"x{k}") if value is None else graph.constant(value)
        for k, value in enumerate(call)
    ]
    graph.outputs = [graph.add(op, tuple(args))]
    return graph


@cache
def expected() -> dict[str, list[Row]]:
    """Return what each function gives at its points, by our own evaluation."""
    return {one.name: [ours(one.graph, point) for point in one.points] for one in functions("c")}


def ours(graph: Graph, point: Sequence[float]) -> Row:
    """Return the value of a graph and its derivatives."""
    given = dict(zip(graph.inputs(), point, strict=True))
    result = gradients(graph, graph.outputs, graph.placeholders, given)[0]
    return [as_float(one) for one in (result.value, *result.gradient.values())]


def as_float(value: Any) -> float:
    assert isinstance(value, float)
    return value


def agree(found: float, other: float, signed: bool = False) -> bool:
    """Tell whether two numbers are the same to 1e-11, zeros with their signs if that is asked."""
    if found == other:
        return not signed or math.copysign(1.0, found) == math.copysign(1.0, other)
    if math.isfinite(found) and math.isfinite(other):
        return abs(found - other) <= 1e-11 * abs(other) + 1e-322
    return math.isnan(found) and math.isnan(other)


def assert_rows(written: Sequence[Function], rows: Sequence[Row]) -> None:
    """Compare all rows that functions give, one after the other, with what they should be."""
    left = iter(rows)
    wrong = [
        (one.name, point, found, row)
        for one in written
        for point, row in zip(one.points, expected()[one.name], strict=True)
        for found in [next(left)]
        if not agree(found[0], row[0], one.op not in EITHER)
        or not all(map(agree, found[1:], row[1:]))
    ]
    assert wrong == []
    assert next(left, None) is None


def read(lines: Sequence[str]) -> list[Row]:
    return [list(map(float, line.split())) for line in lines]


def test_in_c(tmp_path: Path) -> None:
    written = functions("c")
    lists = [
        f"static const double l{k}[] = {{{', '.join(c.number_of(x, 'double') for x in numbers)}}};"
        for k, numbers in LISTS.items()
    ]
    calls: list[str] = []
    for one in written:
        count, size = one.arity, len(LISTS[one.arity])
        calls += [f"for (int i{k} = 0; i{k} < {size}; i{k}++)" for k in range(count)]
        args = ", ".join(f"l{count}[i{k}]" for k in range(count))
        calls.append(f"show({one.name}({args}, g), g, {count});")
    frame = [
        "#include <math.h>\n#include <stdio.h>",
        once([one.source for one in written], c.HELPERS),
        *lists,
        "static void show(double value, const double *g, int count) {",
        'printf("%.17g", value); for (int k = 0; k < count; k++) printf(" %.17g", g[k]); puts("");',
        "}\nint main(void) { double g[3];",
        *calls,
        "return 0; }",
    ]
    assert_rows(written, read(run_lines("c", "\n".join(frame), tmp_path)))


def test_in_javascript(tmp_path: Path) -> None:
    written = functions("javascript")
    frame = [once([one.source for one in written], javascript_helpers.HELPERS)]
    frame.append("const rows = []; const show = (x) => (Object.is(x, -0) ? '-0' : String(x));")
    for k, numbers in LISTS.items():
        frame.append(f"const l{k} = [{', '.join(map(script_number, numbers))}];")
    for one in written:
        args = [f"x{k}" for k in range(one.arity)]
        frame += [f"for (const {arg} of l{one.arity})" for arg in args]
        found = f"{{ const v = {one.name}({', '.join(args)});"
        frame.append(f"{found} rows.push([v.value, ...Object.values(v.gradient)].map(show)); }}")
    frame.append("console.log(rows.map((row) => row.join(' ')).join('\\n'));")
    assert_rows(written, read(run_lines("javascript", "\n".join(frame), tmp_path)))


@pytest.mark.parametrize("form", ["arrays", "numbers"])
def test_in_python(form: str) -> None:
    written = functions("python")
    rows: list[Row] = []
    for one in written:
        scope: dict[str, Any] = {}
        exec(one.source, scope)
        columns = np.array(one.points).T
        size = columns.shape[1]
        if form == "arrays":
            value, slopes = scope[one.name](*columns)
            rows += np.array(
                [np.broadcast_to(x, size) for x in (value, *slopes.values())]
            ).T.tolist()
        else:
            for point in one.points:
                value, slopes = scope[one.name](*point)
                rows.append([float(value), *map(float, slopes.values())])
    assert_rows(written, rows)
