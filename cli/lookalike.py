"""Names that look like others, or are two names written as one."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable

ALIKE = str.maketrans(
    "аеорсухіјѕԁһԛԝАВЕКМНОРСТХІЈЅαβγικνορτυχωΑΒΕΖΗΙΚΜΝΟΡΤΥΧı",
    "aeopcyxijsdhqwABEKMHOPCTXIJSaByiKvoptuxwABEZHIKMNOPTYXi",
)
"""Letters of other scripts that look like Latin ones."""

LETTERS = ("π", "τ")
"""Letters that people write at once before a factor."""


def lookalike(name: str, given: Iterable[str]) -> str | None:
    """Return the one of the given names that looks like `name` and is another."""
    strange = (other for other in given if not (name.isascii() and other.isascii()))
    seen = skeleton(name)
    return next((other for other in strange if other != name and skeleton(other) == seen), None)


def skeleton(name: str) -> str:
    """Return a name with each letter replaced by the Latin one that it looks like."""
    return unicodedata.normalize("NFKC", name).translate(ALIKE)


def told_apart(name: str, twin: str) -> tuple[str, str]:
    """Return what tells a name and its twin apart: `Cyrillic, U+0445` and `Latin`."""
    mine, other = next(pair for pair in zip(name, twin, strict=False) if pair[0] != pair[1])
    return f"{script_of(mine)}, U+{ord(mine):04X}", script_of(other)


def script_of(char: str) -> str:
    """Return the script of a letter, as the first word of its Unicode name: `Cyrillic`."""
    return unicodedata.name(char, "unknown").split()[0].capitalize()


def two_names(name: str, given: Collection[str]) -> tuple[str, str] | None:
    """Return the two names that `name` is made of: `xy` where x and y are given, `πr` always."""
    if name[0] in LETTERS and len(name) > 1:
        return name[0], name[1:]
    for first in given:
        if name.startswith(first) and (second := name[len(first) :]) in given:
            return first, second
    return None
