"""Names as the command line meets them: which they are, where one is mentioned."""

from __future__ import annotations

from collections.abc import Iterable


def is_name(text: str) -> bool:
    """Tell whether a text can name a value: `x`, `α`, `fc1.weight`."""
    if text.isascii():
        return all(part.isidentifier() for part in text.split("."))
    from ..parser import lexer

    return lexer.is_name(text)


def normal(name: str) -> str:
    """Return a name in the form that formulas keep it in."""
    if name.isascii():
        return name
    from ..parser.characters import normal_name

    return normal_name(name)


def mentions(texts: Iterable[str], name: str) -> bool:
    """Tell whether one of the texts has the name as a word of its own."""
    from re import escape, search

    return any(search(rf"(?<![\w.]){escape(name)}(?![\w.])", text) for text in texts)
