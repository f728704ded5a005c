# pyright: basic
"""`cgraph check`."""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cgraph.autodiff.local import template
from cgraph.autodiff.ops import OPS

from .conftest import Run

AT = ("--x", "1", "--y", "3", "--z", "-3")
ROUGH = "(1e14 + abs(sin(x))) - 1e14"
LOSS = ("log(1+exp(-y*w*x))", "--wrt", "w", "--claim")


def test_the_table(run: Run) -> None:
    done = run("check", "(x+y)*z", *AT)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == (
        "      reverse  forward  numerical  by            relative error\n"
        "d/dx  -3       -3       -3         complex step  0               ✓\n"
        "d/dy  -3       -3       -3         complex step  0               ✓\n"
        "d/dz  4        4        4          complex step  0               ✓\n"
        "✓ all agree to 1e-06\n"
    )


@pytest.mark.parametrize(
    ("words", "last"),
    [
        (["abs(x)", "--x", "0"], "nothing could be compared: 1 at a kink"),
        (["max(x, y)", "--x", "1"], "✓ all agree to 1e-06"),
        (["g = x^2; g", "--tol", "1e-9"], "✓ all agree to 1e-09"),
        (["p = x*y; p^2", "--wrt", "p"], "✓ all agree to 1e-06"),
        (["sin(1e10*x)", "--x", "1"], "✓ all agree to 1e-06"),
        (["y/y + exp(z)", "--y", "1.9", "--z", "0"], "✓ all agree to 1e-06"),
        (["x*y/y", "--x", "1", "--y", "1e-9"], "✓ all agree to 1e-06"),
        (["0.5*y/(y*x)"], "✓ all agree to 1e-06"),
    ],
)
def test_last_lines(run: Run, words: list[str], last: str) -> None:
    done = run("check", *words)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == last


@pytest.mark.parametrize(
    ("words", "remark"),
    [
        (["abs(x)", "--x", "0"], "a kink: -1 from the left, 1 from the right"),
        (["floor(x)", "--x", "1"], "the value jumps here"),
        (["sqrt(x)", "--x", "0"], "infinite: no difference can tell"),
        (["x^x", "--x", "0"], "the values end here: -28.42 from the right"),
        (["log(x)", "--x", "-1"], "there is no derivative"),
    ],
)
def test_what_cannot_be_compared_is_told_and_does_not_fail(
    run: Run, words: list[str], remark: str
) -> None:
    done = run("check", *words)
    assert done.exit_code == 0
    assert done.stdout.splitlines()[1].endswith(f"-          -   -               {remark}")


def test_the_error_shown_is_the_error_judged(run: Run) -> None:
    row = run("check", "x^2", "--x", "1e-300").stdout.splitlines()[1]
    assert row.split()[-2:] == ["2.0e-300", "✓"]


def test_a_steep_function_is_not_torn(run: Run) -> None:
    done = run("check", "sin(1e200*x)*1e-200", "--x", "0")
    assert (done.exit_code, done.stdout.splitlines()[1].split()[-2:]) == (0, ["not", "settled"])


def test_a_difference_fails(run: Run) -> None:
    done = run("check", "x*sin(y)", "--wrt", "y", "--tol", "1e-300", "--precision", "30")
    assert done.exit_code == 1
    assert done.stdout.splitlines()[-1] == "✗ the derivatives by y differ by more than 1e-300"


def test_rough_differences_are_a_warning(run: Run) -> None:
    done = run("check", ROUGH, "--x", "1.3")
    assert done.exit_code == 0
    assert done.stderr == (
        "warning: differences are too rough to judge the derivative by x: try --precision 50\n"
    )
    assert run("check", ROUGH, "--x", "1.3", "--strict").exit_code == 1
    assert run("check", ROUGH, "--x", "1.3", "--precision", "30").stderr == ""


def test_points_are_drawn_for_what_has_no_value(run: Run) -> None:
    assert run("check", "x*y", "--y", "2").stdout.splitlines()[0] == "at x = 1.3"


