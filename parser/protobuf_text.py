"""Protobuf's text format (.pbtxt), as much of it as a GraphDef needs, read without protobuf.

The result is the same tree as that of the JSON mapping, with its names in snake case: whoever reads
the one reads the other. Texts that are bytes there, as attributes have them, are base64 here too.
"""

from __future__ import annotations

import math
import re
from base64 import b64encode
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from ..autodiff.errors import DataError, Sources

if TYPE_CHECKING:
    from .json_text import Json

    Message = dict[str, Json]

TOKEN = re.compile(
    r"""(?:\s++|\#[^\n]*+)*+(?:
    (?P<word>[A-Za-z_]\w*)
    |(?P<number>(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fF]?))
    |(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<sign>[-{}<>:\[\],;])
    |(?P<end>\Z))""",
    re.VERBOSE,
)

BLANK = re.compile(r"(?:\s++|#[^\n]*+)*+")

GRAPH = re.compile(
    r"[\ufeff\s]*+(?:#[^\n]*+\n\s*+)*+(?:node|versions|library|debug_info)\s*+:?\s*+(?:\{|\[\s*+\{)"
)
"""How a GraphDef in this format begins; no formula does."""

CLOSING = {"{": "}", "<": ">"}

REPEATED = {"node", "input", "dim", "key_value"} | {
    f"{kind}_val"
    for kind in ("double", "float", "int", "int64", "bool", "half", "uint32", "uint64", "string")
}
"""Fields that stand as often as there are values; so does every field of a `list`."""

BYTES = {"s", "tensor_content", "string_val"}
"""Fields that are bytes; other texts are in UTF-8."""

ESCAPE = re.compile(
    rb"\\(?:([0-7]{1,3})|[xX]([0-9a-fA-F]{1,2})|(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})|(.))"
)
PLAIN = dict(zip(b"abfnrtv", b"\a\b\f\n\r\t\v", strict=True))

WORDS: dict[str, Json] = {
    **dict.fromkeys(("true", "True", "t"), True),
    **dict.fromkeys(("false", "False", "f"), False),
}

INFINITE = ("inf", "infinity", "nan")

DEEPEST = 100
"""Messages in messages beyond this depth are refused."""


LONGEST = 25
"""A number of so many digits is no whole number that a field holds."""


class Token(NamedTuple):
    """A word, a number, a text, a sign or the end: its kind, how it is written, and where."""

    kind: str
    text: str
    at: int


def is_graph(text: str) -> bool:
    """Tell whether a text is a GraphDef in this format."""
    return GRAPH.match(text) is not None


def decoded(text: str, sources: Sources, start: int) -> Json:
    """Return what a text says, whose places count from `start`. Raises `DataError`."""
    return Reader(text, sources, start).read()


