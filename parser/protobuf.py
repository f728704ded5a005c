"""Protobuf's JSON mapping, as much of it as a GraphDef needs: nodes, and the values of attributes.

Its text format is read into the same tree (`protobuf_text.py`). Other tools spell fields
`tensorShape` or `tensor_shape` and numbers as numbers or strings; all are read. What is wrong with
a value is said by `ValueError`; the caller knows the node.
"""

from __future__ import annotations

import json
import math
import struct
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import repeat
from typing import TYPE_CHECKING, NamedTuple, NoReturn, cast

from ..autodiff.errors import DataError, GraphError, Sources
from ..autodiff.limits import MOST_NUMBERS, excess
from . import protobuf_text
from .json_text import Json, decoded

if TYPE_CHECKING:
    from ..autodiff.graph import Attribute, Nested, Shape
    from ..autodiff.ops import Attr
    from ..autodiff.ops.table import Kind

SHOWN = 40
"""A report repeats so much of a value."""

LAYOUTS = {
    **{"DT_DOUBLE": "d", "DT_FLOAT": "f", "DT_HALF": "e", "DT_BFLOAT16": "H", "DT_BOOL": "?"},
    **{"DT_INT8": "b", "DT_INT16": "h", "DT_INT32": "i", "DT_INT64": "q"},
    **{"DT_UINT8": "B", "DT_UINT16": "H", "DT_UINT32": "I", "DT_UINT64": "Q"},
}
"""How `struct` reads the bytes of a tensor."""

NUMBERED = {
    **{1: "DT_FLOAT", 2: "DT_DOUBLE", 3: "DT_INT32", 4: "DT_UINT8", 5: "DT_INT16", 6: "DT_INT8"},
    **{7: "DT_STRING", 9: "DT_INT64", 10: "DT_BOOL", 14: "DT_BFLOAT16", 17: "DT_UINT16"},
    **{19: "DT_HALF", 20: "DT_RESOURCE", 22: "DT_UINT32", 23: "DT_UINT64"},
}
"""The numbers of types, which protobuf's JSON takes for their names."""

BITS = {"DT_HALF": ("<e", 2), "DT_BFLOAT16": ("<f", 4)}
"""How `struct` reads the two bytes of a number, and how many it needs, the lowest being 0."""

RESOURCE, TEXT = "DT_RESOURCE", "DT_STRING"

LISTS = (
    *("doubleVal", "floatVal", "intVal", "int64Val", "boolVal", "uint32Val", "uint64Val"),
    "halfVal",
)


class Entry(NamedTuple):
    """A node as the file has it.

    An input is the name of a node, or `name:1` where it is another output than the first; `after`
    are its control inputs, which are to be run before it.
    """

    name: str
    op: str
    inputs: tuple[str, ...]
    attributes: Mapping[str, Json]
    after: tuple[str, ...] = ()


class File:
    """A GraphDef, in JSON or as text: its entries, and errors that know their place in it."""

    def __init__(self, text: str, sources: Sources, name: str, first_line: int = 1) -> None:
        self.text = text
        self.sources = sources
        self.start = sources.add(name, text, first_line).start

    def entries(self) -> Iterator[Entry]:
        """Yield the nodes."""
        read = protobuf_text.decoded if protobuf_text.is_graph(self.text) else decoded
        whole = read(self.text, self.sources, self.start)
        nodes = whole.get("node") if isinstance(whole, dict) else None
        if not isinstance(nodes, list) or not nodes:
            raise DataError(
                "not a GraphDef: an object with a list of nodes was expected",
                self.sources.place(self.start),
                'it begins {"node": [{"name": "x", "op": "Placeholder"}',
            )
        return map(self._entry, nodes)

    def fail(self, message: str, node: str, hint: str | None = None) -> NoReturn:
        """Raise `GraphError` at the node."""
        spelled = f'"name": {json.dumps(node, ensure_ascii=False)}'
        forms = (spelled, spelled.replace(": ", ":"), spelled.replace('"name"', "name", 1))
        found = max(map(self.text.rfind, forms))
        place = self.sources.place(self.start + found, len(spelled)) if found >= 0 else None
        raise GraphError(message, place, hint)

    def _entry(self, item: Json) -> Entry:
        if not isinstance(item, dict) or not isinstance(item.get("name"), str):
            what = "not a GraphDef: each node must be an object with a name"
            raise DataError(what, self.sources.place(self.start))
        name, op, attributes = str(item["name"]), item.get("op"), item.get("attr", {})
        inputs = item.get("input", [])
        if not isinstance(op, str) or not op:
            self.fail(f"node '{name}' has no op", name)
        if not isinstance(attributes, dict):
            self.fail(f"'attr' of node '{name}' must be an object", name)
        if not isinstance(inputs, list) or not all(isinstance(source, str) for source in inputs):
            self.fail(f"'input' of node '{name}' must be a list of names", name)
        data = [str(source).removesuffix(":0") for source in inputs]
        after = [source[1:] for source in data if source.startswith("^")]
        data = [source for source in data if not source.startswith("^")]
        return Entry(name, op, tuple(data), attributes, tuple(after))


