"""Drawn graphs: both modes are exact, and arrays are what scalars are.

The derivatives' graphs are run in mpmath, where rounding cannot hide a wrong rule, and compared
with differences of the formula's own graph.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings

from cgraph.autodiff.evaluate import run
from cgraph.autodiff.graph import Graph
from cgraph.autodiff.program import Program

from . import reference
from .derivatives import MODES, derivative
from .draw import Drawn, formulas
from .reference import mp

drawn = settings(
    max_examples=150,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def close(found: Any, true: Any, relative: float) -> bool:
    """Tell whether two numbers agree."""
    return bool(abs(found - true) <= relative * abs(true) + mp.mpf(2) ** -200)


def assert_derivatives(graph: Graph, output: int, point: dict[str, float]) -> None:
    """Compare the derivatives of a node with differences, where it has any."""
    for name in point:
        nodes = [derivative(graph, output, name, mode) for mode in MODES]
        with mp.workprec(reference.BITS):
            by_reverse, by_forward = reference.evaluate(graph, nodes, point)
            left, right = reference.sides(graph, output, point, name)
            if not close(left, right, 1e-20):
                continue
            assert close(by_reverse, by_forward, 1e-40), name
            # Partials have constants such as log(2), which are right to 16 digits.
            assert close(by_reverse, (left + right) / 2, 1e-9), name


@drawn
@given(formulas())
def test_both_modes_agree_with_differences(formula: Drawn) -> None:
    assert_derivatives(*formula)


@settings(drawn, max_examples=80)
@given(formulas(least=3, most=6))
def test_second_derivatives_agree_with_differences_of_the_first(formula: Drawn) -> None:
    graph, output, point = formula
    for mode in MODES:
        for name in point:
            slope = derivative(graph, output, name, mode)
            if all(map(mp.isfinite, reference.sides(graph, output, point, name))):
                assert_derivatives(graph, slope, point)


@drawn
@given(formulas())
def test_arrays_are_what_scalars_are(formula: Drawn) -> None:
    """Each op is compared at the very arguments it had, so that no rounding is passed on."""
    graph, output, point = formula
    slopes = [derivative(graph, output, name, mode) for name in point for mode in MODES]
    program = Program(graph, [output, *slopes])
    factors = np.array([1.0, -0.7, 2.9])
    values = run(program, {name: x * factors for name, x in point.items()}, keep=True)
    for step in program.steps:
        args = [np.broadcast_to(values[arg], 3) for arg in step.args]
        for i, found in enumerate(np.broadcast_to(values[step.node], 3)):
            expected = step.op.scalar(*(float(arg[i]) for arg in args))
            assert alike(float(found), expected), (step.op.name, [arg[i] for arg in args])


def alike(x: float, y: float) -> bool:
    """Tell whether two values of an op agree, nan with nan."""
    return x == y or (x != x and y != y) or math.isclose(x, y, rel_tol=1e-12, abs_tol=1e-300)
