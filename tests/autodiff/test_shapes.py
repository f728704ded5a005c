"""Shapes, inferred before anything runs."""

from __future__ import annotations

import numpy as np
import pytest

import cgraph
from cgraph.autodiff.errors import FormulaError
from cgraph.autodiff.evaluate import evaluate
from cgraph.autodiff.gradient import Mode, gradient
from cgraph.autodiff.graph import Graph, Shape, check
from cgraph.autodiff.ops import OPS, Expr
from cgraph.autodiff.ops.parts import index, place, stack
from cgraph.autodiff.ops.structure import sum_to
from cgraph.autodiff.results import Run, gradients
from cgraph.autodiff.shapes import broadcast, infer, shapes_at

from .derivatives import MODES, listed


@pytest.mark.parametrize(
    ("shapes", "expected"),
    [
        ([(), ()], ()),
        ([(), (3,)], (3,)),
        ([(2, 1), (3,)], (2, 3)),
        ([(2, 1), (1, 3), ()], (2, 3)),
        ([(1,), (0,)], (0,)),
        ([(5,), (5,)], (5,)),
        ([(2,), (3,)], None),
        ([(2, 3), (2,)], None),
        ([(0,), (2,)], None),
    ],
)
def test_shapes_broadcast_as_in_numpy(shapes: list[Shape], expected: Shape | None) -> None:
    assert broadcast(shapes) == expected
    if expected is None:
        with pytest.raises(ValueError, match="broadcast"):
            np.broadcast_shapes(*shapes)
    else:
        assert np.broadcast_shapes(*shapes) == expected


def test_each_node_has_its_shape() -> None:
    graph = cgraph.parse("a = x*y; a + s").graph
    shapes = infer(graph, {"x": (2, 1), "y": (3,)}, range(len(graph)))
    assert shapes[graph.placeholders["s"]] == ()
    assert shapes[graph.names["a"]] == (2, 3)
    assert shapes[graph.outputs[0]] == (2, 3)


def test_shapes_of_scalars_cost_nothing() -> None:
    graph = cgraph.parse("x*y").graph
    assert shapes_at(graph, graph.needed(graph.outputs), {"x": 1.0, "y": 2.0}) is None


def test_shapes_of_constants_and_moves() -> None:
    graph = Graph()
    vector = Expr(graph, graph.constant(((1.0, 2.0), (3.0, 4.0))))
    summed = OPS["sum_to"](vector, attrs=((2,),))
    shapes = shapes_at(graph, graph.needed([summed.node]), {})
    assert shapes == {vector.node: (2, 2), summed.node: (2,)}


@pytest.mark.parametrize(
    ("text", "report"),
    [
        (
            "1 + x * y",
            "<formula>:1:7: error: * needs shapes that broadcast: (2,), (3,)\n"
            "  1 | 1 + x * y\n"
            "    |       ^",
        ),
        (
            "z = 1\nmax(x, z, y)",
            "<formula>:2:1: error: max needs shapes that broadcast: (2,), (), (3,)\n"
            "  2 | max(x, z, y)\n"
            "    | ^",
        ),
    ],
)
def test_shapes_that_do_not_fit_point_at_the_operator(text: str, report: str) -> None:
    formula = cgraph.parse(text)
    bindings = {"x": [1.0, 2.0], "y": [1.0, 2.0, 3.0]}
    for attempt in (cgraph.evaluate, cgraph.grad):
        with pytest.raises(FormulaError) as caught:
            attempt(formula, bindings)
        assert str(caught.value) == report
        assert caught.value.exit_code == 1


@pytest.mark.parametrize("mode", MODES)
def test_derivatives_have_the_shape_of_what_they_are_by(mode: Mode) -> None:
    graph = cgraph.parse("(a*b + c)*s").graph
    inputs = {"a": (2, 1), "b": (3,), "c": (1, 1), "s": ()}
    shapes = infer(graph, inputs, range(len(graph)))
    wrt = [graph.placeholders[name] for name in inputs]
    slopes = gradient(graph, graph.outputs[0], wrt, mode, shapes)
    check(graph)
    found = infer(graph, inputs, range(len(graph)))
    assert [found[slope] for slope in slopes] == list(inputs.values())