def test_many_digits(run: Run) -> None:
    done = run("check", "x^2*sin(x)", "--x", "2", "--precision", "30", "--digits", "4")
    assert done.stdout.splitlines()[1].split()[1:6] == [
        "1.973", "1.973", "1.97260236111415723359380654564", "30", "digits"
    ]  # fmt: skip


def test_json(run: Run) -> None:
    done = run("check", "x^2; abs(x)", "--x", "0", "--json")
    first, second = map(json.loads, done.stdout.splitlines())
    assert (first["output"], first["agree"]) == ("x^2", True)
    assert second["components"]["x"] == {
        "reverse": 0.0, "forward": 0.0, "numerical": 0.0, "by": "differences", "error": 0.0,
        "left": -1.0, "right": 1.0, "verdict": "kink",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("words", "code", "stdout"),
    [
        ([*LOSS, "-y*x/(1+exp(y*w*x))"], 0, "✓ this is d/dw: it agrees at 20 points drawn"),
        (["x^2*sin(x)", "--wrt", "x", "--claim", "2x*cos(x)"], 1,
         "wrong: at x = 1.3 yours is 0.695, the derivative is 2.957"),
        (["x^2*sin(x)", "--claim", "2x*cos(x)", "--x", "1.3"], 1,
         "wrong: at x = 1.3 yours is 0.695, the derivative is 2.957"),
        (["x^2", "--claim", "2x", "--x", "3"], 0, "✓ this is d/dx at x = 3: 6"),
        (["g = x^2", "--claim", "2x", "--x", "3"], 0, "✓ this is dg/dx at x = 3: 6"),
        (["x^2", "--claim", "2.00001x", "--x", "3"], 1,
         "wrong: at x = 3 yours is 6.00003, the derivative is 6"),
        (["p = x*y; p^2", "--wrt", "p", "--claim", "2p"], 0,
         "✓ this is d/dp: it agrees at 20 points drawn"),
        (["abs(x)", "--claim", "1", "--x", "0"], 0,
         "at x = 0 there is a kink, -1 from the left and 1 from the right: yours is 1, the "
         "derivative taken is 0"),
        (["floor(x)", "--claim", "1", "--x", "1"], 0,
         "at x = 1 there is a jump: yours is 1, the derivative taken is 0"),
        (["x^2", "--claim", "log(-x)", "--x", "3"], 1,
         "wrong: at x = 3 yours is nan, the derivative is 6"),
    ],
)  # fmt: skip
def test_claims(run: Run, words: list[str], code: int, stdout: str) -> None:
    done = run("check", *words)
    assert (done.exit_code, done.stdout, done.stderr) == (code, f"{stdout}\n", "")


def test_a_claim_as_json(run: Run) -> None:
    done = run("check", "x^2", "--claim", "3x", "--x", "2", "--json")
    assert done.exit_code == 1
    assert json.loads(done.stdout) == {
        "right": False, "points": 1, "at": {"x": 2.0}, "claimed": 6.0, "derivative": 4.0,
        "kink": False,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("words", "code", "stderr"),
    [
        (["x*y", "--claim", "y"], 2,
         "error: a claim is of one derivative: add --wrt NAME (there are x, y)"),
        (["x^2", "--tol", "nan"], 2, "error: --tol: nan is not a finite number"),
        (["x^2", "--tol", "inf"], 2, "error: --tol: inf is not a finite number"),
        (["x^2", "--claim", "2t"], 2, "error: the claim speaks of t, the formula does not"),
        (["x^2; x", "--claim", "2x"], 2,
         "error: a gradient is of one output, the formula has 2 (choose one with --output NAME)"),
        (["x^2", "--claim", "2x; 3"], 2,
         "error: a gradient is of one output, the formula has 2 (a claim is one formula)"),
        (["x^2", "--claim", "2x", "--x", "[1, 2]"], 2,
         "error: a claim is checked at numbers, not at arrays (cgraph diff has the derivative, "
         "check without --claim its numbers)"),
        (["log(-x^2)"], 1,
         "error: of 400 points drawn none has a value and a derivative (give one: --x VALUE)"),
        (["x", "--x", "[1, 2]", "--precision", "9"], 2,
         "error: --precision is for numbers, not for arrays (leave it out)"),
    ],
)  # fmt: skip
def test_errors(run: Run, words: list[str], code: int, stderr: str) -> None:
    done = run("check", *words)
    assert (done.exit_code, done.stdout, done.stderr) == (code, "", f"{stderr}\n")


