"""Ops that move or mix elements at drawn shapes, axes, indices: what NumPy gives, in both modes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special

from cgraph.autodiff.evaluate import evaluate
from cgraph.autodiff.graph import Graph
from cgraph.autodiff.ops import OPS
from cgraph.autodiff.shapes import infer

from .derivatives import MODES, bound, derivative, weighed_sum
from .drawn_shapes import SIZES, Shape, shapes, together

drawn = settings(max_examples=60, derandomize=True, deadline=None)

STEP = 1e-6

inverse: Callable[[Any], Any] = np.linalg.inv


def numbers(*wanted: Shape) -> list[Any]:
    """Return arrays of these shapes, always the same."""
    draw = np.random.default_rng(sum(map(sum, wanted)))
    return [draw.normal(size=shape)[()] for shape in wanted]


def assert_moves(name: str, attrs: tuple[Any, ...], args: list[Any], expected: Any) -> None:
    """Compare an op with what it is to be: shape, value, and derivatives in both modes."""
    graph = Graph()
    nodes = [graph.placeholder(str(k)) for k in range(len(args))]
    output = graph.add(OPS[name], tuple(nodes), attrs)
    point = bound(args)
    sizes = {name: np.shape(value) for name, value in point.items()}
    assert infer(graph, sizes, graph.needed([output]))[output] == np.shape(expected)
    found = np.asarray(evaluate(graph, [output], point)[0])
    assert found.shape == np.shape(expected)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-13)
    assert_derivatives(graph, output, args, np.shape(expected))


def assert_derivatives(graph: Graph, output: int, args: list[Any], shape: Shape) -> None:
    """Compare the modes with each other, and along a line with a difference."""
    draw = np.random.default_rng(9)
    point = {**bound(args), "w": draw.normal(size=shape)[()]}
    total = weighed_sum(graph, output)
    slope = 0.0
    line = [draw.normal(size=np.shape(arg)) for arg in args]
    for k, direction in enumerate(line):
        by_mode = [derivative(graph, total, str(k), mode, point) for mode in MODES]
        back, forth = map(np.asarray, evaluate(graph, by_mode, point))
        assert back.shape == forth.shape == np.shape(args[k])
        np.testing.assert_allclose(back, forth, rtol=1e-10, atol=1e-10)
        slope += float(np.sum(back * direction))
    sides = [
        float(evaluate(graph, [total], point | bound(moved(args, line, step)))[0])
        for step in (STEP, -STEP)
    ]
    assert (sides[0] - sides[1]) / (2.0 * STEP) == pytest.approx(slope, rel=1e-5, abs=1e-6)


def moved(args: list[Any], line: list[Any], step: float) -> list[Any]:
    """Return a point on a line."""
    return [(arg + step * along)[()] for arg, along in zip(args, line, strict=True)]


@st.composite
def axes(draw: st.DrawFn, rank: int) -> int | tuple[int, ...] | None:
    """Draw the axes of a reduction, some counted from the end."""
    if rank == 0 or draw(st.integers(0, 4)) == 0:
        return None
    chosen = draw(st.sets(st.integers(0, rank - 1), min_size=1))
    signed = tuple([axis - rank if draw(st.booleans()) else axis for axis in sorted(chosen)])
    return signed[0] if len(signed) == 1 and draw(st.booleans()) else signed


def mean(x: Any, axis: Any, keepdims: bool) -> Any:
    """Return NumPy's, nan of no elements without its warning."""
    total: Any = np.sum(x, axis=axis, keepdims=keepdims)
    return total / np.float64(np.size(x) / max(np.size(total), 1))


def norm(x: Any, axis: Any, keepdims: bool) -> Any:
    """Return the root of the sum of squares."""
    return np.sqrt(np.sum(np.square(x), axis=axis, keepdims=keepdims))


def logsumexp(x: Any, axis: Any, keepdims: bool) -> Any:
    """Return what it says; SciPy's refuses to reduce no elements."""
    with np.errstate(divide="ignore"):
        return np.log(np.sum(np.exp(x), axis=axis, keepdims=keepdims))


REDUCTIONS: dict[str, Callable[..., Any]] = {
    "sum": np.sum,
    "mean": mean,
    "prod": np.prod,
    "largest": partial(np.max, initial=-np.inf),
    "smallest": partial(np.min, initial=np.inf),
    "norm": norm,
    "logsumexp": logsumexp,
}


@pytest.mark.parametrize("name", REDUCTIONS)
@drawn
@given(data=st.data())
def test_reductions(name: str, data: st.DataObject) -> None:
    shape = data.draw(shapes())
    axis, keepdims = data.draw(axes(len(shape))), data.draw(st.booleans())
    (x,) = numbers(shape)
    with np.errstate(invalid="ignore"):
        expected = REDUCTIONS[name](x, axis=axis, keepdims=keepdims)
    if np.all(np.isfinite(expected)):
        assert_moves(name, (axis, keepdims), [x], expected)
    else:
        assert_runs(name, (axis, keepdims), [x], expected)


