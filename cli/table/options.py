"""What a call says of its table: `--data FILE` and the options that go with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ...autodiff.constants import FREE
from ...autodiff.errors import UsageError
from ..columns import chosen
from ..numerals import MISSING

TAB = ("\\t", "tab", "\t")
"""How a tab is asked for."""

CHECKED = 1000
"""So many rows are checked unless told."""


class Form(NamedTuple):
    """How cells of text are told apart, "" as the file's name says; the decimal point; and cells
    that the call says are no value."""

    delimiter: str = ""
    decimal: str = "."
    na: tuple[str, ...] = ()

    @property
    def missing(self) -> tuple[str, ...]:
        """All cells that say that there is no value."""
        return (*MISSING, *self.na)

    def settled(self, ending: str) -> Form:
        """Return the form of a file whose name ends so."""
        return self._replace(delimiter=self.delimiter or ("\t" if ending == ".tsv" else ","))


class TableOptions(NamedTuple):
    """A table and how it is read, which columns are carried along, and what becomes of its rows."""

    path: str
    keep: tuple[str, ...]
    columns: dict[str, str]
    """The columns that are chosen, by the input that each is for."""
    form: Form
    nulls: str
    reduce: str | None
    limit: int
    """The most rows that are checked."""

    @property
    def constants(self) -> tuple[str, ...]:
        """The constants that a column makes inputs."""
        return tuple(name for name in FREE if name in self.columns)


def table_options(path: str | None, given: dict[str, Any]) -> TableOptions:
    """Return what a call says of its table. Raises `UsageError` for options that have none."""
    if path is None:
        name = next(name for name, value in given.items() if value)
        raise UsageError(f"--{name} goes with --data FILE")
    return TableOptions(
        path,
        given.get("keep") or (),
        chosen(given.get("col") or ()),
        form_of(given.get("delimiter"), given.get("decimal"), given.get("na") or ()),
        given.get("nulls") or "nan",
        given.get("reduce"),
        given.get("limit") or CHECKED,
    )


def form_of(delimiter: str | None, decimal: str | None, na: Sequence[str] = ()) -> Form:
    """Return how cells are told apart. Raises `UsageError` where that cannot be."""
    point = decimal or "."
    separator = "\t" if delimiter in TAB else delimiter
    if separator is None:
        separator = ";" if point == "," else ""
    elif len(separator) != 1 or separator in '"\r\n' or not separator.isascii():
        raise UsageError(f"--delimiter takes one character, or tab, not {delimiter!r}")
    elif separator.isalnum() or separator in "+-\0":
        told = f"--delimiter cannot be a letter, a digit or a sign, as {separator!r} is"
        raise UsageError(told)
    if separator == point:
        raise UsageError(f"--delimiter and --decimal are both {point!r}")
    return Form(separator, point, tuple(mark.strip() for mark in na))
