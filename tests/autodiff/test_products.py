"""Products with vectors: the same numbers as the matrices', and each other's transposes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, seed, settings

import cgraph
from cgraph.autodiff.errors import UsageError
from cgraph.autodiff.graph import check
from cgraph.autodiff.products import jvp, vjp

from .draw import Drawn, formulas

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
TEXT = "s*v^2*exp(w)"
POINT: dict[str, Any] = {"s": 3.0, "v": [1.0, 2.0], "w": [[0.5], [-0.25], [1.0]]}
VECTOR: dict[str, Any] = {"s": -1.0, "v": [0.5, 2.0], "w": [[1.0], [2.0], [-3.0]]}


def contracted(block: Any, vector: Any) -> Any:
    """Return a block times a vector, over the block's last axes."""
    return np.tensordot(block, vector, axes=np.ndim(vector))


def test_jvp_is_the_jacobian_times_the_vector() -> None:
    jacobian = cgraph.jacobian(TEXT, POINT)
    expected = sum(contracted(jacobian[name], VECTOR[name]) for name in POINT)
    found = cgraph.jvp(TEXT, POINT, VECTOR)
    assert found == pytest.approx(expected)
    assert found.shape == (3, 2)


def test_vjp_is_the_vector_times_the_jacobian() -> None:
    jacobian = cgraph.jacobian(TEXT, POINT)
    weights = np.arange(6.0).reshape(3, 2)
    found = cgraph.vjp(TEXT, POINT, weights)
    for name, value in found.items():
        assert value == pytest.approx(np.tensordot(weights, jacobian[name], axes=2))
        assert np.shape(value) == np.shape(POINT[name])


def test_hvp_is_the_hessian_times_the_vector() -> None:
    hessian = cgraph.hessian(TEXT, POINT)
    found = cgraph.hvp(TEXT, POINT, VECTOR)
    for name, value in found.items():
        row = hessian[name]
        assert value == pytest.approx(sum(contracted(row[other], VECTOR[other]) for other in POINT))


def test_several_outputs() -> None:
    text, point = "x*y; x + y", {"x": 2.0, "y": 3.0}
    assert cgraph.jvp(text, point, {"x": 1.0, "y": 2.0}) == (7.0, 3.0)
    assert cgraph.vjp(text, point, [1.0, 2.0]) == {"x": 5.0, "y": 4.0}
    assert cgraph.vjp("x; x", {"x": 1.0}, [1.0, 2.0]) == {"x": 3.0}


def test_a_direction_of_named_values_too() -> None:
    text, point = "p = exp(x); p*x", {"x": 0.5}
    jacobian = cgraph.jacobian(text, point, wrt=["x", "p"])
    found = cgraph.jvp(text, point, {"x": 2.0, "p": 3.0})
    assert found == pytest.approx(2.0 * jacobian["x"] + 3.0 * jacobian["p"])


def test_a_number_stands_for_an_array_of_it() -> None:
    assert cgraph.jvp("v^2", {"v": [1, 2]}, {"v": 1.0}).tolist() == [2.0, 4.0]
    assert cgraph.vjp("v^2", {"v": [1, 2]}, 1.0)["v"].tolist() == [2.0, 4.0]


def test_what_the_vector_leaves_out_is_no_path() -> None:
    assert cgraph.jvp("sqrt(x)*y", {"x": 0.0, "y": 2.0}, {"y": 1.0}) == 0.0
    assert cgraph.hvp("x^1.5*y", {"x": 0.0, "y": 2.0}, {"y": 1.0}) == {"x": 0.0, "y": 0.0}


def test_no_value_no_derivative() -> None:
    assert math.isnan(cgraph.jvp("log(x)", {"x": -1.0}, {"x": 1.0}))
    found = cgraph.vjp("log(x); x", {"x": -1.0}, [1.0, 1.0])
    assert math.isnan(found["x"])
    found = cgraph.hvp("sqrt(x)^2 + y^2", {"x": 0.0, "y": 1.0}, {"y": 1.0})
    assert math.isnan(found["x"])
    assert found["y"] == 2.0


def test_another_vector_needs_no_other_graph() -> None:
    formula = cgraph.parse("exp(x*y)*y")
    point = {"x": 0.5, "y": 2.0}
    for of in (cgraph.hvp, cgraph.jvp):
        of(formula, point, {"x": 1.0, "y": 2.0})
        size = len(formula.graph)
        of(formula, point, {"x": -3.0, "y": 0.25})
        assert len(formula.graph) == size
    cgraph.vjp(formula, point, 1.0)
    size = len(formula.graph)
    cgraph.vjp(formula, point, 2.0)
    assert len(formula.graph) == size
    check(formula.graph)
    assert formula.inputs == ("x", "y")


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: cgraph.jvp("v^2", {"v": [1, 2]}, {"v": [1, 2, 3]}),
         "the vector has shape (3,) for v, which has shape (2,)"),
        (lambda: cgraph.jvp("s^2", {"s": 1.0}, {"s": [1, 2, 3]}),
         "the vector has shape (3,) for s, which has shape ()"),
        (lambda: cgraph.jvp("alpha^2", {"alpha": 1.0}, {"alpah": 1.0}),
         "no value is called 'alpah' (did you mean 'alpha'?)"),
        (lambda: cgraph.hvp("x; y", {"x": 1.0, "y": 2.0}, {"x": 1.0}),
         "a gradient is of one output, the formula has 2 (name it in output=)"),
        (lambda: cgraph.vjp("x; y", {"x": 1.0, "y": 2.0}, [1.0]),
         "the vector has 1 parts for 2 outputs"),
        (lambda: cgraph.jvp("x", {}, {"x": 1.0}), "no value for x"),
    ],
)  # fmt: skip
def test_what_does_not_fit(call: Any, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        call()
    assert str(caught.value) == f"error: {told}"


@given(formulas())
@seed(3)
@settings(max_examples=150, deadline=None, database=None, suppress_health_check=SLOW)
def test_jvp_and_vjp_are_transposes(drawn: Drawn) -> None:
    graph, output, point = drawn
    nodes = [graph.needed([output])[-2:][0], output]
    by = graph.inputs(nodes)
    given = {name: point.get(name, 0.5) for name in by}
    vector = {name: 0.5 + k for k, name in enumerate(by)}
    weights = {"0": -1.5, "1": 0.75}
    tangents = [float(one.tangent) for one in jvp(graph, nodes, by, vector, given)]
    outputs = dict(zip(weights, nodes, strict=True))
    _, products = vjp(graph, outputs, by, weights, given)
    one = sum(w * t for w, t in zip(weights.values(), tangents, strict=True))
    other = sum(vector[name] * float(product) for name, product in products.items())
    size = sum(abs(vector[name] * float(product)) for name, product in products.items())
    if math.isfinite(size):
        assert one == pytest.approx(other, rel=1e-9, abs=1e-9 * size + 1e-12)
