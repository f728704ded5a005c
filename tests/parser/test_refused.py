"""What is refused, and its report to the letter: a formula and its report a block."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cgraph.autodiff.errors import FormulaError
from cgraph.parser import parse

BLOCKS = Path(__file__).with_name("refused.txt").read_text("utf-8").split("\n\n")


def plain(text: str) -> str:
    """Return a text with the escapes that refused.txt uses replaced."""
    text = text.replace("\\n", "\n")
    return re.sub(r"\\u([0-9a-f]{4})", lambda code: chr(int(code[1], 16)), text)


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.split("\n")[0][9:])
def test_refused(block: str) -> None:
    formula, _, report = block.removeprefix("refused: ").partition("\n")
    with pytest.raises(FormulaError) as refused:
        parse(plain(formula))
    assert str(refused.value) == report.removesuffix("\n")


def test_an_error_far_into_a_text_shows_its_line_only() -> None:
    text = "\n".join(f"p{k} = x*{k}" for k in range(5000))
    with pytest.raises(FormulaError) as refused:
        parse(f"{text}\np1 + (p2 p3)", name="far.cg")
    assert (refused.value.line, refused.value.column) == (5001, 10)
    assert refused.value.hint == "to multiply, write p2*p3"


def test_an_error_in_a_long_statement() -> None:
    with pytest.raises(FormulaError) as refused:
        parse("(" + "x + " * 10_000 + "y)/2z")
    assert str(refused.value.hint) == "write (...)/(2*z) or ((...)/2)*z"
