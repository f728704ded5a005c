"""NaN and infinities into every op: nothing is raised or warned of, and both modes agree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cgraph
from cgraph.autodiff.graph import Graph
from cgraph.autodiff.ops import Op
from cgraph.autodiff.results import Run, gradients

from .derivatives import MODES, bound, of_inputs
from .samples import arity, elementwise
from .tensors import CASES, Case, built

VALUES = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -2.5, 0.5])


def drawn(shapes: list[tuple[int, ...]], seed: int) -> list[Any]:
    """Return arrays of such values."""
    draw = np.random.default_rng(seed)
    return [draw.choice(VALUES, size=shape)[()] for shape in shapes]


def slopes(graph: Graph, output: int, point: dict[str, Any], mode: Any) -> dict[str, Any]:
    """Return the gradient that is printed."""
    wrt = {name: graph.placeholders[name] for name in point}
    return gradients(graph, [output], wrt, point, Run(mode))[0].gradient


def assert_modes_agree(graph: Graph, output: int, point: dict[str, Any]) -> None:
    """Compare the gradients of both modes, nan with nan."""
    back, forth = (slopes(graph, output, point, mode) for mode in MODES)
    for name in point:
        np.testing.assert_allclose(forth[name], back[name], rtol=1e-12, atol=1e-15, err_msg=name)


@pytest.mark.parametrize("op", elementwise(), ids=lambda op: op.name)
@pytest.mark.parametrize("seed", range(4))
def test_elementwise_ops(op: Op, seed: int) -> None:
    graph, output = of_inputs(op, arity(op))
    shapes: list[tuple[int, ...]] = [(2, 3)[k % 2 :] for k in range(arity(op))]
    assert_modes_agree(graph, output, bound(drawn(shapes, seed)))


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("seed", range(2))
def test_ops_that_move_elements(case: Case, seed: int) -> None:
    graph, _, result = built(case)
    values = drawn(list(case.shapes), seed)
    point = {f"x{k}": value for k, value in enumerate(values)}
    assert_modes_agree(graph, result.node, point)


@pytest.mark.parametrize("text", ["sum(softmax(x)*[1, 2, 3])", "sum(log_softmax(x)[:, 0])"])
def test_a_mask_of_minus_infinity(text: str) -> None:
    """What attention may not look at: no weight, and a derivative of 0."""
    x = np.array([[1.0, -np.inf, 0.5], [0.0, -np.inf, -np.inf]])
    for mode in MODES:
        slope = cgraph.grad(text, {"x": x}, mode)["x"]
        assert np.isfinite(slope).all()
        assert not slope[np.isinf(x)].any()
