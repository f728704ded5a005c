"""Values at a glance."""

from __future__ import annotations

import numpy as np
import pytest

from cgraph.exporters.glance import glance, in_a_line

NAN = float("nan")


@pytest.mark.parametrize(
    ("value", "lines"),
    [
        (0.123456, ["0.1235"]),
        ([1.0, 2.5], ["[1, 2.5]"]),
        ([1.23456, 2.34567, 3.45678, 4.56789, 5.67891, 6.78912], ["(6,)", "1.23 to 6.79"]),
        ([1.23456, 2.34567, 3.45678, 4.56789, 5.67891], ["[1.23, 2.35, 3.46, 4.57, 5.68]"]),
        ([[1.0, 2.0], [3.0, 4.0]], ["[[1, 2],", "[3, 4]]"]),
        ([[1.0, 2.0, 3.0]], ["[[1, 2, 3]]"]),
        ([[1.0], [2.0], [3.0], [4.0]], ["(4, 1)", "1 to 4"]),
        ([[[1.0, 2.0]]], ["[[[1, 2]]]"]),
        (np.arange(256.0).reshape(16, 16) / 7, ["(16, 16)", "0 to 36.4"]),
        (np.full((3, 4), 0.1), ["(3, 4)", "all 0.1"]),
        ([1.0, NAN, 3.0, 4.0, 5.0, 6.0, 7.0], ["(7,)", "1 to 7, nan"]),
        (np.full(9, NAN), ["(9,)", "nan"]),
        ([1.0, float("inf"), 3.0, 4.0, 5.0, 6.0, 7.0], ["(7,)", "1 to inf"]),
        (np.zeros((0, 3)), ["(0, 3)"]),
    ],
)
def test_glances(value: object, lines: list[str]) -> None:
    array = value if isinstance(value, float) else np.asarray(value)
    assert glance(array, 4) == lines
    assert in_a_line(array, 4) == " ".join(lines)
