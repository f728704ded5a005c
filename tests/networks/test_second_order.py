"""Hessians, Jacobians and products with them on networks, beside `torch.autograd.functional`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import cgraph

from .beside import assert_close, torch

A: Any = torch.autograd.functional
F: Any = torch.nn.functional

NETWORK = "linear(tanh(linear(x, W, b)), V, c)"
LOSS = f"mse({NETWORK}, y)"
CLASSIFIER = f"cross_entropy({NETWORK}, [1, 0, 1, 1, 0])"
HEAD = "softmax(x @ W.T @ (x @ U.T).T/sqrt(3)) @ x"

SHAPES = {"W": (3, 2), "b": (3,), "V": (2, 3), "c": (2,)}


def drawn(**shapes: tuple[int, ...]) -> dict[str, Any]:
    """Return numbers in these shapes."""
    rng = np.random.default_rng(11)
    return {name: rng.normal(size=shape) for name, shape in shapes.items()}


DATA = drawn(x=(5, 2), y=(5, 2))
WEIGHTS = drawn(**SHAPES)


def network(x: Any, *weights: Any) -> Any:
    """Return what the network gives in PyTorch."""
    W, b, V, c = weights
    return F.linear(torch.tanh(F.linear(x, W, b)), V, c)


def loss(*weights: Any) -> Any:
    """Return the squared loss."""
    return F.mse_loss(network(torch.tensor(DATA["x"]), *weights), torch.tensor(DATA["y"]))


def classified(*weights: Any) -> Any:
    """Return the cross entropy."""
    logits = network(torch.tensor(DATA["x"]), *weights)
    return F.cross_entropy(logits, torch.tensor([1, 0, 1, 1, 0]))


def head(W: Any, U: Any) -> Any:
    """Return what an attention head gives."""
    x = torch.tensor(DATA["x"])
    return torch.softmax(x @ W.T @ (x @ U.T).T / 3.0**0.5, -1) @ x


def as_tensors(given: dict[str, Any]) -> tuple[Any, ...]:
    """Return values as PyTorch's."""
    return tuple(torch.tensor(value) for value in given.values())


LOSSES = [(LOSS, loss, DATA), (CLASSIFIER, classified, {"x": DATA["x"]})]


@pytest.mark.parametrize(("text", "theirs", "data"), LOSSES)
def test_hessians(text: str, theirs: Callable[..., Any], data: dict[str, Any]) -> None:
    found = cgraph.hessian(text, data | WEIGHTS, wrt=list(WEIGHTS))
    expected = A.hessian(theirs, as_tensors(WEIGHTS))
    for row, blocks in zip(WEIGHTS, expected, strict=True):
        for column, block in zip(WEIGHTS, blocks, strict=True):
            assert_close(found[row][column], block.numpy(), f"{row}, {column}")


@pytest.mark.parametrize(("text", "theirs", "data"), LOSSES)
def test_products_of_hessians(text: str, theirs: Callable[..., Any], data: dict[str, Any]) -> None:
    vector = {name: np.cos(value) for name, value in WEIGHTS.items()}
    found = cgraph.hvp(text, data | WEIGHTS, vector, wrt=list(WEIGHTS))
    _, expected = A.hvp(theirs, as_tensors(WEIGHTS), as_tensors(vector))
    for name, product in zip(WEIGHTS, expected, strict=True):
        assert_close(found[name], product.numpy(), name)


@pytest.mark.parametrize("mode", ["reverse", "forward", "auto"])
def test_jacobians_of_a_matrix(mode: Any) -> None:
    found = cgraph.jacobian(NETWORK, {"x": DATA["x"]} | WEIGHTS, mode, wrt=list(WEIGHTS))
    expected = A.jacobian(partial(network, torch.tensor(DATA["x"])), as_tensors(WEIGHTS))
    for name, block in zip(WEIGHTS, expected, strict=True):
        assert_close(found[name], block.numpy(), name)


@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_jacobians_of_attention(mode: Any) -> None:
    weights = drawn(W=(3, 2), U=(3, 2))
    found = cgraph.jacobian(HEAD, {"x": DATA["x"]} | weights, mode, wrt=list(weights))
    expected = A.jacobian(head, as_tensors(weights))
    for name, block in zip(weights, expected, strict=True):
        assert_close(found[name], block.numpy(), name)


def test_products_of_jacobians() -> None:
    weights = drawn(W=(3, 2), U=(3, 2))
    given = {"x": DATA["x"]} | weights
    tangents = {name: np.sin(value) for name, value in weights.items()}
    cotangent = np.cos(DATA["x"])
    _, forth = A.jvp(head, as_tensors(weights), as_tensors(tangents))
    assert_close(cgraph.jvp(HEAD, given, tangents), forth.numpy(), "jvp")
    _, back = A.vjp(head, as_tensors(weights), torch.tensor(cotangent))
    found = cgraph.vjp(HEAD, given, cotangent, wrt=list(weights))
    for name, product in zip(weights, back, strict=True):
        assert_close(found[name], product.numpy(), name)


def test_a_gradient_penalty() -> None:
    """A derivative inside a formula, differentiated again, as for a loss that has a gradient."""
    shapes = "input x: (5, 2); input W: (3, 2)"
    text = f"{shapes}; g = d(sum(tanh(x @ W.T)), x); mean((norm(g, axis=-1) - 1)^2)"
    given = {"x": DATA["x"], "W": WEIGHTS["W"]}
    x, W = (torch.tensor(value, requires_grad=True) for value in given.values())
    (g,) = torch.autograd.grad(torch.tanh(x @ W.T).sum(), x, create_graph=True)
    penalty = ((g.norm(dim=-1) - 1.0) ** 2).mean()
    expected = torch.autograd.grad(penalty, (x, W))
    formula = cgraph.parse(text)
    found = cgraph.grad(formula, given, wrt=list(given))
    for name, slope in zip(given, expected, strict=True):
        assert_close(found[name], slope.numpy(), name)
