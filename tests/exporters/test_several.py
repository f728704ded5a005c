"""Derivatives of several outputs, as `grad` has them: in graphs, in code and in pictures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cgraph
from cgraph.exporters.compose import Wanted, scene_of
from cgraph.exporters.options import Options
from cgraph.exporters.registry import by_name
from cgraph.parser import parse

from .running import exported, run_lines

TEXT = "u = x*y^2; v = sqrt(x) + y; w = x"
POINTS = ((2.0, 3.0), (-1.0, 0.5), (0.0, -2.0))


def graph_of(text: str = TEXT, asked: Sequence[str] = ("u", "v", "w")) -> Any:
    """Return a graph whose outputs are named."""
    graph = parse(text)
    graph.outputs = [graph.names[name] for name in asked]
    return graph


def expected(x: float, y: float) -> list[float]:
    """Return the three values, and the derivatives of each by x and y, by hand."""
    root = math.sqrt(x) if x >= 0 else math.nan
    none = math.nan if x < 0 else 1.0
    slope = math.nan if x < 0 else 0.5 / math.sqrt(x) if x else math.inf
    return [x * y * y, root + y, x, y * y, 2 * x * y, slope, none, 1.0, 0.0]


def flat(line: str) -> list[float]:
    return [float(word) for word in line.replace("Infinity", "inf").replace("NaN", "nan").split()]


@pytest.mark.parametrize("target", ["c", "javascript"])
def test_code_that_is_run_elsewhere(target: str, tmp_path: Path) -> None:
    source = exported(graph_of(), target)
    if target == "c":
        calls = "".join(
            f"f({x}, {y}, out, grad);"
            'for (int k = 0; k < 3; k++) printf("%.17g ", out[k]);'
            'for (int k = 0; k < 3; k++) printf("%.17g %.17g ", grad[k][0], grad[k][1]);'
            'printf("\\n");'
            for x, y in POINTS
        )
        main = f"int main(void) {{ double out[3], grad[3][2]; {calls} return 0; }}"
        source = f"#include <stdio.h>\n{source}{main}\n"
    else:
        source += "".join(
            f"{{ const r = f({x}, {y}); console.log([...r.value, "
            "...r.gradient.flatMap((g) => [g.x, g.y])].join(' ')); }\n"
            for x, y in POINTS
        )
    found = [flat(line) for line in run_lines(target, source, tmp_path)]
    np.testing.assert_allclose(found, [expected(*point) for point in POINTS], rtol=1e-12)


def test_python() -> None:
    scope: dict[str, Any] = {}
    exec(exported(graph_of(), "python"), scope)
    for point in POINTS:
        values, gradients = scope["f"](*point)
        found = [*values, *(slope for one in gradients for slope in one.values())]
        np.testing.assert_allclose(found, expected(*point), rtol=1e-12)
        assert [list(one) for one in gradients] == [["x", "y"]] * 3


def test_python_of_arrays() -> None:
    graph = parse("s = sum(log(x)*x); t = x*2; p = prod(x)")
    graph.outputs = [graph.names[name] for name in "stp"]
    by = {"x": graph.placeholders["x"]}
    x = np.array([0.5, 2.0, 3.0])
    scene, _ = scene_of(graph, graph.outputs, {"x": x}, Wanted(by, backward=True))
    scene = scene._replace(given={})
    graph.shapes["x"] = (3,)
    scope: dict[str, Any] = {}
    source = by_name("python").export(scene, Options())
    assert isinstance(source, str)
    exec(source, scope)
    for there in (x, np.array([1.0, -2.0, 5.0])):
        values, gradients = scope["f"](there)
        for name, value, slopes in zip("stp", values, gradients, strict=True):
            one = f"s = sum(log(x)*x); t = x*2; p = prod(x); {name}"
            wanted, gradient = cgraph.value_and_grad(one, {"x": there})
            np.testing.assert_allclose(value, wanted)
            np.testing.assert_allclose(slopes["x"], gradient["x"])


def test_sympy() -> None:
    sympy: Any = import_module("sympy")
    scope: dict[str, Any] = {}
    exec(exported(graph_of(), "sympy"), scope)
    x, y = (sympy.Symbol(name, real=True) for name in "xy")
    assert scope["f"] == (x * y**2, sympy.sqrt(x) + y, x)
    for value, slopes in zip(scope["f"], scope["gradient"], strict=True):
        assert [
            slopes[name] - sympy.diff(value, name_) for name, name_ in (("x", x), ("y", y))
        ] == [
            0,
            0,
        ]


def test_latex_names_each_output() -> None:
    lines = exported(graph_of(asked=("u", "v")), "latex", "").splitlines()
    assert lines == [
        r"\begin{align*}",
        r"u &= x \cdot y^{2} \\",
        r"v &= \sqrt{x} + y \\",
        r"\frac{\partial u}{\partial x} &= y^{2} \\",
        r"\frac{\partial u}{\partial y} &= 2 \cdot x \cdot y \\",
        r"\frac{\partial v}{\partial x} &= \frac{1}{2 \cdot \sqrt{x}} \\",
        r"\frac{\partial v}{\partial y} &= 1",
        r"\end{align*}",
    ]


def test_values_alone_keep_their_names_in_latex() -> None:
    assert exported(graph_of("u = x*y; v = x + y", "uv"), "latex", "", grad=False) == (
        "\\begin{align*}\nu &= x \\cdot y \\\\\nv &= x + y\n\\end{align*}\n"
    )


def test_outputs_without_names_have_numbers_in_latex() -> None:
    lines = exported(parse("x*y\nx + y"), "latex").splitlines()[1:-1]
    assert lines[0] == r"f_{1} &= x \cdot y \\"
    assert lines[4] == r"\frac{\partial f_{2}}{\partial x} &= 1 \\"


def test_a_graph_has_the_derivatives_after_the_outputs() -> None:
    graph = graph_of("u = x*y; v = x + y", "uv")
    scene, _ = scene_of(graph, graph.outputs, {}, Wanted(graph.inputs(), backward=True))
    assert list(scene.primals) == graph.outputs
    assert scene.derivatives == [
        {"x": graph.placeholders["y"], "y": graph.placeholders["x"]},
        dict.fromkeys("xy", scene.outputs[-1]),
    ]
    assert scene.labels[scene.outputs[-1]] == "dv/dx, dv/dy"
    assert scene.labels[graph.placeholders["x"]] == "du/dy"


def test_a_picture_says_of_which_output_a_gradient_is() -> None:
    graph = graph_of("u = x*y; v = x + y", "uv")
    given = {"x": 2.0, "y": 5.0}
    scene, _ = scene_of(graph, graph.outputs, given, Wanted(graph.inputs(), grad=True))
    text = by_name("dot").export(scene, Options())
    assert isinstance(text, str)
    x = next(line for line in text.splitlines() if line.startswith('  "x" ['))
    assert "∂u = </FONT>" in x
    assert "∂v = </FONT>" in x
    assert "gradient of u 5\\ngradient of v 1" in x


@pytest.mark.parametrize("text", ["u = x*y\nu\nu", "x*y\nx*y"])
def test_two_outputs_that_are_one_node_are_two(text: str, tmp_path: Path) -> None:
    graph = parse(text)
    graph.outputs = [graph.outputs[-1]] * 2
    scope: dict[str, Any] = {}
    exec(exported(graph, "python"), scope)
    values, gradients = scope["f"](2.0, 3.0)
    assert values == (6.0, 6.0)
    assert gradients == ({"x": 3.0, "y": 2.0},) * 2
