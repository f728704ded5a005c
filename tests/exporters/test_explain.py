"""Explanations: what they say of each kind of node, and that every form is well made."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ElementTree

import pytest

from cgraph.autodiff.graph import Graph
from cgraph.autodiff.ops import OPS, Op
from cgraph.exporters.explain.formats import FORMATS, written
from cgraph.exporters.explain.story import Story
from cgraph.exporters.explain.tell import tell
from cgraph.exporters.explain.teller import Asked
from cgraph.exporters.explain.write import text
from cgraph.parser import parse

from ..autodiff.samples import elementwise, moderate


def story(formula: str, given: dict[str, float], mode: str = "reverse") -> Story:
    graph = parse(formula)
    return tell(Asked(graph, graph.outputs[0], graph.inputs(), given, mode))


def told(formula: str, given: dict[str, float], mode: str = "reverse") -> list[str]:
    """Return the lines of an explanation."""
    return [line.strip() for line in text(story(formula, given, mode)).splitlines()]


@pytest.mark.parametrize(
    ("formula", "given", "line"),
    [
        ("x*x + y", {"x": 3.0}, "dv1/dx = x + x = 3 + 3 = 6"),
        ("x*sin(x)", {"x": 2.0}, "∂g/∂x = v1 = 0.9093"),
        ("x*sin(x)", {"x": 2.0},
         "dg/dx = ∂g/∂x + dg/dv1 * dv1/dx = 0.9093 + 2 * (-0.4161) = 0.077"),
        ("(x + 1)*(x - 1)", {"x": 2.0},
         "dg/dx = dg/dv2 * dv2/dx + dg/dv1 * dv1/dx = 3 * 1 + 1 * 1 = 4"),
        ("-x", {"x": 3.0}, "g = -x = -3"),
        ("2*x", {"x": math.inf}, "dg/dx = 2   (differences say nothing here)"),
        ("x^2", {"x": -3.0}, "g = x^2 = (-3)^2 = 9"),
        ("5 - x", {"x": -3.0}, "g = 5 - x = 5 - (-3) = 8"),
        ("f(a) = a^2; f(x)*2", {"x": 3.0}, "v1 = x^2 = 3^2 = 9"),
        ("max(x, y)*x", {"x": 3.0, "y": 1.0}, "dv1/dx = 1   (selected)"),
        ("max(x, y)*x", {"x": 3.0, "y": 1.0}, "dv1/dy = 0   (not selected: contributes 0)"),
        ("where(x > 0, sqrt(x), 0)", {"x": -1.0}, "dg/dx = 0   (not selected: contributes 0)"),
        ("where(x > 0, x^2, 3x) + x^2", {"x": -1.0},
         "dg/dx = dg/dv3 * dv3/dx + dg/dv2 * dv2/dx = 1 * 3 + 1 * (-2) = 1"),
        ("max(x, x)*2", {"x": 3.0}, "dv1/dx = 1   (selected)"),
        ("relu(x)*2", {}, "dv1/dx = where(x > 0, 1, 0)"),
        ("log(x)*2", {"x": -1.0}, "v1 = log(x) = log(-1) = nan   (it has no value here)"),
        ("log(x)*2", {"x": -1.0}, "dg/dx = nan   (where there is no value there is no derivative)"),
        ("1/x", {"x": 0.0}, "g = 1/x = 1/0 = inf   (it is infinite here)"),
        ("sqrt(x)", {"x": 0.0}, "dg/dx = inf   (infinite: differences only grow)"),
        ("abs(x)", {"x": 0.0},
         "dg/dx = 0   (a kink: differences give -1 from the left, 1 from the right)"),
        ("floor(x)*2", {"x": 1.0}, "dg/dx = 0   (the value jumps here: differences say nothing)"),
        ("x*y", {"x": 3.0}, "dg/dy = x = 3"),
        ("x^3*y", {}, "dg/dx = dg/dv1 * dv1/dx"),
        ("x^3*y", {}, "dg/dy = x^3"),
        ("x > 1", {"x": 3.0}, "g = (x > 1) = (3 > 1) = 1"),
        ("x", {"x": 3.0}, "dx/dx = 1   (differences: 1 ✓)"),
    ],
)  # fmt: skip
def test_lines(formula: str, given: dict[str, float], line: str) -> None:
    assert line in told(formula, given)


def test_the_forward_story() -> None:
    assert told("p = x + y; g = p*x", {"x": 1.0, "y": 3.0}, "forward")[8:-1] == [
        "Forward by x: the derivative of each part by x",
        "dx/dx = 1",
        "p = x + y",
        "dp/dx = 1",
        "g = p*x",
        "dg/dp = x = 1",
        "∂g/∂x = p = 4",
        "dg/dx = dg/dp * dp/dx + ∂g/∂x = 1 * 1 + 4 = 5",
        "",
        "Forward by y: the derivative of each part by y",
        "dy/dy = 1",
        "p = x + y",
        "dp/dy = 1",
        "g = p*x",
        "dg/dp = x = 1",
        "dg/dy = dg/dp * dp/dy = 1 * 1 = 1",
        "",
        "The gradient: checked by finite differences",
        "dg/dx = 5   (differences: 5 ✓)",
    ]


def test_an_output_is_not_called_like_an_input() -> None:
    assert told("g*v1*2", {"g": 2.0, "v1": 3.0})[-2:] == [
        "df/dg = 6   (differences: 6 ✓)",
        "df/dv1 = 4   (differences: 4 ✓)",
    ]
    assert "v2 = g*v1 = 2*3 = 6" in told("g*v1*2", {"g": 2.0, "v1": 3.0})


def test_a_number_has_no_derivative() -> None:
    assert told("2*3", {}) == [
        "g = 2*3",
        "",
        "Forward: the value of each part, from the inputs to g",
        "g = 2*3 = 6",
    ]


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("op", elementwise(), ids=lambda op: op.name)
def test_every_op_is_told_in_every_form(op: Op, form: str) -> None:
    point = moderate(op, 1)[0]
    names = [f"x{k}" for k in range(len(point))]
    graph = Graph()
    graph.outputs = [graph.add(op, tuple(map(graph.placeholder, names)))]
    given = dict(zip(names, point, strict=True))
    found = tell(Asked(graph, graph.outputs[0], graph.inputs(), given))
    out = written([found], form, "")
    if form == "html":
        assert well_formed(out)
    if form == "latex":
        assert out.count("{") == out.count("}")
        assert out.count(r"\left") == out.count(r"\right")


def well_formed(page: str) -> bool:
    """Tell whether a page's equations are well-formed, and nothing in it comes from outside."""
    equations = re.findall(r"<math.*?</math>", page)
    for equation in equations:
        root = ElementTree.fromstring(equation)
        assert not any((one.tail or "").strip() for one in root.iter())
        containers = [one for one in root.iter() if one.tag not in ("mi", "mn", "mo")]
        assert not any((one.text or "").strip() for one in containers)
        assert all(len(one) == 2 for one in root.iter() if one.tag in ("mfrac", "msup", "msub"))
    assert not re.search(r"(src|href)=|url\(|https?:", page)
    return bool(equations)


def test_names_are_safe_in_every_form() -> None:
    graph = parse("a_b*2")
    asked = Asked(graph, graph.outputs[0], graph.inputs(), {"a_b": 1.0})
    assert r"{g = a\_b*2 at a\_b = 1}" in written([tell(asked)], "latex", "")
    assert "<mi>a_b</mi>" in written([tell(asked)], "html", "")


def test_the_same_story_is_the_same_page() -> None:
    pages = {written([story("x*y", {"x": 1.0})], "html", "") for _ in range(2)}
    assert len(pages) == 1


def test_ops_are_those_of_the_table() -> None:
    assert {op.name for op in elementwise()} <= set(OPS)