def test_an_error_in_a_claim_shows_its_place(run: Run) -> None:
    done = run("check", "x^2", "--claim", "2*sinn(x)")
    assert done.exit_code == 1
    assert done.stderr.startswith("--claim:1:3: error: unknown function 'sinn'")


HEAD = "     reverse  forward  numerical  by  relative error\n"
NONE = "nothing could be compared: 1"


@pytest.mark.parametrize(
    ("words", "stdout"),
    [
        (["2x^3*y^2", "--x", "1", "--y", "2"],
         "     reverse  forward  numerical  by            relative error\n"
         "x,x  48       48       48         complex step  0               ✓\n"
         "x,y  24       24       24         complex step  0               ✓\n"
         "y,y  4        4        4          complex step  0               ✓\n"
         "✓ all agree to 1e-06\n"),
        (["relu(x)^2", "--x", "1", "--precision", "20"],
         "     reverse  forward  numerical  by         relative error\n"
         "x,x  2        2        2.0        20 digits  0               ✓\n"
         "✓ all agree to 1e-06\n"),
        (["abs(x^2)", "--x", "0"],
         f"{HEAD}x,x  nan      nan      -          -   -               "
         f"nan by convention, and 2 on both sides\n{NONE} without a derivative\n"),
        (["abs(x)", "--x", "0"],
         f"{HEAD}x,x  nan      nan      -          -   -               "
         f"a kink: the first derivative jumps here\n{NONE} at a kink\n"),
        (["relu(x)^2", "--x", "0"],
         f"{HEAD}x,x  nan      nan      -          -   -               "
         f"0 from the left, 2 from the right\n{NONE} where it jumps\n"),
    ],
)  # fmt: skip
def test_second_derivatives(run: Run, words: list[str], stdout: str) -> None:
    done = run("check", *words, "--order", "2")
    assert (done.exit_code, done.stdout, done.stderr) == (0, stdout, "")


def test_second_derivatives_of_arrays_and_rows(run: Run) -> None:
    held = json.loads(
        run("check", "sum(x^3)*y", "--x", "[1,2]", "--y", "2", "--order=2", "--json").stdout
    )
    found = {name: one["reverse"] for name, one in held["components"].items()}
    assert held["agree"]
    assert found == {
        "x[0],x[0]": 12.0, "x[0],x[1]": 0.0, "x[0],y": 3.0,
        "x[1],x[0]": 0.0, "x[1],x[1]": 24.0, "x[1],y": 12.0, "y,y": 0.0,
    }  # fmt: skip
    done = run("check", "x^3*y", "--data", "-", "--order", "2", stdin="x,y\n1,2\n3,4\n")
    assert done.exit_code == 0
    assert done.stdout.startswith("2 rows of stdin checked, none differs; the worst is row 1")


@contextmanager
def a_wrong_rule() -> Generator[None, None, None]:
    """Let the derivative of sinh be a little too large meanwhile."""
    op, right = OPS["sinh"], OPS["sinh"].partials
    object.__setattr__(op, "partials", (lambda r, x: OPS["cosh"](x) * 1.0001,))
    template.cache_clear()
    try:
        yield
    finally:
        object.__setattr__(op, "partials", right)
        template.cache_clear()


