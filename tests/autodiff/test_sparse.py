"""Sparse Jacobians and Hessians: the same numbers as the whole matrices', fewer passes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, seed, settings
from hypothesis import strategies as st

import cgraph
from cgraph.autodiff.errors import FormulaError, UsageError
from cgraph.autodiff.gradient import Mode
from cgraph.autodiff.graph import Graph, check
from cgraph.autodiff.hessian import hessians
from cgraph.autodiff.jacobian import jacobians
from cgraph.autodiff.sparse import Sparse, SparseHessian, SparseJacobian, sparse_jacobian

from . import tensors
from .derivatives import MODES
from .draw import Drawn, formulas
from .tensors import CASES, Case

if TYPE_CHECKING:
    from cgraph.autodiff.evaluate import Value

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
EVERY_MODE: tuple[Mode, ...] = (*MODES, "auto")


def values_of(point: dict[str, Any]) -> dict[str, Value]:
    """Return a point as floats and arrays."""
    return {
        name: np.array(value, dtype=float) if np.ndim(value) else float(value)
        for name, value in point.items()
    }


def as_rows(block: Value, height: int) -> np.ndarray:
    """Return a block of a matrix with a row for each entry of what is differentiated."""
    return np.reshape(block, (height, np.size(block) // max(height, 1)))


def whole_jacobian(
    graph: Graph, nodes: Sequence[int], by: dict[str, int], point: dict[str, Value], mode: Mode
) -> np.ndarray:
    """Return the Jacobian as one matrix that has all zeros."""
    found = jacobians(graph, nodes, by, point, mode)
    rows = [
        np.hstack([as_rows(one.gradient[name], np.size(one.value)) for name in by]) for one in found
    ]
    return np.vstack(rows)


def whole_hessian(
    graph: Graph, node: int, by: dict[str, int], point: dict[str, Value]
) -> np.ndarray:
    """Return the Hessian as one matrix that has all zeros."""
    (found,) = hessians(graph, [node], by, point)
    gradient = found.result.gradient
    return np.vstack(
        [
            np.hstack([as_rows(block, np.size(gradient[row])) for block in blocks.values()])
            for row, blocks in found.hessian.items()
        ]
    )


def assert_same(sparse: Sparse, whole: np.ndarray, exact: bool = True) -> None:
    """Hold a sparse matrix against a whole one, which has nan also where it has no entries."""
    matrix = sparse.matrix
    assert matrix.shape == whole.shape
    assert matrix.has_canonical_format
    there = np.zeros(whole.shape, dtype=bool)
    rows, columns = matrix.tocoo().coords
    there[rows, columns] = True
    tolerance = 1e-13 if exact else 1e-9
    assert np.allclose(
        matrix.toarray()[there], whole[there], rtol=tolerance, atol=tolerance, equal_nan=True
    )
    rest = whole[~there]
    assert np.all((rest == 0) | np.isnan(rest))


def jacobian_of(text: str, point: dict[str, Any], mode: Mode = "auto") -> SparseJacobian:
    """Return what finds a formula's Jacobian by all inputs."""
    graph = cgraph.parse(text, values=point).graph
    return SparseJacobian(graph, graph.outputs, graph.inputs(), values_of(point), mode)


