"""The op table: importing this package enters the rows of scalars, `table.FURTHER` are the rest."""

from __future__ import annotations

from . import (
    activations,
    arithmetic,
    comparison,
    hyperbolic,
    leaves,
    powers,
    rounding,
    selection,
    special,
    trigonometry,
)
from .table import (
    FUNCTIONS,
    OPS,
    At,
    Attr,
    Builtin,
    Composition,
    Domain,
    Each,
    Expr,
    Op,
    fill,
    lookup,
    rows,
)

__all__ = [
    "FUNCTIONS",
    "OPS",
    "At",
    "Attr",
    "Builtin",
    "Composition",
    "Domain",
    "Each",
    "Expr",
    "Op",
    "activations",
    "arithmetic",
    "comparison",
    "fill",
    "hyperbolic",
    "leaves",
    "lookup",
    "powers",
    "rounding",
    "rows",
    "selection",
    "special",
    "trigonometry",
]
