"""Polynomials as formulas."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st

import cgraph
from cgraph.exporters.polynomial import polynomial


@pytest.mark.parametrize(
    ("coefficients", "at", "text"),
    [
        ([1.0, 1.0, 0.5, 0.0, -0.125], 0.0, "1 + x + 0.5*x^2 - 0.125*x^4"),
        ([0.0, -1.0, 1.0], 0.0, "-x + x^2"),
        ([-2.5], 0.0, "-2.5"),
        ([0.0, -0.0], 0.0, "0"),
        ([], 0.0, "0"),
        ([1.0, 2.0, -1.0], 1.5, "1 + 2*(x - 1.5) - (x - 1.5)^2"),
        ([1.0, 2.0], -1.5, "1 + 2*(x + 1.5)"),
        ([1e-30, 1e300], 0.0, "1e-30 + 1e+300*x"),
        ([0.0, math.inf, -math.inf, math.nan], 0.0, "inf*x - inf*x^2 + nan*x^3"),
    ],
)
def test_forms(coefficients: list[float], at: float, text: str) -> None:
    assert polynomial(coefficients, "x", at) == text


def test_digits_round_the_coefficients_alone() -> None:
    assert polynomial([1 / 3, 2 / 3], "x", 0.12345, digits=2) == "0.33 + 0.67*(x - 0.12345)"


NUMBERS = st.floats(-1e6, 1e6)


@given(st.lists(NUMBERS, max_size=8), NUMBERS, NUMBERS)
@seed(1)
@settings(max_examples=200, deadline=None, database=None)
def test_it_reads_back(coefficients: list[float], at: float, x: float) -> None:
    formula = cgraph.parse(polynomial(coefficients, "x", at))
    point = {"x": x} if formula.inputs else {}
    found = cgraph.evaluate(formula, point)
    terms = [c * (x - at) ** k for k, c in enumerate(coefficients)]
    assert found == pytest.approx(sum(terms), rel=1e-12, abs=1e-12 * sum(map(abs, terms)))
