"""The NumPy forms of the ops that move elements between shapes."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]


def sum_to(x: Array | float, shape: tuple[int, ...]) -> Array:
    """Return the sum of x over the axes along which `shape` was broadcast to x's shape.

    Where x itself is smaller than `shape` it is broadcast.
    """
    array = np.asarray(x, dtype=np.float64)
    extra = array.ndim - len(shape)
    if extra > 0:
        array = array.sum(axis=tuple(range(extra)))
    missing = len(shape) - array.ndim
    ones = tuple(
        axis for axis, size in enumerate(array.shape) if size != 1 == shape[axis + missing]
    )
    if ones:
        array = array.sum(axis=ones, keepdims=True)
    return np.broadcast_to(array, shape)


def broadcast_to(x: Array | float, shape: tuple[int, ...]) -> Array:
    """Return x repeated to `shape`."""
    return np.broadcast_to(np.asarray(x, dtype=np.float64), shape)


def stack(*entries: Array | float) -> Array:
    """Return the array of entries of one shape."""
    return np.stack([np.asarray(entry, dtype=np.float64) for entry in entries])


def take(x: Array, index: tuple[int]) -> Array:
    """Return the entry at an index of the first axis."""
    return np.asarray(x[index[0]])


def place(x: Array | float, index: tuple[int], size: tuple[int]) -> Array:
    """Return an array of `size` entries, 0 but for x at an index."""
    entry = np.asarray(x, dtype=np.float64)
    array = np.zeros((*size, *entry.shape))
    array[index[0]] = entry
    return array