def assert_runs(name: str, attrs: tuple[Any, ...], args: list[Any], expected: Any) -> None:
    """Compare the value of an op; its derivatives have the shapes they ought to have."""
    graph = Graph()
    nodes = [graph.placeholder(str(k)) for k in range(len(args))]
    output = graph.add(OPS[name], tuple(nodes), attrs)
    point = bound(args)
    np.testing.assert_array_equal(np.asarray(evaluate(graph, [output], point)[0]), expected)
    for k, arg in enumerate(args):
        for mode in MODES:
            node = derivative(graph, output, str(k), mode, point)
            assert np.shape(evaluate(graph, [node], point)[0]) == np.shape(arg)


@pytest.mark.parametrize("name", ["var", "std"])
@drawn
@given(data=st.data())
def test_spreads(name: str, data: st.DataObject) -> None:
    shape = data.draw(shapes())
    axis, keepdims = data.draw(axes(len(shape))), data.draw(st.booleans())
    (x,) = numbers(shape)
    count = np.size(x) // max(np.size(np.sum(x, axis=axis)), 1)
    ddof = data.draw(st.integers(0, 1))
    if count > ddof and np.size(x) and not (name == "std" and count == 1):
        expected = getattr(np, name)(x, axis=axis, keepdims=keepdims, ddof=ddof)
        assert_moves(name, (axis, keepdims, ddof), [x], expected)


@pytest.mark.parametrize(
    ("name", "theirs"), [("softmax", special.softmax), ("log_softmax", special.log_softmax)]
)
@drawn
@given(data=st.data())
def test_softmax(name: str, theirs: Callable[..., Any], data: st.DataObject) -> None:
    shape = data.draw(shapes(least=1))
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    (x,) = numbers(shape)
    expected = theirs(x, axis=axis) if x.size else x
    assert_moves(name, (axis,), [x], expected)


@drawn
@given(data=st.data())
def test_running_sums(data: st.DataObject) -> None:
    shape = data.draw(shapes(least=1))
    axis = data.draw(st.none() | st.integers(-len(shape), len(shape) - 1))
    reverse = data.draw(st.booleans())
    (x,) = numbers(shape)
    expected = np.cumsum(x, axis=axis)
    if reverse:
        at = 0 if axis is None else axis
        expected = np.flip(np.cumsum(np.flip(x, axis), axis=axis), at)
    assert_moves("cumsum", (axis, reverse), [x], expected)


# -- products -------------------------------------------------------------------------------------


@drawn
@given(data=st.data())
def test_matrix_products_of_stacks(data: st.DataObject) -> None:
    rows, inner, columns = (data.draw(SIZES) for _ in range(3))
    left, right = data.draw(together(2))
    first: Shape = (*left[-2:], rows, inner) if data.draw(st.integers(0, 3)) else (inner,)
    second: Shape = (*right[-2:], inner, columns) if data.draw(st.integers(0, 3)) else (inner,)
    a, b = numbers(first, second)
    assert_moves("matmul", (), [a, b], np.matmul(a, b))


@drawn
@given(data=st.data())
def test_einsum(data: st.DataObject) -> None:
    sizes = {letter: data.draw(SIZES) for letter in "ijk"}
    operands = [
        "".join(data.draw(st.lists(st.sampled_from("ijk"), max_size=3)))
        for _ in range(data.draw(st.integers(1, 3)))
    ]
    there = sorted(set("".join(operands)))
    result = "".join(data.draw(st.permutations(there)))[: data.draw(st.integers(0, 3))]
    equation = f"{','.join(operands)}->{result}"
    args = numbers(*(tuple(sizes[letter] for letter in letters) for letters in operands))
    assert_moves("einsum", (equation,), args, np.einsum(equation, *args))


@drawn
@given(m=SIZES, n=SIZES)
def test_outer_products(m: int, n: int) -> None:
    x, y = numbers((m,), (n,))
    assert_moves("outer", (), [x, y], np.outer(x, y))


# -- parts ----------------------------------------------------------------------------------------

BOUND = st.none() | st.integers(-5, 5)


