"""Each function that PyTorch has too: values and gradients of the same numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cgraph

from ..autodiff.derivatives import MODES
from .beside import assert_close, assert_same, tensors, torch, weighed

WORDS: dict[str, Any] = {
    "torch": torch,
    "F": torch.nn.functional,
    "vector_norm": torch.linalg.vector_norm,
}

OF_ONE_ELEMENT = {
    "relu(x)": "F.relu(x)",
    "gelu(x)": "F.gelu(x)",
    "silu(x)": "F.silu(x)",
    "elu(x)": "F.elu(x)",
    "elu(x, 0.7)": "F.elu(x, 0.7)",
    "leaky_relu(x)": "F.leaky_relu(x)",
    "leaky_relu(x, 0.2)": "F.leaky_relu(x, 0.2)",
    "softplus(x)": "F.softplus(x, threshold=1000.0)",
    "sigmoid(x)": "torch.sigmoid(x)",
    "tanh(x)": "torch.tanh(x)",
    "erf(x)": "torch.erf(x)",
    "expm1(x)": "torch.expm1(x)",
    "log1p(x^2)": "torch.log1p(x**2)",
    "sinc(x)": "torch.sinc(x)",
    "abs(x) + sign(x)": "x.abs() + x.sign()",
    "clip(x, -0.5, 0.5)": "torch.clamp(x, -0.5, 0.5)",
    "where(x > 0, x^2, -x)": "torch.where(x > 0.0, x**2, -x)",
    "detach(x)*x": "x.detach()*x",
    "x % 0.75": "torch.remainder(x, 0.75)",
}

ALONG_AXES = {
    "sum(x)": "x.sum()",
    "sum(x, axis=1)": "x.sum(1)",
    "sum(x, axis=[0, 2], keepdims=1)": "x.sum((0, 2), keepdim=True)",
    "mean(x, axis=-1)": "x.mean(-1)",
    "mean(x, axis=[0, 1])": "x.mean((0, 1))",
    "prod(x)": "x.prod()",
    "prod(x, axis=0)": "x.prod(0)",
    "max(x)": "x.amax()",
    "max(x, axis=1)": "x.amax(1)",
    "min(x, axis=[1, -1])": "x.amin((1, -1))",
    "var(x)": "x.var(correction=0)",
    "var(x, axis=1, ddof=1)": "x.var(1)",
    "var(x, axis=[0, 1])": "x.var((0, 1), correction=0)",
    "std(x, axis=-1)": "x.std(-1, correction=0)",
    "std(x, axis=0, ddof=1, keepdims=1)": "x.std(0, keepdim=True)",
    "norm(x)": "vector_norm(x)",
    "norm(x, axis=1)": "vector_norm(x, dim=1)",
    "logsumexp(x, axis=0)": "x.logsumexp(0)",
    "logsumexp(x, axis=[1, 2])": "x.logsumexp((1, 2))",
    "softmax(x)": "x.softmax(-1)",
    "softmax(x, axis=0)": "x.softmax(0)",
    "log_softmax(x, axis=1)": "x.log_softmax(1)",
    "cumsum(x, axis=1)": "x.cumsum(1)",
    "cumsum(x, axis=-1, reverse=1)": "x.flip(-1).cumsum(-1).flip(-1)",
    "reshape(x, [4, -1])*2": "x.reshape(4, -1)*2.0",
    "transpose(x, [1, 2, 0])": "x.permute(1, 2, 0)",
    "x[1, ::-1, 0]": "x[1].flip(0)[:, 0]",
    "x[:, -1, 1:]": "x[:, -1, 1:]",
    "stack(x[0], x[1], axis=-1)": "torch.stack([x[0], x[1]], -1)",
    "concat(x, x[:1], axis=0)": "torch.cat([x, x[:1]])",
}

OF_MATRICES = {
    "A @ B": "A @ B",
    "A.T @ b": "A.T @ b",
    "b @ A": "b @ A",
    "b @ b": "b @ b",
    "S @ A": "S @ A",
    "A @ S": "A @ S",
    "S @ S[:1]": "S @ S[:1]",
    "S @ b": "S @ b",
    "outer(b, b[1:])": "torch.outer(b, b[1:])",
    "trace(A)": "A.trace()",
    "diag(b) + diag(A)": "torch.diag(b) + torch.diag(A)",
    "det(A)": "torch.det(A)",
    "det(S)": "torch.det(S)",
    "logdet(A @ A.T + eye(3))": "torch.logdet(A @ A.T + torch.eye(3, dtype=A.dtype))",
    "inv(A)": "torch.linalg.inv(A)",
    "inv(S)": "torch.linalg.inv(S)",
    "solve(A, b)": "torch.linalg.solve(A, b)",
    "solve(A, B)": "torch.linalg.solve(A, B)",
    "solve(S, B)": "torch.linalg.solve(S, B)",
    'einsum("ij,kj->ik", A, B.T)': 'torch.einsum("ij,kj->ik", A, B.T)',
    'einsum("bij,jk->bik", S, B)': 'torch.einsum("bij,jk->bik", S, B)',
    'einsum("ii->i", A)': 'torch.einsum("ii->i", A)',
    'einsum("i,ij,j->", b, A, b)': 'torch.einsum("i,ij,j->", b, A, b)',
    'einsum("bij,bij->b", S, S)': 'torch.einsum("bij,bij->b", S, S)',
    "linear(S, B.T, [1, 2, 3, 4])": "F.linear(S, B.T, torch.tensor([1.0, 2.0, 3.0, 4.0]).double())",
}

LOSSES = {
    "mse(x, y)": "F.mse_loss(x, y)",
    "mse_loss(x, y)": "F.mse_loss(x, y)",
    "cross_entropy(x, softmax(y))": "F.cross_entropy(x, y.softmax(-1))",
    "cross_entropy(x, [2, 0, 1, 1, 0])": "F.cross_entropy(x, torch.tensor([2, 0, 1, 1, 0]))",
    "cross_entropy(x[0], 2)": "F.cross_entropy(x[0], torch.tensor(2))",
    "mean(-log(sigmoid(x)))": "F.binary_cross_entropy_with_logits(x, torch.ones_like(x))",
}


def draw(**shapes: tuple[int, ...]) -> dict[str, Any]:
    """Return numbers in these shapes."""
    rng = np.random.default_rng(3)
    return {name: rng.normal(size=shape) for name, shape in shapes.items()}


def beside(ours: str, theirs: str, given: dict[str, Any]) -> None:
    """Compare a formula with an expression in PyTorch, of those inputs that the formula has."""
    used = {name: given[name] for name in cgraph.parse(ours).inputs}

    def expected(**inputs: Any) -> Any:
        return eval(theirs, WORDS | inputs)

    value = expected(**tensors(used))
    assert_close(cgraph.evaluate(ours, used), value.detach().numpy(), "value")
    text, weights = weighed(ours, value.shape)

    def total(**inputs: Any) -> Any:
        return (expected(**inputs) * weights).sum()

    assert_same(text, used, total)


@pytest.mark.parametrize(("ours", "theirs"), OF_ONE_ELEMENT.items())
def test_of_each_element(ours: str, theirs: str) -> None:
    beside(ours, theirs, draw(x=(4, 5)))


@pytest.mark.parametrize(("ours", "theirs"), ALONG_AXES.items())
def test_along_axes(ours: str, theirs: str) -> None:
    beside(ours, theirs, draw(x=(3, 4, 2)))


@pytest.mark.parametrize(("ours", "theirs"), OF_MATRICES.items())
def test_of_matrices(ours: str, theirs: str) -> None:
    beside(ours, theirs, draw(A=(3, 3), B=(3, 4), S=(2, 3, 3), b=(3,)))


@pytest.mark.parametrize(("ours", "theirs"), LOSSES.items())
def test_losses(ours: str, theirs: str) -> None:
    beside(ours, theirs, draw(x=(5, 3), y=(5, 3)))


@pytest.mark.parametrize("name", ["max", "min"])
def test_a_tie_is_shared(name: str) -> None:
    given = {"x": np.array([[1.0, 3.0, 3.0], [2.0, 2.0, 2.0], [-1.0, 0.0, -1.0]])}
    beside(f"{name}(x, axis=1)", f"x.a{name}(1)", given)
    beside(f"{name}(x)", f"x.a{name}()", given)


@pytest.mark.parametrize("zeros", [1, 2, 3])
def test_products_with_zeros(zeros: int) -> None:
    x = np.array([2.0, -3.0, 0.5, 4.0])
    x[:zeros] = 0.0
    beside("prod(x)", "x.prod()", {"x": x})
    beside("prod(x, axis=0)", "x.prod(0)", {"x": np.stack([x, x[::-1]], axis=1)})


@pytest.mark.parametrize(
    "matrix",
    [
        [[1.0, 2.0], [2.0, 4.0]],
        [[0.0, 0.0], [0.0, 0.0]],
        [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]],
        [[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [3.0, 6.0, 9.0]],
    ],
)
def test_determinants_of_singular_matrices(matrix: list[list[float]]) -> None:
    """PyTorch takes the derivative there for 0; what is right are the cofactors."""
    a = np.array(matrix)
    count = range(len(a))
    cofactors = [
        [(-1) ** (i + j) * minor(np.delete(np.delete(a, i, 0), j, 1)) for j in count] for i in count
    ]
    found = cgraph.grad("det(A)", {"A": a})["A"]
    np.testing.assert_allclose(found, cofactors, rtol=1e-12, atol=1e-13)


def minor(a: Any) -> float:
    """Return the determinant of a matrix of one or two rows."""
    return float(a[0, 0] if len(a) == 1 else a[0, 0] * a[1, 1] - a[0, 1] * a[1, 0])


@pytest.mark.parametrize("training", [False, True])
def test_batch_norm(training: bool) -> None:
    given = draw(x=(6, 3), weight=(3,), bias=(3,))
    stored = draw(mean=(3,), var=(3,))
    stored["var"] = stored["var"] ** 2 + 0.5
    text, weights = weighed("batch_norm(x, mean, var, weight, bias)", (6, 3))
    formula = cgraph.parse(text, training=training)

    def theirs(x: Any, weight: Any, bias: Any) -> Any:
        running = [torch.tensor(value) for value in stored.values()]
        found = torch.nn.functional.batch_norm(x, *running, weight, bias, training)
        return (found * weights).sum()

    assert_same(formula, given, theirs, stored)


def test_what_dropout_keeps_is_the_same_forward_and_backward() -> None:
    formula = cgraph.parse("sum(dropout(x, 0.5)) + sum(dropout(x*1, 0.25))", training=True)
    x = np.full((20, 30), 3.0)
    for mode in MODES:
        value, gradient = cgraph.value_and_grad(formula, {"x": x}, mode)
        assert value == pytest.approx(np.sum(gradient["x"] * x), rel=1e-12)
        assert set(np.round(np.unique(gradient["x"]), 9)) == {
            0.0, 2.0, round(4 / 3, 9), round(2 + 4 / 3, 9)
        }  # fmt: skip


def test_the_mask_of_dropout_scales_as_in_pytorch() -> None:
    formula = cgraph.parse("dropout(x, 0.2)", training=True)
    torch.manual_seed(0)
    ones = np.ones(10000)
    ours: list[float] = cgraph.evaluate(formula, {"x": ones}).tolist()
    theirs: list[float] = torch.nn.functional.dropout(torch.tensor(ones), 0.2).tolist()
    assert set(ours) == set(theirs) == {0.0, 1.25}
    assert abs(sum(ours) - sum(theirs)) < 300.0
