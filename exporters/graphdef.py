"""The graph as TensorFlow's GraphDef, in protobuf's JSON mapping and its text format (.pbtxt).

Both spell one tree of messages: dictionaries of fields in protobuf's own names. Neither needs
protobuf installed. The text keeps to one field a line, as TensorBoard's page reads it line by line.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, count, pairwise
from typing import TYPE_CHECKING, TypeAlias, cast

from ..autodiff.constants import JSON_NAMES
from ..autodiff.graph import shape_of_nested
from ..autodiff.graphdef_names import (
    AXIS,
    CALLED,
    DEFAULT,
    KEPT,
    LETTER,
    LOST,
    NAME,
    NAMES,
    OPERANDS,
    OUTPUT_SHAPES,
    OUTPUTS,
    TWIN,
    plain,
)
from ..autodiff.ops.leaves import placeholder
from .names import unique_names

if TYPE_CHECKING:
    from ..autodiff.graph import Attribute, Graph, Nested, Node, Shape
    from ..autodiff.ops import Op
    from ..autodiff.ops.table import Kind
    from .options import Options
    from .scene import Scene

    Field: TypeAlias = "bool | int | float | str | bytes | Message | Sequence[Field]"
    Message: TypeAlias = dict[str, Field]
    Shapes: TypeAlias = Mapping[int, Shape | None]


class Enum(str):
    """A value of an enumeration, which the text format writes without quotes."""

    __slots__ = ()


DOUBLE: Message = {"type": Enum("DT_DOUBLE")}
INT: Message = {"type": Enum("DT_INT32")}
VERSIONS: Message = {"producer": 22}
WIDE = {"i", "size"}
"""The 64-bit integers, which protobuf's JSON writes as strings."""


def graphdef_json(graph: Graph, shapes: Shapes | None = None) -> str:
    """Return the graph as GraphDef JSON, a node a line."""
    nodes = (json.dumps(_json(node), ensure_ascii=False) for node in messages(graph, shapes))
    listing = ",\n ".join(nodes)
    return f'{{"node": [\n {listing}\n], "versions": {json.dumps(_json(VERSIONS))}}}\n'


def graphdef_text(graph: Graph, shapes: Shapes | None = None) -> str:
    """Return the graph in protobuf's text format."""
    fields: Message = {"node": list(messages(graph, shapes)), "versions": VERSIONS}
    return "\n".join(_text(fields, "")) + "\n"


def export_json(scene: Scene, options: Options) -> str:
    """Return the scene's graph as GraphDef JSON."""
    return graphdef_json(scene.graph, scene.shapes)


def export_text(scene: Scene, options: Options) -> str:
    """Return the scene's graph in protobuf's text format."""
    return graphdef_text(scene.graph, scene.shapes)


# -- messages -------------------------------------------------------------------------------------


def messages(graph: Graph, shapes: Shapes | None = None) -> Iterator[Message]:
    """Yield a NodeDef for each node that the outputs and the named values need, in order."""
    wanted = [*graph.outputs, *graph.names.values(), *graph.inputs().values()]
    needed = as_read(graph, graph.needed(wanted))
    names = unique_names(graph, needed)
    extra = _extra(graph, names, shapes or {})
    taken = set(names.values())
    for index, node in graph.walk(needed):
        inputs = [names[arg] for arg in node.args]
        more = extra.get(index, {})
        if node.op.plain is not None:
            more = {**more, TWIN: {"s": node.op.twin.encode()}}
        if any(one == next_ for one, next_ in pairwise(inputs)):
            more = {**more, OPERANDS: _strings(inputs)}
        if node.op.graphdef_last:
            sizes = (shapes or {}).get(index)
            yield from _along(node, names[index], inputs, more, sizes, taken)
            continue
        op = op_name(node.op, len(inputs))
        yield _message(names[index], op, inputs, _own(graph, node, op) | more)


def _message(name: str, op: str, inputs: Sequence[str], attributes: Message) -> Message:
    return {"name": name, "op": op, "input": list(inputs), "attr": attributes}


