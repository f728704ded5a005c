"""Names of GraphDef nodes: legal, unique, in scopes that no node is called."""

from __future__ import annotations

import re

import pytest
from hypothesis import given

from cgraph.autodiff.gradient import gradient
from cgraph.autodiff.graph import Graph
from cgraph.exporters.names import legal, unique_names
from cgraph.parser import parse

from .drawing import graphs

LEGAL = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*")
"""TensorFlow's rule for the name of a node."""


def names(text: str) -> list[str]:
    graph = parse(text)
    wanted = graph.needed([*graph.outputs, *graph.names.values()])
    found = unique_names(graph, wanted)
    return [found[node] for node in wanted]


def test_generated_names_are_numbered() -> None:
    assert set(names("x*y + x*z")) == {"x", "y", "z", "mul", "mul_1", "add"}


def test_people_name_nodes() -> None:
    assert set(names("fc1.weight = x*y; mul = fc1.weight + 1; mul*x")) == {
        *("x", "y", "fc1/weight", "constant", "mul", "mul_1"),
    }


def test_no_name_is_a_scope() -> None:
    assert set(names("fc1 = x; fc1.w = x*y; fc1.w.g = -y; z = fc1.w + fc1.w.g")) == {
        *("x", "y", "fc1/w_1", "fc1/w/g", "z"),
    }


def test_functions_are_scopes() -> None:
    assert set(names("g(a) = a^2; f(a, b) = g(a)*b; f(x, y) + f(y, x)")) == {
        *("x", "y", "f/g/constant", "f/g/pow", "f/mul", "f_1/g/pow", "f_1/mul", "add"),
    }


def test_derivatives_are_in_a_scope() -> None:
    graph = parse("f(a) = sin(a); f(x)*y")
    slopes = gradient(graph, graph.outputs[0], [graph.placeholders["x"]])
    found = unique_names(graph, graph.needed(slopes))
    assert all(name.startswith("gradients/") for node, name in found.items() if node in slopes)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *(("_x", "x"), ("__", "v"), ("α", "alpha"), ("Ω_2", "Omega_2"), ("é", "e")),
        *(("重", "U91CD"), ("a b", "a_b"), ("fc1.weight", "fc1/weight"), ("a..b", "a/v/b")),
        ("x" * 300, "x" * 200),
    ],
)
def test_names_are_made_legal(name: str, expected: str) -> None:
    assert legal(name) == expected
    assert LEGAL.fullmatch(expected)


@given(graphs())
def test_names_keep_the_rule(graph: Graph) -> None:
    found = unique_names(graph, range(len(graph)))
    assert len(set(found.values())) == len(graph)
    assert all(LEGAL.fullmatch(name) for name in found.values())
    scopes = {name.rpartition("/")[0] for name in found.values()}
    assert not scopes & set(found.values())


def test_many_names_of_one_kind_are_found_quickly() -> None:
    graph = parse("+".join(f"x*{k}" for k in range(20_000)))
    assert len(set(unique_names(graph, range(len(graph))).values())) == len(graph)
