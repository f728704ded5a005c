"""Sizes that the callers of code may choose: the rows of a batch, read off an argument.

A derivative is made in the shapes of its inputs, so their sizes are in it: in attributes, and in
numbers such as the 1/n of a mean. It is made again at other sizes, in the same graph; what is
another then is written by the size that it changes with.
"""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from itertools import count
from math import isclose, lcm
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ...autodiff.errors import FormulaError
from ...autodiff.inputs import input_shapes
from ...autodiff.ops.leaves import constant
from ...autodiff.shapes import Inferred, infer
from .forms import ATOM, PRODUCT, SUM, Piece

if TYPE_CHECKING:
    from ...autodiff.graph import Graph, Node, Shape
    from ..scene import Scene

TRIED = (101, 103, 107, 109, 113, 127, 131, 137, 139, 149)
"""Sizes that are hardly those of anything else in a graph, two for each size that varies."""
FEW = (2, 3, 5, 7, 11, 13, 17, 19)
"""Of these the first that nothing has is tried too, in case the ops go by the size."""
MOST = len(TRIED) // 2
FINEST = 10**6
"""The largest denominator of a factor."""

Axis: TypeAlias = tuple[str, int]
"""An input and the place of one of its axes."""

Shaped: TypeAlias = "Mapping[str, Shape]"
"""Shapes of inputs."""

Derive: TypeAlias = "Callable[[Shaped], Sequence[int]]"
"""Shapes of inputs -> the outputs, derivatives included."""


class Size(NamedTuple):
    """A size that varies: that of an input's first axis, and of all axes that must have it too."""

    name: str
    axes: frozenset[Axis]
    actual: int


class Follows(NamedTuple):
    """How a number follows a size n: as a*n + b, or as over/(a*n + b)."""

    name: str
    a: int
    b: int
    over: int | None = None

    @property
    def text(self) -> str:
        """What is written for it."""
        text = self.name if self.a == 1 else f"{self.a} * {self.name}"
        if self.b:
            text += f" {'-' if self.b < 0 else '+'} {abs(self.b)}"
        if self.over is None:
            return text
        return f"{float(self.over)} / {text if text == self.name else f'({text})'}"

    def at(self, sizes: Mapping[str, int]) -> float:
        """Return the number where the size has its value among `sizes`."""
        number = self.a * sizes[self.name] + self.b
        return number if self.over is None else self.over / number


Places: TypeAlias = dict[tuple[int, str], dict[int, Follows]]
"""By a node and its attribute, how the numbers in that follow sizes, by their places."""


class Versions(NamedTuple):
    """The outputs at sizes that are like no others, with each of those changed in turn, and last at
    those of the scene."""

    sizes: Sequence[Size]
    tried: Sequence[tuple[int, ...]]
    outputs: Sequence[Sequence[int]]
    actual: Shaped
    """The shapes that the inputs have in the scene."""

    def changed(self, k: int) -> Sequence[Sequence[int]]:
        """Return the outputs with a size changed, in turn."""
        start = 1 + sum(len(tried) - 1 for tried in self.tried[:k])
        return self.outputs[start : start + len(self.tried[k]) - 1]


Words: TypeAlias = dict[int, dict[str, str]]
"""What is written for attributes of nodes; for a constant, under "value"."""


def varying(scene: Scene) -> list[Size]:
    """Return the sizes that callers may choose: the rows of inputs that are data."""
    graph = scene.graph
    shapes = input_shapes(graph, scene.given)
    nodes = graph.needed([*scene.primals, *scene.wrt])
    taken = graph.inputs(scene.outputs)
    free = [name for name in taken if name not in scene.given and shapes.get(name)]
    found: list[Size] = []
    for name in data(scene, free):
        if not any((name, 0) in size.axes for size in found):
            axes = together(graph, nodes, shapes, name, free)
            if axes is not None:
                found.append(Size(name, axes, shapes[name][0]))
                # Each alone may stand beside a single row of the other, and both together not.
                apart = {TRIED[2 * k]: size.axes for k, size in enumerate(found)}
                if failure(graph, nodes, resized(shapes, apart)) < len(graph):
                    found.pop()
                if len(found) == MOST:
                    break
    return found


def data(scene: Scene, names: Sequence[str]) -> Sequence[str]:
    """Return which inputs are data and not parameters.

    They are those that are not differentiated by, else those of which nothing was declared, else
    those that have no default.
    """
    graph = scene.graph
    others = [name for name in names if graph.placeholders[name] not in scene.wrt]
    free = [name for name in names if name not in graph.defaults]
    return others or [name for name in free if name not in graph.shapes] or free or names


