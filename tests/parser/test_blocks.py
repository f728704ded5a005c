"""Blocks and comprehensions of static programs: what is built of them."""

from __future__ import annotations

import time

import numpy as np
import pytest

import cgraph
from cgraph.autodiff.errors import FormulaError, GraphError
from cgraph.autodiff.graph import check
from cgraph.parser import parse

from .graphs import read, written

PROGRAMS = [
    # Comprehensions.
    ("sum(i*x for i in 1 to 3)", "add(add(mul(1, x), mul(2, x)), mul(3, x))"),
    ("sum(x for i in 2 to 2)", "x"),
    ("sum(x for i in 1 to 0)", "0"),
    ("prod(x + i for i in 1 to 2)", "mul(add(x, 1), add(x, 2))"),
    ("max(x^i for i in 1 to 3)", "max(pow(x, 1), pow(x, 2), pow(x, 3))"),
    ("min(x for i in 1 to 1)", "x"),
    ("max(x for i in 1 to 0)", "-inf"),
    ("[i^2 for i in 1 to 3]", "[1, 4, 9]"),
    ("[x*i for i in 1 to 2]*y", "mul(stack(mul(x, 1), mul(x, 2); 0), y)"),
    ("norm(x*i for i in 1 to 2)", "norm(stack(mul(x, 1), mul(x, 2); 0); None, False)"),
    ("concat([x, i] for i in 1 to 2)", "concat(stack(x, 1; 0), stack(x, 2; 0); 0)"),
    ("atan2(x^i for i in 1 to 2)", "atan2(pow(x, 1), pow(x, 2))"),
    ("sin(i*x for i in 1 to 2)", "sin(stack(mul(1, x), mul(2, x); 0))"),
    ("sum(i for i in 0.5 to 2)", "add(0.5, 1.5)"),
    ("sum(x^-i for i in 1 to 1)", "pow(x, -1)"),
    ("sum(sum(i*j for j in 1 to i) for i in 1 to 2)",
     "add(mul(1, 1), add(mul(2, 1), mul(2, 2)))"),
    ("sum( # all\n i*x # of them\n for i in 1 to 2)", "add(mul(1, x), mul(2, x))"),
    ("sum(x if i > 1 else y for i in 1 to 2)",
     "add(where(greater(1, 1), x, y), where(greater(2, 1), x, y))"),
    ("sum(x[i - 1] for i in 1 to 2)", "add(index(x; '0'), index(x; '1'))"),
    ("fold(A[i:] for i in 0 to 1)",
     "fold2(index(A; ':'), index(A; '1:'))"),
    # Their names are their own.
    ("i = 7; sum(i*x for i in 1 to 2)", "add(mul(1, x), mul(2, x))"),
    ("i = 7; sum(x for i in 1 to 1)*i", "mul(x, 7)"),
    ("sum(x for i in 1 to 1)*i", "mul(x, i)"),
    ("sum(to for to in 1 to 2)", "add(1, 2)"),
    ("f(k) = k*i; sum(f(i) for i in 1 to 2)", "add(mul(1, i), mul(2, i))"),
    # With functions.
    ("f(a) = 2a; sum(f(i*x) for i in 1 to 1)", "mul(2, mul(1, x))"),
    ("f(a) = sum(a^i for i in 1 to 2); f(x)", "add(pow(x, 1), pow(x, 2))"),
    ("f(a, b) = a - b; f(x*i for i in 1 to 2)", "sub(mul(x, 1), mul(x, 2))"),
    ("f(a) = 2a; f(x for i in 1 to 2)", "mul(2, stack(x, x; 0))"),
    ("input x: (3); [x[i - 1]^2 for i in 1 to len(x)]",
     "stack(pow(index(x; '0'), 2), pow(index(x; '1'), 2), pow(index(x; '2'), 2); 0)"),
    ("input x = [1, 2]; sum(x[i] for i in 0 to len(x) - 1)",
     "add(index(x; '0'), index(x; '1'))"),
    ("input x: (3, 2); reshape(x, [2, len(x)])", "reshape(x; (2, 3))"),
    # for.
    ("s = 0; for i in 1 to 2 { s = s + i*x }; s", "add(add(0, mul(1, x)), mul(2, x))"),
    ("for i in 1 to 2 { s = i*x }", "mul(2, x)"),
    ("s = x; for i in 3 to 1 { s = i }; s", "x"),
    ("s = x\nfor i in 1 to 2\n{\n s = s^2 # squared\n\n}\n\ns", "pow(pow(x, 2), 2)"),
    ("s = 0; for i in 1 to 2 { for j in i to 2 { s = s + x } }; s",
     "add(add(add(0, x), x), x)"),
    ("for i in 1 to 2 { y = i; for i in 5 to 5 { z = i }; w = y + i + z }; w",
     "add(add(2, 2), 5)"),
    # if.
    ("if x > 0 { y = 1 } else { y = 2 }\ny*3", "mul(where(greater(x, 0), 1, 2), 3)"),
    ("if x > 0 { x } else { -x }", "where(greater(x, 0), x, neg(x))"),
    ("if a { y = 1 }\n# so\nelse if b { y = 2 } # or\n\nelse\n{ y = 3 }\ny",
     "where(a, 1, where(b, 2, 3))"),
    ("z = 5; if x { z = 1 }; z", "where(x, 1, 5)"),
    ("z = 5; if a { z = 1 } else if b { y = z }; z", "where(a, 1, 5)"),
    ("if x { e = 3 }; 2e", "mul(2, where(x, 3, 2.718281828459045))"),
    ("if x { y = 1; z = y } else { y = 1; z = 2 }; y + z", "add(1, where(x, 1, 2))"),
    ("if x { y = 1; z = y } else { y = 2; z = y }", "where(x, 1, 2)"),
    ("if x { z = 1 }; z = 2; z", "2"),
    ("if a { if b { y = 1 } else { y = 2 } } else { y = 3 }; y",
     "where(a, where(b, 1, 2), 3)"),
    ("y = 0; if a { for i in 1 to 2 { y = y + i } }; y", "where(a, add(add(0, 1), 2), 0)"),
    ("if 1 > 0 { z = 1 } else { w = sinn(2) }; z", "1"),
    ("if 0 { z = 1 } else if x { z = 2 } else { z = 3 }; z", "where(x, 2, 3)"),
    ("if x { z = 1 } else if 1 { z = 2 } else { z = 3 }; z", "where(x, 1, 2)"),
    ("if 0 { 1 }; x", "x"),
    ("if nan { 1 } else { 2 }", "1"),
    ("if x {} else {}; y", "y"),
    ("input x: (3); if len(x) > 2 { y = 1 } else { y = x }; y", "1"),
    ("if [1, 0] { y = 1 } else { y = 2 }; y", "where([1, 0], 1, 2)"),
    ("y = a if b else c", "where(b, a, c)"),
    # while.
    ("n = 0; while n < 2 { n = n + 1 }; n*x", "mul(add(add(0, 1), 1), x)"),
    ("while 0 { x }; y", "y"),
    ("if x { n = 0; while n < 2 { n = n + 1 }; y = n } else { y = x }; y",
     "where(x, add(add(0, 1), 1), x)"),
    ("f(x, n) = filled(n)*x; f(y, 2)", "mul([1, 1], y)"),
    ("n = 3; s = x; while n { n = n - 1; s = s*x }; s",
     "mul(mul(mul(x, x), x), x)"),
    # Bodies that must know their arguments.
    ("taylor(x, n) = sum(x^k/k for k in 1 to n); taylor(y, 2)",
     "add(div(pow(y, 1), 1), div(pow(y, 2), 2))"),
    ("row(A, i) = A[i]; row(B, 2)", "index(B; '2')"),
    ("row(A, i) = A[i]; g(A, j) = row(A, j + 1); g(B, 1)", "index(B; '2')"),
    ("row(A, i) = A[i]; g(A) = row(A, 1)^2; g(B)", "pow(index(B; '1'), 2)"),
    ("f(x, a) = fold(x, axis=a); f(y, 1) + f(y, [0, 1])",
     "add(fold(y; 1, False), fold(y; (0, 1), False))"),
    ("k = [0, 1]; f(x) = fold(x, axis=k); k = 2; f(y)", "fold(y; (0, 1), False)"),
    ("h(t) = t + 1; f(x) = x[h(1)]; h(t) = t; f(y)", "index(y; '2')"),
    ("k = 1; f(x, n) = x[n]*k; k = 2; f(y, 0)", "mul(index(y; '0'), 1)"),
    ("f(x, n) = x[n]*k; g(k) = f(k, 0); g(y)", "mul(index(y; '0'), k)"),
    ("f(n) = [x^i for i in 1 to n]; f(2)", "stack(pow(x, 1), pow(x, 2); 0)"),
    ("p(x, n) = d(sum(x^k for k in 2 to n), x); p(y, 2) + p(3, 2)",
     "add(mul(2, y), mul(2, 3))"),
    ("f(n) = sum(blur(x) for i in 1 to n); f(2)",
     "add(blur(x, 0.5; 3, 1), blur(x, 0.5; 3, 2))"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "tree"), PROGRAMS)
