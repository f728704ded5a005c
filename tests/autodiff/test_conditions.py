# pyright: basic
"""Conditions that broadcast against what they select, and matrices that broadcasting makes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import cgraph

if TYPE_CHECKING:
    from cgraph.autodiff.gradient import Mode

MODES: tuple[Mode, ...] = ("reverse", "forward")

ARMS = (
    "x",
    "x^2*sin(x)",
    "softmax(x)",
    "log_softmax(x)",
    "cumsum(x^2)",
    "cumsum(x, reverse=1)",
    "x[::-1]*x",
    "x[None]^2",
    "x[:, None]^2",
    "concat([x[1:], x[:1]])*x",
    "[x[1], x[0]]^2",
    "eye(2) @ x^2",
    "x @ [[1, 2], [3, 4]]",
    "x @ x",
    "outer(x, x)",
    "einsum('i,j->ij', x, x)",
    "det(outer(x, x) + eye(2))",
    "logdet(outer(x, x) + eye(2))",
    "inv(outer(x, x) + eye(2))",
    "solve(outer(x, x) + eye(2), x)",
    "var(x)",
    "std(x)",
    "prod(x)",
    "mean(x^2)",
    "norm(x)",
    "max(x)",
    "logsumexp(x)",
    "diag(x)",
    "trace(outer(x, x))",
    "reshape(x^2, 2, 1)",
    "x.T^2",
    "pick(outer(x, x), [1, 0])",
)

CONDITIONS: tuple[Any, ...] = ([[1.0], [-2.0]], [[1.0, -2.0]], [1.0, -1.0], [[-1.0]], 1.0)
POINT = np.array([1.25, 3.5])


def gradient_by_differences(text: str, bindings: dict[str, Any], step: float = 1e-5) -> Any:
    """Return central differences of the sum of a formula by x."""
    found = np.zeros(POINT.shape)
    for k in range(POINT.size):
        sides = [POINT.copy(), POINT.copy()]
        sides[0][k] += step
        sides[1][k] -= step
        up, down = (np.sum(cgraph.evaluate(text, {**bindings, "x": side})) for side in sides)
        found[k] = (up - down) / (2.0 * step)
    return found


def second_by_differences(text: str, bindings: dict[str, Any], step: float = 1e-5) -> Any:
    """Return central differences of the gradient by x."""
    rows: list[Any] = []
    for k in range(POINT.size):
        sides = [POINT.copy(), POINT.copy()]
        sides[0][k] += step
        sides[1][k] -= step
        up, down = (cgraph.grad(text, {**bindings, "x": side}, wrt=["x"])["x"] for side in sides)
        rows.append((up - down) / (2.0 * step))
    return np.array(rows)


@pytest.mark.parametrize("condition", CONDITIONS, ids=str)
@pytest.mark.parametrize("arm", ARMS)
def test_a_condition_that_broadcasts(arm: str, condition: Any) -> None:
    bindings = {"c": condition, "x": POINT}
    text = f"where(c > 0, {arm}, 0)"
    expected = gradient_by_differences(text, bindings)
    for mode in MODES:
        found = cgraph.grad(text, bindings, mode, wrt=["x"])["x"]
        np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-8, err_msg=mode)
    inside = cgraph.evaluate(f"d(sum({text}), x)", bindings)
    np.testing.assert_allclose(inside, expected, rtol=1e-7, atol=1e-8)
    second = cgraph.hessian(text, bindings, wrt=["x"])["x"]["x"]
    np.testing.assert_allclose(second, second_by_differences(text, bindings), rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("condition", CONDITIONS[:2], ids=str)
@pytest.mark.parametrize("arm", ARMS)
def test_both_arms(arm: str, condition: Any) -> None:
    bindings = {"c": condition, "x": POINT}
    text = f"where(c > 0, {arm}, x^3)*[[2, 3], [4, 5]]"
    expected = gradient_by_differences(text, bindings)
    for mode in MODES:
        found = cgraph.grad(text, bindings, mode, wrt=["x"])["x"]
        np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-8, err_msg=mode)


MATRICES = {
    "a number times the identity": ("x*eye(2)", ()),
    "a row times the identity": ("x*eye(2)", (2,)),
    "a row": ("x + [[3, 1], [1, 4]]", (2,)),
    "a column": ("x + [[3, 1], [1, 4]]", (2, 1)),
    "one row of size 1": ("x + [[3, 1], [1, 4]]", (1, 2)),
    "one entry": ("x + [[3, 1], [1, 4]]", (1, 1)),
    "a stack of rows": ("x + [[3, 1], [1, 4]]", (3, 1, 2)),
    "a stack of columns": ("x + [[3, 1], [1, 4]]", (3, 2, 1)),
    "a stack of numbers": ("x*[[3, 1], [1, 4]]", (3, 1, 1)),
    "a stack": ("x + [[3, 1], [1, 4]]", (3, 2, 2)),
    "broadcast": ("broadcast_to(x, [2, 2]) + [[3, 1], [1, 4]]", (2,)),
    "a stack by a matrix": ("x + ones(3, 1, 1)*[[3, 1], [1, 4]]", (2, 2)),
}
WHOLES = ("det", "logdet", "inv", "cofactors", "solve(A, [1, 2])", "solve([[3, 1], [1, 4]], A)")


@pytest.mark.parametrize("matrix", MATRICES)
@pytest.mark.parametrize("whole", WHOLES)
def test_matrices_that_broadcasting_makes(whole: str, matrix: str) -> None:
    inside, shape = MATRICES[matrix]
    x = np.asarray(0.5 + np.arange(1.0, 1.0 + np.prod(shape)).reshape(shape) / 7.0)
    call = whole.replace("A", inside) if "A" in whole else f"{whole}({inside})"
    text = f"sum(sin({call}))"
    given = {"x": x if shape else float(x)}
    step = 1e-5

    def moved(of: Any) -> Any:
        found = []
        for k in range(x.size):
            sides = [x.copy(), x.copy()]
            sides[0].flat[k] += step
            sides[1].flat[k] -= step
            up, down = (np.asarray(of(side if shape else float(side))) for side in sides)
            found.append((up - down).ravel() / (2.0 * step))
        return np.array(found)

    first = moved(lambda side: cgraph.evaluate(text, {"x": side})).reshape(shape)
    for mode in MODES:
        found = cgraph.grad(text, given, mode)["x"]
        np.testing.assert_allclose(found, first, rtol=1e-7, atol=1e-8, err_msg=mode)
        jacobian = cgraph.jacobian(text, given, mode=mode)["x"]
        np.testing.assert_allclose(jacobian, first, rtol=1e-7, atol=1e-8, err_msg=mode)
    second = moved(lambda side: cgraph.grad(text, {"x": side})["x"]).reshape(shape * 2)
    hessian = cgraph.hessian(text, given)["x"]["x"]
    np.testing.assert_allclose(hessian, second, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(
        cgraph.hvp(text, given, {"x": np.ones(shape) if shape else 1.0})["x"],
        second.reshape(*shape, x.size).sum(axis=-1),
        rtol=1e-6,
        atol=1e-6,
    )
