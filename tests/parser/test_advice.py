"""What refusals advise: each way to write it is read, and is one of the two readings."""

from __future__ import annotations

import pytest

import cgraph
from cgraph.autodiff.errors import FormulaError

NAMES = {name: 1.1 + 0.37 * k for k, name in enumerate("abcxyz")}


def refusal(formula: str) -> FormulaError:
    """Return the error for a formula that is refused."""
    with pytest.raises(FormulaError) as refused:
        cgraph.parse(formula)
    return refused.value


def value(formula: str) -> float:
    """Return the value of a formula whose names are a, b, c, x, y, z."""
    parsed = cgraph.parse(formula)
    found = cgraph.evaluate(parsed, {name: NAMES[name] for name in parsed.inputs})
    assert isinstance(found, float)
    return found


def advised(formula: str) -> list[str]:
    """Return a formula with each way to write a part of it in the place of that part."""
    error = refusal(formula)
    assert error.place is not None
    assert error.hint is not None
    start, end = error.place.column - 1, error.place.column - 1 + error.place.length
    ways = error.hint.removeprefix("write ").split(" or ")
    return [formula[:start] + way + formula[end:] for way in ways]


@pytest.mark.parametrize(
    "marked",
    [
        "1/2|x",
        "x^2/3|y",
        "a/b/2|c",
        "a*b/2|c",
        "-x/2|y",
        "a*-b/2|c",
        "a^-b/2|c",
        "1 + 2x/3|y - z",
        "x/2|y^2",
        "x/2|y^-z^2",
        "x/2|(y + 1)^2*z",
        "√x/3|√y",
        "a*x^2 / 3|sin(y)^2",
        "(a + b)^2/3|(a - b)",
        "a - b*c % 2|x^2",
        "x^2|y",
        "x^2|y^3",
        "x^-2|y",
        "a*x^2|y",
        "-x^2|y",
        "a^x^2|y",
        "a + √2|x^2",
    ],
)  # fmt: skip
def test_both_ways_are_the_two_readings(marked: str) -> None:
    """The number binds the name after the mark more tightly, or as any factor."""
    before, _, after = marked.partition("|")
    ways = advised(before + after)
    found = [value(way) for way in ways]
    assert len(found) == 2
    assert found[1] == value(f"{before}*{after}")
    # The product as one value: a bracket from the number to the end of what is multiplied.
    number = next(k for k in range(len(before), 0, -1) if before[k - 1] not in "0123456789")
    number -= before[number - 1] == "-" and before[number - 2 : number - 1] == "^"
    ends = [k for k in range(1, len(after) + 1) if balanced(after[:k])]
    tight = [f"{before[:number]}({before[number:]}*{after[:k]}){after[k:]}" for k in ends]
    assert ways[0].replace(" ", "") in [one.replace(" ", "") for one in tight]
    longest = next((k for k in ends if after[k : k + 1] in ("", " ", "*")), None)
    assert found[0] == value(tight[ends.index(longest)] if longest else tight[-1])


def balanced(text: str) -> bool:
    """Tell whether all brackets of a text are closed."""
    return text.count("(") == text.count(")")


@pytest.mark.parametrize(
    ("formula", "readings"),
    [
        ("a/x^2y", ["a/(x^(2*y))", "((a/x)/x)*y"]),
        ("a*b/√2x", ["a*b/sqrt(2*x)", "a*b/sqrt(2)*x"]),
        ("a % b/3c", ["(a % b)/(3*c)", "((a % b)/3)*c"]),
    ],
)
def test_a_product_before_a_power_is_bracketed(formula: str, readings: list[str]) -> None:
    assert [value(way) for way in advised(formula)] == pytest.approx([*map(value, readings)])


@pytest.mark.parametrize(
    ("formula", "whole"),
    [
        ("a b", ["a*b"]),
        ("a + b c^2 - 1", ["a + b*c^2 - 1"]),
        ("a/b c^2", ["a/(b*c^2)", "(a/b)*c^2"]),
        ("x^2 y", ["x^2*y"]),
        ("2 sin(x)", ["2*sin(x)"]),
        ("a/2 (b + c)", ["a/(2*(b + c))", "(a/2)*(b + c)"]),
    ],
)
def test_a_product_without_its_sign(formula: str, whole: list[str]) -> None:
    hint = refusal(formula).hint
    assert hint is not None
    ways = hint.removeprefix("to multiply, write ").split(" or ")
    assert len(ways) == len(whole)
    for way, meant in zip(ways, whole, strict=True):
        assert way in meant
        assert value(way) == value(way.replace(" ", ""))
        assert value(meant) == value(meant.replace(way, f"({way})"))


@pytest.mark.parametrize(
    ("formula", "ways"),
    [
        ("sin x^2", ["sin(x^2)", "sin(x)^2"]),
        ("sin x/2", ["sin(x/2)", "sin(x)/2"]),
        ("sin 2x", ["sin(2*x)"]),
        ("sin^2(x)", ["sin(x)*sin(x)"]),
        ("d/dx x^3", ["3*x^2"]),
        ("d^2/dx^2 x^3", ["6*x"]),
        ("|x - 2|", ["abs(x - 2)"]),
        ("2|x - 2|", ["2*abs(x - 2)"]),
    ],
)
def test_ways_to_write_a_whole(formula: str, ways: list[str]) -> None:
    hint = refusal(formula).hint
    assert hint is not None
    found = hint.removeprefix("write ").split(" or ")
    assert [value(way) for way in found] == pytest.approx([*map(value, ways)])
