"""What runs, in which order, and until when a value lives."""

from __future__ import annotations

import math
import tracemalloc

import numpy as np
import pytest

import cgraph
from cgraph.autodiff.errors import UsageError
from cgraph.autodiff.evaluate import evaluate, evaluate_known, run
from cgraph.autodiff.graph import Graph
from cgraph.autodiff.ops import OPS, Expr
from cgraph.autodiff.program import Program

from .derivatives import listed


def chain(length: int) -> tuple[Graph, int]:
    """Return x + 1 + 1 + ..., and its node."""
    graph = Graph()
    here = Expr(graph, graph.placeholder("x"))
    for _ in range(length):
        here = here + 1.0
    return graph, here.node


def test_steps_are_what_is_needed_and_in_order() -> None:
    graph = cgraph.parse("a = sin(x); b = cos(y); a*a + 2").graph
    program = Program(graph, graph.outputs)
    assert [step.op.name for step in program.steps] == ["sin", "mul", "add"]
    assert [name for _, name in program.inputs] == ["x"]
    assert [value for _, value in program.constants] == [2.0]
    assert program.is_scalar


def test_a_value_dies_after_its_last_use() -> None:
    graph = cgraph.parse("a = sin(x); b = a*y; b + a").graph
    program = Program(graph, graph.outputs)
    names = {node: name for name, node in (graph.placeholders | graph.names).items()}
    dying = [sorted(names[node] for node in nodes) for nodes in program.dying]
    assert dying == [["x"], ["y"], ["a", "b"]]


def test_what_is_wanted_never_dies() -> None:
    graph = cgraph.parse("a = sin(x); b = a*y; b + a").graph
    wanted = [*graph.outputs, graph.names["a"], graph.placeholders["x"]]
    program = Program(graph, wanted)
    assert not set(wanted) & {node for nodes in program.dying for node in nodes}
    values = run(program, {"x": np.array([1.0, 2.0]), "y": 3.0})
    assert listed(values[graph.names["a"]]) == [math.sin(1.0), math.sin(2.0)]
    assert values[graph.names["b"]] is None


def test_few_arrays_live_at_once_on_a_long_chain() -> None:
    graph, output = chain(200)
    size = 100_000
    x = np.ones(size)
    program = Program(graph, [output])
    run(program, {"x": x})
    tracemalloc.start()
    value = run(program, {"x": x})[output]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert listed(value)[0] == 201.0
    assert peak < 4 * x.nbytes


def test_a_program_runs_again_as_if_for_the_first_time() -> None:
    graph = cgraph.parse("x*y + x").graph
    program = Program(graph, graph.outputs)
    output = graph.outputs[0]
    x = np.array([1.0, 2.0])
    assert listed(run(program, {"x": x, "y": 3.0})[output]) == [4.0, 8.0]
    assert run(program, {"x": 1.0, "y": 2.0})[output] == 3.0
    assert listed(run(program, {"x": x, "y": 3.0})[output]) == [4.0, 8.0]
    assert x.tolist() == [1.0, 2.0]


def test_what_is_wanted_can_be_written_and_is_nobody_elses() -> None:
    graph = Graph()
    x = Expr(graph, graph.placeholder("x"))
    vector = Expr(graph, graph.constant((1.0, 2.0)))
    turned = OPS["reshape"](x, attrs=((2,),))
    many = OPS["broadcast_to"](OPS["exp"](x), attrs=((3, 2),))
    wanted = [x.node, vector.node, turned.node, many.node]
    program = Program(graph, wanted)
    given = np.array([0.0, 1.0])
    for _ in range(2):
        values = run(program, {"x": given})
        assert listed(values[vector.node]) == [1.0, 2.0]
        assert listed(values[turned.node]) == [0.0, 1.0]
        for node in wanted:
            values[node][:] = 7.0  # type: ignore[index]
        assert given.tolist() == [0.0, 1.0]


def test_keep_keeps_everything() -> None:
    graph = cgraph.parse("sin(cos(x))").graph
    program = Program(graph, graph.outputs)
    x = np.array([1.0, 2.0])
    assert any(value is None for value in run(program, {"x": x}))
    assert all(value is not None for value in run(program, {"x": x}, keep=True))


def test_scalars_are_floats_and_arrays_are_float64() -> None:
    graph = cgraph.parse("x + 1").graph
    assert type(evaluate(graph, graph.outputs, {"x": 1.0})[0]) is float
    assert type(evaluate(graph, graph.outputs, {"x": np.array(1.0)})[0]) is float
    value = evaluate(graph, graph.outputs, {"x": np.array([1, 2])})[0]
    assert isinstance(value, np.ndarray)
    assert value.dtype == np.float64


def test_an_array_in_the_formula_is_no_scalar_program() -> None:
    graph = Graph()
    x = Expr(graph, graph.placeholder("x"))
    vector = Expr(graph, graph.constant((1.0, 2.0)))
    program = Program(graph, [(x * vector).node])
    assert not program.is_scalar
    assert listed(run(program, {"x": 2.0})[-1]) == [2.0, 4.0]


def test_defaults_and_missing_values() -> None:
    graph = cgraph.parse("input r = 0.5\nr*x + y").graph
    assert evaluate(graph, graph.outputs, {"x": 2.0, "y": 1.0}) == [2.0]
    assert evaluate(graph, graph.outputs, {"r": 1.0, "x": 2.0, "y": 1.0}) == [3.0]
    with pytest.raises(UsageError, match=r"^error: no value for x, y$"):
        evaluate(graph, graph.outputs, {})


def test_some_bindings_determine_some_nodes() -> None:
    graph = cgraph.parse("a = sin(x)*2; a + y").graph
    known = evaluate_known(graph, graph.outputs, {"x": 0.5})
    assert known[graph.names["a"]] == math.sin(0.5) * 2.0
    assert not known.keys() & {graph.outputs[0], graph.placeholders["y"]}
    everything = evaluate_known(graph, graph.outputs, {"x": 0.5, "y": 1.0})
    assert everything.keys() == set(graph.needed(graph.outputs))
    assert evaluate_known(graph, [], {}) == {}


def test_empty_arrays_pass_through() -> None:
    graph = cgraph.parse("max(x, 1)*sinc(x) + dsinc(2, x) + polygamma(1, x)").graph
    assert np.shape(evaluate(graph, graph.outputs, {"x": np.zeros(0)})[0]) == (0,)


def test_evaluation_warns_about_nothing() -> None:
    graph = cgraph.parse("log(x) + 1/x + exp(1000*x) + x^0.5 + asin(x)").graph
    x = np.array([-1.0, 0.0, 2.0, math.inf, math.nan])
    found = evaluate(graph, graph.outputs, {"x": x})[0]
    assert not np.isfinite(found).any()


def test_a_default_may_be_an_array() -> None:
    graph = cgraph.parse("v*x").graph
    graph.defaults["v"] = ((1.0, 2.0), (3.0, 4.0))
    value = evaluate(graph, graph.outputs, {"x": 2.0})[0]
    assert np.array_equal(value, [[2.0, 4.0], [6.0, 8.0]])


def test_structural_ops_leave_scalars_as_they_are() -> None:
    graph = Graph()
    x = Expr(graph, graph.placeholder("x"))
    node = OPS["sum_to"](OPS["broadcast_to"](x, attrs=((),)), attrs=((),)).node
    assert evaluate(graph, [node], {"x": 2.0}) == [2.0]
