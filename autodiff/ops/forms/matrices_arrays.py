"""The NumPy forms of matrix products and of linear algebra, on stacks of matrices too.

A singular matrix has no inverse, so its entries are nan; nothing raises.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]


def matmul(a: Array, b: Array) -> Array:
    """Return the matrix product, as NumPy does."""
    return np.asarray(np.matmul(a, b))


def outer(x: Array, y: Array) -> Array:
    """Return the products of each entry with each."""
    return np.multiply.outer(x, y)


def einsum(*operands: Array | str) -> Array:
    """Return the sum of products that the last argument, an equation, says."""
    *arrays, equation = operands
    factors = [np.asarray(array) for array in arrays]
    return np.asarray(np.einsum(str(equation), *factors, optimize=len(factors) > 2))


def one_by_one(function: Callable[..., Array], shape: tuple[int, ...], *stacks: Array) -> Array:
    """Return a function of stacks of matrices, nan for those at which it raises."""
    try:
        return np.asarray(function(*stacks))
    except np.linalg.LinAlgError:
        if stacks[0].ndim == 2:
            return np.full(shape, np.nan)
    found = np.full(shape, np.nan)
    outer_shape = stacks[0].shape[:-2]
    for at in np.ndindex(outer_shape):
        parts = [stack[at] if stack.ndim > 2 else stack for stack in stacks]
        found[at] = one_by_one(function, found[at].shape, *parts)
    return found


def trace(a: Array) -> Array:
    """Return the sum of the diagonal."""
    return np.asarray(np.trace(a))


def det(a: Array) -> Array:
    """Return the determinant."""
    return np.asarray(np.linalg.det(a))


def logdet(a: Array) -> Array:
    """Return the logarithm of the determinant, nan where that is negative."""
    sign, size = np.linalg.slogdet(a)
    return np.where(sign < 0.0, np.nan, size)


def inv(a: Array) -> Array:
    """Return the inverse."""
    return one_by_one(np.linalg.inv, a.shape, a)


def solve(a: Array, b: Array) -> Array:
    """Return the x with a @ x = b, where b is a vector or a matrix."""
    if b.ndim > 1:
        shape = (*np.broadcast_shapes(a.shape[:-2], b.shape[:-2]), *b.shape[-2:])
        left = np.broadcast_to(a, (*shape[:-2], *a.shape[-2:]))
        return one_by_one(np.linalg.solve, shape, left, np.broadcast_to(b, shape))
    column = np.broadcast_to(b[:, None], (*a.shape[:-1], 1))
    return np.asarray(one_by_one(np.linalg.solve, column.shape, a, column)[..., 0])


def cofactors(a: Array) -> Array:
    """Return the derivative of the determinant by each entry, also of singular matrices.

    With a = u s v, it is det(u v) u c v, where c has the products of the other singular values. A
    matrix that is not finite has no such values: its cofactors are those of the definition.
    """
    u, s, v, sign = decomposed(a)
    size = a.shape[-1]
    rest = np.where(np.eye(size, dtype=bool), 1.0, s[..., None, :]).prod(axis=-1)
    product: Array = np.matmul(u * rest[..., None, :], v)
    result = np.asarray(product * sign)
    for at in np.argwhere(~finite_matrices(a)):
        result[tuple(at)] = minors(a[tuple(at)])
    return result


def minors(a: Array) -> Array:
    """Return the cofactors of a matrix, each a determinant without a row and a column."""
    found = np.empty(a.shape)
    for row, column in np.ndindex(a.shape):
        rest = np.delete(np.delete(a, row, axis=0), column, axis=1)
        found[row, column] = (-1.0) ** (row + column) * np.linalg.det(rest)
    return found


def second_cofactors(a: Array, t: Array) -> Array:
    """Return the derivative of the cofactors in a direction, also of singular matrices.

    With a = u s v and m = u.T t v.T it is that at the diagonal matrix s in the direction m, turned
    back: there, beside the diagonal, minus the transposed m times the other singular values.
    """
    u, s, v, sign = decomposed(a)
    size = a.shape[-1]
    m = np.swapaxes(u, -1, -2) @ t @ np.swapaxes(v, -1, -2)
    own = np.eye(size, dtype=bool)
    left_out = own[:, None, :] | own[None, :, :]
    others = np.where(left_out, 1.0, s[..., None, None, :]).prod(axis=-1)
    diagonal = np.where(own, 0.0, others) @ np.diagonal(m, axis1=-2, axis2=-1)[..., None]
    middle = np.where(own, diagonal, -np.swapaxes(m, -1, -2) * others)
    product: Array = u @ middle @ v
    return np.asarray(product * sign)


def finite_matrices(a: Array) -> NDArray[np.bool_]:
    """Return which matrices of a stack are finite throughout."""
    return np.asarray(np.isfinite(a).all(axis=(-2, -1)))


def decomposed(a: Array) -> tuple[Array, Array, Array, Array]:
    """Return u, s, v with a = u s v, and det(u v) for each matrix, nan for one that is not finite.

    LAPACK may search for the singular values of infinities without end.
    """
    finite = finite_matrices(a)[..., None, None]
    u, s, v = np.linalg.svd(np.where(finite, a, np.eye(a.shape[-1])))
    sign = np.asarray(np.round(np.linalg.det(u) * np.linalg.det(v)), dtype=np.float64)
    return u, s, v, np.where(finite, sign[..., None, None], np.nan)