@pytest.mark.parametrize("mode", MODES)
def test_structural_ops_are_differentiated_through(mode: Mode) -> None:
    graph = Graph()
    x = Expr(graph, graph.placeholder("x"))
    wide = OPS["broadcast_to"](x * x, attrs=((2, 3),))
    output = OPS["sum_to"](wide * wide, attrs=((3,),)).node
    given = {"x": np.array([1.0, 2.0, 3.0])}
    shapes = shapes_at(graph, graph.needed([output]), given)
    slope = gradient(graph, output, [x.node], mode, shapes)[0]
    check(graph)
    assert listed(evaluate(graph, [slope], given)[0]) == [8.0, 64.0, 216.0]


def test_forward_mode_where_elements_mix() -> None:
    """Each element needs a tangent of its own: sum(x)*x has the gradient sum(x) + sum(x)."""
    graph = Graph()
    x = Expr(graph, graph.placeholder("x"))
    total = sum_to(x, attrs=((),))
    graph.outputs = [(total * x).node]
    given = {"x": np.array([1.0, 2.0, 4.0])}
    for mode in ("reverse", "forward"):
        result = gradients(graph, graph.outputs, {"x": x.node}, given, Run(mode))[0]
        check(graph)
        assert np.array_equal(result.gradient["x"], [14.0, 14.0, 14.0])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("x", [2.0, [1.0, 2.0]])
def test_an_array_of_values_is_differentiated(mode: Mode, x: float | list[float]) -> None:
    """The sum of the squares of x*y, x^2 and 3x."""
    graph = Graph()
    a, b = Expr(graph, graph.placeholder("x")), Expr(graph, graph.placeholder("y"))
    entries = stack(a * b, a**2.0, 3.0 * a)
    output = (entries * entries).node
    point = {"x": np.asarray(x)[()], "y": np.asarray(x)[()]}
    result = gradients(graph, [output], graph.inputs([output]), point, Run(mode))[0]
    check(graph)
    value = np.asarray(x)
    assert np.allclose(result.value, np.stack([value**4, value**4, 9 * value**2]))
    assert np.allclose(result.gradient["x"], 6 * value**3 + 18 * value)
    assert np.allclose(result.gradient["y"], 2 * value**3)


def test_entries_of_different_shapes() -> None:
    graph = Graph()
    x, y = (Expr(graph, graph.placeholder(name)) for name in "xy")
    with pytest.raises(FormulaError) as caught:
        gradients(graph, [stack(x, y).node], {}, {"x": np.ones(2), "y": 1.0})
    assert str(caught.value) == "error: [] needs entries of one shape: (2,), ()"


@pytest.mark.parametrize("second", MODES)
@pytest.mark.parametrize("first", MODES)
def test_an_array_of_values_is_differentiated_twice(first: Mode, second: Mode) -> None:
    """The sum of the squares of x*y and x^2, that is x^2*y^2 + x^4, at (2, 3)."""
    graph = Graph()
    x, y = (Expr(graph, graph.placeholder(name)) for name in "xy")
    entries = stack(x * y, x**2.0)
    output = (entries * entries).node
    shapes = infer(graph, {}, graph.needed([output]))
    slopes = gradient(graph, output, [x.node, y.node], first, shapes)
    point = {"x": 2.0, "y": 3.0}
    found = gradients(graph, slopes, {"x": x.node, "y": y.node}, point, Run(second))
    check(graph)
    assert [result.value for result in found] == [68.0, 24.0]
    assert [result.gradient for result in found] == [{"x": 66.0, "y": 24.0}, {"x": 24.0, "y": 8.0}]


@pytest.mark.parametrize("mode", MODES)
def test_an_entry_is_taken_and_placed(mode: Mode) -> None:
    graph = Graph()
    v = Expr(graph, graph.placeholder("v"))
    placed = place(index(v, attrs=("1",)) ** 2.0, attrs=((2,), "0"))
    result = gradients(graph, [placed.node], {"v": v.node}, {"v": np.array([1.0, 3.0])}, Run(mode))[
        0
    ]
    check(graph)
    assert np.array_equal(result.value, [9.0, 0.0])
    assert np.array_equal(result.gradient["v"], [0.0, 6.0])


def test_a_length_may_be_indexed() -> None:
    found = cgraph.evaluate("len(y)[None] + y", {"y": [1, 2]})
    assert found.tolist() == [3.0, 4.0]
