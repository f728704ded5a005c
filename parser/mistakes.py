"""The mistakes that people make in formulas, each told from the tokens around the misfit.

A mistake is a small function: trouble in, the error that speaks of it out, or None. `MISTAKES` is
in the order in which they are tried.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import islice, pairwise

from ..autodiff.errors import FormulaError, Source, Sources
from ..autodiff.ops import FUNCTIONS
from .characters import SUPERSCRIPTS
from .lexer import END, RESERVED, Token, tokens

PAIRS = {"(": ")", "[": "]"}
SERIES = {"EACH": "(", "ROW": "["}
"""Brackets with a comprehension in them."""
BEGINS = ("NAME", "HEAD", "NUMBER", "COEF", "STRING", "(", "[", "√")
"""Kinds that begin a value."""
ENDS = ("NAME", "HEAD", "NUMBER", "SUPERSCRIPT", "STRING", ".T", ")", "]")
"""Kinds that end a value."""
FACTORS = ("*", "/", "%", "@")
"""Kinds between the factors of a product."""
POWERS = ("^", "SUPERSCRIPT")
"""Kinds that raise a value."""
BLOCKS = ("while", "for")
"""Words that only begin a block."""
HEADS = {
    "if": "if c { ... } else { ... }",
    "else": "if c { ... } else { ... }",
    "while": "while c { ... }",
    "for": "for i in 1 to n { ... }",
}
"""Blocks by their first words."""
NEAR = 64
"""How many tokens around the mistake are looked at."""
LEIBNIZ = re.compile(r"(?:^|[^\w.])d(\^\d+|[²³])?/d([^\W\d_]\w*?)(\^\d+|[²³])?$")
"""An operator as it is printed in books, before what it is of."""
LONG = 24
"""The longest operand that a report repeats."""

TEXT = "it stands alone, as an argument of a function that asks for one"
"""Where a text in quotes may be."""

FUNCTION = "a function is written f(x) = x^2"
ASSIGNED = "a value is assigned by x = 3"
OUTPUT = "an expression that stands alone is an output"
KNOWN = "functions such as sin are known without it"

BEGINNINGS = {
    **dict.fromkeys(("def", "function", "func", "fn", "fun", "lambda"), FUNCTION),
    **dict.fromkeys(("let", "var", "const", "double", "float", "int", "real", "set"), ASSIGNED),
    **dict.fromkeys(("return", "print", "output", "yield"), OUTPUT),
    **dict.fromkeys(("import", "from", "using", "include"), KNOWN),
    **dict.fromkeys(("lim", "limit"), "cgraph takes no limits; cgraph taylor expands at a point"),
    **dict.fromkeys(("integral", "integrate"), "cgraph takes derivatives, and no integrals"),
}
"""Words that begin a statement in other languages, and what to write here."""

COMPARISONS = {"<>": "write !=", "=>": "write >=", "=<": "write <=", "==>": "write >="}
"""Remedies for comparisons as other languages write them."""

WORDS = {END: "the end of the formula", "NAME": "a name", "NUMBER": "a number", "HEAD": "a name"}


def shown(kind: str, text: str = "") -> str:
    """Return a token, or a kind of token, in words."""
    kind = SERIES.get(kind, kind)
    if kind == "SEPARATOR":
        return "';'" if text == ";" else "the end of the line"
    return f"'{text}'" if text else WORDS.get(kind, f"'{kind}'")


class Trouble:
    """The token that does not fit, and what stands around it."""

    def __init__(self, source: Source, sources: Sources, at: int) -> None:
        self.source = source
        self.sources = sources
        self.first: Token | None = None
        """The first token of the statement."""
        self.assigns = False
        """Whether the statement has had a '='."""
        self.open: list[Token] = []
        """The brackets that are open."""
        self.blocks: list[Token] = []
        """The blocks that are open."""
        self.before: deque[Token] = deque(maxlen=NEAR)
        """The tokens of the statement before it."""
        stream = tokens(source, sources)
        for self.found in stream:
            if self.found[2] >= at:
                break
            self.pass_by(self.found)
        self.after = following(stream)

    def pass_by(self, token: Token) -> None:
        """Take note of a token before the one that does not fit."""
        kind = token[1] if token[0] in SERIES else token[0]
        if kind in ("SEPARATOR", "{", "}"):
            self.first, self.assigns = None, False
            self.before.clear()
            if kind == "{":
                self.blocks.append(token)
            elif kind == "}":
                self.blocks.pop()
                self.before.append(token)
            return
        self.first = self.first or token
        self.assigns |= kind == "="
        self.before.append(token)
        if kind in PAIRS:
            self.open.append(token)
        elif kind in PAIRS.values():
            self.open.pop()

    @property
    def name(self) -> str:
        """The token in words."""
        return shown(self.found[0], self.found[1])

    @property
    def last(self) -> Token:
        """The token before it in the statement; its kind is empty at the statement's start."""
        return self.before[-1] if self.before else ("", "", self.found[2])

    def first_word(self, *words: str) -> bool:
        """Tell whether the statement begins with one of these words."""
        return self.first is not None and self.first[0] in words

    def text(self, start: int, end: int) -> str:
        """Return what the source says between two offsets."""
        return self.source.text[start - self.source.start : end - self.source.start]

    def error(self, message: str, hint: str | None = None, at: Token | None = None) -> FormulaError:
        """Return an error at a token, the one that does not fit if none is given."""
        _, text, offset = at or self.found
        return FormulaError(message, self.sources.place(offset, len(text)), hint)


