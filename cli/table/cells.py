"""Columns as text, a cell for each row, and cells as lines."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import isfinite
from typing import Any, TypeGuard

import numpy as np

from ...autodiff.constants import JSON_NAMES
from ...exporters.text import number
from .arrow import arrow, invalid
from .batch import is_array


def lines(texts: Sequence[Any], delimiter: str, size: int) -> bytes:
    """Return columns of text as lines, cells with a delimiter in between."""
    if not size:
        return b""
    join = arrow("compute").binary_join_element_wise
    *cells, last = texts
    empty = {"null_handling": "replace", "null_replacement": ""}
    whole = join(*cells, join(last, "", "\n", **empty), delimiter, **empty)
    if not isinstance(whole, arrow().Array):
        return str(whole.as_py()).encode() * size
    _, ends, text = whole.buffers()
    return bytes(memoryview(text)[: int(np.frombuffer(ends, np.int32)[size])])


def rounded(column: Any, digits: int | None) -> Any:
    """Return numbers rounded to so many significant digits."""
    return np.array([float(f"{value:.{digits}g}") for value in column.tolist()], dtype=np.float64)


def array_text(row: Any, digits: int | None) -> str:
    """Return an array as `[1, 2]`, which reads back."""
    if np.ndim(row) == 0:
        return number(float(row), digits)
    return f"[{', '.join(array_text(entry, digits) for entry in row)}]"


def texts(column: Any) -> Any:
    """Return a column of whatever type as text."""
    pa = arrow()
    try:
        return arrow("compute").cast(column, pa.string())
    except invalid():
        found = [None if one is None else as_text(one) for one in column.to_pylist()]
        return pa.array(found, pa.string())


def of_arrays(column: Any) -> bool:
    """Tell whether each row of a column is an array."""
    return is_list(column) or (is_array(column) and column.ndim > 1)


def is_list(column: Any) -> TypeGuard[list[Any]]:
    """Tell whether a column is a list, of arrays that differ in shape."""
    return isinstance(column, list)


def as_text(held: Any) -> str:
    """Return anything as text: bytes as the letters that they are, all else as JSON."""
    return worded(held) if isinstance(held, bytes) else as_json(held)


def worded(held: Any) -> str:
    """Return what JSON has not as text; of bytes, those that are no UTF-8 become `\\xff`."""
    return held.decode("utf-8", "backslashreplace") if isinstance(held, bytes) else str(held)


def as_json(held: Any) -> str:
    """Return anything as JSON; what JSON has not is text."""
    return json.dumps(finite(held), ensure_ascii=False, default=worded)


def finite(held: Any) -> Any:
    """Return the same for JSON: numbers that are not finite as words."""
    if isinstance(held, float):
        return held if isfinite(held) else JSON_NAMES[repr(held)]
    if is_list(held):
        return list(map(finite, held))
    return {name: finite(one) for name, one in held.items()} if hasattr(held, "items") else held


def json_texts(column: Any) -> Any:
    """Return a column as JSON, a text for each row."""
    pa, compute = arrow(), arrow("compute")
    if of_arrays(column):
        return pa.array([as_json(np.asarray(row).tolist()) for row in column], pa.string())
    if is_array(column):
        column = pa.array(np.ascontiguousarray(column))
    kind = column.type
    if pa.types.is_floating(kind):
        return compute.fill_null(finite_texts(column), "null")
    if pa.types.is_integer(kind) or pa.types.is_boolean(kind):
        return compute.fill_null(compute.cast(column, pa.string()), "null")
    if pa.types.is_string(kind) and not escapes(column):
        quoted = compute.binary_join_element_wise('"', column, '"', "")
        return compute.fill_null(quoted, "null")
    return pa.array([as_json(one) for one in column.to_pylist()], pa.string())


def escapes(column: Any) -> bool:
    """Tell whether JSON would escape a letter in a column of text."""
    compute = arrow("compute")
    odd = compute.match_substring_regex(column, '[\\x00-\\x1f"\\\\]')
    return bool(compute.any(odd).as_py())


def finite_texts(column: Any) -> Any:
    """Return numbers as JSON has them: those that are not finite as words."""
    compute = arrow("compute")
    text = compute.cast(column, arrow().string())
    plain = compute.is_finite(column)
    if compute.all(plain).as_py() in (True, None):
        return text
    for word, name in JSON_NAMES.items():
        text = compute.if_else(compute.equal(text, word), f'"{name}"', text)
    return text
