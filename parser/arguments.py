"""The arguments of a call as they are read: values, slices, texts, and those with a name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, NoReturn, TypeAlias

from .expressions import Uneven

if TYPE_CHECKING:
    from .calls import Calls
    from .lexer import Token

ARGUMENT = "give the value alone; to compare, write =="
SLICE = "a slice is an index, as in x[1:3]"


NO_ENTRIES = "NO_ENTRIES"
"""The kind of the token that stands for `[]`."""


class Keyword(NamedTuple):
    """An argument with a name: `axis=0`."""

    name: Token
    value: int | Token


class Slice(NamedTuple):
    """`1:3` or `::2`: the nodes of its three numbers, None for one left out."""

    start: int | None
    stop: int | None
    step: int | None
    at: Token
    """Its first colon."""


Plain: TypeAlias = "int | Slice | Token"
"""An argument without a name: a node, a slice, or the token of a text, of `...` or of `[]`."""

Item: TypeAlias = "Plain | Keyword"
"""An argument."""


def refuse_uneven(items: Sequence[object]) -> None:
    """Raise `FormulaError` for a list that is no array."""
    for item in items:
        if isinstance(item, Uneven):
            raise item.refusal


def no_names(builder: Calls, name: Token) -> NoReturn:
    """Refuse an argument with a name where arguments have none."""
    builder.fail(f"an argument cannot be given by its name, '{name[1]}'", name, ARGUMENT)


def no_value(builder: Calls, item: Item) -> None:
    """Refuse an argument that is no value."""
    if isinstance(item, Keyword):
        no_names(builder, item.name)
    if isinstance(item, Slice):
        builder.fail("a slice is no value", item.at, SLICE)
    if not isinstance(item, int) and item[0] == NO_ENTRIES:
        builder.fail(f"nothing is in the brackets '{item[1]}'", item)
    if not isinstance(item, int):
        told = "'...' is no value" if item[1] == "..." else "this function asks for no text"
        builder.fail(told, item, SLICE if item[1] == "..." else None)


def plain(builder: Calls, signature: str, items: Sequence[Item]) -> None:
    """Refuse what is no value among the arguments of a function that takes only values."""
    refuse_uneven(items)
    for item in items:
        if isinstance(item, Keyword):
            told = f"{signature.partition('(')[0]} takes its arguments without names"
            builder.fail(told, item.name, signature)
        no_value(builder, item)
