"""The NumPy forms of sums of products in which zeros that nothing reaches annihilate even inf.

A zero that is merely a number makes nan of inf. Which of them are not is asked only where a result
is not finite: elsewhere it makes no difference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from .matrices_arrays import einsum, matmul

Array: TypeAlias = NDArray[np.float64]
Truth: TypeAlias = NDArray[np.bool_]


def matmul_reached(x: Array, y: Array, p: Array, q: Array) -> Array:
    """Return x @ y, where a 0 of x that p does not hold for, or of y and q, counts for nothing."""
    plain = matmul(x, y)
    if np.isfinite(plain).all():
        return plain
    return counted(lambda factors: matmul(*factors), [x, y], [p, q])


def einsum_reached(*operands: Array | str) -> Array:
    """Return the sum of products of the first half of the operands; the others are their masks.

    The last operand is the equation.
    """
    *arrays, equation = operands
    count = len(arrays) // 2
    factors = [np.asarray(array, dtype=np.float64) for array in arrays[:count]]
    plain = einsum(*factors, equation)
    if np.isfinite(plain).all():
        return plain
    masks = [np.asarray(array, dtype=np.float64) for array in arrays[count:]]
    return counted(lambda parts: einsum(*parts, equation), factors, masks)


def counted(
    sum_of_products: Callable[[Sequence[Array]], Array],
    factors: Sequence[Array],
    masks: Sequence[Array],
) -> Array:
    """Return the sum of those products of which no factor is a zero that is not reached.

    The finite ones are summed as they are. Of the others it is counted, by the same sum of zeros
    and ones, how many are nan, inf and -inf.
    """
    there = [(x != 0.0) | (mask != 0.0) for x, mask in zip(factors, masks, strict=True)]

    def count(*conditions: Callable[[Array], Truth]) -> Array:
        """Return how many of the products there are have only factors of a kind."""
        kinds = [
            np.all([held, *(condition(x) for condition in conditions)], axis=0)
            for x, held in zip(factors, there, strict=True)
        ]
        return sum_of_products([kind.astype(np.float64) for kind in kinds])

    infinite = count(is_number, is_not_zero) - count(is_finite, is_not_zero)
    no_nan = count(is_finite) + infinite
    signs = [np.where(is_number(x), np.sign(x), 0.0) for x in factors]
    small = [np.where(np.isfinite(x), np.sign(x), 0.0) for x in factors]
    excess = sum_of_products(signs) - sum_of_products(small)
    total = sum_of_products([np.where(np.isfinite(x), x, 0.0) for x in factors])
    total = total + np.where(infinite + excess > 0.0, np.inf, 0.0)
    total = total + np.where(infinite - excess > 0.0, -np.inf, 0.0)
    return np.where(count() > no_nan, np.nan, total)


def is_number(x: Array) -> Truth:
    """Return where there is no nan."""
    return ~np.isnan(x)


def is_finite(x: Array) -> Truth:
    """Return where there is neither nan nor inf."""
    return np.isfinite(x)


def is_not_zero(x: Array) -> Truth:
    """Return where there is no 0."""
    return np.not_equal(x, 0.0)
