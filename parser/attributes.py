"""Attributes in calls, known while a text is read: by name, or after the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..autodiff.errors import did_you_mean
from ..autodiff.ops import FUNCTIONS, Attr, Builtin, lookup
from ..autodiff.ops.table import REQUIRED
from .arguments import Item, Keyword, Plain, Slice, no_names, no_value, refuse_uneven
from .kinds import read

if TYPE_CHECKING:
    from .calls import Calls
    from .lexer import Token


class Call(NamedTuple):
    """A call as it is settled: what is called, at which nodes, with which attributes."""

    row: Builtin
    nodes: tuple[int, ...]
    attrs: tuple[Any, ...]


def settled(builder: Calls, name: Token, items: Sequence[Item]) -> Call:
    """Return what a call with attributes means. Raises `FormulaError` where it means nothing."""
    given, named = parted(builder, items)
    listed = list_of(builder, name, given)
    if listed is None:
        refuse_uneven(given)
        given, named = with_text(name, given, named)
    row, nodes, rest = listed or row_of(builder, name, given, named)
    found: dict[str, Any] = {}
    for attr, values in shared(builder, name, row, rest):
        found[attr.name] = read(builder, name[1], name, attr, values)
    for keyword in named:
        attr = attribute(builder, row, keyword.name)
        if attr.name in found:
            builder.fail(f"'{attr.name}' is given twice", keyword.name, row.usage)
        found[attr.name] = read(builder, name[1], keyword.name, attr, [keyword.value])
    attrs = [one(builder, name, row, attr, found) for attr in row.attributes]
    told = row.misfit and row.misfit(attrs)
    if told:
        builder.fail(told, name, row.usage)
    return Call(row, nodes, tuple(attrs))


def one(builder: Calls, name: Token, row: Builtin, attr: Attr, found: dict[str, Any]) -> Any:
    """Return the value of an attribute: as given, else its default."""
    if attr.name in found:
        return found[attr.name]
    if attr.kind == "serial":
        return builder.serial()
    if attr.default == REQUIRED:
        builder.fail(f"{name[1]} needs its {attr.name}", name, row.usage)
    return attr.default


def parted(builder: Calls, items: Sequence[Item]) -> tuple[list[Plain], list[Keyword]]:
    """Return the arguments without a name and those with one; these are last."""
    given: list[Plain] = []
    named: list[Keyword] = []
    for item in items:
        if isinstance(item, Keyword):
            named.append(item)
        elif named:
            builder.fail(
                f"'{named[-1].name[1]}=' comes before an argument without a name",
                named[-1].name,
                "put those with names last",
            )
        else:
            given.append(item)
    return given, named


def with_text(
    name: Token, given: list[Plain], named: list[Keyword]
) -> tuple[list[Plain], list[Keyword]]:
    """Return the arguments with a text in quotes, wherever it stands, as the attribute it is."""
    rows = FUNCTIONS.get(name[1], ())
    attr = next((attr for row in rows for attr in asked(row) if attr.kind == "text"), None)
    texts = [it for it in given if not isinstance(it, int | Slice) and it[0] == "STRING"]
    if not attr or not texts:
        return given, named
    named = [Keyword(("NAME", attr.name, text[2]), text) for text in texts] + named
    return [item for item in given if item not in texts], named


def row_of(
    builder: Calls, name: Token, given: Sequence[Plain], named: Sequence[Keyword]
) -> tuple[Builtin, tuple[int, ...], Sequence[Plain]]:
    """Return what is called, the nodes of its arguments, and the other arguments without a name."""
    nodes = [item for item in given if isinstance(item, int)]
    if len(nodes) == len(given):
        row = lookup(name[1], len(given))
        if row:
            return row, tuple(nodes), ()
    for row in FUNCTIONS.get(name[1], ()):
        first = given[: row.most]
        nodes = [item for item in first if isinstance(item, int)]
        if row.most is not None and asked(row) and row.least <= len(nodes) == len(first):
            return row, tuple(nodes), given[row.most :]
    for item in given:
        no_value(builder, item)
    if named and name[1] in FUNCTIONS and not any(map(asked, FUNCTIONS[name[1]])):
        no_names(builder, named[0].name)
    from .misuse import wrong_call

    raise wrong_call(builder, name, len(given))


def list_of(
    builder: Calls, name: Token, given: Sequence[Plain]
) -> tuple[Builtin, tuple[int, ...], Sequence[Plain]] | None:
    """Return what is called with one list for all arguments, None where that is not so."""
    first = given[0] if given else None
    entries = getattr(first, "entries", None)
    if entries is None or any(
        not isinstance(item, int) or builder.graph.literal(item) is None for item in given[1:]
    ):
        return None
    row = next((row for row in FUNCTIONS.get(name[1], ()) if row.listed), None)
    if row is None or not row.accepts(len(entries)):
        return None
    return row, tuple(entries), given[1:]


def shared(
    builder: Calls, name: Token, row: Builtin, rest: Sequence[Plain]
) -> list[tuple[Attr, Sequence[Plain]]]:
    """Return the attributes that arguments without a name give, and which; the last takes all."""
    attrs = asked(row)
    if rest and len(rest) > len(attrs) and attrs[-1].kind not in ("shape", "index"):
        from .misuse import wrong_count

        raise wrong_count(builder.program, name, len(rest) + (row.most or 0), row)
    last = len(attrs) - 1
    return [
        (attr, rest[k:] if k == last else rest[k : k + 1])
        for k, attr in enumerate(attrs[: len(rest)])
    ]


def asked(row: Builtin) -> list[Attr]:
    """Return the attributes that a call may give."""
    return [attr for attr in row.attributes if attr.kind != "serial"]


def attribute(builder: Calls, row: Builtin, name: Token) -> Attr:
    """Return the attribute of a name. Raises `FormulaError` where there is none."""
    attrs = asked(row)
    if not row.attributes:
        no_names(builder, name)
    found = next((attr for attr in row.attributes if attr.name == name[1]), None)
    if found is None:
        remedy = did_you_mean(name[1], [attr.name for attr in attrs]) or row.usage
        builder.fail(f"{row.function} takes no '{name[1]}'", name, remedy)
    return found
