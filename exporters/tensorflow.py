"""What TensorFlow's ops take as inputs where cgraph's have attributes: axes, shapes, permutations.

An attribute that TensorFlow's op does not have another tool drops without a word, so none is
written. What cannot be said by TensorFlow's inputs stands under a name of our own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, count
from typing import TYPE_CHECKING, TypeAlias, cast

from ..autodiff.graphdef_names import AXIS, OUTPUT_SHAPES

if TYPE_CHECKING:
    from ..autodiff.graph import Attribute, Shape
    from ..autodiff.ops.table import TensorFlowInput

    Field: TypeAlias = "bool | int | float | str | bytes | Message | Sequence[Field]"
    Message: TypeAlias = dict[str, Field]


class Enum(str):
    """A value of an enumeration, which the text format writes without quotes."""

    __slots__ = ()


DOUBLE: Message = {"type": Enum("DT_DOUBLE")}
INT: Message = {"type": Enum("DT_INT32")}


class Around:
    """Nodes that are written for another one, in a scope of its name, ahead of it.

    They have their shapes where those of the others are known.
    """

    def __init__(self, name: str, taken: set[str], shaped: bool) -> None:
        self.name = name
        self.taken = taken
        self.shaped = shaped
        self.nodes: list[Message] = []

    def add(self, part: str, op: str, inputs: Sequence[str], **attributes: Field) -> str:
        """Write a node; return its name."""
        name = free(f"{self.name}/{part}", self.taken)
        self.nodes.append(message(name, op, inputs, attributes))
        return name

    def constant(self, part: str, held: int | Sequence[int]) -> str:
        """Write a whole number or a list of them; return its name."""
        value = whole_numbers(held)
        sizes: Message = {} if isinstance(held, int) else {"dim": [{"size": len(held)}]}
        shape: Message = {OUTPUT_SHAPES: {"list": {"shape": [sizes]}}} if self.shaped else {}
        return self.add(part, "Const", [], dtype=INT, value=value, **shape)

    def axes(self, source: str, rank: int | None, backwards: bool) -> str:
        """Write all axes of a node, which are told by its rank where that is not known."""
        part = "perm" if backwards else "axis"
        if rank is not None:
            axes = range(rank)
            return self.constant(part, [*(reversed(axes) if backwards else axes)])
        found = self.add("rank", "Rank", [source], T=DOUBLE)
        if not backwards:
            ends = [self.constant("first", 0), found, self.constant("step", 1)]
        else:
            last = self.add("last", "Sub", [found, self.constant("one", 1)], T=INT)
            ends = [last, *[self.constant("step", -1)] * 2]
        return self.add(part, "Range", ends, Tidx=INT)

    def whole(self, asked: TensorFlowInput, held: Attribute, source: str, rank: int | None) -> str:
        """Write what an op takes as its last input, for an attribute; return its name."""
        if held is None:
            return self.axes(source, rank, asked.none == "backwards")
        part = "perm" if asked.name == "axes" else asked.name
        return self.constant(part, cast("int | Shape", held))

    def turned(self, op: str, source: str, axis: int, shape: Shape, attributes: Message) -> None:
        """Write an op that goes along the last axis between two transpositions; end with it."""
        order = list(range(len(shape)))
        order[axis], order[-1] = order[-1], order[axis]
        perm = self.constant("perm", order)
        sizes: Message = {"dim": [{"size": shape[k]} for k in order]}
        there: Message = {"T": DOUBLE, OUTPUT_SHAPES: {"list": {"shape": [sizes]}}}
        before = self.add("before", "Transpose", [source, perm], **there, Tperm=INT)
        inner = self.add("last", op, [before], **there)
        own: Message = {"T": DOUBLE, "Tperm": INT, AXIS: {"i": axis}}
        self.end("Transpose", [inner, perm], own | attributes)

    def end(self, op: str, inputs: Sequence[str], attributes: Message) -> None:
        """Write the node itself."""
        self.nodes.append(message(self.name, op, inputs, attributes))


def message(name: str, op: str, inputs: Sequence[str], attributes: Message) -> Message:
    """Return a NodeDef."""
    return {"name": name, "op": op, "input": list(inputs), "attr": attributes}


def whole_numbers(held: int | Sequence[int]) -> Message:
    """Return a tensor of whole numbers, of one without axes."""
    numbers: Shape = (held,) if isinstance(held, int) else tuple(held)
    dims: Message = {} if isinstance(held, int) else {"dim": [{"size": len(numbers)}]}
    tensor: Message = {"dtype": Enum("DT_INT32"), "tensor_shape": dims, "int_val": list(numbers)}
    return {"tensor": tensor}


def free(name: str, taken: set[str]) -> str:
    """Return a name that no node has, and take it."""
    tries: Iterator[str] = chain([name], (f"{name}_{k}" for k in count(1)))
    found = next(one for one in tries if one not in taken)
    taken.add(found)
    return found
