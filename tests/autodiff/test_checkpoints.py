"""What is run again instead of kept: the same numbers from fewer values."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cgraph
from cgraph.autodiff import checkpoints
from cgraph.autodiff.evaluate import run
from cgraph.autodiff.gradient import Mode, gradient
from cgraph.autodiff.graph import Graph
from cgraph.autodiff.ops import OPS, Expr
from cgraph.autodiff.program import Program
from cgraph.autodiff.results import Run, gradients, plan, results
from cgraph.autodiff.shapes import infer, shapes_at

from .draw import Drawn, formulas
from .test_drawn import drawn

if TYPE_CHECKING:
    from cgraph.autodiff.evaluate import Value

checkpoint = OPS["checkpoint"]


def recurrence(length: int) -> str:
    """Return a program of h = tanh(w*h + x), again and again."""
    return "\n".join(["h = tanh(w*h0 + x)", *["h = tanh(w*h + x)"] * (length - 1), "h"])


def names(graph: Graph, order: Iterable[int]) -> list[str]:
    """Return the operations in an order, each as its op and its number among all."""
    return [f"{graph.nodes[n].op.name} {n}" for n in order if graph.nodes[n].args]


def lasting(program: Program) -> set[int]:
    """Return what is there after a program's last step, with each argument there at its step."""
    there = {index for index, _ in (*program.inputs, *program.constants)}
    for (index, node), dying in zip(program.operations, program.dying, strict=True):
        assert there.issuperset(node.args)
        assert index not in there
        there.add(index)
        assert there.issuperset(dying)
        there.difference_update(dying)
    return there


def alike(program: Program, other: Program, point: Mapping[str, Value]) -> bool:
    """Tell whether two programs find the same for all that is wanted, to the last bit."""
    ours, theirs = run(program, point), run(other, point)
    return all(
        np.asarray(ours[node]).tobytes() == np.asarray(theirs[node]).tobytes()
        for node in program.wanted
    )


# -- any regions -----------------------------------------------------------------------------------


@drawn
@given(formulas(least=8), st.data())
def test_any_regions_give_the_same_bits(formula: Drawn, data: st.DataObject) -> None:
    graph, output, point = formula
    passes: list[list[int]] = []
    modes: tuple[Mode, ...] = ("reverse", "forward")
    for mode in modes:
        passes.append(gradient(graph, output, [graph.placeholders[name] for name in point], mode))
    operations = [n for n in graph.needed([output]) if graph.nodes[n].args]
    numbers = data.draw(st.lists(st.integers(0, 3), min_size=len(operations), max_size=30))
    regions = {n: number for n, number in zip(operations, numbers, strict=False) if number}
    wanted = [output, *passes[0], *passes[1]]
    order = checkpoints.order(graph, [output], passes, regions)
    program, plain = Program(graph, wanted, order), Program(graph, wanted)
    assert set(order) == set(graph.needed(wanted))
    assert lasting(program) == lasting(plain) == set(wanted)
    assert alike(program, plain, point)
    factors = np.array([1.0, -0.7, 2.9])
    assert alike(program, plain, {name: x * factors for name, x in point.items()})


def test_of_a_region_that_is_run_again_only_its_outcome_is_kept() -> None:
    graph = cgraph.parse("a = exp(x); b = exp(a); c = sin(b); exp(c)").graph
    output = graph.outputs[0]
    a, b, c = (graph.names[name] for name in "abc")
    slopes = gradient(graph, output, [graph.placeholders["x"]])
    order = checkpoints.order(graph, [output], [slopes], {a: 0, b: 0, c: 0})
    first = [f"exp {a}", f"exp {b}", f"sin {c}", f"exp {output}"]
    derivatives = [n for n in graph.needed(slopes) if n > output]
    assert names(graph, order) == [*first, f"exp {a}", f"exp {b}", *names(graph, derivatives)]
    program = Program(graph, [output, *slopes], order)
    assert sorted(program.dying[2]) == [b]
    assert sorted(program.dying[1]) == [a]


