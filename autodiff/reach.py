"""Where the entries of a result come from, for an op that moves or mixes elements.

The op itself is asked: its rule for masks is run on the numbers of the entries. A weighted mean of
numbers and of their squares tells whether one number alone went into it, and which: an entry of the
result comes from one place along an axis of an argument, or else from anywhere along it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from .evaluate import run
from .flow import standing
from .graph import Graph
from .pattern import Indices, Pattern, check_entries, starts_of
from .program import Program
from .seeds import hidden_input
from .shapes import infer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .evaluate import Array
    from .graph import Attribute, Shape
    from .ops.table import Op

Digit: TypeAlias = "tuple[Array, Array]"
"""One digit of some numbers, and its square."""

BASE = 1024
"""Numbers are asked digit by digit, so small that sums of their squares are exact."""

NARROW = 1e-7
"""The variance of digits is at least about 1 divided by how many they are, or it is 0."""


class Sources(NamedTuple):
    """Groups of entries of the arguments, and which group each entry of the result comes from.

    The entries of all arguments asked for are numbered in order; a group is a row of `groups`, or a
    single entry where that is None. -1 is none.
    """

    which: Indices
    groups: Pattern | None


class Call(NamedTuple):
    """A call of an op, and the arguments whose entries are followed."""

    op: Op
    attrs: tuple[Attribute, ...]
    shapes: tuple[Shape, ...]
    result: Shape
    followed: tuple[int, ...]
    seed: int


class Reach:
    """What calls reach; each is asked once."""

    def __init__(self) -> None:
        self._known: dict[Call, list[Sources]] = {}
        self._linear: dict[tuple[Op, int], bool] = {}

    def sources(self, call: Call) -> list[Sources]:
        """Return where the result comes from: one for all followed arguments, or one for each."""
        found = self._known.get(call)
        if found is None:
            found = self._known[call] = self._asked(call)
        return found

    def _asked(self, call: Call) -> list[Sources]:
        if self.is_linear(call):
            together = picked(call)
            if together is not None:
                return [together]
            return [boxes(call, k, own_mask(call, k)) for k in call.followed]
        return [boxes(call, k, mask_of(call, k)) for k in call.followed]

    def is_linear(self, call: Call) -> bool:
        """Tell whether the op does to tangents what it does to its arguments."""
        key = call.op, len(call.shapes)
        if key not in self._linear:
            self._linear[key] = is_linear(call)
        return self._linear[key]


def is_linear(call: Call) -> bool:
    """Tell whether the tangent of a call is the same call of the arguments' tangents."""
    move = call.op.move
    assert move is not None, "asked of ops that move elements"
    if move.reached is not None or move.scale is not None:
        return False
    graph = Graph()
    args = [graph.placeholder(f"x{k}") for k in range(len(call.shapes))]
    node = graph.add(call.op, tuple(args), call.attrs)
    known = infer(graph, inputs_of(call), range(len(graph)))
    flows = {k: hidden_input(graph, f"flow {k}", arg, known) for k, arg in enumerate(args)}
    tangent = graph.nodes[move.tangent(standing(graph, node, known), flows).node]
    given = tuple([flow.node for flow in flows.values()])
    return (tangent.op, tangent.args, tangent.attrs) == (call.op, given, call.attrs)


def inputs_of(call: Call) -> dict[str, Shape]:
    """Return the shapes of inputs in the place of a call's arguments."""
    return {f"x{k}": shape for k, shape in enumerate(call.shapes)}


def own_mask(call: Call, k: int) -> Callable[[Array], Array]:
    """Return what a linear op does to one argument, the others 0."""

    def image(probe: Array) -> Array:
        return on_arrays(
            call, [probe if j == k else np.zeros(shape) for j, shape in enumerate(call.shapes)]
        )

    return image


def on_arrays(call: Call, args: Sequence[Array]) -> Array:
    """Return the result of a call."""
    attrs = (*call.attrs, call.seed) if call.op.draws else call.attrs
    return np.asarray(call.op.on_arrays()(*args, *attrs))


def mask_of(call: Call, k: int) -> Callable[[Array], Array]:
    """Return what becomes of a mask of argument k: the rule, run in a graph of its own."""
    move = call.op.move
    assert move is not None, "asked of ops that move elements"
    graph = Graph()
    graph.seed = call.seed
    args = [graph.placeholder(f"x{j}") for j in range(len(call.shapes))]
    node = graph.add(call.op, tuple(args), call.attrs)
    known = infer(graph, inputs_of(call), range(len(graph)))
    mask = hidden_input(graph, "mask", args[k], known)
    rule = move.pushforward if move.reached is None else move.reached[0]
    image = rule(k, standing(graph, node, known), mask).node
    program = Program(graph, [image])
    ones = {f"x{j}": np.ones(shape) for j, shape in enumerate(call.shapes)}
    return lambda probe: np.asarray(run(program, {**ones, "mask": probe})[image])


