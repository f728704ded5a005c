"""Which derivatives were decided by a convention: those that are others just beside.

Where a row has a kink its first derivative is chosen. That matters only where the derivative of the
whole formula is not the same from all sides: the square of abs(x) has its derivative at 0 whatever
was chosen. So the derivatives are run again next to the point, in a few directions, nearer and
nearer: what does not come back to the value found was decided.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from .evaluate import is_finite, run
from .graph import Graph
from .ops.rules import At, Expr
from .program import Program

if TYPE_CHECKING:
    from .evaluate import Value, Values
    from .ops import Op

NEAR, NEARER = 2.0**-17, 2.0**-27
"""How far from a point derivatives are tried, beside its size."""

REMAINS = 0.3
"""What remains of a difference that does not go away, beside what was there farther off."""

APART = 1e-6
"""Derivatives that are nearer, beside their size, may be so by rounding."""

DIRECTIONS = 4


def decided(
    graph: Graph,
    slopes: Iterable[int],
    given: Mapping[str, Value],
    moving: Collection[str] | None = None,
) -> list[int]:
    """Return the nodes whose derivative was chosen and decided one of `slopes`.

    `given` has a value for each input. Those of `moving` (all where it is None), which derivatives
    are by, are moved to see what comes next to the point. Without kinks nothing is run.
    """
    wanted = [*dict.fromkeys(slopes)]
    twins = [index for index, node in graph.walk(graph.needed(wanted)) if node.op.plain]
    if not twins:
        return []
    args = {arg for index in twins for arg in graph.nodes[index].args}
    values = run(Program(graph, [*args]), given)
    held = {index: who for index in twins if (who := whose(graph, index, values)) is not None}
    return deciding(graph, wanted, held, given, moving) if held else []


def deciding(
    graph: Graph,
    slopes: Sequence[int],
    held: Mapping[int, int],
    given: Mapping[str, Value],
    moving: Collection[str] | None,
) -> list[int]:
    """Return the nodes, of those whose twins are held at their kinks, that decide a slope."""
    suspects = {slope: [held[k] for k in graph.needed([slope]) if k in held] for slope in slopes}
    asked = [slope for slope, nodes in suspects.items() if nodes]
    program = Program(graph, asked)
    here = run(program, given)
    found: dict[int, None] = {}
    for near, nearer in tried(program, given, moving):
        for slope in asked:
            if is_finite(here[slope]) and differs(here[slope], near[slope], nearer[slope]):
                found.update(dict.fromkeys(suspects[slope]))
    return sorted(found)


def whose(graph: Graph, index: int, values: Values) -> int | None:
    """Return the node of the formula at whose kink a twin is, in one of its elements, or None."""
    node = graph.nodes[index]
    test = kink_of(node.op, len(node.args))
    given = {name: values[node.args[int(name)]] for _, name in test.inputs}
    found = run(test, given)
    if not any(is_true(found[one]) for one in test.wanted):
        return None
    while index in graph.came_from:
        index = graph.came_from[index]
    return index if graph.nodes[index].op.kink else None


@cache
def kink_of(op: Op, count: int) -> Program:
    """Return a program that tells where a twin is at its kink, by its arguments `0`, `1`, ..."""
    scratch = Graph()
    args = [Expr(scratch, scratch.placeholder(f"{k}")) for k in range(count)]
    at = At(args[0], tuple(args), (), ())  # no kink depends on the result
    conditions = [op.selected(k, at) for k in range(count)]
    return Program(scratch, [one.node for one in conditions if one is not None])


def is_true(value: Value) -> bool:
    """Tell whether a condition holds, in one of its elements."""
    return bool(value if isinstance(value, float | int) else value.any())


def tried(
    program: Program, given: Mapping[str, Value], moving: Collection[str] | None
) -> Iterator[tuple[Values, Values]]:
    """Yield the values of a program near a point and nearer, in some directions, always the same.

    The first two directions are opposite ones. Only inputs of `moving` are moved, if it is given.
    """
    import numpy as np

    draw = np.random.default_rng(0)
    names = [name for _, name in program.inputs if moving is None or name in moving]
    ways = {name: draw.uniform(0.5, 1.0, np.shape(given[name])) for name in names}
    for k in range(DIRECTIONS):
        if k % 2 == 0 and k:
            for name in names:
                ways[name] = ways[name] * draw.choice((-1.0, 1.0), np.shape(given[name]))
        sign = 1.0 if k % 2 == 0 else -1.0
        near, nearer = (
            run(program, {**given, **beside(given, ways, sign * step)}) for step in (NEAR, NEARER)
        )
        yield near, nearer


def beside(given: Mapping[str, Value], ways: Mapping[str, Value], step: float) -> dict[str, Value]:
    """Return values of inputs a step along their ways."""
    return {name: moved(given[name], step * way) for name, way in ways.items()}


def moved(value: Value, by: Value) -> Value:
    """Return a value a little beside, each element by its size."""
    import numpy as np

    found = value + by * np.maximum(np.abs(value), 1.0)
    return float(found) if isinstance(value, float | int) else found


def differs(here: Value, near: Value, nearer: Value) -> bool:
    """Tell whether values next to a point do not come back to the one there.

    Those that are none, beyond the end of a domain, do not count.
    """
    import numpy as np

    with np.errstate(all="ignore"):
        far, close = np.abs(near - np.asarray(here)), np.abs(nearer - np.asarray(here))
        size = np.maximum(np.abs(here), np.abs(nearer))
        stays = (close > REMAINS * far) | np.isinf(close)
        return bool(np.any(stays & (close > APART * size) & (close > 0.0)))