def test_program(text: str, tree: str) -> None:
    assert read(text) == tree
    check(parse(text))


def outputs(text: str) -> list[str]:
    graph = parse(text)
    return [written(graph, node) for node in graph.outputs]


def test_bare_expressions_in_blocks_are_outputs() -> None:
    assert outputs("for i in 1 to 3 { i*x }") == ["mul(1, x)", "mul(2, x)", "mul(3, x)"]
    assert outputs("x; if c { 1; 2 } else { 3; 4 }; y") == [
        "x", "where(c, 1, 3)", "where(c, 2, 4)", "y",
    ]  # fmt: skip
    assert outputs("n = 0; while n < 2 { n = n + 1; n }") == ["add(0, 1)", "add(add(0, 1), 1)"]


def test_assignments_in_blocks_are_names_of_the_program() -> None:
    graph = parse("if c { y = x } else { y = 2x }; for i in 1 to 2 { z = i }; y")
    assert {name: written(graph, node) for name, node in graph.names.items()} == {
        "y": "where(c, x, mul(2, x))",
        "z": "2",
    }


def test_a_selection_stands_where_its_if_does() -> None:
    graph = parse("y = 1\nif x { y = 2 } else if z { y = 3 }\ny")
    at = {written(graph, node): at for node, at in enumerate(graph.spans)}
    assert at["where(x, 2, where(z, 3, 1))"] == 6
    assert at["where(z, 3, 1)"] == 26