def together(
    graph: Graph,
    nodes: Sequence[int],
    shapes: Shaped,
    name: str,
    free: Sequence[str],
) -> frozenset[Axis] | None:
    """Return the axes that must change with an input's first, None where it cannot change.

    The axis that lets inference get furthest is taken in, again and again.
    """
    size, end = shapes[name][0], len(graph)
    left = [(one, k) for one in free for k, other in enumerate(shapes[one]) if other == size]
    # A single row would go with any: what has one row then is taken to be of the batch.
    axes = {(one, 0) for one in free if shapes[one][0] == 1} if size == 1 else {(name, 0)}
    reached = failure(graph, nodes, resized(shapes, {TRIED[0]: axes}))
    while reached < end:
        tries = {
            axis: failure(graph, nodes, resized(shapes, {TRIED[0]: {*axes, axis}}))
            for axis in left
            if axis not in axes
        }
        best = max(tries, key=tries.__getitem__, default=None)
        if best is None or tries[best] <= reached:
            return None
        axes.add(best)
        reached = tries[best]
    few = failure(graph, nodes, resized(shapes, {2: axes})) < end
    return None if few and size > 1 else frozenset(axes)


def resized(shapes: Shaped, sizes: Mapping[int, Set[Axis]]) -> Shaped:
    """Return shapes of inputs with other sizes along some axes."""
    found = {name: list(shape) for name, shape in shapes.items()}
    for size, axes in sizes.items():
        for name, axis in axes:
            found[name][axis] = size
    return {name: tuple(shape) for name, shape in found.items()}


def failure(graph: Graph, nodes: Sequence[int], shapes: Shaped) -> int:
    """Return the first node that does not go with shapes of inputs, past the last if all do."""
    found = Inferred(graph, shapes)
    for index in nodes:
        try:
            found.add(index, graph.nodes[index])
        except FormulaError:
            return index
    return len(graph)


def tries(scene: Scene, sizes: Sequence[Size]) -> list[tuple[int, ...]]:
    """Return what each of some sizes is tried at, the first of them where another is changed.

    What it is in the scene is among them: an op may go by which of two sizes is the smaller. A
    single row is not: it needs less than many, and stands beside other sizes by broadcasting.
    """
    shapes = input_shapes(scene.graph, scene.given)
    there = {size for shape in shapes.values() for size in shape}
    few = next((size for size in FEW if size not in there), TRIED[-1] + 2)
    return [
        (*TRIED[2 * k : 2 * k + 2], few, *([size.actual] if size.actual > 1 else []))
        for k, size in enumerate(sizes)
    ]


def unlike(scene: Scene, sizes: Sequence[Size], changed: int = -1, other: int = 0) -> Shaped:
    """Return shapes of inputs where sizes are like no others, one perhaps changed once more."""
    shapes = input_shapes(scene.graph, scene.given)
    tried = tries(scene, sizes)
    return resized(
        shapes,
        {tried[k][other if k == changed else 0]: size.axes for k, size in enumerate(sizes)},
    )


def versions(scene: Scene, sizes: Sequence[Size], derive: Derive) -> Versions:
    """Return the outputs at some sizes, and with each size changed. Raises `Unfit`."""
    tried = tries(scene, sizes)
    changes = [(k, other) for k in range(len(sizes)) for other in range(1, len(tried[k]))]
    found: list[Sequence[int]] = []
    for k, other in [(-1, 0), *changes]:
        try:
            found.append(derive(unlike(scene, sizes, k, other)))
        except FormulaError:
            if not sizes:
                raise
            raise Unfit(sizes[k]) from None
    actual = input_shapes(scene.graph, scene.given)
    return Versions(sizes, tried, [*found, derive(actual)], actual)


class Unfit(Exception):
    """Something changes with a size in a way that cannot be written."""

    def __init__(self, size: Size) -> None:
        super().__init__(size.name)
        self.size = size


def words(graph: Graph, made: Versions, names: Sequence[str]) -> Words:
    """Return what is written by the sizes' names. Raises `Unfit` where that cannot be."""
    places: Places = {}
    for k, size in enumerate(made.sizes):
        changed = [matched(graph, made.outputs[0], other) for other in made.changed(k)]
        if None in changed:
            raise Unfit(size)
        for node, attr, texts in differences(graph, changed):
            followed = follow(texts, made.tried[k], names[k])
            there = places.setdefault((node, attr), {})
            if followed is None or not there.keys().isdisjoint(followed):
                raise Unfit(size)
            there |= followed
    actual = {name: size.actual for name, size in zip(names, made.sizes, strict=True)}
    for size in made.sizes:
        if size.actual == 1 and not goes_with(graph, made, places, actual):
            raise Unfit(size)
    found: Words = {}
    for (node, attr), numbers in places.items():
        written = {place: number.text for place, number in numbers.items()}
        found.setdefault(node, {})[attr] = filled(attribute(graph.nodes[node], attr), written)
    return found


