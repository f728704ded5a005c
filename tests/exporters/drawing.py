"""Graphs that Hypothesis draws from the op table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from cgraph.autodiff.graph import Graph
from cgraph.autodiff.ops import OPS, Op
from cgraph.autodiff.ops.leaves import constant

from ..autodiff.tensors import attributes_of

WRITABLE = [op for op in OPS.values() if op.infix or op.function]
"""The ops that a formula can spell."""

NUMBERS = st.floats() | st.sampled_from([0.0, -0.0, 1.0, -2.0, 0.01, 1e300])


def arity(op: Op) -> int:
    """Return how many arguments a node of the op may have."""
    return op.least + len(op.filling) if op.most is not None else op.least + 1


@st.composite
def graphs(draw: Callable[..., Any], most: int = 12) -> Graph:
    """Draw a graph with outputs, some of them named."""
    graph = Graph()
    nodes = [graph.placeholder(name) for name in ("x", "y", "α.w", "e")]
    nodes += [graph.constant(draw(NUMBERS)) for _ in range(2)]
    for _ in range(draw(st.integers(1, most))):
        op = draw(st.sampled_from(WRITABLE))
        args = tuple(draw(st.sampled_from(nodes)) for _ in range(arity(op)))
        if op.brackets and all(graph.nodes[arg].op is constant for arg in args):
            continue  # such brackets are read as one constant
        nodes.append(graph.add(op, args, attributes_of(op)))
    graph.outputs = draw(st.lists(st.sampled_from(nodes), min_size=1, max_size=3))
    graph.names = draw(st.dictionaries(st.sampled_from("pqrs"), st.sampled_from(nodes), max_size=3))
    return graph