class Reader:
    """A text being read, and the messages that are open: each with its name and its bracket."""

    def __init__(self, text: str, sources: Sources, start: int) -> None:
        self.text = text.replace("\ufeff", " ", 1) if text.startswith("\ufeff") else text
        self.sources = sources
        self.start = start
        self.at = 0

    def read(self) -> Message:
        """Return the message that the text is."""
        return self.message("", "", 0)

    def message(self, parent: str, bracket: str, depth: int) -> Message:
        """Return the message that a field called `parent` holds, up to its closing bracket."""
        found: Message = {}
        while True:
            token = self.next()
            if token.kind == "end" and not bracket:
                return found
            if bracket and token.text == bracket and token.kind == "sign":
                return found
            if token.kind == "word":
                if depth > DEEPEST:
                    self.fail("nested too deeply", token)
                self.field(token.text, found, parent, depth)
            elif token.text not in (",", ";") or token.kind != "sign":
                wanted = f"a field or {bracket}" if bracket else "a field"
                self.fail(f"expected {wanted}", token)

    def field(self, name: str, message: Message, parent: str, depth: int) -> None:
        """Read what a field holds."""
        token = self.next()
        colon = token.kind == "sign" and token.text == ":"
        token = self.next() if colon else token
        if token.kind == "sign" and token.text == "[":
            self.listing(name, message, parent, depth)
        elif colon or (token.kind == "sign" and token.text in CLOSING):
            enter(message, name, self.held(name, token, depth), parent)
        else:
            self.fail(f"expected : or {{ after {name}", token)

    def listing(self, name: str, message: Message, parent: str, depth: int) -> None:
        """Read values or messages in brackets, each as if it stood by itself."""
        token = self.next()
        while token.text != "]":
            enter(message, name, self.held(name, token, depth), parent)
            token = self.next()
            if token.text == ",":
                token = self.next()
            elif token.text != "]":
                self.fail("expected , or ]", token)

    def held(self, name: str, token: Token, depth: int) -> Json:
        """Return the message or the value that begins with a token."""
        if token.kind == "sign" and token.text in CLOSING:
            return self.message(name, CLOSING[token.text], depth + 1)
        return self.value(name, token)

    def value(self, name: str, token: Token) -> Json:
        """Return a number, a text, or the word of an enumeration."""
        sign = ""
        if token.kind == "sign" and token.text == "-":
            sign, token = "-", self.next()
        if token.kind == "number":
            found = number(sign, token.text)
            if abs(found) == math.inf:
                self.fail("the number is too large for a float64", token)
            return found
        if token.kind == "word" and token.text.lower() in INFINITE:
            return float(sign + token.text)
        if token.kind == "word" and not sign:
            return WORDS.get(token.text, token.text)
        if token.kind == "text" and not sign:
            return self.string(name, token)
        self.fail(f"expected what {name} is", token)

    def string(self, name: str, token: Token) -> str:
        """Return a text, and those that follow it, as one."""
        held = unescaped(token.text)
        while (found := TOKEN.match(self.text, self.at)) and found["text"]:
            held += unescaped(self.next().text)
        if name in BYTES:
            return b64encode(held).decode()
        try:
            return held.decode()
        except UnicodeDecodeError:
            self.fail(f"{name} is not text in UTF-8", token)

    def next(self) -> Token:
        """Return the next token."""
        found = TOKEN.match(self.text, self.at)
        if found is None or found.lastgroup is None:
            blank = BLANK.match(self.text, self.at)
            at = blank.end() if blank else self.at
            self.fail("unexpected sign", Token("sign", self.text[at], at))
        self.at = found.end()
        kind = found.lastgroup
        return Token(kind, found[kind], found.start(kind))

    def fail(self, what: str, token: Token) -> NoReturn:
        """Raise `DataError` at a token."""
        told = f"not a GraphDef in protobuf's text format: {what}"
        place = self.sources.place(self.start + token.at, max(1, len(token.text)))
        raise DataError(told, place)


def enter(message: Message, name: str, value: Json, parent: str) -> None:
    """Put a value into a message, whose own field is called `parent`."""
    if name == "attr" and isinstance(value, dict):
        held = message.setdefault("attr", {})
        if isinstance(held, dict):
            held[str(value.get("key", ""))] = value.get("value", {})
    elif parent == "list" or name in REPEATED:
        many = message.setdefault(name, [])
        if isinstance(many, list):
            many.append(value)
    else:
        message[name] = value


def number(sign: str, digits: str) -> int | float:
    """Return a number: whole ones in tens, eights or sixteens."""
    if digits[:2].lower() == "0x":
        found: int | float = int(digits, 16)
    elif digits.isdigit() and len(digits) < LONGEST:
        in_eights = digits[0] == "0" and not digits.strip("01234567")
        found = int(digits, 8 if in_eights else 10)
    else:
        found = float(digits.rstrip("fF"))
    return (-found or -0.0) if sign else found


def unescaped(text: str) -> bytes:
    """Return what a text in quotes says."""
    return ESCAPE.sub(_escaped, text[1:-1].encode())


def _escaped(found: re.Match[bytes]) -> bytes:
    eights, sixteens, letter, sign = found.groups()
    if eights or sixteens:
        return bytes([int(eights or sixteens, 8 if eights else 16) & 255])
    if letter:
        return chr(min(int(letter[1:], 16), 0x10FFFF)).encode(errors="replace")
    return bytes([PLAIN.get(sign[0], sign[0])])
