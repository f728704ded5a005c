"""Ops that move or mix elements: derivatives against differences, modes against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from cgraph.autodiff.evaluate import evaluate
from cgraph.autodiff.gradient import gradient
from cgraph.autodiff.graph import Graph, check
from cgraph.autodiff.ops import OPS, Expr
from cgraph.autodiff.shapes import infer, shapes_at

from .tensors import CASES, Case, built, first_cases, movers, values

if TYPE_CHECKING:
    from cgraph.autodiff.evaluate import Array, Value

STEP = 1e-5
WEIGHT = "w"


def weighed(case: Case) -> tuple[Graph, list[Expr], int, dict[str, Value]]:
    """Return a call, the sum of its result times weights, and values for all of it."""
    graph, inputs, result = built(case)
    given = values(case)
    shape = np.shape(evaluate(graph, [result.node], given)[0])
    weights = np.random.default_rng(7).normal(size=shape)
    weight = Expr(graph, graph.placeholder(WEIGHT))
    given[WEIGHT] = weights if shape else float(weights)
    total = OPS["sum"](result * weight, attrs=(None, False)).node
    return graph, inputs, total, given


def difference(graph: Graph, node: int, given: dict[str, Value], name: str) -> Array:
    """Return central differences of a number by each element of an input."""
    at = np.asarray(given[name], dtype=np.float64)
    found = np.empty(at.shape)
    for index in np.ndindex(at.shape):
        sides: list[float] = []
        for sign in (1.0, -1.0):
            moved = at.copy()
            moved[index] += sign * STEP
            value = moved if moved.ndim else float(moved)
            sides.append(float(evaluate(graph, [node], {**given, name: value})[0]))
        found[index] = (sides[0] - sides[1]) / (2.0 * STEP)
    return found


def derivative(graph: Graph, node: int, wrt: int, given: dict[str, Value], mode: str) -> int:
    """Append a derivative; the graph is checked."""
    shapes = shapes_at(graph, graph.needed([node, wrt]), given)
    found = gradient(graph, node, [wrt], mode, shapes)[0]  # type: ignore[arg-type]
    check(graph)
    return found


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_shape_is_what_comes_out(case: Case) -> None:
    graph, _, result = built(case)
    given = values(case)
    inputs = {name: np.shape(value) for name, value in given.items()}
    shapes = infer(graph, inputs, graph.needed([result.node]))
    assert shapes[result.node] == np.shape(evaluate(graph, [result.node], given)[0])


@pytest.mark.parametrize("case", [case for case in CASES if case.kind != "labels"], ids=str)
def test_both_modes_agree_with_differences(case: Case) -> None:
    graph, inputs, total, given = weighed(case)
    for k, wrt in enumerate(inputs):
        expected = difference(graph, total, given, f"x{k}")
        for mode in ("reverse", "forward"):
            node = derivative(graph, total, wrt.node, given, mode)
            found = evaluate(graph, [node], given)[0]
            assert np.shape(found) == case.shapes[k]
            assert found == pytest.approx(expected, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_both_modes_agree_at_second_order(case: Case) -> None:
    graph, inputs, total, given = weighed(case)
    for wrt in inputs:
        slope = Expr(graph, derivative(graph, total, wrt.node, given, "reverse"))
        bent = OPS["sum"](slope * slope * slope, attrs=(None, False)).node
        nodes = [derivative(graph, bent, wrt.node, given, mode) for mode in ("reverse", "forward")]
        back, forth = evaluate(graph, nodes, given)
        assert np.shape(back) == np.shape(forth)
        assert back == pytest.approx(forth, rel=1e-8, abs=1e-8)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_path_that_is_not_selected_contributes_nothing(case: Case) -> None:
    """The call of sqrt(x), kept where a condition holds nowhere: 0 although sqrt'(0) is inf."""
    graph, inputs, _ = built(case)
    given = values(case)
    if case.kind == "labels":
        given["x0"] = np.zeros(case.shapes[0]) if case.shapes[0] else 0.0
    safe = Expr(graph, graph.placeholder("safe"))
    rooted = [x + OPS["sqrt"](safe) for x in inputs]
    result = OPS[case.op](*rooted, attrs=case.attrs)
    shape = np.shape(evaluate(graph, [result.node], {**given, "safe": 0.0})[0])
    never = OPS["less"](Expr(graph, graph.constant(2.0)), 1.0)
    chosen = OPS["where"](never, result, 0.0)
    total = OPS["sum"](chosen, attrs=(None, False)) if shape else chosen
    for mode in ("reverse", "forward"):
        wrt = graph.placeholders["safe"]
        node = derivative(graph, total.node, wrt, {**given, "safe": 0.0}, mode)
        assert evaluate(graph, [node], {**given, "safe": 0.0})[0] == 0.0


def holed(value: Value) -> Value:
    """Return the sizes of a value's entries, with every other one 0."""
    if isinstance(value, float | int):
        return abs(value)
    odd = np.arange(value.size).reshape(value.shape) % 2 == 1
    return np.where(odd, 0.0, np.abs(value))


@pytest.mark.parametrize("case", [case for case in CASES if case.kind == "any"], ids=str)
def test_both_modes_agree_on_what_an_entry_does_not_depend_on(case: Case) -> None:
    """The first entry of the call at sqrt(x), where some x are 0 and sqrt' is infinite."""
    graph, inputs, _ = built(case)
    given = {name: holed(value) for name, value in values(case).items()}
    result = OPS[case.op](*[OPS["sqrt"](x) for x in inputs], attrs=case.attrs)
    shape = np.shape(evaluate(graph, [result.node], given)[0])
    flat = OPS["reshape"](result, attrs=((int(np.prod(shape)),),))
    first = OPS["index"](flat, attrs=("0",)).node
    for wrt in inputs:
        nodes = [derivative(graph, first, wrt.node, given, mode) for mode in ("reverse", "forward")]
        back, forth = evaluate(graph, nodes, given)
        assert np.allclose(back, forth, rtol=1e-9, atol=1e-12, equal_nan=True)


def test_every_op_that_moves_elements_has_cases() -> None:
    assert {op.name for op in movers()} == set(first_cases())


JUMPING = {case.op for case in CASES if case.kind in ("labels", "regular")} - {"det"}
"""Those of labels, and of regular matrices; a determinant is a polynomial."""

KEEPING = [it for it in CASES if OPS[it.op].keeps_sum and it.shapes != ((),)]
SHAPING = [it for it in CASES if OPS[it.op].to_shape and -1 not in it.attrs[0]]


@pytest.mark.parametrize("name", sorted(JUMPING))
def test_rows_of_labels_and_of_regular_matrices_say_that_they_jump(name: str) -> None:
    assert OPS[name].jumps


@pytest.mark.parametrize("case", KEEPING, ids=str)
def test_rows_that_keep_the_sum_do(case: Case) -> None:
    graph, inputs, result = built(case)
    whole, part = evaluate(graph, [result.node, inputs[0].node], values(case))
    assert np.sum(whole) == pytest.approx(np.sum(part))


@pytest.mark.parametrize("case", SHAPING, ids=str)
def test_rows_to_a_shape_have_it_first_among_their_attributes(case: Case) -> None:
    graph, _, result = built(case)
    assert np.shape(evaluate(graph, [result.node], values(case))[0]) == case.attrs[0]
