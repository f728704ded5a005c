"""The evaluator on NumPy arrays: whole arrays at a step, each freed after its last use.

Many rows go through it in blocks, where the program lets them: see `levels` and `sweep`.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib.array_utils import byte_bounds

from .errors import UsageError
from .evaluate import Outputs, is_finite

if TYPE_CHECKING:
    from .evaluate import Array, Asked, Value
    from .graph import Nested, Shape
    from .program import Program


def as_array(value: Any) -> Value:
    """Return numbers, nested lists or an array as a float64 array, or a float where it is one.

    What is one already is not copied. Raises `ValueError` for ragged lists and `TypeError` for what
    are no real numbers.
    """
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError("a masked array may lack numbers")
    array = np.asarray(value)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{array.dtype} is not a real number")
    array = array.astype(np.float64, copy=False)
    return array if array.ndim else float(array)


def run_arrays(program: Program, given: Sequence[tuple[int, Value]], keep: bool) -> list[Any]:
    """Run a program on arrays and floats; with `keep`, no value is freed.

    What is wanted can be written, and shares no memory with what is given.
    """
    values: list[Any] = [None] * program.size
    for node, constant in program.array_constants:
        values[node] = constant
    for node, value in given:
        values[node] = as_number(value)
    with np.errstate(all="ignore"):
        for (node, function, args, attrs), dying in program.array_steps:
            values[node] = function(*[values[arg] for arg in args], *attrs)
            if not keep:
                for dead in dying:
                    values[dead] = None
    taken = {id(owner(value)) for _, value in given if isinstance(value, np.ndarray)}
    for node in range(program.size) if keep else program.wanted:
        values[node] = as_value(values[node])
    for node in dict.fromkeys(program.wanted):
        values[node] = own(values[node], taken)
        taken.add(id(owner(values[node])))
    return values


def outputs_of_arrays(
    program: Program, given: Sequence[tuple[int, Value]], asked: Asked
) -> Outputs:
    """Return what a program wants at arrays and floats."""
    layout = program.layout({node: np.shape(value) for node, value in given})
    if layout is not None:
        from .sweep import sweep

        values = dict(program.array_constants)
        values.update((node, as_number(value)) for node, value in given)
        return sweep(layout, values, asked)
    made = run_arrays(program, given, keep=False)
    found: list[Value] = []
    taken: set[int] = set()
    for place, node in enumerate(program.wanted):
        found.append(placed(own(made[node], taken), place, asked))
        taken.add(id(owner(found[-1])))
    return Outputs(found, (), not asked.watch or all(map(is_finite, found)))


def placed(value: Value, place: int, asked: Asked) -> Value:
    """Return a wanted value with the shape of the rows, in the array that is given for it.

    A number is as it is, unless there are rows: then it is the same in all. Raises `UsageError`
    where the array has another shape.
    """
    shape: Shape = getattr(value, "shape", ())
    if asked.rows is not None and shape != asked.rows:
        shape, value = asked.rows, np.full(asked.rows, value)
    given = asked.out[place] if asked.out else None
    if given is None or given is value:
        return value
    fitting(given, shape)[...] = value
    return given


def fitting(given: Array, shape: Shape) -> Array:
    """Return an array to write into. Raises `UsageError` unless it has the shape."""
    if given.shape != shape:
        raise UsageError(f"an array in out= has shape {given.shape}, the result {shape}")
    return given


def spaces(out: Sequence[Any], given: Iterable[Value]) -> list[Array | None]:
    """Return the arrays that results may be written into, None for numbers.

    Raises `UsageError` for arrays that cannot be written or are somebody else's memory, and
    `AttributeError` for what is neither.
    """
    found = [None if isinstance(held, float | int) else held for held in out]
    for held in found:
        if held is not None and not (
            held.dtype == np.float64 and held.flags.c_contiguous and held.flags.writeable
        ):
            raise UsageError("an array in out= is float64, contiguous and can be written")
    written = [byte_bounds(held) for held in found if held is not None and held.size]
    read = [byte_bounds(one) for one in given if isinstance(one, np.ndarray) and one.size]
    spans = sorted([(*span, True) for span in written] + [(*span, False) for span in read])
    end = end_of_written = 0
    for first, last, is_written in spans:
        if first < (end if is_written else end_of_written):
            raise UsageError("an array in out= shares memory with an input or with another")
        end = max(end, last)
        end_of_written = max(end_of_written, last if is_written else 0)
    return found


def as_number(value: Any) -> Any:
    """Return a number or an array as NumPy's: a Python float would not follow IEEE 754."""
    return np.asarray(value, dtype=np.float64)[()]


def constant_of(value: Nested) -> Any:
    """Return a constant as NumPy's; an array is for all runs and cannot be written."""
    array = np.asarray(value, dtype=np.float64)
    array.flags.writeable = False
    return array[()]


def own(value: Any, taken: Container[int]) -> Any:
    """Return an array that can be written and lies in none of the memory that is taken."""
    if isinstance(value, float):
        return value
    return value if value.flags.writeable and id(owner(value)) not in taken else value.copy()


def owner(value: Any) -> Any:
    """Return the array whose memory a value lies in, the value itself where it is no view."""
    while isinstance(getattr(value, "base", None), np.ndarray):
        value = value.base
    return value


def all_finite(array: Array) -> bool:
    """Tell whether an array is finite throughout."""
    with np.errstate(all="ignore"):
        # Whatever is not finite makes the sum so; of large numbers it may be without that.
        return bool(np.isfinite(array.sum()) or np.isfinite(array).all())


def some_nan(array: Array) -> bool:
    """Tell whether there is a nan in an array."""
    with np.errstate(all="ignore"):
        return bool(array.size) and bool(np.isnan(array.min()))


def as_value(value: Any) -> Any:
    """Return a 0-d array or NumPy number as a float, all else as it is."""
    return float(value) if getattr(value, "ndim", 1) == 0 else value