def test_a_wrong_second_derivative_is_found(run: Run) -> None:
    with a_wrong_rule():
        done = run("check", "cosh(x)", "--x", "1", "--order", "2")
    assert done.exit_code == 1
    assert "✗ they differ" in done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["x^2", "--x", "1", "--order", "2", "--claim", "2"],
         "error: a claim is of a first derivative: leave out --order\n"),
        (["sum(x^2)", "--x", "ones(40)", "--order", "2"],
         "error: there are 1,600 second derivatives, and 1,000 are compared at most"
         " (check fewer with --wrt)\n"),
    ],
)  # fmt: skip
def test_what_is_not_checked_to_order_2(run: Run, words: list[str], message: str) -> None:
    done = run("check", *words)
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", message)


KEPT = "; 2*sin(x/2)^2 keeps them"
LOST = [
    ("(1-cos(x))/x^2", "1e-8", f"1 - cos(x) loses them{KEPT}"),
    ("(x^2-1)/(x-1)", "1.000000001", "x^2 - 1 loses them"),
    ("sqrt(x+1)-sqrt(x)", "1e15", "sqrt(x + 1) - sqrt(x) loses them"),
]


@pytest.mark.parametrize(("text", "x", "told"), LOST)
def test_digits_that_cancel_are_not_blamed_on_the_derivative(
    run: Run, text: str, x: str, told: str
) -> None:
    done = run("check", text, "--x", x)
    assert done.exit_code == 0
    assert done.stdout.endswith("nothing could be compared: 1 lost to rounding\n")
    few = "warning: rounding leaves too few digits to judge the derivative by x"
    assert done.stderr == f"{few}: {told}\n"
    held = json.loads(run("check", text, "--x", x, "--json").stdout)
    assert (held["agree"], held["counts"]) == (True, {"digits lost": 1})


@pytest.mark.parametrize(
    ("text", "x"),
    [
        ("(1-cos(x))/x^2", "1e-3"),
        ("1e10*sin(2*x)", "0.7853981633974483"),
        ("exp(x)-1", "1e-12"),
        ("sin(x)^2 + cos(x)^2", "1.3"),
        ("(1e8 + x) - 1e8", "1"),
    ],
)
def test_digits_that_are_there_are_compared(run: Run, text: str, x: str) -> None:
    done = run("check", text, "--x", x)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.endswith("✓ all agree to 1e-06\n")


def test_kinks_are_counted_apart(run: Run) -> None:
    done = run("check", "abs(x) + y*z", "--x", "0", "--y", "1", "--z", "2")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "✓ 2 agree to 1e-06; apart: 1 at a kink"
    held = json.loads(run("check", "abs(x) + y", "--x", "0", "--y", "1", "--json").stdout)
    assert held["counts"] == {"kink": 1, "agrees": 1}


def test_a_wrong_rule_is_no_rounding(run: Run) -> None:
    with a_wrong_rule():
        for x in ("1e-3", "1", "30"):
            done = run("check", "sinh(x)*x", "--x", x)
            assert done.exit_code == 1
            assert done.stdout.endswith("✗ the derivatives by x differ by more than 1e-06\n")


def test_of_a_large_formula_some_derivatives_are_compared(run: Run) -> None:
    inputs = [f"x{k}" for k in range(600)]
    text = " + ".join(f"{name}^2" for name in inputs)
    Path("values.json").write_text(json.dumps(dict.fromkeys(inputs, 0.5)))
    done = run("check", text, "--bindings", "values.json")
    assert done.exit_code == 0
    count = len(done.stdout.splitlines()) - 2
    assert done.stderr == (
        f"note: {count} of 600 derivatives are compared, evenly chosen (others by --wrt)\n"
    )
    assert 30 <= count < 600


def test_a_claim_where_there_is_no_derivative(run: Run) -> None:
    done = run("check", "log(x)", "--x", "-1", "--claim", "1/x")
    assert (done.exit_code, done.stdout) == (
        0,
        "at x = -1 there is no derivative to compare with: yours is -1\n",
    )


def test_a_second_derivative_that_is_none_by_convention(run: Run) -> None:
    done = run("check", "abs(x)^3", "--x", "0", "--order", "2")
    assert "nan by convention, and 0 on both sides" in done.stdout
