"""Code in Python gives of arrays what formulas give where entries are infinite, nan, 0 or equal."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from cgraph.autodiff.results import gradients
from cgraph.parser import parse

from ..autodiff.tensors import CASES, Case, built, values
from .test_code import python_of

if TYPE_CHECKING:
    from cgraph.autodiff.graph import Graph

INF, NAN = math.inf, math.nan
FIRST_AND_LAST = ((INF, 1.0), (-INF, 2.0), (NAN, 1.0), (INF, -INF), (0.0, -0.0), (INF, INF))
"""What the first and the last entry of an argument are."""


def spoiled(case: Case) -> Iterator[tuple[object, dict[str, Any]]]:
    """Yield values for a call of which some are awkward, and what they are."""
    plain = values(case)
    names = list(plain)[: len(plain) - (case.kind == "labels")]
    for name in names:
        for first, last in FIRST_AND_LAST:
            given = {one: np.array(value, np.float64) for one, value in plain.items()}
            given[name].reshape(-1)[-1], given[name].reshape(-1)[0] = last, first
            yield (name, first, last), given
    equal = {name: np.full(np.shape(plain[name]), 0.1) for name in names}
    yield "equal", {name: np.asarray(value) for name, value in (plain | equal).items()}


def wrong(function: Any, graph: Graph, given: dict[str, Any]) -> list[str]:
    """Return what code gives otherwise than the graph: the value, or derivatives by name."""
    plain = {name: value if value.ndim else float(value) for name, value in given.items()}
    expected = gradients(graph, graph.outputs, graph.placeholders, plain)[0]
    value, slopes = function(*given.values())
    pairs = {"value": (value, expected.value)}
    pairs |= {name: (slopes[name], slope) for name, slope in expected.gradient.items()}
    return [
        f"{name}: {found} instead of {other}"
        for name, (found, other) in pairs.items()
        if np.shape(found) != np.shape(other)
        or not np.allclose(found, other, rtol=1e-12, atol=1e-13, equal_nan=True)
    ]


def test_calls_at_awkward_entries() -> None:
    found: list[object] = []
    for case in CASES:
        graph, _, result = built(case)
        graph.outputs = [result.node]
        graph.shapes = {name: np.shape(value) for name, value in values(case).items()}
        function = python_of(graph)
        for told, given in spoiled(case):
            found += [(str(case), told, one) for one in wrong(function, graph, given)]
    assert found == []


@pytest.mark.parametrize("text", ["det(sqrt(S))", "inv(sqrt(S))", "logdet(sqrt(S))"])
def test_matrices_without_values_raise_nothing(text: str) -> None:
    graph = parse(f"input S: (2, 2); {text}")
    assert wrong(python_of(graph), graph, {"S": -np.eye(2)}) == []


@pytest.mark.parametrize(
    ("text", "x", "value"),
    [
        ("var(x)", [0.1, 0.1, 0.1], 0.0),
        ("std(x)", [0.1, 0.1, 0.1], 0.0),
        ("var(x, ddof=3)", [1.0, 2.0, 4.0], INF),
        ("std(x, ddof=5)", [1.0, 1.0, 1.0], NAN),
        ("var(x, ddof=1)", [1.0, 2.0, 6.0], 7.0),
    ],
)
def test_values(text: str, x: list[float], value: float) -> None:
    graph = parse(f"input x: (3,); {text}")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found, _ = python_of(graph)(np.array(x))
    assert found == value or (math.isnan(found) and math.isnan(value))