def following(stream: Iterator[Token]) -> list[Token]:
    """Return some of the tokens to come, as far as they are tokens."""
    found: list[Token] = []
    with suppress(FormulaError):
        found.extend(islice(stream, NEAR))
    return found


# -- operands as a reader sees them ---------------------------------------------------------------


def operand_before(trouble: Trouble, tokens: Sequence[Token], end: int) -> tuple[int, str]:
    """Return the offset and the text of the value that ends with the last of some tokens."""
    start = tokens[operand_start(tokens)][2]
    return start, trouble.text(start, end).strip()


def operand_start(tokens: Sequence[Token]) -> int:
    """Return where the value begins that ends with the last of some tokens."""
    at = len(tokens) - 1
    while at > 0:
        if tokens[at][0] in PAIRS.values():
            at = opening_before(tokens, at)
        before = tokens[at - 1][0] if at > 0 else ""
        called = tokens[at][0] == "(" and before == "NAME"
        indexed = tokens[at][0] == "[" and before in ENDS
        if not (called or indexed or tokens[at][0] in ("SUPERSCRIPT", ".T")):
            break
        at -= 1
    return at


def product_start(tokens: Sequence[Token]) -> tuple[int, int]:
    """Return where the product begins that ends with the last of some tokens, and its last factor.

    `a*b^2/c` is one value to what divides it further: a reading of a part of it would be another.
    """
    at = operand_start(tokens)
    factor: int | None = None
    while True:
        while at > 0 and tokens[at - 1][0] in ("√", "COEF"):
            at -= 1
        sign = at
        while sign > 0 and tokens[sign - 1][0] in ("+", "-"):
            sign -= 1
        joint = tokens[sign - 1][0] if sign > 1 else ""
        if factor is None and joint != "^":
            factor = at
        if joint not in (*FACTORS, "^"):
            return at, at if factor is None else factor
        at = operand_start(tokens[: sign - 1])


def opening_before(tokens: Sequence[Token], at: int) -> int:
    """Return where the bracket is opened that closes at an index, 0 where that is far away."""
    depth = 0
    while at > 0:
        depth += (tokens[at][0] in PAIRS.values()) - (tokens[at][0] in PAIRS)
        if depth == 0:
            break
        at -= 1
    return at