# -- values ---------------------------------------------------------------------------------------


def field(message: Json, *path: str) -> Json:
    """Return the field at a path of names, None where there is none."""
    for name in path:
        if not isinstance(message, dict):
            return None
        message = message[name] if name in message else message.get(_snake(name))
    return message


@cache
def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


def strings(attribute: Json) -> list[str]:
    """Return the texts of an attribute that has one (`s`) or a list of them."""
    if field(attribute, "list") is None:
        return [_text(field(attribute, "s"))]
    return [_text(item) for item in _listed(attribute, "s", "texts")]


def integers(attribute: Json) -> list[int]:
    """Return the integers of an attribute that has a list of them."""
    return [_integer(item) for item in _listed(attribute, "i", "whole numbers")]


def _listed(attribute: Json, kind: str, what: str) -> list[Json]:
    """Return the list in an attribute; protobuf leaves out one that is empty."""
    listing = field(attribute, "list")
    held = field(listing, kind)
    if not isinstance(listing, dict) or not (held is None or isinstance(held, list)):
        raise ValueError(f"it needs a list of {what}")
    return held or []


def shape(message: Json) -> Shape | None:
    """Return a shape, None where it or one of its sizes is unknown."""
    if message is None or field(message, "unknownRank") is True:
        return None
    dims = field(message, "dim")
    if dims is not None and not isinstance(dims, list):
        raise ValueError("a shape needs a list of sizes")
    sizes = tuple(_integer(field(dim, "size") or 0) for dim in dims or [])
    return sizes if all(size >= 0 for size in sizes) else None


def value_of(attribute: Json, attr: Attr) -> Attribute:
    """Return the value of an attribute. Raises `ValueError` where it is of another kind."""
    try:
        value = READ[attr.kind](attribute, attr)
        if not attr.spans(cast("float | tuple[float, ...]", value)):
            raise ValueError
        return value
    except ValueError:
        told = f"the attribute {attr.name} must be {HELD[attr.kind]}{attr.span}"
        raise ValueError(f"{told}, not {_short(attribute)}") from None


def _one_text(attribute: Json, attr: Attr) -> str:
    text = _text(field(attribute, "s"))
    if attr.valid is not None and not attr.valid(text):
        raise ValueError
    return text


def _flag(attribute: Json, attr: Attr) -> bool:
    held = field(attribute, "b")
    if not isinstance(held, bool):
        raise ValueError
    return held


def _whole(attribute: Json, attr: Attr) -> int:
    return _integer(field(attribute, "i"))


def _number(attribute: Json, attr: Attr) -> Nested:
    found = tensor(attribute)
    if isinstance(found, tuple):
        raise ValueError
    return found


def _sizes(attribute: Json, attr: Attr) -> Shape:
    held = field(attribute, "shape")
    found = tuple(integers(attribute)) if held is None else shape(held)
    if found is None:
        raise ValueError
    return found


def _axes(attribute: Json, attr: Attr) -> int | Shape | None:
    """Return an axis, axes, or None where the attribute is there and holds nothing."""
    if attribute == {}:
        return None
    if field(attribute, "list") is not None:
        return tuple(integers(attribute))
    found = _integer(field(attribute, "i"))
    return (found,) if attr.kind == "axes" else found


READ: Mapping[Kind, Callable[[Json, Attr], Attribute]] = {
    "axis": _axes,
    "axes": _axes,
    "flag": _flag,
    "index": _one_text,
    "number": _number,
    "serial": _whole,
    "shape": _sizes,
    "text": _one_text,
    "whole": _whole,
}
"""How an attribute of each kind is read."""

HELD: Mapping[Kind, str] = {
    "axis": "a whole number (i) or a list of them",
    "axes": "a list of whole numbers",
    "flag": "true or false (b)",
    "index": "an index such as 1:3, 0 in base64 (s)",
    "number": "a number (tensor)",
    "serial": "a whole number (i)",
    "shape": "a known shape of sizes",
    "text": "a text that it can have, in base64 (s)",
    "whole": "a whole number (i)",
}
"""What an attribute of each kind holds, in words."""


