"""Cases with values from 60-digit arithmetic (`scalar`) and from the declared table (`edges`)."""

from __future__ import annotations

import json
import math
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

import pytest

import cgraph
from cgraph.autodiff.gradient import Mode
from cgraph.autodiff.graph import check

from .autodiff import reference
from .autodiff.derivatives import MODES

SPECIAL = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
RELATIVE = {"function": 1e-13, "edge": 1e-12}
CONDITIONED = 1e-9
"""Formulas that lose digits of their own."""


def read(name: str) -> list[dict[str, Any]]:
    """Return the cases of a file."""
    text = (Path(__file__).parent / "cases" / f"{name}.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]


SCALAR, EDGES = read("scalar"), read("edges")
CASES = [*SCALAR, *EDGES]


def label(case: dict[str, Any]) -> str:
    """Return a case's name in reports."""
    return f"{case['expr'][:50]} {case['bind']}".replace("\n", "; ")


def number(value: float | str) -> float:
    """Return a number as JSON has it."""
    return SPECIAL[value] if isinstance(value, str) else float(value)


def agrees(found: float, expected: float, case: dict[str, Any]) -> bool:
    """Tell whether a number is what the case says it is."""
    if found == expected or (found != found and expected != expected):
        return True
    relative = case.get("rel") or RELATIVE.get(case["group"], CONDITIONED)
    return abs(found - expected) <= relative * abs(expected) + 1e-15


def answer(case: dict[str, Any], mode: Mode) -> tuple[float, dict[str, float]]:
    """Return the value and gradient that cgraph finds; the graph is checked."""
    formula = cgraph.parse(case["expr"])
    found: tuple[float, dict[str, float]] = cgraph.value_and_grad(formula, bound(case), mode)
    check(formula.graph)
    return found


def bound(case: dict[str, Any]) -> dict[str, float]:
    """Return the case's bindings."""
    return {name: number(value) for name, value in case["bind"].items()}


def assert_holds(case: dict[str, Any], value: float, gradient: dict[str, float]) -> None:
    """Compare an answer with the case."""
    assert agrees(value, number(case["value"]), case), value
    for name, expected in case["grad"].items():
        assert agrees(gradient[name], number(expected), case), (name, gradient)


def test_all_cases_are_here() -> None:
    assert (len(SCALAR), len(EDGES)) == (189, 38)


@pytest.mark.parametrize("case", CASES, ids=label)
@pytest.mark.parametrize("mode", MODES)
def test_a_case_holds(case: dict[str, Any], mode: Mode) -> None:
    assert_holds(case, *answer(case, mode))


@pytest.mark.parametrize("case", CASES, ids=label)
def test_modes_agree_to_8_ulp(case: dict[str, Any]) -> None:
    (value, by_reverse), (same, by_forward) = (answer(case, mode) for mode in MODES)
    assert value == same or value != value
    for name, x in by_reverse.items():
        y = by_forward[name]
        agree = x == y or (x != x and y != y)
        assert agree or abs(x - y) <= 8 * math.ulp(max(abs(x), abs(y))), (name, x, y)


@pytest.mark.parametrize("case", SCALAR, ids=label)
def test_a_case_agrees_with_a_difference(case: dict[str, Any]) -> None:
    """The difference is taken in mpmath on the formula's own graph."""
    graph = cgraph.parse(case["expr"]).graph
    for name, slope in answer(case, "reverse")[1].items():
        left, right = reference.sides(graph, graph.outputs[0], bound(case), name)
        assert agrees(slope, float((left + right) / 2), case), name


@pytest.mark.parametrize("case", [*SCALAR[::40], *EDGES[::12]], ids=label)
def test_the_installed_command_gives_the_same(case: dict[str, Any]) -> None:
    command = [f"{sysconfig.get_path('scripts')}/cgraph", "grad", case["expr"], "--json"]
    for name, value in bound(case).items():
        command += [f"--{name}", repr(value)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    found = json.loads(done.stdout)
    slopes = {name: number(value) for name, value in found["gradient"].items()}
    assert_holds(case, number(found["value"]), slopes)
