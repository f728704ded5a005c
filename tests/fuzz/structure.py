# pyright: basic
"""The ops that move or mix elements, as NumPy has them, on floats and on exact numbers alike.

Each is written once over the elementwise functions of a field: floats, or mpmath's numbers in
arrays of objects.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

Array = Any


class Field(Protocol):
    """Where numbers come from: its elementwise functions, and what it is to lack a truth."""

    def each(self, name: str, *args: Array) -> Array:
        """Return an elementwise op of the table."""
        ...

    def lift(self, value: Any) -> Array:
        """Return numbers in this field."""
        ...


class NoTruth(Exception):
    """There is no independent truth for this."""


Mover = Callable[..., Array]


def axes_of(x: Array, axis: Any) -> tuple[int, ...]:
    """Return axes as whole numbers from 0."""
    every = range(x.ndim) if axis is None else (axis,) if isinstance(axis, int) else axis
    return tuple(int(one) % max(x.ndim, 1) for one in every)


def folded(field: Field, name: str, x: Array, axis: Any, keepdims: bool) -> Array:
    """Return the elements along axes, put together two by two."""
    axes = axes_of(x, axis)
    kept = [k for k in range(x.ndim) if k not in axes]
    flat = np.transpose(x, [*kept, *axes]).reshape([*(x.shape[k] for k in kept), -1])
    if flat.shape[-1] == 0:
        raise NoTruth("nothing to reduce")
    found = flat[..., 0]
    for k in range(1, flat.shape[-1]):
        found = field.each(name, found, flat[..., k])
    found = np.asarray(found)
    return (
        found.reshape([1 if k in axes else n for k, n in enumerate(x.shape)]) if keepdims else found
    )


def count(x: Array, axis: Any) -> int:
    """Return how many elements go into one along axes."""
    return int(np.prod([x.shape[k] for k in axes_of(x, axis)], dtype=int))


def reduction(name: str) -> Mover:
    """Return a reduction by an op of two arguments."""
    return lambda f, x, axis=None, keepdims=False: folded(f, name, x, axis, keepdims)


def mean(f: Field, x: Array, axis: Any = None, keepdims: bool = False) -> Array:
    """Return the mean."""
    return f.each("div", folded(f, "add", x, axis, keepdims), f.lift(float(count(x, axis))))


def var(f: Field, x: Array, axis: Any = None, keepdims: bool = False, ddof: int = 0) -> Array:
    """Return the variance."""
    off = f.each("sub", x, mean(f, x, axis, True))
    total = folded(f, "add", f.each("mul", off, off), axis, keepdims)
    return f.each("div", total, f.lift(float(max(count(x, axis) - ddof, 0))))


def std(f: Field, x: Array, axis: Any = None, keepdims: bool = False, ddof: int = 0) -> Array:
    """Return the standard deviation."""
    return f.each("sqrt", var(f, x, axis, keepdims, ddof))


def norm(f: Field, x: Array, axis: Any = None, keepdims: bool = False) -> Array:
    """Return the norm, without overflow; of one element its size."""
    return folded(f, "hypot", f.each("abs", x), axis, keepdims)


def softmax(f: Field, x: Array, axis: int = -1) -> Array:
    """Return e^x over its sum along an axis; several infinities have equal shares."""
    top = folded(f, "max", x, axis, True)
    off = f.each("where", f.each("equal", x, top), f.lift(0.0), f.each("sub", x, top))
    powers = f.each("exp", off)
    return f.each("div", powers, folded(f, "add", powers, axis, True))


def log_softmax(f: Field, x: Array, axis: int = -1) -> Array:
    """Return the logarithm of softmax."""
    return f.each("sub", x, folded(f, "logaddexp", x, axis, True))


def cumsum(f: Field, x: Array, axis: int | None = None, reverse: bool = False) -> Array:
    """Return the running sum."""
    if x.ndim == 0:
        raise ValueError("a number has no running sum")
    if axis is None:
        x, axis = x.reshape(-1), 0
    order = np.flip(x, axis) if reverse else x
    parts = [np.take(order, 0, axis)]
    for k in range(1, x.shape[axis]):
        parts.append(f.each("add", parts[-1], np.take(order, k, axis)))
    found = np.stack(parts, axis)
    return np.flip(found, axis) if reverse else found


def matmul(f: Field, x: Array, y: Array) -> Array:
    """Return the matrix product."""
    if x.ndim == 0 or y.ndim == 0:
        raise ValueError("numbers have no matrix product")
    return np.asarray(np.matmul(x, y))


def outer(f: Field, x: Array, y: Array) -> Array:
    """Return the products of each entry with each."""
    return f.each("mul", x.reshape(x.shape + (1,) * y.ndim), y)


def einsum(f: Field, *args: Array, equation: str) -> Array:
    """Return the sum of products that an equation says."""
    return np.asarray(np.einsum(equation, *args))


def square(x: Array) -> int:
    """Return the size of square matrices."""
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise ValueError("no square matrix")
    if x.shape[-1] > 3:
        raise NoTruth("a determinant is written out to 3 by 3")
    return int(x.shape[-1])


def minors(f: Field, x: Array) -> Array:
    """Return the cofactors of matrices."""
    n = square(x)
    if n == 1:
        return np.zeros_like(x) + f.lift(1.0)
    found = np.empty_like(x)
    for i in range(n):
        for j in range(n):
            rows, columns = ([k for k in range(n) if k != out] for out in (i, j))
            part = det(f, x[..., rows, :][..., columns])
            found[..., i, j] = part if (i + j) % 2 == 0 else f.each("neg", part)
    return found


def det(f: Field, x: Array) -> Array:
    """Return the determinant by its first row."""
    n = square(x)
    if n == 1:
        return np.asarray(x[..., 0, 0])
    if n == 2:
        left = f.each("mul", x[..., 0, 0], x[..., 1, 1])
        return f.each("sub", left, f.each("mul", x[..., 0, 1], x[..., 1, 0]))
    parts = f.each("mul", x[..., 0, :], minors(f, x)[..., 0, :])
    return folded(f, "add", parts, -1, False)


def logdet(f: Field, x: Array) -> Array:
    """Return the logarithm of the determinant."""
    return f.each("log", det(f, x))


def inv(f: Field, x: Array) -> Array:
    """Return the inverse, nan where the matrix is singular."""
    whole = det(f, x)[..., None, None]
    singular = f.each("equal", whole, f.lift(0.0))
    found = f.each("div", np.swapaxes(minors(f, x), -1, -2), whole)
    return f.each("where", singular, f.lift(np.nan), found)


def solve(f: Field, a: Array, b: Array) -> Array:
    """Return the x with a @ x = b."""
    square(a)
    if b.ndim == 1:
        return np.asarray(np.matmul(inv(f, a), b))
    return np.asarray(np.matmul(inv(f, a), b))


def second_cofactors(f: Field, x: Array, t: Array) -> Array:
    """Return the derivative of the cofactors in a direction; they are of degree n - 1."""
    n = square(x)
    if x.shape != t.shape:
        raise ValueError("of one shape")
    if n == 1:
        return f.each("mul", t, f.lift(0.0))
    if n == 2:
        return minors(f, t)
    both = f.each("sub", minors(f, f.each("add", x, t)), minors(f, x))
    return f.each("sub", both, minors(f, t))


def sum_to(f: Field, x: Array, shape: tuple[int, ...]) -> Array:
    """Return the sum over the axes along which an array of the shape was broadcast."""
    if np.broadcast_shapes(x.shape, shape) != x.shape:
        raise ValueError("sum_to makes nothing larger")
    extra = x.ndim - len(shape)
    ones = [extra + k for k, n in enumerate(shape) if n == 1 != x.shape[extra + k]]
    axes = (*range(extra), *ones)
    return folded(f, "add", x, axes, True).reshape(shape) if axes else x


def place(f: Field, x: Array, shape: tuple[int, ...], index: Sequence[Any]) -> Array:
    """Return zeros of the shape with x put at the index."""
    found = np.zeros(shape) if x.dtype == np.float64 else np.full(shape, f.lift(0.0)[()], object)
    if found[tuple(index)].shape != x.shape:
        raise ValueError("what is put somewhere has the shape of that part")
    found[tuple(index)] = x
    return found


def one_hot(f: Field, t: Array, classes: int) -> Array:
    """Return 1 at the label and 0 elsewhere."""
    return f.each("equal", t[..., None], f.lift(np.arange(classes, dtype=float)))


def pick(f: Field, x: Array, t: Array) -> Array:
    """Return x at the labels, or its sum weighed by t of the same shape."""
    if x.shape == t.shape:
        return folded(f, "add", f.each("mul", x, t), -1, False)
    if x.shape[:-1] != t.shape:
        raise ValueError("a label for each row")
    hot = one_hot(f, t, x.shape[-1])
    kept = folded(f, "add", f.each("where", hot, x, f.lift(0.0)), -1, False)
    any_hot = folded(f, "max", hot, -1, False)
    return f.each("where", any_hot, kept, f.lift(np.nan))


def linspace(f: Field, start: Array, stop: Array, count: int) -> Array:
    """Return numbers at equal distances."""
    parts = f.each("div", f.lift(np.arange(count, dtype=float)), f.lift(float(max(count - 1, 1))))
    return f.each("add", start, f.each("mul", f.each("sub", stop, start), parts))


def linear(f: Field, x: Array, weight: Array, bias: Array | None = None) -> Array:
    """Return a layer as PyTorch has it."""
    found = matmul(f, x, np.transpose(weight))
    return found if bias is None else f.each("add", found, bias)


def mse(f: Field, y: Array, target: Array) -> Array:
    """Return the mean squared error."""
    if y.shape != target.shape:
        raise ValueError("of one shape")
    off = f.each("sub", y, target)
    return mean(f, f.each("mul", off, off))


def cross_entropy(f: Field, x: Array, target: Array) -> Array:
    """Return the mean of -log(softmax(x)) at the target."""
    return f.each("neg", mean(f, pick(f, log_softmax(f, x), target)))


def batch_norm(
    f: Field, x: Array, m: Array, v: Array, w: Array, b: Array, eps: float = 1e-5
) -> Array:
    """Return x less its mean, over its standard deviation, as given."""
    deviation = f.each("sqrt", f.each("add", v, f.lift(eps)))
    scaled = f.each("div", f.each("sub", x, m), deviation)
    return f.each("add", f.each("mul", scaled, w), b)


def concat(f: Field, *args: Array, axis: int = 0) -> Array:
    """Return arrays laid end to end."""
    return np.concatenate(args, axis)


def stack(f: Field, *args: Array, axis: int = 0) -> Array:
    """Return arrays along a new axis."""
    return np.stack(args, axis)


MOVING: dict[str, Mover] = {
    "broadcast_to": lambda f, x, shape: np.array(np.broadcast_to(x, shape)),
    "reshape": lambda f, x, shape: np.reshape(x, shape),
    "transpose": lambda f, x, axes=None: np.transpose(x, axes),
    "index": lambda f, x, index: np.asarray(x[tuple(index)]),
    "diag": lambda f, x: np.diag(x) if x.ndim == 2 else np.where(
        np.eye(len(x), dtype=bool), x[:, None], f.lift(0.0)
    ),
    "len": lambda f, x: f.lift(float(len(x))),
    "full": lambda f, x, shape: np.array(np.broadcast_to(x, shape)),
    "zeros": lambda f, shape: f.lift(np.zeros(shape)),
    "ones": lambda f, shape: f.lift(np.ones(shape)),
    "arange": lambda f, start, stop=None, step=1.0: f.lift(
        np.arange(0.0, start, step) if stop is None else np.arange(start, stop, step)
    ),
    "eye": lambda f, size: f.lift(np.eye(size)),
    "dropout": lambda f, x, p=0.5: x,
    **{"place": place, "one_hot": one_hot, "concat": concat, "stack": stack, "pick": pick},
    **{"largest": reduction("max"), "smallest": reduction("min")},
}  # fmt: skip
"""What moves elements and rounds nothing."""

MIXING: dict[str, Mover] = {
    **{"sum": reduction("add"), "prod": reduction("mul"), "logsumexp": reduction("logaddexp")},
    **{"mean": mean, "var": var, "std": std, "norm": norm, "cumsum": cumsum, "sum_to": sum_to},
    **{"softmax": softmax, "log_softmax": log_softmax, "matmul": matmul, "outer": outer},
    **{"einsum": einsum, "det": det, "logdet": logdet, "inv": inv, "solve": solve},
    **{"cofactors": minors, "second_cofactors": second_cofactors, "linspace": linspace},
    **{"trace": lambda f, x: folded(f, "add", np.diagonal(x), -1, False)},
    **{"linear": linear, "mse": mse, "cross_entropy": cross_entropy, "batch_norm": batch_norm},
}
"""What mixes elements."""

ALGEBRA = ("det", "logdet", "inv", "solve", "cofactors", "second_cofactors")
"""What NumPy has by elimination: of matrices that are not finite it may say anything."""
