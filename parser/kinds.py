"""What must be known while a text is read: the value of an attribute, of each kind; an index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from ..autodiff.draws import DRAWS
from ..autodiff.eager import SHAPE, Unknown
from ..autodiff.ops import Attr
from ..autodiff.ops.leaves import placeholder
from .arguments import NO_ENTRIES, Item, Keyword, Plain, Slice, plain, refuse_uneven

if TYPE_CHECKING:
    from ..autodiff.graph import Nested
    from .calls import Calls
    from .lexer import Token

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


class Missing(Exception):
    """A value that is not known, though it must be."""

    def __init__(self, found: Unknown) -> None:
        super().__init__(found)
        self.found = found


class Misfit(Exception):
    """A value that is none of its kind, as a reader sees it."""


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
        if not isinstance(item, Slice) and item[0] == NO_ENTRIES:
            return ()
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
