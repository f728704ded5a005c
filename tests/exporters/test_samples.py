"""Every sample through every target that is run: the same values and derivatives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cgraph.autodiff.errors import FormulaError
from cgraph.autodiff.evaluate import complete, evaluate_known
from cgraph.autodiff.results import gradients
from cgraph.parser import parse

from .running import Answer, Run, exported, run_c, run_javascript, run_python, run_sympy

SAMPLES = sorted((Path(__file__).parents[2] / "samples").glob("*.cg"))


def values_of(graph: Any) -> dict[str, Any]:
    """Return a value for each input: its default, else a number of its own."""
    names = graph.inputs(graph.outputs)
    plain = {name: 0.75 + 0.5 * k for k, name in enumerate(names) if name not in graph.defaults}
    held = complete(graph, plain)
    return {name: held[name] for name in names}


def answers(path: Path) -> tuple[Any, dict[str, Any], Answer]:
    """Return a sample's graph, values for its inputs, and what it gives there."""
    graph = parse(path.read_text())
    given = values_of(graph)
    result = gradients(graph, graph.outputs, graph.inputs(graph.outputs), given)[0]
    return graph, given, Answer(result.value, dict(result.gradient))  # type: ignore[arg-type]


def assert_same(found: Answer, expected: Answer) -> None:
    """Compare to the last digits, which other libraries may round otherwise."""
    np.testing.assert_allclose(found.value, expected.value, rtol=1e-12)
    for name, slope in expected.gradient.items():
        np.testing.assert_allclose(found.gradient[name], slope, rtol=1e-11, atol=1e-14)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
@pytest.mark.parametrize("target", ["python", "c", "javascript", "sympy"])
def test_a_sample_is_run_elsewhere(path: Path, target: str, tmp_path: Path) -> None:
    graph, given, expected = answers(path)
    scalars = not any(np.ndim(value) for value in [*given.values(), *all_values(graph, given)])
    if target != "python" and not scalars:
        with pytest.raises(FormulaError, match="is for numbers"):
            exported(graph, target)
        return
    run = Run("f", exported(graph, target), given, list(given))
    runners: dict[str, Callable[[], Answer]] = {
        "python": lambda: run_python(run),
        "c": lambda: run_c([run], tmp_path, "-std=c99")[0],
        "javascript": lambda: run_javascript([run], tmp_path)[0],
        "sympy": lambda: run_sympy(run),
    }
    assert_same(runners[target](), expected)


def all_values(graph: Any, given: Mapping[str, Any]) -> list[Any]:
    """Return the value of each node."""
    return list(evaluate_known(graph, graph.needed(graph.outputs), given).values())
