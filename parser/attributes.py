"""Arguments that are no values: attributes, by name or after the others, and indices.

What they say is known while a text is read: `sum(x, axis=0)`, `reshape(x, [3, 2])`, `x[1:3, ::-1]`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeAlias

from ..autodiff.draws import DRAWS
from ..autodiff.eager import SHAPE, Unknown
from ..autodiff.errors import did_you_mean
from ..autodiff.ops import FUNCTIONS, Attr, Builtin, lookup
from ..autodiff.ops.leaves import placeholder
from ..autodiff.ops.table import REQUIRED
from .expressions import Uneven

if TYPE_CHECKING:
    from ..autodiff.graph import Nested
    from .calls import Calls
    from .lexer import Token

ARGUMENT = "give the value alone; to compare, write =="
SLICE = "a slice is an index, as in x[1:3]"

WANTED = {
    "axis": "a whole number or a list of them",
    "axes": "a list of whole numbers",
    "flag": "0 or 1",
    "index": "a whole number or a slice",
    "number": "a number",
    "serial": "a whole number",
    "shape": "a size or a list of sizes",
    "text": 'a text in quotes, "..."',
    "whole": "a whole number",
}
"""What an attribute of each kind is, in words."""

FLAGS = {"true": 1.0, "True": 1.0, "false": 0.0, "False": 0.0}
NEW_AXIS = ("None", "newaxis")
"""Words that mean something where an attribute or an index may be, unless they are assigned."""

MAX_WHOLE = 2**53
"""Beyond it not every whole number is a float64."""


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


class Missing(Exception):
    """A value that is not known, though it must be."""

    def __init__(self, found: Unknown) -> None:
        super().__init__(found)
        self.found = found


class Misfit(Exception):
    """A value that is none of its kind, as a reader sees it."""


Plain: TypeAlias = "int | Slice | Token"
"""An argument without a name: a node, a slice, or the token of a text or of `...`."""

Item: TypeAlias = "Plain | Keyword"
"""An argument."""


# -- calls ----------------------------------------------------------------------------------------


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


def refuse_uneven(items: Sequence[object]) -> None:
    """Raise `FormulaError` for a list that is no array."""
    for item in items:
        if isinstance(item, Uneven):
            raise item.refusal


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


def no_names(builder: Calls, name: Token) -> NoReturn:
    """Refuse an argument with a name where arguments have none."""
    builder.fail(f"an argument cannot be given by its name, '{name[1]}'", name, ARGUMENT)


def no_value(builder: Calls, item: Item) -> None:
    """Refuse an argument that is no value."""
    if isinstance(item, Keyword):
        no_names(builder, item.name)
    if isinstance(item, Slice):
        builder.fail("a slice is no value", item.at, SLICE)
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


# -- values ---------------------------------------------------------------------------------------


def read(builder: Calls, function: str, place: Token, attr: Attr, values: Sequence[Plain]) -> Any:
    """Return the value of a function's attribute from what is given for it, at a place to blame."""
    try:
        value: Any = KINDS[attr.kind](builder, values)
    except Missing as missing:
        not_known(builder, f"the {attr.name} of {function}", missing.found, place)
    except Misfit as found:
        builder.fail(f"{attr.name} is {WANTED[attr.kind]}, not {found}", place)
    if not attr.spans(value):
        wanted = f"{WANTED[attr.kind]}{attr.span}"
        builder.fail(f"{function}: {attr.name} is {wanted}, not {shown(value)}", place)
    return value


def not_known(builder: Calls, what: str, found: Unknown, place: Token) -> NoReturn:
    """Raise the error for what must be known while the text is read."""
    if builder.given.draw is not None:
        builder.fail(f"'{found.name}' is not a number", place, "a value is a constant")
    if found.what == SHAPE:
        told, remedy = (
            f"{what} needs the shape of '{found.name}'",
            f"declare it: input {found.name}: (10, 2)",
        )
    elif builder.given.dynamic:
        told, remedy = f"{what} needs the value of '{found.name}'", f"give it: --{found.name} VALUE"
    else:
        told, remedy = f"{what} must be a constant", "where it depends on data, run with --dynamic"
    builder.fail(told, place, remedy)


def static(builder: Calls, item: Plain) -> Nested:
    """Return the number or the array that an argument says."""
    if not isinstance(item, int):
        raise Misfit(shown_item(item))
    try:
        return builder.nested(item)
    except Unknown as found:
        raise Missing(found) from None


def drawing(builder: Calls, name: Token, items: Sequence[Item]) -> str:
    """Return the input that has what a call draws. Raises `FormulaError` in a formula."""
    usage = DRAWS[name[1]].usage
    if builder.given.draw is None:
        told = f"{name[1]} draws random numbers, and a formula has the same value each time"
        builder.fail(told, name, f"give them to an input: --x '{usage.partition(' or ')[0]}'")
    plain(builder, usage, items)
    try:
        args = [static(builder, item) for item in items if not isinstance(item, Keyword)]
        return builder.given.draw(name[1], args)
    except Missing as missing:
        not_known(builder, f"the call of {name[1]}", missing.found, name)
    except Misfit as found:
        builder.fail(f"{name[1]} takes numbers, not {found}", name, usage)
    except ValueError as error:
        builder.fail(f"{name[1]}: {error}", name, usage)