def operand_after(trouble: Trouble, tokens: Sequence[Token], through: Sequence[str] = ()) -> str:
    """Return the text of the value that begins with the first of some tokens.

    What is joined to it by tokens of the kinds in `through` is a part of it.
    """
    end = extent(tokens, through)
    if end < len(tokens) - 1:
        return trouble.text(tokens[0][2], tokens[end + 1][2]).strip()
    depth = sum((one[0] in PAIRS) - (one[0] in PAIRS.values()) for one in tokens[:-1])
    return tokens[-1][1] if depth == 0 else "(...)"


def extent(tokens: Sequence[Token], through: Sequence[str] = ()) -> int:
    """Return the place of the last token of the value that begins with the first of some."""
    depth = 0
    for k, (this, after) in enumerate(pairwise(tokens)):
        depth += (this[0] in PAIRS) - (this[0] in PAIRS.values())
        goes_on = after[0] in ("[", ".T", *through) or (this[0] == "NAME" and after[0] == "(")
        if through:
            goes_on |= this[0] in through and this[0] != "SUPERSCRIPT"
            goes_on |= this[0] in ("+", "-")
        if depth == 0 and this[0] not in ("√", "COEF") and not goes_on:
            return k
    return len(tokens) - 1


def short(text: str) -> str:
    """Return an operand, or dots for one that is too long to repeat."""
    return text if len(text) <= LONG and "\n" not in text else "(...)"


# -- the mistakes ---------------------------------------------------------------------------------


def closing(trouble: Trouble) -> FormulaError | None:
    """`x)`, `(x]`."""
    bracket = trouble.found[0]
    if bracket not in PAIRS.values() and (bracket != "}" or trouble.blocks):
        return None
    if not trouble.open:
        return trouble.error(f"'{bracket}' closes nothing")
    opening = trouble.open[-1][1]
    if PAIRS[opening] != bracket:
        return trouble.error(f"'{bracket}' cannot close '{opening}'", f"write '{PAIRS[opening]}'")
    return None


def unclosed(trouble: Trouble) -> FormulaError | None:
    """`(x + y`, and what comes of it on the next line; `if c { x`."""
    if not trouble.open:
        if trouble.found[0] == END and trouble.blocks and not trouble.first_word("if", "for"):
            return trouble.error("'{' is never closed", at=trouble.blocks[-1])
        return None
    between = trouble.text(trouble.last[2], trouble.found[2])
    goes_on = trouble.last[0] in ENDS and trouble.found[0] in BEGINS and "\n" in between
    if trouble.found[0] in (END, "SEPARATOR", "{", "}") or goes_on:
        opening = trouble.open[-1]
        return trouble.error(f"'{opening[1]}' is never closed", at=opening)
    return None


def two_readings(trouble: Trouble) -> FormulaError | None:
    """`1/2x`, `x^2/3y`, `x^2y`, `√2x`."""
    before = list(trouble.before)
    while before and before[-1][0] in ("+", "-"):
        before.pop()
    if trouble.found[0] != "COEF" or not before or before[-1][0] not in ("/", "%", "^", "√"):
        return None
    joint = before[-1]
    number = trouble.text(joint[2] + len(joint[1]), trouble.after[0][2]).strip()
    start, factor = product_start(before if joint[0] == "√" else before[:-1])
    if before[factor][1] in FUNCTIONS and factor == len(before) - 2 and joint[0] == "^":
        argument = short(operand_after(trouble, trouble.after))
        return powered(trouble, before[factor], number, argument)
    right = operand_after(trouble, trouble.after, POWERS)
    if joint[0] in "^√" and not any(kind in ("/", "%") for kind, _, _ in before[start:factor]):
        start = factor
    at = before[start][2]
    whole = trouble.text(at, trouble.after[0][2] + len(right))
    left = shortened(trouble, before, start, factor) + joint[1]
    quoted = f"'{whole}'" if short(whole) == whole else "this"
    right = short(right)
    one = f"{left}({number}*{right})"
    plain = joint[0] in "^√" and start == factor
    other = f"{left}{number}*{right}" if plain else f"({left}{number})*{right}"
    return trouble.error(
        f"{quoted} can be read two ways", f"write {one} or {other}", ("", whole, at)
    )