def _along(
    node: Node,
    name: str,
    inputs: Sequence[str],
    more: Message,
    shape: Shape | None,
    taken: set[str],
) -> Iterator[Message]:
    """Yield an op along an axis where TensorFlow's goes along the last one.

    For another axis it stands between two transpositions; where the number of axes is not known,
    under a name of our own, as TensorFlow would drop the axis without a word.
    """
    axis = node.attrs[0]
    if not isinstance(axis, int) or (shape is None and axis != -1):
        own = {"axis": _attribute("axis", axis)}
        yield _message(name, node.op.name, inputs, {"T": DOUBLE, **own, **more})
        return
    said: Message = {AXIS: {"i": axis}}
    last = len(shape) - 1 if shape else 0
    if axis in (-1, last):
        yield _message(name, op_name(node.op, 1), inputs, {"T": DOUBLE, **said, **more})
        return
    order = list(range(last + 1))
    order[axis], order[last] = last, order[axis]
    perm, before, inner = (_free(f"{name}/{part}", taken) for part in ("perm", "before", "last"))
    yield _message(perm, "Const", [], {"dtype": INT, "value": _integers(order)})
    turned: Message = {"T": DOUBLE, "Tperm": INT}
    yield _message(before, "Transpose", [inputs[0], perm], turned)
    yield _message(inner, op_name(node.op, 1), [before], {"T": DOUBLE})
    yield _message(name, "Transpose", [inner, perm], {**turned, **said, **more})


def _free(name: str, taken: set[str]) -> str:
    """Return a name that no node has, and take it."""
    found = next(
        one for one in chain([name], (f"{name}_{k}" for k in count(1))) if one not in taken
    )
    taken.add(found)
    return found


def _integers(numbers: Sequence[int]) -> Message:
    shape = _shape((len(numbers),))
    tensor: Message = {"dtype": Enum("DT_INT32"), "tensor_shape": shape, "int_val": list(numbers)}
    return {"tensor": tensor}


def as_read(graph: Graph, needed: list[int]) -> list[int]:
    """Return the nodes with what bindings give values to in the order in which the text has it.

    A function's arguments are made before what its body reads. Where it differs, the order of the
    inputs is kept by putting them first.
    """
    present = set(needed)
    inputs = [node for node in graph.placeholders.values() if node in present]
    letters = [node for node in graph.letters if node in present and not graph.nodes[node].args]
    leaves = [*inputs, *letters]
    ordered = sorted(leaves, key=lambda node: (graph.spans[node], node))
    if [node for node in ordered if node not in graph.letters] != inputs:
        ordered = leaves
    if ordered == sorted(ordered):
        return needed
    first = set(ordered)
    return [*ordered, *(node for node in needed if node not in first)]


def op_name(op: Op, count: int) -> str:
    """Return TensorFlow's name for an op of `count` arguments, where TensorFlow has it."""
    fits = op.graphdef and op.graphdef_arity in (None, count)
    return op.graphdef if op.graphdef and fits else op.name


def _own(graph: Graph, node: Node, op: str) -> dict[str, Field]:
    """Return the attributes of a node that is written under a name, which may be TensorFlow's."""
    if node.args:
        spelled = KEPT if op == node.op.graphdef else {}
        named = zip(node.op.attributes, node.attrs, strict=True)
        own = {
            spelled.get(attr.name, attr.name): _attribute(attr.kind, held)
            for attr, held in named
            if held is not None or attr.default is not None
        }
        return {"T": DOUBLE, **own}
    if node.op is placeholder:
        held = str(node.attrs[0])
        return {"dtype": DOUBLE, "shape": {"shape": _shape(graph.shapes.get(held))}}
    return {"dtype": DOUBLE, "value": _tensor(node.value)}


