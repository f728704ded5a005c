"""Which texts stand for a number, and which for none: one rule, whatever file they are in."""

from __future__ import annotations

from math import isinf, nan

from ..autodiff.constants import IN_JSON

MISSING = (
    *("", "NA", "N/A", "n/a", "NaN", "nan", "NAN", "-nan", "-NaN", "null", "NULL", "Null", "None"),
    *("#N/A", "#NA", "<NA>", "#N/A N/A", "1.#QNAN", "-1.#IND", "1.#IND", "-1.#QNAN"),
)
"""Texts that say that there is no value."""

TRUTH = {
    **dict.fromkeys(("true", "True", "TRUE"), 1.0),
    **dict.fromkeys(("false", "False", "FALSE"), 0.0),
}
"""Texts that say yes or no, which are 1 and 0."""


class TooLarge(ValueError):
    """A number, as it is written, that no float64 comes near."""

    def __init__(self, text: str) -> None:
        super().__init__(f"{shortened(text)} is too large for a float64")


def number(text: str) -> float:
    """Return the number that a text is, in the digits of any script, as formulas have them.

    Raises `ValueError`, and `TooLarge` where only infinity would be near.
    """
    text = text.strip()
    value = float(IN_JSON.get(text, text))
    if isinf(value) and any(map(str.isdigit, text)):
        raise TooLarge(text)
    return value


def cell(text: str) -> float:
    """Return what a text in data stands for: a number, yes or no, or nan for no value.

    Raises `ValueError`.
    """
    text = text.strip()
    if text in MISSING:
        return nan
    return TRUTH[text] if text in TRUTH else number(text)


def word(text: str) -> float | None:
    """Return the number that a word stands for, `true` or `-Infinity`; None for all else."""
    text = text.strip()
    if any(map(str.isdigit, text)):
        return None
    try:
        return TRUTH[text] if text in TRUTH else number(text)
    except ValueError:
        return None


def is_number(text: str) -> bool:
    """Tell whether a text is a number, be it too large."""
    try:
        number(text)
    except TooLarge:
        return True
    except ValueError:
        return False
    return True


def shortened(text: str) -> str:
    """Return a text for a report, cut where it is long."""
    return text if len(text) <= 40 else f"{text[:37]}..."
