"""The NumPy forms of reductions along axes, and of what keeps the shape but mixes along an axis."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
Axis: TypeAlias = int | tuple[int, ...] | None


def sum_(x: Array, axis: Axis, keepdims: bool) -> Array:
    """Return the sum along axes."""
    return np.asarray(np.sum(x, axis=axis, keepdims=keepdims))


def prod(x: Array, axis: Axis, keepdims: bool) -> Array:
    """Return the product along axes."""
    return np.asarray(np.prod(x, axis=axis, keepdims=keepdims))


def size(x: Array, axis: Axis) -> int:
    """Return the number of elements that are reduced to one."""
    shape = np.shape(x)
    axes = range(len(shape)) if axis is None else (axis,) if isinstance(axis, int) else axis
    return int(np.prod([shape[one] for one in axes], dtype=np.int64))


def mean(x: Array, axis: Axis, keepdims: bool) -> Array:
    """Return the mean along axes."""
    return sum_(x, axis, keepdims) / np.float64(size(x, axis))


def max_(x: Array, axis: Axis, keepdims: bool) -> Array:
    """Return the greatest along axes, -inf of none; nan if one is nan."""
    return np.asarray(np.max(x, axis=axis, keepdims=keepdims, initial=-np.inf))


def min_(x: Array, axis: Axis, keepdims: bool) -> Array:
    """Return the least along axes, inf of none; nan if one is nan."""
    return np.asarray(np.min(x, axis=axis, keepdims=keepdims, initial=np.inf))


def first(x: Array, axis: Axis) -> Array:
    """Return the first element along axes, which are kept."""
    rank = np.ndim(x)
    axes = range(rank) if axis is None else (axis,) if isinstance(axis, int) else axis
    reduced = {one % rank for one in axes}
    return np.asarray(x[tuple([slice(k in reduced or None) for k in range(rank)])])


def var(x: Array, axis: Axis, keepdims: bool, ddof: int) -> Array:
    """Return the variance along axes, as NumPy does; exactly 0 where all elements are equal."""
    shifted = x - first(x, axis)
    deviation = shifted - mean(shifted, axis, True)
    return sum_(deviation * deviation, axis, keepdims) / np.float64(max(size(x, axis) - ddof, 0))


def std(x: Array, axis: Axis, keepdims: bool, ddof: int) -> Array:
    """Return the standard deviation along axes, as NumPy does."""
    return np.sqrt(var(x, axis, keepdims, ddof))


def norm(x: Array, axis: Axis, keepdims: bool) -> Array:
    """Return the Euclidean norm along axes, without overflow."""
    scale = np.max(np.abs(x), axis=axis, keepdims=True, initial=0.0)
    scale = np.where((scale > 0.0) & np.isfinite(scale), scale, 1.0)
    scaled = x / scale
    total = np.sqrt(sum_(scaled * scaled, axis, True)) * scale
    return total if keepdims else np.asarray(total.reshape(np.shape(sum_(x, axis, False))))


def logsumexp(x: Array, axis: Axis, keepdims: bool) -> Array:
    """Return log(sum(exp(x))) along axes, without overflow."""
    shift = max_(x, axis, True)
    shift = np.where(np.isfinite(shift), shift, 0.0)
    total = np.log(sum_(np.exp(x - shift), axis, True)) + shift
    return total if keepdims else np.asarray(total.reshape(np.shape(sum_(x, axis, False))))


def below(x: Array, axis: Axis) -> Array:
    """Return how far x is from the greatest along axes: 0 at that, also where it is infinite."""
    top = max_(x, axis, True)
    distance = np.asarray(x - top)
    return distance if np.isfinite(top).all() else np.where(x == top, 0.0, distance)


def softmax(x: Array, axis: Axis) -> Array:
    """Return exp(x)/sum(exp(x)) along axes, without overflow."""
    powers = np.exp(below(x, axis))
    powers /= sum_(powers, axis, True)
    return powers


def log_softmax(x: Array, axis: Axis) -> Array:
    """Return log(softmax(x)) along axes, without losing what softmax rounds to 0."""
    shifted = below(x, axis)
    shifted -= np.log(sum_(np.exp(shifted), axis, True))
    return shifted


def cumsum(x: Array, axis: int | None, reverse: bool) -> Array:
    """Return the running sum along an axis, or of all elements in order."""
    if reverse:
        return np.asarray(np.flip(np.cumsum(np.flip(x, axis), axis), axis or 0))
    return np.cumsum(x, axis)
