"""The op table, complete: importing this package enters every row."""

from __future__ import annotations

from . import (
    activations,
    arithmetic,
    comparison,
    hyperbolic,
    powers,
    rounding,
    selection,
    special,
    structure,
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
    "lookup",
    "powers",
    "rounding",
    "rows",
    "selection",
    "special",
    "structure",
    "trigonometry",
]
