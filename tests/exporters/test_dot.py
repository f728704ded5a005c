"""The picture as DOT: what is in it, and that Graphviz reads it whatever is in it."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgraph.autodiff.evaluate import evaluate_known
from cgraph.autodiff.gradient import gradient, local_partials
from cgraph.autodiff.graph import Graph
from cgraph.autodiff.ops import Op
from cgraph.exporters.compose import Wanted, scene_of
from cgraph.exporters.dot import dot
from cgraph.exporters.image import bundled
from cgraph.exporters.options import Options
from cgraph.exporters.scene import Gradient, Scene, partial_labels, shape_labels
from cgraph.exporters.themes import DARK, LIGHT
from cgraph.exporters.typography import fitted, lacking, shortened, width
from cgraph.parser import parse

from ..autodiff.tensors import attributes_of
from .drawing import WRITABLE, arity, graphs

if TYPE_CHECKING:
    from cgraph.autodiff.evaluate import Value

SAMPLES = Path(__file__).parents[2] / "samples"

PROGRAMS = [path for path in (bundled(), shutil.which("dot")) if path]


def bare(text: str) -> Scene:
    graph = parse(text)
    return Scene(graph, graph.outputs)


def full(text: str, bindings: Mapping[str, Value]) -> Scene:
    """Return a scene with all values and gradients."""
    graph = parse(text)
    nodes = graph.needed(graph.outputs)
    slopes = gradient(graph, graph.outputs[0], nodes)
    values = evaluate_known(graph, [*nodes, *slopes], bindings)
    gradients = {node: values[slope] for node, slope in zip(nodes, slopes, strict=True)}
    return Scene(graph, graph.outputs, graph.inputs().values(), values, [Gradient("", gradients)])


def statements(text: str) -> dict[str, str]:
    """Return the statement of each node and each edge."""
    found = re.findall(r'^  ("[^\n]*?"(?: -> "[^\n]*?")?)([:\w]*)( \[.*)?$', text, re.MULTILINE)
    return {name: rest for name, _, rest in found}


def words(text: str) -> list[str]:
    return re.findall(r">([^<>]+)</", text)


def edges(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if "->" in line]


def read_by_graphviz(text: str) -> None:
    for program in PROGRAMS:
        done = subprocess.run([program, "-Tcanon"], input=text.encode(), capture_output=True)
        assert done.returncode == 0, done.stderr.decode()
        assert b"rror" not in done.stderr, done.stderr.decode()


def test_nodes_carry_names_signs_values_and_gradients() -> None:
    found = statements(dot(full("p = x + y; p*z", {"x": 1.0, "y": 3.0, "z": -3.0})))
    assert words(found['"x"']) == ["1", "x", "-3"]
    assert words(found['"p"']) == ["p", " = ", "4", "+", "-3"]
    assert words(found['"mul"']) == ["-12", "×", "1"]


def test_what_is_not_known_is_not_shown() -> None:
    graph = parse("(x+y)*z")
    scene = Scene(
        graph, graph.outputs, values=evaluate_known(graph, graph.outputs, {"x": 1, "y": 3})
    )
    found = statements(dot(scene))
    assert words(found['"add"']) == ["4", "+"]
    assert words(found['"mul"']) == ["×"]


def test_kinds_look_different() -> None:
    graph = parse("x*y + 2")
    text = dot(Scene(graph, graph.outputs, wrt=[graph.placeholders["x"]]))
    found = statements(text)
    fills = [
        re.findall(r'BGCOLOR="(.*?)"', found[f'"{name}"']) for name in ("x", "y", "mul", "add")
    ]
    constant = re.findall(r'BGCOLOR="(.*?)"', found['"constant for add 2"'])
    assert len({*map(tuple, fills), tuple(constant)}) == 5


def test_the_legend_explains_what_occurs() -> None:
    def legend(scene: Scene) -> list[str]:
        return [word.strip() for word in words(dot(scene).partition("  node [")[0])]

    assert legend(bare("x + y")) == ["input", "output"]
    assert legend(full("sin(x)*2", {"x": 1.0})) == [
        *("differentiated by", "constant", "operation", "output", "value", "gradient"),
    ]


def test_operand_order_is_seen_where_it_matters() -> None:
    assert edges(dot(bare("x - y"))) == [
        '"x" -> "sub" [tailport="v:e" headport="a0:w"]',
        '"y" -> "sub" [tailport="v:e" headport="a1:w"]',
    ]
    assert edges(dot(bare("x + y"))) == [
        '"x" -> "add" [tailport="v:e" headport="v:w"]',
        '"y" -> "add" [tailport="v:e" headport="v:w"]',
    ]
    assert words(statements(dot(bare("x^y")))['"pow"']) == ["1", "^", "2"]
    assert words(statements(dot(bare("clip(x, y, z)")))['"clip"']) == ["x", "clip", "lo", "hi"]


def test_a_constant_is_drawn_at_each_use() -> None:
    text = dot(bare("x^2 + 2*y"))
    assert {'"constant for pow 2"', '"constant for mul 1"'} <= statements(text).keys()
    assert '"constant"' not in statements(text)
    assert '"constant"' in statements(dot(bare("3")))


@pytest.mark.parametrize(
    ("direction", "edge"),
    [("right", "e -> w"), ("up", "n -> s"), ("down", "s -> n")],
)
def test_directions(direction: str, edge: str) -> None:
    text = dot(full("x - y*2", {"x": 1.0, "y": 2.0}), Options(direction=direction))
    leave, _, enter = edge.partition(" -> ")
    assert all(f':{leave}" head' in line and f':{enter}"]' in line for line in edges(text))
    read_by_graphviz(text)


@pytest.mark.parametrize("text", ["(x+y)*z", "f(a) = sin(a)/a; f(x) - y^2 + f(y)", "2^x - x/3"])
def test_an_edge_is_between_the_names_of_nodes(text: str) -> None:
    """Of a port after a colon, `"x":v:e`, pydot and networkx make a node of its own."""
    picture = dot(bare(text))
    named = set(re.findall(r'^ *("[^"]*") \[label', picture, re.MULTILINE))
    ends = [line.partition(" [")[0].strip().split(" -> ") for line in edges(picture)]
    assert ends
    assert {end for both in ends for end in both} == named


def test_themes() -> None:
    light, dark = (dot(bare("x + y"), Options(theme=theme)) for theme in ("light", "dark"))
    assert f'bgcolor="{LIGHT.paper}"' in light
    assert f'bgcolor="{DARK.paper}"' in dark


def test_edges_carry_shapes() -> None:
    graph = parse("x*y")
    nodes = graph.needed(graph.outputs)
    labels = shape_labels(graph, nodes, {0: (2, 3), 1: ()})
    text = dot(Scene(graph, graph.outputs, edges=labels, edge_meaning="shape"))
    assert [words(line) for line in edges(text)] == [["(2, 3)"], ["scalar"]]
    assert "on edges: shape" in text


def test_numbers_stand_on_the_colour_behind_them() -> None:
    """So no edge strikes them through: edges are drawn first."""
    graph = parse("f(x) = tanh(x*x + 1)*2\nf(y) + y")
    given = {"y": 2.0}
    wanted = Wanted(graph.inputs(), grad=True, edges="partial")
    text = dot(scene_of(graph, graph.outputs, given, wanted)[0])
    inside, outside = LIGHT.box[0], LIGHT.paper
    assert "outputorder=edgesfirst" in text
    for name, behind in (('"y"', outside), ('"f/mul"', inside)):
        for color in (LIGHT.value, LIGHT.gradient):
            line = next(line for line in text.splitlines() if line.strip().startswith(f"{name} ["))
            assert f'<TD BGCOLOR="{behind}"><FONT COLOR="{color}"' in line
    behind_edges = {line.partition('BGCOLOR="')[2][:7] for line in edges(text)}
    assert behind_edges - {""} == {inside, outside}


SCOPES = """
layer(x, w, b) = tanh(w*x + b)
u = layer(x, w1, b1)
v = layer(x, w2, b2)
layer(u + v, w1, b2)*x
"""


@pytest.mark.parametrize("program", PROGRAMS)
def test_no_edge_runs_backwards_between_boxes(program: str) -> None:
    graph = parse(SCOPES)
    scene, _ = scene_of(graph, graph.outputs, {}, Wanted(graph.inputs(), backward=True))
    done = subprocess.run(
        [program, "-Kdot", "-Tplain"], input=dot(scene).encode(), capture_output=True, check=True
    )
    lines = [shlex.split(line) for line in done.stdout.decode().splitlines()]
    across = {line[1]: float(line[2]) for line in lines if line[0] == "node"}
    links = [line[1:3] for line in lines if line[0] == "edge"]
    assert [link for link in links if across[link[0]] > across[link[1]]] == []


def test_a_box_grows_with_a_font_that_is_not_known() -> None:
    long, short = "a_name_of_some_length", "x"
    text = dot(bare(f"{long}*{short}"))
    assert 'FIXEDSIZE="FALSE"' in statements(text)[f'"{long}"']
    assert 'FIXEDSIZE="TRUE"' in statements(text)[f'"{short}"']
    assert "FALSE" not in dot(bare(f"{long}*{short}"), fit=fitted)


def test_a_gradient_that_is_0_but_for_rounding() -> None:
    graph = parse((SAMPLES / "black_scholes.cg").read_text())
    given = {"S": 100.0, "K": 95.0, "r": 0.05, "sigma": 0.2, "T": 0.5}
    scene, _ = scene_of(graph, graph.outputs, given, Wanted(graph.inputs(), grad=True))
    d1 = graph.names["d1"]
    slope = scene.gradients[0].by_node[d1]
    assert slope == pytest.approx(0, abs=1e-13)
    assert slope != 0
    assert d1 in scene.gradients[0].lost
    assert {*graph.inputs().values(), graph.names["d2"]}.isdisjoint(scene.gradients[0].lost)
    assert {"≈ 0", "≈ 0: 0 but for rounding   "} <= set(words(dot(scene)))
    assert f"gradient {slope!r}" in dot(scene)


def test_a_gradient_that_is_small_is_shown() -> None:
    graph = parse("exp(-x)*y + z")
    given = {"x": 40.0, "y": 2.0, "z": 1.0}
    scene, _ = scene_of(graph, graph.outputs, given, Wanted(graph.inputs(), grad=True))
    assert scene.gradients[0].lost == set()
    assert "-8.497e-18" in dot(scene)


def test_edges_carry_local_derivatives() -> None:
    graph = parse("relu(x)*y + sin(y)")
    partials = local_partials(graph, graph.needed(graph.outputs))
    symbols = partial_labels(graph, partials, {})
    assert {"y", "relu(x)", "1", "cos(y)", "where(x > 0, 1, 0)"} == set(symbols.values())
    values = evaluate_known(graph, list(partials.values()), {"x": -1.0, "y": 0.0})
    assert sorted(partial_labels(graph, partials, values).values()) == [
        "0",
        "0",
        "0",
        "1",
        "1",
        "1",
    ]


def test_nobody_asks_for_the_derivative_by_a_number() -> None:
    graph = parse("x^2")
    partials = local_partials(graph, graph.needed(graph.outputs))
    assert partial_labels(graph, partials, {}) == {(graph.outputs[0], 0): "2*x"}


def test_the_gradients_own_graph() -> None:
    graph = parse("sin(x)*y")
    slopes = gradient(graph, graph.outputs[0], list(graph.placeholders.values()))
    text = dot(Scene(graph, slopes, labels=dict(zip(slopes, ("d/dx", "d/dy"), strict=True))))
    assert "made by differentiation" in text
    assert {"d/dx", "d/dy"} <= set(words(text))


def test_arrays_give_way_to_their_shapes() -> None:
    text = dot(full("x*1", {"x": np.arange(50.0)})._replace(gradients=()))
    assert {"(50,)", "0 to 49"} <= set(words(text))


def test_large_graphs_have_no_tooltips() -> None:
    assert "tooltip" in dot(bare("+".join(["x"] * 10)))
    assert "tooltip" not in dot(bare("+".join(["x"] * 4000)))


@pytest.mark.parametrize("op", WRITABLE, ids=lambda op: op.name)
def test_every_op_is_drawn(op: Op) -> None:
    graph = Graph()
    graph.outputs = [
        graph.add(op, tuple(map(graph.placeholder, "abcd"[: arity(op)])), attributes_of(op))
    ]
    assert statements(dot(Scene(graph, graph.outputs)))[f'"{op.name}"']


@given(graphs())
def test_the_same_scene_gives_the_same_bytes(graph: Graph) -> None:
    assert dot(Scene(graph, graph.outputs)) == dot(Scene(graph, list(graph.outputs)))


AWKWARD = [
    '"',
    "\\",
    "a\\",
    "\\n",
    "<b>",
    "&amp;",
    "a\nb",
    "\0",
    "\x1b",
    "\ud800",
    "",
    " ",
    "x" * 20_000,
]


@pytest.mark.parametrize("name", AWKWARD, ids=[repr(name)[:12] for name in AWKWARD])
def test_any_text_is_safe(name: str) -> None:
    graph = parse("x*y + 1")
    scene = Scene(
        graph,
        graph.outputs,
        labels={graph.outputs[0]: name},
        edges={(graph.outputs[0], 0): name},
        edge_meaning=name,
    )
    text = dot(scene, fit=fitted)
    assert max(map(len, text.splitlines())) < 16_000
    read_by_graphviz(text)


@pytest.mark.parametrize("name", AWKWARD, ids=[repr(name)[:12] for name in AWKWARD])
def test_any_input_is_safe(name: str) -> None:
    graph = Graph()
    graph.outputs = [graph.placeholder(name)]
    graph.names = {name: graph.outputs[0]}
    read_by_graphviz(dot(Scene(graph, graph.outputs)))


@given(st.text(max_size=60))
def test_any_name_is_safe(name: str) -> None:
    text = dot(bare("x")._replace(labels={0: name}), fit=fitted)
    assert text.isprintable() or all(line.isprintable() for line in text.split("\n"))


def test_a_named_array_is_drawn_by_its_name() -> None:
    assert "A" in words(dot(bare("A = [1, 2]; A*x")))
    assert "[1, 2]" in words(dot(bare("[1, 2]*x")))


def test_widths() -> None:
    assert width("abc", 10) == pytest.approx(16.12)
    assert width("中文", 10) == 20
    assert fitted("abc") == "abc"
    assert width("e\N{COMBINING ACUTE ACCENT}", 10) == width("e", 10)
    assert fitted("−") == " −"
    assert fitted("中文") == "中文 "
    assert shortened("abcdefghij", 7) == "abcd…ij"
    assert lacking("α ≤ π²") == ""
    assert lacking("x重量") == "重"


def test_constants_are_shown_by_their_letters() -> None:
    text = dot(bare("2*pi*x + e + 3.14"))
    assert all(f">{letter}</FONT>" in text for letter in ("π", "e", "3.14"))
