"""Data files: one value (`@w.npz:fc1.weight`), or values by name (`--bindings`)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from ..autodiff.errors import CgraphError, DataError, Place, Sources, did_you_mean
from ..autodiff.evaluate import from_nested
from . import numerals
from .names import is_name, normal
from .source import LONGEST, Text, read, read_bytes, readable
from .values import value_of

if TYPE_CHECKING:
    from ..autodiff.evaluate import Value
    from ..autodiff.graph import Nested
    from ..parser.json_text import Json
    from .arrays import Archive

T = TypeVar("T")

Table: TypeAlias = "dict[str, Callable[[], Value]]"
"""Values by name, each read when it is asked for: nobody minds what nobody needs."""


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
    arrays = archive(path)
    if key is not None and key not in arrays:
        key = next((name for name in arrays if dotted(name) == normal(key)), key)
    return array_in(arrays, chosen(arrays, key, path), path)


def from_json(path: str, key: str | None) -> Value:
    """Return the number or nested list of a .json file, or the member called `key`."""
    text = read(path)
    held = json_of(text)
    if isinstance(held, dict):
        return json_value(held[chosen(held, key, path)], path, text)
    if key is not None:
        raise DataError(f"{path} holds one value, none called {key!r}")
    return json_value(held, path, text)


def from_csv(path: str, key: str | None) -> Value:
    """Return the column called `key`; without one, the only column, or all as a matrix."""
    from .csv_text import table_of

    table = table_of(read(path))
    if key is None:
        rows = table.numbers(range(len(table.rows[0][1])))
        return from_nested(tuple(row[0] if len(row) == 1 else row for row in rows))
    if table.names.count(key) > 1:
        raise DataError(f"{path} holds {key!r} twice")
    place = table.names.index(chosen(table.names, key, path))
    return from_nested(tuple(row[0] for row in table.numbers([place])))


READERS: dict[str, Callable[[str, str | None], Value]] = {
    ".npy": from_npy,
    ".npz": from_npz,
    ".csv": from_csv,
    ".json": from_json,
}


# -- values by name -------------------------------------------------------------------------------


SAVED = "save it by numpy.savez('weights.npz', **{{name: values}}) and give --bindings weights.npz"
ELSEWHERE = {
    **dict.fromkeys((".pt", ".pth", ".pkl", ".ckpt", ".safetensors", ".h5", ".mat"), SAVED),
    **dict.fromkeys((".csv", ".tsv", ".jsonl", ".parquet", ".arrow"), "a table: --data {0}"),
    ".npy": "one array: --NAME @{0}",
}
"""How files are given that have no values by name, by the ending."""


def read_table(path: str, seed: int = 0) -> Table:
    """Return the values by name in a .npz file, a folder of .npy, JSON, or lines `name = value`.

    A name such as `fc1/weight` is `fc1.weight`. Random numbers in lines are drawn from the seed.
    Raises `DataError`, and a value that is none `CgraphError` when it is asked for.
    """
    if os.path.isdir(path):
        return from_folder(path)
    if path.lower().endswith(".npz"):
        arrays = archive(path)
        found = ((dotted(name), partial(array_in, arrays, name, path)) for name in arrays.names)
        return unrepeated(found, path)
    ending = os.path.splitext(path)[1].lower()
    if ending in ELSEWHERE:
        raise DataError(
            f"cannot read {path} as values by name", hint=ELSEWHERE[ending].format(path)
        )
    text = read(path)
    if path.lower().endswith(".json") or text.text.lstrip().startswith("{"):
        return from_object(text)
    lines = enumerate(text.text.split("\n"), 1)
    return unrepeated((from_line(text, seed, *line) for line in lines if said(line[1])), text.name)


def dotted(name: str) -> str:
    """Return the name of an array as formulas have it."""
    return normal(name.replace("/", "."))


def from_folder(path: str) -> Table:
    """Return the arrays of the .npy files in a folder, as they are called."""
    from urllib.parse import unquote

    with readable(path):
        found = [os.path.splitext(file) for file in sorted(os.listdir(path))]
    pairs = (
        (dotted(unquote(name)), partial(from_npy, os.path.join(path, name + ending), None))
        for name, ending in found
        if ending.lower() == ".npy"
    )
    return unrepeated(pairs, path)


def from_object(text: Text) -> Table:
    """Return the members of a JSON object."""
    held = json_of(text)
    if not isinstance(held, dict):
        raise DataError(f"{text.name} is not an object of values by name")
    members = (
        (normal(name), partial(json_value, value, f"{name} in {text.name}", text))
        for name, value in held.items()
    )
    return unrepeated(members, text.name)


def said(line: str) -> str:
    """Return what a line says, comments and spaces around it left out."""
    return line.partition("#")[0].strip()


def from_line(text: Text, seed: int, number: int, line: str) -> tuple[str, Callable[[], Value]]:
    """Return the name in a line `name = value`, and how to read its value."""
    name, _, value = map(str.strip, said(line).partition("="))
    if not value or not is_name(name):
        raise DataError("expected 'name = value'", Place(text.name, number, 1, line, len(line)))
    name = normal(name)
    return name, partial(value_in_line, text.name, number, line, value, name, seed)


def value_in_line(source: str, number: int, line: str, value: str, name: str, seed: int) -> Value:
    """Return the value that a line of a file gives."""
    try:
        return value_of(value, source, name, seed)
    except CgraphError as error:
        error.exit_code = 1
        if error.place:
            column = line.index(value) + error.place.column
            error.place = Place(source, number, column, line, error.place.length)
        raise


# -- formats --------------------------------------------------------------------------------------


def unrepeated(pairs: Iterable[tuple[str, T]], where: str) -> dict[str, T]:
    """Return pairs as a dictionary. Raises `DataError` where a name is there twice."""
    found: dict[str, T] = {}
    for name, held in pairs:
        if name in found:
            raise DataError(f"{where} holds {name!r} twice")
        found[name] = held
    return found


def chosen(names: Iterable[str], key: str | None, path: str) -> str:
    """Return `key`, or the only name there is. Raises `DataError` where it is not there."""
    known = list(names)
    if key in known or (key is None and len(known) == 1):
        return known[0] if key is None else key
    listed = ", ".join(name or "''" for name in known) or "what has no name"
    if key is None and not known:
        raise DataError(f"{path} holds nothing")
    if key is None:
        raise DataError(f"{path} holds {listed}: say which, @{path}:{known[0] or known[-1]}")
    raise DataError(f"{path} holds no {key!r}, only {listed}", hint=did_you_mean(key, known))


def loaded(path: str) -> Any:
    """Return the array of a .npy, or the archive of a .npz. Raises `DataError`."""
    from io import BytesIO

    from . import arrays

    size = os.path.getsize(path) if os.path.isfile(path) else 0
    return arrays.loaded(BytesIO(read_bytes(path, max(size, LONGEST))), path)


def archive(path: str) -> Archive:
    """Return the arrays of a .npz file by name, each read when it is asked for."""
    found = loaded(path)
    if hasattr(found, "dtype"):
        raise DataError(f"{path} is one array, not an archive of arrays: call it .npy")
    opened: Archive = found
    return opened


def array_in(arrays: Archive, name: str, path: str) -> Value:
    """Return an array of an archive."""
    return numeric(arrays[name], f"{name} in {path}")


def numeric(array: Any, where: str) -> Value:
    """Return an array as float64, one number as a float. Raises `DataError` for all but numbers."""
    if not hasattr(array, "dtype"):
        raise DataError(f"{where} is not an array")
    if array.dtype.kind not in "fiub":
        raise DataError(f"{where} holds {array.dtype}, not real numbers")
    from .arrays import as_floats

    floats = as_floats(array, where)
    return float(floats) if array.ndim == 0 else floats


def json_of(text: Text) -> Json:
    """Return what a JSON text says, numbers that are too large as such.

    Raises `DataError` with its place.
    """
    from ..parser.json_text import decoded

    sources = Sources()
    start = sources.add(text.name, text.text).start
    return decoded(text.text, sources, start, partial(unrepeated, where=text.name), lenient=True)


def json_value(held: Json, where: str, text: Text) -> Value:
    """Return what a JSON text holds, a number or a nested list of them, as a value."""
    from ..parser.json_text import TooLarge

    try:
        return from_nested(nested(held))
    except TooLarge as error:
        sources = Sources()
        digits = error.args[1]
        sources.add(text.name, text.text)
        place = sources.place(max(0, text.text.find(digits)), len(digits))
        raise DataError(error.args[0], place) from None
    except numerals.TooLarge as error:
        raise DataError(f"{where}: {error}") from None
    except (TypeError, ValueError, OverflowError, RecursionError):
        raise DataError(f"{where} is not a number or an array of numbers") from None


def nested(held: Json) -> Nested:
    """Return nested lists as nested tuples of floats. Raises `TypeError` for all but numbers.

    A text stands for a number as a cell of a table does, and null for none.
    """
    from ..parser.json_text import checked

    if isinstance(held, list):
        return tuple(map(nested, held))
    if held is None or isinstance(held, str):
        return numerals.cell(held or "")
    if not isinstance(held, bool | int | float):
        raise TypeError
    return checked(held)
