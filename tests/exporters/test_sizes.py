"""Derivatives exported with one batch are those of any: sizes are read off the arguments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cgraph
from cgraph.autodiff.asked import variables
from cgraph.autodiff.graph import Graph
from cgraph.autodiff.results import gradients
from cgraph.exporters.compose import Wanted, scene_of
from cgraph.exporters.options import Options
from cgraph.exporters.registry import by_name
from cgraph.parser import parse

SAMPLES = Path(__file__).parents[2] / "samples"
Values = dict[str, Any]


def exported(graph: Graph, shapes: dict[str, tuple[int, ...]], *, optimize: bool = False) -> str:
    """Return a formula in Python with its derivatives, made with inputs of these shapes."""
    graph.shapes.update(shapes)
    inputs = variables(graph, None, graph.outputs)
    wanted = Wanted(inputs, backward=True, optimize=optimize)
    text = by_name("python").export(scene_of(graph, graph.outputs, {}, wanted)[0], Options())
    assert isinstance(text, str)
    return text


def function(source: str) -> Any:
    scope: Values = {}
    exec(source, scope)
    return scope["f"]


def assert_gives(source: str, graph: Graph, given: Values) -> None:
    """Compare what code gives with what we evaluate at the same values."""
    named = {name.replace(".", "_"): one for name, one in given.items()}
    value, slopes = function(source)(**named)
    fresh = {name: np.asarray(one, np.float64) for name, one in given.items()}
    graph.shapes.clear()
    wrt = {name: graph.placeholders[name] for name in given}
    expected = gradients(graph, graph.outputs, wrt, fresh)[0]
    np.testing.assert_allclose(value, expected.value, rtol=1e-12, atol=1e-14)
    for name, slope in expected.gradient.items():
        assert np.shape(slopes[name]) == np.shape(given[name]), name
        np.testing.assert_allclose(slopes[name], slope, rtol=1e-12, atol=1e-14, err_msg=name)


def sample(name: str) -> Graph:
    graph = parse((SAMPLES / f"{name}.cg").read_text())
    graph.outputs = [graph.names["loss"]]
    return graph


def drawn(graph: Graph, rows: int, names: Sequence[str]) -> Values:
    """Return values of all inputs: the defaults, new rows for the data among them."""
    rng = np.random.default_rng(rows)
    found = {name: np.array(default) for name, default in graph.defaults.items()}
    for name in names:
        width = found[name].shape[1:]
        whole = name == "labels"
        drawn = rng.integers(0, 3, (rows, *width)) if whole else rng.normal(size=(rows, *width))
        found[name] = drawn.astype(np.float64)
    return found


NETWORKS = {"simplenet": ("x", "y"), "classifier": ("points", "labels")}


@pytest.mark.parametrize("optimize", [False, True])
@pytest.mark.parametrize("name", NETWORKS)
def test_networks_take_any_batch(name: str, optimize: bool) -> None:
    source = exported(sample(name), {}, optimize=optimize)
    for rows in (1, 2, 5, 6, 32):
        graph = sample(name)
        assert_gives(source, graph, drawn(graph, rows, NETWORKS[name]))


def test_a_network_gives_what_torch_gives() -> None:
    torch = pytest.importorskip("torch")
    graph = sample("simplenet")
    given = drawn(graph, 9, NETWORKS["simplenet"])
    value, slopes = function(exported(graph, {}))(*given.values())
    x, y, w1, b1, w2, b2 = (torch.tensor(one, requires_grad=True) for one in given.values())
    loss = ((torch.relu(x @ w1.T + b1) @ w2.T + b2 - y) ** 2).mean()
    loss.backward()
    assert value == pytest.approx(loss.item(), rel=1e-12)
    for name, one in zip(given, (x, y, w1, b1, w2, b2), strict=True):
        np.testing.assert_allclose(slopes[name], one.grad.numpy(), rtol=1e-12, atol=1e-14)


FOLLOWED = [
    "mean(x)",
    "mean(x*w)",
    "sum(mean(x, axis=1)^2)",
    "var(x, ddof=1)",
    "std(x[:, 0])",
    "sum(softmax(x @ w)^2)",
    "mean(x @ w + 1)^2",
    "sum(sum(x, axis=0)*w)",
    "norm(x - mean(x, axis=0))",
    "sum(x.T @ x)",
    "sum(reshape(x, -1)^2)",
    "sum(concat(x, 2*x)^2)/len(x)",
    "sum(stack(x[:, 0], x[:, 1])^3)",
    "sum(cumsum(x^2, axis=0))",
    "sum(log(x @ w))",
    "log(x @ w)",
    "max(x)*sum(w)",
    "logsumexp(x[1:] @ w)",
]


@pytest.mark.parametrize("text", FOLLOWED)
def test_sizes_are_read_off_arguments(text: str) -> None:
    width = 3
    source = exported(parse(text), {"x": (4, width), "w": (width,)})
    assert "rows of x" not in source
    for rows in (2, 4, 7):
        graph, rng = parse(text), np.random.default_rng(rows)
        given = {
            name: rng.normal(size=(rows, width) if name == "x" else width)
            for name in graph.inputs()
        }
        assert_gives(source, graph, given)


def test_sizes_that_are_alike_by_chance_are_told_apart() -> None:
    text = "mean((tanh(x @ A + a) @ B - y)^2)"
    shapes = {"x": (3, 3), "A": (3, 3), "a": (3,), "B": (3, 3), "y": (3, 3)}
    source = exported(parse(text), shapes)
    rng = np.random.default_rng(0)
    for rows in (1, 3, 8):
        given = {
            name: rng.normal(size=(rows, 3) if name in "xy" else shape)
            for name, shape in shapes.items()
        }
        assert_gives(source, parse(text), given)


def test_two_batches_vary_apart() -> None:
    text = "sum(softmax(q @ k.T) @ v)"
    source = exported(parse(text), {"q": (4, 2), "k": (4, 2), "v": (4, 3)})
    rng = np.random.default_rng(0)
    for queries, keys in ((1, 1), (2, 5), (4, 4)):
        shapes = {"q": (queries, 2), "k": (keys, 2), "v": (keys, 3)}
        assert_gives(source, parse(text), {n: rng.normal(size=s) for n, s in shapes.items()})


def test_a_batch_of_one_is_any_batch() -> None:
    text = "mean((x @ w - y)^2)"
    source = exported(parse(text), {"x": (1, 2), "w": (2,), "y": (1,)})
    rng = np.random.default_rng(0)
    for rows in (1, 4):
        shapes = {"x": (rows, 2), "w": (2,), "y": (rows,)}
        assert_gives(source, parse(text), {n: rng.normal(size=s) for n, s in shapes.items()})


def test_what_does_not_follow_a_size_is_fixed_to_it() -> None:
    source = exported(parse("prod(x)"), {"x": (3,)})
    assert function(source)(np.array([2.0, 3.0, 4.0]))[1]["x"].tolist() == [12.0, 8.0, 6.0]
    with pytest.raises(ValueError, match=r"^the derivatives are for 3 rows of x$"):
        function(source)(np.ones(5))


def test_an_input_that_is_called_n_keeps_its_name() -> None:
    source = exported(parse("mean(n*x)"), {"x": (3,), "n": ()})
    assert "n_1 = len(x)" in source
    value, slopes = function(source)(2.0, np.arange(4.0))
    assert (value, slopes["n"], slopes["x"].tolist()) == (3.0, 1.5, [0.5] * 4)


OF_TWO_SIZES = [
    ("trace(x)", {"x": (2, 3)}),
    ("trace(x)", {"x": (1, 3)}),
    ("trace(x)", {"x": (3, 2)}),
    ("diag(exp(x))", {"x": (1, 2)}),
    ("diag(x)/mean(diag(x))", {"x": (2, 5)}),
    ("y[::2]/solve(z, z)", {"y": (2,), "z": (1, 1)}),
    ("len(x)[None]*x", {"x": (3,)}),
]


@pytest.mark.parametrize(("text", "shapes"), OF_TWO_SIZES)
def test_what_goes_by_the_smaller_of_two_sizes(
    text: str, shapes: dict[str, tuple[int, ...]]
) -> None:
    rng = np.random.default_rng(1)
    source = exported(parse(text), shapes)
    assert_gives(source, parse(text), {n: rng.uniform(1, 2, size=s) for n, s in shapes.items()})


@pytest.mark.parametrize("text", ["stack([x, x])*y", "ones(3)*x + y"])
def test_derivatives_for_a_number_take_no_array(text: str) -> None:
    graph = parse(text)
    inputs = variables(graph, None, graph.outputs)
    scene = scene_of(graph, graph.outputs, {}, Wanted(inputs, backward=True))[0]
    call = function(str(by_name("python").export(scene, Options())))
    assert float(call(x=2.0, y=3.0)[1]["x"]) == cgraph.grad(text, {"x": 2.0, "y": 3.0})["x"]
    with pytest.raises(ValueError, match=r"^the derivatives are for a number x$"):
        call(x=np.ones(3), y=2.0)


@pytest.mark.parametrize(
    ("text", "shapes", "by", "other", "told"),
    [
        ("mean(x@w)", {"x": (5, 3), "w": (3,)}, "x", {"x": (2, 3), "w": (3,)}, "x of shape (5, n)"),
        ("sum(x)*y", {"x": (5, 3), "y": ()}, "x,y", {"x": (5, 4), "y": ()}, "x of shape (n, 3)"),
        ("y[2]*sum(w)", {"y": (5,), "w": (3,)}, "y,w", {"y": (7,), "w": (3,)}, "5 rows of y"),
    ],
)
def test_an_axis_that_was_not_tried_is_fixed(
    text: str,
    shapes: dict[str, tuple[int, ...]],
    by: str,
    other: dict[str, tuple[int, ...]],
    told: str,
) -> None:
    graph = parse(text)
    graph.shapes |= {name: shape for name, shape in shapes.items() if shape}
    wrt = {name: graph.placeholders[name] for name in by.split(",")}
    scene = scene_of(graph, graph.outputs, {}, Wanted(wrt, backward=True))[0]
    scope: dict[str, Any] = {}
    exec(str(by_name("python").export(scene, Options())), scope)
    with pytest.raises(ValueError, match=re.escape(f"the derivatives are for {told}")):
        scope["f"](*[np.ones(other[name]) for name in graph.inputs()])
    given = {name: np.ones(shape) for name, shape in shapes.items()}
    value, gradient = scope["f"](*[given[name] for name in graph.inputs()])
    floats = {name: one if one.ndim else float(one) for name, one in given.items()}
    expected = gradients(graph, graph.outputs, wrt, floats)[0]
    np.testing.assert_allclose(value, expected.value)
    for name, slope in expected.gradient.items():
        np.testing.assert_allclose(gradient[name], slope)


def test_weights_with_defaults_are_no_data() -> None:
    graph = parse("input X: (5, 3)\ninput w = [1, 2, 3]\nmean(X @ w)")
    scene = scene_of(graph, graph.outputs, {}, Wanted(graph.placeholders, backward=True))[0]
    scope: dict[str, Any] = {}
    exec(str(by_name("python").export(scene, Options())), scope)
    X, w = np.arange(6.0).reshape(2, 3), np.ones(3)
    value, gradient = scope["f"](X, w)
    assert value == np.mean(X @ w)
    np.testing.assert_allclose(gradient["X"], np.full((2, 3), 0.5))
    np.testing.assert_allclose(gradient["w"], X.mean(0))
