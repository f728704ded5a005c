"""`cgraph hess`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Run

SAMPLE = str(Path(__file__).parents[2] / "samples" / "black_scholes.cg")
OPTION = ("--S", "100", "--K", "95", "--r", "0.05", "--sigma", "0.2", "--T", "0.5")
AT = ("x^2*y", "--x", "1", "--y", "2")


@pytest.mark.parametrize(
    ("words", "stdout"),
    [
        (AT, "x,x = 4\nx,y = 2\ny,x = 2\ny,y = 0\n"),
        ([*AT, "--wrt", "y"], "y,y = 0\n"),
        ([*AT, "--value", "--grad", "--wrt", "x"], "value = 2\nd/dx = 4\nx,x = 4\n"),
        ([*AT, "--format", "matrix"], "[[4, 2],\n [2, 0]]\n"),
        ([*AT, "--value", "--format", "matrix"], "value = 2\n[[4, 2],\n [2, 0]]\n"),
        (["x^2; g = x^3; g", "--x", "2", "--grad"],
         "# x^2\nd/dx = 4\nx,x = 2\n# g\ndg/dx = 12\nx,x = 12\n"),
        (["softplus(x)", "--x", "37.42994775023705", "--digits", "15"],
         "x,x = 5.55111512312578e-17\n"),
        (["x^y", "--x", "4", "--y", "0", "--wrt", "y", "--digits", "15"],
         "y,y = 1.92181205567281\n"),
    ],
)  # fmt: skip
def test_forms(run: Run, words: list[str], stdout: str) -> None:
    done = run("hess", *words)
    assert (done.exit_code, done.stdout, done.stderr) == (0, stdout, "")


def test_the_sample(run: Run) -> None:
    done = run("hess", "-f", SAMPLE, *OPTION, "--wrt", "S,sigma", "--digits", "6")
    assert done.stdout == (
        "S,S = 0.0234178\nS,sigma = -0.77622\nsigma,S = -0.77622\nsigma,sigma = 33.4913\n"
    )


def test_json_has_all_orders(run: Run) -> None:
    held = json.loads(run("hess", *AT, "--json").stdout)
    assert held == {
        "value": 2.0,
        "gradient": {"x": 4.0, "y": 1.0},
        "hessian": {"x": {"x": 4.0, "y": 2.0}, "y": {"x": 2.0, "y": 0.0}},
    }


def test_where_there_is_no_value_there_is_nothing(run: Run) -> None:
    done = run("hess", "log(x)", "--x", "-1", "--value", "--grad")
    assert done.stdout == "value = nan\nd/dx = nan\nx,x = nan\n"
    assert done.stderr == "warning: log(x) is nan at x = -1 (line 1, column 1)\n"


def test_the_hessian_of_an_array_is_that_of_its_sum(run: Run) -> None:
    done = run("hess", "s*v^2", "--s", "3", "--v", "[1, 2]")
    assert done.stdout == "s,s = 0\ns,v = [2, 4]\nv,s = [2, 4]\nv,v = [[6, 0], [0, 6]]\n"
    assert done.stderr == "note: s*v^2 has shape (2,), so this is the Hessian of its sum\n"
    done = run("hess", "s*v^2", "--s", "3", "--v", "[1, 2]", "--format", "matrix", "-q")
    assert done.stdout == "[[0, 2, 4],\n [2, 6, 0],\n [4, 0, 6]]\n"


@pytest.mark.parametrize(
    ("text", "at", "told"),
    [
        ("abs(x^2)", "0",
         "abs(x^2) has a kink at 0: no second derivative there (line 1, column 1)"),
        ("1 + max(x^2, 0)", "0", "max(x^2, 0) has a kink where several are the greatest: "
         "no second derivative there (line 1, column 5)"),
        ("norm(x)^2", "[0, 0]",
         "norm(x) has a kink at the origin: no second derivative there (line 1, column 1)"),
        ("sum(relu(x))", "[1, 0]",
         "relu(x) has a kink at 0, element [1]: no second derivative there (line 1, column 5)"),
        ("clip(x, 0, 1)", "1",
         "clip(x, 0, 1) has a kink at its ends: no second derivative there (line 1, column 1)"),
        ("x + relu(x)^2", "1", ""),
        ("abs(x)", "1e-300", ""),
    ],
)  # fmt: skip
def test_a_kink_is_told(run: Run, text: str, at: str, told: str) -> None:
    done = run("hess", text, "--x", at)
    assert done.exit_code == 0
    assert done.stderr == f"warning: {told}\n" * bool(told)
    assert ("nan" in done.stdout) == bool(told)


@pytest.mark.parametrize("words", [["hess"], ["jac"], ["jac", "--sparse"], ["hess", "--sparse"]])
def test_a_formula_without_inputs_has_nothing_to_differentiate_by(
    run: Run, words: list[str]
) -> None:
    done = run(*words, "2*3")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == (
        "error: nothing to differentiate by: there is no input "
        "(what is neither assigned nor a constant is an input, as x in x^2 + 1)\n"
    )
