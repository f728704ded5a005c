"""Names come back from every format that is read; there a constant can still be bound."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cgraph.autodiff.constants import FREE
from cgraph.autodiff.errors import GraphError
from cgraph.autodiff.evaluate import evaluate
from cgraph.autodiff.graph import Graph, check
from cgraph.autodiff.graphdef_names import plain
from cgraph.autodiff.optimize import optimize
from cgraph.exporters.graphdef import graphdef_json, graphdef_text
from cgraph.exporters.text import program
from cgraph.parser import load, parse
from cgraph.parser.lexer import is_name

from ..exporters.sameness import likeness
from ..transcript import ROOT

SAMPLES = sorted((ROOT / "samples").glob("*.cg"))

NAMES = (
    "x", "T", "Tx", "T1", "_", "_x", "__", "_1", "x_1", "x1", "X", "N", "d", "to", "input", "true",
    "None", "alpha", "α", "Ω", "λ", "Δx", "θ̇", "é", "ß", "ж", "температура", "温度", "دما", "ñandú",
    "fc1.weight", "a.b.c", "_._", "fc1.α", "T_.w", "class", "lambda", "double", "pi2", "e1",
    "gamma", "zeros", "sum",
)  # fmt: skip

READ_BACK: dict[str, Callable[[Graph], str]] = {
    "graphdef": graphdef_json,
    "pbtxt": graphdef_text,
    "text": program,
}


@pytest.mark.parametrize("format_", READ_BACK)
@pytest.mark.parametrize("name", NAMES)
def test_a_name_comes_back(name: str, format_: str) -> None:
    """It is that of an input, of a value, of one with a default and of one in a function."""
    for text in (
        f"{name}*2 + 1",
        f"{name} = x_*2; {name} + 1",
        f"input {name} = 0.5; x_*{name}",
        f"f(a_) = a_*{name}; f(x_)",
    ):
        graph = parse(text)
        back = load(READ_BACK[format_](graph))
        check(back)
        assert likeness(back) == likeness(graph)


@pytest.mark.parametrize("format_", READ_BACK)
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_comes_back(path: Path, format_: str) -> None:
    graph = parse(path.read_text())
    for one in (graph, optimize(graph, graph.outputs).graph):
        assert likeness(load(READ_BACK[format_](one))) == likeness(one)


@pytest.mark.parametrize("name", NAMES)
def test_what_the_language_reads_is_a_name(name: str) -> None:
    assert is_name(name)
    assert list(parse(f"{name}*2").placeholders) == [name]


@pytest.mark.parametrize("name", ["T.x", "x.T", "a.T.b", "if", "1x", "x.", ".x", "x y", "", "x²"])
def test_what_it_does_not_read_is_none(name: str) -> None:
    assert not is_name(name)


@pytest.mark.parametrize(
    ("node", "name"),
    [("T", "T"), ("T/x", "_T.x"), ("x/T", "x._T"), ("x.T", "x._T"), ("fc1/w", "fc1.w")],
)
def test_the_name_that_another_tools_node_gives(node: str, name: str) -> None:
    assert plain(node) == name
    assert is_name(name)


CONSTANTS = [
    ("x*{0}", 3.0), ("{0}", 2.0), ("x^{0}", 2.25), ("[1, {0}, x]", (1.0, 2.0, 1.5)),
    ("[[1, {0}], [3, 4]]", ((1.0, 2.0), (3.0, 4.0))), ("-{0} + 2{0}", 2.0),
    ("f(a) = a*{0}; f(x)", 3.0), ("p = {0}; f(a) = a*p; f(x)", 3.0), ("x*{0}; y = {0}", 3.0),
    ("if x > 1 {{ p = {0} }} else {{ p = 1 }}; p*x", 3.0), ("sum({0}*k for k in 1 to 3)", 12.0),
    ("d({0}*t^2, t) + 0*t", 6.0), ("f(a) = [a, {0}]; f(x)", (1.5, 2.0)),
]  # fmt: skip
"""Formulas at x = t = 1.5, and their values where the constant in them is 2."""


@pytest.mark.parametrize("constant", FREE)
@pytest.mark.parametrize(("text", "expected"), CONSTANTS)
def test_a_constant_is_bound_after_a_pipe_as_before_it(
    text: str, expected: object, constant: str
) -> None:
    text = text.format(constant)
    before = parse(text, inputs=[constant])
    after = load(graphdef_json(parse(text)), inputs=[constant])
    check(after)
    assert likeness(after) == likeness(before)
    assert value(after, {constant: 2.0}) == expected


@pytest.mark.parametrize("constant", FREE)
@pytest.mark.parametrize(("text", "expected"), CONSTANTS)
def test_without_a_binding_it_is_the_constant(text: str, expected: object, constant: str) -> None:
    graph = parse(text.format(constant))
    back = load(graphdef_json(graph))
    assert likeness(back) == likeness(graph)
    assert list(back.letters.values()) == [constant]
    assert value(back, {}) == value(graph, {}) != expected


def value(graph: Graph, given: dict[str, float]) -> object:
    """Return the first output as nested tuples."""
    found: Any = evaluate(graph, graph.outputs, {"x": 1.5, "t": 1.5} | given)[0]
    return nested(found if isinstance(found, float) else found.tolist())


def nested(value: float | list[Any]) -> object:
    return tuple(map(nested, value)) if isinstance(value, list) else value


def test_the_same_number_in_digits_is_not_bound() -> None:
    graph = load(graphdef_json(parse("x*tau + 6.283185307179586")), inputs=["tau"])
    assert value(graph, {"tau": 2.0}) == 3.0 + 6.283185307179586


def test_optimization_keeps_the_names_of_constants() -> None:
    graph = parse("x^2*tau")
    fast = optimize(graph, graph.outputs).graph
    assert list(load(graphdef_json(fast), inputs=["tau"]).placeholders) == ["x", "tau"]


def test_a_letter_that_is_not_its_constant_is_refused() -> None:
    written = json.loads(graphdef_json(parse("x*tau")))
    for node in written["node"]:
        if node["op"] == "Const":
            node["attr"]["value"]["tensor"]["doubleVal"] = [7.0]
    with pytest.raises(GraphError) as refused:
        load(json.dumps(written))
    told = "node 'constant': its _constant 'tau' is not the constant that it has"
    assert refused.value.message == told