def _extra(graph: Graph, names: Mapping[int, str], shapes: Shapes) -> dict[int, dict[str, Field]]:
    """Return what only cgraph knows about nodes, and the shapes."""
    found: dict[int, dict[str, Field]] = {}
    for node, inputs in graph.lost.items():
        if all(arg in names for arg in inputs):
            found[node] = {LOST: _strings([names[arg] for arg in inputs])}
    for name, node in graph.placeholders.items():
        if name in graph.defaults:
            found.setdefault(node, {})[DEFAULT] = _tensor(graph.defaults[name])
        if node in names and plain(names[node]) != name:
            found.setdefault(node, {})[NAME] = {"s": name.encode()}
    for node, letter in graph.letters.items():
        found.setdefault(node, {})[LETTER] = {"s": letter.encode()}
    names_of = graph.names_of()
    for node, called in names_of.items():
        found.setdefault(node, {})[NAMES] = _strings(called)
    places: dict[int, list[int]] = {}
    for place, node in enumerate(graph.outputs):
        places.setdefault(node, []).append(place)
    by_place = graph.output_names()
    for node, held in places.items():
        found.setdefault(node, {})[OUTPUTS] = {"list": {"i": held}}
        asked = [by_place[place] or "" for place in held]
        if set(asked) != {*names_of.get(node, [""])[:1]}:
            found[node][CALLED] = _strings(asked)
    for node, shape in shapes.items():
        if shape is not None:
            found.setdefault(node, {})[OUTPUT_SHAPES] = {"list": {"shape": [_shape(shape)]}}
    return found


def _attribute(kind: Kind, held: Attribute) -> Field:
    """Return an attribute, empty for None; a number is a tensor, as `f` has too few digits."""
    match kind, held:
        case _, None:
            return {}
        case "shape", tuple() if min(cast("Shape", held), default=0) >= 0:
            return {"shape": _shape(cast("Shape", held))}
        case _, bool():
            return {"b": held}
        case _, int():
            return {"i": held}
        case _, str():
            return {"s": held.encode()}
        case _, tuple():
            return {"list": {"i": list(cast("Shape", held))}}
        case _:
            return _tensor(held)


def _strings(texts: Sequence[str]) -> Message:
    return {"list": {"s": [text.encode() for text in texts]}}


def _shape(shape: Shape | None) -> Message:
    if shape is None:
        return {"unknown_rank": True}
    return {"dim": [{"size": size} for size in shape]} if shape else {}


def _tensor(value: Nested) -> Message:
    return {
        "tensor": {
            "dtype": Enum("DT_DOUBLE"),
            "tensor_shape": _shape(shape_of_nested(value)),
            "double_val": list(_flat(value)),
        }
    }


def _flat(value: Nested) -> Iterator[float]:
    if isinstance(value, tuple):
        for item in value:
            yield from _flat(item)
    else:
        yield value


# -- spelling -------------------------------------------------------------------------------------


def _json(field: Field, key: str = "") -> object:
    """Return a field as protobuf's JSON has it: camelCase, wide integers and nan as strings."""
    match field:
        case dict():
            spell = str if key == "attr" else _camel
            return {spell(name): _json(held, name) for name, held in field.items()}
        case str() | bool():
            return field
        case bytes():
            return b64encode(field).decode()
        case int():
            return str(field) if key in WIDE else field
        case float():
            return field if field - field == 0.0 else JSON_NAMES[repr(field)]
        case _:
            return [_json(held, key) for held in field]


@cache
def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(map(str.capitalize, rest))


def _text(fields: Message, indent: str) -> Iterator[str]:
    """Yield the lines of a message: `key: value`, or `key {`, its fields and `}`."""
    for key, held in fields.items():
        if key == "attr" and isinstance(held, dict):
            entries: Sequence[Field] = [{"key": k, "value": v} for k, v in held.items()]
        else:
            entries = held if isinstance(held, list) else [held]
        for entry in entries:
            if isinstance(entry, dict):
                yield f"{indent}{key} {{"
                yield from _text(entry, f"{indent}  ")
                yield f"{indent}}}"
            else:
                yield f"{indent}{key}: {_word(entry)}"


def _word(field: Field) -> str:
    match field:
        case Enum():
            return field
        case bool():
            return str(field).lower()
        case str():
            return _quoted(field.encode())
        case bytes():
            return _quoted(field)
        case _:
            return repr(field)


def _quoted(text: bytes) -> str:
    """Return the bytes in double quotes, all but plain ASCII as octal escapes."""
    plain_bytes = (
        f"\\{chr(byte)}" if byte in b'"\\' else chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"
        for byte in text
    )
    return f'"{"".join(plain_bytes)}"'
