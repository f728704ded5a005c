"""Random formulas as graphs, drawn from the table, each with a point where it is smooth."""

from __future__ import annotations

import math
from typing import NamedTuple

from hypothesis import strategies as st

from cgraph.autodiff.graph import Graph
from cgraph.autodiff.ops import Each, Expr, Op

from .samples import arity, domain, elementwise, inside

NAMES = "abc"
DEEPEST = 6
CONSTANTS = (2.0, 0.5, -1.5, 3.0)
FLAT = [op for op in elementwise() if op.partials in ((None,), (None, None))]
SMOOTH = [op for op in elementwise() if op not in FLAT]
MIXING = [op for op in SMOOTH if op.conditions or op.infix]
DRAWN = [*FLAT, *SMOOTH, *SMOOTH, *MIXING, *MIXING, *MIXING, *MIXING]
"""The ops to draw from: fewer steps, more of what makes paths meet and part."""


class Drawn(NamedTuple):
    """A graph with one output, and a value for each of its inputs."""

    graph: Graph
    output: int
    point: dict[str, float]

    def __repr__(self) -> str:
        lines = [
            f"{index}: {node.op.name}{node.args or node.attrs}"
            for index, node in self.graph.walk(self.graph.needed([self.output]))
        ]
        return "\n".join([*lines, str(self.point)])


class Known(NamedTuple):
    """A node that may become an argument: its value at the point, its depth, whether it is tame."""

    expr: Expr
    value: float
    depth: int
    tame: bool


@st.composite
def formulas(draw: st.DrawFn, least: int = 6, most: int = 16) -> Drawn:
    """Draw a formula of one to three inputs; an argument not selected may be of any value."""
    graph = Graph()
    point = {name: draw(st.integers(-(10**9), 10**9).map(spread)) for name in NAMES}
    known = [Known(Expr(graph, graph.placeholder(n)), x, 0, True) for n, x in point.items()]
    known = known[: draw(st.integers(1, 3))]
    for _ in range(draw(st.integers(least, most))):
        found = draw(step(known))
        if found.expr.node not in {other.expr.node for other in known}:
            known.append(found)
    output = [one for one in known if one.tame][-1].expr.node
    needed = graph.inputs([output])
    return Drawn(graph, output, {name: point[name] for name in needed})


def spread(k: int) -> float:
    """Return a number of (-3.2, 3.2) at which no function has a kink."""
    return (k + 0.5) * math.pi * 1e-9


@st.composite
def step(draw: st.DrawFn, known: list[Known]) -> Known:
    """Draw an op at arguments that are known."""
    op = draw(st.sampled_from(DRAWN))
    args: list[Known] = []
    for k in range(arity(op)):
        args.append(draw(argument(op, k, args, known)))
    value = op.scalar(*(arg.value for arg in args))
    return Known(
        op(*(arg.expr for arg in args)),
        value,
        1 + max(arg.depth for arg in args),
        is_tame(op, args, value),
    )


def argument(op: Op, k: int, before: list[Known], known: list[Known]) -> st.SearchStrategy[Known]:
    """Return the arguments that may stand at place k after those before."""
    graph = known[0].expr.graph
    numbers = (0.0, 1.0, 2.0) if domain(op, k).whole else CONSTANTS
    constants = [Known(Expr(graph, graph.constant(x)), x, 0, True) for x in numbers]
    if domain(op, k).whole:
        return st.sampled_from(constants)
    ignored = op.name == "where" and k > 0 and (before[0].value != 0.0) != (k == 1)
    fitting = [one for one in known if one.depth < DEEPEST and (one.tame or ignored)]
    return st.sampled_from([*fitting, *fitting[-2:], *fitting[-2:], *(constants if k else [])])


def is_tame(op: Op, args: list[Known], value: float) -> bool:
    """Tell whether the op is smooth there, as its row says, and its value of ordinary size.

    At a tie the least, the greatest and a clip have a kink.
    """
    smooth = all(
        domain(op, k).whole or inside(domain(op, k), arg.value) for k, arg in enumerate(args)
    )
    tied = isinstance(op.conditions, Each) and len({arg.value for arg in args}) < len(args)
    return smooth and not tied and (value == 0.0 or 1e-6 < abs(value) < 1e6)
