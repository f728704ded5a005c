"""What a plan is said to run, keep and hold, and that it is so."""

from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING

import numpy as np
import pytest

import cgraph
from cgraph.autodiff import levels
from cgraph.autodiff.gradient import Mode
from cgraph.autodiff.graph import Graph
from cgraph.autodiff.ops import OPS, Expr
from cgraph.autodiff.results import Plan, Run, plan, results
from cgraph.autodiff.shapes import shapes_at
from cgraph.autodiff.statistics import Memory, Statistics, statistics
from cgraph.autodiff.sweep import BLOCK

from .test_checkpoints import checkpoint, marked_chain, recurrence

if TYPE_CHECKING:
    from cgraph.autodiff.evaluate import Value


def planned(
    graph: Graph, point: dict[str, Value], mode: Mode = "auto", evenly: bool = False
) -> Plan:
    """Return the plan for the outputs' derivatives by all inputs."""
    shapes = shapes_at(graph, graph.needed(graph.outputs), point)
    return plan(graph, graph.outputs, graph.inputs(), shapes, Run(mode, evenly))


def told(text: str, point: dict[str, Value], mode: Mode = "auto") -> Statistics:
    """Return the statistics of a formula's gradient."""
    graph = cgraph.parse(text).graph
    return statistics(graph, planned(graph, point, mode))


def test_of_a_product() -> None:
    # sin(x), times y; then cos(x), times y. sin(x) is the derivative by y, so all four are there.
    expected = Statistics(nodes=4, derived=2, again=0, kept=0, kept_bytes=0, peak_bytes=32)
    assert told("sin(x)*y", {"x": 1.0, "y": 2.0}) == expected
    assert told("sin(x)*y", {"x": 1.0, "y": 2.0}, "forward") == expected


def test_of_a_chain_of_scalars() -> None:
    # a = exp(x), sin(a), c = exp(sin(a)); then cos(a), c*cos(a), that times a.
    found = told("exp(sin(exp(x)))", {"x": 1.0})
    assert found == Statistics(6, 3, 0, kept=2, kept_bytes=16, peak_bytes=32)


def test_of_a_chain_of_arrays() -> None:
    found = told("exp(sin(exp(x)))", {"x": np.zeros((2, 3))})
    assert (found.kept, found.kept_bytes) == (2, 96)


def test_a_plan_for_values_keeps_nothing() -> None:
    graph = cgraph.parse("exp(sin(exp(x)))").graph
    found = statistics(graph, plan(graph, graph.outputs, {}))
    assert found == Statistics(nodes=3, derived=0, again=0, kept=0, kept_bytes=0, peak_bytes=16)


def test_what_runs_again_is_counted_apart() -> None:
    graph, output, _, _ = marked_chain()
    graph.outputs = [output]
    found = statistics(graph, planned(graph, {"x": 0.5}))
    plain = statistics(*without_marks())
    # The derivative of cos takes sin, a minus and a product, that of sin two, that of exp one.
    assert (plain.nodes, plain.derived, plain.again) == (7 + 12, 12, 0)
    assert (found.nodes, found.derived, found.again) == (9 + 12 + 4, 12, 4)
    assert (plain.kept, found.kept) == (5, 2)


def without_marks() -> tuple[Graph, Plan]:
    """Return the same chain and its plan without marks."""
    graph = cgraph.parse("a = cos(sin(exp(x))); b = cos(sin(exp(a))); exp(b)").graph
    return graph, planned(graph, {"x": 0.5})


def test_a_view_takes_no_memory_and_keeps_what_it_views() -> None:
    graph = Graph()
    x = Expr(graph, graph.placeholder("x"))
    view = OPS["reshape"](OPS["exp"](x), attrs=((2, 5),))
    graph.outputs = [OPS["sin"](checkpoint(view)).node]
    shapes = shapes_at(graph, graph.needed(graph.outputs), {"x": np.zeros(10)})
    found = statistics(graph, plan(graph, graph.outputs, {}, shapes=shapes))
    assert (found.nodes, found.peak_bytes) == (4, 160)


def test_a_buffer_lives_until_nobody_is_in_it() -> None:
    memory = Memory()
    memory.make(1, 8)
    memory.share(2, 1)
    memory.share(3, 0)
    memory.free(1)
    memory.make(1, 16)
    assert (memory.alive, memory.peak) == (24, 24)
    memory.free(2)
    memory.free(3)
    memory.make(4, 2)
    assert (memory.alive, memory.peak) == (18, 24)


@pytest.mark.parametrize("evenly", [False, True])
def test_it_is_what_a_run_takes(evenly: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "FEWEST", 10**9)
    graph = cgraph.parse(recurrence(50)).graph
    point: dict[str, Value] = {name: np.full(30_000, 0.3) for name in ("w", "h0", "x")}
    ready = planned(graph, point, "reverse", evenly)
    told = statistics(graph, ready).peak_bytes
    # Within an op there may be some more for a moment, and Python takes some.
    assert told <= peak(graph, ready, point) <= told + 3 * 8 * 30_000 + 100_000


def test_of_what_is_run_by_blocks_a_core_holds_a_block() -> None:
    graph = cgraph.parse(recurrence(10)).graph
    point: dict[str, Value] = {name: np.full(200_000, 0.3) for name in ("w", "h0", "x")}
    ready = planned(graph, point, "reverse", evenly=False)
    told = statistics(graph, ready).peak_bytes
    # Within ops there is some more for a moment, and less is kept in between.
    wanted = 4 * 8 * 200_000
    assert wanted < told < wanted + 30 * 8 * BLOCK
    assert wanted < peak(graph, ready, point, threads=1) < told + 24 * 8 * BLOCK


def peak(graph: Graph, plan: Plan, point: dict[str, Value], threads: int | None = None) -> int:
    """Return the most bytes that are alive at once while a plan is run a second time."""
    results(graph, plan, point, threads)
    tracemalloc.start()
    results(graph, plan, point, threads)
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return found
