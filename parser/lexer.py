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

HOLDING = {"(": "EACH", "[": "ROW"}
"""The kinds of brackets that hold a comprehension."""

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
    reading = Reading(source, sources)
    text, shape, start = source.text, reading.shape, source.start
    each = comprehensions(shape) if "for" in shape else ()
    for match in compiled(PATTERN).finditer(shape):
        group, at = match.lastindex, match.start()
        if group == SIGN:
            sign = match[1]
            yield SPELLINGS.get(sign, sign), sign, start + at
        elif group == WORD:
            word = match[2] if shape is text else name_at(text, at, match.end(2))
            plain = word not in SPECIAL and at != reading.special_at and word[:2] != "T."
            yield "NAME" if plain else reading.word(word, at), word, start + at
        elif group == OPEN:
            reading.depth += 1
            bracket = match[3]
            yield HOLDING[bracket] if at in each else bracket, bracket, start + at
        elif group == CLOSE:
            reading.depth -= 1
            yield match[4], match[4], start + at
        elif group == NUMBER:
            yield "NUMBER", match[5], start + at
        elif group == RELATION:
            sign = match[7]
            yield "RELATION", SPELLINGS.get(sign, sign), start + at
        elif group is not None:
            kind = reading.rarer(group, match)
            if kind:
                written = text if group in (SUPERSCRIPT, TEXT) else shape
                yield kind, written[at : match.end(group)], start + at
    yield END, "", start + len(text)


class Reading:
    """A text on its way to tokens: what those that have been say of those to come.

    `depth` counts the brackets that are open. What stands at `special_at` is of the kind `special`:
    the begin of a statement that only a look ahead tells from an expression.
    """

    def __init__(self, source: Source, sources: Sources) -> None:
        text = source.text
        self.source, self.sources = source, sources
        self.shape = shape = text if text.isascii() else shape_of(text)
        self.depth = 0
        self.special, self.special_at = "", -1
        self._looks_ahead = "=" in shape or "input" in shape
        self._braces = "{" in shape
        self._due: list[int] = []
        """The depths at which an `in` waits for its `to`."""
        self._block_end = 0
        """Where the last `}` ends."""
        self._blank_end, self._goes_on = -1, False
        self.begin(0)

    def begin(self, at: int) -> None:
        """Look ahead at what a statement begins with."""
        if self._looks_ahead:
            self.special, self.special_at = opening(self.shape, at)

    def word(self, word: str, at: int) -> str:
        """Return the kind of a word that may be more than a name."""
        if word.startswith("T."):
            raise trouble("part_t", self.source, self.sources, at)
        if word == "in":
            self._due.append(self.depth)
        if word in RESERVED or (word == "to" and between_bounds(self._due, self.depth)):
            return word
        return self.special if at == self.special_at else "NAME"

    def rarer(self, group: int, match: re.Match[str]) -> str:
        """Return the kind of what formulas have less often, nothing for a break that is a space."""
        if group == FACTOR:
            kind = factor_kind(self.shape, match[5], match.end(5))
            if not kind:
                raise trouble("not_decimal", self.source, self.sources, match.start())
            return kind
        if group == BREAK:
            return "SEPARATOR" if self.separates(match[8], match) else ""
        if group == POST:
            return self.brace(match[10], match.end())
        if group == OTHER:
            raise trouble("bad_character", self.source, self.sources, match.start())
        return "STRING" if group == TEXT else "SUPERSCRIPT"

    def separates(self, sign: str, match: re.Match[str]) -> bool:
        """Tell whether a newline or a `;` ends a statement."""
        shape, at, outside = self.shape, match.start(), self.depth <= 0
        if outside and shape.startswith("+", match.end()) and shape[:at].strip():
            raise trouble("leading_plus", self.source, self.sources, match.end())
        if self._braces and outside and at >= self._blank_end:
            self._blank_end, self._goes_on = on(shape, at, self._block_end)
        ends = sign == ";" or (outside and not self._goes_on)
        if ends:
            self.begin(match.end(BREAK))
        return ends

    def brace(self, sign: str, end: int) -> str:
        """Return the kind of a brace, of `.T` or of `...`, which is the sign itself."""
        if sign == "}":
            self._block_end = end
        elif sign == "{":
            self.begin(end)
        return sign


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
    return named and text not in RESERVED and not text.startswith("T.")


def trouble(kind: str, source: Source, sources: Sources, at: int) -> FormulaError:
    """Return the error for a part of the text that is no token."""
    from . import explain

    explained: FormulaError = getattr(explain, kind)(source, sources, at)
    return explained
