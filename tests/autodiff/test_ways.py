"""Derivatives in the shapes that programs declare, and as formulas that are read."""

from __future__ import annotations

import numpy as np
import pytest

from cgraph.autodiff.errors import FormulaError
from cgraph.autodiff.evaluate import evaluate
from cgraph.autodiff.graph import Graph, check
from cgraph.autodiff.rules.view import View
from cgraph.autodiff.simplify import simplify
from cgraph.autodiff.symbolic import derivatives
from cgraph.exporters.text import formula
from cgraph.parser import parse

from .tensors import CASES, Case, built
from .test_tensors import derivative, weighed

MATRIX = "input A: (2, 3); input x: (3,); input y: (3,); input b: (2,); "


def slope(text: str, by: str = "x") -> str:
    """Return the derivative of a program by inputs, one after the other, as a formula."""
    graph = parse(text)
    path = [graph.placeholders[name] for name in by]
    (node,) = derivatives(graph, graph.outputs[0], [path])
    check(graph)
    return formula(graph, node)


@pytest.mark.parametrize(
    ("text", "by", "expected"),
    [
        ("sum(x^2)", "x", "2*x"),
        ("sum(x)", "x", "broadcast_to(1, [3])"),
        ("mean((x - y)^2)", "x", "0.6666666666666666*(x - y)"),
        ("x@y", "x", "y"),
        ("norm(x)", "x", "where(norm(x) == 0, 0, x/norm(x))"),
        ("logsumexp(x)", "x", "softmax(x)"),
        ("sum(A@x)", "x", "sum(A, axis=0)"),
        ("A@x", "A", "broadcast_to(x, [2, 3])"),
        ("b@(A@x)", "x", "A.T@b"),
        ("b@(A@x)", "A", "outer(b, x)"),
        ("sum(A@x)^2", "x", "2*sum(A@x)*sum(A, axis=0)"),
        ("sum((A@x - b)^2)", "x", "A.T@(2*(A@x - b))"),
        ("sum(x*A)", "x", "sum_to(A, [3])"),
        ("b@(x@A.T)", "A", "outer(b, x)"),
        ("x[1:]@y[:2]", "x", "place(y[:2], [3], 1:)"),
        ("x^2*y", "x", "2*x*y"),
        ("x^2*y", "xx", "2*y"),
        ("w*sum(x)", "w", "sum(x)"),
        ("w^3*x", "ww", "6*w*x"),
        ("w*x^2", "wx", "2*x"),
        ("w^2*sum(x^2)", "xw", "4*w*x"),
    ],
)
def test_derivatives_to_be_read(text: str, by: str, expected: str) -> None:
    assert slope(f"{MATRIX}input w = 2; {text}", by) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "sum(x^2)",
            "<formula>:1:1: error: sum needs the shape of x "
            "(declare it: input x: (3, 2), or input x: () where it is a number)\n"
            "  1 | sum(x^2)\n    | ^",
        ),
        (
            "input x: (3,); x[0]*x@y",
            "<formula>:1:22: error: @ needs the shape of y "
            "(declare it: input y: (3, 2), or input y: () where it is a number)\n"
            "  1 | input x: (3,); x[0]*x@y\n    |                      ^",
        ),
    ],
)
def test_shapes_must_be_declared_where_elements_mix(text: str, message: str) -> None:
    with pytest.raises(FormulaError) as caught:
        slope(text)
    assert str(caught.value) == message


def test_a_second_derivative_by_an_array_is_no_array_of_its_shape() -> None:
    with pytest.raises(FormulaError) as caught:
        slope("input x: (3,); sum(x^2)", "xx")
    assert str(caught.value).splitlines()[0] == (
        "<formula>:1:16: error: the second derivative by an array has an entry for each pair "
        "(cgraph hess has an entry for each pair)"
    )


def test_numbers_need_no_declaration() -> None:
    assert slope("[x, x^2]") == "[1, 2*x]"
    assert slope("x*sum(y)") == "sum(y)"


# Simplification


def longer(graph: Graph, node: int, simple: int) -> bool:
    """Tell whether a simplified node is longer than it was."""
    view = View(graph, derived=True)
    return view.size(simple) > view.size(node)


@pytest.mark.parametrize("declared", [True, False])
@pytest.mark.parametrize("case", CASES, ids=str)
def test_simplified_derivatives_are_the_same(case: Case, declared: bool) -> None:
    graph, inputs, total, given = weighed(case)
    if declared:
        graph.shapes = {name: np.shape(value) for name, value in given.items()}
    for mode in ("reverse", "forward"):
        for wrt in inputs:
            node = derivative(graph, total, wrt.node, given, mode)
            (simple,) = simplify(graph, [node], derived=True)
            check(graph)
            before, after = evaluate(graph, [node, simple], given)
            assert np.shape(before) == np.shape(after)
            assert after == pytest.approx(before, rel=1e-9, abs=1e-10)
            assert not longer(graph, node, simple)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_calls_stay_what_they_are(case: Case) -> None:
    graph, _, result = built(case)
    assert simplify(graph, [result.node]) == [result.node]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sum(x/x)", "sum(x/x)"),
        ("sum(x - x + y)", "sum(x - x + y)"),
        ("x - x", "0"),
        ("x.T.T", "x"),
        ("transpose(transpose(x, [1, 2, 0]), [2, 0, 1])", "x"),
        ("transpose(transpose(x, [1, 2, 0]), [1, 2, 0])", "transpose(x, axes=[2, 0, 1])"),
        ("sum(sum(x, axis=1))", "sum(x)"),
        ("sum(x.T)", "sum(x)"),
        ("sum(x, axis=0) + sum(x, axis=0)", "2*sum(x, axis=0)"),
        ("reshape(reshape(x, [2, 3]), [6])", "reshape(x, [6])"),
        ("input x: (3,); x - x", "broadcast_to(0, [3])"),
        ("input x: (3,); sum(x/x)", "sum(broadcast_to(1, [3]))"),
        ("input x: (3,); input y: (); sum(x - x + y)", "sum(broadcast_to(y, [3]))"),
        ("input x: (3,); reshape(x, [3])", "x"),
        ("outer(x, y).T", "outer(y, x)"),
        ("input x: (3,); input A: (2, 3); x@A.T", "A@x"),
        ("input x: (3,); full(2, [3])*x", "2*x"),
        ("input x: (3,); full(2, [2, 3])*x", "broadcast_to(2*x, [2, 3])"),
        ("input x: (2, 3); sum(x.T, axis=1)", "sum(x, axis=0)"),
        ("input x: (3,); place(x, [5], 1:4)[1:4]", "x"),
        ("input x: (3,); sum(place(x, [5], 1:4))", "sum(x)"),
        ("input x: (3,); sum(place(x, [2, 3], :))", "sum(place(x, [2, 3], :))"),
        ("input x: (3,); sum_to(sum_to(x, [2, 3]), [3])", "sum_to(sum_to(x, [2, 3]), [3])"),
        ("input x: (2, 3); sum_to(sum_to(x, [3]), [1])", "sum_to(x, [1])"),
    ],
)
def test_simpler(text: str, expected: str) -> None:
    graph = parse(text)
    assert formula(graph, simplify(graph, graph.outputs)[0]) == expected
