"""The functions that Python code is given where no expression in NumPy does the same."""

from __future__ import annotations

HELPERS = {
    "sum_to": '''\
def sum_to(x, shape):
    """Return the sum of x over the axes along which `shape` was broadcast to x's shape."""
    x = np.asarray(x)
    x = x.sum(axis=tuple(range(max(0, x.ndim - len(shape)))))
    lead = len(shape) - x.ndim
    ones = tuple(k for k, size in enumerate(x.shape) if size != 1 == shape[lead + k])
    return np.broadcast_to(x.sum(axis=ones, keepdims=True), shape)
''',
    "place": '''\
def place(x, shape, index):
    """Return zeros of a shape with x put at an index."""
    array = np.zeros(shape)
    array[index] = x
    return array
''',
    "one_hot": '''\
def one_hot(labels, classes):
    """Return 1 at the label and 0 elsewhere, along a last axis."""
    return (np.asarray(labels)[..., None] == np.arange(classes)).astype(np.float64)
''',
    "pick": '''\
def pick(x, chosen):
    """Return x at labels along its last axis (nan at no label), or its sum with weights there."""
    if np.shape(chosen) == np.shape(x):
        return np.sum(x * chosen, axis=-1)
    labels = np.asarray(chosen)
    whole = labels.astype(int)
    misfit = (whole != labels) | (whole < 0) | (whole >= x.shape[-1])
    at = np.where(misfit, 0, whole)[..., None]
    return np.where(misfit, np.nan, np.take_along_axis(x, at, axis=-1)[..., 0])
''',
    "norm": '''\
def norm(x, axis, keepdims):
    """Return the Euclidean norm along axes, without overflow."""
    scale = np.max(np.abs(x), axis=axis, keepdims=True, initial=0.0)
    scale = np.where((scale > 0.0) & np.isfinite(scale), scale, 1.0)
    total = np.sqrt(np.sum(np.square(x / scale), axis=axis, keepdims=True)) * scale
    return total if keepdims else total.reshape(np.sum(x, axis=axis).shape)
''',
    "logsumexp": '''\
def logsumexp(x, axis, keepdims):
    """Return log(sum(exp(x))) along axes, without overflow."""
    most = np.max(x, axis=axis, keepdims=True, initial=-np.inf)
    most = np.where(np.isfinite(most), most, 0.0)
    total = np.log(np.sum(np.exp(x - most), axis=axis, keepdims=True)) + most
    return total if keepdims else total.reshape(np.sum(x, axis=axis).shape)
''',
    "softmax": '''\
def softmax(x, axis):
    """Return exp(x)/sum(exp(x)) along an axis, without overflow."""
    top = np.max(x, axis=axis, keepdims=True)
    powers = np.exp(np.where(x == top, 0.0, x - top))
    return powers / np.sum(powers, axis=axis, keepdims=True)
''',
    "log_softmax": '''\
def log_softmax(x, axis):
    """Return log(softmax(x)) along an axis, without the rounding of softmax."""
    top = np.max(x, axis=axis, keepdims=True)
    shifted = np.where(x == top, 0.0, x - top)
    return shifted - np.log(np.sum(np.exp(shifted), axis=axis, keepdims=True))
''',
    "cumsum": '''\
def cumsum(x, axis, reverse):
    """Return the running sum along an axis, or of all elements in order; or from the end."""
    if reverse:
        return np.flip(np.cumsum(np.flip(x, axis), axis), axis or 0)
    return np.cumsum(x, axis)
''',
    "for_each": '''\
def for_each(function, a, *rest):
    """Return a function of matrices, or of stacks of them; nan for those that are singular."""
    try:
        return function(a, *rest)
    except np.linalg.LinAlgError:
        if a.ndim == 2:
            return np.full((rest or (a,))[-1].shape, np.nan)
    return np.stack([for_each(function, *parts) for parts in zip(a, *rest)])
''',
    "inv": '''\
def inv(a):
    """Return the inverse, nan where there is none."""
    return for_each(np.linalg.inv, a)
''',
    "solve": '''\
def solve(a, b):
    """Return the x with a @ x = b for a vector or a matrix b, nan where a is singular."""
    right = b[:, None] if b.ndim == 1 else b
    stack = np.broadcast_shapes(a.shape[:-2], right.shape[:-2])
    left = np.broadcast_to(a, (*stack, *a.shape[-2:]))
    x = for_each(np.linalg.solve, left, np.broadcast_to(right, (*stack, *right.shape[-2:])))
    return x[..., 0] if b.ndim == 1 else x
''',
    "logdet": '''\
def logdet(a):
    """Return the logarithm of the determinant, nan where that is negative."""
    sign, size = np.linalg.slogdet(a)
    return np.where(sign < 0.0, np.nan, size)
''',
    "cofactors": '''\
def cofactors(a):
    """Return the derivative of the determinant by each entry, also of singular matrices."""
    u, s, v = np.linalg.svd(a)
    one = np.eye(a.shape[-1], dtype=bool)
    others = np.where(one, 1.0, s[..., None, :]).prod(axis=-1)
    sign = np.round(np.linalg.det(u) * np.linalg.det(v))
    return (u * others[..., None, :]) @ v * sign[..., None, None]
''',
    "second_cofactors": '''\
def second_cofactors(a, t):
    """Return the derivative of the cofactors in a direction, also of singular matrices."""
    u, s, v = np.linalg.svd(a)
    m = np.swapaxes(u, -1, -2) @ t @ np.swapaxes(v, -1, -2)
    own = np.eye(a.shape[-1], dtype=bool)
    left_out = own[:, None, :] | own[None, :, :]
    others = np.where(left_out, 1.0, s[..., None, None, :]).prod(axis=-1)
    diagonal = np.where(own, 0.0, others) @ np.diagonal(m, axis1=-2, axis2=-1)[..., None]
    middle = np.where(own, diagonal, -np.swapaxes(m, -1, -2) * others)
    sign = np.round(np.linalg.det(u) * np.linalg.det(v))
    return u @ middle @ v * sign[..., None, None]
''',
    "matmul_reached": '''\
def matmul_reached(x, y, p, q):
    """Return x @ y, where a 0 of x that p does not hold for, or of y and q, counts for nothing."""
    return reached(lambda factors: np.matmul(*factors), [x, y], [p, q])
''',
    "einsum_reached": '''\
def einsum_reached(equation, *arrays):
    """Return einsum of the first half of the arrays; of their zeros the others say which count."""
    half = len(arrays) // 2
    return reached(lambda factors: np.einsum(equation, *factors), arrays[:half], arrays[half:])
''',
    "reached": '''\
def reached(product, factors, masks):
    """Return a sum of products, where a factor's 0 at which its mask is 0 annihilates even inf."""
    plain = product(factors)
    if np.isfinite(plain).all():
        return plain
    there = [(np.not_equal(x, 0) | np.not_equal(m, 0)) for x, m in zip(factors, masks)]

    def count(*kinds):
        """Return how many of the products that count have only factors of some kinds."""
        each = zip(factors, there)
        return product([np.all([t, *(kind(x) for kind in kinds)], axis=0) * 1.0 for x, t in each])

    def sum_of_signs(kind):
        """Return the sum of the signs of the products whose factors are of a kind."""
        return product([np.where(kind(x), np.sign(x), 0.0) for x in factors])

    def number(x):
        """Return where there is no nan."""
        return ~np.isnan(x)

    infinite = count(number, np.bool_) - count(np.isfinite, np.bool_)
    excess = sum_of_signs(number) - sum_of_signs(np.isfinite)
    total = product([np.where(np.isfinite(x), x, 0.0) for x in factors])
    total = total + np.where(infinite + excess > 0, np.inf, 0.0)
    total = total + np.where(infinite - excess > 0, -np.inf, 0.0)
    return np.where(count() > count(np.isfinite) + infinite, np.nan, total)
''',
    "dropped": '''\
def dropped(x, p, serial, seed):
    """Return x with each element 0 with probability p, else scaled; the seeds say which."""
    drawn = np.random.default_rng([seed, serial]).random(np.shape(x))
    return np.where(drawn < p, 0.0, x / (1.0 - p if p < 1.0 else 1.0))
''',
    "derivative": '''\
def derivative(value, slope):
    """Return the slope in its shape, nan where there is no value."""
    holes, shape = np.isnan(value), np.shape(slope)
    try:
        fits = np.broadcast_shapes(holes.shape, shape) == holes.shape
    except ValueError:
        fits = False
    return np.where(sum_to(holes, shape) > 0 if fits else holes.any(), np.nan, slope)[()]
''',
}
"""Functions by name; each may call those that stand in it."""