def goes_with(graph: Graph, made: Versions, places: Places, actual: Mapping[str, int]) -> bool:
    """Tell whether what is written has the right shapes at the sizes that there are.

    A single row is not compared by its graph, which lacks what many rows need.
    """
    copies = dict[int, int]()
    for index, node in graph.walk(graph.needed(made.outputs[0])):
        attrs = list(node.attrs)
        for k, attr in enumerate(node.op.attributes):
            if numbers := places.get((index, attr.name)):
                texts = {place: f"{number.at(actual):g}" for place, number in numbers.items()}
                text = filled(str(attrs[k]), texts)
                attrs[k] = text if isinstance(attrs[k], str) else literal_eval(text)
        args = tuple([copies[arg] for arg in node.args])
        same = args == node.args and attrs == list(node.attrs)
        copies[index] = index if same else graph.add(node.op, args, tuple(attrs))
    written, right = [copies[output] for output in made.outputs[0]], made.outputs[-1]
    try:
        shapes = infer(graph, made.actual, graph.needed([*written, *right]))
    except FormulaError:
        return False
    return [shapes[one] for one in written] == [shapes[one] for one in right]


def matched(graph: Graph, first: Sequence[int], second: Sequence[int]) -> dict[int, int] | None:
    """Return each node that some outputs need with the one in its place for others, if all have."""
    found: dict[int, int] = {}
    pending = list(zip(first, second, strict=True))
    while pending:
        one, other = pending.pop()
        if one in found:
            if found[one] != other:
                return None
            continue
        found[one] = other
        op, args, _ = graph.nodes[one]
        if op is not graph.nodes[other].op or len(args) != len(graph.nodes[other].args):
            return None
        pending += zip(args, graph.nodes[other].args, strict=True)
    return found


def differences(
    graph: Graph, changed: Sequence[Mapping[int, int] | None]
) -> Iterator[tuple[int, str, list[str]]]:
    """Yield each attribute that changes: its node, its name, what it is."""
    for node in changed[0] or ():
        here = [graph.nodes[node], *(graph.nodes[(found or {})[node]] for found in changed)]
        attrs = ["value"] if here[0].op is constant else [a.name for a in here[0].op.attributes]
        for attr in attrs:
            texts = [attribute(one, attr) for one in here]
            if len(set(texts)) > 1:
                yield node, attr, texts


def attribute(node: Node, name: str) -> str:
    """Return an attribute, or a constant, as a text."""
    if node.op is constant:
        return repr(node.value)
    held: Any = node.attrs[[attr.name for attr in node.op.attributes].index(name)]
    return str(held)


NUMBER = re.compile(r"\d+(?:\.\d*)?(?:e[-+]?\d+)?")


def filled(text: str, told: Mapping[int, str]) -> str:
    """Return a text with other texts in the places of some of its numbers."""
    place = count()
    return NUMBER.sub(lambda number: told.get(next(place), number[0]), text)


def follow(texts: Sequence[str], tried: Sequence[int], name: str) -> dict[int, Follows] | None:
    """Return how numbers in a text follow a size, by their places, None where some do not."""
    if len({NUMBER.sub("0", text) for text in texts}) > 1:
        return None
    found: dict[int, Follows] = {}
    for place, numbers in enumerate(zip(*map(NUMBER.findall, texts), strict=True)):
        if len(set(numbers)) > 1:
            followed = fit(list(map(float, numbers)), tried, name)
            if followed is None:
                return None
            found[place] = followed
    return found


def fit(numbers: Sequence[float], tried: Sequence[int], name: str) -> Follows | None:
    """Return how a number follows a size: `a*n + b` of whole numbers, or `c / (a*n + b)`."""
    if all(number.is_integer() for number in numbers):
        a, b = line(numbers, tried)
        whole = a.denominator == b.denominator == 1
        good = whole and all(a * n + b == x for n, x in zip(tried, numbers, strict=True))
        return Follows(name, int(a), int(b)) if good else None
    if 0.0 in numbers:
        return None
    a, b = line([1.0 / number for number in numbers], tried)
    over = lcm(a.denominator, b.denominator)
    a, b = a * over, b * over
    if not all(
        a * n + b and isclose(over / (a * n + b), x, rel_tol=1e-15)
        for n, x in zip(tried, numbers, strict=True)
    ):
        return None
    return Follows(name, int(a), int(b), over)


def line(numbers: Sequence[float], tried: Sequence[int]) -> tuple[Fraction, Fraction]:
    """Return a and b of the line a*n + b through the first and the last number."""
    slope = (numbers[-1] - numbers[0]) / (tried[-1] - tried[0])
    a = Fraction(slope).limit_denominator(FINEST)
    return a, Fraction(numbers[0] - a * tried[0]).limit_denominator(FINEST)


def piece(text: str) -> Piece:
    """Return what is written for a constant as an expression."""
    if text.isidentifier():
        return Piece(text, ATOM)
    return Piece(text, PRODUCT if "/" in text or not re.search(" [-+] ", text) else SUM)
