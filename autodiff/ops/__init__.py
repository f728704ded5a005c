"""The op table, complete: importing this package enters every row."""

from __future__ import annotations

from . import arithmetic, comparison, elementary, selection, special, structure  # noqa: F401 (the order of the reference)
from .table import FUNCTIONS, OPS, At, Domain, Each, Expr, Op, fill, lookup, rows

__all__ = ["FUNCTIONS", "OPS", "At", "Domain", "Each", "Expr", "Op", "fill", "lookup", "rows"]