def integers_of(attribute: Json) -> tuple[tuple[int, ...], bool]:
    """Return the whole numbers of a tensor of rank 0 or 1, and whether it is a single one."""
    found = tensor(attribute)
    numbers = found if isinstance(found, tuple) else (found,)
    if not all(isinstance(one, float) and one == one // 1 for one in numbers):
        raise ValueError("it needs a list of whole numbers")
    return tuple([int(cast("float", one)) for one in numbers]), not isinstance(found, tuple)


def tensor(attribute: Json) -> Nested:
    """Return the number or the array of an attribute."""
    message = field(attribute, "tensor")
    sizes = shape(field(message, "tensorShape") or {})
    if not isinstance(message, dict) or sizes is None:
        raise ValueError("it needs a tensor of known shape")
    count = math.prod(sizes)
    if excess(sizes, MOST_NUMBERS):
        raise ValueError(f"a tensor of shape {sizes} is too large")
    numbers = list(_numbers(message))
    # Protobuf leaves out what is zero, but never the type.
    empty = not numbers and dtype_of(field(message, "dtype")) not in LAYOUTS
    whole = bool(field(message, "tensorContent"))  # of bytes there are all
    if len(numbers) > count or (empty and count) or (whole and len(numbers) < count):
        raise ValueError(f"{len(numbers)} values do not fill a tensor of shape {sizes}")
    # TensorFlow leaves out the end of a tensor that repeats its last value.
    numbers += repeat(numbers[-1] if numbers else 0.0, count - len(numbers))
    return nested(numbers, sizes)


def unwritten(attribute: Json) -> int:
    """Return how many numbers a tensor has beyond those that the file can have for it.

    One that is no tensor, or too large by itself, has none: it is refused where it is made.
    """
    message = field(attribute, "tensor")
    try:
        sizes = shape(field(message, "tensorShape") or {})
    except ValueError:
        return 0
    if sizes is None or excess(sizes, MOST_NUMBERS):
        return 0
    held = (field(message, name) for name in ("tensorContent", *LISTS))
    written = sum(len(one) for one in held if isinstance(one, str | list))
    return max(0, math.prod(sizes) - written)


def nested(numbers: Sequence[float], sizes: Shape) -> Nested:
    """Return numbers as an array of a shape, row by row."""
    if not sizes:
        return numbers[0]
    if len(sizes) == 1:
        return tuple(numbers)
    step = len(numbers) // sizes[0] if sizes[0] else 0
    rows = (numbers[k * step : (k + 1) * step] for k in range(sizes[0]))
    return tuple(nested(row, sizes[1:]) for row in rows)


def dtype_of(held: Json) -> str:
    """Return the name of a type, which may be there by its number; "" where there is none."""
    if isinstance(held, int) and not isinstance(held, bool):
        return NUMBERED.get(held, str(held))
    return held if isinstance(held, str) else ""


def _numbers(message: Json) -> Iterator[float]:
    dtype, content = dtype_of(field(message, "dtype")), field(message, "tensorContent")
    if dtype and dtype not in LAYOUTS:
        raise ValueError(f"a tensor of {dtype} has no numbers")
    if isinstance(content, str) and content:
        return _unpacked(_bytes(content), dtype)
    listed = (field(message, name) for name in LISTS)
    held = next((one for one in listed if one not in (None, [])), None)
    if held is None:
        return iter(())
    items = held if isinstance(held, list) else [held]
    if dtype in BITS and field(message, "halfVal") is held:
        return (_from_bits(_integer(item), dtype) for item in items)
    return map(_float, items)


def _unpacked(content: bytes, dtype: str) -> Iterator[float]:
    layout = LAYOUTS.get(dtype)
    if layout is None:
        raise ValueError("bytes are no tensor where its dtype is not told")
    if len(content) % struct.calcsize(f"<{layout}"):
        raise ValueError(f"{len(content)} bytes are no tensor of {dtype}")
    items = (item for (item,) in struct.iter_unpack(f"<{layout}", content))
    return (_from_bits(item, dtype) if dtype == "DT_BFLOAT16" else float(item) for item in items)


def _from_bits(bits: int, dtype: str) -> float:
    """Return a number of two bytes that is there by its bits."""
    layout, wide = BITS[dtype]
    if not 0 <= bits < 1 << 16:
        raise ValueError(f"{bits} is not the bits of a {dtype}")
    (number,) = struct.unpack(layout, bits.to_bytes(2, "little").rjust(wide, b"\0"))
    return float(number)


def _float(item: Json) -> float:
    if type(item) is float:
        return item
    if isinstance(item, int | float | str):
        with suppress(ValueError, OverflowError):
            return float(item)
    raise ValueError(f"{_short(item)} is not a number")


def _integer(item: Json) -> int:
    if isinstance(item, int | str) and not isinstance(item, bool):
        with suppress(ValueError):
            return int(item)
    raise ValueError(f"{_short(item)} is not a whole number")


def _text(item: Json) -> str:
    if isinstance(item, str):
        with suppress(ValueError):
            return _bytes(item).decode()
    raise ValueError(f"{_short(item)} is not a text in base64")


def _bytes(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except ValueError:
        raise ValueError(f"{_short(text)} is not base64") from None


def _short(item: Json) -> str:
    """Return an item as JSON, cut where it is long."""
    text = json.dumps(item)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."
