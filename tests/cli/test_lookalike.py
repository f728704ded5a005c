"""Names that look like others, or are two names written as one."""

# ruff: noqa: RUF001 (letters that look alike are the subject)

from __future__ import annotations

from cgraph.cli.lookalike import lookalike, script_of, told_apart, two_names


def test_look_alikes() -> None:
    assert lookalike("х", ["y", "x"]) == "x"
    assert lookalike("ｘ", ["x"]) == "x"
    assert lookalike("µ", ["μ"]) == "μ"
    assert lookalike("x", ["y", "х"]) == "х"
    assert lookalike("x", ["x", "y"]) is None
    assert lookalike("х", ["х"]) is None


def test_scripts() -> None:
    assert told_apart("х", "x") == ("Cyrillic, U+0445", "Latin")
    assert script_of("\ue000") == "Unknown"


def test_two_names() -> None:
    assert two_names("xy", ["y", "x"]) == ("x", "y")
    assert two_names("xx", ["x"]) == ("x", "x")
    assert two_names("πr", []) == ("π", "r")
    assert two_names("τ", ["τ"]) is None
    assert two_names("xy", ["x", "z"]) is None
