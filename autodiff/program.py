"""What runs, in which order, and until when each value lives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from .graph import undisturbed
from .ops.leaves import constant, placeholder

if TYPE_CHECKING:
    from .graph import Graph, Nested, Node, Shape
    from .levels import Layout
    from .ops.table import Op


class Step(NamedTuple):
    """One operation: where its value goes, its op, where its arguments lie, its attributes."""

    node: int
    op: Op
    args: tuple[int, ...]
    attrs: tuple[Any, ...]


class ArrayStep(NamedTuple):
    """One operation on arrays: where its value goes, its NumPy form, its arguments, attributes."""

    node: int
    form: Callable[..., Any]
    args: tuple[int, ...]
    attrs: tuple[Any, ...] = ()


class Program:
    """The nodes that `wanted` need, ready to be run by an evaluator, any number of times.

    `inputs` are (node, name) and `constants` (node, number or nested tuples), `operations` the
    others in order. `order` says in which they run, arguments first; an operation may run again,
    so that its value need not be kept in between. Without it each runs once.
    """

    def __init__(
        self, graph: Graph, wanted: Sequence[int], order: Iterable[int] | None = None
    ) -> None:
        self.wanted = tuple(wanted)
        self.seed = graph.seed
        self.inputs: list[tuple[int, str]] = []
        self.constants: list[tuple[int, Nested]] = []
        self.operations: list[tuple[int, Node]] = []
        self.size = max(wanted, default=-1) + 1
        self._layout: tuple[Mapping[int, Shape], Layout | None] | None = None
        nodes = graph.nodes
        with undisturbed():
            for index in graph.needed(wanted) if order is None else order:
                node = nodes[index]
                op, args, _ = node
                if args or op not in (constant, placeholder):
                    self.operations.append((index, node))
                elif op is placeholder:
                    self.inputs.append((index, str(node.attrs[0])))
                else:
                    self.constants.append((index, node.value))
        assert order is None or self.covers(wanted), "what is wanted is run"

    def covers(self, wanted: Iterable[int]) -> bool:
        """Tell whether there is a value for each of some nodes at the end."""
        parts = (self.inputs, self.constants, self.operations)
        return {index for part in parts for index, _ in part}.issuperset(wanted)

    def layout(self, shapes: Mapping[int, Shape]) -> Layout | None:
        """Return how the program is run by blocks at inputs of these shapes, if it is.

        Few rows are not worth it. The last answer is kept.
        """
        found = self._layout
        if found is None or found[0] != shapes:
            from .levels import layout

            # Several threads may be here, each with shapes of its own.
            self._layout = found = shapes, layout(self, shapes)
        return found[1]

    @cached_property
    def is_scalar(self) -> bool:
        """Whether every constant is a number and no op moves elements."""
        ops = {node.op for _, node in self.operations}
        return all(op.move is None for op in ops) and all(
            isinstance(value, float) for _, value in self.constants
        )

    @cached_property
    def steps(self) -> list[Step]:
        """The operations with all that there is to know about them."""
        return [
            Step(index, node.op, node.args, self.attributes(node))
            for index, node in self.operations
        ]

    def attributes(self, node: Node) -> tuple[Any, ...]:
        """Return what the forms of a node's op get after its arguments."""
        return (*node.attrs, self.seed) if node.op.draws else node.attrs

    @cached_property
    def scalar_steps(self) -> list[tuple[int, Callable[..., float], tuple[int, ...]]]:
        """The operations in the form that the scalar evaluator runs."""
        with undisturbed():
            return [(index, node.op.scalar, node.args) for index, node in self.operations]

    @cached_property
    def array_constants(self) -> list[tuple[int, Any]]:
        """The constants in the form that the array evaluator uses."""
        from .arrays import constant_of

        return [(node, constant_of(value)) for node, value in self.constants]

    @cached_property
    def array_steps(self) -> list[tuple[ArrayStep, tuple[int, ...]]]:
        """The operations in the form that the array evaluator runs, and what dies after each."""
        steps = [
            ArrayStep(index, node.op.on_arrays(), node.args, self.attributes(node))
            for index, node in self.operations
        ]
        return list(zip(steps, self.dying, strict=True))

    @cached_property
    def dying(self) -> list[tuple[int, ...]]:
        """For each operation, the nodes whose values nobody needs after it.

        Nobody does until the end, or until the value is there again.
        """
        alive = set(self.wanted)
        found: list[tuple[int, ...]] = []
        for index, node in reversed(self.operations):
            last_here = {index, *node.args} - alive
            alive |= last_here
            alive.discard(index)
            found.append(tuple(last_here))
        return found[::-1]
