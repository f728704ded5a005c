"""Boxes around the nodes of a scope."""

from __future__ import annotations

import re

import pytest

from cgraph.autodiff.gradient import gradient
from cgraph.autodiff.optimize import optimize
from cgraph.exporters.clusters import clusters_of, scopes
from cgraph.exporters.dot import dot
from cgraph.exporters.image import picture
from cgraph.exporters.options import Options
from cgraph.exporters.scene import Scene
from cgraph.parser import parse


def boxes(paths: list[str]) -> dict[str, tuple[str, str]]:
    """Return the label of each box, and the box that it is in."""
    found, _ = clusters_of(dict(enumerate(paths)))
    return {scope: (cluster.label, cluster.within) for scope, cluster in found.items()}


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["", ""], {}),
        (["f", "", "g"], {}),
        (["f", "f"], {"f": ("f", "")}),
        (["f", "f/g"], {"f": ("f", "")}),
        (["f", "f/g", "f/g"], {"f": ("f", ""), "f/g": ("g", "f")}),
        # a scope that only holds another has no box of its own
        (["f/g", "f/g"], {"f/g": ("f/g", "")}),
        (["f", "f/g/h", "f/g/h"], {"f": ("f", ""), "f/g/h": ("g/h", "f")}),
        # derivatives have a colour, and boxes only for what is fused
        (["gradients", "gradients", "gradients/f", "gradients/f"], {}),
        (["gradients/f/fused_1"] * 2, {"gradients/f/fused_1": ("fused_1", "")}),
        # not deeper than people see
        (["a", "a/b", "a/b/c", "a/b/c/d", "a/b/c/d/e", "a/b/c/d/e/f", "a/b/c/d/e/f"],
         {"a": ("a", ""), "a/b": ("b", "a"), "a/b/c": ("c", "a/b"), "a/b/c/d": ("d", "a/b/c"),
          "a/b/c/d/e": ("e", "a/b/c/d")}),
    ],
)  # fmt: skip
def test_which_scopes_have_a_box(paths: list[str], expected: dict[str, tuple[str, str]]) -> None:
    assert boxes(paths) == expected


def test_a_scope_and_those_around_it() -> None:
    assert scopes("f/g/h") == ["f", "f/g", "f/g/h"]
    assert scopes("") == []


def test_a_thousand_functions_in_one_another_take_no_recursion() -> None:
    path = "/".join(["f"] * 1000)
    assert len(boxes([*scopes(path), path])) == 5


def drawn(text: str) -> str:
    graph = parse(text)
    return dot(Scene(graph, graph.outputs))


def inside(text: str) -> dict[str, list[str]]:
    """Return the nodes that are stated in each box; edges are in none."""
    found: dict[str, list[str]] = {}
    open_: list[str] = []
    for line in text.splitlines():
        if match := re.search(r'subgraph "cluster (.*)" {', line):
            open_.append(match[1])
        elif line.strip() == "}" and open_:
            open_.pop()
        elif match := re.match(r' +"([^"]*)" \[label', line):
            found.setdefault("/".join(open_), []).append(match[1])
        elif " -> " in line:
            assert not open_, line
    return found


def test_functions_inputs_and_their_numbers_are_in_boxes() -> None:
    text = drawn("f(t) = exp(2*t); y = f(fc.x)*fc.w; y - 3")
    assert inside(text) == {
        "": ["y", "sub", "constant for sub 2"],
        "f": ["f/mul", "f/constant for f/mul 1", "f/exp"],
        "fc": ["fc/x", "fc/w"],
    }


def test_a_named_value_is_in_the_box_of_the_function_that_made_it() -> None:
    assert inside(drawn("f(t) = exp(t + t); p = f(x); p*p"))["f"] == ["f/add", "p"]


def test_a_box_is_written_once_and_holds_those_within_it() -> None:
    text = drawn("g(t) = exp(t*t); f(t) = g(t) + sin(t + 1); f(x)")
    assert text.count("subgraph") == 2
    assert list(inside(text)) == ["", "f/f/g", "f"]


def test_without_scopes_there_is_no_box() -> None:
    assert "subgraph" not in drawn("(x + y)*z")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("direction", ["right", "up", "down"])
def test_pictures_with_boxes_are_drawn(theme: str, direction: str) -> None:
    layers = "layer(x, w, b) = tanh(x*w + b) - b/2; layer(layer(x, a.w, a.b), c.w, c.b)^2"
    graph = parse(layers)
    slopes = gradient(graph, graph.outputs[0], list(graph.inputs().values()))
    fast = optimize(graph, [*graph.outputs, *slopes]).graph
    for scene in (Scene(graph, [*graph.outputs, *slopes]), Scene(fast, fast.outputs)):
        svg = picture(scene, Options(direction, theme), "svg").decode()
        labels = re.findall(r">([\w.]+)</text>", svg)
        assert {"a", "c", "a.w"} <= set(labels)
        assert ("fused_1" in labels) == (scene.graph is fast)
