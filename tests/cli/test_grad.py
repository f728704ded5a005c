"""`cgraph grad`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from .conftest import Run

AT = ("--x", "1", "--y", "3", "--z", "-3")


@pytest.mark.parametrize("mode", ["auto", "reverse", "forward"])
def test_the_first_example(run: Run, mode: str) -> None:
    done = run("grad", "(x+y)*z", *AT, "--mode", mode)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == "d/dx = -3\nd/dy = -3\nd/dz = 4\n"


@pytest.mark.parametrize(
    ("words", "stdout"),
    [
        (["(x+y)*z", *AT, "--value"], "value = -12\nd/dx = -3\nd/dy = -3\nd/dz = 4\n"),
        (["(x+y)*z", *AT, "--wrt", "z,x"], "d/dz = 4\nd/dx = -3\n"),
        (["p = x+y; g = p*z", *AT, "--wrt", "p", "--wrt", "z"], "dg/dp = -3\ndg/dz = 4\n"),
        (["p = x+y; p*z", "--x=1", "--y=3", "--output", "p"], "dp/dx = 1\ndp/dy = 1\n"),
        (["x^2; g = x^3; g", "--x", "2"], "# x^2\nd/dx = 4\n# g\ndg/dx = 12\n"),
        (["x/3", "--x", "1", "--digits", "3"], "d/dx = 0.333\n"),
        (["(x+y)*z", *AT, "--json"],
         '{"value": -12.0, "gradient": {"x": -3.0, "y": -3.0, "z": 4.0}}\n'),
        (["x^2; x^3", "--x", "2", "--json"],
         '{"output": "x^2", "value": 4.0, "gradient": {"x": 4.0}}\n'
         '{"output": "x^3", "value": 8.0, "gradient": {"x": 12.0}}\n'),
        (["sqrt(x)", "--x", "0", "--json", "-q"],
         '{"value": 0.0, "gradient": {"x": "Infinity"}}\n'),
        (["e*x", "--e", "5", "--x", "2"], "d/de = 2\nd/dx = 5\n"),
    ],
)  # fmt: skip
def test_forms(run: Run, words: list[str], stdout: str) -> None:
    done = run("grad", *words)
    assert (done.exit_code, done.stdout, done.stderr) == (0, stdout, "")


def test_the_gradient_of_an_array_is_that_of_its_sum(run: Run) -> None:
    done = run("grad", "x^2*y", "--x", "[1, 2, 3]", "--y", "2")
    assert done.stdout == "d/dx = [4, 8, 12]\nd/dy = 14\n"
    told = "x^2*y has shape (3,), so this is the gradient of its sum (cgraph jac: the Jacobian)"
    assert done.stderr == f"note: {told}\n"


def test_derivatives_keep_their_names_in_an_archive(run: Run) -> None:
    assert run("grad", "x*y", "--x", "[1, 2]", "--y", "3", "-q", "-o", "g.npz").exit_code == 0
    with np.load("g.npz") as held:
        assert {name: held[name].tolist() for name in held} == {"x": [3, 3], "y": 3}


def test_the_ending_of_a_file_asks_for_json(run: Run) -> None:
    assert run("grad", "x*y", "--x", "1", "--y", "3", "-o", "g.json").stdout == ""
    with open("g.json") as file:
        assert json.load(file) == {"value": 3.0, "gradient": {"x": 3.0, "y": 1.0}}


@pytest.mark.parametrize(
    ("words", "stderr"),
    [
        (["p = x*y", "--x", "1", "--y", "2", "--wrt", "q"],
         "no value is called 'q' (known: x, y, p)"),
        (["alpha", "--alpha", "1", "--wrt", "alpah"],
         "no value is called 'alpah' (did you mean 'alpha'?)"),
        (["value^2", "--value", "3"], "--value is an option; for the variable write --set value=3"),
        (["value^2", "--value=3"],
         "--value takes no value (for a variable of that name write --set value=3)"),
        (["value^2", "--value"],
         "--value is an option; for the variable write --set value=VALUE"),
        (["mode*x", "--mode", "3", "--x", "1"],
         "--mode is an option; for the variable write --set mode=3"),
        (["x", "--mode", "3", "--x", "1"],
         "--mode: '3' is not one of 'auto', 'reverse', 'forward'"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked(run: Run, words: list[str], stderr: str) -> None:
    done = run("grad", *words)
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"error: {stderr}\n")


def test_a_derivative_that_is_infinite_is_told(run: Run) -> None:
    done = run("grad", "sqrt(x)", "--x", "0")
    assert (done.exit_code, done.stdout) == (0, "d/dx = inf\n")
    assert done.stderr.startswith("warning: the derivative of sqrt(x) is inf at x = 0")
    assert run("grad", "sqrt(x)", "--x", "0", "--strict").exit_code == 1


CHOSEN = [
    ("x^x", "x^x at (0, 0)", 2, "pow"),
    ("y + x^x", "x^x at (0, 0)", 6, "pow"),
    ("x^y + 3x", "", 0, ""),
    ("abs(x)", "abs(x) at 0", 1, "abs"),
    ("abs(x)*1e-9", "abs(x) at 0", 1, "abs"),
    ("abs(x)^2", "", 0, ""),
    ("abs(x^3)", "", 0, ""),
    ("abs(x + 1)", "", 0, ""),
    ("relu(x)*y", "relu(x) at 0", 1, "relu"),
    ("relu(x)*x", "", 0, ""),
    ("max(x, 2x)", "max(x, 2*x) where several are the greatest", 1, "max"),
    ("max(x, x + 0*y)", "", 0, ""),
    ("max(x, x)", "", 0, ""),
    ("max(x^2, x^4)", "", 0, ""),
    ("min([x, 0, 2])", "min([x, 0, 2]) where several are the least", 1, "min"),
    ("clip(x, 0, 1)", "clip(x, 0, 1) at its ends", 1, "clip"),
    ("clip(x, 0, 1)*x", "", 0, ""),
    ("leaky_relu(x)", "leaky_relu(x) at 0", 1, "leaky_relu"),
    ("elu(x)", "", 0, ""),
    ("elu(x, 2)", "elu(x, 2) at 0", 1, "elu"),
    ("norm([x, x])", "norm([x, x]) at the origin", 1, "norm"),
    ("std([x, 2x])", "std([x, 2*x]) where all elements are equal", 1, "std"),
    ("hypot(x, 2x)^2", "", 0, ""),
    ("where(x > 1, abs(x), x)", "", 0, ""),
    ("where(x < 1, abs(x), x)", "abs(x) at 0", 14, "abs"),
    ("sqrt(x) + abs(y)", "", 0, ""),
    ("x > 0", "", 0, ""),
]


@pytest.mark.parametrize(("text", "subject", "column", "function"), CHOSEN)
def test_a_convention_is_told_where_it_decides(
    run: Run, text: str, subject: str, column: int, function: str
) -> None:
    values = ["--x", "0", *(["--y", "2"] if "y" in text else [])]
    told = (
        f"note: the derivative of {subject} is by convention (line 1, column {column}): "
        f"just beside it is another (cgraph functions {function})\n"
    )
    for mode in ("reverse", "forward"):
        done = run("grad", text, *values, "--mode", mode)
        notes = [line for line in done.stderr.splitlines(True) if line.startswith("note")]
        assert (done.exit_code, notes) == (0, [told] * bool(subject)), mode
    assert run("grad", text, *values, "-q").stderr == ""


def test_conventions_are_told_in_a_line(run: Run) -> None:
    told = (
        "note: the derivative of abs(x) at 0 is by convention (line 1, column 1), and so for 1 more"
        ": just beside it is another (cgraph functions abs)\n"
    )
    assert run("grad", "abs(x) + relu(x)", "--x", "0").stderr == told
    done = run("eval", "d(abs(x)*y, x)", "--x", "0", "--y", "3")
    assert (done.stdout, done.stderr) == (
        "0\n",
        "note: the derivative of abs(x) at 0 is by convention (line 1, column 3): "
        "just beside it is another (cgraph functions abs)\n",
    )


def test_many_outputs_are_answered_part_by_part(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "a = x*y\nb = x^2\n" + "\n".join(f"x*{k} + y" for k in range(5)) + "\na\nb\nx"
    words = ("grad", text, "--x", "2", "--y", "3", "--value")
    whole = [run(*words, *more) for more in ([], ["--json"])]
    monkeypatch.setattr("cgraph.cli.grad.MANY", 3)
    parts = [run(*words, *more) for more in ([], ["--json"])]
    assert [(one.stdout, one.stderr) for one in parts] == [
        (one.stdout, one.stderr) for one in whole
    ]
    assert run(*words, "-o", "out.json").exit_code == 0
    assert Path("out.json").read_text() == whole[1].stdout
    assert "no value for y" in run(*words[:4]).stderr


@pytest.mark.parametrize(
    ("formula", "y", "decides"),
    [
        ("abs(x)*x + floor(y)*x", "1", False),
        ("abs(x)*x + sign(y)*x", "0", False),
        ("relu(x)*(y == 1)", "1", True),
    ],
)
def test_only_what_is_differentiated_by_is_moved(
    run: Run, formula: str, y: str, decides: bool
) -> None:
    """A jump in another input decides nothing, and hides nothing."""
    done = run("grad", formula, "--x", "0", "--y", y, "--wrt", "x")
    assert ("is by convention" in done.stderr) == decides
