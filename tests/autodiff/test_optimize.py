"""Optimization keeps values, ends, and leaves fewer and cheaper operations."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import assume, given

from cgraph import parse
from cgraph.autodiff.evaluate import evaluate
from cgraph.autodiff.gradient import gradient
from cgraph.autodiff.graph import Graph, check
from cgraph.autodiff.ops import OPS, Expr, Op
from cgraph.autodiff.optimizations import reduction
from cgraph.autodiff.optimizations.fusion import groups
from cgraph.autodiff.optimize import optimize, optimized
from cgraph.exporters.text import program

from ..exporters.drawing import graphs
from . import reference
from .draw import Drawn, formulas
from .reference import mp
from .samples import elementwise, points
from .test_drawn import close, drawn

AWKWARD = (
    0.0, -0.0, 1.0, -1.0, 3.0, -49.0, 0.1, math.inf, -math.inf, math.nan, 5e-324, -1e-310, 1e-160,
    -7e-155, 1e-108, 1.5e154, -1e160, 1e308, -1.7e308, 1e-200,
)  # fmt: skip


def fast(text: str) -> str:
    """Return the program that a formula's optimized graph is written as."""
    graph = parse(text).graph
    found = optimize(graph, graph.outputs).graph
    check(found)
    return program(found).rstrip("\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # constants
        ("2*3 + x", "6 + x"), ("sin(2)*x", "0.9092974268256817*x"),
        ("x*(1/3)", "x*0.3333333333333333"),
        ("2*pi*x", "tau*x"), ("x + [1, 2]*3", "x + [3, 6]"), ("x*exp(1e3)", "x*exp(1000)"),
        ("x + log(-1)*2", "x + log(-1)*2"),
        ("zeros([20, 20])*2 + 3 + x", "broadcast_to(3, [20, 20]) + x"),
        ("zeros([2, 3])*zeros([3])", "[[0, 0, 0], [0, 0, 0]]"),
        # what is the same
        ("x*y + y*x", "x*y + x*y"), ("(a == b) + (b == a)", "(a == b) + (a == b)"),
        ("max(a, b) + max(b, a)", "max(a, b) + max(b, a)"),
        # what changes nothing
        ("1*x", "x"), ("x*1", "x"), ("x/1", "x"), ("x^1", "x"), ("x - 0", "x"), ("x + -0.0", "x"),
        ("x + 0", "x + 0"), ("x - -0.0", "x - -0"), ("-(-x)", "x"), ("x*-1", "-x"), ("x/-1", "-x"),
        ("-x*-y", "x*y"), ("-x/-y", "x/y"), ("x + -y", "x - y"), ("-x + y", "y - x"),
        ("x - -y", "x + y"), ("-(x - y)", "-(x - y)"), ("cos(-x)", "cos(x)"),
        ("sin(-x)", "sin(-x)"),
        ("where(1, x, 0)", "x"), ("where(0, 2, x)", "x"), ("where(1, x, y)", "where(1, x, y)"),
        ("x.T.T", "x"),
        # strength
        ("x^2", "x*x"), ("x^3", "x*x*x"), ("x^4", "x*x*(x*x)"), ("x^5", "x^5"), ("x^0", "x^0"),
        ("x^-1", "1/x"), ("x^-2", "1/x*(1/x)"), ("x^-3", "x^-3"),
        ("x^0.5", "x^0.5"), ("x^-0.5", "x^-0.5"), ("sqrt(x)^0.5", "sqrt(x)^0.5"),
        ("(x + y)^0.5", "(x + y)^0.5"), ("exp(x)^0.5", "sqrt(exp(x))"),
        ("(x^2)^-0.5", "1/sqrt(x*x)"), ("abs(x)^0.5", "sqrt(abs(x))"),
        ("x/4", "x*0.25"), ("x/10", "x*0.1"), ("x/0", "x/0"), ("x/1e-310", "x/1e-310"),
        ("x/inf", "x/inf"), ("x/(2*5)", "x*0.1"),
        # names
        ("p = x^2; q = p/2; q + p", "p = x*x\nq = p*0.5\nq + p"), ("p = x*1; p*y", "p = x\nx*y"),
        ("p = sin(x); q = cos(x); p", "p = sin(x)"), ("input r = 0.5; 1*r", "input r = 0.5\nr"),
    ],
)  # fmt: skip
def test_the_fastest_form(text: str, expected: str) -> None:
    assert fast(text) == expected
    assert fast(expected) == expected


