"""Templates of what ops say: the same nodes, in the same order, as when the rules run in place."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from cgraph.autodiff.flow import standing
from cgraph.autodiff.graph import Graph, check
from cgraph.autodiff.local import local, marked, template
from cgraph.autodiff.ops import OPS, Expr, Op
from cgraph.autodiff.ops.rules import Operand

from .samples import arity, elementwise

NUMBERS = (2.0, 0.5, 1.0, -1.0, 0.0, -0.0, 3.7, 17.0, math.inf, math.nan)

Said = list[tuple[int, str, str | None]]


def graph_of(op: Op, args: Sequence[float | str]) -> tuple[Graph, int]:
    """Return a graph of one op at inputs and numbers, and its node."""
    graph = Graph()
    nodes = [graph.placeholder(a) if isinstance(a, str) else graph.constant(a) for a in args]
    return graph, graph.add(op, tuple(nodes), op.defaults)


def told(expr: Expr) -> str:
    """Return what a node is made of, whatever its number and those of the others."""
    op, args, attrs = expr.graph.nodes[expr.node]
    inside = ", ".join(told(Expr(expr.graph, arg)) for arg in args)
    return f"{op!r}({inside}; {attrs!r})"


def all_told(graph: Graph) -> set[str]:
    """Return what all nodes are made of."""
    return {told(Expr(graph, index)) for index in range(len(graph))}


def said(k: int, slope: Operand, condition: Expr | None) -> tuple[int, str, str | None]:
    """Return what can be compared of a partial and its condition."""
    partial = told(slope) if isinstance(slope, Expr) else repr(slope)
    return k, partial, None if condition is None else told(condition)


def by_template(op: Op, args: Sequence[float | str], marks: tuple[int, ...]) -> tuple[Graph, Said]:
    """Return what an op says, by its template where it has one."""
    graph, node = graph_of(op, args)
    found = [said(*one) for one in local(graph, node, marks)]
    check(graph)
    return graph, found


def in_place(op: Op, args: Sequence[float | str], marks: tuple[int, ...]) -> tuple[Graph, Said]:
    """Return what an op says when its rules run where it stands."""
    graph, node = graph_of(op, args)
    return graph, [said(*one) for one in op.local(standing(graph, node, None), marked(marks))]


def same(op: Op, args: Sequence[float | str], marks: tuple[int, ...]) -> bool:
    """Tell whether both ways come to the same graph and say the same of it."""
    graph, found = by_template(op, args, marks)
    expected, known = in_place(op, args, marks)
    # In place a rule for all arguments is asked for all; a template has only what is needed.
    return found == known and all_told(graph) <= all_told(expected)


@pytest.mark.parametrize("op", elementwise(), ids=lambda op: op.name)
def test_a_template_says_what_the_rules_say(op: Op) -> None:
    names = [f"x{k}" for k in range(arity(op))]
    assert same(op, names, (1,) * len(names))
    for k in range(len(names)):
        assert same(op, names, tuple([int(place == k) for place in range(len(names))]))
        assert same(op, ["x"] * len(names), (1,) * len(names))
        for number in NUMBERS:
            args = [number if place == k else name for place, name in enumerate(names)]
            assert same(op, args, tuple([int(place != k) for place in range(len(names))])), number


def test_equal_numbers_are_one_argument() -> None:
    assert same(OPS["max"], [2.0, "x", 2.0, 0.5], (0, 1, 0, 0))
    assert same(OPS["hypot"], [2.0, 2.0], (1, 1))


def test_what_no_scratch_graph_can_tell_is_asked_in_place() -> None:
    """The exponent has no input in it though it is no number: a rule may know that it is not 0."""
    graph = Graph()
    x, y, pi = graph.placeholder("x"), graph.placeholder("y"), graph.constant(math.pi)
    selects: list[bool] = []
    for inside in (pi, y):
        power = graph.add(OPS["pow"], (x, graph.add(OPS["sqrt"], (inside,))))
        list(local(graph, power, (1, 0)))
        selects.append(any(node.op is OPS["where"] for node in graph.nodes))
    assert selects == [False, True]


def test_a_rule_runs_once_for_many_nodes() -> None:
    graph, node = Graph(), 0
    node = graph.placeholder("x")
    template.cache_clear()
    for _ in range(100):
        node = graph.add(OPS["sin"], (node,))
        list(local(graph, node, (1,)))
    assert template.cache_info().misses == 1


def test_rare_numbers_leave_no_templates_behind() -> None:
    graph = Graph()
    x = graph.placeholder("x")
    template.cache_clear()
    for k in range(1, 100):
        power = graph.add(OPS["pow"], (x, graph.constant(k / 7.0)))
        list(local(graph, power, (1, 0)))
    assert template.cache_info().currsize <= 1 + 99 // 7
