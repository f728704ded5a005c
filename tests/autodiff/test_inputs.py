"""Shapes of inputs: who says what, and in which order."""

from __future__ import annotations

import numpy as np
import pytest

from cgraph.autodiff.errors import FormulaError
from cgraph.autodiff.inputs import input_shape, input_shapes
from cgraph.parser import parse

PROGRAM = "input A: (2, 3); input b = [1, 2]; input c; c + d + sum(A) + sum(b)"


def test_a_declaration_counts_before_what_is_told_a_value_and_a_default() -> None:
    graph = parse(PROGRAM)
    found = input_shapes(graph, {"c": np.zeros(4), "b": np.zeros(5)}, {"A": (9,), "d": (6,)})
    assert found == {"A": (2, 3), "b": (5,), "c": (4,), "d": (6,)}
    assert input_shapes(graph) == {"A": (2, 3), "b": (2,)}
    assert input_shape(graph, "d") is None
    assert input_shape(graph, "d", {"d": 1.0}) == ()


@pytest.mark.parametrize("told", [{}, {"A": (2, 3)}])
def test_a_value_of_another_shape_than_declared_is_refused(told: dict[str, tuple[int]]) -> None:
    graph = parse(PROGRAM)
    with pytest.raises(FormulaError) as refused:
        input_shapes(graph, {"A": np.zeros(3)}, told)
    assert str(refused.value).partition("\n")[0] == (
        "<formula>:1:7: error: A is declared with shape (2, 3), its value has shape (3,)"
    )


def test_so_it_is_while_a_program_is_read() -> None:
    text = "input A: (2,); n = len(A); y = 0; for i in 1 to n { y = y + A[i - 1] }; y"
    with pytest.raises(FormulaError, match=r"A is declared with shape \(2,\)"):
        parse(text, values={"A": np.zeros(3)}, dynamic=True)
