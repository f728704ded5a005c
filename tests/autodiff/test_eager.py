"""Values while a graph is being made."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from cgraph.autodiff.eager import SHAPE, VALUE, Eager, InputShapes, Unknown
from cgraph.autodiff.errors import FormulaError
from cgraph.autodiff.evaluate import evaluate
from cgraph.parser import parse

VALUES: dict[str, float | np.ndarray[Any, np.dtype[np.float64]]] = {
    "x": 2.0,
    "v": np.array([1.0, 2.0, 3.0]),
    "A": np.ones((2, 3)),
}


@pytest.mark.parametrize(
    "text",
    [
        "x^2 + sin(x)",
        "[x, 1]*2",
        "A @ v",
        "sum(v, keepdims=1)",
        "v[1] + [1, 2, 3]",
        "len(A)*x",
        "where(x > 1, v, 0)",
        "[[1, 2], [3, 4]]",
        "1/0",
        "log(-1)",
    ],
)
def test_values_are_those_of_the_evaluator(text: str) -> None:
    graph = parse(text)
    (output,) = graph.outputs
    eager = Eager(graph, VALUES.get, lambda name: np.shape(VALUES[name]))
    expected = evaluate(graph, [output], VALUES)[0]
    assert np.array_equal(eager.value(output), expected, equal_nan=True)
    assert type(eager.value(output)) is type(expected)
    assert np.array_equal(np.asarray(eager.nested(output)), expected, equal_nan=True)


def test_what_is_unknown_has_a_name() -> None:
    graph = parse("x*y + len(z)")
    product, length = (graph.nodes[graph.outputs[0]].args[k] for k in (0, 1))
    eager = Eager(graph, {"x": 1.0}.get)
    with pytest.raises(Unknown) as found:
        eager.value(product)
    assert (found.value.name, found.value.what) == ("y", VALUE)
    with pytest.raises(Unknown) as found:
        eager.value(length)
    assert (found.value.name, found.value.what) == ("z", SHAPE)


def test_inputs_are_looked_up_and_not_listed() -> None:
    shapes = InputShapes({"x": (2,)}.get)
    assert shapes["x"] == (2,)
    assert (list(shapes), len(shapes)) == ([], 0)


def test_random_numbers_are_known_only_where_they_may_be() -> None:
    graph = parse("dropped([1, 2])")
    with pytest.raises(Unknown):
        Eager(graph).value(graph.outputs[0])
    drawn = Eager(graph, draws=True).value(graph.outputs[0])
    assert np.array_equal(drawn, evaluate(graph, graph.outputs, {})[0])


def test_each_node_is_run_once_however_the_graph_grows() -> None:
    graph = parse("x + 1")
    asked: list[str] = []

    def value(name: str) -> float:
        asked.append(name)
        return 2.0

    eager = Eager(graph, value)
    assert eager.value(graph.outputs[0]) == 3.0
    more = graph.add(graph.nodes[graph.outputs[0]].op, (graph.outputs[0], graph.outputs[0]))
    assert eager.value(more) == 6.0
    assert asked == ["x"]


def test_what_is_not_known_is_looked_for_once() -> None:
    graph = parse("y = sin(x); z = cos(y); y; z; y + z")
    asked: list[str] = []
    known: dict[str, float] = {}

    def value(name: str) -> float | None:
        asked.append(name)
        return known.get(name)

    eager = Eager(graph, value)
    for output in reversed(graph.outputs):
        with pytest.raises(Unknown) as missing:
            eager.value(output)
        assert (missing.value.name, missing.value.what) == ("x", "value")
    assert asked == ["x"]
    known["x"] = 0.0
    eager.forget()
    assert [eager.value(output) for output in graph.outputs] == [0.0, 1.0, 1.0]


def test_lists_of_what_is_not_known_take_linear_time(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = 0
    needed = Eager.needed

    def counted(eager: Eager, index: int) -> Iterator[int]:
        nonlocal steps
        steps += 1
        return needed(eager, index)

    monkeypatch.setattr(Eager, "needed", counted)
    parse("[" * 1000 + "x" + "]" * 1000)
    parse("s = [x, 1]; for i in 1 to 200 { s = [s[1], s[0] + s[1]] }; s")
    parse("h = x; for i in 1 to 200 { if h > 0 { h = h - 1 } else { h = h + 1 } }; h")
    assert steps < 10_000


def test_a_long_chain() -> None:
    graph = parse("x" + " + 1" * 100_000)
    assert Eager(graph, {"x": 1.0}.get).value(graph.outputs[0]) == 100_001.0


def test_shapes_that_do_not_fit_are_told_at_the_operator() -> None:
    graph = parse("[1, 2] + [1, 2, 3]")
    with pytest.raises(FormulaError, match=r"1:8: error: \+ needs shapes that broadcast"):
        Eager(graph).value(graph.outputs[0])


SCALARS = """
import sys
from collections.abc import Iterator
from cgraph.parser import parse
parse('if x > 1 { y = sin(x) } else { y = x }', values={'x': 2.0}, dynamic=True)
print('numpy' in sys.modules)
"""


def test_numbers_need_no_numpy() -> None:
    command = [sys.executable, "-c", SCALARS]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
