"""Rows in blocks: what comes out is what whole arrays give, in little memory, on any threads."""

from __future__ import annotations

import threading
import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import cgraph
from cgraph.autodiff import levels, sweep
from cgraph.autodiff.evaluate import Asked, outputs
from cgraph.autodiff.graph import Graph
from cgraph.autodiff.levels import layout
from cgraph.autodiff.ops import Op
from cgraph.autodiff.program import Program
from cgraph.autodiff.results import Result, gradients, plan, results
from cgraph.autodiff.shapes import shapes_at

from .draw import Drawn, formulas
from .test_drawn import drawn

ROWS = 11

REDUCTIONS = ["sum(x)", "mean(x)", "prod(x)", "max(x)", "min(x)", "norm(x)", "logsumexp(x)"]


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let blocks be of three rows, the last of two."""
    monkeypatch.setattr(levels, "FEWEST", 1)
    monkeypatch.setattr(levels, "FEWEST_ROWS", 1)
    monkeypatch.setattr(sweep, "BLOCK", 3)
    monkeypatch.setattr(sweep, "SMALLEST", 1)
    monkeypatch.setattr(sweep, "ENOUGH", 1)


def by_blocks(graph: Graph, point: dict[str, Any]) -> list[list[Any]]:
    """Return the value and gradient of each output by blocks."""
    shapes = shapes_at(graph, graph.needed(graph.outputs), point)
    ready = plan(graph, graph.outputs, graph.inputs(), shapes)
    assert ready.program.layout({n: np.shape(point[name]) for n, name in ready.program.inputs})
    one, two = (listed(results(graph, ready, point, threads)) for threads in (1, 2))
    for a, b in zip(one, two, strict=True):
        assert all(map(np.array_equal, a, b, [True] * len(a))), "threads change nothing"
    return one


def whole(graph: Graph, point: dict[str, Any]) -> list[list[Any]]:
    """Return the value and gradient of each output by whole arrays."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(levels, "FEWEST", 10**9)
        return listed(gradients(graph, graph.outputs, graph.inputs(), point))


def listed(found: list[Result]) -> list[list[Any]]:
    """Return the values and derivatives in results."""
    return [[one.value, *one.gradient.values()] for one in found]


def assert_same(graph: Graph, point: dict[str, Any], rtol: float = 1e-13) -> None:
    """Compare blocks with whole arrays."""
    for all_at_once, in_parts in zip(whole(graph, point), by_blocks(graph, point), strict=True):
        for one, other in zip(all_at_once, in_parts, strict=True):
            assert np.shape(one) == np.shape(other)
            np.testing.assert_allclose(other, one, rtol=rtol, atol=1e-300)


@pytest.mark.usefixtures("small_blocks")
@settings(drawn, max_examples=100)
@given(formulas())
def test_drawn_formulas(formula: Drawn) -> None:
    graph, output, point = formula
    graph.outputs = [output]
    if point:
        rng = np.random.default_rng(0)
        assert_same(graph, {name: x + rng.normal(size=ROWS) for name, x in point.items()})


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize(
    "text",
    [
        "x",
        "x + y",
        "(x + y)*z",
        "a*x^2 + b",
        "sum(x*y)",
        "mean((a*x + b - y)^2)",
        "max(x*y) + min(z)",
        "norm(x)*y + mean(x, keepdims=1)",
        "sqrt(mean((x - mean(x))^2))",
        "x/sum(exp(y))*a",
        "x - mean(x) + len(x)",
        "sum(x)*sum(y)*z; a + b; x*y; x*y",
        "where(x > 0, sqrt(x), y)*a",
        "log(x)*a",
        "stop_gradient(x)*y + abs(x)",
        "relu(x*a + b)*clip(y, 0, 1)",
        "max(x, y, z) - sum(min(x, y, a))",
        "[sum(x), sum(y)]",
        "zeros(11)*a + x",
    ],
)
@pytest.mark.parametrize("shape", [(ROWS,), (ROWS, 1), (2, 6)])
def test_formulas(text: str, shape: tuple[int, ...]) -> None:
    if "11" in text and shape != (ROWS,):
        pytest.skip("its zeros are a vector")
    rng = np.random.default_rng(1)
    point = {name: rng.normal(size=shape) for name in "xyz"} | {"a": 1.5, "b": -0.5}
    graph = cgraph.parse(text).graph
    assert_same(graph, {name: point[name] for name in graph.inputs()})


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("text", REDUCTIONS)
def test_reductions(text: str) -> None:
    graph = cgraph.parse(text).graph
    x = np.random.default_rng(2).normal(size=ROWS)
    for values in (x, np.where(x > 1.0, np.inf, x), np.where(x > 1.0, np.nan, x)):
        program = Program(graph, graph.outputs)
        assert program.layout({0: (ROWS,)})
        found = outputs(program, {"x": values}).values[0]
        assert type(found) is float
        ((expected, *_),) = whole(graph, {"x": values})
        np.testing.assert_allclose(found, expected, rtol=1e-14)


