"""What runs, in which order, and until when each value lives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from .graph import undisturbed
from .ops.structure import placeholder

if TYPE_CHECKING:
    from .graph import Graph, Nested, Node
    from .ops.table import Op


class Step(NamedTuple):
    """One operation: where its value goes, its op, where its arguments lie, its attributes."""

    node: int
    op: Op
    args: tuple[int, ...]
    attrs: tuple[Any, ...]


class Program:
    """The nodes that `wanted` need, ready to be run by an evaluator, any number of times.

    `inputs` are (node, name) and `constants` (node, number or nested tuples), `operations` the
    others in order. `is_scalar` tells that nothing in it but a binding can be an array.
    """

    def __init__(self, graph: Graph, wanted: Sequence[int]) -> None:
        self.wanted = tuple(wanted)
        self.seed = graph.seed
        self.inputs: list[tuple[int, str]] = []
        self.constants: list[tuple[int, Nested]] = []
        self.operations: list[tuple[int, Node]] = []
        self.size = max(wanted, default=-1) + 1
        with undisturbed():
            for index in graph.needed(wanted):
                node = graph.nodes[index]
                if node.args:
                    self.operations.append((index, node))
                elif node.op is placeholder:
                    self.inputs.append((index, str(node.attrs[0])))
                else:
                    self.constants.append((index, node.value))

    @cached_property
    def is_scalar(self) -> bool:
        """Whether every constant is a number and no op moves elements."""
        return all(isinstance(value, float) for _, value in self.constants) and all(
            node.op.move is None for _, node in self.operations
        )

    @cached_property
    def steps(self) -> list[Step]:
        """The operations in the form that the array evaluator runs."""
        return [
            Step(index, op, args, (*attrs, self.seed) if op.draws else attrs)
            for index, (op, args, attrs) in self.operations
        ]

    @cached_property
    def scalar_steps(self) -> list[tuple[int, Callable[..., float], tuple[int, ...]]]:
        """The operations in the form that the scalar evaluator runs."""
        with undisturbed():
            return [(index, node.op.scalar, node.args) for index, node in self.operations]

    @cached_property
    def dying(self) -> list[tuple[int, ...]]:
        """For each step, the nodes whose values nobody needs after it."""
        kept = set(self.wanted)
        found: list[tuple[int, ...]] = []
        for step in reversed(self.steps):
            last_here = {step.node, *step.args} - kept
            kept |= last_here
            found.append(tuple(last_here))
        return found[::-1]
