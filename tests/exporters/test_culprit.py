"""Who made a number nan, in a sentence: in the words of the program."""

from __future__ import annotations

import pytest

from cgraph.autodiff.results import gradients
from cgraph.exporters.culprit import told
from cgraph.parser import parse


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x/x", "x/x is nan at x = 0 (line 1, column 2)"),
        ("r = sqrt(x^2)\nx/r", "x/r is nan at x = 0, r = 0 (line 2, column 2)"),
        ("k = 0\nx/k", "x/0 is nan at x = 0 (line 2, column 2)"),
        ("y = sqrt(x)", "the derivative of sqrt(x) is inf at x = 0 (line 1, column 5)"),
    ],
)
def test_sentences(text: str, sentence: str) -> None:
    graph = parse(text)
    found = gradients(graph, graph.outputs, graph.inputs(), {"x": 0.0})
    assert told(graph, found[0].culprits[0]) == sentence
