"""The op table, complete: importing this package enters every row."""

from __future__ import annotations

from . import arithmetic, comparison, elementary, selection, special, structure
from .table import FUNCTIONS, OPS, At, Domain, Each, Expr, Op, fill, lookup, rows

__all__ = [
    "FUNCTIONS",
    "OPS",
    "At",
    "Domain",
    "Each",
    "Expr",
    "Op",
    "arithmetic",
    "comparison",
    "elementary",
    "fill",
    "lookup",
    "rows",
    "selection",
    "special",
    "structure",
]
