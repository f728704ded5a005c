"""The declared values at awkward points, in both modes, on scalars and on arrays."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pytest

import cgraph
from cgraph.autodiff.ops import OPS
from cgraph.autodiff.ops.table import REAL
from cgraph.autodiff.results import Run, gradients

from . import reference
from .derivatives import MODES, derivative, nth, of_inputs, on_arrays, on_scalars
from .samples import arity, elementwise

if TYPE_CHECKING:
    from cgraph.autodiff.gradient import Mode

INF, NAN = math.inf, math.nan

Row = tuple[tuple[float, ...], float, tuple[float, ...]]
"""The inputs in order, the value, and the derivative by each input."""

TABLE: dict[str, list[Row]] = {
    # Kinks and jumps: 0.
    "abs(x)": [((0.0,), 0.0, (0.0,)), ((-0.0,), 0.0, (0.0,)), ((-2.0,), 2.0, (-1.0,))],
    "sign(x)": [((0.0,), 0.0, (0.0,)), ((-3.0,), -1.0, (0.0,))],
    "floor(x)": [((0.0,), 0.0, (0.0,)), ((1.0,), 1.0, (0.0,)), ((1.5,), 1.0, (0.0,))],
    "ceil(x)": [((0.0,), 0.0, (0.0,)), ((1.0,), 1.0, (0.0,)), ((1.5,), 2.0, (0.0,))],
    "round(x)": [((0.5,), 0.0, (0.0,)), ((1.5,), 2.0, (0.0,)), ((2.5,), 2.0, (0.0,))],
    "trunc(x)": [((0.0,), 0.0, (0.0,)), ((-1.0,), -1.0, (0.0,)), ((-1.5,), -1.0, (0.0,))],
    "step(x)": [((0.0,), 0.0, (0.0,)), ((2.0,), 1.0, (0.0,))],
    "relu(x)": [((0.0,), 0.0, (0.0,)), ((-0.0,), 0.0, (0.0,)), ((2.0,), 2.0, (1.0,))],
    "x < y": [((1.0, 1.0), 0.0, (0.0, 0.0))],
    "x == y": [((1.0, 1.0), 1.0, (0.0, 0.0))],
    # Ties: 1/n each.
    "min(x, y)": [((2.0, 2.0), 2.0, (0.5, 0.5)), ((1.0, 2.0), 1.0, (1.0, 0.0))],
    "max(x, y)": [((2.0, 2.0), 2.0, (0.5, 0.5)), ((0.0, -0.0), 0.0, (0.5, 0.5))],
    "max(x, y, z)": [
        ((1.0, 1.0, 1.0), 1.0, (1 / 3, 1 / 3, 1 / 3)),
        ((1.0, 0.0, 1.0), 1.0, (0.5, 0.0, 0.5)),
    ],
    "min(x, y, z)": [((1.0, 1.0, 2.0), 1.0, (0.5, 0.5, 0.0)), ((3.0, 2.0, 1.0), 1.0, (0, 0, 1))],
    "max(x, 0)": [((0.0,), 0.0, (0.5,))],
    # The ends of a clip: the ties of min(max(x, lo), hi).
    "clip(x, lo, hi)": [
        ((0.0, 0.0, 1.0), 0.0, (0.5, 0.5, 0.0)),
        ((1.0, 0.0, 1.0), 1.0, (0.5, 0.0, 0.5)),
        ((1.0, 1.0, 1.0), 1.0, (0.25, 0.25, 0.5)),
        ((0.0, 1.0, 1.0), 1.0, (0.0, 0.5, 0.5)),
        ((2.0, 1.0, 1.0), 1.0, (0.0, 0.0, 1.0)),
        ((1.0, 2.0, 1.0), 1.0, (0.0, 0.0, 1.0)),
        ((-0.0, 0.0, 1.0), 0.0, (0.5, 0.5, 0.0)),
        ((0.5, 0.0, 1.0), 0.5, (1.0, 0.0, 0.0)),
        ((-1.0, 0.0, 1.0), 0.0, (0.0, 1.0, 0.0)),
        ((2.0, 0.0, 1.0), 1.0, (0.0, 0.0, 1.0)),
    ],
    "clip(x, 0, x)": [((5.0,), 5.0, (1.0,)), ((-5.0,), -5.0, (1.0,)), ((0.0,), 0.0, (0.75,))],
    "clip(x, y, x)": [((1.0, 1.0), 1.0, (0.75, 0.25)), ((1.0, 2.0), 1.0, (1.0, 0.0))],
    # Limits: inf allowed.
    "sqrt(x)": [((0.0,), 0.0, (INF,)), ((-0.0,), 0.0, (INF,))],
    "sqrt(-x)": [((0.0,), 0.0, (-INF,))],
    "log(x)": [((0.0,), -INF, (INF,)), ((-1.0,), NAN, (NAN,))],
    "asin(x)": [((1.0,), math.pi / 2, (INF,)), ((-1.0,), -math.pi / 2, (INF,))],
    "acos(x)": [((1.0,), 0.0, (-INF,))],
    "acosh(x)": [((1.0,), 0.0, (INF,))],
    "atanh(x)": [((1.0,), INF, (INF,))],
    "cbrt(x)": [((0.0,), 0.0, (INF,)), ((-8.0,), -2.0, (1 / 12,))],
    "1/x": [((0.0,), INF, (-INF,))],
    # The origin.
    "hypot(x, y)": [((0.0, 0.0), 0.0, (0.0, 0.0)), ((3.0, 4.0), 5.0, (0.6, 0.8))],
    "atan2(y, x)": [((0.0, 0.0), 0.0, (NAN, NAN))],
    "sinc(x)": [((0.0,), 1.0, (0.0,))],
    "logaddexp(x, y)": [
        ((1.0, 1.0), 1.0 + math.log(2.0), (0.5, 0.5)),
        ((1000.0, 1000.0), 1000.0 + math.log(2.0), (0.5, 0.5)),
    ],
    "softplus(x)": [((0.0,), math.log(2.0), (0.5,))],
    "leaky_relu(x)": [((0.0,), 0.0, (0.01,))],
    "xlogy(x, y)": [((0.0, 0.0), 0.0, (-INF, 0.0))],
    "mod(x, y)": [
        ((7.0, 3.0), 1.0, (1.0, -2.0)),
        ((-7.0, 3.0), 2.0, (1.0, 3.0)),
        ((6.0, 3.0), 0.0, (1.0, -2.0)),
        ((7.0, -3.0), -2.0, (1.0, 3.0)),
    ],
    # The power.
    "x^y": [
        ((0.0, 0.0), 1.0, (0.0, 0.0)),
        ((0.0, 2.0), 0.0, (0.0, 0.0)),
        ((0.0, 1.0), 0.0, (1.0, 0.0)),
        ((0.0, 0.5), 0.0, (INF, 0.0)),
        ((0.0, -1.0), INF, (-INF, -INF)),
        ((-2.0, 3.0), -8.0, (12.0, NAN)),
        ((-8.0, 1 / 3), NAN, (NAN, NAN)),
        ((4.0, 0.0), 1.0, (0.0, math.log(4.0))),
    ],
    "x^2": [((0.0,), 0.0, (0.0,)), ((-3.0,), 9.0, (-6.0,))],
    "x^1": [((0.0,), 0.0, (1.0,))],
    "x^0": [((0.0,), 1.0, (0.0,)), ((INF,), 1.0, (0.0,))],
    "x^0.5": [((0.0,), 0.0, (INF,))],
    "x^-1": [((0.0,), INF, (-INF,))],
    "0^x": [((0.0,), 1.0, (0.0,)), ((2.0,), 0.0, (0.0,)), ((-1.0,), INF, (-INF,))],
    "(-8)^(1/3) + x": [((1.0,), NAN, (NAN,))],
    # A path that is not selected contributes 0; a zero that is merely a number annihilates nothing.
    "where(x > 0, sqrt(x), 0)": [((0.0,), 0.0, (0.0,)), ((4.0,), 2.0, (0.25,))],
    "where(x > 0, log(x), x)": [((-1.0,), -1.0, (1.0,)), ((0.0,), 0.0, (1.0,))],
    "sqrt(x) if x > 0 else 3*x": [((0.0,), 0.0, (3.0,))],
    "where(c, sqrt(x), x)": [
        ((0.0, 0.0), 0.0, (0.0, 1.0)),
        ((-1.0, 4.0), 2.0, (0.0, 0.25)),
        ((-1.0, 0.0), 0.0, (0.0, INF)),
    ],
    "where(x != 0, sin(x)/x, 1)": [((0.0,), 1.0, (0.0,))],
    "sqrt(relu(x))": [((-1.0,), 0.0, (0.0,))],
    "sqrt(clip(x, 0, 1))": [((-3.0,), 0.0, (0.0,))],
    "clip(sqrt(x), 1, 2)": [((0.0,), 1.0, (0.0,))],
    "relu(-sqrt(x))": [((0.0,), 0.0, (0.0,))],
    "max(sqrt(x), y)": [((0.0, 1.0), 1.0, (0.0, 1.0))],
    "max(x, 0) + max(sqrt(abs(x)) - 1, 0)": [((0.0,), 0.0, (0.5,))],
    "sqrt(x)^2": [((0.0,), 0.0, (NAN,))],
    "sqrt(x)*sqrt(x)": [((0.0,), 0.0, (NAN,))],
    "exp(log(x))": [((0.0,), 0.0, (NAN,))],
}


def agrees(found: object, expected: object) -> bool:
    """Tell whether numbers agree: nan with nan, others to 1e-15."""
    return bool(np.allclose(found, expected, rtol=1e-15, atol=0.0, equal_nan=True))  # type: ignore[arg-type]


@pytest.mark.parametrize("text", TABLE)
@pytest.mark.parametrize("mode", MODES)
def test_scalars_follow_the_table(text: str, mode: Mode) -> None:
    formula = cgraph.parse(text)
    for point, expected, slopes in TABLE[text]:
        bindings = dict(zip(formula.inputs, point, strict=True))
        value, gradient = cgraph.value_and_grad(formula, bindings, mode)
        assert agrees(value, expected), bindings
        assert agrees(list(gradient.values()), slopes), (bindings, gradient)


@pytest.mark.parametrize("text", TABLE)
@pytest.mark.parametrize("mode", MODES)
def test_arrays_follow_the_table(text: str, mode: Mode) -> None:
    formula = cgraph.parse(text)
    points, expected, slopes = zip(*TABLE[text], strict=True)
    bindings = dict(zip(formula.inputs, np.array(points).T, strict=True))
    value, gradient = cgraph.value_and_grad(formula, bindings, mode)
    assert agrees(value, expected)
    assert agrees(np.array(list(gradient.values())).T, slopes), gradient


@pytest.mark.parametrize("mode", MODES)
def test_a_clip_is_the_least_of_the_greatest_with_their_ties(mode: Mode) -> None:
    names = ("x", "lo", "hi")
    grid = np.array([*itertools.product((-1.0, 0.0, 1.0, 2.0), repeat=3)]).T
    bindings = dict(zip(names, grid, strict=True))
    found = cgraph.grad("clip(x, lo, hi)", bindings, mode)
    expected = cgraph.grad("min(max(x, lo), hi)", bindings, mode)
    for name in names:
        np.testing.assert_array_equal(found[name], expected[name])


@pytest.mark.parametrize("text", ["x^3", "x^0", "x^-2", "x^(1/3)", "x^(2*pi)", "x^2^3"])
@pytest.mark.parametrize("mode", MODES)
def test_a_power_with_no_input_in_the_exponent_never_uses_log(text: str, mode: Mode) -> None:
    graph = cgraph.parse(text).graph
    first = derivative(graph, graph.outputs[0], "x", mode)
    derivative(graph, first, "x", mode)
    assert "log" not in {node.op.name for node in graph.nodes}


@pytest.mark.parametrize("text", ["x^2", "x*sin(x)/x", "exp(-x^2)", "2^x"])
@pytest.mark.parametrize("mode", MODES)
def test_where_nothing_selects_no_condition_is_written(text: str, mode: Mode) -> None:
    graph = cgraph.parse(text).graph
    derivative(graph, graph.outputs[0], "x", mode)
    assert "where" not in {node.op.name for node in graph.nodes}


# Paths not selected, at orders 1, 2 and 3

PATHS: list[tuple[str, float, tuple[float, float, float]]] = [
    ("where(x > 0, sqrt(x), 0)", 0.0, (0.0, 0.0, 0.0)),
    ("where(x > 0, sqrt(x), x^3)", 0.0, (0.0, 0.0, 6.0)),
    ("where(x > 0, log(x), exp(x))", 0.0, (1.0, 1.0, 1.0)),
    ("where(x > 0, log(x), exp(x))", 1.0, (1.0, -1.0, 2.0)),
    ("sqrt(relu(x))", -1.0, (0.0, 0.0, 0.0)),
    ("sqrt(relu(x))", 4.0, (1 / 4, -1 / 32, 3 / 256)),
    ("exp(relu(log(x)))", 0.5, (0.0, 0.0, 0.0)),
    ("where(x > 0, where(x > 1, log(x - 1), x^4), sqrt(-1 - x))", 1.0, (4.0, 12.0, 24.0)),
    ("where(x > 0, where(x > 1, log(x - 1), x^4), sqrt(-1 - x))", 2.0, (1.0, -1.0, 2.0)),
    ("where(x > 0, where(x > 1, log(x - 1), sqrt(x)), x^2)", 0.0, (0.0, 2.0, 0.0)),
    ("sqrt(where(x > 1, relu(x - 2), x - 1))", 1.5, (0.0, 0.0, 0.0)),
    ("max(x^3, min(sqrt(x), -1))", 0.0, (0.0, 0.0, 6.0)),
    # One node under two conditions, an infinite partial beneath.
    ("u = sqrt(x); where(x > 0, u, 0) + where(x > 1, u*u, 0)", 0.0, (0.0, 0.0, 0.0)),
    ("u = sqrt(x); where(x > 0, u, 0) + where(x > 1, u*u, 0)", 1.0, (1 / 2, -1 / 4, 3 / 8)),
    ("u = sqrt(x); where(x > 0, u, 0) + where(x > 1, u*u, 0)", 4.0, (5 / 4, -1 / 32, 3 / 256)),
    ("u = sqrt(x); where(x > 0, u, 0)*where(x > 1, u, 3) + x^3", 0.0, (0.0, 0.0, 6.0)),
    # Complements merge into one choice.
    ("u = sqrt(x); where(x > 1, u, 2*u)", 4.0, (1 / 4, -1 / 32, 3 / 256)),
    ("u = log(x); where(x > 1, u, 2*u)", 0.5, (4.0, -8.0, 32.0)),
    ("u = sqrt(x); where(x > 0, where(x > 1, u, 2*u), x)", 0.0, (1.0, 0.0, 0.0)),
]


@pytest.mark.parametrize(("text", "x", "expected"), PATHS)
@pytest.mark.parametrize("order", [1, 2, 3])
def test_a_path_not_selected_contributes_nothing(
    text: str, x: float, expected: Sequence[float], order: int
) -> None:
    for modes in itertools.product(MODES, repeat=order):
        for point in (x, np.array([x, x])):
            found = nth(text, {"x": point}, ["x"] * order, modes)
            assert np.allclose(found, expected[order - 1], rtol=1e-13, atol=0.0), (modes, point)


def test_complements_cost_one_choice() -> None:
    graph = cgraph.parse("u = sqrt(x); where(x > 1, u, 2*u)").graph
    before = [node.op.name for node in graph.nodes].count("where")
    derivative(graph, graph.outputs[0], "x", "reverse")
    assert [node.op.name for node in graph.nodes].count("where") == before + 1


VECTORS = [
    ([-1.0, -2.0], 0.0),
    ([-1.0, 2.0], INF),
    ([3.0, 2.0], INF),
]


@pytest.mark.parametrize(("v", "expected"), VECTORS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "text",
    [
        "where(v > 0, sqrt(s)*v, v)",
        "u = sqrt(s); where(v > 0, u, 0)",
        # Conditions are true where they are not 0: below 0, and where they would cancel.
        "where(-relu(v), sqrt(s), 0)",
        "where(relu(v)*(5 - 2*v), sqrt(s), 0)",
    ],
)
def test_a_scalar_under_elements_not_selected(
    text: str, v: list[float], expected: float, mode: Mode
) -> None:
    formula = cgraph.parse(text)
    slope = cgraph.grad(formula, {"v": v, "s": 0.0}, mode, wrt=["s"])["s"]
    assert slope == expected
    second = nth(text, {"v": np.array(v), "s": 0.0}, ["s", "s"], [mode, mode])
    assert second == (0.0 if expected == 0.0 else -INF)


# Where there is no value there is no derivative

NO_VALUE = [
    *("log(x)", "log2(x)", "log10(x)", "log1p(x)", "log(x, 3)", "xlogy(2, x)", "lgamma(x)*log(x)"),
    *("atanh(x)", "acoth(x + 2.5)", "sqrt(x)", "asin(x)", "acosh(x + 1)", "x^1.5", "gamma(x)"),
]


@pytest.mark.parametrize("text", NO_VALUE)
@pytest.mark.parametrize("mode", MODES)
def test_no_value_no_derivative(text: str, mode: Mode) -> None:
    formula = cgraph.parse(text)
    assert math.isnan(cgraph.grad(formula, {"x": -2.0}, mode)["x"])
    found = cgraph.grad(formula, {"x": [-2.0, 0.5]}, mode)["x"]
    assert np.isnan(found).tolist() == [True, False]


@pytest.mark.parametrize("text", ["sqrt(x)", "asin(x)", "0*log(x)", "where(x > -3, log(x), x)"])
@pytest.mark.parametrize("mode", MODES)
def test_no_value_no_second_derivative(text: str, mode: Mode) -> None:
    graph = cgraph.parse(f"{text}*sqrt(x)").graph
    slope = derivative(graph, graph.outputs[0], "x", mode)
    result = gradients(graph, [slope], {"x": graph.placeholders["x"]}, {"x": -2.0}, Run(mode))[0]
    assert math.isnan(result.value)
    assert math.isnan(result.gradient["x"])


@pytest.mark.parametrize("mode", MODES)
def test_no_value_is_told_element_by_element(mode: Mode) -> None:
    formula = cgraph.parse("s*log(v) + w")
    bindings = {"s": 2.0, "v": [-1.0, 1.0], "w": [1.0, 2.0]}
    gradient = cgraph.grad(formula, bindings, mode)
    assert agrees(gradient["v"], [NAN, 2.0])
    assert agrees(gradient["w"], [NAN, 1.0])
    assert math.isnan(gradient["s"])


def test_no_value_no_derivative_by_what_it_does_not_need() -> None:
    formula = cgraph.parse("p = log(x)\nv + p")
    gradient = cgraph.grad(formula, {"x": -1.0, "v": [1.0, 2.0]}, wrt=["v"], output="p")
    assert np.isnan(gradient["v"]).tolist() == [True, True]


def test_the_graph_stays_plain() -> None:
    formula = cgraph.parse("log(x)")
    slope = derivative(formula.graph, formula.graph.outputs[0], "x", "reverse")
    assert formula.graph.nodes[slope].op.name == "div"


# Stability

WIDE = [op.name for op in elementwise() if op.domain == (REAL,) and arity(op) == 1]


@pytest.mark.parametrize("name", sorted(WIDE))
def test_functions_are_stable_at_800(name: str) -> None:
    op = OPS[name]
    sample = [(800.0,), (-800.0,)]
    truths = [
        [float(reference.settled(reference.VALUES[name], point)) for point in sample],
        [float(reference.slope(name, 0, point)) for point in sample],
        [float(reference.curvature(name, 0, 0, point)) for point in sample],
    ]
    for mode in MODES:
        graph, node = of_inputs(op, 1)
        for expected in truths:
            assert on_scalars(graph, node, sample) == pytest.approx(expected, rel=1e-9, abs=1e-200)
            assert on_arrays(graph, node, sample) == pytest.approx(expected, rel=1e-9, abs=1e-200)
            node = derivative(graph, node, "0", mode)


@pytest.mark.parametrize("modes", list(itertools.product(MODES, MODES)))
def test_softplus_keeps_its_digits_at_order_2(modes: tuple[Mode, Mode]) -> None:
    found = nth("softplus(x)", {"x": 37.42994775023705}, ["x", "x"], modes)
    assert found == pytest.approx(5.551115123125775e-17, rel=1e-15, abs=0.0)


@pytest.mark.parametrize("modes", list(itertools.product(MODES, MODES)))
def test_the_hessian_of_a_power(modes: tuple[Mode, Mode]) -> None:
    hessian = {
        ("x", "x"): 0.0,
        ("x", "y"): 1 / 4,
        ("y", "x"): 1 / 4,
        ("y", "y"): math.log(4.0) ** 2,
    }
    for wrt, expected in hessian.items():
        found = nth("x^y", {"x": 4.0, "y": 0.0}, wrt, modes)
        assert found == pytest.approx(expected, rel=1e-15, abs=0.0)
