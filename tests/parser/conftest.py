"""Rows for the parser's tests: one for each way in which a call may be written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from cgraph.autodiff.graph import Graph, Shape
from cgraph.autodiff.ops import FUNCTIONS, OPS, Attr, Composition, Expr, Op, rows
from cgraph.autodiff.ops.registry import BUILTINS, Registry
from cgraph.autodiff.ops.rules import Move
from cgraph.autodiff.ops.table import needs_arrays


def unmoved(k: int, at: object, flow: Expr) -> Expr:
    raise AssertionError("nothing is differentiated here")


def same(attrs: tuple[Any, ...], args: tuple[Shape, ...]) -> Shape:
    return args[0]


def unchanged(x: object, *others: object) -> object:
    return x


def row(name: str, signature: str, *attributes: Attr, **fields: Any) -> Op:
    move = Move(pushforward=unmoved, transpose=unmoved, shape=same)
    return Op(
        name=name,
        signature=signature,
        doc="for tests",
        scalar=needs_arrays,
        array=f"{__name__}:unchanged",
        attributes=attributes,
        move=move,
        **fields,
    )


def twice_root(graph: Graph, args: Sequence[Expr], attrs: Sequence[Any]) -> Expr:
    root = OPS["sqrt"](args[0])
    return root + root * float(attrs[0])


def filled(graph: Graph, args: Sequence[Expr], attrs: Sequence[Any]) -> Expr:
    value: Any = attrs[1]
    for size in reversed(attrs[0]):
        value = (value,) * size
    return Expr(graph, graph.constant(value))


@pytest.fixture(scope="module", autouse=True)
def _rows() -> Iterator[None]:
    rows()
    registries: tuple[Registry[Any], ...] = (BUILTINS, FUNCTIONS, OPS)
    before = [registry.entered.copy() for registry in registries]
    row("fold", "fold(x)", Attr("axis", "axis", None), Attr("keepdims", "flag", False))
    row("fold2", "fold(x, y, *more)")
    row("scan", "scan(x)", Attr("axis", "axis"))
    row("shaped", "shaped(x)", Attr("shape", "shape"))
    row("turned", "turned(x)", Attr("axes", "axes", None))
    row("put", "put(x)", Attr("shape", "shape"), Attr("index", "index"))
    row("join", "join(x, *more)", Attr("axis", "axis", 0), listed=True)
    row("product", "product(x, *more)", Attr("equation", "text", ""))
    row("worded", "worded(x)", Attr("equation", "text"))
    row("blur", "blur(x, p=0.5)", Attr("window", "whole", 3), Attr("serial", "serial"))
    Composition(
        name="rooted",
        signature="rooted(x)",
        doc="for tests",
        attributes=(Attr("factor", "number", 2.0),),
        make=twice_root,
    )
    Composition(
        name="filled",
        signature="filled()",
        doc="for tests",
        attributes=(Attr("shape", "shape"), Attr("value", "number", 1.0)),
        make=filled,
    )
    yield
    for registry, entered in zip(registries, before, strict=True):
        registry.entered.clear()
        registry.entered.update(entered)
