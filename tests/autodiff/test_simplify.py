"""Simplification keeps values, ends, and writes what a textbook writes."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings

from cgraph import parse
from cgraph.autodiff.gradient import gradient
from cgraph.autodiff.graph import Graph, check
from cgraph.autodiff.rules.sums import plainly, sum_of
from cgraph.autodiff.rules.view import View
from cgraph.autodiff.simplify import simplify
from cgraph.exporters.text import formula

from . import reference
from .draw import Drawn, formulas
from .reference import mp
from .test_drawn import close, drawn


def simple(text: str, derived: bool = False) -> str:
    """Return a formula in its simplest form."""
    graph = parse(text).graph
    (node,) = simplify(graph, graph.outputs, derived)
    check(graph)
    return formula(graph, node)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # numbers fold as evaluation has them, and quotients stay readable
        ("2*3 + 4", "10"), ("2^10", "1024"), ("sqrt(16)", "4"), ("sqrt(2)", "sqrt(2)"),
        ("x*(1/3)", "x/3"), ("1/3", "1/3"), ("1/4", "0.25"), ("x^(1/3)*x^(1/3)", "x^(2/3)"),
        ("0.1*x + 0.2*x", "0.30000000000000004*x"), ("2*x/4", "x/2"), ("cos(0)*x", "x"),
        # neutral and absorbing elements
        ("x + 0", "x"), ("1*x", "x"), ("x/1", "x"), ("x^1", "x"), ("x^0", "1"), ("1^x", "1"),
        # signs
        ("-(-x)", "x"), ("a + -b", "a - b"), ("-a + b", "b - a"), ("a - (b - c)", "a - b + c"),
        ("-x*-y", "x*y"), ("sin(-x)", "-sin(x)"), ("cos(-x)", "cos(x)"),
        ("-(x - y)*z", "z*(y - x)"),
        ("a - -2*b", "a + 2*b"), ("(-x)^2", "x^2"), ("(-x)^3", "-x^3"),
        # equal terms and factors collect, powers combine
        ("x + x", "2*x"), ("3*x*y - y*x", "2*x*y"), ("x - x", "0"), ("x*x^2", "x^3"),
        ("x/x^3", "1/x^2"), ("x^-2", "1/x^2"), ("a*b^-1", "a/b"),
        ("x^n*x", "x^(n + 1)"), ("x^2/x^n", "x^(2 - n)"),
        ("x*sqrt(x)", "x^1.5"), ("x/sqrt(x)", "sqrt(x)"), ("(2*x)^3", "8*x^3"), ("(x^2)^3", "x^6"),
        ("a/b/c", "a/(b*c)"), ("a/(b/c)", "a*c/b"), ("1/(1/x)", "x"),
        # roots and absolute values
        ("sqrt(x^2)", "abs(x)"), ("sqrt(x)^2", "x"), ("abs(x)^2", "x^2"), ("abs(exp(x))", "exp(x)"),
        ("abs(-x)", "abs(x)"), ("(x^2)^1.5", "abs(x)^3"), ("sqrt(x^4)", "x^2"), ("abs(x^2)", "x^2"),
        ("abs(abs(x))", "abs(x)"), ("x*sign(x)", "abs(x)"), ("(x^3)^(1/3)", "x"),
        # exponentials and logarithms
        ("exp(log(x))", "x"), ("log(exp(x))", "x"), ("exp(x)*exp(y)", "exp(x + y)"),
        ("exp(x)*exp(-x)", "1"), ("exp(x)^2", "exp(2*x)"), ("exp(a*log(x))", "x^a"),
        ("exp(3*x)/exp(x)", "exp(2*x)"), ("x/exp(x)", "x/exp(x)"),
        # trigonometry
        ("sin(x) - cos(x)^2*sin(x)", "sin(x)^3"), ("sinh(x) - cosh(x)^2*sinh(x)", "-sinh(x)^3"),
        ("tanh(x) - tanh(x)*sech(x)^2", "tanh(x)^3"),
        ("sin(x)^2 + cos(x)^2", "1"), ("1 - sin(x)^2", "cos(x)^2"), ("2*sin(x)/cos(x)", "2*tan(x)"),
        ("sinh(x)/sqrt(cosh(x))", "sinh(x)/sqrt(cosh(x))"),
        ("3*sin(a)^2*b + 3*b*cos(a)^2", "3*b"), ("sin(asin(x))", "x"),
        ("asin(sin(x))", "asin(sin(x))"),
        ("cosh(x)^2 - sinh(x)^2", "1"), ("1 - tanh(x)^2", "sech(x)^2"),
        # selections
        ("where(c, x, x)", "x"), ("where(1, x, y)", "x"),
        ("where(c, where(c, a, b), d)", "where(c, a, d)"),
        ("where(not c, a, b)", "where(c, b, a)"),
        ("where(x == 0 and y == 0, 0, z)", "where(x or y, z, 0)"),
        # common factors, where that is worth it
        ("2*x*sin(x) + x^2*cos(x)", "2*x*sin(x) + x^2*cos(x)"),
        ("x^2*exp(x) + 2*x*exp(x)", "x*(x + 2)*exp(x)"),
        ("exp(x) + x*exp(x)", "(1 + x)*exp(x)"), ("cos(x)^2 - sin(x)^2", "cos(2*x)"),
        ("sin(x)*cos(y) + cos(x)*sin(y)", "sin(x + y)"), ("2*sin(x)*cos(x)", "sin(2*x)"),
        ("sinh(x)*cosh(y) - cosh(x)*sinh(y)", "sinh(x - y)"),
        ("cosh(x)*cosh(y) - sinh(x)*sinh(y)", "cosh(x - y)"),
        ("(exp(x) + exp(-x))/2", "cosh(x)"), ("exp(2*x) - exp(-2*x)", "2*sinh(2*x)"),
        ("y^2*hypot(1, x/y)^2", "hypot(y, x)^2"), ("(x + 1)/(1 + x)", "1"),
        ("cos(x)/(1 + cos(x)) + sin(x)^2/(1 + cos(x))^2", "1/(1 + cos(x))"),
        ("(1 + x/sqrt(x^2 + 1))/(x + sqrt(x^2 + 1))", "1/sqrt(x^2 + 1)"),
        ("(1 - x)*(1 + x)", "(1 - x)*(1 + x)"), ("(1 - sqrt(x))*(1 + sqrt(x))", "1 - x"),
        ("x/sqrt((1 - x)*(1 + x)) - x/sqrt(1 - x^2)", "0"),
        ("1/(1 + x^2) - 2*x^2/(1 + x^2)^2", "(1 - x^2)/(1 + x^2)^2"),
    ],
)  # fmt: skip
def test_the_form_of_a_textbook(text: str, expected: str) -> None:
    """As derivatives are printed."""
    assert simple(text, derived=True) == expected
    assert simple(expected, derived=True) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # numbers, neutral elements and signs
        ("2*3 + 4", "10"), ("sqrt(16)", "4"), ("x*(1/3)", "x/3"), ("2*x/4", "x/2"),
        ("x + 0", "x"), ("0 + x", "x"), ("x - 0", "x"), ("1*x", "x"), ("x/1", "x"), ("x^1", "x"),
        ("x^0", "1"), ("0*x", "0*x"), ("0*log(x) + y", "0*log(x) + y"), ("0 - x", "-x"),
        ("-(-x)", "x"), ("a + -b", "a - b"), ("-a + b", "b - a"), ("a - -2*b", "a + 2*b"),
        ("-(x - y)", "y - x"), ("-x*-y", "x*y"), ("(-x)^3", "-x^3"), ("sin(-x)", "-sin(x)"),
        ("a + -b + -c + d", "a - b - c + d"), ("x*2", "2*x"), ("-1*x", "-x"), ("x*-1", "-x"),
        # equal terms and factors
        ("x + x", "2*x"), ("x - x", "0"), ("3*x*y - y*x", "2*x*y"), ("x + x - 2*y*x/y", "0"),
        ("x + y - x", "y"), ("x + x + y + z", "2*x + y + z"), ("x + y + z - y - z", "x"),
        ("x*x^2", "x^3"), ("x/x^3", "1/x^2"), ("x*y/y", "x"), ("a*b^-1", "a/b"), ("x/x", "1"),
        ("(2*x)^3", "(2*x)^3"), ("(x^2)^3", "x^6"), ("1/(1/x)", "x"), ("x*sqrt(x)", "x^1.5"),
        ("exp(x)*exp(y)", "exp(x + y)"), ("exp(3*x)/exp(x)", "exp(2*x)"),
        # functions and selections
        ("sqrt(x^2)", "abs(x)"), ("sqrt(x)^2", "x"), ("(x^2)^1.5", "abs(x)^3"),
        ("x*sign(x)", "abs(x)"), ("exp(log(x))", "x"), ("log(exp(x))", "x"),
        ("exp(3*log(x))", "x^3"),
        ("sqrt(x^2) + sin(t)^2 + cos(t)^2", "abs(x) + 1"), ("1 - tanh(x)^2", "sech(x)^2"),
        ("sin(x)/cos(x)", "tan(x)"), ("(exp(x) + exp(-x))/2", "cosh(x)"),
        ("where(1, x, y)", "x"), ("where(not c, a, b)", "where(c, b, a)"),
    ],
)  # fmt: skip
def test_the_simplest_form_of_the_same_value(text: str, expected: str) -> None:
    assert simple(text) == expected
    assert simple(expected) == expected


@pytest.mark.parametrize(
    "text",
    [
        # overflow and underflow in between
        "a/b/c", "a/(b/c)", "a*b/c", "c*b*a", "y*exp(x)*y", "1e+150*x*(1e+150*y)", "x^-2",
        "b*(a*x)", "a*(b/c)*d",
        # the terms of a sum may not be added up in another order
        "a - (b - c)", "-a - b + c", "x + a - b + x", "x + (a - b)", "1 - x - 1e-200",
        "sin(x)*cos(y) + cos(x)*sin(y)", "x*y + x*z", "(1 - x)*(1 + x) - 1 + x^2",
        # the sign at -inf
        "x^0.5", "x^n*x", "(x^3)^(1/3)", "x^0.5*x^0.5*y", "(x^0.5)^2",
        # the sign of a zero
        "1/(x + 0)", "atan2(-(x - y), z)", "1/sqrt(x)^2", "1/exp(log(x))", "exp(a*log(x))",
        "1/exp(3*log(x))", "1/(0 - x)", "-y/(x - z)", "gamma(x + 0)", "1/sqrt(x + 0)",
        # nan in a condition
        "where(x - x == 0, y, z)", "not x < y",
    ],
)  # fmt: skip
def test_what_is_left_alone(text: str) -> None:
    kept = {"x^0.5*x^0.5*y": "(x^0.5)^2*y"}
    assert simple(text) == kept.get(text, text)


def test_a_factor_of_0_goes_inside_a_derivative_only() -> None:
    assert simple("0*x + y", derived=True) == "y"
    assert simple("0*x + y") == "0*x + y"


def test_other_ops_are_left_alone() -> None:
    for text in ("atan2(y, x)", "inf*x", "nan + x", "x%3", "max(x, y, 2)", "1e+200*1e+200*x"):
        assert simple(text) == text


@pytest.mark.parametrize(
    "text",
    [
        # nan decides in a condition
        "where(x/x == 1, 1, 2)", "y/y > 0.5", "where(log(x) - log(x) == 0, 1, 2)",
        "where(sqrt(x)^2 < 0, 1, 2)", "where(exp(log(x)) > -2, y, z)",
        "where(log(x) < 0 and y < 0, 1, 2)",
        # x^0.5 is inf at -inf, where sqrt(x) is nan
        "log(y)^-0.5", "(z/x)^-0.5", "log(y)^0.5",
        # what would be lost to overflow and underflow
        "x/1e+200/1e+200", "x/1e-200/1e-200", "x/(1e-200*1e-200)", "1/(1e-200*x*1e-200)",
        "(x/1e-200)^2", "(x^1e+300)^1e+300", "1e-200*x*1e-200",
    ],
)  # fmt: skip
def test_what_would_change_a_value_is_left_alone(text: str) -> None:
    assert simple(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("atan2(0*-1, -x)", "atan2(-0, -x)"), ("atan2(0/-3, x)", "atan2(-0, x)"),
        ("atan2(0*-1*2, x)", "atan2(-0, x)"), ("atan2(-0 + -0 + -0, x)", "atan2(-0, x)"),
        ("atan2(2 - 2, x)", "atan2(0, x)"), ("where(x + x > 0, x/x, 2)", "where(x + x > 0, 1, 2)"),
    ],
)  # fmt: skip
def test_numbers_fold_to_the_zero_of_evaluation(text: str, expected: str) -> None:
    assert simple(text) == expected


@pytest.mark.parametrize("text", ["x/1e-200/1e-200", "x/1e+200/1e+200", "x*1e-200*1e-200"])
def test_a_derivative_does_not_lose_numbers(text: str) -> None:
    assert simple(text, derived=True) == text


def chains(count: int) -> list[str]:
    """Return a sum of like terms, one of unlike terms and a deep call."""
    like = " + ".join(f"x*{k}" for k in range(1, count + 1))
    unlike = " + ".join(f"x^{k}" for k in range(2, count))
    return [like, unlike, "sin(" * count + "x" + ")" * count]


@pytest.mark.parametrize("count", [1000, 5000])
@pytest.mark.parametrize("which", range(3))
def test_long_chains_make_a_few_nodes_a_link(which: int, count: int) -> None:
    graph = parse(chains(count)[which]).graph
    before = len(graph)
    simplify(graph, graph.outputs)
    assert len(graph) - before < 4 * count


@pytest.mark.parametrize("count", [1000, 5000])
def test_long_chains_come_out_as_they_should(count: int) -> None:
    like, unlike, deep = chains(count)
    assert simple(like) == f"{count * (count + 1) // 2}*x"
    assert simple(unlike) == unlike
    assert simple(deep) == deep


def test_shared_parts_stay_shared() -> None:
    statements = ["s0 = x"] + [f"s{k} = s{k - 1} + y^{k + 1}" for k in range(1, 300)]
    graph = parse("\n".join([*statements, *(f"s{k}*2" for k in range(300))])).graph
    simplify(graph, graph.outputs)
    assert len(graph) < 6000


def test_new_nodes_keep_their_place_and_origin() -> None:
    graph = parse("y + x*3*2").graph
    (node,) = simplify(graph, graph.outputs)
    assert graph.spans[node] == 2
    assert graph.came_from[node] == graph.outputs[0]


def assert_kept(graph: Graph, node: int, point: dict[str, float], derived: bool) -> None:
    """Compare the values in mpmath; simplify twice."""
    (after,) = simplify(graph, [node], derived)
    check(graph)
    assert simplify(graph, [after], derived) == [after]
    with mp.workprec(reference.BITS):
        (before,) = reference.evaluate(graph, [node], point)
        (value,) = reference.evaluate(graph, [after], point)
        # Constants such as 1/3 are kept; others fold to 16 digits.
        assert not mp.isfinite(before) or close(value, before, 1e-9), formula(graph, after)


@settings(drawn, max_examples=200)
@given(formulas())
def test_values_are_kept(drawing: Drawn) -> None:
    graph, output, point = drawing
    assert_kept(graph, output, point, derived=False)


@settings(drawn, max_examples=100)
@given(formulas(least=3, most=8))
def test_values_of_derivatives_are_kept(drawing: Drawn) -> None:
    graph, output, point = drawing
    # To be read, a bounded factor of what vanishes is written without its bounds.
    assume(all(node.op.name != "bounded" for node in graph.nodes))
    for name in point:
        slopes = gradient(graph, output, [graph.placeholders[name]], "forward")
        assert_kept(graph, slopes[0], point, derived=True)


def test_writing_a_sum_leaves_it_as_it_is() -> None:
    graph = parse("y - 2*sin(x)*cos(x)").graph
    view = View(graph, False)
    found = sum_of(view, graph.outputs[0])
    assert plainly(view, found) == plainly(view, found) == plainly(view, found)
