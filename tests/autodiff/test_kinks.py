# pyright: basic
"""Kinks: the first derivative is a convention, so there is no second one; elsewhere there is."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import mpmath
import numpy as np
import pytest

import cgraph
from cgraph.autodiff.gradient import gradient
from cgraph.autodiff.ops import OPS
from cgraph.autodiff.ops.registry import TWINS

from .derivatives import MODES, nth

if TYPE_CHECKING:
    from cgraph.autodiff.gradient import Mode

NAN = math.nan
mp: Any = mpmath.mp


class Kink(NamedTuple):
    """A formula of u with a kink at u = 0, the first derivative there, and its value in mpmath."""

    text: str
    slope: float
    truth: Callable[[Any], Any]


TABLE = {
    "abs": Kink("abs(U)", 0.0, abs),
    "relu": Kink("relu(U)", 0.0, lambda u: max(u, 0)),
    "leaky_relu": Kink("leaky_relu(U, 0.25)", 0.25, lambda u: u if u > 0 else u / 4),
    "elu": Kink("elu(U, 0.5)", 0.5, lambda u: u if u > 0 else mp.expm1(u) / 2),
    "max": Kink("max(-2, U, 0)", 0.5, lambda u: max(u, 0)),
    "min": Kink("min(U, 2, 0)", 0.5, lambda u: min(u, 0)),
    "clip": Kink("clip(U, 0, 9)", 0.5, lambda u: max(u, 0)),
    "hypot": Kink("hypot(U, 2U)", 0.0, lambda u: mp.sqrt(5) * abs(u)),
    "largest": Kink("max([U, 0, -2])", 0.5, lambda u: max(u, 0)),
    "smallest": Kink("min([U, 0, 2])", 0.5, lambda u: min(u, 0)),
    "norm": Kink("norm([U, 2U])", 0.0, lambda u: mp.sqrt(5) * abs(u)),
    "std": Kink("std([U, -U])", 0.0, abs),
}
INNER: dict[str, Callable[[Any], Any]] = {
    "x": lambda x: x,
    "x^2": lambda x: x**2,
    "x^3": lambda x: x**3,
}
OUTER: dict[str, Callable[[Any], Any]] = {
    "v": lambda v: v,
    "v^2": lambda v: v**2,
    "v*exp(x)": lambda v: v,
}
CASES = [
    *((name, inner, "v^2") for name in TABLE for inner in INNER),
    *((name, "x", outer) for name in TABLE for outer in OUTER if outer != "v^2"),
]


def formula(name: str, inner: str, outer: str) -> str:
    """Return the program of a kink between two smooth functions."""
    return f"u = {inner}; v = {TABLE[name].text.replace('U', 'u')}; {outer}"


def test_every_row_with_a_kink_is_tried() -> None:
    assert {op.name for op in OPS.values() if op.kink} == {*TABLE, "pow"}


@pytest.mark.parametrize("modes", list(itertools.product(MODES, MODES)))
def test_the_corner_of_the_power(modes: tuple[Mode, Mode]) -> None:
    assert nth("x^x", {"x": 0.0}, "x", modes[:1]) == 0.0
    assert math.isnan(float(nth("x^x", {"x": 0.0}, "xx", modes)))
    assert nth("x^x", {"x": 1.0}, "xx", modes) == 2.0
    assert nth("x^y", {"x": 0.0, "y": 0.0}, "xx", modes) == 0.0, "with y at rest it is 1"
    assert nth("x^y", {"x": 0.0, "y": 2.0}, "xx", modes) == 2.0


@pytest.mark.parametrize(("name", "inner", "outer"), CASES)
def test_there_is_no_second_derivative_at_a_kink(name: str, inner: str, outer: str) -> None:
    text = formula(name, inner, outer)
    for modes in itertools.product(MODES, MODES):
        assert math.isnan(float(nth(text, {"x": 0.0}, "xx", modes))), modes
    assert math.isnan(cgraph.hessian(text, {"x": 0.0})["x"]["x"])
    assert math.isnan(cgraph.hvp(text, {"x": 0.0}, {"x": 1.0})["x"])
    assert math.isnan(cgraph.hessian(text, {"x": 0.0}, sparse=True).toarray()[0, 0])
    *program, last = text.split("; ")
    assert math.isnan(cgraph.evaluate("; ".join([*program, f"d({last}, x, 2)"]), {"x": 0.0}))


@pytest.mark.parametrize(("name", "inner", "outer"), CASES)
def test_the_series_ends_at_a_kink(name: str, inner: str, outer: str) -> None:
    if OPS[name].move is None:
        found = cgraph.taylor(formula(name, inner, outer), {"x": 0.0}, 3)
        assert found[0] == 0.0
        assert math.isfinite(found[1])
        assert np.isnan(found[2:]).all()


@pytest.mark.parametrize("name", TABLE)
@pytest.mark.parametrize("mode", MODES)
def test_the_first_derivative_keeps_its_convention(name: str, mode: Mode) -> None:
    for (inner, steep), outer in itertools.product((("x", 1.0), ("x^2", 0.0)), ("v", "v*exp(x)")):
        found = cgraph.grad(formula(name, inner, outer), {"x": 0.0}, mode)["x"]
        assert found == TABLE[name].slope * steep


@pytest.mark.parametrize(("name", "inner", "outer"), CASES)
@pytest.mark.parametrize("x", [0.75, -0.75])
def test_elsewhere_there_is(name: str, inner: str, outer: str, x: float) -> None:
    text = formula(name, inner, outer)

    def truth(x: Any) -> Any:
        value = OUTER[outer](TABLE[name].truth(INNER[inner](x)))
        return value * mp.exp(x) if "exp" in outer else value

    with mp.workdps(40):
        expected = float(mp.diff(truth, mp.mpf(x), 2))
    for modes in itertools.product(MODES, MODES):
        found = nth(text, {"x": x}, "xx", modes)
        assert found == pytest.approx(expected, rel=1e-13, abs=1e-14), modes
    if OPS[name].move is None:
        found = cgraph.taylor(text, {"x": x}, 2)[2]
        assert found == pytest.approx(expected / 2.0, rel=1e-13, abs=1e-14)


# A kink of a path that is not taken is none

PATHS: list[tuple[str, float, float]] = [
    ("where(x > 1, relu(x), x^2)", 0.0, 2.0),
    ("where(x > 1, relu(x), relu(x - 1)*x^2)", 0.0, 0.0),
    ("where(x < 1, relu(x), x^2)", 0.0, NAN),
    ("where(x > 1, abs(x), x^2)", 0.0, 2.0),
    ("where(x > 1, max(x, 0)*norm([x]), x^2)", 0.0, 2.0),
    ("relu(relu(x) - 1)", 0.0, 0.0),
    ("relu(relu(x) + 1)", 0.0, NAN),
    ("relu(x - 1)*relu(x)", 0.0, NAN),
    ("u = relu(x); where(x > 1, u, 0) + where(x > 2, u*u, x^2)", 0.0, 2.0),
    ("u = relu(x); where(x < 1, u, 0) + where(x > 2, u*u, x^2)", 0.0, NAN),
    ("max(min(x, 0), 1)", 0.0, 0.0),
    ("sqrt(relu(x - 1)) + abs(x - 2)", 0.0, 0.0),
    ("clip(min(x, 0), 1, 2)", 0.0, 0.0),
]


@pytest.mark.parametrize(("text", "x", "expected"), PATHS)
def test_a_kink_on_a_path_not_taken(text: str, x: float, expected: float) -> None:
    for modes in itertools.product(MODES, MODES):
        assert nth(text, {"x": x}, "xx", modes) == pytest.approx(expected, nan_ok=True), modes
    if "[" not in text:
        found = cgraph.taylor(text, {"x": x}, 2)[2]
        assert found == pytest.approx(expected / 2.0, nan_ok=True)


# One node twice is no tie

SAME = [
    ("max(x, x)^2", {"x": 3.0}, 2.0),
    ("max(x, x, 1)^2", {"x": 3.0}, 2.0),
    ("max(x, 3, x)^2", {"x": 3.0}, NAN),
    ("min(x, x, 4)^3", {"x": 2.0}, 12.0),
    ("clip(x, 0, x)^2", {"x": 3.0}, 2.0),
    ("clip(x, x, 9)^2", {"x": 3.0}, 2.0),
    ("clip(x, x, x)^2", {"x": 3.0}, 2.0),
    ("clip(x, 3, x)^2", {"x": 3.0}, NAN),
    ("hypot(x, 1)", {"x": 0.0}, 1.0),
    ("sign(x)*x^2", {"x": 0.0}, 0.0),
]


@pytest.mark.parametrize(("text", "point", "expected"), SAME)
@pytest.mark.parametrize("modes", list(itertools.product(MODES, MODES)))
def test_one_node_twice_is_no_tie(
    text: str, point: dict[str, Any], expected: float, modes: tuple[Mode, Mode]
) -> None:
    assert nth(text, point, "xx", modes) == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("mode", MODES)
def test_who_is_there_twice_has_two_shares(mode: Mode) -> None:
    found = cgraph.grad("max(x, y, x)", {"x": 1.0, "y": 1.0}, mode)
    assert found == pytest.approx({"x": 2 / 3, "y": 1 / 3})


# Kinks in arrays are where they are

X = [0.0, 2.0]
COLUMN = [[0.0], [3.0]]
ARRAYS: list[tuple[str, dict[str, Any], Any]] = [
    ("sum(relu(x)^2)", {"x": X}, [[NAN, 0.0], [0.0, 2.0]]),
    ("sum(relu(x)[::-1]^2)", {"x": X}, [[NAN, 0.0], [0.0, 2.0]]),
    ("relu(x) @ relu(x)", {"x": X}, [[NAN, 0.0], [0.0, 2.0]]),
    ("sum(exp(relu(x)[::-1] @ [[1, 0], [0, 0]]))", {"x": [2.0, 0.0]}, [[0.0, 0.0], [0.0, NAN]]),
    ("sum(cumsum(abs(x))^2)", {"x": [3.0, 0.0]}, [[4.0, 0.0], [0.0, NAN]]),
    ("sum(max(x, 2)^2)", {"x": X}, [[0.0, 0.0], [0.0, NAN]]),
    ("sum(max(x, -x[:, None]))", {"x": X}, [[NAN, 0.0], [0.0, 0.0]]),
    ("max(x)^2", {"x": [1.0, 3.0, 3.0]}, [[0.0, 0.0, 0.0], [0.0, NAN, NAN], [0.0, NAN, NAN]]),
    ("max(x)^2", {"x": [1.0, 3.0, 2.0]}, np.diag([0.0, 2.0, 0.0])),
    ("where(x[0] > 0, sum(abs(x)), sum(x^2))", {"x": X}, np.diag([2.0, 2.0])),
    ("where(x[0] > 0, sum(relu(x)), sum(x^2))", {"x": X}, np.diag([2.0, 2.0])),
    ("where(x[1] > 0, sum(relu(x)), sum(x^2))", {"x": X}, np.diag([NAN, 0.0])),
]


@pytest.mark.parametrize(("text", "point", "expected"), ARRAYS)
def test_a_kink_in_an_array(text: str, point: dict[str, Any], expected: Any) -> None:
    found = cgraph.hessian(text, point)["x"]["x"]
    np.testing.assert_allclose(found, expected)
    sparse = cgraph.hessian(text, point, sparse=True).toarray()
    np.testing.assert_allclose(sparse, expected)
    for k, column in enumerate(np.eye(len(point["x"]))):
        along = cgraph.hvp(text, point, {"x": column})["x"]
        finite = np.isfinite(along)
        np.testing.assert_allclose(along[finite], np.array(expected)[finite, k])


def test_rows_without_length_have_a_kink_each() -> None:
    found = cgraph.hessian("sum(norm(X, axis=1)^2)", {"X": [[0.0, 0.0], [3.0, 4.0]]})["X"]["X"]
    assert np.isnan(found[0, :, 0]).all()
    assert not np.isnan(found[1]).any()
    np.testing.assert_allclose(found[1, :, 1], [[2.0, 0.0], [0.0, 2.0]])


# No cost where nothing is asked

PLAIN = ["where(x > 0, x^2, x)", "where(x > 0 and not x == 3, x^2, x)*x", "sign(x)*floor(x)*x^2"]


@pytest.mark.parametrize("text", PLAIN)
@pytest.mark.parametrize("modes", list(itertools.product(MODES, MODES)))
def test_what_a_person_compares_has_no_kink(text: str, modes: tuple[Mode, Mode]) -> None:
    graph = cgraph.parse(text).graph
    node, x = graph.outputs[0], graph.placeholders["x"]
    for mode in modes:
        (node,) = gradient(graph, node, [x], mode)
    assert not graph.kinked
    assert not any(graph.literal(k) != graph.literal(k) for k in range(len(graph)))


def test_a_comparison_of_a_derivative_has_no_kink() -> None:
    assert nth("where(d(relu(x), x) > 0, x, x^2)", {"x": 0.0}, "xx", MODES) == 2.0


def test_a_twin_is_its_row_but_for_the_derivative() -> None:
    for name, twin in TWINS.items():
        plain = twin.plain
        assert plain is not None
        assert twin.twin == name
        assert OPS[plain.name] is plain
        for field in ("name", "scalar", "array", "infix", "signature", "graphdef", "spelling"):
            assert getattr(twin, field) == getattr(plain, field), (name, field)


def test_what_is_read_has_no_twin() -> None:
    for text in ("abs(x^2)", "relu(x)^2", "max(x, 0)", "norm(x)^2", "clip(x, 0, 1)"):
        found = cgraph.diff(f"input x: (2,)\n{text}" if "norm" in text else text, "x")
        assert not any(node.op.plain for node in found.graph.nodes)
        assert not found.graph.kinked