def shortened(trouble: Trouble, tokens: Sequence[Token], start: int, factor: int) -> str:
    """Return the text of a product up to the last of some tokens, dots for what is long.

    A power is of the last factor alone, so the factors before it are one value and it is another.
    """
    end = tokens[-1][2]
    if tokens[-1][0] in FACTORS or start == factor:
        return short(trouble.text(tokens[start][2], end).strip())
    sign = factor - 1
    while tokens[sign][0] not in FACTORS:
        sign -= 1
    dividend = short(trouble.text(tokens[start][2], tokens[sign][2]).strip())
    between = trouble.text(tokens[sign][2], tokens[factor][2]).strip()
    return f"{dividend}{between}{short(trouble.text(tokens[factor][2], end).strip())}"


def powered(trouble: Trouble, name: Token, power: str, argument: str) -> FormulaError:
    """Return the error for `sin^2(x)` and `sin²x`."""
    function, argument = name[1], argument.removeprefix("(").removesuffix(")")
    inverse = f"a{function}"
    remedy = f"{function}({argument})^{power}"
    if power == "-1" and inverse in FUNCTIONS:
        remedy = f"{inverse}({argument}) or 1/{function}({argument})"
    return trouble.error(f"{function} needs brackets", f"write {remedy}", name)


def block(trouble: Trouble) -> FormulaError | None:
    """`if x > 0 y`, `else`, `} x`, `for i in 1`."""
    last, found = trouble.last, trouble.found
    if last[0] == "}" and found[0] not in ("else", "}"):
        remedy = "a statement after a block begins on a new line, or after ';'"
        return trouble.error(f"{trouble.name} cannot follow '}}'", remedy)
    if found[0] == "else" and not any(kind == "if" for kind, _, _ in trouble.before):
        return trouble.error("'else' belongs to no 'if'", f"write {HEADS['else']}")
    word = trouble.first[0] if trouble.first else ""
    if word not in HEADS or trouble.open or (word != "for" and last[0] not in (*ENDS, "else")):
        return None
    if word == "for":
        return trouble.error(f"a loop cannot go on with {trouble.name}", f"write {HEADS[word]}")
    return trouble.error(f"a block is missing after '{word}'", f"write {HEADS[word]}")


def stray(trouble: Trouble) -> FormulaError | None:
    """`(i for i in 1 to 3)`, and a bracket that is closed nowhere before a `for`."""
    kind, sign, _ = trouble.found
    if kind not in SERIES:
        return None
    depth = 1
    for after in trouble.after:
        depth += (after[1] in PAIRS) - (after[1] in PAIRS.values())
        if depth == 0:
            remedy = "write sum(f(i) for i in 1 to n) or [f(i) for i in 1 to n]"
            return trouble.error("a comprehension stands in a call or in a list", remedy)
    return trouble.error(f"'{sign}' is never closed")


def comprehension(trouble: Trouble) -> FormulaError | None:
    """`sum(i for i in 1, 3)`."""
    if not trouble.open or trouble.open[-1][0] not in SERIES:
        return None
    return trouble.error(
        f"a comprehension cannot go on with {trouble.name}", "write f(i) for i in 1 to n"
    )


def brace(trouble: Trouble) -> FormulaError | None:
    """`x_{1}`, `{x}`."""
    if trouble.found[0] != "{" or trouble.first_word(*HEADS):
        return None
    return trouble.error("'{' has no meaning here", "brackets are written ( )")


