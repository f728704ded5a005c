"""A formula by rows: the same as one row after another."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import cgraph
from cgraph.autodiff.rows import Rows, Sum, gathered, summed

NAN, INF = math.nan, math.inf


def rows_of(text: str, sample: Mapping[str, Any], jacobian: bool = False, **given: Any) -> Rows:
    graph = cgraph.parse(text).graph
    return Rows(graph, graph.outputs, graph.inputs(), given, sample, jacobian=jacobian)


@pytest.mark.parametrize("size", [1, 7, 40_000])
def test_columns_are_rows_one_after_another(size: int) -> None:
    rng = np.random.default_rng(0)
    columns = {"x": rng.normal(size=size), "y": rng.normal(size=size)}
    text = "log(x)*a + where(y > 0, sqrt(y), 0)"
    rows = rows_of(text, {"x": 0.0, "y": 0.0}, a=2.0)
    assert rows.elementwise
    found = rows.run(columns, size)
    for k in range(0, size, max(1, size // 50)):
        given = {"x": columns["x"][k], "a": 2.0, "y": columns["y"][k]}
        value, gradient = cgraph.value_and_grad(text, given)
        assert_array_equal(found.values[0][k], value)
        mine = [slopes[k] for slopes in found.slopes[0]]
        assert_array_equal(mine, list(gradient.values()))


def test_there_is_no_derivative_where_there_is_no_value() -> None:
    found = rows_of("log(x) + y", {"x": 0.0}, y=1.0).run({"x": np.array([1.0, -1.0])}, 2)
    assert_array_equal(found.slopes[0][0], [1.0, NAN])
    assert_array_equal(found.slopes[0][1], [1.0, NAN])


def test_what_no_column_changes_is_repeated() -> None:
    found = rows_of("x; 2*a", {"x": 0.0}, a=3.0).run({"x": np.arange(3.0)}, 3)
    assert_array_equal(found.values[1], [6.0, 6.0, 6.0])
    assert_array_equal(found.slopes[1][1], [2.0, 2.0, 2.0])


def test_arrays_in_a_formula_are_run_row_by_row() -> None:
    rows = rows_of("sum(w*x)", {"x": 0.0}, w=np.array([1.0, 2.0]))
    assert not rows.elementwise
    found = rows.run({"x": np.array([1.0, 3.0])}, 2)
    assert_array_equal(found.values[0], [3.0, 9.0])
    assert_array_equal(found.slopes[0][0], [[1.0, 1.0], [3.0, 3.0]])
    assert_array_equal(found.slopes[0][1], [3.0, 3.0])


def test_rows_may_differ_in_shape() -> None:
    rows = rows_of("sum(x^2)", {"x": 0.0})
    found = rows.run({"x": [np.array([1.0, 2.0]), np.array([3.0])]}, 2)
    assert_array_equal(found.values[0], [5.0, 9.0])
    assert [slope.tolist() for slope in found.slopes[0][0]] == [[2.0, 4.0], [6.0]]  # type: ignore[union-attr]


def test_a_jacobian_in_each_row() -> None:
    rows = rows_of("w*x", {"x": 0.0}, jacobian=True, w=np.array([1.0, 2.0]))
    found = rows.run({"x": np.array([1.0, 3.0])}, 2)
    assert_array_equal(found.slopes[0][1], [[1.0, 2.0], [1.0, 2.0]])
    assert_array_equal(found.slopes[0][0][1], [[3.0, 0.0], [0.0, 3.0]])


def test_shapes_that_do_not_fit() -> None:
    with pytest.raises(cgraph.FormulaError, match="matmul needs"):
        rows_of("w @ x", {"x": np.zeros(3)}, w=np.zeros(2))


def test_no_rows() -> None:
    found = rows_of("log(x)", {"x": 0.0}).run({"x": np.empty(0)}, 0)
    assert [len(column) for column in found.columns] == [0, 0]


def test_the_culprit_of_a_row() -> None:
    rows = rows_of("log(x)*y", {"x": 0.0, "y": 0.0})
    (result,) = rows.blamed({"x": -1.0, "y": 2.0})
    assert next(culprit.args for culprit in result.culprits) == (-1.0,)


def test_a_sum_keeps_what_rounding_takes() -> None:
    values = [1.0, 1e100, 1.0, -1e100] * 1000
    total = Sum()
    for value in values:
        total.add(value)
    assert total.total() == 2000.0


@pytest.mark.parametrize(
    ("values", "expected"), [([1.0, INF, 1.0], INF), ([INF, -INF], NAN), ([NAN, 1.0], NAN)]
)
def test_a_sum_of_what_is_not_finite(values: list[float], expected: float) -> None:
    total = Sum()
    for value in values:
        total.add(value)
    assert_array_equal(total.total(), expected)


def test_a_sum_of_arrays() -> None:
    total = Sum()
    total.add(summed(np.ones((3, 2))))
    total.add(np.array([1.0, 2.0]))
    assert_array_equal(total.total(), [4.0, 5.0])
    with pytest.raises(ValueError, match="rows of different shapes have no sum"):
        summed([np.zeros(1), np.zeros(2)])


def test_rows_of_one_shape_are_one_array() -> None:
    assert isinstance(gathered([np.zeros(2), np.zeros(2)]), np.ndarray)
    assert isinstance(gathered([np.zeros(2), np.zeros(3)]), list)
