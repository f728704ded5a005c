"""Text to graph: formulas by the tables of a Lark grammar, GraphDef JSON by its own reader.

The names below load when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .driver import is_graph, load, parse
    from .literals import parse_value

__all__ = ["is_graph", "load", "parse", "parse_value"]


def __getattr__(name: str) -> object:
    """Import a name at its first use."""
    if name not in __all__:
        raise AttributeError(f"module 'cgraph.parser' has no attribute {name!r}")
    home = ".literals" if name == "parse_value" else ".driver"
    return getattr(import_module(home, __name__), name)
