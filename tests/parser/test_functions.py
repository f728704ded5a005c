"""User functions: bodies of their own, copied into their places."""

from __future__ import annotations

import time

import pytest

from cgraph.autodiff.errors import FormulaError, GraphError
from cgraph.autodiff.graph import check
from cgraph.parser import parse

from .graphs import read, written


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("f(a, b) = a*b + 1; f(x, 2)", "add(mul(x, 2), 1)"),
        ("f(a) = a; f(x)", "x"),
        ("f(a) = 7; f(x)", "7"),
        ("f() = 3x; f() + f()", "add(mul(3, x), mul(3, x))"),
        ("f(a) = a^2; g(a) = f(a + 1)*f(a); g(x)", "mul(pow(add(x, 1), 2), pow(x, 2))"),
        ("f(x) = x^2; f(f(f(y)))", "pow(pow(pow(y, 2), 2), 2)"),
        ("f(x) = x; g(x) = f(x); f(x) = 2x; g(y) + f(y)", "add(y, mul(2, y))"),
        ("sin(x) = x^3; sin(y)", "pow(y, 3)"),
        # A free name is what it was at the definition; an input is the program's, whatever a
        # caller's parameters are called.
        ("k = x + 1; f(a) = a*k; k = 5; f(y)", "mul(y, add(x, 1))"),
        ("k = 2; f(a) = a^k; f(y)", "pow(y, 2)"),
        ("f(b) = a*b; g(a) = f(a); g(y)", "mul(a, y)"),
        # A value that is the program's first node is no argument.
        ("p = q; f(a) = a*p; f(x)", "mul(x, q)"),
        ("p = q; r = s; f(a, b) = a*p + b*r; f(x, y)", "add(mul(x, q), mul(y, s))"),
        ("f(x) = x^e*pi; f(y)", "mul(pow(y, 2.718281828459045), 3.141592653589793)"),
        ("f(e) = e; f(y)", "y"),
        ("f(x) = [1, 2]*x; f(y)", "mul([1, 2], y)"),
        ("f(x) = -inf*x - 2; f(y)", "sub(mul(-inf, y), 2)"),
        ("f(a,\n  b  # the second )\n ) = a - b\nf(x, y)", "sub(x, y)"),
        ("f(x) = x; f(x) == 2", "equal(x, 2)"),
    ],
)
def test_call(text: str, tree: str) -> None:
    assert read(text) == tree
    check(parse(text))


def test_an_input_that_no_call_uses_is_none() -> None:
    graph = parse("f(x) = a*x; g(x) = x*b; g(y)")
    assert list(graph.placeholders) == ["b", "y"]


def test_nodes_know_the_functions_they_were_made_in() -> None:
    graph = parse("f(x) = x^2; g(x) = f(x) + 1; g(y)*3")
    scopes = {written(graph, node): scope for node, scope in graph.scopes.items()}
    assert scopes == {
        "2": "g/f",
        "pow(y, 2)": "g/f",
        "1": "g",
        "add(pow(y, 2), 1)": "g",
    }
    assert [graph.spans[node] for node in graph.scopes] == [9, 8, 26, 24]


def test_a_body_does_not_see_numbers_of_the_program_as_its_own() -> None:
    graph = parse("2*x; f(y) = 2*y; f(3); 2*z")
    assert [written(graph, node) for node in graph.outputs] == [
        "mul(2, x)",
        "mul(2, 3)",
        "mul(2, z)",
    ]


DOUBLING = "f0(x) = x + 1; " + "; ".join(f"f{k}(x) = f{k - 1}(f{k - 1}(x))" for k in range(1, 41))


def test_doubling_functions_meet_the_limit_at_once() -> None:
    start = time.process_time()
    with pytest.raises(GraphError) as refused:
        parse(DOUBLING + "; f40(x)")
    assert time.process_time() - start < 20  # of what would take minutes, run again and again
    assert refused.value.message == "the graph would have more than 10,000,000 nodes"
    assert refused.value.hint == "raise the limit with --max-nodes"
    assert refused.value.column == len(DOUBLING) + 3


def test_doubling_functions_within_the_limit() -> None:
    assert len(parse(DOUBLING + "; f10(x)")) == 2 + 2**10
    assert written(parse(DOUBLING + "; f1(x)")) == "add(add(x, 1), 1)"


def test_shared_doubling_is_no_more_than_its_text() -> None:
    text = "f0(x) = x*x; " + "; ".join(f"f{k}(x) = f{k - 1}(x) + f{k - 1}(x)" for k in range(1, 21))
    assert len(parse(text + "; f20(x)")) == 22


def test_a_chain_of_functions() -> None:
    definitions = ["f0(x) = x", *(f"f{k}(x) = f{k - 1}(x) + 1" for k in range(1, 1100))]
    assert len(parse("; ".join(definitions[:1000]) + "; f999(x)")) == 2 + 999
    with pytest.raises(FormulaError, match="more than 1,000 deep"):
        parse("; ".join(definitions))


def test_the_limit_on_nodes_holds_without_functions() -> None:
    with pytest.raises(GraphError, match="more than 10 nodes"):
        parse("+".join(f"x{k}" for k in range(20)), max_nodes=10)