@st.composite
def indices(draw: st.DrawFn, shape: Shape) -> str:
    """Draw an index of an array of a shape, as it is written."""
    parts: list[str] = []
    for size in shape[: draw(st.integers(0, len(shape)))]:
        if size and draw(st.booleans()):
            parts.append(str(draw(st.integers(-size, size - 1))))
        else:
            first, last = draw(BOUND), draw(BOUND)
            step = draw(st.none() | st.sampled_from([1, 2, 3, -1, -2]))
            written = ["" if bound is None else str(bound) for bound in (first, last, step)]
            parts.append(":".join(written if step is not None else written[:2]))
    if draw(st.integers(0, 3)) == 0:
        parts.insert(draw(st.integers(0, len(parts))), "None")
    if not parts or (len(parts) == len(shape) and draw(st.integers(0, 3)) == 0):
        parts.append("...")
    return ", ".join(parts)


def picked(x: Any, text: str) -> Any:
    """Return what NumPy takes an index for."""
    return eval(f"x[{text}]", {"x": x})


@drawn
@given(data=st.data())
def test_indices(data: st.DataObject) -> None:
    shape = data.draw(shapes(least=1))
    text = data.draw(indices(shape))
    (x,) = numbers(shape)
    assert_moves("index", (text,), [x], picked(x, text))


@drawn
@given(data=st.data())
def test_places(data: st.DataObject) -> None:
    shape = data.draw(shapes(least=1))
    text = data.draw(indices(shape))
    expected = np.zeros(shape)
    part = picked(expected, text)
    (x,) = numbers(np.shape(part))
    exec(f"y[{text}] = x", {"y": expected, "x": x})
    assert_moves("place", (shape, text), [x], expected)


@drawn
@given(data=st.data())
def test_laying_end_to_end(data: st.DataObject) -> None:
    shape = data.draw(shapes(least=1))
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    lengths = data.draw(st.lists(SIZES, min_size=1, max_size=3))
    place = axis % len(shape)
    args = numbers(*((*shape[:place], size, *shape[place + 1 :]) for size in lengths))
    assert_moves("concat", (axis,), args, np.concatenate(args, axis=axis))


@drawn
@given(data=st.data())
def test_stacking(data: st.DataObject) -> None:
    shape = data.draw(shapes(most=2))
    axis = data.draw(st.integers(-len(shape) - 1, len(shape)))
    args = numbers(*[shape] * data.draw(st.integers(1, 3)))
    assert_moves("stack", (axis,), args, np.stack(args, axis=axis))


@drawn
@given(data=st.data())
def test_transposing(data: st.DataObject) -> None:
    shape = data.draw(shapes())
    rank = len(shape)
    order = data.draw(st.none() | st.permutations(range(rank)).map(tuple))
    (x,) = numbers(shape)
    assert_moves("transpose", (order,), [x], np.transpose(x, order))


@drawn
@given(data=st.data())
def test_reshaping(data: st.DataObject) -> None:
    shape = data.draw(shapes())
    (x,) = numbers(shape)
    wanted = list(data.draw(st.permutations(shape)))
    if wanted and 0 not in shape and data.draw(st.booleans()):
        wanted[data.draw(st.integers(0, len(wanted) - 1))] = -1
    assert_moves("reshape", (tuple(wanted),), [x], np.reshape(x, wanted))


@drawn
@given(data=st.data())
def test_repeating_and_summing_back(data: st.DataObject) -> None:
    (small,) = data.draw(together(1))
    large = data.draw(together(2))
    try:
        shape = np.broadcast_shapes(small, *large)
    except ValueError:
        return
    x, y = numbers(small, shape)
    assert_moves("broadcast_to", (shape,), [x], np.broadcast_to(x, shape))
    extra = len(shape) - len(small)
    ones = tuple(k + extra for k, size in enumerate(small) if size == 1 != shape[k + extra])
    back = y.sum(axis=(*range(extra), *ones)) if shape else y
    assert_moves("sum_to", (small,), [y], np.reshape(back, small))


@drawn
@given(shape=shapes(least=1, most=2))
def test_diagonals(shape: Shape) -> None:
    (x,) = numbers(shape)
    assert_moves("diag", (), [x], np.diag(x))
    if len(shape) == 2:
        assert_moves("trace", (), [x], np.trace(x))


# -- square matrices ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["det", "inv"])
@drawn
@given(data=st.data())
def test_square_matrices(name: str, data: st.DataObject) -> None:
    stack, size = data.draw(shapes(most=2)), data.draw(SIZES)
    (x,) = numbers((*stack, size, size))
    x = x + 3.0 * np.eye(size)
    assert_moves(name, (), [x], getattr(np.linalg, name)(x))


@drawn
@given(data=st.data())
def test_solutions(data: st.DataObject) -> None:
    left, right = data.draw(together(2))
    size, columns = data.draw(SIZES), data.draw(SIZES)
    vector = data.draw(st.booleans())
    a, b = numbers((*left[-2:], size, size), (size,) if vector else (*right[-2:], size, columns))
    a += 3.0 * np.eye(size)
    assert_moves("solve", (), [a, b], np.matmul(inverse(a), b))
