"""The graph as TensorFlow's GraphDef, in protobuf's JSON mapping and its text format (.pbtxt).

Both spell one tree of messages: dictionaries of fields in protobuf's own names. Neither needs
protobuf installed. The text keeps to one field a line, as TensorBoard's page reads it line by line.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
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
from .tensorflow import DOUBLE, INT, Around, Enum

if TYPE_CHECKING:
    from ..autodiff.graph import Attribute, Graph, Nested, Node, Shape
    from ..autodiff.ops import Op
    from ..autodiff.ops.table import Kind
    from .options import Options
    from .scene import Scene
    from .tensorflow import Field, Message

    Shapes: TypeAlias = Mapping[int, Shape | None]


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
        more: Message = extra.get(index, {})
        if node.op.plain is not None:
            more = {**more, TWIN: {"s": node.op.twin.encode()}}
        if any(one == next_ for one, next_ in pairwise(inputs)):
            more = {**more, OPERANDS: _strings(inputs)}
        around = Around(names[index], taken, bool(shapes))
        _write(graph, index, around, inputs, more, shapes or {})
        yield from around.nodes


def _write(
    graph: Graph, index: int, around: Around, inputs: list[str], more: Message, shapes: Shapes
) -> None:
    """Write a node, and what TensorFlow's op takes as an input where ours has an attribute."""
    node = graph.nodes[index]
    row, op = node.op, op_name(node.op, len(inputs))
    asked = row.graphdef_input if op == row.graphdef else None
    if asked:
        held = node.attrs[[attr.name for attr in row.attributes].index(asked.name)]
        if held is not None or asked.none:
            rank = _rank(shapes, node.args[0])
            inputs = [*inputs, around.whole(asked, held, inputs[0], rank)]
            own: Message = _own(graph, node, op, asked.name) | {asked.kind: INT}
            around.end(op, inputs, own | ({AXIS: {}} if held is None else {}) | more)
            return
    axis, rank = node.attrs[0] if row.graphdef_last else 0, _rank(shapes, index)
    if row.graphdef_last and isinstance(axis, int) and (axis == -1 or rank is not None):
        if axis in (-1, (rank or 1) - 1):
            around.end(op, inputs, {"T": DOUBLE, AXIS: {"i": axis}, **more})
        else:
            around.turned(op, inputs[0], axis, shapes.get(index) or (), more)
        return
    op = row.name if asked or row.graphdef_last else op
    around.end(op, inputs, _own(graph, node, op) | more)


def _rank(shapes: Shapes, node: int) -> int | None:
    """Return how many axes a node has, None where that is not known."""
    shape = shapes.get(node)
    return None if shape is None else len(shape)


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


def _own(graph: Graph, node: Node, op: str, given: str = "") -> dict[str, Field]:
    """Return the attributes of a node that is written under a name, which may be TensorFlow's.

    The one that is called as in `given` is an input there.
    """
    if node.args:
        theirs = op == node.op.graphdef
        spelled = KEPT if theirs else {}
        named = zip(node.op.attributes, node.attrs, strict=True)
        own = {
            spelled.get(attr.name, attr.name): _attribute(attr.kind, held)
            for attr, held in named
            if attr.name != given and (held is not None or attr.default is not None)
        }
        many: Message = {"N": {"i": len(node.args)}} if theirs and is_variadic(node.op) else {}
        return {"T": DOUBLE, **many, **own}
    if node.op is placeholder:
        held = str(node.attrs[0])
        return {"dtype": DOUBLE, "shape": {"shape": _shape(graph.shapes.get(held))}}
    return {"dtype": DOUBLE, "value": _tensor(node.value)}


def is_variadic(op: Op) -> bool:
    """Tell whether TensorFlow's op takes any number of arguments, and counts them."""
    return op.most is None and op.graphdef_arity is None


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