def test_a_body_that_is_run_at_a_call_is_a_scope() -> None:
    graph = parse("sq(x) = x^2; f(x, n) = sq(x)[n] + 1; f(y, 3)")
    scopes = {written(graph, node): scope for node, scope in graph.scopes.items()}
    assert scopes["pow(y, 2)"] == "f/sq"
    assert scopes["add(index(pow(y, 2); '3'), 1)"] == "f"


def test_an_error_in_a_body_that_is_run_at_a_call_is_at_its_place() -> None:
    with pytest.raises(FormulaError) as refused:
        parse("f(x, n) = [1,\n  x[n]]\nf(y, 0.5)")
    assert str(refused.value) == (
        "<formula>:2:4: error: an index is a whole number or a slice, not 0.5\n"
        "  2 |   x[n]]\n    |    ^"
    )


def test_functions_that_must_know_their_arguments_are_not_too_deep() -> None:
    def chain(count: int) -> str:
        calls = [f"f{k}(x, n) = f{k - 1}(x, n)" for k in range(1, count)]
        return "; ".join(["f0(x, n) = x[n]", *calls, f"f{count - 1}(y, 1)"])

    assert read(chain(99)) == "index(y; '1')"
    with pytest.raises(FormulaError, match="arguments must be known are at most 100 deep"):
        parse(chain(120))


def test_blocks_are_not_too_deep() -> None:
    def nested(depth: int) -> str:
        return "if 1 { " * depth + "x" + " }" * depth

    assert read(nested(99)) == "x"
    with pytest.raises(FormulaError, match="blocks and brackets with 'for' are at most 100 deep"):
        parse(nested(200))


def test_loops_are_bounded_by_the_limit_on_nodes() -> None:
    for loops in ("[1 for i in 1 to 1e12]", "for i in 1 to 1e6 { for j in 1 to 1e6 { } }; x"):
        with pytest.raises(GraphError) as refused:
            parse(loops, max_nodes=1000)
        assert refused.value.hint == "raise the limit with --max-nodes"
    assert refused.value.message == "the program would run loops for more than 10 turns"
    with pytest.raises(GraphError, match="more than 10 turns"):
        parse("n = 0; while 1 { n = n + 1 }", max_nodes=1000)
    wide = "; ".join(f"p = p + {k}" for k in range(200))
    with pytest.raises(GraphError, match="more than 1,000 nodes"):
        parse(f"p = x; for i in 1 to 10 {{ {wide} }}", max_nodes=1000)


def test_doubling_functions_are_run_once_for_the_same_arguments() -> None:
    calls = "; ".join(f"f{k}(x, n) = f{k - 1}(x, n)*f{k - 1}(x, n)" for k in range(1, 60))
    graph = parse(f"f0(x, n) = x[n]; {calls}; f59(y, 0)")
    assert len(graph.needed(graph.outputs)) == 2 + 59
    assert "index(y; '2')" in read("f(x, n) = x[n]; g(x) = f(x, 2) + f(x, 2); g(y)")


def test_a_long_recurrence() -> None:
    start = time.process_time()
    graph = parse("h = x; for i in 1 to 10000 { h = tanh(h + i) }; h")
    assert time.process_time() - start < 20  # of what would take minutes, run again and again
    assert len(graph.nodes) == 1 + 3 * 10_000


def test_deep_texts_in_blocks() -> None:
    deep = "(" * 50_000 + "x" + ")" * 50_000
    assert read(f"for i in 1 to 2 {{ y = {deep} }}") == "x"
    assert read(f"f(a) = {deep}; f(2)") == "x"


def test_many_lines_in_blocks_take_linear_time() -> None:
    for piece in ("y = x\n", "# note\n", "if 1 { y = 2 }\n", "\n", "z = [x for i in 1 to 2]\n"):
        short, long = (seconds("if 1 {\n" + piece * count + "}\nx") for count in (1000, 10_000))
        assert long < 40 * short + 0.1, piece


def seconds(text: str) -> float:
    start = time.process_time()
    parse(text)
    return time.process_time() - start


def test_derivatives_go_through_blocks() -> None:
    program = "if x > 0 { y = log(x) } else { y = x }; s = 0; for i in 1 to 3 { s = s + y^i }; s"
    value, gradient = cgraph.value_and_grad(program, {"x": -1.0})
    assert (value, gradient) == (-1.0, {"x": 2.0})
    taylor = "taylor(x, n) = sum(x^k/gamma(k + 1) for k in 0 to n); taylor(x, 15)"
    assert np.isclose(cgraph.evaluate(taylor, {"x": 1.0}), np.e)
