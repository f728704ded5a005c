"""What is wrong with a text that is no formula: where, what was found, what was expected, a remedy.

Loaded only on an error. The tables know what was expected as well as Lark does, so Lark is not
loaded.
"""

from __future__ import annotations

import re
import unicodedata

from ..autodiff.errors import FormulaError, Source, Sources
from .driver import RULE, STEP
from .lexer import END, tokens
from .mistakes import MISTAKES, SERIES, Trouble, shown

CHARACTERS = {
    "&": "write `and`",
    "|": "write `or`; the absolute value is abs(x)",
    "!": "write `not`; the factorial of n is gamma(n + 1)",
    "~": "write `not`",
    "¬": "write `not`",
    "∧": "write `and`",
    "\u2228": "write `or`",
    "\\": "inside brackets a newline needs no sign",
    '"': "a text ends with the quote that it begins with",
    "'": "the derivative of f by x is d(f, x)",
    "\u2032": "the derivative of f by x is d(f, x)",
    "∂": "the derivative of f by x is d(f, x)",
    "∫": "cgraph takes derivatives, and no integrals",
    "?": "a choice is written `a if c else b`",
    "—": "a minus is written -",
    "∞": "write inf",
    "°": "write radians(x)",
    "∛": "write cbrt(x)",
    ".": "a number is written 0.5; a dot in a name joins two letters",
}
"""Remedies for characters that begin no token."""

NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
NUMBERS = re.compile(rf"\s*{NUMBER}(?:\s*,\s*{NUMBER})+\s*")
THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2}(?:,\d{3})+")
PRIMED = re.compile(r"(?P<f>[^\W\d][\w.]*)(?P<primes>'+)(?:\((?P<at>[^()']*)\))?")
COEFFICIENT = re.compile(r"(?<![\w.)\]])(\d+\.?\d*|\.\d+)$")
BARS = re.compile(r"\|([^|]*[^|\s])\|")

OPERATORS = (*"+-*/%@^:[(", ".T", "SUPERSCRIPT", "RELATION", "and", "or", "if")
"""Kinds that may follow any value, so that naming them tells nobody anything."""


def unexpected(source: Source, sources: Sources, states: list[int], at: int) -> FormulaError:
    """Return the error for the token at an offset, which no rule allows after these states."""
    trouble = Trouble(source, sources, at)
    for mistake in MISTAKES:
        error = mistake(trouble)
        if error:
            return error
    return trouble.error(f"expected {expected(states)}, found {trouble.name}", comma(trouble))


def expected(states: list[int]) -> str:
    """Return what the tables allow after these states, in words."""
    wanted = accepted(states)
    if END in wanted:
        return "an operator or the end of the statement"
    telling = [kind for kind in wanted if kind not in (*OPERATORS, *SERIES)]
    return " or ".join(map(shown, telling or wanted))


def comma(trouble: Trouble) -> str | None:
    """Return the remedy for a comma that separates what commas do not."""
    if trouble.found[0] != ",":
        return None
    if trouble.open:
        return "an array is written [1, 2]"
    if NUMBERS.fullmatch(trouble.source.text):
        return numbers(trouble.source.text.strip())
    if trouble.last[0] == "NUMBER":
        return "a decimal point is written ."
    return "statements are separated by newlines or ';'"


def numbers(text: str) -> str:
    """Return how numbers with commas between them are written: `1,2,3`, `1,000`, `1,5`."""
    parts = [part.strip() for part in text.split(",")]
    meant: list[str] = []
    if THOUSANDS.fullmatch(text):
        meant.append(f"{''.join(parts)} for thousands")
    if len(parts) == 2:
        meant.append(f"{'.'.join(parts)} for a decimal number")
    if not THOUSANDS.fullmatch(text):
        meant.append(f"[{', '.join(parts)}] for an array")
    return f"write {', '.join(meant)}"


def accepted(states: list[int]) -> list[str]:
    """Return the kinds of token that the tables allow next."""
    made = {symbol for symbol, _, _ in RULE}
    return [kind for kind in STEP[states[-1]] if kind not in made and fits(states, kind)]


def fits(states: list[int], kind: str) -> bool:
    """Tell whether a token of a kind is taken after these states."""
    states = states.copy()
    while (step := STEP[states[-1]].get(kind)) is not None:
        if step >= 0:
            return True
        symbol, count, _ = RULE[~step]
        del states[len(states) - count :]
        states.append(STEP[states[-1]][symbol])
    return False


