"""Programs that are run while they are read, and shapes that are known then."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgraph.autodiff.errors import FormulaError
from cgraph.autodiff.evaluate import evaluate
from cgraph.autodiff.graph import check
from cgraph.parser import load, parse

from .graphs import written

if TYPE_CHECKING:
    from cgraph.autodiff.evaluate import Value

VECTOR = np.array([1.0, 2.0, 3.0])


@pytest.mark.parametrize(
    ("text", "values", "tree"),
    [
        ("y = x*2; if x > 1 { z = y + 1 } else { z = y - 1 }", {"x": 2.0}, "add(mul(x, 2), 1)"),
        ("y = x*2; if x > 1 { z = y + 1 } else { z = y - 1 }", {"x": 0.0}, "sub(mul(x, 2), 1)"),
        ("input x = 3; if x > 1 { x } else { -x }", {}, "x"),
        ("input x = 3; if x > 1 { x } else { -x }", {"x": 0.0}, "neg(x)"),
        ("y = x; while y < 5 { y = 2y }; y", {"x": 2.0}, "mul(2, mul(2, x))"),
        ("y = 1; for i in 1 to n { y = y*x }; y", {"n": 2.0, "x": 1.0}, "mul(mul(1, x), x)"),
        ("sum(x[i - 1] for i in 1 to n)", {"n": 2.0}, "add(index(x; '0'), index(x; '1'))"),
        ("x[i]", {"i": 1.0}, "index(x; '1')"),
        ("fold(x, axis=a)", {"a": 1.0}, "fold(x; 1, False)"),
        ("f(x, n) = x[n]; f(x, k)", {"k": 1.0}, "index(x; '1')"),
        ("if sum(v) > 5 { v[0] } else { v }", {"v": VECTOR}, "index(v; '0')"),
        ("if v[1] == 2 { 1 } else { 2 }", {"v": VECTOR}, "1"),
        ("x if c else y", {"x": 1.0, "c": 1.0, "y": 2.0}, "where(c, x, y)"),
        ("if [x, y][0] { 1 } else { 2 }", {"x": 0.0, "y": 1.0}, "2"),
        ("if x { z = 1 } else { w = 1 }; z", {"x": 1.0}, "1"),
    ],
)
def test_only_what_is_executed_is_built(text: str, values: Mapping[str, Value], tree: str) -> None:
    graph = parse(text, values=values, dynamic=True)
    (output,) = graph.outputs
    assert written(graph, output) == tree
    check(graph)


class Wanted(dict[str, "Value"]):
    """Values that keep note of which are looked up."""

    def __init__(self, values: Mapping[str, Value]) -> None:
        super().__init__(values)
        self.asked: list[str] = []

    def get(self, name: str, default: object = None) -> Value:
        self.asked.append(name)
        return self[name]


def test_values_are_looked_up_where_they_matter() -> None:
    values = Wanted({"x": 1.0, "y": 2.0})
    parse("if x > 0 { y } else { z }", values=values, dynamic=True)
    assert values.asked == ["x"]


def test_a_loop_until_it_converges() -> None:
    text = "r = x; while abs(r^2 - x) > 1e-12 { r = (r + x/r)/2 }; r"
    graph = load(text, values={"x": 2.0}, dynamic=True)
    (value,) = evaluate(graph, graph.outputs, {"x": 2.0})
    assert np.isclose(value, np.sqrt(2.0))


def test_a_long_loop_is_run_once() -> None:
    start = time.process_time()
    graph = parse("y = x; while y < 10000 { y = y + 1 }; y", values={"x": 0.0}, dynamic=True)
    assert time.process_time() - start < 20  # of what would take minutes, run again and again
    assert len(graph.needed(graph.outputs)) == 10_002


@pytest.mark.parametrize(
    "text",
    [
        "s = 1; while s > 0 { s = 2s }",
        "s = 1; while s > 0 { s = s + 1 - 1 }",
        "s = 1; while s { s = -s }",
        "s = 1; t = 1; while s { t = 3 - t; s = (s + 1) % 7 + 1 }",
        "while v[0] { w = v*2 }",
        "w = v; while 1 { w = w*[1, 0, 1] }",
        "s = 0; while 1 { s = s/s }",
    ],
)
def test_a_loop_that_comes_back_to_the_same_values_never_ends(text: str) -> None:
    with pytest.raises(FormulaError, match="this loop never ends: nothing in it changes"):
        parse(text, values={"v": VECTOR}, dynamic=True)


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("s = 1; n = 0; while n < 3 { n = n + 1; s = s*1 }; n", 3),
        ("s = 1; n = 0; while s > 0 { n = n + 1; s = s/2 }; n", 1075),
        ("n = 0; while n < 40 { n = n + 1; w = x*2 }; n", 40),
        ("z = 0; n = 0; while 1/z > 0 { n = n + 1; z = -z }; n", 1),
    ],
)
def test_a_loop_that_changes_a_value_ends(text: str, turns: int) -> None:
    graph = parse(text, dynamic=True)
    assert evaluate(graph, graph.outputs, {}) == [turns]


def test_a_loop_that_draws_anew_may_end() -> None:
    text = "n = 0; while dropped([1])[0] == 0 { y = 1 }; 5"
    graph = parse(text, dynamic=True, seed=3)
    assert evaluate(graph, graph.outputs, {}) == [5.0]


@pytest.mark.parametrize("text", ["for i in 1 to n { y = 2y }", "if n { y = 8 }"])
def test_an_array_of_one_element_counts_as_its_number(text: str) -> None:
    graph = parse(f"y = 1; {text}; y", values={"n": np.array([[3.0]])}, dynamic=True)
    assert evaluate(graph, graph.outputs, {}) == [8.0]


@pytest.mark.parametrize(
    ("text", "report"),
    [
        ("if x > 1 { 1 } else { 2 }",
         "1:1: error: the condition needs the value of 'x' (give it: --x VALUE)"),
        ("while x { x }", "1:1: error: the loop needs the value of 'x' (give it: --x VALUE)"),
        ("[y for i in 1 to x]",
         "1:4: error: the loop needs the value of 'x' (give it: --x VALUE)"),
        ("v[x]", "1:2: error: an index needs the value of 'x' (give it: --x VALUE)"),
        ("if v > 0 { 1 } else { 2 }",
         "1:1: error: a condition is one number, not an array of shape (3,)"),
        ("if v[3] { 1 } else { 2 }",
         "1:5: error: index [3] is not within shape (3,)"),
        ("while v[0] { y = 1 }", "1:1: error: this loop never ends: nothing in it changes"),
        ("for i in v to 3 { 1 }", "1:1: error: the bounds of a loop are finite numbers"),
        ("for i in 1 to 1/0 { 1 }", "1:1: error: the bounds of a loop are finite numbers"),
        ("for i in 1 to len(w) { 1 }",
         "1:1: error: the loop needs the shape of 'w' (declare it: input w: (10, 2))"),
    ],
)  # fmt: skip
def test_refusals(text: str, report: str) -> None:
    with pytest.raises(FormulaError) as refused:
        parse(text, values={"v": VECTOR}, dynamic=True)
    assert str(refused.value).partition("\n")[0] == f"<formula>:{report}"


@pytest.mark.parametrize(
    "known",
    [
        {"shapes": {"x": (2, 3)}},
        {"values": {"x": np.ones((2, 3))}},
    ],
)
def test_shapes_are_known_from_what_is_given(known: Mapping[str, Mapping[str, object]]) -> None:
    graph = parse("sum(x[i, 0] for i in 0 to len(x) - 1)", **known)  # type: ignore[arg-type]
    (output,) = graph.outputs
    assert written(graph, output) == "add(index(x; '0, 0'), index(x; '1, 0'))"


def test_a_declared_shape_goes_before_all_others() -> None:
    text = "input x: (2); [x[i] for i in 0 to len(x) - 1]"
    assert len(parse(text, shapes={"x": (5,)}).inputs()) == 1
    (output,) = (graph := parse(text)).outputs
    assert len(graph.nodes[output].args) == 2


def test_values_do_not_matter_in_a_static_program() -> None:
    with pytest.raises(FormulaError, match="a loop whose length depends on data needs its values"):
        parse("while x > 0 { y = 1 }", values={"x": 1.0})


VALUE = st.sampled_from(["x + y", "2y", "y*z - 1", "-z", "x*z", "y if x < z else 3", "0.5"])
CONDITION = st.sampled_from(["x > 0", "y < z", "x*y >= 1", "not z", "0", "1", "x > 1 and y > 1"])
ASSIGNMENT = st.tuples(st.sampled_from("yz"), VALUE).map(" = ".join)


def blocks(smaller: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    body = st.lists(smaller, max_size=3).map("; ".join)
    return st.one_of(
        st.tuples(CONDITION, body).map("if {0[0]} {{ {0[1]} }}".format),
        st.tuples(CONDITION, body, body).map("if {0[0]} {{ {0[1]} }} else {{ {0[2]} }}".format),
        st.tuples(CONDITION, body, CONDITION, body).map(
            "if {0[0]} {{ {0[1]} }} else if {0[2]} {{ {0[3]} }}".format
        ),
        body.map("for i in 1 to 2 {{ {} }}".format),
    )


PROGRAM = st.lists(st.recursive(ASSIGNMENT, blocks, max_leaves=6), max_size=4).map("\n".join)


@given(PROGRAM, st.sampled_from([-2.0, 0.0, 0.5, 3.0]))
def test_both_ways_agree(text: str, x: float) -> None:
    program = f"y = x^2\nz = x - 1\n{text}\ny\nz\ny*z"
    static, dynamic = parse(program), parse(program, values={"x": x}, dynamic=True)
    expected = evaluate(static, static.outputs, {"x": x})
    assert evaluate(dynamic, dynamic.outputs, {"x": x}) == expected
    assert not any(node.op.name == "where" for node in dynamic.nodes) or "else 3" in text


def test_random_numbers_are_those_of_the_seed() -> None:
    text = "y = dropped([1, 1, 1, 1]); if y[0] > 0 { 1 } else { 2 }"
    (static,) = parse(text).outputs
    assert parse(text).nodes[static].op.name == "where"
    taken: set[str] = set()
    for seed in range(20):
        graph = parse(text, dynamic=True, seed=seed)
        drawn = evaluate(graph, [graph.names["y"]], {})[0]
        (output,) = graph.outputs
        assert written(graph, output) == ("1" if np.asarray(drawn)[0] > 0 else "2")
        taken.add(written(graph, output))
    assert taken == {"1", "2"}
