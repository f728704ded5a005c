"""Programs that are made ready once: floats, columns of any length, and arrays to write into."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import cgraph
from cgraph.autodiff import levels
from cgraph.autodiff.errors import FormulaError, UsageError

ROWS = levels.FEWEST + 5


def column(seed: int, rows: int = ROWS) -> Any:
    return np.random.default_rng(seed).normal(size=rows)


@pytest.mark.parametrize("x", [2, 2.0, np.float64(2.0), np.array(2.0), True])
def test_numbers_of_all_kinds(x: Any) -> None:
    program = cgraph.compile("x^2*y", grad=True)
    found = program(x=x, y=3.0)
    y = 3.0 * float(x) ** 2
    assert found == (y, {"x": 6.0 * float(x), "y": float(x) ** 2})
    assert [type(number) for number in (found[0], *found[1].values())] == [float] * 3


def test_floats_keep_the_rule_about_nan() -> None:
    value, gradient = cgraph.compile("log(x)", grad=True)(x=-1.0)
    assert math.isnan(value)
    assert math.isnan(gradient["x"])


def test_an_input_that_nothing_needs_is_given_all_the_same() -> None:
    program = cgraph.compile("p = x + y\nx", output="p")
    assert program(x=1.0, y=2.0) == 3.0
    only = cgraph.compile("p = x*y; x", grad=True)
    assert only(x=2.0, y=5.0) == (2.0, {"x": 1.0})
    with pytest.raises(UsageError, match="'q' is not an input"):
        only(x=2.0, q=5.0)


def test_columns_of_any_length_are_one_plan() -> None:
    formula = cgraph.parse("x*y + sin(x)")
    program = cgraph.compile(formula, grad=True)
    sizes = set[int]()
    for rows in (1, 7, ROWS, 2 * ROWS):
        x, y = column(1, rows), column(2, rows)
        value, gradient = program(x=x, y=y)
        np.testing.assert_allclose(value, x * y + np.sin(x), rtol=1e-14)
        np.testing.assert_allclose(gradient["x"], y + np.cos(x), rtol=1e-14)
        np.testing.assert_array_equal(gradient["y"], x)
        sizes.add(len(formula.graph))
    assert len(sizes) == 1


def test_a_derivative_that_is_the_same_in_all_rows_is_a_column_too() -> None:
    for rows in (3, ROWS):
        value, gradient = cgraph.compile("x + 2y", grad=True)(x=column(1, rows), y=column(2, rows))
        assert value.shape == gradient["x"].shape == (rows,)
        assert gradient["x"].tolist() == [1.0] * rows
        assert gradient["y"].tolist() == [2.0] * rows


def test_the_derivative_by_a_number_is_over_all_rows() -> None:
    x = column(3)
    value, gradient = cgraph.compile("a*x", grad=True)(a=2.0, x=x)
    np.testing.assert_array_equal(value, 2.0 * x)
    assert gradient["a"] == pytest.approx(x.sum())
    assert gradient["x"].tolist() == [2.0] * ROWS
    value, gradient = cgraph.compile("a*x", grad=True, wrt=["x"])(a=2.0, x=x)
    assert gradient["x"].tolist() == [2.0] * ROWS


def test_outputs_that_depend_on_no_column_stay_numbers() -> None:
    f = cgraph.compile("x; a^2")
    assert f(x=column(1), a=3.0)[1] == 9.0


@pytest.mark.parametrize("rows", [5, ROWS])
def test_out_is_written_into(rows: int) -> None:
    program = cgraph.compile("x*y", grad=True)
    before = program(x=column(1, rows), y=column(2, rows))
    x, y = column(3, rows), column(4, rows)
    value, gradient = program(x=x, y=y, out=before)
    assert value is before[0]
    assert gradient["x"] is before[1]["x"]
    np.testing.assert_array_equal(value, x * y)
    np.testing.assert_array_equal(gradient["x"], y)


def test_out_of_several_outputs_and_of_numbers() -> None:
    program = cgraph.compile("x; sum(x); x*0 + 1")
    before = program(x=column(1))
    after = program.run({"x": column(2)}, before)
    assert after[0] is before[0]
    assert after[1] != before[1]
    assert after[2] is before[2]
    one = cgraph.compile("x^2")
    space = np.empty(4)
    assert one(x=[1.0, 2.0, 3.0, 4.0], out=space) is space
    assert space.tolist() == [1.0, 4.0, 9.0, 16.0]


def test_an_input_may_be_called_out() -> None:
    program = cgraph.compile("out^2", grad=True)
    assert program(out=3.0) == (9.0, {"out": 6.0})
    before = program(out=column(1))
    value, _ = program.run({"out": column(2)}, before)
    assert value is before[0]


X = np.ones(4)


FORM = (
    "error: out= takes what a run of this program returned "
    "(its form is (value, {name: derivative}))"
)
MISFITS: list[tuple[Any, str]] = [
    (np.empty(4), FORM),
    ((np.empty(4), {}), FORM),
    (([0.0] * 4, {"x": np.empty(4), "y": np.empty(4)}), FORM),
    (
        (np.empty(4), {"x": np.empty(4, dtype=np.float32), "y": np.empty(4)}),
        "error: an array in out= is float64, contiguous and can be written",
    ),
    (
        (np.empty(4), {"x": np.empty(8)[::2], "y": np.empty(4)}),
        "error: an array in out= is float64, contiguous and can be written",
    ),
    (
        (np.empty(4), {"x": X, "y": np.empty(4)}),
        "error: an array in out= shares memory with an input or with another",
    ),
    (
        (np.empty(4), {"x": np.empty(3), "y": np.empty(4)}),
        "error: an array in out= has shape (3,), the result (4,)",
    ),
]


@pytest.mark.parametrize(("out", "report"), MISFITS)
def test_an_out_that_does_not_fit(out: Any, report: str) -> None:
    program = cgraph.compile("x*y", grad=True)
    with pytest.raises(UsageError) as caught:
        program(x=X, y=2.0 * X, out=out)
    assert str(caught.value) == report


def test_an_out_for_other_rows() -> None:
    program = cgraph.compile("x*y", grad=True)
    before = program(x=column(1), y=column(2))
    with pytest.raises(UsageError) as caught:
        program(x=column(1, ROWS + 1), y=column(2, ROWS + 1), out=before)
    told = f"error: an array in out= has shape ({ROWS},), the result ({ROWS + 1},)"
    assert str(caught.value) == told


@pytest.mark.parametrize("threads", [0, -1, 2.5, "two"])
def test_a_program_runs_on_a_thread_at_least(threads: Any) -> None:
    with pytest.raises(UsageError) as caught:
        cgraph.compile("x", threads=threads)
    told = f"error: a program runs on one thread or more, not on {threads!r}"
    assert str(caught.value) == told


def test_the_form_of_an_out_is_told() -> None:
    for text, form in (("x", "a value"), ("x; y", "a tuple of values")):
        program = cgraph.compile(text)
        with pytest.raises(UsageError) as caught:
            program.run(dict.fromkeys(program.inputs, X), out=object())
        assert caught.value.hint == f"its form is {form}"


def test_a_number_is_written_into_an_array_without_axes() -> None:
    program = cgraph.compile("x*y", grad=True)
    out = (np.empty(()), {"x": np.empty(()), "y": np.empty(())})
    assert program(x=2.0, y=3.0, out=out)[0] is out[0]
    assert [float(held) for held in (out[0], *out[1].values())] == [6.0, 3.0, 2.0]


def test_what_may_lack_numbers_is_no_array() -> None:
    masked = np.ma.masked_array([1.0, 2.0], [False, True])
    with pytest.raises(UsageError, match="the value of 'x' is not a number or an array"):
        cgraph.compile("x^2")(x=masked)


def test_forward_mode_through_many_entries_that_mix_is_refused() -> None:
    with pytest.raises(FormulaError) as caught:
        cgraph.grad("x + mean(x)", {"x": np.ones(20_000)}, mode="forward")
    assert caught.value.message == (
        "forward mode takes a pass for each of 20,000 entries, as they mix"
    )
    assert caught.value.hint == "reverse mode takes one"


def test_a_program_says_what_it_takes() -> None:
    assert repr(cgraph.compile("x*y")) == "<compiled: inputs x, y>"
    told = "<compiled: inputs x, y, derivatives by x>"
    assert repr(cgraph.compile("x*y", grad=True, wrt=["x"])) == told
    assert repr(cgraph.compile("2")) == "<compiled: inputs none>"


def test_threads_and_optimization_change_no_result_by_much() -> None:
    point = {"x": column(1), "y": column(2)}
    plain = cgraph.compile("x^3*sin(y)/10", grad=True, optimize=False, threads=1)(**point)
    for threads in (2, 5):
        fast = cgraph.compile("x^3*sin(y)/10", grad=True, threads=threads)(**point)
        np.testing.assert_allclose(fast[0], plain[0], rtol=1e-14)
        np.testing.assert_allclose(fast[1]["x"], plain[1]["x"], rtol=1e-14)
