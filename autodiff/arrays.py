"""The evaluator on NumPy arrays: whole arrays at a step, each freed after its last use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .shapes import broadcast

if TYPE_CHECKING:
    from .evaluate import Array, Value
    from .program import Program


def as_array(value: Any) -> Value:
    """Return numbers, nested lists or an array as a float64 array, or a float where it is one.

    Raises `ValueError` for ragged lists and `TypeError` for what are no real numbers.
    """
    array = np.asarray(value)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{array.dtype} is not a real number")
    array = array.astype(np.float64)
    return array if array.ndim else float(array)


def run_arrays(program: Program, given: Sequence[tuple[int, Value]], keep: bool) -> list[Any]:
    """Run a program on arrays and floats; with `keep`, no value is freed."""
    values: list[Any] = [None] * program.size
    for node, value in (*program.constants, *given):
        # Not a Python float, which would raise where NumPy's follows IEEE 754.
        values[node] = np.asarray(value, dtype=np.float64)[()]
    with np.errstate(all="ignore"):
        for step, dying in zip(program.steps, program.dying, strict=True):
            function = step.op.on_arrays()
            values[step.node] = function(*[values[arg] for arg in step.args], *step.attrs)
            if not keep:
                for node in dying:
                    values[node] = None
    return [as_value(value) for value in values]


def as_value(value: Any) -> Any:
    """Return a 0-d array or NumPy number as a float, all else as it is."""
    return float(value) if getattr(value, "ndim", 1) == 0 else value


def undefined_where(primal: Value, derivative: Value) -> Array:
    """Return the derivative, nan where the primal it belongs to is nan, in part or whole."""
    from .ops.forms.structure_arrays import sum_to

    holes = np.isnan(primal)
    shape = np.shape(derivative)
    fits = broadcast([np.shape(primal), shape]) == np.shape(primal)
    reached = sum_to(holes.astype(np.float64), shape) > 0 if fits else holes.any()
    return np.where(reached, np.nan, derivative)
