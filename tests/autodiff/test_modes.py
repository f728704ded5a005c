"""What is said of training and of inference: one of them is run."""

from __future__ import annotations

import numpy as np
import pytest

from cgraph.autodiff.errors import UsageError
from cgraph.autodiff.evaluate import evaluate
from cgraph.autodiff.graph import Graph, check
from cgraph.autodiff.modes import matters, settle
from cgraph.autodiff.results import gradients
from cgraph.parser import parse

X = np.arange(1.0, 2001.0)


def settled(text: str, training: bool, seed: int = 0) -> Graph:
    graph = parse(text)
    graph.seed, graph.training = seed, training
    settle(graph)
    check(graph)
    return graph


def test_in_inference_dropout_is_not_there() -> None:
    graph = settled("y = dropout(x) + 1; 2*y", training=False)
    names = {node.op.name for _, node in graph.walk(graph.needed(graph.outputs))}
    assert names == {"placeholder", "constant", "add", "mul"}
    assert graph.named("y") in graph.needed(graph.outputs)


def test_in_training_dropout_drops_and_scales() -> None:
    graph = settled("dropout(x, 0.25)", training=True)
    (value,) = evaluate(graph, graph.outputs, {"x": X})
    assert set(np.round(np.unique(value / X), 12)) == {0.0, round(4.0 / 3.0, 12)}
    assert 0.7 < np.mean(value != 0.0) < 0.8


def test_value_and_gradient_drop_the_same() -> None:
    graph = settled("sum(dropout(x)*x)", training=True, seed=5)
    result = gradients(graph, graph.outputs, {"x": graph.placeholders["x"]}, {"x": X})[0]
    dropped = result.gradient["x"] == 0.0
    assert 0.4 < np.mean(dropped) < 0.6
    assert result.value == pytest.approx(float(np.sum(np.where(dropped, 0.0, 2.0 * X * X))))


def test_two_dropouts_are_two_and_seeds_differ() -> None:
    graph = settled("dropout(x); dropout(x)", training=True)
    one, two = evaluate(graph, graph.outputs, {"x": X})
    other = settled("dropout(x); dropout(x)", training=True, seed=1)
    assert not np.array_equal(one, two)
    assert np.array_equal(one, evaluate(graph, graph.outputs, {"x": X})[0])
    assert not np.array_equal(one, evaluate(other, other.outputs, {"x": X})[0])


@pytest.mark.parametrize(("p", "value"), [("0", [1.0, 2.0]), ("1", [0.0, 0.0])])
def test_dropout_of_none_and_of_all(p: str, value: list[float]) -> None:
    graph = settled(f"dropout(x, {p})", training=True)
    assert np.array_equal(evaluate(graph, graph.outputs, {"x": X[:2]})[0], value)


def test_batch_norm_needs_statistics_only_in_inference() -> None:
    text = "batch_norm(x, running.mean, running.var)"
    rows = np.array([[1.0, 2.0], [3.0, 6.0]])
    graph = settled(text, training=True)
    assert list(graph.inputs()) == ["x"]
    (value,) = evaluate(graph, graph.outputs, {"x": rows})
    assert value == pytest.approx(np.array([[-1.0, -1.0], [1.0, 1.0]]), rel=1e-5)
    graph = settled(text, training=False)
    with pytest.raises(UsageError, match=r"no value for running.mean, running.var"):
        evaluate(graph, graph.outputs, {"x": rows})


def test_a_graph_that_says_nothing_of_modes_stays_as_it_is() -> None:
    graph = parse("y = x^2; y + 1")
    before = len(graph), list(graph.outputs), dict(graph.names)
    graph.training = True
    settle(graph)
    assert not matters(graph)
    assert (len(graph), list(graph.outputs), dict(graph.names)) == before