def test_a_region_that_no_pass_needs_is_not_run_again() -> None:
    graph = cgraph.parse("a = x + 1; b = a + 2; c = b + 3; sin(c)").graph
    regions = {graph.names[name]: 0 for name in "ab"}
    slopes = gradient(graph, graph.outputs[0], [graph.placeholders["x"]])
    order = checkpoints.order(graph, graph.outputs, [slopes], regions)
    assert len(order) == len(set(order))


def test_two_passes_each_run_what_they_need() -> None:
    graph = cgraph.parse("a = exp(x)*y; b = sin(a); c = cos(b); c^2; c^3").graph
    regions = {graph.names[name]: 0 for name in "abc"}
    passes = [gradient(graph, n, [graph.placeholders["x"]]) for n in graph.outputs]
    order = checkpoints.order(graph, graph.outputs, passes, regions)
    assert order.count(graph.names["a"]) == 3
    wanted = [*graph.outputs, *passes[0], *passes[1]]
    program = Program(graph, wanted, order)
    assert lasting(program) == set(wanted)
    assert alike(program, Program(graph, wanted), {"x": 0.7, "y": 1.9})


# -- regions that ops mark -------------------------------------------------------------------------


def marked_chain() -> tuple[Graph, int, list[int], list[int]]:
    """Return two marked functions in a row, their output, the insides of both, and the marks."""
    graph = Graph()
    here = Expr(graph, graph.placeholder("x"))
    inside: list[int] = []
    marks: list[int] = []
    for _ in range(2):
        first = OPS["exp"](here)
        second = OPS["sin"](first)
        last = OPS["cos"](second)
        here = checkpoint(last)
        inside += [first.node, second.node, last.node]
        marks.append(here.node)
    return graph, OPS["exp"](here).node, inside, marks


