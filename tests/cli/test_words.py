"""The words of a command line, told apart."""

from __future__ import annotations

import pytest

from cgraph.autodiff.errors import UsageError
from cgraph.cli.words import Assignment, Option, Words, too_many

OPTIONS = {
    "-f": Option("--file", "FILE"),
    "--file": Option("--file", "FILE"),
    "-o": Option("--out", "FILE"),
    "--out": Option("--out", "FILE"),
    "-q": Option("--quiet", None),
    "--quiet": Option("--quiet", None),
    "--set": Option("--set", "NAME=VALUE"),
    "--value": Option("--value", None),
}


def given(name: str, text: str) -> Assignment:
    return Assignment(name, text, f"--{name}")


@pytest.mark.parametrize(
    "formula",
    ["-x^2", "-f*x", "-o/2", "-2f+1", "-h+x", "-q", "-cos(x)", "--x^2", "-", "", "--(x)", "-1"],
)
def test_a_formula_may_begin_with_a_minus(formula: str) -> None:
    before = ["--"] if formula == "-q" else []
    words = Words([*before, formula], OPTIONS)
    assert words.formulas == [formula]
    assert words.options == []
    assert words.assignments == []


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (["--x", "1"], [given("x", "1")]),
        (["--x=1"], [given("x", "1")]),
        (["--x", "-3"], [given("x", "-3")]),
        (["--x", "-inf", "--y", "2"], [given("x", "-inf"), given("y", "2")]),
        (["--x", "-3e-5"], [given("x", "-3e-5")]),
        (["--x=-3"], [given("x", "-3")]),
        (["--x="], [given("x", "")]),
        (["--x", ""], [given("x", "")]),
        (["--x", "a=b"], [given("x", "a=b")]),
        (["--α", "1"], [given("α", "1")]),
        (["--fc1.weight", "@w.npz:fc1.weight"], [given("fc1.weight", "@w.npz:fc1.weight")]),
        (["--x", "--1"], [given("x", "--1")]),
        (["--x", "-e"], [given("x", "-e")]),
    ],
)
def test_values_for_names(args: list[str], expected: list[Assignment]) -> None:
    assert Words(args, OPTIONS).assignments == expected


def test_names_are_kept_in_the_form_of_formulas() -> None:
    assert Words(["--e\u0301", "1"], OPTIONS).assignments[0].name == "\u00e9"


def test_options_are_whole_words_in_any_place() -> None:
    words = Words(["-q", "x*y", "-f", "lib.cg", "--out=a.txt", "--x", "1", "-f", "-"], OPTIONS)
    assert words.options == ["--quiet", "--file=lib.cg", "--out=a.txt", "--file=-"]
    assert words.formulas == ["x*y"]


def test_nothing_is_an_option_after_two_dashes() -> None:
    words = Words(["--x", "1", "--", "-q", "--y"], OPTIONS)
    assert words.formulas == ["-q", "--y"]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--x"], "error: --x needs a value: --x VALUE"),
        (["--x", "--y", "3"], "error: --x needs a value, but --y follows"),
        (["--x", "-q"], "error: --x needs a value, but -q follows"),
        (["--x", "--"], "error: --x needs a value, but -- follows"),
        (["-o"], "error: -o needs a value: -o FILE"),
        (["--out", "--x=1"], "error: --out needs a value, but --x=1 follows"),
        (["--quite", "--x", "1"], "error: --quite needs a value, but --x follows"
                                  " (did you mean --quiet?)"),
        (["--value=3"], "error: --value takes no value"
                        " (for a variable of that name write --set value=3)"),
    ],
)  # fmt: skip
def test_a_missing_value_is_said(args: list[str], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        Words(args, OPTIONS)
    assert str(caught.value) == message


def test_two_minus_signs_are_a_formula_where_the_name_has_its_value_elsewhere() -> None:
    words = Words(["--x", "--value", "--x", "2"], OPTIONS)
    assert words.formulas == ["--x"]
    assert words.assignments == [given("x", "2")]
    assert words.options == ["--value"]


def test_a_line_still_being_typed_lacks_nothing() -> None:
    words = Words(["x*y", "--x"], OPTIONS, lenient=True)
    assert words.formulas == ["x*y"]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["x", "*", "y"], '3 words where one formula was expected; put it in quotes: '
                          'cgraph eval "x * y"'),
        (["x", "-x", "1"], "-x 1 is no option: write --x 1"),
        (["-x", "1"], "-x 1 is no option: write --x 1"),
        (["x", "x=1"], "'x=1' looks like a binding: write --x 1"),
        (["x*y", "x=1", "y = 2"], "'x=1' looks like a binding: write --x 1 --y 2"),
        (["value^2", "--value", "3"], "--value is an option; for the variable write --set value=3"),
        (["x^2", "--value", "3"], '2 words where one formula was expected; put it in quotes: '
                                  'cgraph eval "x^2 3"'),
    ],
)  # fmt: skip
def test_more_than_one_formula_word(args: list[str], message: str) -> None:
    assert too_many(Words(args, OPTIONS), args, "eval").message == message


def test_a_star_that_the_shell_spelled_out(tmp_path: object) -> None:
    for name in ("a.txt", "b.txt", "c.txt", "d.txt", "e.txt"):
        with open(name, "w"):
            pass
    args = ["x", "a.txt", "b.txt", "c.txt", "d.txt", "e.txt", "y"]
    assert too_many(Words(args, OPTIONS), args, "eval").message == (
        '7 words where one formula was expected; put it in quotes: cgraph eval "x * y"'
    )
