"""Slips with networks that would pass in silence."""

from __future__ import annotations

import pytest

from .conftest import Run

PAIR = "<formula>:1:1: error: mse needs arrays of one shape: (2, 1), (2,) "


@pytest.mark.parametrize("call", ["mse(p, y)", "mse_loss(p, y)"])
def test_a_column_against_a_vector_is_refused(run: Run, call: str) -> None:
    done = run("eval", call, "--p", "ones(2, 1)", "--y", "[1, 2]")
    assert done.exit_code == 1
    assert done.stderr.startswith(f"{PAIR}(a vector y as a column is y[:, None])\n")


def test_a_number_goes_with_an_array(run: Run) -> None:
    assert run("eval", "mse(p, 0)", "--p", "ones(2, 1)").stdout == "1\n"


def test_what_a_dynamic_program_read_is_used(run: Run) -> None:
    text = "s = 0; for i in 1 to n { s = s + x^i }; s"
    done = run("eval", text, "--x", "2", "--n", "5", "--dynamic", "--strict")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "62\n", "")


def test_statistics_of_the_other_mode_are_no_slip(run: Run) -> None:
    call = ("batch_norm(x, m, v)", "--x", "[[1], [3]]", "--m", "[0]", "--v", "[1]")
    assert run("eval", *call, "--training", "--strict").exit_code == 0


def test_a_misspelt_parameter_is_asked_after(run: Run) -> None:
    done = run("eval", "input fc1.weight = 2; fc1.weight^2", "--fc1.wieght", "3")
    assert done.stderr == "error: unknown --fc1.wieght; did you mean --fc1.weight?\n"
    assert (done.exit_code, done.stdout) == (2, "")


def test_a_function_of_that_name_may_broadcast(run: Run) -> None:
    done = run("eval", "mse(a, b) = sum(a*b[:, None]); mse(x, y)", "--x", "[1, 2]", "--y", "[1, 2]")
    assert (done.exit_code, done.stdout) == (0, "9\n")


@pytest.mark.parametrize(
    "text", ["loss(p) = mse(p, y); loss(p)", "mse(dropout(p), y)", "mse(p, p); mse(p, y)"]
)
def test_a_slip_is_found_wherever_the_loss_stands(run: Run, text: str) -> None:
    done = run("eval", text, "--p", "ones(2, 1)", "--y", "[1, 2]")
    assert done.exit_code == 1
    assert "mse needs arrays of one shape: (2, 1), (2,)" in done.stderr
