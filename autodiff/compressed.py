"""Passes that find many columns of a matrix of derivatives at once: those of one colour.

A pass is appended once. Its seeds are inputs that no formula can name; it is run with ones for the
entries of a colour and zeros for the others. An infinite partial times such a zero would be nan:
where something is not finite the pass is made anew with conditions for seeds, as those of whole
matrices are (`seeds.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .evaluate import run
from .flow import Flow
from .graph import undisturbed
from .linear import Linear, cut
from .pattern import Indices
from .results import finite
from .reverse import filled
from .seeds import Pass, Seed, blame, fit, hidden_input, shapes_of

if TYPE_CHECKING:
    from .colouring import Colouring
    from .evaluate import Array, Value, Values
    from .graph import Graph, Shape, Shapes
    from .origin import Culprit
    from .shapes import Inferred

MANY = 8
"""From so many colours on, those of a formula of numbers are run as columns of arrays."""

TOGETHER = 64
"""So many of them are run at once."""

MOST_KEPT = 10_000_000
"""The seeds of all colours are kept if they are no more numbers than this."""


class Way(NamedTuple):
    """What a pass starts at, what it ends at, and what it appends for flows from the starts."""

    starts: Sequence[int]
    ends: Sequence[int]
    append: Callable[[Mapping[int, Flow]], Sequence[int]]


class Recovery(NamedTuple):
    """Where each entry of the matrix is found: in the pass of which colour, at which place."""

    colours: Indices
    places: Indices


class Swept(NamedTuple):
    """The values of the formula, the entries of the matrix, and who made either not finite."""

    values: Values
    entries: Array
    culprits: list[Culprit]


class Made(NamedTuple):
    """A pass that was appended: its seeds, the nodes that it ends at, and how it is run."""

    seeds: list[Seed]
    ends: tuple[int, ...]
    linear: Linear
    kept: dict[int, dict[str, Value]]
    """The values of seeds, by colour."""


class Compressed:
    """The passes for all colours of the entries of a way's starts.

    `nodes` are those whose values are asked for besides.
    """

    def __init__(
        self,
        graph: Graph,
        nodes: Sequence[int],
        way: Way,
        shapes: Inferred | None,
        colouring: Colouring,
        recovery: Recovery,
    ) -> None:
        self._graph = graph
        self._nodes = nodes
        self._way = way
        self._shapes = shapes
        self._colouring = colouring
        order = np.argsort(recovery.colours, kind="stable")
        self._places = recovery.places[order]
        self._bounds = np.searchsorted(recovery.colours[order], np.arange(colouring.number + 1))
        self._back = np.argsort(order)

    def run(self, given: Mapping[str, Value]) -> Swept:
        """Return what the passes find at a value for each input."""
        values, entries = self._run(self._plain, given)
        fine = finite([entries])
        if fine and finite(values[node] for node in self._nodes):
            return Swept(values, entries, [])
        made = self._careful
        if not fine:
            values, entries = self._run(made, given)
        passes = [Pass(seed, made.ends, ()) for seed in made.seeds]
        return Swept(values, entries, blame(self._graph, self._nodes, passes, given))

    @cached_property
    def _plain(self) -> Made:
        """The pass whose seeds are numbers."""
        return self._made(
            [
                Seed(Flow(hidden_input(self._graph, name, node, self._shapes)), name, shape)
                for node, shape, name in self._named("seed of")
            ]
        )

    @cached_property
    def _careful(self) -> Made:
        """The pass whose seeds are conditions."""
        seeds: list[Seed] = []
        for node, shape, name in self._named("entry of"):
            ones = filled(self._graph, 1.0, node, self._shapes)
            mask = hidden_input(self._graph, name, node, self._shapes)
            seeds.append(Seed(Flow(ones, mask), name, shape))
        return self._made(seeds)

    def _named(self, what: str) -> Iterator[tuple[int, Shape, str]]:
        starts = self._way.starts
        for node, shape in zip(starts, shapes_of(starts, self._shapes), strict=True):
            yield node, shape, f"{what} {node}"

    def _made(self, seeds: list[Seed]) -> Made:
        flows = {node: seed.flow for node, seed in zip(self._way.starts, seeds, strict=True)}
        hidden = [(flow.condition or flow.value).node for flow in flows.values()]
        with undisturbed():
            ends = tuple(self._way.append(flows))
            return Made(seeds, ends, cut(self._graph, self._nodes, ends, hidden), {})

    def _run(self, made: Made, given: Mapping[str, Value]) -> tuple[Values, Array]:
        """Return the values of the formula, and the entries that a pass for each colour finds."""
        values = run(made.linear.once, given)
        inputs = made.linear.inputs(values)
        entries = np.zeros(len(self._places))
        for colour, found in enumerate(self._passes(made, inputs)):
            mine = slice(self._bounds[colour], self._bounds[colour + 1])
            entries[mine] = found[self._places[mine]]
        return values, entries[self._back]

    def _passes(self, made: Made, inputs: Mapping[str, Value]) -> Iterator[Array]:
        """Yield all that the pass for each colour finds."""
        count = self._colouring.number
        if self._shapes is None and count >= MANY:
            for first in range(0, count, TOGETHER):
                yield from self._together(made, inputs, first, min(first + TOGETHER, count))
            return
        for colour in range(count):
            found = made.linear.caused({**inputs, **self._seeds(made, colour)})
            yield flat(found, self._way.ends, self._shapes)

    def _seeds(self, made: Made, colour: int) -> dict[str, Value]:
        """Return seeds that are 1 at the entries of a colour, kept for the next time."""
        kept = made.kept.get(colour)
        if kept is None:
            colours, count = self._colouring
            kept = seeded(made.seeds, (colours == colour).astype(np.float64))
            if len(colours) * count <= MOST_KEPT:
                made.kept[colour] = kept
        return kept

    def _together(
        self, made: Made, inputs: Mapping[str, Value], first: int, end: int
    ) -> Iterator[Array]:
        """Yield what the passes for some colours find, run as columns of arrays."""
        chosen = self._colouring.colours[:, None] == np.arange(first, end)
        columns = zip(made.seeds, chosen.astype(np.float64), strict=True)
        seeds = {str(seed.mask): column for seed, column in columns}
        found = made.linear.caused({**inputs, **seeds})
        yield from np.array([fit(one, (end - first,)) for one in found]).T


def seeded(seeds: Sequence[Seed], chosen: Array) -> dict[str, Value]:
    """Return the values of seeds that are 1 at the entries that are chosen, else 0."""
    if all(not seed.shape for seed in seeds):
        return dict(zip([str(seed.mask) for seed in seeds], chosen.tolist(), strict=True))
    ends = np.cumsum([prod(seed.shape) for seed in seeds])
    return {
        str(seed.mask): part.reshape(seed.shape) if seed.shape else float(part[0])
        for seed, part in zip(seeds, np.split(chosen, ends[:-1]), strict=True)
    }


def flat(found: Sequence[Value], nodes: Sequence[int], shapes: Shapes | None) -> Array:
    """Return what belongs to nodes entry by entry, each in the node's shape."""
    if shapes is None or not any(shapes[node] for node in nodes):
        return np.array(found, dtype=np.float64)
    whole = [
        np.broadcast_to(value, shapes[node]).ravel()
        for value, node in zip(found, nodes, strict=True)
    ]
    return np.concatenate(whole) if whole else np.zeros(0)
