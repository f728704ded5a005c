"""What is printed reads back: numbers to the same bits, formulas and programs to the same graph."""

from __future__ import annotations

import math
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgraph.autodiff.gradient import gradient
from cgraph.autodiff.graph import Graph
from cgraph.autodiff.ops import OPS, Op
from cgraph.exporters.options import DEFAULT
from cgraph.exporters.scene import Scene
from cgraph.exporters.text import export, formula, nested_text, number, program, value_text
from cgraph.parser import parse

from ..autodiff.tensors import attributes_of
from .drawing import WRITABLE, arity, graphs
from .sameness import likeness

DEPTH = 100_000


def reread(text: str) -> float:
    graph = parse(text)
    value = graph.literal(graph.outputs[0])
    assert value is not None
    return value


@given(st.floats())
def test_numbers_read_back_to_the_same_bits(value: float) -> None:
    back = reread(number(value))
    if math.isnan(value):
        assert math.isnan(back)
        return
    assert struct.pack("d", back) == struct.pack("d", value)


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (-12.0, None, "-12"),
        (0.1, None, "0.1"),
        (1e300, None, "1e+300"),
        (-0.0, None, "-0"),
        (math.inf, None, "inf"),
        (-math.inf, 4, "-inf"),
        (math.nan, 4, "nan"),
        (math.pi, 4, "3.142"),
        (-12.0, 4, "-12"),
        (123456.0, 3, "1.23e+05"),
    ],
)
def test_numbers(value: float, digits: int | None, text: str) -> None:
    assert number(value, digits) == text


def test_arrays() -> None:
    assert value_text(np.array([[1.0, 2.0], [-0.5, math.nan]])) == "[[1, 2], [-0.5, nan]]"
    assert value_text(np.array(3.0)) == "3"
    assert value_text(np.zeros((0,))) == "[]"
    assert nested_text(((1.0,), (2.0,)), None) == "[[1], [2]]"
    assert value_text(np.array([1 / 3, 2 / 3]), 2) == "[0.33, 0.67]"


def test_a_large_array_is_written_in_summary() -> None:
    assert value_text(np.arange(1001.0)) == "(1001,), norm 1.827e+04, [0, 1, 2, ...]"
    assert value_text(np.arange(1001.0) / 3, 2) == "(1001,), norm 6.1e+03, [0, 0.33, 0.67, ...]"
    assert value_text(np.full((11, 10), 1e200)) == (
        "(11, 10), norm 1.049e+201, [1e+200, 1e+200, 1e+200, ...]"
    )
    assert value_text(np.full(101, np.inf)) == "(101,), norm inf, [inf, inf, inf, ...]"
    assert value_text(np.zeros(101)) == "(101,), norm 0, [0, 0, 0, ...]"
    assert "..." not in value_text(np.arange(100.0))


FORMULAS = [
    *("x + y", "x - y - z", "x - (y - z)", "x + (y + z)", "(x + y)*z", "x*(y*z)", "x/(y*z)"),
    *("x/y*z", "x%y%z", "x%(y%z)", "-x^2", "(-x)^2", "2^3^x", "(2^3)^x", "2^-x", "2^-x^-y"),
    *("-2^2", "(-2)^2", "-(2)", "-(-2)", "-(-x)", "x - -2", "x*-y", "-2*x", "-(2*x)", "x^-2"),
    *("x < y", "(x < y) < z", "x < (y < z)", "x == (not y)", "not x == y", "not (x and y)"),
    *("x and (y or z)", "x and y or z", "(x or y) and z", "x or (y or z)", "(not x) + 1"),
    *("where(x < 0, -x, x)", "max(x, y, 2)", "log(x)", "log(x, 10)", "leaky_relu(x)"),
    *("leaky_relu(x, 0.02)", "sin(x)^2", "sin(x^2)", "[1, -2]*x", "-[1, 2]", "-0 + x", "inf - nan"),
    *("gamma*gamma(gamma)", "1e+300*x", "fc1.weight*α"),
]


