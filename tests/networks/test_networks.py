"""The networks in samples/, written with `torch.nn.functional`, from the same numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cgraph
from cgraph import Formula

from ..conftest import ROOT
from .beside import assert_same, torch

F: Any = torch.nn.functional


def sample(name: str) -> Formula:
    """Return a program of samples/."""
    return cgraph.parse((ROOT / "samples" / f"{name}.cg").read_text())


def defaults(formula: Formula) -> dict[str, Any]:
    """Return the numbers that a program brings along."""
    return {name: np.array(value) for name, value in formula.graph.defaults.items()}


def simplenet(x: Any, y: Any, **given: Any) -> Any:
    """Return the loss of the network of two layers."""
    hidden = F.relu(F.linear(x, given["fc1.weight"], given["fc1.bias"]))
    return F.mse_loss(F.linear(hidden, given["fc2.weight"], given["fc2.bias"]), y)


def classifier(points: Any, labels: Any, **given: Any) -> Any:
    """Return the cross entropy of the classifier."""
    hidden = torch.tanh(F.linear(points, given["hidden.weight"], given["hidden.bias"]))
    logits = F.linear(hidden, given["out.weight"], given["out.bias"])
    return F.cross_entropy(logits, labels.detach().long())


def recurrent(series: Any, target: Any, **given: Any) -> Any:
    """Return the loss of the recurrent cell, step by step."""
    h = torch.zeros(series.shape[1], 3, dtype=torch.float64)
    for x in series:
        inner = torch.outer(x, given["cell.input"]) + h @ given["cell.recur"]
        h = torch.tanh(inner + given["cell.bias"])
    return F.mse_loss(h @ given["out.weight"], target)


def attention(tokens: Any, **given: Any) -> Any:
    """Return the size of what the attention head gives, by PyTorch's own attention."""
    query, key, value = (
        F.linear(tokens, given[f"{name}.weight"]) for name in ("query", "key", "value")
    )
    return (F.scaled_dot_product_attention(query, key, value) ** 2).sum()


NETWORKS = [simplenet, classifier, recurrent, attention]


@pytest.mark.parametrize("theirs", NETWORKS, ids=lambda network: network.__name__)
def test_a_network_is_what_pytorch_makes_of_it(theirs: Any) -> None:
    formula = sample(theirs.__name__)
    assert_same(formula, defaults(formula), theirs)


@pytest.mark.parametrize("theirs", NETWORKS, ids=lambda network: network.__name__)
@pytest.mark.parametrize("seed", [1, 2])
def test_so_it_is_at_numbers_that_are_drawn(theirs: Any, seed: int) -> None:
    formula = sample(theirs.__name__)
    draw = np.random.default_rng(seed)
    given = defaults(formula)
    for name in given.keys() - {"labels"}:
        given[name] = draw.normal(size=given[name].shape)
    assert_same(formula, given, theirs)


@pytest.mark.parametrize("batch", [1, 7])
def test_a_batch_may_have_any_size(batch: int) -> None:
    formula = sample("simplenet")
    draw = np.random.default_rng(batch)
    rows = {"x": draw.normal(size=(batch, 2)), "y": draw.normal(size=(batch, 1))}
    assert_same(formula, defaults(formula) | rows, simplenet)


def test_parameters_are_called_and_shaped_as_in_pytorch() -> None:
    class SimpleNet(torch.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.fc1 = torch.nn.Linear(2, 4)
            self.fc2 = torch.nn.Linear(4, 1)

    theirs = {name: tuple(value.shape) for name, value in SimpleNet().named_parameters()}
    gradient = cgraph.grad(sample("simplenet"), {}, wrt=list(theirs))
    assert {name: np.shape(slope) for name, slope in gradient.items()} == theirs


def test_training_takes_the_same_steps() -> None:
    formula = sample("simplenet")
    start = defaults(formula)
    rows = {name: start.pop(name) for name in ("x", "y")}
    step = cgraph.compile(formula, grad=True, wrt=list(start))
    ours = dict(start)
    theirs = {name: torch.tensor(value, requires_grad=True) for name, value in start.items()}
    optimizer = torch.optim.SGD(theirs.values(), lr=0.01)
    data = {name: torch.tensor(value) for name, value in rows.items()}
    loss = np.inf
    for _ in range(100):
        loss, gradient = step(**rows, **ours)
        ours = {name: value - 0.01 * gradient[name] for name, value in ours.items()}
        optimizer.zero_grad()
        expected = simplenet(**data, **theirs)
        expected.backward()
        optimizer.step()
        assert loss == pytest.approx(expected.item(), rel=1e-10)
    assert loss < 0.05
