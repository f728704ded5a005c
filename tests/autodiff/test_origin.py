"""Who made the NaN."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest

import cgraph
from cgraph.autodiff.results import Run, gradients
from cgraph.exporters.culprit import told

if TYPE_CHECKING:
    from cgraph.autodiff.evaluate import Value

INF, NAN = math.inf, math.nan


def warnings(text: str, with_gradient: bool = False, **bindings: Value) -> list[str]:
    """Return what is said about the outputs of a formula, each culprit in a sentence."""
    graph = cgraph.parse(text).graph
    wrt = graph.inputs() if with_gradient else {}
    found = gradients(graph, graph.outputs, wrt, bindings, Run("reverse"))
    return [told(graph, culprit) for result in found for culprit in result.culprits]


@pytest.mark.parametrize(
    ("text", "x", "expected"),
    [
        ("1 + log(x - 2)", 1.0, "log(x - 2) is nan at x - 2 = -1 (line 1, column 5)"),
        ("(x\n* sqrt(-x))", 4.0, "sqrt(-x) is nan at -x = -4 (line 2, column 3)"),
        ("exp(1/x)", 0.0, "1/x is inf at x = 0 (line 1, column 6)"),
        ("exp(x)", 1000.0, "exp(x) is inf at x = 1000 (line 1, column 1)"),
        ("y = x - x; y/y", 2.0, "y/y is nan at y = 0 (line 1, column 13)"),
        ("exp(x) - exp(x + 1)", 1000.0, "exp(x) is inf at x = 1000 (line 1, column 1)"),
        # Through a selection to what it selected.
        ("where(x > 0, x, log(x))", -1.0, "log(x) is nan at x = -1 (line 1, column 17)"),
        ("max(log(x), 1)", -1.0, "log(x) is nan at x = -1 (line 1, column 5)"),
        ("min(1, exp(-x), log(x))", -1000.0, "log(x) is nan at x = -1000 (line 1, column 17)"),
        ("max(exp(-x), 1)", -1000.0, "exp(-x) is inf at -x = 1000 (line 1, column 5)"),
        ("relu(log(x))", -1.0, "log(x) is nan at x = -1 (line 1, column 6)"),
        ("clip(log(x), 0, 1)", -1.0, "log(x) is nan at x = -1 (line 1, column 6)"),
        ("where(log(x), 1/(x + 1), 2)", -1.0, "log(x) is nan at x = -1 (line 1, column 7)"),
        ("log(x) > 0 or log(x)", -1.0, ""),
    ],
)
def test_the_culprit_made_it_out_of_finite_values(text: str, x: float, expected: str) -> None:
    assert warnings(text, x=x) == [expected] * bool(expected)


@pytest.mark.parametrize(
    ("text", "x"),
    [
        ("where(x > 0, log(x), x)", -1.0),
        ("where(x > 0, 1/x, x)*2", 0.0),
        ("min(exp(x), 1)", 1000.0),
        ("atan(1/x)", 0.0),
        ("relu(log(x))", 0.0),
    ],
)
@pytest.mark.parametrize("with_gradient", [False, True])
def test_what_is_not_selected_or_comes_back_is_harmless(
    text: str, x: float, with_gradient: bool
) -> None:
    found = warnings(text, with_gradient, x=x)
    assert found == [] or (text == "atan(1/x)" and with_gradient)


@pytest.mark.parametrize("x", [INF, -INF, NAN])
def test_a_binding_that_is_not_finite_is_nobodys_fault(x: float) -> None:
    assert warnings("log(x) + x", with_gradient=True, x=x) == []
    assert warnings("log(x)", with_gradient=True, x=np.array([1.0, x])) == []


def test_a_number_in_the_formula_that_is_not_finite_is_nobodys_fault() -> None:
    assert warnings("x + inf", x=1.0) == []
    assert warnings("where(x > 0, nan, 1)", x=1.0) == []


@pytest.mark.parametrize(
    ("text", "x", "expected"),
    [
        ("2*sqrt(x)", 0.0, "the derivative of sqrt(x) is inf at x = 0 (line 1, column 3)"),
        ("sqrt(x)^2", 0.0, "the derivative of sqrt(x) is inf at x = 0 (line 1, column 1)"),
        ("asin(x)", 1.0, "the derivative of asin(x) is inf at x = 1 (line 1, column 1)"),
        (
            "polygamma(x, 2)",
            1.0,
            "the derivative of polygamma(x, 2) is nan at x = 1 (line 1, column 1)",
        ),
        ("log(x)", -1.0, "log(x) is nan at x = -1 (line 1, column 1)"),
    ],
)
def test_a_derivatives_culprit_is_told_in_terms_of_the_formula(
    text: str, x: float, expected: str
) -> None:
    assert warnings(text, with_gradient=True, x=x) == [expected]


def test_each_culprit_is_told_once() -> None:
    assert (
        warnings("log(x); log(x) + 1; log(x)*y", True, x=-1.0, y=2.0)
        == ["log(x) is nan at x = -1 (line 1, column 1)"] * 3
    )
    both = warnings("log(x) + sqrt(y)", True, x=0.0, y=0.0)
    assert both == [
        "log(x) is -inf at x = 0 (line 1, column 1)",
        "the derivative of sqrt(y) is inf at y = 0 (line 1, column 10)",
    ]


def test_an_arrays_culprit_names_its_element() -> None:
    x = np.array([[1.0, 2.0], [-3.0, 4.0]])
    assert warnings("y + log(x)", x=x, y=np.array([5.0, 6.0])) == [
        "log(x) is nan at x = -3, element [1, 0] (line 1, column 5)"
    ]


def test_an_element_is_followed_through_broadcasting() -> None:
    v, s = np.array([1.0, -1.0]), 0.5
    assert warnings("(v + 0*w)*log(s - 1)", v=v, s=s, w=np.ones((2, 1))) == [
        "log(s - 1) is nan at s - 1 = -0.5 (line 1, column 11)"
    ]
    assert warnings("w*log(v)", v=v, w=np.ones((3, 1))) == [
        "log(v) is nan at v = -1, element [1] (line 1, column 3)"
    ]


def test_unselected_elements_are_harmless() -> None:
    x = np.array([-1.0, 0.0, 4.0])
    assert warnings("where(x > 0, log(x), x)", with_gradient=True, x=x) == []
    assert warnings("where(x > 1, x, log(x))", x=x) == [
        "log(x) is nan at x = -1, element [0] (line 1, column 17)"
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("max(x)", "max(x) is -inf at x of shape (0,) (line 1, column 1)"),
        ("1 + mean(x)", "mean(x) is nan at x of shape (0,) (line 1, column 5)"),
        ("y = x*x; logsumexp(y)", "logsumexp(y) is -inf at y of shape (0,) (line 1, column 10)"),
    ],
)
def test_of_what_is_empty_nothing_is_to_blame(text: str, expected: str) -> None:
    assert warnings(text, with_gradient=True, x=np.zeros(0)) == [expected]


def test_arrays_that_are_mixed_are_told_by_their_shape() -> None:
    x = np.array([[1.0, 2.0], [2.0, 4.0]])
    told = "inv(x) is nan at x of shape (2, 2), element [0, 0] (line 1, column 5)"
    assert warnings("sum(inv(x))", x=x) == [told]
    assert warnings("sum(exp(x))", x=np.array([1.0, 1000.0])) == [
        "exp(x) is inf at x = 1000, element [1] (line 1, column 5)"
    ]


def test_a_summed_gradient_names_the_element_that_spoils_it() -> None:
    v = np.array([4.0, 0.0])
    found = warnings("s*sqrt(v)", with_gradient=True, v=v, s=2.0)
    assert found == ["the derivative of sqrt(v) is inf at v = 0, element [1] (line 1, column 3)"]