@pytest.mark.parametrize(
    "text",
    [
        # a last bit decides over a jump
        "floor(x/49)", "x/10 < 0.3", "where(x/49 == 1, y, z)", "x/49%1", "sign(x^2 - y)",
        "(-2)^(x/3)", "round(sin(x/3))",
        # over the end of a domain, at a pole
        "asin(x/3)", "log1p(x/7 - y)", "gamma(x/49)", "acosh(x^2)",
        # over a difference in a denominator, under a root, in a logarithm
        "1/(x/10 - 0.3)", "sqrt(x/10 - 0.3)", "log(y - x^2)", "(x/3 - y)^-3",
    ],
)  # fmt: skip
def test_what_a_last_bit_decides_is_left_alone(text: str) -> None:
    assert fast(text) == text


@pytest.mark.parametrize("text", ["log(x/3)", "1/(y*x^3)", "sqrt(x^2)", "exp(x/3 - y)"])
def test_without_a_difference_a_last_bit_decides_nothing(text: str) -> None:
    assert fast(text) != text


def alike(found: float, expected: float, units: int) -> bool:
    """Tell whether numbers agree to so many units in the last place; at 0 units, in each bit."""
    if math.isnan(expected):
        return math.isnan(found)
    if not units or not math.isfinite(expected):
        return repr(found) == repr(expected)
    return abs(found - expected) <= units * math.ulp(expected)


EXACT = (
    "1*x", "x*1", "x/1", "x^1", "x - 0", "x + -0.0", "-(-x)", "x*-1", "-1*x", "x/-1", "-x*-y",
    "-x/-y", "x + -y", "-x + y", "x - -y", "where(1, x, 0)", "where(0, 0, x)", "x/4", "x/-0.5",
    "x/2^900", "x*y + y*x", "x^0 + 2*x*1",
    *(f"{op.function}(-x)" for op in elementwise() if op.parity == "even" and op.function),
)  # fmt: skip
ROUNDING = (
    "x^2", "x^3", "x^4", "x^-1", "x^-2", "x^0.5", "x^-0.5", "x/3", "x/-49", "x/1e100",
    "sqrt(x)^0.5", "abs(x)^0.5", "abs(x)^-0.5", "sqrt(x)^-0.5", "exp(x)^0.5", "relu(x)^-0.5",
)  # fmt: skip


@pytest.mark.parametrize("text", EXACT)
def test_exact_rules_keep_every_bit(text: str) -> None:
    assert_alike(text, 0, AWKWARD)


@pytest.mark.parametrize("text", ROUNDING)
def test_rules_that_round_keep_all_but_two_units(text: str) -> None:
    """No power is subnormal."""
    assert_alike(text, 2, AWKWARD)


def assert_alike(text: str, units: int, numbers: Sequence[float]) -> None:
    """Compare a formula and its optimized form at numbers, as scalars and as arrays."""
    graph = parse(text).graph
    (node,) = optimized(graph, graph.outputs)
    nodes = [*graph.outputs, node]
    shifted = [*numbers[3:], *numbers[:3]]
    for x, y in zip(numbers, shifted, strict=True):
        plain, found = evaluate(graph, nodes, {"x": x, "y": y})
        assert alike(float(found), float(plain), units), (x, y)
    plain, found = evaluate(graph, nodes, {"x": np.array(numbers), "y": np.array(shifted)})
    for k, x in enumerate(numbers):
        assert alike(float(np.ravel(found)[k]), float(np.ravel(plain)[k]), units), x


def with_gradient(graph: Graph, output: int) -> list[int]:
    """Return an output and its derivatives by the inputs that it needs."""
    return [output, *gradient(graph, output, list(graph.inputs([output]).values()))]


@drawn
@given(formulas())
def test_value_and_gradient_of_drawn_formulas_stay_the_same(formula: Drawn) -> None:
    """In high precision, where only the constants are rounded: 1/3 and sin(2)."""
    graph, output, point = formula
    nodes = with_gradient(graph, output)
    found = optimized(graph, nodes)
    check(graph)
    with mp.workprec(reference.BITS):
        plain = reference.evaluate(graph, nodes, point)
        for one, other in zip(reference.evaluate(graph, found, point), plain, strict=True):
            assert close(one, other, 1e-9)


