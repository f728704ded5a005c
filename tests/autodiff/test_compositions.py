"""Functions that are written with the ops there are: what they refuse, and what is left of none."""

from __future__ import annotations

import pytest

import cgraph
from cgraph.autodiff.errors import FormulaError

from .derivatives import MODES


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("arange(0, 1, 0)", "arange needs finite numbers and a step that is not 0"),
        ("arange(inf)", "arange needs finite numbers and a step that is not 0"),
        ("arange(1e12)", "arange gives at most 10,000,000 numbers"),
        (
            "linspace(0, 1, 1e12)",
            "linspace: count is a whole number from 0 to 10,000,000, not 1000000000000",
        ),
        (
            "zeros(-1)",
            "zeros: shape is a size or a list of sizes from 0 on, not [-1]",
        ),
    ],
)
def test_what_is_refused(text: str, told: str) -> None:
    with pytest.raises(FormulaError) as caught:
        cgraph.evaluate(text, {})
    assert caught.value.message == told
    assert caught.value.column == 1


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("mean(x[0:0])", "nan"),
        ("max(x[0:0])", "-inf"),
        ("min(x[0:0])", "inf"),
        ("logsumexp(x[0:0])", "-inf"),
        ("prod(x[0:0])", "1.0"),
        ("sum(x[0:0])", "0.0"),
        ("norm(x[0:0])", "0.0"),
    ],
)
def test_reductions_of_nothing(text: str, value: str) -> None:
    for mode in MODES:
        found, gradient = cgraph.value_and_grad(text, {"x": [1.0, 2.0]}, mode)
        assert repr(found) == value
        assert str(gradient["x"]) == ("[nan nan]" if value == "nan" else "[0. 0.]")


def test_a_layer_without_a_bias_adds_nothing() -> None:
    ops = [node.op.name for node in cgraph.parse("linear(x, W)").graph.nodes]
    assert "add" not in ops
    assert "add" in [node.op.name for node in cgraph.parse("linear(x, W, b)").graph.nodes]
