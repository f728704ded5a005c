"""What TensorFlow's ops take as inputs where cgraph's have attributes: axes, shapes, permutations.

An attribute that TensorFlow's op does not have another tool drops without a word, so none is
written. What cannot be said by TensorFlow's inputs stands under a name of our own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, count
from typing import TYPE_CHECKING, TypeAlias, cast

from ..autodiff.graphdef_names import AXIS

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
    """Nodes that are written for another one, in a scope of its name, ahead of it."""

    def __init__(self, name: str, taken: set[str]) -> None:
        self.name = name
        self.taken = taken
        self.nodes: list[Message] = []

    def add(self, part: str, op: str, inputs: Sequence[str], **attributes: Field) -> str:
        """Write a node; return its name."""
        name = free(f"{self.name}/{part}", self.taken)
        self.nodes.append(message(name, op, inputs, attributes))
        return name

    def constant(self, part: str, held: int | Sequence[int]) -> str:
        """Write a whole number or a list of them; return its name."""
        return self.add(part, "Const", [], dtype=INT, value=whole_numbers(held))

    def axes(self, source: str, rank: int | None, backwards: bool) -> str:
        """Write all axes of a node, which are told by its rank where that is not known."""
        part = "perm" if backwards else "axis"
        if rank is not None:
            axes = range(rank)
            return self.constant(part, [*(reversed(axes) if backwards else axes)])
        found = self.add("rank", "Rank", [source], T=DOUBLE)
        first, step = self.constant("first", 0), self.constant("step", 1)
        if not backwards:
            return self.add(part, "Range", [first, found, step], Tidx=INT)
        each = self.add("axes", "Range", [first, found, step], Tidx=INT)
        last = self.add("last", "Sub", [found, step], T=INT)
        return self.add(part, "Sub", [last, each], T=INT)

    def whole(self, asked: TensorFlowInput, held: Attribute, source: str, rank: int | None) -> str:
        """Write what an op takes as its last input, for an attribute; return its name."""
        if held is None:
            return self.axes(source, rank, asked.none == "backwards")
        part = "perm" if asked.name == "axes" else asked.name
        return self.constant(part, cast("int | Shape", held))

    def turned(self, op: str, source: str, axis: int, rank: int, attributes: Message) -> None:
        """Write an op that goes along the last axis between two transpositions; end with it."""
        order = list(range(rank))
        order[axis], order[-1] = order[-1], order[axis]
        perm = self.constant("perm", order)
        before = self.add("before", "Transpose", [source, perm], T=DOUBLE, Tperm=INT)
        inner = self.add("last", op, [before], T=DOUBLE)
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
