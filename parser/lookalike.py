"""Why an input has no value: its name looks like another, or is two names written as one."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

ALIKE = str.maketrans(
    "аеорсухіјѕԁһԛԝАВЕКМНОРСТХІЈЅαβγικνορτυχωΑΒΕΖΗΙΚΜΝΟΡΤΥΧı",
    "aeopcyxijsdhqwABEKMHOPCTXIJSaByiKvoptuxwABEZHIKMNOPTYXi",
)
"""Letters of other scripts that look like Latin ones."""

LETTERS = ("π", "τ")
"""Letters that people write at once before a factor."""


def hint_for_missing(name: str, given: Iterable[str] = ()) -> str | None:
    """Return the sentence on a missing value that says why its reader thinks it is there, or None.

    `no value for 'х' (Cyrillic, U+0445); you gave --x (Latin)`
    """
    twin = lookalike(name, given)
    if twin:
        mine, other = next(pair for pair in zip(name, twin, strict=False) if pair[0] != pair[1])
        described = f"{script_of(mine)}, U+{ord(mine):04X}"
        return f"no value for '{name}' ({described}); you gave --{twin} ({script_of(other)})"
    if name[0] in LETTERS and len(name) > 1:
        return f"no value for '{name}', which is one name; to multiply, write {name[0]}*{name[1:]}"
    return None


def lookalike(name: str, given: Iterable[str]) -> str | None:
    """Return the one of the given names that looks like `name` and is another."""
    seen = skeleton(name)
    return next((other for other in given if other != name and skeleton(other) == seen), None)


def skeleton(name: str) -> str:
    """Return a name with each letter replaced by the Latin one that it looks like."""
    return unicodedata.normalize("NFKC", name).translate(ALIKE)


def script_of(char: str) -> str:
    """Return the script of a letter, as the first word of its Unicode name: `Cyrillic`."""
    return unicodedata.name(char, "unknown").split()[0].capitalize()
