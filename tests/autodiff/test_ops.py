"""Tests that grow from the table: each row's derivatives against the reference, over all shapes.

Its values are in `test_forms`.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

from cgraph.autodiff.evaluate import evaluate
from cgraph.autodiff.ops import OPS, Each, Op

from . import reference
from .derivatives import (
    MODES,
    bound,
    derivative,
    every_slope,
    of_inputs,
    on_arrays,
    on_scalars,
)
from .reference import mpf, same, ulps
from .samples import Point, arity, domain, elementwise, moderate, points

ELEMENTWISE = elementwise()
NAMES = [op.name for op in ELEMENTWISE]
SLOPES = [(op.name, k) for op in ELEMENTWISE for k in range(arity(op))]
LOOSE = {"lgamma": 1000.0}
"""Allowed ulps of a derivative, where they are not 64."""


# Errors


def size_around(name: str, k: int, point: Point) -> float:
    """Return the size of a derivative that is next to one of its zeros, 0 for others.

    It is next to a zero when its sign changes within a sixteenth of the argument. There errors are
    measured by its size at that distance, for a sum of terms has lost their common digits.
    """
    sides: list[Any] = [
        reference.slope(name, k, (*point[:k], point[k] * factor, *point[k + 1 :]))
        for factor in (15.0 / 16.0, 17.0 / 16.0)
    ]
    return float(max(abs(side) for side in sides)) if sides[0] * sides[1] < 0 else 0.0


def error(name: str, k: int, point: Point, found: float, true: Any) -> float:
    """Return the error of a derivative in ulps."""
    plain = ulps(found, true)
    return plain if plain <= 64.0 else ulps(found, true, size_around(name, k, point))


# Derivatives


@pytest.mark.parametrize(("name", "k"), SLOPES)
def test_derivatives_keep_their_digits_over_the_whole_domain(name: str, k: int) -> None:
    sample = points(OPS[name])
    truths = [reference.slope(name, k, point) for point in sample]
    found = every_slope(OPS[name], k, sample)
    for way, slopes in found.items():
        triples = zip(sample, slopes, truths, strict=True)
        worst = max((error(name, k, p, slope, true), p, slope) for p, slope, true in triples)
        assert worst[0] <= LOOSE.get(name, 64.0), f"d{name}/d{k}, {way}: {worst}"
    for form in ("scalars", "arrays"):
        pair = zip(found[f"reverse, {form}"], found[f"forward, {form}"], strict=True)
        assert all(ulps(x, mpf(y)) <= 8.0 or same(x, y) for x, y in pair)


@pytest.mark.parametrize(("name", "k"), SLOPES)
def test_second_derivatives_agree_with_differences(name: str, k: int) -> None:
    op = OPS[name]
    sample = moderate(op, 8)
    for j in range(arity(op)):
        if any(np.isnan(float(reference.slope(name, i, sample[0]))) for i in (j, k)):
            continue
        truths = [float(reference.curvature(name, j, k, point)) for point in sample]
        for first, second in itertools.product(MODES, MODES):
            graph, output = of_inputs(op, arity(op))
            slope = derivative(graph, output, str(k), first)
            node = derivative(graph, slope, str(j), second)
            found = on_scalars(graph, node, sample)
            assert found == pytest.approx(truths, rel=1e-9, abs=1e-15, nan_ok=True)
            if first != second:
                assert on_arrays(graph, node, sample) == pytest.approx(
                    found, rel=1e-12, nan_ok=True
                )


# Shapes


SHAPES: dict[int, list[tuple[tuple[int, ...], ...]]] = {
    1: [((),), ((3,),), ((2, 3),), ((0,),)],
    2: [
        ((), (3,)),
        ((3,), ()),
        ((3,), (3,)),
        ((2, 1), (3,)),
        ((2, 3), (1, 1)),
        ((1,), (2, 3)),
        ((), (0,)),
    ],
    3: [((2, 3), (3,), ()), ((), (2, 1), (3,)), ((3,), (), (2, 3))],
}


def filled(op: Op, shapes: tuple[tuple[int, ...], ...]) -> list[Any]:
    """Return arrays of these shapes with numbers of the op's domain."""
    sample = np.array(moderate(op, 6))
    arrays = [np.resize(sample[:, k], shape) for k, shape in enumerate(shapes)]
    return [array if array.ndim else float(array) for array in arrays]


@pytest.mark.parametrize(("name", "k"), SLOPES)
def test_gradients_of_arrays_are_sums_of_scalar_ones(name: str, k: int) -> None:
    op = OPS[name]
    slopes = of_inputs(op, arity(op))
    node = derivative(*slopes, str(k), "reverse")
    for shapes in SHAPES[arity(op)]:
        args = filled(op, shapes)
        each = [tuple(map(float, point)) for point in np.broadcast(*args)]
        whole = np.reshape(on_scalars(slopes[0], node, each), np.broadcast_shapes(*shapes))
        for mode in MODES:
            graph, output = of_inputs(op, arity(op))
            gradient = derivative(graph, output, str(k), mode, bound(args))
            found = evaluate(graph, [gradient], bound(args))[0]
            assert np.shape(found) == shapes[k]
            assert isinstance(found, float) == (not shapes[k])
            expected = sum_to(whole, shapes[k])
            np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)


def sum_to(array: Any, shape: tuple[int, ...]) -> Any:
    """Return the sum over the axes along which `shape` broadcasts to the array's."""
    padded = (1,) * (array.ndim - len(shape)) + shape
    axes = tuple(i for i, size in enumerate(padded) if size == 1 != array.shape[i])
    return array.sum(axis=axes, keepdims=True).reshape(shape)


# The rows themselves


def test_every_op_that_a_formula_can_say_is_tested_unless_it_moves_elements() -> None:
    said = {
        op.name
        for op in OPS.values()
        if (op.function or op.infix) and op.move is None and not op.stops
    }
    assert set(NAMES) == said


def test_the_reference_knows_every_elementwise_op_and_no_other() -> None:
    assert set(reference.VALUES) == set(NAMES)


@pytest.mark.parametrize("op", [op for op in elementwise() if op.function], ids=lambda op: op.name)
def test_rows_speak_to_readers(op: Op) -> None:
    assert op.doc
    assert not op.doc.endswith(".")
    assert op.signature.startswith(f"{op.function}(")
    assert len(op.domain) in (1, len(op.parameters))
    assert all(domain.text for domain in op.domain)
    assert isinstance(op.partials, Each) or len(op.partials) == arity(op)


@pytest.mark.parametrize("name", sorted(op.name for op in elementwise() if op.function))
def test_rows_state_a_convention_where_a_derivative_is_not_finite(name: str) -> None:
    op = OPS[name]
    inner = moderate(op, 1)[0]
    for k in range(arity(op)):
        at = domain(op, k)
        ends = {0.0, at.low, at.high} & {0.0, 1.0, -1.0}
        sample = [(*inner[:k], end, *inner[k + 1 :]) for end in ends if not at.whole]
        if sample and not all(map(math.isfinite, every_slope(op, k, sample)["reverse, scalars"])):
            assert op.convention
