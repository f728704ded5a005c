"""Names as the command line meets them: which they are, where one is mentioned."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..autodiff.errors import UsageError

STAR = "*"
"""What stands for any letters in a pattern of names."""


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


def names_read(text: str) -> set[str]:
    """Return the names that a program has other than where it assigns them."""
    from re import finditer

    words = finditer(r"(?<![\w.])[^\W\d][\w.]*+(?!\s*=(?!=))", text)
    return {normal(word[0]) for word in words}


def stands_alone(text: str, name: str) -> bool:
    """Tell whether a name is a statement of a program."""
    from re import escape, search

    return search(rf"(?:^|[;\n}}])\s*{escape(name)}\s*(?:$|[;\n#}}])", text) is not None


def expanded(names: Sequence[str], *known: Iterable[str]) -> list[str]:
    """Return the names with those in the place of a pattern, `fc1.*`, that it fits, each once.

    They are looked for in the first of `known` that has any. Raises `UsageError` where none has.
    """
    if not any(STAR in name for name in names):
        return list(names)
    return list(dict.fromkeys(one for name in names for one in fitting(name, known)))


def fitting(name: str, known: Iterable[Iterable[str]]) -> list[str]:
    """Return the names that a pattern fits; a name that is none stands for itself."""
    from fnmatch import fnmatchcase

    if STAR not in name:
        return [name]
    for names in known:
        found = [one for one in names if fnmatchcase(one, name)]
        if found:
            return found
    raise UsageError(f"no name fits '{name}'")
