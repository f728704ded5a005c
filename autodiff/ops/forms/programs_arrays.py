"""The NumPy forms of ops that say how a program is run."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]


def same(x: Array) -> Array:
    """Return x."""
    return np.asarray(x)


def second(a: Array | float, b: Array | float) -> Array:
    """Return b in the shape that both broadcast to."""
    shape = np.broadcast_shapes(np.shape(a), np.shape(b))
    return np.broadcast_to(np.asarray(b, dtype=np.float64), shape)


def dropped(x: Array | float, p: float, serial: int, seed: int) -> Array:
    """Return x with some elements 0 and the others scaled; the seeds say which."""
    drawn = np.random.default_rng([seed, serial]).random(np.shape(x))
    if p == 1.0:
        return np.zeros(np.shape(x))
    return np.where(drawn < p, 0.0, x / np.float64(1.0 - p))
