"""The story of a derivative: each step keeps its value, and its rules have their names."""

from __future__ import annotations

from functools import partial

import pytest

from cgraph import grad, parse
from cgraph.autodiff.errors import UsageError
from cgraph.autodiff.evaluate import evaluate
from cgraph.autodiff.graph import check
from cgraph.autodiff.steps import Story, story
from cgraph.exporters.text import formula


def told(text: str) -> tuple[Story, list[str]]:
    """Return the story of a formula's derivative by x, and its expressions."""
    graph = parse(text).graph
    write = partial(formula, graph)
    found = story(graph, graph.outputs[0], graph.placeholders["x"], "x", write)
    check(graph)
    nodes = [*(step.node for step in found.steps), found.tidy, found.simple]
    return found, list(map(write, nodes))


@pytest.mark.parametrize(
    ("text", "rules", "last"),
    [
        ("x^2", ["power"], "2*x"),
        ("x + 3", ["sum", "constant"], "1"),
        ("x - y^2", ["sum", "constant"], "1"),
        ("x*sin(x)", ["product", "derivative of sin"], "sin(x) + x*cos(x)"),
        ("x/y", ["constant factor"], "1/y"),
        ("y/x", ["quotient"], "-y/x^2"),
        ("sin(x)/x", ["quotient", "derivative of sin"], "(x*cos(x) - sin(x))/x^2"),
        ("-x", ["constant factor"], "-1"),
        ("(x^2 + 1)^3", ["power, chain", "sum", "power", "constant"], "6*x*(x^2 + 1)^2"),
        ("exp(2*x)", ["derivative of exp, chain", "constant factor"], "2*exp(2*x)"),
        ("x", [], "1"),
        ("[x, x^2, 3]", ["entry by entry", "power"], "[1, 2*x, 0]"),
        ("floor(x)", ["derivative of floor"], "0"),
    ],
)
def test_rules_have_their_names(text: str, rules: list[str], last: str) -> None:
    found, written = told(text)
    assert [step.rule for step in found.steps] == rules
    assert written[-1] == last


def test_an_expression_a_step() -> None:
    assert told("(x^2 + y^3)*2")[1] == [
        "2*d/dx(x^2 + y^3)",
        "2*(d/dx(x^2) + d/dx(y^3))",
        "2*(2*x + d/dx(y^3))",
        "2*(2*x + 0)",
        "2*(2*x)",
        "4*x",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "x^3*sin(2*x)/(1 + x^2)", "exp(-x^2/2)*log(x + y)", "sqrt(1 + sqrt(x))", "x^y + y^x",
        "max(x, y)*min(x, 3)", "where(x > 1, x^2, x)", "atan2(x, y)", "(x - y)/(x + y) - -x",
    ],
)  # fmt: skip
def test_the_last_expressions_are_the_derivative(text: str) -> None:
    graph = parse(text).graph
    point = {"x": 1.7, "y": 0.6}
    found = story(graph, graph.outputs[0], graph.placeholders["x"], "x", partial(formula, graph))
    slope = grad(text, {name: point[name] for name in graph.placeholders})["x"]
    values = evaluate(graph, [found.steps[-1].node, found.tidy, found.simple], point)
    assert values == pytest.approx([slope] * 3, rel=1e-13)


def test_a_story_has_an_end() -> None:
    with pytest.raises(UsageError, match=r"^error: by hand it would take more than 200 steps$"):
        told(" + ".join(f"x^{k}" for k in range(2, 400)))
