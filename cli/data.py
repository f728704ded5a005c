"""Data files: one value (`@w.npz:fc1.weight`), or values by name (`--bindings`)."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from ..autodiff.errors import CgraphError, DataError, Place
from ..autodiff.evaluate import from_nested
from .names import closest, is_name, normal
from .source import Text, read, read_bytes
from .values import value_of

if TYPE_CHECKING:
    from ..autodiff.evaluate import Value
    from ..autodiff.graph import Nested

T = TypeVar("T")
Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

NON_FINITE = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


# -- one value ------------------------------------------------------------------------------------


def read_value(spelled: str) -> Value:
    """Return the value in a file: `x.npy`, `d.csv`, `d.csv:column`, `w.npz:name`, `d.json:name`.

    Raises `DataError`.
    """
    path, colon, key = spelled, "", ""
    if not os.path.exists(path):
        path, colon, key = spelled.rpartition(":") if ":" in spelled else (spelled, "", "")
    ending = os.path.splitext(path)[1].lower()
    reader = READERS.get(ending)
    if reader is None:
        raise DataError(f"cannot tell what {path!r} holds: it ends in no {', '.join(READERS)}")
    return reader(path, key if colon else None)


def from_npy(path: str, key: str | None) -> Value:
    """Return the array of a .npy file."""
    if key is not None:
        raise DataError(f"{path} holds one array, none called {key!r}")
    return numeric(loaded(path), path)


def from_npz(path: str, key: str | None) -> Value:
    """Return the array of a .npz file that is called `key`, or its only one."""
    arrays = loaded(path)
    return numeric(member(arrays, key, path), path)


def from_json(path: str, key: str | None) -> Value:
    """Return the number or nested list of a .json file, or the member called `key`."""
    held = json_of(read(path))
    if isinstance(held, dict):
        return json_value(member(held, key, path), path)
    if key is not None:
        raise DataError(f"{path} holds one value, none called {key!r}")
    return json_value(held, path)


def from_csv(path: str, key: str | None) -> Value:
    """Return the column called `key`; without one, the only column, or all as a matrix."""
    text = read(path)
    rows = csv_rows(text)
    header = [] if all(map(is_number, rows[0][1])) else [cell.strip() for cell in rows[0][1]]
    body = rows[1:] if header else rows
    columns = {name: k for k, name in enumerate(header)}
    wanted = range(len(rows[0][1])) if key is None else [member(columns, key, path)]
    table = [[csv_number(text, line, cells, k) for k in wanted] for line, cells in body]
    if not table:
        raise DataError(f"{path} has no rows")
    nested = tuple(row[0] if len(row) == 1 else tuple(row) for row in table)
    return from_nested(nested)


READERS: dict[str, Callable[[str, str | None], Value]] = {
    ".npy": from_npy,
    ".npz": from_npz,
    ".csv": from_csv,
    ".json": from_json,
}


# -- values by name -------------------------------------------------------------------------------


def read_table(path: str) -> dict[str, Value]:
    """Return the values by name in a .npz file, a JSON object, or lines `name = value`.

    Raises `DataError`, and `CgraphError` where a value is none.
    """
    if path.lower().endswith(".npz"):
        return {normal(name): numeric(array, path) for name, array in loaded(path).items()}
    text = read(path)
    if path.lower().endswith(".json") or text.text.lstrip().startswith("{"):
        return from_object(text)
    lines = enumerate(text.text.split("\n"), 1)
    return dict(from_line(text, number, line) for number, line in lines if said(line))


def from_object(text: Text) -> dict[str, Value]:
    """Return the members of a JSON object."""
    held = json_of(text)
    if not isinstance(held, dict):
        raise DataError(f"{text.name} is not an object of values by name")
    return {
        normal(name): json_value(value, f"{name} in {text.name}") for name, value in held.items()
    }


def said(line: str) -> str:
    """Return what a line says, comments and spaces around it left out."""
    return line.partition("#")[0].strip()


def from_line(text: Text, number: int, line: str) -> tuple[str, Value]:
    """Return the name and the value of a line `name = value`."""
    name, equals, value = said(line).partition("=")
    if not equals or not is_name(name.strip()):
        place = Place(text.name, number, 1, line, len(line))
        raise DataError("expected 'name = value'", place)
    try:
        return normal(name.strip()), value_of(value.strip(), text.name)
    except CgraphError as error:
        error.exit_code = 1
        if error.place:
            column = line.index(value.strip()) + error.place.column
            error.place = Place(text.name, number, column, line, error.place.length)
        raise


# -- formats --------------------------------------------------------------------------------------


def member(held: Mapping[str, T], key: str | None, path: str) -> T:
    """Return what is called `key`, or the only thing there is. Raises `DataError`."""
    if key is None and len(held) == 1:
        return next(iter(held.values()))
    names = ", ".join(held) or "what has no name"
    if key is None:
        first = next(iter(held), "NAME")
        raise DataError(f"{path} holds {names}: say which, @{path}:{first}")
    if key not in held:
        near = closest(key, held)
        hint = f"did you mean {near}?" if near else None
        raise DataError(f"{path} holds no {key!r}, only {names}", hint=hint)
    return held[key]


def loaded(path: str) -> Any:
    """Return the array of a .npy file, or the arrays by name of a .npz file."""
    from io import BytesIO

    import numpy as np

    content = BytesIO(read_bytes(path))
    try:
        found: Any = np.load(content, allow_pickle=False)
        return found if hasattr(found, "shape") else dict(found)
    except Exception as error:
        raise DataError(f"cannot read {path}: {error}") from None


def numeric(array: Any, path: str) -> Value:
    """Return an array as float64, one number as a float. Raises `DataError` for all but numbers."""
    if array.dtype.kind not in "fiub":
        raise DataError(f"{path} holds {array.dtype}, not real numbers")
    return float(array) if array.ndim == 0 else array.astype(float)


def json_of(text: Text) -> Json:
    """Return what a JSON text says. Raises `DataError` with its place."""
    import json

    try:
        held: Json = json.loads(text.text)
    except json.JSONDecodeError as error:
        line = text.text.split("\n")[error.lineno - 1]
        place = Place(text.name, error.lineno, error.colno, line, 1)
        raise DataError(f"not JSON: {error.msg[:1].lower()}{error.msg[1:]}", place) from None
    except (RecursionError, ValueError) as error:
        raise DataError(f"cannot read {text.name}: {error}") from None
    return held


def json_value(held: Json, where: str) -> Value:
    """Return a JSON number, such a word as "NaN", or a nested list of them, as a value."""
    try:
        return from_nested(nested(held))
    except (TypeError, ValueError, OverflowError, RecursionError):
        raise DataError(f"{where} is not a number or an array of numbers") from None


def nested(held: Json) -> Nested:
    """Return nested lists as nested tuples of floats. Raises `TypeError` for all but numbers."""
    if isinstance(held, list):
        return tuple(map(nested, held))
    if isinstance(held, str) and held in NON_FINITE:
        return NON_FINITE[held]
    if isinstance(held, bool) or not isinstance(held, int | float):
        raise TypeError
    return float(held)


def csv_rows(text: Text) -> list[tuple[int, list[str]]]:
    """Return the rows of a table that have cells, each with its line. Raises `DataError`."""
    import csv

    reader = csv.reader(text.text.splitlines(keepends=True))
    try:
        rows = [(reader.line_num, cells) for cells in reader if cells]
    except csv.Error as error:
        raise DataError(f"{text.name}:{reader.line_num}: {error}") from None
    if not rows:
        raise DataError(f"{text.name} is empty")
    return rows


def is_number(cell: str) -> bool:
    """Tell whether a cell is a number."""
    try:
        float(cell)
    except ValueError:
        return False
    return True


def csv_number(text: Text, line: int, cells: list[str], k: int) -> float:
    """Return the number in cell k of a row. Raises `DataError` with its place."""
    if k < len(cells) and is_number(cells[k]):
        return float(cells[k])
    shown = text.text.split("\n")[line - 1]
    if k >= len(cells):
        raise DataError(f"no column {k + 1}", Place(text.name, line, 1, shown, len(shown)))
    column = shown.find(cells[k]) + 1
    place = Place(text.name, line, max(1, column), shown, len(cells[k]))
    raise DataError(f"{cells[k]!r} is not a number", place)