def declaration(trouble: Trouble) -> FormulaError | None:
    """`input x y`."""
    if trouble.assigns or not trouble.first or trouble.first[0] != "input":
        return None
    name = trouble.before[1][1] if len(trouble.before) > 1 else "x"
    remedy = f"write input {name}, input {name} = 0.5, or input {name}: (10, 2)"
    return trouble.error(f"an input cannot go on with {trouble.name}", remedy)


def parameters(trouble: Trouble) -> FormulaError | None:
    """`f(x + 1) = 2`."""
    if trouble.assigns or not trouble.first or trouble.first[0] != "HEAD":
        return None
    name = trouble.first[1]
    return trouble.error(
        f"the parameters of '{name}' are names, and {trouble.name} is none",
        "to compare, write ==",
    )


def reserved(trouble: Trouble) -> FormulaError | None:
    """`in + 1`, `if = 3`."""
    word = trouble.found[0]
    if word == "=" and trouble.last[0] in HEADS and trouble.last == trouble.first:
        told = f"'{trouble.last[0]}' is a reserved word and cannot be a name"
        return trouble.error(told, at=trouble.last)
    assigned = bool(trouble.after) and trouble.after[0][0] == "="
    if word in RESERVED and (assigned or word == "in" or (word in BLOCKS and trouble.last[0])):
        if word in BLOCKS and trouble.last[0] == "}":
            return None
        return trouble.error(f"'{word}' is a reserved word and cannot be a name")
    return None


def elsewhere(trouble: Trouble) -> FormulaError | None:
    """`def f(x)`, `let x = 3`, `return x`, `lim x`: a word of another language begins it."""
    last, found = trouble.last, trouble.found
    remedy = BEGINNINGS.get(last[1])
    if len(trouble.before) != 1 or remedy is None or found[0] not in BEGINS:
        return None
    assigns = next((token[1] for token in trouble.after), "") == "="
    if last[1] in FUNCTIONS and not assigns:
        return None
    return trouble.error(f"'{last[1]}' does not begin a statement", remedy, last)


def no_operator(trouble: Trouble) -> FormulaError | None:
    """`x y`, `(a)(b)`, `2 x`, `sin x`, `d/dx x^2`."""
    last, found = trouble.last, trouble.found
    if last[0] not in ENDS or found[0] not in BEGINS:
        return None
    if "STRING" in (last[0], found[0]):
        return trouble.error("a text is no value", TEXT)
    after = [found, *trouble.after]
    before = trouble.before[-2] if len(trouble.before) > 1 else last
    if last[0] == "SUPERSCRIPT" and before[1] in FUNCTIONS:
        argument = short(operand_after(trouble, after))
        return powered(trouble, before, last[1].translate(SUPERSCRIPTS), argument)
    if last[1] in FUNCTIONS:
        return trouble.error(f"{last[1]} needs brackets", f"write {called(trouble, after)}", last)
    right = short(operand_after(trouble, after, POWERS))
    tokens = list(trouble.before)
    derivative = leibniz(trouble, tokens, after)
    if derivative:
        return trouble.error("d/dx is no operator", derivative, tokens[-1])
    left = short(operand_before(trouble, tokens, found[2])[1])
    start, factor = product_start(tokens)
    product = short(trouble.text(tokens[factor][2], found[2]).strip())
    remedy = f"{product}*{right}"
    if any(kind in ("/", "%") for kind, _, _ in tokens[start:factor]):
        whole = short(trouble.text(tokens[start][2], found[2]).strip())
        head = trouble.text(tokens[start][2], tokens[factor][2]).strip()
        remedy = f"({whole})*{right}"
        if short(head) == head:
            remedy = f"{head}({product}*{right}) or {remedy}"
    return trouble.error(
        f"there is no operator between '{left}' and '{right}'", f"to multiply, write {remedy}"
    )


