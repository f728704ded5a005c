"""Text to tokens: (kind, text, offset), where the kind of a sign or a keyword is its own text.

A text with more than ASCII in it is first mapped, character by character, to its `shape`: letters
of any script to a letter, `−` to `-`, `×` to `*`. The shape is what is lexed, so one regex serves
all texts and columns hold; names and superscripts are cut out of the original.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TypeAlias

from ..autodiff.errors import FormulaError, Source, Sources

Token: TypeAlias = tuple[str, str, int]
"""Kind, text, and offset in the common count of all sources."""

END = "$END"

WORDS = ("if", "else", "and", "or", "not", "while", "for", "in")
RESERVED = frozenset(WORDS)
SPECIAL = RESERVED | {"to"}
"""Words that may be more than names; `to` is one between the bounds of a `for` only."""

SPELLINGS = {"**": "^", "≤": "<=", "≥": ">=", "≠": "!="}
"""Signs with a second spelling."""

NAME = r"[A-Za-z_]\w*(?:\.(?!T\b)[A-Za-z_]\w*)*"
"""A name; `.T` after one is the transpose."""
DIGITS = r"\d+(?:_\d+)*"

# The groups are known by their places. The number is atomic, (?>...): or 2e3 would give digits back
# until it is 2 before a name.
SIGN, WORD, OPEN, CLOSE, NUMBER, FACTOR, RELATION, BREAK, SUPERSCRIPT, POST, TEXT, OTHER = range(
    1, 13
)
PATTERN = rf"""(?:(\*\*|[-+*/^,%@:√]|=(?!=))|({NAME})|([(\[])|([)\]])
|((?>(?:{DIGITS}(?:\.(?:{DIGITS})?)?|\.{DIGITS})(?:[eE][-+]?{DIGITS})?))((?=[A-Za-z(√]))?
|([<>]=?|==|!=|[≤≥≠])|([\n;])|(²+)|(\.\.\.|\.T\b|[{{}}])
|("[^"\n]*"|(?<![\w)\]²'])'[^'\n]*')|\#.*|[ \t\f\v]|(.))[ ]*""".replace("\n", "")

BASES = r"[xX][0-9a-fA-F]|[bB][01]|[oO][0-7]"
"""What follows the 0 in numbers that other languages write."""

HEAD, INPUT = 1, 2
OPENING = (
    rf"[ \t\f\v]*(?:({NAME})(?=[ \t]*\((?:[^()#]|#.*)*\)[ \t]*=(?!=))"
    rf"|(input)(?=[ \t]+(?!(?:{'|'.join(WORDS)})\b)[A-Za-z_]))"
)
"""What a statement may begin with that only a look ahead tells from an expression."""

BLANK = r"(?:\s|#.*)*"
ELSE = r"else\b"

BRACKETS = r"""([(\[])|[)\]]|(?<!\.)\bfor\b(?!\.)|[;{}]|\#.*|"[^"\n]*"|(?<![\w)\]²'])'[^'\n]*'"""
"""What there is to see in a search for comprehensions."""


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Return a pattern, compiled when it is first needed."""
    return re.compile(pattern, re.ASCII)


def tokens(source: Source, sources: Sources) -> Iterator[Token]:
    """Yield the tokens of a source, `END` last; raise `FormulaError` at what is none.

    A newline inside brackets is a space.
    """
    text, start = source.text, source.start
    shape = text if text.isascii() else shape_of(text)
    depth, ends, run_end, goes_on = 0, 0, -1, False
    due: list[int] = []
    each = comprehensions(shape) if "for" in shape else ()
    braces = "{" in shape
    may_open = "=" in shape or "input" in shape
    special, special_at = opening(shape, 0) if may_open else ("", -1)
    for match in compiled(PATTERN).finditer(shape):
        group = match.lastindex
        if group == SIGN:
            sign = match[1]
            yield SPELLINGS.get(sign, sign), sign, start + match.start()
        elif group == WORD:
            word, at = match[2], match.start()
            if shape is not text:
                word = name_at(text, at, match.end(2))
            if word in SPECIAL:
                is_name = word == "to" and not between_bounds(due, depth)
                if word == "in":
                    due.append(depth)
                kind = (special if at == special_at else "NAME") if is_name else word
                yield kind, word, start + at
            elif word.startswith("T."):
                raise trouble("part_t", source, sources, at)
            else:
                yield special if at == special_at else "NAME", word, start + at
        elif group == OPEN:
            depth += 1
            at = match.start()
            kind = match[3]
            if each and at in each:
                kind = "EACH" if kind == "(" else "ROW"
            yield kind, match[3], start + at
        elif group == CLOSE:
            depth -= 1
            yield match[4], match[4], start + match.start()
        elif group == NUMBER:
            yield "NUMBER", match[5], start + match.start()
        elif group == FACTOR:
            kind = factor_kind(shape, match[5], match.end(5))
            if not kind:
                raise trouble("not_decimal", source, sources, match.start())
            yield kind, match[5], start + match.start()
        elif group == RELATION:
            sign = match[7]
            yield "RELATION", SPELLINGS.get(sign, sign), start + match.start()
        elif group == BREAK:
            at = match.start()
            if depth <= 0 and shape.startswith("+", match.end()) and shape[:at].strip():
                raise trouble("leading_plus", source, sources, match.end())
            if braces and depth <= 0 and at >= run_end:
                run_end, goes_on = on(shape, at, ends)
            if match[8] == ";" or (depth <= 0 and not goes_on):
                yield "SEPARATOR", match[8], start + at
                if may_open:
                    special, special_at = opening(shape, match.end(8))
        elif group == SUPERSCRIPT:
            at = match.start()
            yield "SUPERSCRIPT", text[at : match.end(9)], start + at
        elif group == POST:
            yield match[10], match[10], start + match.start()
            if match[10] == "}":
                ends = match.end()
            elif match[10] == "{" and may_open:
                special, special_at = opening(shape, match.end())
        elif group == TEXT:
            at = match.start()
            yield "STRING", text[at : match.end(TEXT)], start + at
        elif group == OTHER:
            raise trouble("bad_character", source, sources, match.start())
    yield END, "", start + len(text)


def opening(shape: str, at: int) -> tuple[str, int]:
    """Return the kind and place of a function's header or an `input` at a statement's start."""
    match = compiled(OPENING).match(shape, at)
    if match is None:
        return "", -1
    return ("HEAD", match.start(HEAD)) if match.lastindex == HEAD else ("input", match.start(INPUT))


def between_bounds(due: list[int], depth: int) -> bool:
    """Tell whether a `to` belongs to the last `in` that waits for one, at the same depth."""
    if due[-1:] != [depth]:
        return False
    due.pop()
    return True


def on(shape: str, at: int, block_end: int) -> tuple[int, bool]:
    """Return where the blank from a newline on ends, and whether what follows goes on with a block.

    That is its `{`, or an `else` after its `}`.
    """
    blank = compiled(BLANK).match(shape, at)
    end = blank.end() if blank else at
    if shape.startswith("{", end):
        return end, True
    otherwise = compiled(ELSE).match(shape, end) is not None
    return end, otherwise and compiled(BLANK).fullmatch(shape, block_end, at) is not None


def comprehensions(shape: str) -> set[int]:
    """Return where the brackets begin that have a comprehension in them."""
    found: set[int] = set()
    opened: list[int] = []
    for match in compiled(BRACKETS).finditer(shape):
        sign = match[0]
        if match[1]:
            opened.append(match.start())
        elif sign in ")]":
            del opened[-1:]
        elif sign in ";{}":
            opened.clear()
        elif sign == "for" and opened:
            found.add(opened[-1])
    return found


def factor_kind(shape: str, number: str, end: int) -> str:
    """Return the kind of a number that a name or a bracket follows, "" for the likes of `0x10`."""
    if number == "0" and compiled(BASES).match(shape, end):
        return ""
    if shape.startswith(WORDS, end) and compiled(rf"(?:{'|'.join(WORDS)})\b").match(shape, end):
        return "NUMBER"
    return "COEF"


def shape_of(text: str) -> str:
    """Return the text with each character replaced by an equivalent that the pattern knows."""
    from .characters import SHAPES

    return text.translate(SHAPES)


def name_at(text: str, start: int, end: int) -> str:
    """Return the name in a part of the text, in normal form; `π` is the name `pi`."""
    from .characters import normal_name

    return normal_name(text[start:end])


def is_name(text: str) -> bool:
    """Tell whether a text reads as a name."""
    shape = text if text.isascii() else shape_of(text)
    named = compiled(NAME).fullmatch(shape) is not None
    return named and text not in RESERVED and "T" not in text.split(".")


def trouble(kind: str, source: Source, sources: Sources, at: int) -> FormulaError:
    """Return the error for a part of the text that is no token."""
    from . import explain

    explained: FormulaError = getattr(explain, kind)(source, sources, at)
    return explained
