"""Ops that mix elements in a branch that is not taken, whole or in part, where they are not finite.

What is taken is finite, so differences of the sum of it are the truth.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest

import cgraph
from cgraph.autodiff.evaluate import evaluate
from cgraph.autodiff.gradient import gradient
from cgraph.autodiff.graph import Graph
from cgraph.autodiff.ops import OPS, Expr
from cgraph.autodiff.shapes import shapes_at

from .tensors import CASES, Case, first_cases, values

if TYPE_CHECKING:
    from cgraph.autodiff.evaluate import Array, Value

MODES = ("reverse", "forward")
STEP = 1e-5
SIDES: dict[str, Callable[[Expr], Expr]] = {
    "log": lambda x: OPS["log"](x),
    "turned over": lambda x: 1.0 / x,
}
"""What the argument of a call is of an input: at 0 it is -inf or inf."""


class Branch(NamedTuple):
    """The sum of a call's entries that are taken, its inputs, and values for them."""

    graph: Graph
    total: int
    inputs: list[int]
    given: dict[str, Value]
    taken: int


def positive(value: Value, at_zero: int) -> Value:
    """Return sizes of numbers, so large that steps are small beside them, one of them 0."""
    sizes = np.abs(np.asarray(value)) + 0.5
    if at_zero < sizes.size:
        sizes.flat[at_zero] = 0.0
    return sizes if sizes.ndim else float(sizes)


def branch(case: Case, side: str, at_zero: int, whole: bool) -> Branch:
    """Return a call at arguments that are not finite, taken where it is finite, or nowhere."""
    graph = Graph()
    names = [f"x{k}" for k in range(len(case.shapes))]
    inputs = [Expr(graph, graph.placeholder(name)) for name in names]
    given = values(case)
    count = OPS[case.op].labels
    labels = () if count is None else count(case.shapes)
    args = list(inputs)
    for k, x in enumerate(inputs):
        if k not in labels:
            args[k] = SIDES[side](x)
            given[names[k]] = positive(given[names[k]], at_zero)
    result = OPS[case.op](*args, attrs=case.attrs)
    value = np.asarray(evaluate(graph, [result.node], given)[0])
    taken = np.zeros(value.shape) if whole else np.isfinite(value).astype(np.float64)
    given["taken"] = taken if taken.ndim else float(taken)
    mask = Expr(graph, graph.placeholder("taken"))
    chosen = OPS["where"](mask, result * result, 0.0)
    total = OPS["sum"](chosen, attrs=(None, False)) if value.ndim else chosen
    followed = [x.node for k, x in enumerate(inputs) if k not in labels]
    return Branch(graph, total.node, followed, given, int(taken.sum()))


def slopes(it: Branch, node: int, mode: str) -> list[int]:
    """Append the derivatives of a node by each input."""
    shapes = shapes_at(it.graph, it.graph.needed([node, *it.inputs]), it.given)
    return gradient(it.graph, node, it.inputs, mode, shapes)  # type: ignore[arg-type]


def differences(it: Branch, nodes: list[int], wrt: int) -> Array:
    """Return central differences of the sum of nodes by each entry of an input."""
    name = str(it.graph.nodes[wrt].attrs[0])
    at = np.asarray(it.given[name], dtype=np.float64)
    found = np.empty(at.shape)
    for index in np.ndindex(at.shape):
        sides: list[float] = []
        for sign in (1.0, -1.0):
            moved = at.copy()
            moved[index] += sign * STEP
            point = {**it.given, name: moved if moved.ndim else float(moved)}
            sides.append(sum(float(np.sum(one)) for one in evaluate(it.graph, nodes, point)))
        found[index] = (sides[0] - sides[1]) / (2.0 * STEP)
    return found


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_branch_that_is_not_taken_contributes_nothing(case: Case, side: str) -> None:
    it = branch(case, side, 0, whole=True)
    for mode in MODES:
        for found in evaluate(it.graph, slopes(it, it.total, mode), it.given):
            assert not np.any(found), mode


@pytest.mark.parametrize("case", first_cases().values(), ids=str)
def test_nor_does_it_at_second_order(case: Case) -> None:
    it = branch(case, "log", 0, whole=True)
    for slope in slopes(it, it.total, "reverse"):
        shapes = shapes_at(it.graph, it.graph.needed([slope]), it.given)
        node = slope
        if shapes and shapes[slope]:
            node = OPS["sum"](Expr(it.graph, slope), attrs=(None, False)).node
        for mode in MODES:
            for found in evaluate(it.graph, slopes(it, node, mode), it.given):
                assert not np.any(found), mode


KNOWN = [case for case in CASES if case.op not in ("cofactors", "second_cofactors")]
"""All but the derivatives of det, which have none at matrices that are not finite."""


@pytest.mark.parametrize("case", KNOWN, ids=str)
def test_what_is_taken_beside_it_has_its_own_derivative(case: Case) -> None:
    """All but the entries at 0, of which there are no differences."""
    side = "turned over" if case.op == "logsumexp" else "log"
    it = branch(case, side, 0, whole=False)
    for wrt in it.inputs:
        known = np.asarray(it.given[str(it.graph.nodes[wrt].attrs[0])]) != 0.0
        expected = differences(it, [it.total], wrt)
        for mode in MODES:
            by = it._replace(inputs=[wrt])
            found = np.asarray(evaluate(it.graph, slopes(by, it.total, mode), it.given)[0])
            assert found[known] == pytest.approx(expected[known], rel=1e-6, abs=1e-6), mode


@pytest.mark.parametrize(
    ("text", "name", "given", "expected"),
    [
        # A matrix of a stack that nothing reaches is singular, and the right side is for all.
        ("sum(solve(A, b)[0])", "b",
         {"A": [[[1, 0], [0, 2]], [[0, 0], [0, 0]]], "b": [3, 4]}, [1, 0.5]),
        ("sum(where([[1], [0]], solve(A, b), 0))", "b",
         {"A": [[[1, 0], [0, 2]], [[0, 0], [0, 0]]], "b": [3, 4]}, [1, 0.5]),
        # A trace does not read what is beside the diagonal.
        ("einsum('ii->', 1/X)", "X", {"X": [[1, 0], [0, 2]]}, [[-1, 0], [0, -0.25]]),
        ("einsum('ii->i', 1/X) @ [1, 2]", "X", {"X": [[1, 0], [0, 2]]}, [[-1, 0], [0, -0.5]]),
        ("einsum('ii,ij->', 1/X, Y)", "X", {"X": [[1, 0], [0, 2]], "Y": [[3, 0], [0, 4]]},
         [[-3, 0], [0, -1]]),
        ("trace(1/X)", "X", {"X": [[1, 0], [0, 2]]}, [[-1, 0], [0, -0.25]]),
    ],
)  # fmt: skip
def test_what_is_not_read_has_a_derivative_of_0(
    text: str, name: str, given: dict[str, list[float]], expected: list[float]
) -> None:
    for mode in ("reverse", "forward"):
        found = cgraph.grad(text, given, mode, wrt=[name])[name]
        np.testing.assert_allclose(found, expected, rtol=1e-14, err_msg=mode)