TEXTS: list[tuple[str, dict[str, Any]]] = [
    ("x*y; y*z", {"x": 2, "y": 3, "z": 4}),
    ("X[1:] - X[:-1]^2", {"X": [1, 2, 3, 4]}),
    ("X[1:] - X[:-1]^2; s*X[0]; 3; sum(X)", {"X": [1, 2, 3, 4], "s": 2}),
    ("A @ x; x; x", {"A": [[1, 2, 3], [4, 5, 6]], "x": [1, 2, 3]}),
    ("A @ B; det(A[:2, :2]); A.T", {"A": [[1, 2, 3], [4, 5, 6]], "B": [[1, 0], [2, 1], [0, 3]]}),
    ("[x[i]*x[i + 1] + s for i in 0 to 2]", {"x": [1, 2, 3, 4], "s": 5}),
    ("x + y", {"x": [[1], [2]], "y": [3, 4]}),
    ("where(x > 1, sqrt(x), y); floor(x)*y; max(x, y)", {"x": [0, 1, 2], "y": 2}),
    ("softmax(A, axis=0); cumsum(A[0]); A[:, ::-2]", {"A": [[1, 2, 3], [4, 5, 7]]}),
    ("stop_gradient(x)*y; round(x)", {"x": [1, 2], "y": [3, 4]}),
    ("sqrt(x)*s; sqrt(x[0] + x[1])*x[2]", {"x": [0, 0, 4], "s": 3}),
    ("log(x)*s; x", {"x": [-1, 0, 4], "s": 3}),
    ("p = s^2; s*p; p", {"s": 3}),
    ("x^2", {"x": np.zeros((0, 2))}),
    ("x; 2", {"x": 1}),
    ("outer(x, x); einsum('i,ij->j', x, A)", {"x": [1, 2], "A": [[1, 2, 3], [4, 5, 6]]}),
]


@pytest.mark.parametrize("mode", EVERY_MODE)
@pytest.mark.parametrize(("text", "point"), TEXTS, ids=[text for text, _ in TEXTS])
def test_jacobians(text: str, point: dict[str, Any], mode: Mode) -> None:
    ready = jacobian_of(text, point, mode)
    graph = cgraph.parse(text, values=point).graph
    whole = whole_jacobian(graph, graph.outputs, graph.inputs(), values_of(point), mode)
    assert_same(ready.at(values_of(point)), whole)


@pytest.mark.parametrize(("text", "point"), TEXTS, ids=[text for text, _ in TEXTS])
def test_hessians(text: str, point: dict[str, Any]) -> None:
    given = values_of(point)
    graph = cgraph.parse(text, values=point).graph
    by = graph.inputs()
    for node in graph.outputs:
        found = SparseHessian(graph, node, by, given).at(given)
        check(graph)
        assert_same(found, whole_hessian(graph, node, by, given), exact=False)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_ops_that_move_elements(case: Case, mode: Mode) -> None:
    graph, _, output = tensors.built(case)
    point = tensors.values(case)
    found = sparse_jacobian(graph, [output.node], graph.placeholders, point, mode)
    check(graph)
    whole = whole_jacobian(graph, [output.node], graph.placeholders, point, mode)
    assert_same(found, whole, exact=False)


@given(formulas())
@seed(3)
@settings(max_examples=150, deadline=None, database=None, suppress_health_check=SLOW)
def test_drawn_formulas(drawn: Drawn) -> None:
    graph, output, point = drawn
    nodes = [*graph.needed([output])[-3:-1], output]
    by = graph.inputs(nodes)
    assume(by)
    given: dict[str, Value] = {name: point.get(name, 0.5) for name in by}
    for mode in MODES:
        found = SparseJacobian(graph, nodes, by, given, mode).at(given)
        assert_same(found, whole_jacobian(graph, nodes, by, given, mode))
    found = SparseHessian(graph, output, by, given).at(given)
    assert_same(found, whole_hessian(graph, output, by, given), exact=False)