@pytest.mark.parametrize("text", FORMULAS)
def test_formulas_are_written_with_the_fewest_brackets(text: str) -> None:
    graph = parse(text)
    assert formula(graph, graph.outputs[0]) == text


@pytest.mark.parametrize("op", WRITABLE, ids=lambda op: op.name)
def test_every_op_reads_back(op: Op) -> None:
    graph = Graph()
    args = tuple(graph.placeholder(name) for name in "abcd"[: arity(op)])
    graph.outputs = [graph.add(op, args, attributes_of(op))]
    text = formula(graph, graph.outputs[0])
    assert likeness(parse(text)).outputs == likeness(graph).outputs


@given(graphs())
def test_any_graph_reads_back(graph: Graph) -> None:
    original, back = likeness(graph), likeness(parse(program(graph)))
    assert back._replace(names={}) == original._replace(names={})
    assert original.names.items() <= back.names.items()


@given(graphs(), st.integers(0, 40))
def test_a_limit_cuts(graph: Graph, limit: int) -> None:
    node = graph.outputs[0]
    whole, cut = formula(graph, node), formula(graph, node, limit)
    assert cut == whole if len(whole) <= limit else len(cut) <= max(3, limit) and cut[-3:] == "..."


def test_a_limit_spares_the_writing_of_what_is_cut() -> None:
    graph = Graph()
    node = graph.placeholder("x")
    for _ in range(200):
        node = graph.add(OPS["add"], (node, node))
    assert formula(graph, node, limit=20) == "x + x + (x + x) +..."


def test_a_limit_spares_the_way_down_a_deep_formula() -> None:
    graph = parse(" + ".join(["x"] + ["1"] * DEPTH))
    text = formula(graph, graph.outputs[0], limit=20)
    assert text == "... + 1 + 1 + 1 +..."


@pytest.mark.parametrize("text", ["x + 1", "1 + x", "2^x", "sin(x)", "-x", "not x"])
def test_depth_is_no_obstacle(text: str) -> None:
    graph = parse(text)
    op, args, attrs = graph.nodes[graph.outputs[0]]
    node = graph.placeholder("x")
    place = args.index(node)
    for _ in range(DEPTH):
        node = graph.add(op, (*args[:place], node, *args[place + 1 :]), attrs)
    assert formula(graph, node).count("x") == 1


PROGRAMS = [
    "p = x + y\np*p\n",
    "p = x^2\np\np*y\np\n",
    "p = x + y\nq = p\n",
    "k = 3\nx^3 + 3\n",
    "input r = 0.05\ninput X: (10, 2)\nX*r\n",
    "input v: (3,) = [1, nan, -0]\nv\n",
    "input e\ne*2\n",
    "A = [[1, 2], [3, 4]]\nA*x\n",
    "input y\ninput x\nt = 3\nx + y + 3\n",
]


@pytest.mark.parametrize("text", PROGRAMS)
def test_programs_come_back_as_they_were(text: str) -> None:
    assert program(parse(text)) == text


def test_repeated_expressions_get_names() -> None:
    long = "exp(-(x^2 + y^2)/2)"
    text = program(parse(f"t1 = 1; {long} + sin({long})"))
    assert text == f"t1 = 1\nt2 = {long}\nt2 + sin(t2)\n"


def test_sharing_does_not_swell_a_program() -> None:
    graph = Graph()
    node = graph.placeholder("x")
    for _ in range(1000):
        node = graph.add(OPS["mul"], (node, node))
    graph.outputs = [node]
    assert len(program(graph)) < 20_000
    assert likeness(parse(program(graph))).outputs == likeness(graph).outputs


def test_a_gradient_of_arrays_is_a_program() -> None:
    graph = parse("x*y")
    graph.outputs = gradient(graph, graph.outputs[0], [0], shapes={0: (2,), 1: (), 2: (2,)})
    assert export(Scene(graph, graph.outputs), DEFAULT) == "broadcast_to(1, [2])*y\n"
