"""What TensorFlow says otherwise of the same ops: attributes as inputs, and in other words.

`Sum` of TensorFlow takes its axes as a second input. Where that is a constant, or all axes by the
rank, it becomes the attribute; where it is computed otherwise there is no such graph here. What is
wrong is said by `ValueError`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..autodiff.graphdef_names import AXIS, DEFAULT, KEPT
from .protobuf import LAYOUTS, RESOURCE, Entry, dtype_of, field, integers_of

if TYPE_CHECKING:
    from ..autodiff.ops import Op
    from ..autodiff.ops.table import TensorFlowInput
    from .json_text import Json

SPELLED = {there: here for here, there in KEPT.items()}

CONSTANT = "Const"

QUOTIENTS = ("Div", "RealDiv")
"""Ops whose quotients of whole numbers are whole numbers."""

FLOATING = ("DT_DOUBLE", "DT_FLOAT", "DT_HALF", "DT_BFLOAT16")


def translated(entry: Entry, op: Op, entries: Mapping[str, Entry]) -> Entry:
    """Return an entry as cgraph would have written it.

    Raises `ValueError` where it says what no row has.
    """
    attributes = {SPELLED.get(name, name): held for name, held in entry.attributes.items()}
    if op.graphdef_last and AXIS in attributes:
        attributes["axis"] = attributes[AXIS]
    asked = op.graphdef_input
    count = len(entry.inputs) - 1
    if asked and asked.name not in attributes and entry.op == op.graphdef and count >= op.least:
        if op.most is not None and count > op.most:
            raise ValueError(f"{entry.op} takes {op.most + 1} inputs, not {len(entry.inputs)}")
        attributes[asked.name] = given(entry, asked, entries)
        entry = entry._replace(inputs=entry.inputs[:count])
    kind = dtype_of(field(entry.attributes.get("T"), "type"))
    if entry.op in QUOTIENTS and kind in LAYOUTS and kind not in FLOATING:
        raise ValueError(f"{entry.op} of {kind} leaves out the remainder, and is not read")
    refuse_more(op, attributes)
    return entry._replace(attributes=attributes)


def given(entry: Entry, asked: TensorFlowInput, entries: Mapping[str, Entry]) -> Json:
    """Return an attribute that an entry has as its last input. Raises `ValueError`."""
    source = entry.inputs[-1]
    if AXIS in entry.attributes:
        return entry.attributes[AXIS]
    if asked.none and is_whole(entries.get(source), asked.none, entry.inputs[0], entries):
        return {}
    return listed(asked.name, source, entries)


def is_whole(entry: Entry | None, wanted: str, of: str, entries: Mapping[str, Entry]) -> bool:
    """Tell whether an entry computes all axes of a node from its rank, as TensorFlow does.

    They are `range(0, rank(x), 1)`, and backwards `range(rank(x) - 1, -1, -1)`.
    """
    if entry is None or entry.op != "Range" or len(entry.inputs) != 3:
        return False
    first, end = entry.inputs[:2]
    numbers = [whole(name, entries) for name in entry.inputs]
    if wanted != "backwards":
        return numbers[::2] == [0, 1] and is_rank(end, of, entries)
    last = entries.get(first)
    if last is None or last.op != "Sub" or len(last.inputs) != 2 or numbers[1:] != [-1, -1]:
        return False
    return is_rank(last.inputs[0], of, entries) and whole(last.inputs[1], entries) == 1


def is_rank(name: str, of: str, entries: Mapping[str, Entry]) -> bool:
    """Tell whether a node is the rank of another."""
    entry = entries.get(name)
    return entry is not None and entry.op == "Rank" and entry.inputs == (of,)


def whole(name: str, entries: Mapping[str, Entry]) -> int | None:
    """Return the whole number that a node is, None where it is none."""
    try:
        numbers, _ = integers_of(constant_of("number", name, entries))
    except ValueError:
        return None
    return numbers[0] if len(numbers) == 1 else None


def turned(entry: Entry, entries: Mapping[str, Entry]) -> tuple[str, Entry] | None:
    """Return what an op between two transpositions takes, and the op, with its axis.

    None where there is no such op. Raises `ValueError` where only the last of the three says so.
    """
    if not entry.attributes.get(AXIS) or entry.op != "Transpose":
        return None
    inner = entries.get(next(iter(entry.inputs), ""))
    before = entries.get(next(iter(inner.inputs), "")) if inner else None
    if inner is None or before is None or before.op != "Transpose" or not before.inputs:
        raise ValueError(f"{AXIS} is for what stands between two transpositions")
    attributes = {**inner.attributes, "axis": entry.attributes[AXIS]}
    return before.inputs[0], inner._replace(attributes=attributes)


def listed(name: str, source: str, entries: Mapping[str, Entry]) -> Json:
    """Return an attribute with the whole numbers that an input has, which must be a constant."""
    held = constant_of(name, source, entries)
    numbers, single = integers_of(held)
    return {"i": numbers[0]} if single else {"list": {"i": list(numbers)}}


def constant_of(name: str, source: str, entries: Mapping[str, Entry]) -> Json:
    """Return the value of an input, which must be a constant. Raises `ValueError`."""
    entry, seen = entries.get(source), set[str]()
    while entry and entry.op == "Identity" and len(entry.inputs) == 1 and entry.name not in seen:
        seen.add(entry.name)
        entry = entries.get(entry.inputs[0])
    if entry is None or entry.op != CONSTANT:
        raise ValueError(f"its {name} must be a constant, '{source}' is none")
    return entry.attributes.get("value")


def default_of(entry: Entry, entries: Mapping[str, Entry]) -> Entry:
    """Return an input that has its default as its input with it as an attribute."""
    if len(entry.inputs) != 1:
        return entry
    attributes = {**entry.attributes, DEFAULT: constant_of("default", entry.inputs[0], entries)}
    return entry._replace(inputs=(), attributes=attributes)


def is_handle(entry: Entry) -> bool:
    """Tell whether an input is a variable's handle, whose own shape says nothing of the variable's.

    The attributes of `VarHandleOp` are the variable's.
    """
    types = (field(entry.attributes.get(name), "type") for name in ("dtype", "T"))
    return entry.op != "VarHandleOp" and RESOURCE in map(dtype_of, types)


def keeps_value(entry: Entry) -> bool:
    """Tell whether a `Cast` hands on its input: numbers to a floating type, whole ones to any."""
    source, target = (dtype_of(field(entry.attributes.get(k), "type")) for k in ("SrcT", "DstT"))
    whole_numbers = source in LAYOUTS and source not in FLOATING
    return target in FLOATING or (whole_numbers and target in LAYOUTS and target != "DT_BOOL")


def refuse_more(op: Op, attributes: Mapping[str, Json]) -> None:
    """Raise `ValueError` for a switch that is on and that no row knows: `transpose_a`."""
    if op.move is None:
        return
    known = {attr.name for attr in op.attributes}
    for name, held in attributes.items():
        if field(held, "b") is True and name not in known and not name.startswith("_"):
            raise ValueError(f"{op.graphdef or op.name} with {name} is not read")