# -- asking ---------------------------------------------------------------------------------------


def picked(call: Call) -> Sources | None:
    """Return the one entry that each of a linear op's result comes from, None for sums."""
    sizes = [int(np.prod(call.shapes[k], dtype=np.int64)) for k in call.followed]
    firsts = starts_of(np.array(sizes, dtype=np.int64))
    zeros = [np.zeros(shape) for shape in call.shapes]

    def image(probe: Array) -> Array:
        args = [*zeros]
        for k, first, end in zip(call.followed, firsts, firsts[1:], strict=False):
            args[k] = probe[first:end].reshape(call.shapes[k])
        return on_arrays(call, args).ravel()

    total = int(firsts[-1])
    there = image(ones_of(total))
    which, narrow = place_of(image, there, digits_of(total))
    return Sources(np.where(there > 0, which, -1), None) if narrow.all() else None


def boxes(call: Call, k: int, image: Callable[[Array], Array]) -> Sources:
    """Return the box of argument k's entries that each entry of the result comes from."""
    shape = call.shapes[k]
    size = int(np.prod(call.result, dtype=np.int64))
    if not size or 0 in shape:
        return Sources(np.full(size, -1), None)

    def flat(probe: Array) -> Array:
        return np.broadcast_to(image(probe), call.result).ravel()

    there = flat(np.ones(shape))
    places = np.zeros((len(shape), size), dtype=np.int64)
    for axis, length in enumerate(shape):
        along = np.ones(len(shape), dtype=np.int64)
        along[axis] = length
        digits = [
            (
                np.broadcast_to(digit.reshape(along), shape),
                np.broadcast_to(square.reshape(along), shape),
            )
            for digit, square in digits_of(length)
        ]
        at, narrow = place_of(flat, there, digits)
        places[axis] = np.where(narrow, at, -1)
    return grouped(places, there > 0, shape)


def place_of(
    image: Callable[[Array], Array], there: Array, digits: Sequence[Digit]
) -> tuple[Indices, NDArray[np.bool_]]:
    """Return the number that each entry of an image was made of, and whether it was one alone."""
    weight = np.where(there > 0, there, 1.0)
    found = np.zeros(there.shape, dtype=np.int64)
    narrow = np.ones(there.shape, dtype=np.bool_)
    for power, (digit, square) in enumerate(digits):
        mean = image(digit) / weight
        narrow &= image(square) / weight - mean * mean < NARROW
        found += np.rint(mean).astype(np.int64) * BASE**power
    return found, narrow


@lru_cache(maxsize=16)
def ones_of(count: int) -> Array:
    """Return ones."""
    return np.ones(count)


@lru_cache(maxsize=16)
def digits_of(count: int) -> tuple[Digit, ...]:
    """Return the numbers below `count`, digit by digit, from the lowest on, and their squares."""
    rest, found = np.arange(count), list[Digit]()
    while BASE ** len(found) < count:
        digit = (rest % BASE).astype(np.float64)
        found.append((digit, digit * digit))
        rest //= BASE
    return tuple(found)


def grouped(places: Indices, there: NDArray[np.bool_], shape: Shape) -> Sources:
    """Return boxes as groups: a place of -1 along an axis is all along it."""
    strides = strides_of(shape)
    fixed = (np.maximum(places, 0) * strides[:, None]).sum(axis=0)
    open_ = (places < 0).T @ (1 << np.arange(len(shape)))
    if not open_[there].any():
        return Sources(np.where(there, fixed, -1), None)
    keys, which = np.unique(np.stack([open_, fixed])[:, there], axis=1, return_inverse=True)
    columns: list[Indices] = []
    lengths: list[Indices] = []
    for pattern in np.unique(keys[0]):
        firsts = keys[1, keys[0] == pattern]
        offsets = offsets_of(int(pattern), shape)
        check_entries(len(firsts) * len(offsets))
        columns.append((firsts[:, None] + offsets).ravel())
        lengths.append(np.full(len(firsts), len(offsets)))
    found = np.full(there.shape, -1)
    found[there] = which.ravel()
    return Sources(found, Pattern(starts_of(np.concatenate(lengths)), np.concatenate(columns)))


def strides_of(shape: Shape) -> Indices:
    """Return by how much the number of an entry grows along each axis."""
    after = [np.prod(shape[axis + 1 :], dtype=np.int64) for axis in range(len(shape))]
    return np.array(after, dtype=np.int64)


def offsets_of(pattern: int, shape: Shape) -> Indices:
    """Return the numbers of the entries along the axes of a pattern, a bit an axis, from 0 on."""
    sizes = [length if pattern >> axis & 1 else 1 for axis, length in enumerate(shape)]
    steps = np.indices(sizes).reshape(len(shape), -1)
    return np.sort((steps * strides_of(shape)[:, None]).sum(axis=0))
