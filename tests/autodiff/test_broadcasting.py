"""Drawn shapes: an op on arrays is what it is on their elements, whichever way they broadcast."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cgraph.autodiff.evaluate import evaluate
from cgraph.autodiff.ops import Op

from .derivatives import MODES, bound, derivative, of_inputs, weighed_sum
from .drawn_shapes import Shape, together
from .samples import arity, elementwise, moderate

drawn = settings(max_examples=12, derandomize=True, deadline=None)

OPERATIONS = [op for op in elementwise() if not op.modes]


class Pool(NamedTuple):
    """For each argument of an op, numbers that it may have."""

    columns: tuple[Any, ...]

    def fill(self, shapes: tuple[Shape, ...], seed: int) -> list[Any]:
        """Return an array, or a number, in each shape."""
        draw = np.random.default_rng(seed)
        pairs = zip(self.columns, shapes, strict=True)
        return [draw.choice(column, size=shape)[()] for column, shape in pairs]


def pool(op: Op) -> Pool:
    """Return numbers of ordinary size from an op's domain."""
    return Pool(tuple(np.array(column) for column in zip(*moderate(op), strict=True)))


def by_elements(op: Op, args: list[Any], weights: Any) -> tuple[Any, list[Any], list[Any]]:
    """Return the values and the gradient of their weighed sum, by runs on scalars.

    Also what the terms of each derivative add up to without their signs.
    """
    shape = weights.shape
    wide = [np.broadcast_to(arg, shape) for arg in args]
    graph, output = of_inputs(op, len(args))
    slopes = [derivative(graph, output, str(k), "reverse") for k in range(len(args))]
    values = np.empty(shape)
    terms = np.empty((len(args), *shape))
    for at in np.ndindex(shape):
        point = bound([float(arg[at]) for arg in wide])
        values[at], *terms[(..., *at)] = evaluate(graph, [output, *slopes], point)
    terms *= weights
    sums = [summed(term, np.shape(arg)) for term, arg in zip(terms, args, strict=True)]
    sizes = [summed(abs(term), np.shape(arg)) for term, arg in zip(terms, args, strict=True)]
    return values, sums, sizes


def summed(terms: Any, shape: Shape) -> Any:
    """Return terms added up along the axes that a smaller array is repeated along."""
    extra = terms.ndim - len(shape)
    axes = [k for k in range(terms.ndim) if k < extra or shape[k - extra] != terms.shape[k]]
    return terms.sum(axis=tuple(axes)).reshape(shape)


@pytest.mark.parametrize("op", OPERATIONS, ids=lambda op: op.name)
@drawn
@given(data=st.data())
def test_elementwise_ops_broadcast(op: Op, data: st.DataObject) -> None:
    shapes = data.draw(together(arity(op)))
    args = pool(op).fill(shapes, data.draw(st.integers(0, 99)))
    weights = np.random.default_rng(1).normal(size=np.broadcast_shapes(*shapes))
    values, slopes, sizes = by_elements(op, args, weights)
    graph, output = of_inputs(op, len(args))
    point = bound(args)
    found = np.asarray(evaluate(graph, [output], point)[0])
    assert found.shape == weights.shape
    np.testing.assert_allclose(found, values, rtol=1e-12)
    total = weighed_sum(graph, output)
    for mode in MODES:
        for k, (slope, size) in enumerate(zip(slopes, sizes, strict=True)):
            given = point | {"w": weights[()]}
            node = derivative(graph, total, str(k), mode, given)
            value = np.asarray(evaluate(graph, [node], given)[0])
            assert value.shape == shapes[k]
            near = abs(value - slope) <= 1e-12 * size + 1e-300
            assert np.all(near | np.isnan(value) & np.isnan(slope)), (mode, k)
