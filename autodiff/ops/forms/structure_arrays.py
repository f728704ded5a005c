"""The NumPy forms of the ops that move elements between shapes."""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..subscripts import Subscript, subscripts

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


def reshape(x: Array | float, shape: tuple[int, ...]) -> Array:
    """Return the elements of x, in order, in `shape`."""
    return np.reshape(x, shape)


def transpose(x: Array | float, axes: tuple[int, ...] | None) -> Array:
    """Return x with its axes in another order, reversed if none is given."""
    return np.transpose(x, axes)


def stack(*entries: Array | float) -> Array:
    """Return the array of entries of one shape; the last argument is the new axis."""
    *arrays, axis = entries
    return np.stack([np.asarray(entry, dtype=np.float64) for entry in arrays], axis=int(axis))


def concat(*entries: Array | float) -> Array:
    """Return arrays laid end to end; the last argument is the axis."""
    *arrays, axis = entries
    return np.concatenate([np.asarray(entry) for entry in arrays], axis=int(axis))


@cache
def numpy_index(text: str) -> tuple[Subscript, ...]:
    """Return an index as NumPy takes it."""
    return subscripts(text)


def index(x: Array, text: str) -> Array:
    """Return the part of x at an index."""
    return np.asarray(x[numpy_index(text)])


def place(x: Array | float, shape: tuple[int, ...], text: str) -> Array:
    """Return zeros of a shape with x put at an index."""
    array = np.zeros(shape)
    array[numpy_index(text)] = x
    return array


def diag(x: Array) -> Array:
    """Return the matrix with a vector on its diagonal, or the diagonal of a matrix."""
    return np.diag(x)


def length(x: Array) -> np.float64:
    """Return the number of entries along the first axis, NumPy's own: it may be indexed."""
    return np.float64(len(x))


def one_hot(labels: Array | float, count: int) -> Array:
    """Return 1 at the label and 0 elsewhere, along a last axis."""
    hot: Array = (np.asarray(labels)[..., None] == np.arange(count)).astype(np.float64)
    return hot


def pick(x: Array, chosen: Array | float) -> Array:
    """Return x at labels along its last axis, or its sum with weights along it."""
    if np.shape(chosen) == x.shape:
        return np.asarray((x * chosen).sum(axis=-1))
    labels = np.asarray(chosen)
    whole = labels.astype(np.intp, copy=True)
    misfit = (whole != labels) | (whole < 0) | (whole >= x.shape[-1])
    whole[misfit] = 0
    found = np.take_along_axis(x, whole[..., None], axis=-1)[..., 0]
    return np.where(misfit, np.nan, found)
