"""Rules for selections and their conditions."""

from __future__ import annotations

from ..ops import OPS
from ..ops.comparison import and_, equal, greater_equal, less_equal, not_, not_equal, or_
from ..ops.selection import where
from .view import View


def decided(view: View, node: int) -> int | None:
    """Put the arm that is taken for where(1, a, b), and a for where(c, a, a)."""
    graph = view.graph
    op, args, _ = graph.nodes[node]
    if op is not where:
        return None
    condition, a, b = args
    number = graph.literal(condition)
    if number is not None:
        return a if number != 0.0 else b
    return a if a == b else None


def nested(view: View, node: int) -> int | None:
    """Put where(c, a, d) for where(c, where(c, a, b), d): the inner condition is known."""
    graph = view.graph
    op, args, _ = graph.nodes[node]
    if op is not where:
        return None
    arms = list(args[1:])
    for k, arm in enumerate(arms):
        inner, its_args, _ = graph.nodes[arm]
        if inner is where and its_args[0] == args[0]:
            arms[k] = its_args[1 + k]
    return graph.add(where, (args[0], *arms)) if tuple(arms) != args[1:] else None


def turned(view: View, node: int) -> int | None:
    """Put where(c, b, a) for where(not c, a, b), and where(x or y, b, a) for x == 0 and y == 0."""
    graph = view.graph
    op, args, _ = graph.nodes[node]
    if op is not where or graph.nodes[args[0]].op not in (not_, and_, or_):
        return None
    other = negated(view, args[0])
    if view.size(other) >= view.size(args[0]):
        return None
    return graph.add(where, (other, args[2], args[1]))


def negated(view: View, node: int) -> int:
    """Return a condition that holds where a node is 0 and nowhere else; not x < 0 holds for nan."""
    graph, found, pending = view.graph, view.negated, [node]
    while pending:
        index = pending.pop()
        if index in found:
            continue
        op, args, _ = graph.nodes[index]
        if op not in (and_, or_):
            found[index] = opposite(view, index)
        elif all(arg in found for arg in args):
            other = or_ if op is and_ else and_
            found[index] = graph.add(other, tuple([found[arg] for arg in args]))
        else:
            pending += [index, *(arg for arg in args if arg not in found)]
    return found[node]


def opposite(view: View, node: int) -> int:
    """Return the same of a node that is neither `and` nor `or`."""
    graph = view.graph
    op, args, _ = graph.nodes[node]
    if op is not_:
        return args[0]
    if op is equal and graph.literal(args[1]) == 0.0:
        return args[0]
    if op in (equal, not_equal) or (op.complement is not None and view.bounded(node)):
        return graph.add(OPS[op.complement or ""], args)
    return graph.add(not_, (node,))


def logic(view: View, node: int) -> int | None:
    """Put c for c and c, x == 0 for x == 0 and x >= 0, c for c != 0 where c is 0 or 1."""
    graph = view.graph
    op, args, _ = graph.nodes[node]
    if op is not_equal and graph.literal(args[1]) == 0.0 and truth(view, args[0]):
        return args[0]
    if op not in (and_, or_):
        return None
    if args[0] == args[1] and truth(view, args[0]):
        return args[0]
    for one, other in (args, args[::-1]):
        loose = graph.nodes[other]
        strict = graph.nodes[one]
        if op is not and_ or strict.op is not equal or strict.args != loose.args:
            continue
        if loose.op in (greater_equal, less_equal):
            return one
    return None


def truth(view: View, node: int) -> bool:
    """Tell whether a node is 0 or 1 at all bindings: a comparison, or logic."""
    op = view.graph.nodes[node].op
    return op.complement is not None or op in (and_, or_, not_)