def single(builder: Calls, values: Sequence[Plain]) -> Nested:
    """Return the only value that is given."""
    return static(builder, values[0])


def word_of(builder: Calls, item: Plain) -> str:
    """Return the name of an argument that is an input, else nothing."""
    if not isinstance(item, int):
        return ""
    node = builder.graph.nodes[item]
    if node.op is not placeholder:
        return ""
    return builder.function.word(item) if builder.function else str(node.attrs[0])


def shown(value: Nested) -> str:
    """Return a value as a report has it."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(shown, value))}]"
    return repr(value).removesuffix(".0")


def shown_item(item: Slice | Token) -> str:
    """Return what is no node as a report has it."""
    return "a slice" if isinstance(item, Slice) else item[1]


def whole_number(value: Nested) -> int:
    """Return a number as the whole number that it is."""
    if isinstance(value, tuple) or not abs(value) <= MAX_WHOLE or value != int(value):
        raise Misfit(shown(value))
    return int(value)


def whole_numbers(value: Nested) -> tuple[int, ...]:
    """Return a list of whole numbers."""
    if not isinstance(value, tuple):
        raise Misfit(shown(value))
    try:
        return tuple([whole_number(entry) for entry in value])
    except Misfit:
        raise Misfit(shown(value)) from None


def axis(builder: Calls, values: Sequence[Plain]) -> int | tuple[int, ...] | None:
    """Return an axis, several, or None for all."""
    if word_of(builder, values[0]) in NEW_AXIS[:1]:
        return None
    value = single(builder, values)
    return whole_numbers(value) if isinstance(value, tuple) else whole_number(value)


def axes(builder: Calls, values: Sequence[Plain]) -> tuple[int, ...] | None:
    """Return an order of the axes, or None."""
    found = axis(builder, values)
    return (found,) if isinstance(found, int) else found


def flag(builder: Calls, values: Sequence[Plain]) -> bool:
    """Return yes or no."""
    value: Nested | None = FLAGS.get(word_of(builder, values[0]))
    if value is None:
        value = single(builder, values)
    if value not in (0.0, 1.0):
        raise Misfit(shown(value))
    return bool(value)


def whole(builder: Calls, values: Sequence[Plain]) -> int:
    """Return a whole number."""
    return whole_number(single(builder, values))


def number(builder: Calls, values: Sequence[Plain]) -> float:
    """Return a number."""
    value = single(builder, values)
    if isinstance(value, tuple):
        raise Misfit(shown(value))
    return value


def shape(builder: Calls, values: Sequence[Plain]) -> tuple[int, ...]:
    """Return sizes: a list of them, one, or several arguments."""
    found = [static(builder, value) for value in values]
    if len(found) == 1 and isinstance(found[0], tuple):
        return whole_numbers(found[0])
    return whole_numbers(tuple(found))


def text(builder: Calls, values: Sequence[Plain]) -> str:
    """Return what is in the quotes."""
    item = values[0]
    if isinstance(item, int):
        value = static(builder, item)
        raise Misfit(shown(value))
    if isinstance(item, Slice) or item[0] != "STRING":
        raise Misfit(shown_item(item))
    return item[1][1:-1]


def index(builder: Calls, values: Sequence[Plain]) -> str:
    """Return an index as it is written, with nothing in it that need not be: `1:3, 0`."""
    return ", ".join([part(builder, item) for item in values])


def part(builder: Calls, item: Plain) -> str:
    """Return one part of an index."""
    if isinstance(item, int):
        return "None" if word_of(builder, item) in NEW_AXIS else bound(builder, item)
    if isinstance(item, Slice):
        start, stop, step = [
            "" if node is None else bound(builder, node)
            for node in (item.start, item.stop, item.step)
        ]
        if step == "0":
            raise Misfit("a slice with step 0")
        if start == "0" and not step.startswith("-"):
            start = ""
        return f"{start}:{stop}:{step}" if step not in ("", "1") else f"{start}:{stop}"
    if item[1] != "...":
        raise Misfit(shown_item(item))
    return "..."


def bound(builder: Calls, node: int) -> str:
    """Return one number of an index."""
    return str(whole_number(static(builder, node)))


KINDS = {
    "axis": axis,
    "axes": axes,
    "flag": flag,
    "index": index,
    "number": number,
    "serial": whole,
    "shape": shape,
    "text": text,
    "whole": whole,
}
"""How an attribute of each kind is read from its arguments."""


def index_text(builder: Calls, opening: Token, items: Sequence[Plain]) -> str:
    """Return the index in `x[1:3, 0]`. Raises `FormulaError` where it is none."""
    refuse_uneven(items)
    try:
        return index(builder, items)
    except Missing as missing:
        not_known(builder, "an index", missing.found, opening)
    except Misfit as found:
        builder.fail(f"an index is {WANTED['index']}, not {found}", opening)
