"""Reductions to one number, from those of parts and the sizes of the parts."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from . import reductions_arrays as reductions

Parts: TypeAlias = NDArray[np.float64]


def sums(parts: Parts, sizes: Parts) -> np.float64:
    """Return the sum from those of parts."""
    return np.float64(parts.sum())


def means(parts: Parts, sizes: Parts) -> np.float64:
    """Return the mean from those of parts."""
    return np.float64((parts * (sizes / sizes.sum())).sum())


def products(parts: Parts, sizes: Parts) -> np.float64:
    """Return the product from those of parts."""
    return np.float64(parts.prod())


def greatest(parts: Parts, sizes: Parts) -> np.float64:
    """Return the greatest element from those of parts."""
    return np.float64(parts.max())


def least(parts: Parts, sizes: Parts) -> np.float64:
    """Return the least element from those of parts."""
    return np.float64(parts.min())


def norms(parts: Parts, sizes: Parts) -> np.float64:
    """Return the norm from those of parts."""
    return np.float64(reductions.norm(parts, None, False))


def logsumexps(parts: Parts, sizes: Parts) -> np.float64:
    """Return the logsumexp from those of parts."""
    return np.float64(reductions.logsumexp(parts, None, False))