def no_output(source: Source, sources: Sources) -> FormulaError:
    """Return the error for a text in which nothing is to be computed."""
    place = sources.place(source.start)
    if all(kind in ("SEPARATOR", END) for kind, _, _ in tokens(source, sources)):
        return FormulaError("the formula is empty", place)
    return FormulaError("the program has no output", place, "end it with an expression")


def bad_character(source: Source, sources: Sources, at: int) -> FormulaError:
    """Return the error for a character that begins no token."""
    char = source.text[at]
    if source.text.endswith(".T", 0, at) and char == ".":
        return part_t(source, sources, at - 1)
    code = "" if char.isascii() and char.isprintable() else f" (U+{ord(char):04X})"
    printed = f"'{char}'{code}" if char.isprintable() else code.strip(" ()")
    remedy = foreign(source.text, at) or CHARACTERS.get(char) or plain_spelling(char)
    return FormulaError(f"{printed} has no meaning here", sources.place(source.start + at), remedy)


def foreign(text: str, at: int) -> str | None:
    """Return the remedy for another notation, known by the character that means nothing here."""
    if text[at] == "\\" and text[at + 1 : at + 2].isalpha():
        return "LaTeX is not read: write sin(x), a/b"
    if text[at] == "'":
        return primed(text, at)
    if text[at] == "|":
        return bars(text, at)
    return None


def bars(text: str, at: int) -> str | None:
    """Return how `|x|` and `||x||` are written, None where the first is no opening one."""
    before = text[:at].rstrip()
    factor = COEFFICIENT.search(text, 0, at)
    if (before[-1:].isalnum() or before[-1:] in ("_", ")", "]")) and not factor:
        return None
    norm = text.startswith("||", at)
    inside = BARS.match(text, at + norm)
    called = f"{'norm' if norm else 'abs'}({inside[1].strip()})" if inside else ""
    return f"write {f'{factor[1]}*' if factor else ''}{called}" if inside else None


def primed(text: str, at: int) -> str | None:
    """Return how `f'(2)`, `f''(x)` and `y'` are written."""
    found = next((one for one in PRIMED.finditer(text) if one.start("primes") == at), None)
    if found is None:
        return None
    f, order = found["f"], len(found["primes"])
    more = f", {order}" if order > 1 else ""
    argument = (found["at"] or "").strip()
    if not argument:
        by = "t" if f == "x" else "x"
        return f"the derivative of {f} by {by} is d({f}, {by}{more})"
    if re.fullmatch(NUMBER, argument):
        return f"write d({f}(x), x{more}), and --x {argument}"
    if argument.isidentifier():
        return f"write d({f}({argument}), {argument}{more})"
    return f"write u = {argument}; d({f}(u), u{more})"


def plain_spelling(char: str) -> str | None:
    """Return how to write a raised letter or a fraction that is one character."""
    kind = unicodedata.decomposition(char).partition(" ")[0]
    plain = unicodedata.normalize("NFKC", char).replace("\u2044", "/")
    return {"<super>": f"write ^{plain}", "<fraction>": f"write {plain}"}.get(kind)


def leading_plus(source: Source, sources: Sources, at: int) -> FormulaError:
    """Return the error for a line that begins as if it went on with the line before."""
    return FormulaError(
        "a line cannot begin with '+'",
        sources.place(source.start + at),
        "a line that goes on ends with its operator, or stands in brackets",
    )


def not_decimal(source: Source, sources: Sources, at: int) -> FormulaError:
    """Return the error for `0x10` and the like."""
    end = at + 2
    while source.text[end : end + 1].isalnum():
        end += 1
    number = source.text[at:end]
    try:
        remedy = f"write {int(number, 0)}"
    except ValueError:
        remedy = f"for a product write 0*{number[1:]}"
    place = sources.place(source.start + at, end - at)
    return FormulaError(f"{number} is not a decimal number", place, remedy)


def part_t(source: Source, sources: Sources, at: int) -> FormulaError:
    """Return the error for `T.x`: what is before the dot is no name for something with parts."""
    place = sources.place(source.start + at)
    return FormulaError("no part of a name may be T", place, "x.T is the transpose of x")
