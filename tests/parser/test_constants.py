"""Values of bindings, and hints on why an input has none."""

from __future__ import annotations

import math

import numpy as np
import pytest

from cgraph.autodiff.errors import FormulaError
from cgraph.autodiff.evaluate import evaluate
from cgraph.autodiff.graph import Graph, Nested
from cgraph.autodiff.ops import OPS
from cgraph.exporters.text import program
from cgraph.parser import parse, parse_value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-3e-5", -3e-5),
        ("-inf", -math.inf),
        ("pi/4", math.pi / 4),
        ("2e", 2 * math.e),
        ("sqrt(2)", math.sqrt(2)),
        ("[1, 2]", (1.0, 2.0)),
        ("[[1, 2], [3, 4]]", ((1.0, 2.0), (3.0, 4.0))),
        ("-[1, 2]/2", (-0.5, -1.0)),
        ("−1", -1.0),
        ("1 if 2 > 1 else 3", 1.0),
    ],
)
def test_constant(text: str, value: Nested) -> None:
    assert np.array_equal(parse_value(text), value)


@pytest.mark.parametrize(
    ("text", "report"),
    [
        ("", "--x:1:1: error: the formula is empty\n  1 | \n    | ^"),
        (
            "2*y",
            "--x:1:3: error: 'y' is not a number (a value is a constant)\n  1 | 2*y\n    |   ^",
        ),
        (
            "y = 3",
            "--x:1:1: error: one constant was expected, not a program\n  1 | y = 3\n    | ^",
        ),
        ("1; 2", "--x:1:1: error: one constant was expected, not a program\n  1 | 1; 2\n    | ^"),
        (
            "three",
            "--x:1:1: error: 'three' is not a number (a value is a constant)\n"
            "  1 | three\n    | ^^^^^",
        ),
        ("[1, x]", "--x:1:5: error: 'x' is not a number (a value is a constant)\n"
            "  1 | [1, x]\n    |     ^"),
    ],
)  # fmt: skip
def test_no_constant(text: str, report: str) -> None:
    with pytest.raises(FormulaError) as refused:
        parse_value(text, "--x")
    assert str(refused.value) == report


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("e^x", "exp(x)"), ("e**x", "exp(x)"), ("pow(e, x)", "exp(x)"), ("(e)^x", "exp(x)"),
        ("e^(2x + 1)", "exp(2*x + 1)"), ("e^-x", "exp(-x)"), ("e²*x", "exp(2)*x"),
        ("2e^x", "2*exp(x)"), ("-e^x", "-exp(x)"), ("e^x^2", "exp(x^2)"),
        ("E = e; E^x", "E = e\nexp(x)"),
        ("f(t) = e^t; f(x)", "exp(x)"), ("f(a, t) = a^t; f(e, x)", "exp(x)"),
        ("f(a, t) = pow(a, t); f(e, x)", "exp(x)"),
        ("sum(e^k for k in 1 to 2)", "exp(1) + exp(2)"),
        # what is bound, or is a number as it is written, is a base like any other
        ("e = 2; e^x", "e = 2\n2^x"), ("input e = 5; e^x", "input e = 5\ne^x"), ("x^e", "x^e"),
        ("2.718281828459045^x", "2.718281828459045^x"), ("pi^x", "pi^x"),
    ],
)  # fmt: skip
def test_a_power_of_the_constant_e_is_an_exponential(text: str, read: str) -> None:
    graph = parse(text)
    assert program(graph) == f"{read}\n"
    assert program(parse(program(graph))) == program(graph)


def test_a_bound_e_stays_a_base() -> None:
    assert program(parse("e^x", inputs=("e",))) == "input e\ne^x\n"


@pytest.mark.parametrize("x", [100.0, 700.0, -300.0])
def test_a_power_of_e_has_the_digits_of_an_exponential(x: float) -> None:
    graph = parse("e^x")
    assert evaluate(graph, graph.outputs, {"x": x}) == [math.exp(x)]


def test_a_power_of_that_number_from_elsewhere_is_printed_as_one() -> None:
    graph = Graph()
    base, exponent = graph.constant(math.e), graph.placeholder("x")
    graph.outputs = [graph.add(OPS["pow"], (base, exponent))]
    assert program(graph) == "2.718281828459045^x\n"
    assert parse(program(graph)).nodes[-1].op is OPS["pow"]
