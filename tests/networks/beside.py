"""The same numbers into cgraph and into PyTorch, and the comparison of what comes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

import cgraph
from cgraph import Formula

from ..autodiff.derivatives import MODES

torch: Any = pytest.importorskip("torch", reason="PyTorch is not installed: the extra `torch`")

RELATIVE = 1e-12


def tensors(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return values as PyTorch's, by which it can differentiate."""
    return {
        name: torch.tensor(np.asarray(value, dtype=np.float64), requires_grad=True)
        for name, value in given.items()
    }


def slopes(value: Any, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Return PyTorch's gradient of the sum of a value, 0 by what does not matter."""
    by = list(inputs.values())
    found = torch.autograd.grad(value.sum(), by, allow_unused=True)
    return {
        name: (torch.zeros_like(at) if slope is None else slope).numpy()
        for (name, at), slope in zip(inputs.items(), found, strict=True)
    }


def assert_close(found: Any, expected: Any, what: str) -> None:
    """Compare two arrays, shapes too, to 1e-12 of the largest number in them."""
    theirs = np.asarray(expected)
    assert np.shape(found) == theirs.shape, what
    size = np.max(np.abs(theirs), initial=0.0, where=np.isfinite(theirs))
    np.testing.assert_allclose(found, theirs, RELATIVE, RELATIVE * size, err_msg=what)


def weighed(text: str, shape: tuple[int, ...]) -> tuple[str, Any]:
    """Return the sum of a formula times weights for its elements, as a formula, and the weights.

    The sum alone would not do: that of softmax has no derivative to look at.
    """
    weights = np.round(np.random.default_rng(5).normal(size=shape), 3)
    return f"sum(({text})*{weights.tolist()})", torch.tensor(weights)


def assert_same(
    formula: Formula | str,
    given: Mapping[str, Any],
    theirs: Callable[..., Any],
    fixed: Mapping[str, Any] | None = None,
) -> None:
    """Compare values and gradients, in both modes, with those of a function of the same inputs.

    By the inputs that are `fixed` nothing is differentiated, and the function does not get them.
    """
    inputs = tensors(given)
    value = theirs(**inputs)
    expected = slopes(value, inputs)
    bindings = {**given, **(fixed or {})}
    for mode in MODES:
        found, gradient = cgraph.value_and_grad(formula, bindings, mode, wrt=list(given))
        assert_close(found, value.detach().numpy(), "value")
        assert list(gradient) == list(given)
        for name, slope in gradient.items():
            assert_close(slope, expected[name], f"{mode} by {name}")
