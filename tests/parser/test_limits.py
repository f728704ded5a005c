"""Large texts: deep, long, and in time that grows with their length."""

from __future__ import annotations

import gc
import time

import pytest

from cgraph.autodiff.errors import FormulaError
from cgraph.parser import parse

DEEP = 100_000


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        ("(" * DEEP + "x" + ")" * DEEP, 1),
        ("sin(" * DEEP + "x" + ")" * DEEP, DEEP + 1),
        ("1+(" * DEEP + "x" + ")" * DEEP, DEEP + 2),
        ("max(1, " * DEEP + "x" + ")" * DEEP, DEEP + 2),
        ("-" * DEEP + "x", DEEP + 1),
        ("2^" * DEEP + "x", DEEP + 2),
        ("not " * DEEP + "x", DEEP + 1),
        ("√" * DEEP + "x", DEEP + 1),
        ("y if c else " * DEEP + "x", DEEP + 3),
        ("x" + " < 1" * DEEP, DEEP + 3),
        ("x" + "^1" * DEEP, DEEP + 2),
        ("x" + "; x" * DEEP, 1),
        (f"max(x{', x' * DEEP})", 2),
    ],
    ids=lambda value: value[:12] if isinstance(value, str) else None,
)
def test_deep_and_long(text: str, nodes: int) -> None:
    assert len(parse(text)) == nodes


def test_a_long_text_is_refused_as_a_short_one() -> None:
    for text in ("(" * DEEP, "x + " * DEEP, "x y" + " + x" * DEEP, "[" * DEEP + "1" + "]" * DEEP):
        with pytest.raises(FormulaError):
            parse(text)


def test_arrays_have_at_most_32_dimensions() -> None:
    parse("[" * 32 + "1" + "]" * 32)
    with pytest.raises(FormulaError, match="at most 32 dimensions"):
        parse("[" * 33 + "1" + "]" * 33)


def test_numbers_beyond_all_bounds() -> None:
    for text in ("1" * DEEP, "1e" + "1" * DEEP, "x" + "²" * DEEP):
        with pytest.raises(FormulaError, match="too large for a float64"):
            parse(text)
    with pytest.raises(FormulaError, match="a size is a whole number from 1 on"):
        parse(f"input x: ({'1' * DEEP}); x")
    with pytest.raises(FormulaError, match="is not a decimal number"):
        parse("0x" + "1" * DEEP)


def seconds(text: str) -> float:
    start = time.process_time()
    parse(text)
    return time.process_time() - start


@pytest.mark.parametrize(
    "piece", ["+x*{}.5", ";p{}=x", "\nx", "\nf{}(a)=a", " # f(\n;", ";f{}(x", "\n[1, 2*{}]", "+{}x"]
)
def test_time_is_linear_in_length(piece: str) -> None:
    def text(count: int) -> str:
        return (
            "x" + "".join(piece.format(k) for k in range(count)) + ")" * (count * ("(x" in piece))
        )

    short, long = (
        min(seconds_or_refused(text(count)) for _ in range(3)) for count in (2000, 20_000)
    )
    assert long < 40 * short + 0.05


def seconds_or_refused(text: str) -> float:
    start = time.process_time()
    try:
        return seconds(text)
    except FormulaError:
        return time.process_time() - start


def test_the_collector_is_as_it_was() -> None:
    assert gc.isenabled()
    parse("x")
    assert gc.isenabled()
    gc.disable()
    try:
        parse("x")
        assert not gc.isenabled()
    finally:
        gc.enable()