def called(trouble: Trouble, after: Sequence[Token]) -> str:
    """Return how the call of the last name is written with brackets: both ways where there are two.

    `sin x^2` may be sin(x^2) or sin(x)^2.
    """
    name, through = trouble.last[1], (*POWERS, *FACTORS)
    first = operand_after(trouble, after)
    whole = operand_after(trouble, after, through)
    end = extent(after, through) + 1
    if whole == first or (end < len(after) and after[end][0] in BEGINS):
        return f"{name}({short(first)})"
    rest = whole.removeprefix(first).strip()
    return f"{name}({short(whole)}) or {name}({short(first)}){short(rest)}"


def leibniz(trouble: Trouble, tokens: Sequence[Token], after: Sequence[Token]) -> str | None:
    """Return how `d/dx x^2` and `d^2/dx^2 sin(x)` are written."""
    found = LEIBNIZ.search("".join(text for _, text, _ in tokens))
    if not found or found[1] != found[3]:
        return None
    order = (found[1] or "").translate(SUPERSCRIPTS).removeprefix("^")
    end = extent(after, POWERS) + 1
    alone = end < len(after) and after[end][0] in (END, "SEPARATOR")
    of = short(operand_after(trouble, after, POWERS)) if alone else "f"
    return f"write d({of}, {found[2]}{f', {order}' if order else ''})"


def equals(trouble: Trouble) -> FormulaError | None:
    """`x = y = 3`, `x + y = 3`."""
    if trouble.found[0] != "=":
        return None
    if not trouble.first:
        return trouble.error("a statement cannot begin with '='", "leave it out")
    name, sign = trouble.first, trouble.last[0]
    updates = len(trouble.before) == 2 and sign in ("+", "-", "*", "/", "%", "^")
    return trouble.error(
        "'=' gives a value to one name, at the start of a statement",
        f"write {name[1]} = {name[1]} {sign} ..." if updates else "to compare, write ==",
    )


def colon(trouble: Trouble) -> FormulaError | None:
    """`x: 3`, `v[1:2:3:4]`."""
    if trouble.found[0] != ":":
        return None
    if trouble.open and trouble.open[-1][0] == "[":
        return trouble.error("a slice is start:stop or start:stop:step")
    if trouble.after and trouble.after[0][0] == "=":
        return trouble.error("':' has no meaning here", "a value is assigned by =")
    return trouble.error("':' has no meaning here", "a shape is given by input X: (10, 2)")


def text(trouble: Trouble) -> FormulaError | None:
    """`"x" + 1`, `v["x"]`."""
    token = trouble.found if trouble.found[0] == "STRING" else trouble.last
    return trouble.error("a text is no value", TEXT, token) if token[0] == "STRING" else None


def no_value(trouble: Trouble) -> FormulaError | None:
    """`x +`, `* x`, `f(,)`, `()`."""
    last, found = trouble.last, trouble.found
    if last[0] in ENDS or found[0] in BEGINS:
        return None
    if not last[0] or last[0] == "}":
        return trouble.error(f"a value is missing before {trouble.name}")
    if last[0] in PAIRS and found[0] in PAIRS.values():
        return trouble.error(f"nothing is in the brackets '{last[0]}{found[0]}'", at=last)
    remedy = COMPARISONS.get(last[1] + found[1])
    if last[1] + found[1] == "->":
        remedy = FUNCTION
    if found[0] == "if":
        remedy = "a choice is written `a if c else b`"
    if found[1] == "\n":
        remedy = "a newline ends a statement, but not inside brackets"
    return trouble.error(f"a value is missing between '{last[1]}' and {trouble.name}", remedy)


MISTAKES: tuple[Callable[[Trouble], FormulaError | None], ...] = (
    closing,
    unclosed,
    two_readings,
    reserved,
    block,
    declaration,
    parameters,
    brace,
    stray,
    elsewhere,
    no_operator,
    equals,
    colon,
    text,
    no_value,
    comprehension,
)
