"""The registry of the op table: rows by name, functions by name.

Rows that scalars do without are imported when they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from .table import Builtin, Op

T = TypeVar("T")

FURTHER = (
    "algebra",
    "compositions",
    "labels",
    "matrices",
    "parts",
    "programs",
    "reductions",
    "structure",
)
"""The modules of rows that scalars do without."""


@cache
def enter_all() -> None:
    """Import the modules of `FURTHER`, whose rows enter themselves."""
    for module in FURTHER:
        import_module(f".{module}", __package__)


class Registry(Mapping[str, T]):
    """What the table has by name, all of it: whoever looks has the rest imported first.

    `entered` is what is there by now, for those who know that they need no more.
    """

    __slots__ = ("entered",)

    def __init__(self) -> None:
        self.entered: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        enter_all()
        return self.entered[name]

    def __iter__(self) -> Iterator[str]:
        enter_all()
        return iter(sorted(self.entered))  # whatever was imported first

    def __len__(self) -> int:
        enter_all()
        return len(self.entered)


class Rows(Registry["Op"]):
    """The rows: of a name there is one, so that one which is there is the one."""

    __slots__ = ()

    def __getitem__(self, name: str) -> Op:
        row = self.entered.get(name)
        return super().__getitem__(name) if row is None else row


OPS = Rows()
"""Every row by its name."""

BUILTINS: Registry[Builtin] = Registry()
"""Every row by its name, and every composition."""

FUNCTIONS: Registry[tuple[Builtin, ...]] = Registry()
"""What a function's name (or an alias) may mean, told apart by the number of arguments."""


TWINS: dict[str, Op] = {}
"""Rows that differ from others in their derivatives alone, by names of their own.

They are made of rows, are evaluated and written as these are, and no formula can call them.
"""


def register(called: Builtin) -> None:
    """Enter a function under its name and its aliases.

    Raises `ValueError` where a call, or a name of a row, would have two meanings.
    """
    if BUILTINS.entered.setdefault(called.name, called) is not called:
        raise ValueError(f"two rows are called {called.name}")
    entered = FUNCTIONS.entered
    for name in filter(None, (called.function, *called.aliases)):
        for other in entered.get(name, ()):
            if other.accepts(called.least) or called.accepts(other.least):
                raise ValueError(f"a call of {name} may mean {other.name} or {called.name}")
        entered[name] = (*entered.get(name, ()), called)


def lookup(function: str, count: int) -> Builtin | None:
    """Return what a call of `function` with `count` arguments means."""
    for names in (FUNCTIONS.entered, FUNCTIONS):
        for meant in names.get(function, ()):
            if meant.accepts(count):
                return meant
    return None