def test_a_mark_makes_a_region_of_what_its_argument_is_made_from() -> None:
    graph, output, inside, marks = marked_chain()
    slopes = gradient(graph, output, [graph.placeholders["x"]])
    regions = checkpoints.marked(graph, [output], [slopes])
    assert regions == {node: marks[k // 3] for k, node in enumerate(inside)}
    order = checkpoints.order(graph, [output], [slopes], regions)
    twice = [node for node in inside if order.count(node) == 2]
    assert twice == [inside[0], inside[1], inside[3], inside[4]]
    wanted = [output, *slopes]
    assert alike(Program(graph, wanted, order), Program(graph, wanted), {"x": 0.3})


def test_what_is_used_elsewhere_too_is_in_no_region() -> None:
    graph = Graph()
    x = Expr(graph, graph.placeholder("x"))
    shared, alone = OPS["exp"](x), OPS["sin"](x)
    whole = checkpoint(OPS["cos"](shared) * alone) + shared
    assert set(checkpoints.marked(graph, [whole.node], [])) == {
        alone.node,
        graph.nodes[graph.nodes[whole.node].args[0]].args[0],
        OPS["cos"](shared).node,
    }
    assert alone.node not in checkpoints.marked(graph, [whole.node, alone.node], [])
    assert alone.node not in checkpoints.marked(graph, [whole.node], [[alone.node]])


@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_a_plan_goes_by_the_marks_without_being_told(mode: Mode) -> None:
    graph, output, inside, _ = marked_chain()
    ready = plan(graph, [output], {"x": graph.placeholders["x"]}, how=Run(mode))
    run = [node for node, _ in ready.program.operations]
    assert run.count(inside[1]) == 2
    assert len(plan(graph, [output], {}).program.operations) == 9
    (found,) = results(graph, ready, {"x": 0.3})
    (slope,) = ready.slopes[output]
    assert found.gradient == {"x": run_plain(graph, [slope], {"x": 0.3})[0]}


def run_plain(graph: Graph, wanted: Sequence[int], point: Mapping[str, Value]) -> list[Value]:
    """Return the values of some nodes, each node run once."""
    values = run(Program(graph, wanted), point)
    return [values[node] for node in wanted]


def test_random_numbers_are_the_same_when_drawn_again() -> None:
    graph = Graph()
    x = Expr(graph, graph.placeholder("x"))
    inside = OPS["sin"](OPS["dropped"](OPS["exp"](x), attrs=(0.5, 1)))
    output = (checkpoint(OPS["cos"](inside)) * x).node
    x_at = np.linspace(-1.0, 1.0, 50)
    shapes = infer(graph, {"x": (50,)}, graph.needed([output]))
    ready = plan(graph, [output], {"x": x.node}, shapes, Run("reverse"))
    assert [node for node, _ in ready.program.operations].count(inside.node) == 2
    assert lasting(ready.program) == set(ready.program.wanted)
    assert alike(ready.program, Program(graph, ready.program.wanted), {"x": x_at})


# -- sections --------------------------------------------------------------------------------------


def test_sections_are_as_many_as_what_each_keeps() -> None:
    graph = cgraph.parse("\n".join(["h = sin(x)", *["h = sin(h)"] * 99, "h"])).graph
    slopes = gradient(graph, graph.outputs[0], [graph.placeholders["x"]])
    regions = checkpoints.sections(graph, graph.outputs, [slopes], None)
    sizes = [list(regions.values()).count(number) for number in range(10)]
    assert sizes == [10] * 9 + [0]


def test_large_values_count_for_more() -> None:
    text = ["h = sin(x)", *["h = sin(h)"] * 49, "v = h*y", *["v = sin(v)"] * 99, "v"]
    graph = cgraph.parse("\n".join(text)).graph
    shapes = infer(graph, {"y": (5,)}, graph.needed(graph.outputs))
    slopes = gradient(graph, graph.outputs[0], [graph.placeholders["x"]], "reverse", shapes)
    regions = checkpoints.sections(graph, graph.outputs, [slopes], shapes)
    first = [node for node, number in regions.items() if number == 0]
    assert len([node for node in first if not shapes[node]]) == 50
    assert len([node for node in first if shapes[node]]) == 1
    assert list(regions.values()).count(1) == 11


def test_without_derivatives_there_are_no_sections() -> None:
    graph = cgraph.parse("sin(cos(exp(x)))").graph
    assert checkpoints.sections(graph, graph.outputs, [], None) == {}
    assert len(plan(graph, graph.outputs, {}, how=Run(checkpoint=True)).program.operations) == 3


@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_a_recurrence_keeps_little_and_finds_the_same(mode: Mode) -> None:
    graph = cgraph.parse(recurrence(1000)).graph
    rng = np.random.default_rng(7)
    point = {name: rng.normal(size=2000) for name in ("w", "h0", "x")}
    by = {name: graph.placeholders[name] for name in (point if mode == "reverse" else ["w"])}
    shapes = shapes_at(graph, graph.needed(graph.outputs), point)
    peaks: list[int] = []
    found: list[dict[str, Value]] = []
    for evenly in (False, True):
        ready = plan(graph, graph.outputs, by, shapes, Run(mode, evenly))
        results(graph, ready, point)
        tracemalloc.start()
        found.append(results(graph, ready, point)[0].gradient)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 0.1 * peaks[0]
    for name in by:
        assert np.asarray(found[0][name]).tobytes() == np.asarray(found[1][name]).tobytes()


def test_a_long_chain_takes_no_recursion() -> None:
    graph = cgraph.parse("\n".join(["h = sin(x)", *["h = sin(h)"] * 50_000, "h"])).graph
    by = {"x": graph.placeholders["x"]}
    (plain,) = gradients(graph, graph.outputs, by, {"x": 0.5})
    (found,) = gradients(graph, graph.outputs, by, {"x": 0.5}, Run(checkpoint=True))
    assert found == plain


def test_who_made_the_nan_is_found_as_ever() -> None:
    graph = cgraph.parse("a = log(x); b = exp(a); sin(b)").graph
    by = {"x": graph.placeholders["x"]}
    for x in (-1.0, np.array([1.0, -1.0])):
        plain, found = (
            gradients(graph, graph.outputs, by, {"x": x}, Run(checkpoint=evenly))[0]
            for evenly in (False, True)
        )
        assert [one.node for one in found.culprits] == [graph.names["a"]]
        assert repr(found.culprits) == repr(plain.culprits)  # nan is not nan
