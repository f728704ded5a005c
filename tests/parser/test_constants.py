"""Values of bindings, and hints on why an input has none."""

from __future__ import annotations

import math

import numpy as np
import pytest

from cgraph.autodiff.errors import FormulaError
from cgraph.autodiff.graph import Nested
from cgraph.parser import parse_value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-3e-5", -3e-5),
        ("-inf", -math.inf),
        ("pi/4", math.pi / 4),
        ("2e", 2 * math.e),
        ("sqrt(2)", math.sqrt(2)),
        ("[1, 2]", (1.0, 2.0)),
        ("[[1, 2], [3, 4]]", ((1.0, 2.0), (3.0, 4.0))),
        ("-[1, 2]/2", (-0.5, -1.0)),
        ("−1", -1.0),
        ("1 if 2 > 1 else 3", 1.0),
    ],
)
def test_constant(text: str, value: Nested) -> None:
    assert np.array_equal(parse_value(text), value)


@pytest.mark.parametrize(
    ("text", "report"),
    [
        ("", "--x:1:1: error: the formula is empty\n  1 | \n    | ^"),
        (
            "2*y",
            "--x:1:3: error: 'y' is not a number (a value is a constant)\n  1 | 2*y\n    |   ^",
        ),
        (
            "y = 3",
            "--x:1:1: error: one constant was expected, not a program\n  1 | y = 3\n    | ^",
        ),
        ("1; 2", "--x:1:1: error: one constant was expected, not a program\n  1 | 1; 2\n    | ^"),
        (
            "three",
            "--x:1:1: error: 'three' is not a number (a value is a constant)\n"
            "  1 | three\n    | ^^^^^",
        ),
        ("[1, x]", "--x:1:5: error: 'x' is not a number (a value is a constant)\n"
            "  1 | [1, x]\n    |     ^"),
    ],
)  # fmt: skip
def test_no_constant(text: str, report: str) -> None:
    with pytest.raises(FormulaError) as refused:
        parse_value(text, "--x")
    assert str(refused.value) == report
