"""Jacobians, Hessians and products with vectors of ops that move elements, against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from cgraph.autodiff.hessian import hessians
from cgraph.autodiff.jacobian import jacobians
from cgraph.autodiff.products import hvp, jvp, vjp

from .tensors import CASES, Case, built, values

if TYPE_CHECKING:
    from cgraph.autodiff.evaluate import Value

WITHOUT_LABELS = [case for case in CASES if case.kind != "labels"]


def flat(block: Value, rows: Value) -> Any:
    """Return a block of a matrix as rows and columns."""
    return np.reshape(block, (np.size(rows), -1))


@pytest.mark.parametrize("case", WITHOUT_LABELS, ids=str)
def test_jacobians_and_products_agree(case: Case) -> None:
    graph, _, result = built(case)
    given, vector = values(case), values(case, seed=5)
    wrt = dict(graph.placeholders)
    (back,) = jacobians(graph, [result.node], wrt, given, "reverse")
    (ahead,) = jacobians(graph, [result.node], wrt, given, "forward")
    weights: Any = np.random.default_rng(3).normal(size=np.shape(back.value))
    weights = weights if weights.shape else float(weights)
    (along,) = jvp(graph, [result.node], wrt, vector, given)
    _, pulled = vjp(graph, {"y": result.node}, wrt, {"y": weights}, given)
    total = 0.0
    for name, block in back.gradient.items():
        assert np.shape(block) == np.shape(back.value) + np.shape(given[name])
        assert ahead.gradient[name] == pytest.approx(block, rel=1e-8, abs=1e-9)
        matrix = flat(block, back.value)
        assert np.ravel(pulled[name]) == pytest.approx(np.ravel(weights) @ matrix, 1e-8, 1e-9)
        total = total + matrix @ np.ravel(vector[name])
    assert np.ravel(along.tangent) == pytest.approx(total, rel=1e-8, abs=1e-9)


@pytest.mark.parametrize("case", WITHOUT_LABELS, ids=str)
def test_hessians_and_products_agree(case: Case) -> None:
    graph, _, result = built(case)
    given, vector = values(case), values(case, seed=5)
    wrt = dict(graph.placeholders)
    ((_, hessian),) = hessians(graph, [result.node], wrt, given)
    (bent,) = hvp(graph, [result.node], wrt, wrt, vector, given)
    for name, blocks in hessian.items():
        total = 0.0
        for other, block in blocks.items():
            assert np.shape(block) == np.shape(given[name]) + np.shape(given[other])
            total = total + flat(block, given[name]) @ np.ravel(vector[other])
        assert np.ravel(bent.product[name]) == pytest.approx(total, rel=1e-7, abs=1e-8)
