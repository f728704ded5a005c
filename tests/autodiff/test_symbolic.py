"""Derivatives to be read: of any order, linear, and a graph of their own."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cgraph import parse
from cgraph.autodiff.graph import check
from cgraph.autodiff.ops import Expr
from cgraph.autodiff.symbolic import derivatives, extracted
from cgraph.exporters.text import formula

from . import reference
from .draw import Drawn, formulas
from .reference import mp
from .test_drawn import close, drawn


@settings(drawn, max_examples=60)
@given(formulas(least=3, most=8), st.data())
def test_differentiation_is_linear(drawing: Drawn, data: st.DataObject) -> None:
    """The derivative of 3f - 2g is 3f' - 2g', whatever f and g are and however it is written."""
    graph, output, point = drawing
    f = Expr(graph, output)
    g = Expr(graph, data.draw(st.sampled_from(graph.needed([output]))))
    for name in point:
        wrt = graph.placeholders[name]
        whole, df, dg = (derivatives(graph, e.node, [[wrt]])[0] for e in (3.0 * f - 2.0 * g, f, g))
        check(graph)
        with mp.workprec(reference.BITS):
            found, one, other = reference.evaluate(graph, [whole, df, dg], point)
            if mp.isfinite(one) and mp.isfinite(other):
                expected = 3 * one - 2 * other
                scale = abs(3 * one) + abs(2 * other)
                assert close(found, expected, 1e-9) or abs(found - expected) <= 1e-12 * scale


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("x^4", "x", "4*x^3"),
        ("x^4", "xx", "12*x^2"),
        ("x^2*y^3", "xy", "6*x*y^2"),
        ("x^2*y^3", "yx", "6*x*y^2"),
        ("x^2*y^3", "z", "0"),
        ("sin(x)", "xxxx", "sin(x)"),
    ],
)
def test_orders_and_mixed_ones(text: str, path: str, expected: str) -> None:
    graph = parse(text).graph
    nodes = [graph.placeholder(name) for name in path]
    (node,) = derivatives(graph, graph.outputs[0], [nodes])
    assert formula(graph, node) == expected


def test_a_graph_of_their_own() -> None:
    graph = parse("input a = 2\np = a*x; p + sin(p)").graph
    own = extracted(graph, graph.outputs)
    check(own)
    assert own.defaults == {"a": 2.0}
    assert set(own.inputs()) == {"a", "x"}
    assert formula(own, own.outputs[0]) == "a*x + sin(a*x)"