@drawn
@given(graphs())
def test_without_rules_that_round_every_bit_stays(graph: Graph) -> None:
    point = dict(zip(graph.placeholders, (0.7, -2.0, 1e-3, -0.0), strict=True))
    assume(all(node.op.move is None for node in graph.nodes))
    plain = evaluate(graph, graph.outputs, point)
    rounding, reduction.ROUNDING = reduction.ROUNDING, ()
    try:
        found = optimized(graph, graph.outputs)
    finally:
        reduction.ROUNDING = rounding
    assert all(map(lambda a, b: alike(float(a), float(b), 0), evaluate(graph, found, point), plain))


@drawn
@given(formulas())
def test_it_is_idempotent_and_never_has_more_to_run(formula: Drawn) -> None:
    """A small power has a product more for each squaring, and a divisor may become a number."""
    graph, output, _ = formula
    nodes = with_gradient(graph, output)
    once = optimize(graph, nodes).graph
    check(once)
    again = optimize(once, once.outputs).graph
    assert program(again) == program(once)
    assert again.nodes == once.nodes
    needed = graph.needed(nodes)
    reduced = [op for _, (op, _, _) in graph.walk(needed) if op.name in ("pow", "div")]
    assert len(once) <= len(needed) + len(reduced)


@pytest.mark.parametrize("op", elementwise(), ids=lambda op: op.name)
def test_every_op_keeps_value_and_gradient(op: Op) -> None:
    graph = Graph()
    args = [Expr(graph, graph.placeholder(f"x{k}")) for k in range(op.most or op.least)]
    if not args:
        return
    nodes = with_gradient(graph, op(*args).node)
    found = optimized(graph, nodes)
    for point in points(op, 40):
        given = dict(zip(graph.placeholders, point, strict=True))
        for one, other in zip(
            evaluate(graph, found, given), evaluate(graph, nodes, given), strict=True
        ):
            assert alike(float(one), float(other), 4) or abs(float(other)) < 1e-290, point


def fused(text: str) -> dict[str, list[str]]:
    """Return the ops in each scope of an optimized formula."""
    graph = parse(text).graph
    found = optimize(graph, graph.outputs).graph
    scopes: dict[str, list[str]] = {}
    for index, node in enumerate(found.nodes):
        if index in found.scopes:
            scopes.setdefault(found.scopes[index], []).append(node.op.name)
    return scopes


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sin(x*y)", {"fused_1": ["mul", "sin"]}),
        ("sin(x)", {}),
        # the number 2 belongs to the group, and to none where others use it too
        ("sin(2*x)", {"fused_1": ["constant", "mul", "sin"]}),
        # what is used outside is the end of a group
        ("p = x*y; sin(p); cos(p)", {}),
        ("p = sin(x*y); q = exp(p) + p; q", {"fused_1": ["mul", "sin"], "fused_2": ["exp", "add"]}),
        # a group is below the scope that its nodes have in common, their own scopes below it
        ("f(t) = exp(t*t); f(x)", {"f/fused_1": ["mul", "exp"]}),
        ("f(t) = exp(t*t); f(x) + y*z",
         {"fused_1/f": ["mul", "exp"], "fused_1": ["mul", "add"]}),
        ("f(t) = exp(t*t); sin([f(x), y])", {"f/fused_1": ["mul", "exp"]}),
        ("fused_1(t) = t*t; sin(fused_1(x))", {"fused_2/fused_1": ["mul"], "fused_2": ["sin"]}),
    ],
)  # fmt: skip
def test_groups(text: str, expected: dict[str, list[str]]) -> None:
    assert fused(text) == expected


def test_value_and_gradient_are_not_in_one_group() -> None:
    graph = parse("exp(x*y)*sin(x)").graph
    nodes = with_gradient(graph, graph.outputs[0])
    found = optimize(graph, nodes).graph
    for members in groups(found, found.needed(found.outputs)):
        assert len({index in found.came_from for index in members if found.nodes[index].args}) == 1


@drawn
@given(formulas())
def test_a_group_has_one_way_out(formula: Drawn) -> None:
    graph, output, _ = formula
    found = optimize(graph, with_gradient(graph, output)).graph
    needed = found.needed(found.outputs)
    for members in groups(found, needed):
        inside = set(members)
        outside = {arg for k in needed if k not in inside for arg in found.nodes[k].args}
        assert len(inside & {*outside, *found.outputs}) == 1
        assert sum(bool(found.nodes[k].args) for k in inside) > 1


def test_a_chain_of_100_000_links_takes_no_recursion() -> None:
    graph = Graph()
    chain = Expr(graph, graph.placeholder("x"))
    for _ in range(100_000):
        negative = -chain
        chain = OPS["sin"](-negative)
    assert len(optimize(graph, [chain.node]).graph) == 100_001
