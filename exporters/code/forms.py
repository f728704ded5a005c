"""How a target writes each op: as an operator, a call of its own library, or what the row spells.

A form is a text with `{0}`, `{1}` for the arguments, `{args}` for all of them and `{shape}` for an
attribute of that name, `{equation!r}` where it is put in quotes. `{0:60}` is put in brackets unless
it binds at least so tightly; `{0:?}` is wanted as something true or false and not as a number. An
op with more arguments than its form has places is folded from the left. A form in brackets as a
whole sheds them where nobody needs them; one that is a place and nothing else is what stands there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from string import Formatter
from typing import TYPE_CHECKING, NamedTuple

from ...autodiff.ops import OPS

if TYPE_CHECKING:
    from ...autodiff.graph import Nested, Node
    from ...autodiff.ops import Op

CALL, INDEXED, ATOM = 100, 105, 110
"""How tightly a call binds, a name that may have an index, and a name or a number."""

PASSED = "{0}"
"""The form of an op that passes its argument on: it binds as tightly as that."""

COMPARISON, PRODUCT = OPS["less"].precedence, OPS["mul"].precedence
SUM = OPS["add"].precedence
SIGN = OPS["neg"].precedence


class Form(NamedTuple):
    """A text with places for arguments, how tightly it binds, whether it is true or false."""

    text: str
    level: int = CALL
    truth: bool = False


class Piece(NamedTuple):
    """An expression that is written out, how tightly it binds, whether it is true or false."""

    text: str
    level: int = ATOM
    truth: bool = False


def plain_call(name: str) -> Form:
    """Return the call of a function with all arguments in brackets."""
    return Form(f"{name}({{args}})")


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Target:
    """What a language writes otherwise than its neighbours.

    `signs` has its operators by those of formulas (`-x` before `-` for the one of one operand),
    whole forms where they contain a brace;
    `library` gives the function that its own library has for an op, `helpers` the source of those
    that it is given with the code. `number` writes a number, `array` an array where there are any.
    `identifier` makes a name of the language from any name; `reserved` are taken,
    and `functions` where a function is to have the name. `let` writes a
    statement, `call` the call of a function; `suffix` is what its library's names end in,
    `sign` how tightly the minus of a number binds.

    An expression that is used more than once gets a name if it is longer than `shared`,
    any if it is longer than `longest`, and so does the value where the frame asks whether it is nan
    (`asks_value`). Where people read the derivatives, `simplifies` has them simplified.
    `alone` writes the first of numbers that meet no symbol, lest the language work them out.
    `careful` tells, by the last argument where that is a number, whether an op is written with its
    helper although it has a spelling.
    """

    name: str
    title: str
    signs: Mapping[str, str | Form]
    library: Callable[[Op], str | None]
    helpers: Mapping[str, str] = field(default_factory=dict[str, str])
    number: Callable[[float], str]
    array: Callable[[Nested], str] | None = None
    as_number: Form
    as_truth: Form
    brackets: str = "({})"
    suffix: str = ""
    sign: int = SIGN
    call: Callable[[str], Form] = plain_call
    identifier: Callable[[str], str]
    reserved: frozenset[str]
    functions: frozenset[str] = frozenset()
    let: Callable[[str, Piece], str]
    shared: int = 0
    longest: int = 60
    asks_value: bool = True
    alone: Form | None = None
    careful: Mapping[str, Callable[[float | None], bool]] = field(
        default_factory=dict[str, Callable[[float | None], bool]]
    )
    words: Callable[[Node], Mapping[str, object]] | None = None
    """What forms may put in for names besides the attributes."""
    simplifies: bool = False


_ONLY = re.compile(r"\{0:?\??(\d*)\}")
_CALL = re.compile(r"\b([a-z]\w*)\(")


@lru_cache(maxsize=4096)
def form_of(target: Target, op: Op) -> Form | None:
    """Return how a target writes an op, None where it has no word for it."""
    spelled = op.spelling.get(target.name)
    if spelled is not None:
        return _row_form(
            op, _CALL.sub(rf"\1{target.suffix}(", spelled) if target.suffix else spelled
        )
    sign = target.signs.get(f"{op.infix}x") if op.most == 1 else None
    sign = sign or target.signs.get(op.infix or "")
    if sign is not None:
        return sign if isinstance(sign, Form) else _operator(op, sign)
    if op.name in target.helpers:
        return plain_call(op.name)
    called = target.library(op)
    return target.call(called) if called else None


def careful_form(target: Target, op: Op, last: float | None) -> Form | None:
    """Return how a target writes an op whose last argument is a number, None where it is none."""
    asks = target.careful.get(op.name)
    return plain_call(op.name) if asks and asks(last) else form_of(target, op)


def _row_form(op: Op, text: str) -> Form:
    if text[0] == "(" and text[-1] == ")":
        return Form(text[1:-1], 0)
    return Form(text, op.precedence if op.infix and ":" in text else CALL)


def _operator(op: Op, sign: str) -> Form:
    level, truth = op.precedence, op.precedence <= COMPARISON
    if "{" in sign:
        return Form(sign, level, truth)
    if op.most == 1:
        return Form(f"{sign}{{0:{level + 1}}}", level, truth)
    return Form(f"{{0:{level + (level == COMPARISON)}}} {sign} {{1:{level + 1}}}", level, truth)


def filled(target: Target, form: Form, args: Sequence[Piece], attrs: Mapping[str, object]) -> Piece:
    """Return a form with its arguments and attributes put in."""
    places = {name for _, name, _ in _parsed(form.text) if name and name.isdigit()}
    if places and len(args) > len(places):
        first = filled(target, form, args[: len(places)], attrs)
        return filled(target, form, [first, *args[len(places) :]], attrs)
    if form.text == PASSED:
        return args[0]
    text = "".join(
        literal + _place(target, name, wanted, args, attrs)
        for literal, name, wanted in _parsed(form.text)
    )
    begins = form.text.startswith("{0:") and text.startswith(args[0].text)
    return Piece(text, min(form.level, args[0].level) if begins else form.level, form.truth)


def _place(
    target: Target,
    name: str | None,
    wanted: str,
    args: Sequence[Piece],
    attrs: Mapping[str, object],
) -> str:
    if name is None:
        return ""
    if name == "args":
        return ", ".join(number(target, arg).text for arg in args)
    if name.endswith("!r"):
        return repr(attrs[name.removesuffix("!r")])
    if not name.isdigit():
        return str(attrs[name])
    as_asked = truth if wanted[:1] == "?" else number
    return bracketed(target, as_asked(target, args[int(name)]), int(wanted.lstrip("?") or 0))


@lru_cache(maxsize=4096)
def _parsed(text: str) -> list[tuple[str, str | None, str]]:
    """Return the (literal text, name of the place after it or None, its condition) of a form."""
    return [
        (literal, f"{name}!r" if conversion else name, wanted or "")
        for literal, name, wanted, conversion in Formatter().parse(text)
    ]


def number(target: Target, piece: Piece) -> Piece:
    """Return a piece as a number."""
    return _converted(target, piece, target.as_number) if piece.truth else piece


def truth(target: Target, piece: Piece) -> Piece:
    """Return a piece as something true or false."""
    return piece if piece.truth else _converted(target, piece, target.as_truth)


def _converted(target: Target, piece: Piece, form: Form) -> Piece:
    least = int(_ONLY.search(form.text)[1] or 0)  # type: ignore[index]
    inside = bracketed(target, piece, least)
    return Piece(_ONLY.sub(lambda _: inside, form.text), form.level, form.truth)


def bracketed(target: Target, piece: Piece, least: int) -> str:
    """Return a piece's text, in brackets unless it binds at least so tightly."""
    return piece.text if piece.level >= least else target.brackets.format(piece.text)
