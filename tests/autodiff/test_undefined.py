"""No value, no derivative: which entries of a gradient an output takes that is nan in part."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import cgraph
from cgraph.autodiff.evaluate import evaluate
from cgraph.autodiff.ops import OPS
from cgraph.autodiff.results import Run, gradients

from .tensors import CASES, Case, built, values

if TYPE_CHECKING:
    from cgraph.autodiff.evaluate import Array, Value
    from cgraph.autodiff.gradient import Mode
    from cgraph.autodiff.graph import Graph

MODES: tuple[Mode, ...] = ("reverse", "forward")


def is_read(graph: Graph, node: int, given: dict[str, Value], name: str) -> Array:
    """Return which entries of a result move when an entry of an input does: (result, input)."""
    at = np.asarray(given[name], dtype=np.float64)
    before = np.asarray(evaluate(graph, [node], given)[0])
    found = np.zeros((before.size, at.size), dtype=bool)
    for k in range(at.size):
        moved = at.copy()
        moved.flat[k] += 0.37
        point = {**given, name: moved if moved.ndim else float(moved)}
        found[:, k] = np.not_equal(evaluate(graph, [node], point)[0], before).ravel()
    return found


READ = [
    case for case in CASES if case.kind == "any" and case.op not in ("len", "largest", "smallest")
]
"""The calls whose entries move with all that they read."""


@pytest.mark.parametrize("case", READ, ids=str)
def test_a_gradient_is_nan_where_what_has_no_value_reads(case: Case) -> None:
    graph, inputs, result = built(case)
    given = values(case)
    value = np.asarray(evaluate(graph, [result.node], given)[0])
    if value.ndim == 0:
        return
    # A last step, entry by entry: some have no logarithm.
    signs = np.where(np.arange(value.size).reshape(value.shape) % 3 == 0, -1.0, 1.0)
    shift = graph.placeholder("shift")
    given["shift"] = signs * (10.0 + np.abs(value)) - value
    node = OPS["log"](result + type(result)(graph, shift)).node
    missing = np.isnan(evaluate(graph, [node], given)[0]).ravel()
    assert missing.any()
    wrt = {f"x{k}": x.node for k, x in enumerate(inputs)}
    for mode in MODES:
        found = gradients(graph, [node], wrt, given, Run(mode))[0].gradient
        for name in wrt:
            reads = is_read(graph, result.node, given, name)[missing].any(axis=0)
            assert (np.isnan(found[name]).ravel() == reads).all(), (name, mode)


@pytest.mark.parametrize(
    ("text", "x", "expected"),
    [
        ("log(x)[::-1]", [-1, 2], [np.nan, 0.5]),
        ("cumsum(log(x))", [2, -1], [np.nan, np.nan]),
        ("cumsum(log(x))", [-1, 2], [np.nan, np.nan]),
        ("cumsum(log(x), reverse=1)", [2, -1], [np.nan, np.nan]),
        ("log(x[1:])", [5, -1, 2], [0, np.nan, 0.5]),
        ("x[:, None]*log(x)", [-1, 2], [np.nan, np.nan]),
        ("log([x[1], x[0]])", [-1, 4], [np.nan, 0.25]),
        ("log(reshape(x, 2, 2)).T", [1, -2, 4, 8], [1, np.nan, 0.25, 0.125]),
        ("log(x)", [-1, 2], [np.nan, 0.5]),
        ("sum(log(x))", [-1, 2], [np.nan, np.nan]),
    ],
)
def test_values(text: str, x: list[float], expected: list[float]) -> None:
    for mode in MODES:
        found = cgraph.grad(text, {"x": x}, mode)["x"]
        np.testing.assert_allclose(found, expected, rtol=1e-15)
    product = cgraph.vjp(text, {"x": x}, np.ones(np.shape(cgraph.evaluate(text, {"x": x}))))
    np.testing.assert_allclose(product["x"], expected, rtol=1e-15)


def test_softmax_along_an_axis_takes_its_own_columns_alone() -> None:
    x = np.array([[-1.0, 2.0], [3.0, 4.0]])
    for mode in MODES:
        found = cgraph.grad("softmax(log(x), axis=0)*[[1], [2]]", {"x": x}, mode)["x"]
        assert np.isnan(found[:, 0]).all()
        # Shares x/(a + b): the weighed sum is 1 + b/(a + b).
        np.testing.assert_allclose(found[:, 1], [-4 / 36, 2 / 36], rtol=1e-14)


def test_second_derivatives() -> None:
    hessian = cgraph.hessian("log(x)[::-1]", {"x": [-1, 2]})["x"]["x"]
    np.testing.assert_array_equal(hessian, [[np.nan, np.nan], [np.nan, -0.25]])


def test_a_label_that_is_no_class_leaves_its_row_without_a_derivative() -> None:
    for mode in MODES:
        given = {"x": [[1, 2], [3, 4]], "t": [5, 1]}
        slopes = cgraph.grad("pick(x, t)", given, mode, wrt=["x"])
        np.testing.assert_array_equal(slopes["x"], [[np.nan, np.nan], [0, 1]])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "text",
    [
        "len(1/x)*y",
        "floor(1/x)*y",
        "sign(1/x)*y",
        "step(1/x)*y",
        "(1/x > 2)*y",
        "trunc(1/x)*y",
        "stop_gradient(1/x)*y",
        "sum(one_hot(floor(1/(x + 1)), classes=3))*y",
    ],
)
def test_nothing_goes_where_there_is_no_derivative(text: str, mode: Mode) -> None:
    slopes = cgraph.grad(text, {"x": [0.0, 0.5], "y": 2.0}, mode)
    assert slopes["x"].tolist() == [0.0, 0.0]
