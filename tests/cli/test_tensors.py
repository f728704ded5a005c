"""Every command on tensors: an answer, or an error that says what to do; never a traceback."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from ..test_cases import label
from ..test_cases import read as cases
from .conftest import Run

TENSOR = cases("tensor")
FORMATS = ("python", "c", "javascript", "sympy", "latex", "dot", "json", "pbtxt")

NETWORK = """\
input x: (2,)
input fc1.weight: (4, 2)
input fc2.weight: (1, 4)
h = relu(linear(x, fc1.weight))
loss = mse(linear(h, fc2.weight), 1)
"""


def bindings(case: dict[str, Any]) -> list[str]:
    """Return a case's bindings as words."""
    return [word for name, x in case["bind"].items() for word in (f"--{name}", json.dumps(x))]


def declared(case: dict[str, Any]) -> str:
    """Return a case's program with the shapes of its inputs declared."""
    shapes = {name: np.shape(value) for name, value in case["bind"].items()}
    lines = [f"input {name}: {shape}" for name, shape in shapes.items()]
    return "\n".join([*lines, case["expr"]])


@pytest.mark.parametrize("case", TENSOR, ids=label)
def test_no_command_breaks(run: Run, case: dict[str, Any]) -> None:
    given, program = bindings(case), declared(case)
    first = next(iter(case["bind"]))
    vector = f"{first}={json.dumps(case['bind'][first])}"
    calls = [
        ["diff", case["expr"]],
        ["diff", program, "--order", "2"],
        ["diff", program, "--steps"],
        ["simplify", case["expr"]],
        ["explain", case["expr"], *given],
        ["explain", program],
        ["taylor", case["expr"], "--at", f"{first}=1"],
        ["check", case["expr"]],
        ["check", case["expr"], *given, "--claim", "1", "--wrt", first],
        *(["export", program, "--grad", "--format", format_] for format_ in FORMATS),
    ]
    for words in calls:
        done = run(*words)
        assert done.exit_code in (0, 1, 2)
        assert "bug" not in done.stderr, words
    for words in (["jac"], ["hess"], ["jvp", "--vector", vector], ["hvp", "--vector", vector]):
        done = run(words[0], case["expr"], *given, *words[1:])
        assert done.exit_code == 0, done.stderr
    assert run("diff", program).exit_code == 0
    assert run("simplify", program).exit_code == 0


@pytest.mark.parametrize("case", TENSOR, ids=label)
def test_derivatives_are_programs_of_the_same_value(run: Run, case: dict[str, Any]) -> None:
    for name, slope in case["grad"].items():
        written = run("diff", declared(case), "--wrt", name, "-q").stdout
        found = run("eval", written, *bindings(case), "--json", "-q")
        assert found.exit_code == 0, (written, found.stderr)
        value = json.loads(found.stdout)["value"]
        if not np.shape(slope):  # by a number it is of each entry
            value = np.broadcast_to(value, np.shape(case["value"])).sum()
        assert value == pytest.approx(np.asarray(slope), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("case", TENSOR, ids=label)
def test_checks_of_tensors_agree(run: Run, case: dict[str, Any]) -> None:
    done = run("check", case["expr"], *bindings(case))
    assert done.exit_code == 0, done.stdout
    assert "✗" not in done.stdout


def test_the_derivative_of_a_network_is_read(run: Run) -> None:
    done = run("diff", NETWORK, "--wrt", "fc2.weight")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == (
        "input fc2.weight: (1, 4)\n"
        "input fc1.weight: (4, 2)\n"
        "input x: (2,)\n"
        "outer(2*(fc2.weight@relu(fc1.weight@x) - 1), relu(fc1.weight@x))\n"
    )


def test_diff_says_when_it_is_of_a_sum(run: Run) -> None:
    done = run("diff", "input A: (2, 3); input x: (3,); A @ x", "--wrt", "x")
    assert done.stdout == "input A: (2, 3)\nsum(A, axis=0)\n"
    assert done.stderr == (
        "note: A@x has shape (2,), so this is the derivative of its sum "
        "(cgraph jac: of each entry)\n"
    )


def test_steps_are_for_numbers(run: Run) -> None:
    done = run("diff", "sum(x^2)", "--wrt", "x", "--steps")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == (
        "error: by hand numbers are differentiated, and sum(x^2) has to do with arrays "
        "(without --steps there is the derivative)\n"
    )


def test_check_draws_arrays_of_declared_shapes(run: Run) -> None:
    done = run("check", "input x: (2,); sum(x^2)")
    assert done.stdout.startswith("at x = [1.3, 0.7]\n")
    assert done.stdout.endswith("✓ all agree to 1e-06\n")


@pytest.mark.parametrize(
    ("words", "note"),
    [
        (["stop_gradient(x)*x", "--x", "2"], "stop_gradient is taken as constant"),
        (["stop_gradient(relu(x))*x", "--x", "[1, -2]"], "stop_gradient is taken as constant"),
        (["sum(one_hot(t, 3))", "--t", "1"], "labels are taken as constant"),
        (
            ["cross_entropy(x, t)", "--x", "[[1, 2, 3], [2, 3, 1]]", "--t", "[1, 2]"],
            "labels are taken as constant",
        ),
    ],
)
def test_check_holds_what_has_no_derivative(run: Run, words: list[str], note: str) -> None:
    done = run("check", *words)
    assert (done.exit_code, done.stderr) == (0, f"note: {note}\n")
    assert done.stdout.endswith("✓ all agree to 1e-06\n")


def test_claims_are_for_numbers(run: Run) -> None:
    done = run("check", "input x: (2,); sum(x^2)", "--claim", "2x", "--wrt", "x")
    assert (done.exit_code, done.stderr) == (
        2,
        "error: a claim is checked at numbers, not at arrays (cgraph diff has the derivative, "
        "check without --claim its numbers)\n",
    )


def test_matrices_have_the_output_first(run: Run) -> None:
    done = run("jac", "input A: (2, 2); A @ x", "--A", "[[1, 2], [3, 4]]", "--x", "[5, 6]")
    assert done.stdout == ("d/dA = [[[5, 6], [0, 0]], [[0, 0], [5, 6]]]\nd/dx = [[1, 2], [3, 4]]\n")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("d(sum(x^2), x)", "  1 | d(sum(x^2), x)\n    |   ^\n"),
        ("[x, x^2]*x@x", "  1 | [x, x^2]*x@x\n    |           ^\n"),
    ],
)
def test_a_derivative_needs_shapes_where_elements_mix(run: Run, text: str, place: str) -> None:
    done = run("diff", text)
    op = "sum" if "sum" in text else "@"
    assert done.stderr.endswith(
        f"error: {op} needs the shape of x "
        f"(declare it: input x: (3, 2), or input x: () where it is a number)\n{place}"
    )


def test_derivatives_in_formulas_are_gradients(run: Run) -> None:
    done = run("eval", "input x: (2,); d(sum(x^3), x)", "--x", "[1, 2]")
    assert done.stdout == "[3, 12]\n"
    done = run("eval", "input x: (2,); d(softmax(x), x)", "--x", "[1, 2]")
    assert done.stderr.splitlines()[0] == (
        "<formula>:1:18: error: the derivative of an array by an array has an entry for each pair "
        "(d(sum(...), x) is the derivative of its sum, cgraph jac has an entry for each pair)"
    )
