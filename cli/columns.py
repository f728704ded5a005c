"""Which columns of a table give values to inputs, and which are carried along."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple

from ..autodiff.errors import DataError, UsageError, closest, did_you_mean
from .bindings import MANY, missing_values, option_for, rebound_in_files
from .names import STAR, is_name, normal

if TYPE_CHECKING:
    from .question import Question
    from .table.batch import Source


class Bound(NamedTuple):
    """The column of each input that has one, and the columns to carry along."""

    inputs: dict[str, str]
    kept: list[str]


def chosen(options: Iterable[str]) -> dict[str, str]:
    """Return what `--col NAME=COLUMN` says. Raises `UsageError` where it does not read so."""
    found: dict[str, str] = {}
    for option in options:
        name, equals, column = option.partition("=")
        name = normal(name.strip())
        if not equals or not is_name(name) or not column.strip():
            raise UsageError(f"--col takes NAME=COLUMN, not {option!r}")
        if name in found:
            raise UsageError(f"--col gives {name} two columns: '{found[name]}' and '{column}'")
        found[name] = column.strip()
    return found


def bound(question: Question, table: Source) -> Bound:
    """Return which columns of a table are used, for what.

    Raises `UsageError` for an input that has two values, or none, and for columns that are not
    there.
    """
    data = question.request.data
    assert data is not None
    inputs = of_inputs(question, table, data.columns)
    kept = carried(table, data.keep)
    once(table, [*inputs.values(), *kept])
    check_given(question, table, inputs)
    leave_constants(question, table)
    return Bound(inputs, kept)


def of_inputs(question: Question, table: Source, chosen: Mapping[str, str]) -> dict[str, str]:
    """Return the columns of inputs: those that are chosen, else those of the same name."""
    inputs = question.graph.inputs()
    for name, column in chosen.items():
        if column not in table.columns:
            raise no_column(table, column, f"--col {name}")
        if name not in question.graph.placeholders:
            hint = did_you_mean(name, inputs) or f"inputs: {', '.join(inputs) or 'none'}"
            raise UsageError(f"--col: '{name}' is not an input of the formula", hint=hint)
    by_name = {normal(column): column for column in reversed(table.columns)} | dict(chosen)
    found = {name: by_name[name] for name in inputs if name in by_name}
    if list(table.columns) == [""]:
        found = of_nameless(question, table, inputs)
    for name, column in found.items():
        option = question.request.bindings.option(name)
        if option:
            told = f"{name} is given twice: by {option.spelled} and by column '{column}'"
            raise UsageError(f"{told} of {table.name}")
    return found


def of_nameless(question: Question, table: Source, inputs: Iterable[str]) -> dict[str, str]:
    """Return the only input without a value, which gets the only column, that has no name."""
    bindings, defaults = question.request.bindings, question.graph.defaults
    open_ones = [name for name in inputs if name not in bindings and name not in defaults]
    if len(open_ones) != 1:
        told = f"{table.name} is one column without a name, and is for one input without a value"
        raise UsageError(told, hint=f"there are {', '.join(open_ones)}" if open_ones else None)
    return {open_ones[0]: ""}


def carried(table: Source, wanted: Sequence[str]) -> list[str]:
    """Return the columns to carry along, each once. Raises `UsageError` for one that is not there.

    Names are separated by commas, unless a column is called so; a star stands for any letters.
    """
    found: list[str] = []
    for option in wanted:
        names = (
            [option] if option in table.columns else [part.strip() for part in option.split(",")]
        )
        for name in filter(None, names):
            fitting = [name] if name in table.columns else []
            if STAR in name and not fitting:
                fitting = [column for column in table.columns if fnmatchcase(column, name)]
            if not fitting:
                raise no_column(table, name, "--keep")
            found += fitting
    return list(dict.fromkeys(found))


def no_column(table: Source, name: str, option: str) -> UsageError:
    """Return the error for a column that is not there."""
    hint = separated(table) or did_you_mean(name, table.columns)
    told = f"{option}: {table.name} has no column '{name}'"
    return UsageError(told, hint=hint or f"there are {listed(table.columns)}")


def listed(columns: Sequence[str]) -> str:
    """Return the names of columns for a report, the first ones of many."""
    more = f" and {len(columns) - MANY:,} more" if len(columns) > MANY else ""
    return ", ".join(columns[:MANY]) + more if columns else "none"


def once(table: Source, used: Iterable[str]) -> None:
    """Raise `DataError` where one of the columns that are used is there twice."""
    counts = Counter(table.columns)
    for name in dict.fromkeys(used):
        if counts[name] > 1:
            raise DataError(f"{table.name} has {counts[name]} columns '{name}'")


def check_given(question: Question, table: Source, inputs: Mapping[str, str]) -> None:
    """Raise `UsageError` where inputs have no value, with what may have been meant."""
    bindings, defaults = question.request.bindings, question.graph.defaults
    known = {*inputs, *defaults}
    missing = [
        name for name in question.graph.inputs() if name not in known and name not in bindings
    ]
    if not missing:
        return
    unused = bindings.unused({*inputs, *question.graph.placeholders})
    if unused:
        raise missing_values(missing, unused)
    some = missing[:MANY]
    cols = f"--col {some[0]}=COLUMN" if len(some) == 1 else "--col NAME=COLUMN"
    told = f"no value for {listed(missing)}: add {' '.join(map(option_for, some))}, or {cols}"
    raise UsageError(told, hint=meant(table, missing))


def meant(table: Source, missing: Iterable[str]) -> str:
    """Return what may have been meant where inputs have no column, else which columns there are."""
    if question := separated(table):
        return question
    near = {name: closest(name, table.columns) or alike(name, table.columns) for name in missing}
    words = [f"--col {name}={quoted(column)}" for name, column in near.items() if column]
    if words:
        return f"did you mean {' '.join(words)}?"
    return f"{table.name} has {listed(table.columns)}"


def separated(table: Source) -> str | None:
    """Return the question whether cells are separated by what the only column has in its name."""
    only = table.columns[0] if len(table.columns) == 1 else ""
    separator = next((char for char in (";", "\t", "|") if char in only), "")
    if not separator:
        return None
    shown = "tab" if separator == "\t" else f"'{separator}'"
    return f"are the cells of {table.name} separated by {shown}? --delimiter {shown}"


def alike(name: str, columns: Iterable[str]) -> str | None:
    """Return the column that has the name as a word, `T` in `T (C)`, in whatever case."""
    from re import findall

    folded = name.casefold()
    return next((one for one in columns if folded in findall(r"\w+", one.casefold())), None)


def quoted(column: str) -> str:
    """Return the name of a column as a shell takes it for one word."""
    from shlex import quote

    return quote(column)


def leave_constants(question: Question, table: Source) -> None:
    """Warn of columns that are called like a constant that the formula uses."""
    names = map(normal, table.columns)
    for name in rebound_in_files(question.graph, list(names)):
        told = f"column '{name}' of {table.name} leaves the constant {name} alone"
        question.request.warn(f"{told}: to make it an input write --col {name}={name}")
