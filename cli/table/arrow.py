"""PyArrow, which reads and writes tables: loaded when a table is, and never typed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ...autodiff.errors import MissingExtraError, pip_line

INSTALL = pip_line("pyarrow", "data")


def arrow(part: str = "") -> Any:
    """Return PyArrow, or a module of it. Raises `MissingExtraError` where it is not installed."""
    try:
        found = import_module("pyarrow")
        return import_module(f"pyarrow.{part}") if part else found
    except ImportError:
        told = "--data needs pyarrow, which is not installed"
        raise MissingExtraError(told, hint=INSTALL) from None


def invalid() -> type[Exception]:
    """Return what PyArrow raises for data that it cannot take."""
    found: type[Exception] = arrow().ArrowException
    return found
