"""Rules for arrays: what repeats, reshapes or turns an array for nothing goes.

Each is exact; shapes are asked for where a rule needs them, and where they are not known it waits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from ..ops.arithmetic import mul
from ..ops.matrices import matmul, outer
from ..ops.parts import index, place
from ..ops.reductions import sum_
from ..ops.structure import broadcast_to, sum_to, transpose
from .view import View

if TYPE_CHECKING:
    from ..graph import Shape


def in_place(view: View, node: int) -> int | None:
    """Leave out a move to the shape, or the order of axes, that its argument has already."""
    op, args, attrs = view.graph.nodes[node]
    if op is transpose and attrs[0] == tuple(range(len(view.shape(args[0]) or ()))):
        return args[0]
    if op.to_shape and view.shape(args[0]) == attrs[0]:
        return args[0]
    return None


def repeated(view: View, node: int) -> int | None:
    """Repeat last, and not where broadcasting does: 2*x, not [2, 2]*x."""
    graph = view.graph
    op, args, attrs = graph.nodes[node]
    if op.move is not None or not any(graph.nodes[arg].op is broadcast_to for arg in args):
        return None
    bare = tuple([inner(view, arg) for arg in args])
    shape, shapes = view.shape(node), [view.shape(arg) for arg in bare]
    if shape is None or None in shapes:
        return None
    found = graph.add(op, bare, attrs)
    return found if view.shape(found) == shape else graph.add(broadcast_to, (found,), (shape,))


def inner(view: View, node: int) -> int:
    """Return what a node repeats, the node itself where it is nothing repeated."""
    op, args, _ = view.graph.nodes[node]
    return args[0] if op is broadcast_to else node


def twice(view: View, node: int) -> int | None:
    """Do once what is done twice: x.T.T, or shapes and sums of what had another shape before."""
    op, args, attrs = view.graph.nodes[node]
    if not args or view.graph.nodes[args[0]].op is not op:
        return None
    if op is transpose:
        return turned_twice(view, node)
    if not op.to_shape or grows(view, node) or grows(view, args[0]):
        return None
    return view.graph.add(op, view.graph.nodes[args[0]].args, attrs)


def turned_twice(view: View, node: int) -> int | None:
    """Turn an array once, or not at all, where it is turned twice."""
    _, args, (last,) = view.graph.nodes[node]
    _, before, (first,) = view.graph.nodes[args[0]]
    if last is None and first is None:
        return before[0]
    if first is None or last is None:
        return None
    inside, outside = cast("Shape", first), cast("Shape", last)
    rank = len(inside)
    order = tuple([inside[axis] % rank for axis in outside])
    if order == tuple(range(rank)):
        return before[0]
    return view.graph.add(transpose, before, (order,))


def sum_of_sums(view: View, node: int) -> int | None:
    """Sum all at once: sum(sum(x, axis=0)) is sum(x), and so where x only had another shape."""
    op, args, attrs = view.graph.nodes[node]
    if op is not sum_ or attrs != (None, False):
        return None
    summed, before, _ = view.graph.nodes[args[0]]
    if summed.keeps_sum and not grows(view, args[0]):
        return view.graph.add(sum_, before, attrs)
    return None


def to_number(view: View, node: int) -> int | None:
    """Put sum(x) for x in the shape of a number, whose only entry it is: sum_to(x, [])."""
    op, args, attrs = view.graph.nodes[node]
    if not (op.keeps_sum and op.attributes[0].kind == "shape" and attrs[0] == ()):
        return None
    return view.graph.add(sum_, args, sum_.defaults)


def grows(view: View, node: int) -> bool:
    """Tell whether a node may have entries of its argument more than once."""
    op, args, _ = view.graph.nodes[node]
    if op not in (sum_to, place):
        return False
    shape, inside = view.shape(node), view.shape(args[0])
    if shape is None or inside is None:
        return True
    if op is sum_to:
        return len(shape) > len(inside) or any(
            a > b for a, b in zip(reversed(shape), reversed(inside), strict=False)
        )
    part = view.shape(view.graph.add(index, (node,), view.graph.nodes[node].attrs[1:]))
    return part != inside


def taken_back(view: View, node: int) -> int | None:
    """Take what is put at an index from there again as it was."""
    op, args, attrs = view.graph.nodes[node]
    if op is not index:
        return None
    placed, before, told = view.graph.nodes[args[0]]
    shape = view.shape(node)
    same = placed is place and told[1:] == attrs and shape is not None
    return before[0] if same and view.shape(before[0]) == shape else None


def of_repeated(view: View, node: int) -> int | None:
    """Write the product with a number repeated as a sum, or as rows that repeat."""
    op, args, _ = view.graph.nodes[node]
    shape = view.shape(node)
    if op not in (matmul, outer) or shape is None:
        return None
    left, right = (len(view.shape(arg) or ()) for arg in args)
    first, last = (number_repeated(view, arg) for arg in args)
    if op is outer:
        row = None if first is None else scaled(view, first, args[1])
        return None if row is None else view.graph.add(broadcast_to, (row,), (shape,))
    if (left, right) == (2, 1) and last is not None:
        return scaled(view, last, view.graph.add(sum_, args[:1], (1, False)))
    if (left, right) == (1, 2) and first is not None:
        return scaled(view, first, view.graph.add(sum_, args[1:], (0, False)))
    return None


def number_repeated(view: View, node: int) -> int | None:
    """Return the number that a node repeats, None where it does not."""
    found = inner(view, node)
    return found if found != node and view.shape(found) == () else None


def scaled(view: View, factor: int, node: int) -> int:
    """Return a multiple of a node."""
    return node if view.graph.literal(factor) == 1.0 else view.graph.add(mul, (factor, node))


def of_transposed(view: View, node: int) -> int | None:
    """Sum a turned matrix along its other axis: sum(A.T, axis=1) is sum(A, axis=0)."""
    op, args, attrs = view.graph.nodes[node]
    if op is not sum_ or attrs not in ((0, False), (1, False)):
        return None
    turned, before, told = view.graph.nodes[args[0]]
    if turned is not transpose or told != (None,) or len(view.shape(args[0]) or ()) != 2:
        return None
    return view.graph.add(sum_, before, (0 if attrs[0] else 1, False))


def turned_product(view: View, node: int) -> int | None:
    """Turn a product by its order: outer(x, y).T is outer(y, x), and x @ A.T is A @ x."""
    graph = view.graph
    op, args, attrs = graph.nodes[node]
    if op is transpose and attrs == (None,) and graph.nodes[args[0]].op is outer:
        return graph.add(outer, graph.nodes[args[0]].args[::-1])
    if op is not matmul or len(view.shape(args[0]) or ()) != 1:
        return None
    turned, before, told = graph.nodes[args[1]]
    if turned is not transpose or told != (None,) or len(view.shape(args[1]) or ()) != 2:
        return None
    return graph.add(matmul, (before[0], args[0]))


ARRAYS: tuple[Callable[[View, int], int | None], ...] = (
    in_place,
    repeated,
    twice,
    to_number,
    sum_of_sums,
    of_transposed,
    taken_back,
    turned_product,
    of_repeated,
)
