"""The op table: importing this package enters the rows of scalars; `FURTHER` names the rest."""

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
from .registry import FUNCTIONS, OPS, lookup
from .rules import At, Each, Expr
from .table import Attr, Builtin, Composition, Domain, Op, fill, rows

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
