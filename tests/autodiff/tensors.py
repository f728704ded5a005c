"""Sample calls of the ops that move or mix elements: shapes of arguments, and attributes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cgraph.autodiff.graph import Graph
from cgraph.autodiff.ops import OPS, Expr, Op

if TYPE_CHECKING:
    from cgraph.autodiff.evaluate import Value
    from cgraph.autodiff.graph import Shape


class Case(NamedTuple):
    """A call of an op: the shapes of its arguments, its attributes, what its values must be."""

    op: str
    shapes: tuple[Shape, ...]
    attrs: tuple[Any, ...] = ()
    kind: str = "any"
    """any, or labels (the last argument), or regular (square matrices that have an inverse)."""

    def __str__(self) -> str:
        return f"{self.op} {self.shapes} {self.attrs}"


AXES: tuple[tuple[Shape, tuple[Any, ...]], ...] = (
    ((), (None,)),
    ((3,), (None, 0, -1)),
    ((1,), (None, 0)),
    ((2, 3), (None, 0, -1, (0, 1))),
    ((2, 3, 2), (None, 1, -1, (0, 2), (-1, 0))),
)
REDUCTIONS = ("sum", "mean", "prod", "largest", "smallest", "norm", "logsumexp")
SPREADS = ("var", "std")

PRODUCTS: tuple[tuple[Shape, Shape], ...] = (
    ((3,), (3,)),
    ((2, 3), (3,)),
    ((2,), (2, 3)),
    ((2, 3), (3, 4)),
    ((5, 2, 3), (3, 4)),
    ((2, 3), (5, 3, 4)),
    ((5, 2, 3), (5, 3, 4)),
    ((5, 2, 3), (3,)),
    ((2,), (5, 2, 3)),
    ((1, 2, 3), (5, 3, 2)),
)

EQUATIONS: tuple[tuple[str, tuple[Shape, ...]], ...] = (
    ("ij,jk->ik", ((2, 3), (3, 4))),
    ("ij->ji", ((2, 3),)),
    ("ij->i", ((2, 3),)),
    ("ij->", ((2, 3),)),
    ("ii->", ((3, 3),)),
    ("ii->i", ((3, 3),)),
    ("i,j", ((2,), (3,))),
    ("bij,bjk->bik", ((2, 2, 3), (2, 3, 2))),
    ("i,ij,j", ((2,), (2, 3), (3,))),
)

CASES: tuple[Case, ...] = (
    *(
        Case(op, (shape,), (axis, keep))
        for op in REDUCTIONS
        for shape, axes in AXES
        for axis in axes
        for keep in (False, True)
    ),
    *(
        Case(op, (shape,), (axis, keep, ddof))
        for op in SPREADS
        for shape, axes in AXES[3:]
        for axis in axes
        for keep, ddof in ((False, 0), (True, 1))
    ),
    *(
        Case(op, (shape,), (axis,))
        for op in ("softmax", "log_softmax")
        for shape in ((3,), (2, 3))
        for axis in (-1, 0)
    ),
    *(
        Case("cumsum", (shape,), (axis, reverse))
        for shape in ((3,), (2, 3))
        for axis in (None, 0, -1)
        for reverse in (False, True)
    ),
    *(Case("matmul", shapes) for shapes in PRODUCTS),
    *(Case("einsum", shapes, (equation,)) for equation, shapes in EQUATIONS),
    *(Case("matmul_reached", (*shapes, *shapes)) for shapes in PRODUCTS),
    Case("matmul_reached", ((2, 3), (3, 4), (), (3, 1))),
    *(Case("einsum_reached", (*shapes, *shapes), (equation,)) for equation, shapes in EQUATIONS),
    Case("outer", ((2,), (3,))),
    Case("sum_to", ((4, 3),), ((3,),)),
    Case("sum_to", ((4, 3),), ((4, 1),)),
    Case("broadcast_to", ((3,),), ((4, 3),)),
    Case("broadcast_to", ((),), ((2,),)),
    Case("len", ((4, 3),)),
    Case("reshape", ((2, 3),), ((3, -1),)),
    Case("reshape", ((),), ((1, 1),)),
    Case("transpose", ((2, 3),), (None,)),
    Case("transpose", ((2, 3, 4),), ((1, -1, 0),)),
    Case("index", ((4, 3),), ("1:3, 0",)),
    Case("index", ((4, 3),), ("::-2",)),
    Case("index", ((4, 3),), ("..., -1",)),
    Case("index", ((4,),), ("None, 1:",)),
    Case("index", ((4, 3),), ("-1",)),
    Case("place", ((2,),), ((4, 3), "1:3, 0")),
    Case("place", ((),), ((4,), ":")),
    Case("stack", ((2,), (2,)), (0,)),
    Case("stack", ((2, 3), (2, 3)), (-1,)),
    Case("stack", ((), (), ()), (0,)),
    Case("stack", ((2,),), (-1,)),
    Case("concat", ((2, 3),), (-1,)),
    Case("concat", ((2, 3), (1, 3)), (0,)),
    Case("concat", ((2, 3), (2, 1), (2, 2)), (-1,)),
    Case("diag", ((3,),)),
    Case("diag", ((3, 2),)),
    Case("diag", ((3, 3),)),
    Case("trace", ((3, 2),)),
    Case("trace", ((3, 3),)),
    Case("one_hot", ((4,),), (3,), "labels"),
    Case("pick", ((4, 3), (4,)), (), "labels"),
    Case("pick", ((3,), ()), (), "labels"),
    Case("pick", ((4, 3), (4, 3))),
    Case("dropped", ((4, 3),), (0.25, 1)),
    *(
        Case(op, (shape,), (), "regular")
        for op in ("det", "logdet", "inv", "cofactors")
        for shape in ((3, 3), (2, 3, 3), (1, 1))
    ),
    Case("second_cofactors", ((3, 3), (3, 3)), (), "regular"),
    Case("second_cofactors", ((2, 2, 2), (2, 2, 2)), (), "regular"),
    *(
        Case("solve", shapes, (), "regular")
        for shapes in (
            ((3, 3), (3,)),
            ((3, 3), (3, 2)),
            ((2, 3, 3), (3,)),
            ((2, 3, 3), (3, 2)),
            ((3, 3), (2, 3, 2)),
        )
    ),
)


def first_cases() -> dict[str, Case]:
    """Return one call of each op."""
    return {case.op: case for case in reversed(CASES)}


def movers() -> list[Op]:
    """Return the ops that move or mix elements."""
    return [op for op in OPS.values() if op.move is not None]


def built(case: Case) -> tuple[Graph, list[Expr], Expr]:
    """Return a graph of the call at inputs x0, x1, ..., these and its node."""
    graph = Graph()
    inputs = [Expr(graph, graph.placeholder(f"x{k}")) for k in range(len(case.shapes))]
    return graph, inputs, OPS[case.op](*inputs, attrs=case.attrs)


def attributes_of(op: Op) -> tuple[Any, ...]:
    """Return attributes that an op may have."""
    return first_cases()[op.name].attrs if op.attributes else ()


def values(case: Case, seed: int = 1) -> dict[str, Value]:
    """Return values for the inputs of a call."""
    draw = np.random.default_rng(seed)
    found: dict[str, Value] = {}
    for k, shape in enumerate(case.shapes):
        value = draw.normal(size=shape)
        if case.kind == "regular" and shape[-2:] == shape[-1:] * 2:
            value = value + 3.0 * np.eye(shape[-1])
        if case.kind == "labels" and k == len(case.shapes) - 1:
            value = draw.integers(0, 3, size=shape).astype(np.float64)
        found[f"x{k}"] = value if np.ndim(value) else float(value)
    return found


def each(op: str) -> Iterator[Case]:
    """Yield the calls of an op."""
    return (case for case in CASES if case.op == op)