@pytest.mark.parametrize(
    "text",
    [
        "x[0]*y",
        "cumsum(x)",
        "softmax(x)",
        "std(x)*y",
        "x.T",
        "sum(x, axis=0)",
        "x*M",
    ],
)
def test_rows_that_mix_in_other_ways_are_run_whole(text: str) -> None:
    graph = cgraph.parse(text).graph
    size = levels.FEWEST
    shapes = {"x": (size, 2), "y": (size, 2), "M": (2,)}
    inputs = {node: shapes[name] for name, node in graph.inputs().items()}
    program = Program(graph, graph.outputs)
    assert program.layout(inputs) is None


def test_few_rows_are_run_whole() -> None:
    graph = cgraph.parse("x + y").graph
    program = Program(graph, graph.outputs)
    for size, swept in ((levels.FEWEST - 1, False), (levels.FEWEST, True)):
        inputs = dict.fromkeys(graph.inputs().values(), (size,))
        assert (layout(program, inputs) is not None) is swept


def test_columns_are_made_again_only_so_often() -> None:
    text = "s = x\nfor k in 1 to 8 { s = sin(s) - mean(s) }\ns"
    graph = cgraph.parse(text).graph
    inputs = dict.fromkeys(graph.inputs().values(), (levels.FEWEST,))
    assert layout(Program(graph, graph.outputs), inputs) is None


@pytest.mark.usefixtures("small_blocks")
def test_where_there_is_no_value_there_is_no_derivative() -> None:
    x = np.array([1.0, -1.0, 2.0, np.nan, 4.0, 0.0, 1.0])
    graph = cgraph.parse("log(x)").graph
    ((value, slope),) = by_blocks(graph, {"x": x})
    assert np.isnan(value).tolist() == [False, True, False, True, False, False, False]
    assert np.array_equal(slope, [1.0, np.nan, 0.5, np.nan, 0.25, np.inf, 1.0], equal_nan=True)
    graph = cgraph.parse("a*log(x)").graph
    assert all(np.isnan(slope).any() for slope in by_blocks(graph, {"a": 2.0, "x": x})[0])


@pytest.mark.usefixtures("small_blocks")
def test_the_culprit_is_found_all_the_same() -> None:
    graph = cgraph.parse("log(x)").graph
    shapes = shapes_at(graph, graph.needed(graph.outputs), {"x": np.ones(4)})
    ready = plan(graph, graph.outputs, graph.inputs(), shapes)
    (found,) = results(graph, ready, {"x": np.array([1.0, 2.0, -3.0, 4.0])})
    assert [(one.args, one.element) for one in found.culprits] == [((-3.0,), (2,))]


@pytest.mark.usefixtures("small_blocks")
def test_a_failure_in_a_thread_is_everybodys(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = cgraph.parse("tan(x)").graph
    main = threading.current_thread()

    def failing(x: Any) -> Any:
        if threading.current_thread() is not main:
            raise MemoryError("no room")
        return np.tan(x)

    program = Program(graph, graph.outputs)

    def form(op: Op) -> Any:
        return failing

    monkeypatch.setattr(Op, "on_arrays", form)

    def until_a_block_comes_to_the_other() -> None:
        for _ in range(100):
            outputs(program, {"x": np.ones(3000)}, Asked(threads=2))

    with pytest.raises(MemoryError, match="no room"):
        until_a_block_comes_to_the_other()


def test_memory_is_that_of_the_results_and_some_blocks() -> None:
    rows = 500_000
    program = cgraph.compile("sin(x)*exp(-y^2) + log(1 + x^2*z^2)", grad=True, threads=2)
    point = {name: np.ones(rows) for name in "xyz"}
    program(**point)
    tracemalloc.start()
    found = program(**point)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found[0].nbytes * 4 < peak < found[0].nbytes * 4 + 2 * 24 * 8 * sweep.BLOCK


def test_a_formula_with_many_columns_at_once_has_smaller_blocks() -> None:
    names = [f"x{k}" for k in range(300)]
    text = "*".join(names)
    point = {name: np.full(levels.FEWEST, 1.0 + 1e-3 * k) for k, name in enumerate(names)}
    value, gradient = cgraph.compile(text, grad=True)(**point)
    assert np.allclose(gradient["x7"] * point["x7"], value)
