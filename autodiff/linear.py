"""The part of a pass that depends on its seeds, as a graph of its own.

A pass that is run for one seed after another computes the values of the formula and its partial
derivatives anew each time. Cut out, what the seeds cause takes these as inputs: they are found
once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from .evaluate import run
from .graph import Graph
from .ops.leaves import constant, placeholder
from .program import Program

if TYPE_CHECKING:
    from .evaluate import Value, Values


class Linear(NamedTuple):
    """A pass in two programs: `once`, and `often` for each seed.

    `given` are the nodes that the second takes from the first, by the names of its inputs; `ends`
    are the nodes in the second that the pass ends at.
    """

    once: Program
    often: Program
    given: Mapping[str, int]
    ends: tuple[int, ...]

    def inputs(self, values: Values) -> dict[str, Value]:
        """Return what the second program takes from a run of the first."""
        return {name: values[node] for name, node in self.given.items()}

    def caused(self, inputs: Mapping[str, Value]) -> list[Value]:
        """Run the second program; return the values at its ends."""
        values = run(self.often, inputs)
        return [values[node] for node in self.ends]


def cut(graph: Graph, nodes: Iterable[int], ends: Sequence[int], seeds: Iterable[int]) -> Linear:
    """Return a pass from seeds to `ends`; its first program finds the values of `nodes` besides."""
    part = Graph(graph.max_nodes)
    part.seed = graph.seed
    marks = graph.dependents(seeds, max(ends, default=-1))
    meaning: dict[int, int] = {}
    given: dict[str, int] = {}

    def meant(index: int) -> int:
        if index not in meaning:
            node = graph.nodes[index]
            if node.op is constant:
                meaning[index] = part.adopt(node)
            else:
                name = f"value of {index}"
                given[name] = index
                meaning[index] = part.add(placeholder, (), (name,))
        return meaning[index]

    for index in graph.needed(ends):
        if marks[index]:
            op, args, attrs = graph.nodes[index]
            meaning[index] = part.add(op, tuple([meant(arg) for arg in args]), attrs)
    found = tuple([meant(end) for end in ends])
    once = Program(graph, [*nodes, *given.values()])
    return Linear(once, Program(part, found), given, found)
