"""PyArrow, which reads and writes tables: loaded when a table is, and never typed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ...autodiff.errors import MissingExtraError, pip_line

INSTALL = pip_line("pyarrow", "data")


def arrow(part: str = "") -> Any:
    """Return PyArrow, or a module of it. Raises `MissingExtraError` where it does not load."""
    try:
        found = import_module("pyarrow")
        return import_module(f"pyarrow.{part}") if part else found
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "pyarrow":
            raise not_loaded(error) from None
        told = "--data needs pyarrow, which is not installed"
        raise MissingExtraError(told, hint=INSTALL) from None
    except (ImportError, OSError, SystemError) as error:
        raise not_loaded(error) from None


def not_loaded(error: Exception) -> MissingExtraError:
    """Return the error for PyArrow that is there and cannot be loaded: memory may be short."""
    told = (str(error) or type(error).__name__).splitlines()[0]
    return MissingExtraError(f"--data needs pyarrow, which cannot be loaded: {told}")


def invalid() -> type[Exception]:
    """Return what PyArrow raises for data that it cannot take."""
    found: type[Exception] = arrow().ArrowException
    return found