STEPS = (
    "{a} + {b}",
    "{a}*{b}",
    "{a}*s",
    "sin({a})",
    "where({a} > {b}, {a}, s)",
    "max({a}, {b})",
    "floor({a}) + {b}",
    "{a} - mean({b})",
    "concat({a}[1:], {b}[:1], axis=0)",
    "{a}[::-1]",
    "[{a}[2], s, {b}[0]*{a}[1], {b}[3]]",
    "cumsum({a})",
    "reshape({a}, [2, 2]) @ {b}[:2] + sum({a}[1:3]); {n} = concat({n}, {b}[2:], axis=0)",
    "sum(outer({a}, {b}), axis=1)",
    "reshape(reshape({a}, [2, 2]).T, [4])",
)


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Draw a program of vectors of four numbers, which ends in two of them."""
    names, lines = ["x", "y"], list[str]()
    for k in range(draw(st.integers(1, 6))):
        step = draw(st.sampled_from(STEPS))
        a, b = draw(st.sampled_from(names)), draw(st.sampled_from(names))
        lines.append(f"v{k} = {step.format(a=a, b=b, n=f'v{k}')}")
        names.append(f"v{k}")
    return "; ".join([*lines, names[-1], names[-2], "s"])


@given(programs(), st.integers(0, 2**32))
@seed(4)
@settings(max_examples=100, deadline=None, database=None, suppress_health_check=SLOW)
def test_drawn_programs_of_arrays(text: str, number: int) -> None:
    draw = np.random.default_rng(number)
    point: dict[str, Value] = {"x": draw.normal(size=4), "y": draw.normal(size=4), "s": 0.7}
    graph = cgraph.parse(text, values=point).graph
    by = {name: graph.placeholder(name) for name in point}
    for mode in EVERY_MODE:
        found = SparseJacobian(graph, graph.outputs, by, point, mode).at(point)
        whole = whole_jacobian(graph, graph.outputs, by, point, mode)
        assert_same(found, whole, exact=False)
    node = graph.outputs[0]
    found = SparseHessian(graph, node, by, point).at(point)
    assert_same(found, whole_hessian(graph, node, by, point), exact=False)


# -- structure ------------------------------------------------------------------------------------

STENCIL = "(concat(X[1:], X[:1], axis=0) - 2*X + concat(X[-1:], X[:-1], axis=0)) + exp(X)"

STRUCTURES: list[tuple[str, dict[str, Any], int, int]] = [
    ("x*y; y*z", {"x": 2, "y": 3, "z": 4}, 4, 2),
    ("x^2", {"x": np.ones(50)}, 50, 1),
    ("X[1:] - X[:-1]^2", {"X": np.ones(50)}, 98, 2),
    (STENCIL, {"X": np.ones(51)}, 153, 3),
    ("floor(x) + stop_gradient(x)", {"x": np.ones(5)}, 0, 0),
    ("sum(x); x^2", {"x": np.ones(50)}, 100, 2),
    ("0*x", {"x": np.ones(3)}, 3, 1),
    ("s*x", {"x": np.ones(50), "s": 1}, 100, 2),
    ("A @ x", {"A": np.ones((4, 30)), "x": np.ones(30)}, 240, 4),
    ("sum(A, axis=1)", {"A": np.ones((20, 3))}, 60, 1),
    ("softmax(A)", {"A": np.ones((20, 3))}, 180, 3),
    ("A.T; reshape(A, [-1]); A[3]", {"A": np.ones((20, 3))}, 123, 1),
    ("max(A, axis=0)", {"A": np.ones((20, 3))}, 60, 1),
    ("sum(x[i]*x[i + 1] for i in 0 to 48); x[3]", {"x": np.ones(50)}, 51, 2),
]


@pytest.mark.parametrize(
    ("text", "point", "entries", "passes"), STRUCTURES, ids=[text for text, *_ in STRUCTURES]
)
def test_structure(text: str, point: dict[str, Any], entries: int, passes: int) -> None:
    ready = jacobian_of(text, point)
    assert (ready.pattern.entries, ready.colouring.number) == (entries, passes)


HESSIANS: list[tuple[str, dict[str, Any], int, int]] = [
    ("sum(x^2)", {"x": np.ones(50)}, 50, 1),
    ("sum((X[1:] - X[:-1]^2)^2)", {"X": np.ones(50)}, 148, 3),
    ("sum(x)*s", {"x": np.ones(50), "s": 1}, 100, 2),
    ("sum(x^2)*s", {"x": np.ones(50), "s": 1}, 150, 2),
    ("sum(x)", {"x": np.ones(50)}, 0, 1),
    ("s*t + exp(t)", {"s": 1, "t": 2}, 3, 2),
]


@pytest.mark.parametrize(
    ("text", "point", "entries", "passes"), HESSIANS, ids=[text for text, *_ in HESSIANS]
)
def test_structure_of_hessians(text: str, point: dict[str, Any], entries: int, passes: int) -> None:
    graph = cgraph.parse(text, values=point).graph
    ready = SparseHessian(graph, graph.outputs[0], graph.inputs(), values_of(point))
    assert (ready.pattern.entries, ready.colouring.number) == (entries, passes)


def test_auto_takes_the_mode_of_fewer_passes() -> None:
    tall = {"x": np.ones(30), "s": 1.0}
    assert jacobian_of("x[0]*x; s*x", tall).mode == "forward"
    wide = jacobian_of("sum(x); x^2", {"x": np.ones(30)})
    assert (wide.mode, wide.colouring.number) == ("reverse", 2)
    assert jacobian_of("sum(x); x^2", {"x": np.ones(30)}, "forward").colouring.number == 30


def test_a_matrix_is_found_at_other_values() -> None:
    ready = jacobian_of("x^2*s", {"x": [1, 2], "s": 1})
    for s in (2.0, 3.0):
        matrix = ready.at({"x": np.array([3.0, 4.0]), "s": s}).matrix
        assert matrix.toarray().tolist() == [[6 * s, 0, 9], [0, 8 * s, 16]]


def test_many_colours_of_numbers_are_found_together() -> None:
    names = [f"x{k}" for k in range(80)]
    text = "; ".join([*(f"{name}^2" for name in names), "*".join(names), "+".join(names)])
    point: dict[str, Value] = dict.fromkeys(names, 1.5)
    graph = cgraph.parse(text).graph
    by = graph.inputs()
    found = sparse_jacobian(graph, graph.outputs, by, point, "forward")
    assert found.passes == 80
    assert_same(found, whole_jacobian(graph, graph.outputs, by, point, "forward"))


def test_by_named_values() -> None:
    graph = cgraph.parse("p = x*y; q = exp(p); p*q*x").graph
    by = {name: graph.names[name] for name in "qp"} | {"x": graph.placeholders["x"]}
    point: dict[str, Value] = {"x": 2.0, "y": 0.3}
    for mode in MODES:
        found = SparseJacobian(graph, graph.outputs, by, point, mode).at(point)
        assert_same(found, whole_jacobian(graph, graph.outputs, by, point, mode))
    (node,) = graph.outputs
    found = SparseHessian(graph, node, by, point).at(point)
    assert_same(found, whole_hessian(graph, node, by, point))


def test_one_node_under_two_names() -> None:
    graph = cgraph.parse("p = x*y; q = x*y; [p, q, p*q]").graph
    point: dict[str, Value] = {"x": 2.0, "y": 3.0}
    by = {name: graph.names[name] for name in "pq"}
    nodes = [*graph.outputs, *graph.outputs]
    for mode in MODES:
        found = SparseJacobian(graph, nodes, by, point, mode).at(point)
        assert found.matrix.toarray().tolist() == [[1, 1], [1, 1], [12, 12]] * 2


def test_what_is_not_finite_is_blamed() -> None:
    found = jacobian_of("sqrt(x)*s; x", {"x": [0, 4], "s": 2}).at(values_of({"x": [0, 4], "s": 2}))
    assert found.matrix.toarray().tolist() == [[np.inf, 0, 0], [0, 0.5, 2], [1, 0, 0], [0, 1, 0]]
    assert [len(result.culprits) for result in found.results] == [1, 0]


def test_errors() -> None:
    with pytest.raises(UsageError) as caught:
        jacobian_of("x", {"x": 1}, "both")  # type: ignore[arg-type]
    assert str(caught.value) == "error: 'both' is no mode (there are reverse, forward, auto)"
    with pytest.raises(FormulaError) as failed:
        jacobian_of("x - mean(x)", {"x": np.zeros(100_000)})
    told = "error: a sparse matrix of 10,000,000,000 entries is too large"
    assert str(failed.value) == f"{told} (cgraph jvp, vjp and hvp multiply it with a vector)"
