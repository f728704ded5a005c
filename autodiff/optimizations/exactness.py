"""Where the last bit of a value matters: there nothing is put that rounds otherwise.

A last bit is no more than that in a smooth formula. It decides where a function jumps (`floor`, a
comparison, the remainder), where a domain ends (`asin` at 1), and where a difference that may
vanish goes on to a quotient or a logarithm.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING

from ..ops.arithmetic import div
from ..ops.powers import pow_
from ..ops.rules import Each
from ..rules.view import SUMS

if TYPE_CHECKING:
    from ..graph import Graph, Node


def delicate(graph: Graph, nodes: Sequence[int]) -> set[int]:
    """Return the nodes, of all that `nodes` need, whose last bit may decide over more than that."""
    found: set[int] = set()
    narrow: set[int] = set()
    for index in reversed(graph.needed(nodes)):
        node = graph.nodes[index]
        adds = node.op in SUMS or node.op.move is not None
        if index in found or (adds and index in narrow):
            found.update(node.args)
        for k, arg in enumerate(node.args):
            if jumps(graph, node, k) or ends_apart(node, k):
                found.add(arg)
            if index in narrow or ends_at_zero(graph, node, k):
                narrow.add(arg)
    return found


def jumps(graph: Graph, node: Node, k: int) -> bool:
    """Tell whether the node may jump where argument k passes some number.

    A power of a negative number has a value at whole exponents alone.
    """
    op, args, _ = node
    if op is pow_ and k == 1:
        return (graph.literal(args[0]) or 0.0) <= 0.0 and graph.literal(args[1]) is None
    flat = not isinstance(op.partials, Each) and bool(op.partials) and op.partials[k] is None
    return flat or op.jumps


def ends_apart(node: Node, k: int) -> bool:
    """Tell whether the domain of argument k ends, and elsewhere than at 0: at 1, at each pole."""
    domain = node.op.domain[min(k, len(node.op.domain) - 1)]
    return domain.whole or not {domain.low, domain.high} <= {0.0, inf, -inf}


def ends_at_zero(graph: Graph, node: Node, k: int) -> bool:
    """Tell whether 0 is an end of what argument k may be, as in a denominator."""
    op, args, _ = node
    if op is pow_:
        exponent = graph.literal(args[1])
        return exponent is None or exponent < 0.0 or not exponent.is_integer()
    domain = op.domain[min(k, len(op.domain) - 1)]
    return (op is div and k == 1) or 0.0 in (domain.low, domain.high)
