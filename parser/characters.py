"""What characters beyond ASCII mean in a formula; loaded only for texts that have any.

Each is mapped to one character of the same role, so that offsets hold: a letter or a mark of any
script to a letter, digits to digits, the signs that people paste to the operators.
"""

from __future__ import annotations

import unicodedata

from .lexer import is_name

SUPERSCRIPTS = {
    **{ord(sign): str(digit) for digit, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
    **{ord("⁻"): "-", ord("⁺"): "+"},
}
"""What a run of superscripts says."""

# ruff: noqa: RUF001

SIGNS = {
    "-": "−‐‑‒–﹣",
    "*": "×·⋅∙∗✕✖\u2062",
    "/": "÷∕⁄",
    ",": "、﹐",
    "≤": "⩽≦",
    "≥": "⩾≧",
}

SPACES = ("Zs", "Zl", "Zp", "Cf")
"""Categories of characters that leave no ink."""

JOINERS = "\u200c\u200d"
"""Invisible characters that belong to the words of some scripts."""


class Shapes(dict[int, str]):
    """A table for `str.translate` that learns a character's role when it meets it."""

    def __missing__(self, code: int) -> str:
        """Return and keep the role of a character."""
        self[code] = role = role_of(chr(code))
        return role


def role_of(char: str) -> str:
    """Return the character that stands for `char` in a shape, itself where it has no meaning."""
    if char < "\x80":
        return char
    if ord(char) in SUPERSCRIPTS:
        return "²"
    if 0xFF01 <= ord(char) <= 0xFF5E and not char.isalpha():
        return chr(ord(char) - 0xFEE0)
    category = unicodedata.category(char)
    if category[0] == "N":
        return number_role(char)
    if unicodedata.decomposition(char).startswith("<super>"):
        return char
    if category[0] in "LM" or char in JOINERS:
        return "a"
    return " " if category in SPACES else char


def number_role(char: str) -> str:
    """Return a digit's ASCII digit, a letter for subscripts and Roman numerals, else `char`."""
    if unicodedata.category(char) == "Nd":
        return str(unicodedata.digit(char))
    is_letter = unicodedata.category(char) == "Nl"
    return "a" if is_letter or unicodedata.decomposition(char).startswith("<sub>") else char


SHAPES = Shapes({ord(char): sign for sign, chars in SIGNS.items() for char in chars})


def normal_name(name: str) -> str:
    """Return the plain spelling of a name: `x₁` is `x1`, `ﬁ` is `fi`, and `π` is `pi`.

    That is Unicode's NFKC where it makes a name of a name, else NFC.
    """
    plain = unicodedata.normalize("NFKC", name)
    kept = is_name(name) and is_name(plain)
    name = plain if kept else unicodedata.normalize("NFC", name)
    return "pi" if name == "π" else name
