"""Comparisons and selection on arrays; of arithmetic and rounding NumPy lacks next to nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from .basic import BOUND

Array: TypeAlias = NDArray[np.float64]


def number(x: Array | NDArray[np.bool_]) -> Array:
    """Return comparisons and choices as float64; a result without axes becomes a NumPy scalar."""
    found: Array = np.asarray(x, dtype=np.float64)[()]
    return found


FEW = 512
"""Up to so many elements NumPy's own choice is the fastest."""


def choose(condition: NDArray[np.bool_], x: Array | float, y: Array | float) -> Array:
    """Return x where the condition holds, else y.

    Where it holds nowhere, as most guards of a singular point, or everywhere, that is no work. Else
    it is done with bits, y ^ ((x ^ y) & mask): NumPy branches for each element, which takes three
    times as long where the condition holds here and there.
    """
    if np.size(condition) <= FEW:
        return number(np.where(condition, x, y))
    shape = np.broadcast_shapes(condition.shape, np.shape(x), np.shape(y))
    if not condition.any():
        return in_shape(y, shape)
    if condition.all():
        return in_shape(x, shape)
    mask = np.negative(condition.view(np.int8), dtype=np.int64)
    mine, other = bits(x), bits(y)
    found = np.empty(shape)
    into = found.view(np.int64)
    np.bitwise_xor(mine, other, out=into)
    np.bitwise_and(into, mask, out=into)
    np.bitwise_xor(into, other, out=into)
    return found


def in_shape(x: Array | float, shape: tuple[int, ...]) -> Array:
    """Return x itself where it has the shape, else an array of that shape with its numbers."""
    return np.asarray(x) if np.shape(x) == shape else np.full(shape, x, dtype=np.float64)


def bits(x: Array | float) -> NDArray[np.int64]:
    """Return the bits of numbers."""
    return np.asarray(x, dtype=np.float64).view(np.int64)


# Forms that write into an array

Form = TypeVar("Form", bound=Callable[..., Any])

IN_PLACE: set[Callable[..., Any]] = set()
"""The forms here that take `out=`, an array for their result, which may be an argument."""


def in_place(form: Form) -> Form:
    """Enter a form that takes `out=`, as those of NumPy do: run often, that is faster."""
    IN_PLACE.add(form)
    return form


# Arithmetic


@in_place
def pow_(x: Array, y: Array, out: Array | None = None) -> Array:
    """Return x to the power y; NumPy takes a lone 0.5 for sqrt, which differs at -inf and -0."""
    lone = np.ndim(y) == 0 and y == 0.5
    return np.power(x, np.full(np.shape(x), y) if lone else y, out=out)


# Comparisons and logic


def as_numbers(question: np.ufunc) -> Callable[..., Array]:
    """Return the function that answers 1 or 0 where `question` answers true or false."""
    return lambda *args: number(question(*args))


less = as_numbers(np.less)
less_equal = as_numbers(np.less_equal)
greater = as_numbers(np.greater)
greater_equal = as_numbers(np.greater_equal)
equal = as_numbers(np.equal)
not_equal = as_numbers(np.not_equal)


def holds(x: Array) -> NDArray[np.bool_]:
    """Return where x is not 0, and so holds; NumPy's logic on numbers is slower."""
    found: NDArray[np.bool_] = np.not_equal(x, 0.0)
    return found


def and_(x: Array, y: Array) -> Array:
    """Return 1 where both hold, else 0."""
    return number(holds(x) & holds(y))


def or_(x: Array, y: Array) -> Array:
    """Return 1 where one of them holds, else 0."""
    return number(holds(x) | holds(y))


def not_(x: Array) -> Array:
    """Return 1 where x does not hold, else 0."""
    return equal(x, 0.0)


# Selection


def where(condition: Array, x: Array, y: Array) -> Array:
    """Return x where the condition is not zero, else y."""
    return choose(holds(condition), x, y)


def step(x: Array) -> Array:
    """Return 1 for x > 0, else 0."""
    return np.heaviside(x, 0.0)


def relu(x: Array) -> Array:
    """Return x for x > 0, else 0."""
    return choose(np.less_equal(x, 0.0), 0.0, x)


def min_(*args: Array) -> Array:
    """Return the least argument, the first of equal ones (NumPy's takes either zero)."""
    return reduce(lambda least, x: choose(np.less(x, least) | np.isnan(x), x, least), args)


def max_(*args: Array) -> Array:
    """Return the greatest argument, the first of equal ones (NumPy's takes either zero)."""
    return reduce(lambda most, x: choose(np.greater(x, most) | np.isnan(x), x, most), args)


def clip(x: Array, low: Array, high: Array) -> Array:
    """Return min(max(x, low), high)."""
    return min_(max_(x, low), high)


def bounded(x: Array) -> Array:
    """Return x cut to the bound."""
    return np.clip(x, -BOUND, BOUND)
