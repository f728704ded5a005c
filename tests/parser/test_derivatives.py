"""Derivatives inside formulas: they are graph, wherever they stand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cgraph
from cgraph.autodiff.errors import FormulaError
from cgraph.autodiff.graph import check
from cgraph.parser import parse

from ..exporters.sameness import likeness


@pytest.mark.parametrize(
    ("text", "bindings", "expected"),
    [
        ("f(x) = x^3; f(2) + d(f(t), t)", {"t": 3}, 35),
        ("d(exp(2x), x, 3)", {"x": 0}, 8),
        ("d(x^2, x, 0)", {"x": 3}, 9),
        ("d(sin(x)*y, y)", {"x": 0.5, "y": 2}, np.sin(0.5)),
        ("d(x, y) + y", {"x": 1, "y": 2}, 2),
        ("grad(x^2*y, [x, y])", {"x": 2, "y": 3}, [12, 4]),
        ("grad(2x + 3y, [x, y])", {}, [2, 3]),
        ("hessian(x^2*y, [x, y])", {"x": 2, "y": 3}, [[6, 4], [4, 0]]),
        ("jacobian([x*y, x + y], [x, y])", {"x": 2, "y": 3}, [[3, 2], [1, 1]]),
        ("d([x, x^2, 5], x)", {"x": 3}, [1, 6, 0]),
        ("d(x*[1, 2], x)", {"x": 3}, [1, 2]),
        ("d([x + [1, 2], x*[3, 4]], x)", {"x": 3}, [[1, 1], [3, 4]]),
        ("d([sqrt(abs(x)), relu(x), 5*y]*x, x)", {"x": 4, "y": 1}, [3, 8, 5]),
        # By a named value, and by an input that a named value is made from.
        ("p = x^2; d(p^2, p)", {"x": 3}, 18),
        ("p = x^2; d(p^2, x)", {"x": 3}, 108),
        # In bodies: parameters are what they are, whatever the argument is.
        ("f(t) = t^3; g(t) = d(f(t), t); g(2) + g(x)", {"x": 1}, 15),
        ("g(t) = d(t^2, t); g(2)", {}, 4),
        ("g(t) = d(t^2*x, x); g(x^2)", {"x": 3}, 81),
        ("p = x^2; g(t) = d(p*t, x); g(3)", {"x": 5}, 30),
        ("h(t) = d(d(t^3, t)*s, t); h(s)", {"s": 2}, 24),
        ("step(x) = x - (x^2 - 2)/d(x^2 - 2, x); step(step(step(1.5)))", {}, 1.4142135623746899),
        # Where elements mix and shapes are known: of the sum, in the shape of what it is by.
        ("input x = [1, 2, 3]; d(sum(x^2), x)", {}, [2, 4, 6]),
        (
            "input A: (2, 2); input x: (2); d(sum((A @ x)^2), x)",
            {"A": [[1, 2], [3, 4]], "x": [1, 1]},
            [48, 68],
        ),
        (
            "input A: (2, 2); input x: (2); d(sum((A @ x)^2), A)",
            {"A": [[1, 2], [3, 4]], "x": [1, 1]},
            [[6, 6], [14, 14]],
        ),
        ("input x: (2); f(t) = d(sum(t^3), t); f(2x)", {"x": [1, 2]}, [12, 48]),
        ("input x: (2); f(t, n) = d(sum(t^k for k in 2 to n), t)[1]; f(x, 3)", {"x": [1, 2]}, 16),
        ("input x = 3; d([x, x^2], x)", {}, [1, 6]),
        (
            "input x: (2); input y: (2); grad(x @ y, [x, y])",
            {"x": [1, 2], "y": [3, 4]},
            [[3, 4], [1, 2]],
        ),
        ("f(t, n) = d(t^n, t)*[1, 2][n - 1]; g(t) = f(t, 2); g(3)", {}, 12),
        # A function of one's own, and an input, may have the name.
        ("d(a, b) = a - b; d(3, x)", {"x": 1}, 2),
        ("d*x", {"d": 2, "x": 3}, 6),
    ],
)
def test_values(text: str, bindings: dict[str, float], expected: Any) -> None:
    formula = cgraph.parse(text)
    check(formula.graph)
    needed = {name: value for name, value in bindings.items() if name in formula.inputs}
    assert np.allclose(formula(**needed), expected, rtol=1e-14)


def test_a_derivative_is_differentiated_again() -> None:
    value, gradient = cgraph.value_and_grad("d(x^4, x)", {"x": 2})
    assert (value, gradient) == (32.0, {"x": 48.0})
    assert cgraph.grad("grad(x^2*y, [x, y])", {"x": 2, "y": 3}) == {"x": 10.0, "y": 4.0}


def test_arrays_are_differentiated_element_by_element() -> None:
    assert cgraph.evaluate("d(x^2*y, x)", {"x": [1, 2], "y": [3, 4]}).tolist() == [6.0, 16.0]


@pytest.mark.parametrize("text", ["d(x^2*sin(x), x)", "hessian(x^2*y, [x, y])", "[x, x^2]"])
def test_it_prints_as_a_formula(text: str) -> None:
    formula = cgraph.parse(text)
    again = parse(str(formula))
    assert likeness(again) == likeness(formula.graph)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("d(x^2)", "d takes 2 or 3 arguments, 1 given (d(f, x) or d(f, x, order))"),
        ("grad(x)", "grad takes 2 arguments, 1 given (grad(f, [x, y]))"),
        ("d(x^2, 2x)", "d needs the names to differentiate by (d(f, x) or d(f, x, order))"),
        ("d(x^2, 2)", "d needs the names to differentiate by (d(f, x) or d(f, x, order))"),
        ("hessian(x^2, [x, 1])", "hessian needs the names to differentiate by "
            "(hessian(f, [x, y]))"),
        ("d(x^2, 3); x = 3", "d needs the names to differentiate by (d(f, x) or d(f, x, order))"),
        ("d(x^2, x, 1.5)", "an order is a whole number from 0 to 100 "
            "(d(f, x) or d(f, x, order))"),
        ("d(x^2, x, inf)", "an order is a whole number from 0 to 100 "
            "(d(f, x) or d(f, x, order))"),
        ("d(x^2, x, nan)", "an order is a whole number from 0 to 100 "
            "(d(f, x) or d(f, x, order))"),
        ("d(x^2, x, n)", "an order is a whole number from 0 to 100 (d(f, x) or d(f, x, order))"),
    ],
)  # fmt: skip
def test_refusals(text: str, message: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse(text)
    name = text.partition("(")[0]
    carets = "^" * len(name)
    assert str(caught.value) == f"<formula>:1:1: error: {message}\n  1 | {text}\n    | {carets}"


def test_a_constant_is_nothing_to_differentiate_by() -> None:
    with pytest.raises(FormulaError, match=r"error: x is a constant, nothing to differentiate"):
        parse("x = 3; d(x^2, x)")
