"""Names as the command line meets them: which they are, which are near, where one is mentioned."""

from __future__ import annotations

from collections.abc import Iterable


def is_name(text: str) -> bool:
    """Tell whether a text can name a value: `x`, `α`, `fc1.weight`."""
    return all(part.isidentifier() for part in text.split("."))


def normal(name: str) -> str:
    """Return a name in the form that formulas keep it in."""
    if name.isascii():
        return name
    from unicodedata import normalize

    return normalize("NFC", name)


def closest(word: str, words: Iterable[str]) -> str | None:
    """Return the one of `words` that was probably meant, if any is near."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, list(words), 1, 0.7)), None)


def mentions(texts: Iterable[str], name: str) -> bool:
    """Tell whether one of the texts has the name as a word of its own."""
    from re import escape, search

    return any(search(rf"(?<![\w.]){escape(name)}(?![\w.])", text) for text in texts)
