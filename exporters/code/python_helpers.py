"""The functions that Python code is given where no expression in NumPy does the same."""

from __future__ import annotations

from ...autodiff.ops.forms.shared import STIRLING

SERIES = ", ".join(map(repr, STIRLING[:4])) + ",\n    " + ", ".join(map(repr, STIRLING[4:]))

HELPERS = {
    "pow": '''\
def pow(x, y):
    """Return x to the power y; NumPy takes a lone 0.5 for sqrt, which differs at -inf and -0.0."""
    return np.float_power(x, y) if np.ndim(y) == 0 and y == 0.5 else np.power(x, y)
''',
    "direction": '''\
def direction(x, y):
    """Return x/hypot(x, y), the derivative of hypot by x, with its limits at infinity."""
    length = np.hypot(x, y)
    ordinary = (length > 1e-290) & (length < np.inf)
    scale = np.where(ordinary, 1.0, np.where(length < 1.0, 2.0**600, 2.0**-600))
    x, y = np.multiply(x, scale), np.multiply(y, scale)
    end = np.where(np.isfinite(y), np.sign(x), np.nan)
    return np.where(np.isinf(x), end, x / np.hypot(x, y))
''',
    "dpow": '''\
def dpow(x, y):
    """Return x^y*log(x), the derivative of x^y by y: 0 where x^y is, and at x = 0 for y >= 0."""
    power = pow(x, y)
    vanishes = (np.equal(power, 0.0) & np.greater(x, 0.0)) | (
        np.equal(x, 0.0) & np.greater_equal(y, 0.0)
    )
    return np.where(vanishes, 0.0, power * np.log(x))
''',
    "dsinc": '''\
def dsinc(n, x):
    """Return the n-th derivative of sin(pi x)/(pi x), n a whole number; by a recurrence.

    It goes upwards from the first for n below pi |x|, else downwards.
    """
    n, x = np.broadcast_arrays(np.float64(n), np.float64(x))
    allowed = (n >= 0.0) & (n <= 600.0) & (n == np.trunc(n)) & ~np.isnan(x)
    top = int(np.max(np.where(allowed, n, 0.0), initial=0.0))
    z, whole = np.pi * x, np.rint(x)
    turned = np.where(np.fmod(whole, 2.0) == 0.0, 1.0, -1.0)
    sine, cosine = turned * np.sin(np.pi * (x - whole)), turned * np.cos(np.pi * (x - whole))
    waves = (sine, cosine, -sine, -cosine)
    c = up = sine / np.pi / x
    for k in range(1, top + 1):
        c = (waves[k % 4] - k * c) / np.pi / x
        up = np.where(n == k, c, up)
    c = down = np.zeros(x.shape)
    for k in range(2 * top + 40, 0, -1):
        c = (waves[k % 4] - z * c) / k
        down = np.where(n == k - 1, c, down)
    found = np.where(n < np.abs(z), up, down) * np.power(np.pi, n) + 0.0
    return np.where(allowed, np.where(np.isinf(x), 0.0, found), np.nan)
''',
    "gamma": '''\
def gamma(x):
    """Return the gamma function; where SciPy's falls to 0 too soon, by its recurrence."""
    low = np.less(x, -170.0)
    found = special.gamma(np.where(low, np.add(x, 20.0), x))
    for k in range(20):
        found = np.where(low, found / np.add(x, k), found)
    return found
''',
    "lgamma": '''\
def lgamma(x):
    """Return log|gamma(x)|, inf at the infinities and the poles."""
    size = np.abs(x)
    found = np.where(size < 1e-300, -np.log(size), special.gammaln(x))
    return np.where(np.isinf(x), np.inf, found)
''',
    "digamma": '''\
def digamma(x):
    """Return the derivative of lgamma, nan at the poles."""
    pole = np.less_equal(x, 0.0) & np.equal(x, np.rint(x))
    return np.where(pole, np.nan, special.digamma(x))
''',
    "polygamma_size": f'''\
STIRLING = (
    {SERIES},
)


def polygamma_size(n, x):
    """Return n! zeta(n + 1, x) for n > 0 and x > 0, by Euler and Maclaurin: DLMF 25.11.5."""
    a = x + 10.0
    tail, factor = 1.0 / n + 0.5 / a, (n + 1.0) / a / a
    for m, c in zip(range(2, 18, 2), STIRLING):
        tail = tail + c * factor
        factor = factor * ((n + m) / a) * ((n + m + 1.0) / a) / (m * (m + 1.0))
    total = np.power(x / a, n) * tail
    for k in range(9, -1, -1):
        total = total + np.power(x / (x + k), n) / (x + k)
    half = np.power(x, -0.5 * n)
    far = np.exp(lgamma(n + 1.0) - n * np.log(x))
    scale = np.where(n > 170.0, far, gamma(n + 1.0) * half * half)
    return np.where(np.isposinf(x), 0.0, scale * total)
''',
    "polygamma": '''\
def polygamma(n, x):
    """Return the n-th derivative of digamma, by reflection where x is not positive."""
    n, x = np.broadcast_arrays(np.float64(n), np.float64(x))
    odd = np.fmod(n, 2.0) == 1.0
    sign, r = np.where(odd, 1.0, -1.0), x - np.rint(x)
    u, v = np.where(r > 0.0, r, 1.0 + r), np.where(r > 0.0, 1.0 - r, -r)
    below = sign * polygamma_size(n, u) + polygamma_size(n, v) - polygamma_size(n, 1.0 - x)
    below = np.where(r == 0.0, np.where(odd, np.inf, np.nan), below)
    found = np.where(x > 0.0, sign * polygamma_size(n, x), below)
    whole = (n > 0.0) & (n == np.trunc(n)) & np.isfinite(n) & ~np.isneginf(x)
    return np.where(n == 0.0, digamma(x), np.where(whole, found, np.nan))
''',
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
    "std": '''\
def std(x, axis, keepdims, ddof):
    """Return the standard deviation along axes."""
    return np.sqrt(var(x, axis, keepdims, ddof))
''',
    "var": '''\
def var(x, axis, keepdims, ddof):
    """Return the variance along axes: exactly 0 of equal numbers."""
    shifted = x - np.max(x, axis=axis, keepdims=True, initial=-np.inf)
    total = np.sum(shifted, axis=axis, keepdims=True)
    count = np.size(x) // max(np.size(total), 1)
    squares = np.square(shifted - total / np.float64(count))
    return np.sum(squares, axis=axis, keepdims=keepdims) / np.float64(max(count - ddof, 0))
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
    top = np.max(x, axis=axis, keepdims=True, initial=-np.inf)
    powers = np.exp(np.where(x == top, 0.0, x - top))
    return powers / np.sum(powers, axis=axis, keepdims=True)
''',
    "log_softmax": '''\
def log_softmax(x, axis):
    """Return log(softmax(x)) along an axis, without the rounding of softmax."""
    top = np.max(x, axis=axis, keepdims=True, initial=-np.inf)
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
    "decomposed": '''\
def decomposed(a):
    """Return u, s, v with a = u s v, and det(u v) as matrices; nan where a is not finite."""
    finite = np.isfinite(a).all(axis=(-2, -1), keepdims=True)
    u, s, v = np.linalg.svd(np.where(finite, a, np.eye(a.shape[-1])))
    sign = np.round(np.linalg.det(u) * np.linalg.det(v))[..., None, None]
    return u, s, v, np.where(finite, sign, np.nan)
''',
    "cofactors": '''\
def cofactors(a):
    """Return the derivative of the determinant by each entry, also of singular matrices."""
    u, s, v, sign = decomposed(a)
    one = np.eye(a.shape[-1], dtype=bool)
    others = np.where(one, 1.0, s[..., None, :]).prod(axis=-1)
    found = (u * others[..., None, :]) @ v * sign
    for at in np.argwhere(~np.isfinite(a).all(axis=(-2, -1))):
        found[tuple(at)] = minors(a[tuple(at)])
    return found
''',
    "minors": '''\
def minors(a):
    """Return the cofactors of a matrix, each a determinant without a row and a column."""
    found = np.empty(a.shape)
    for row, column in np.ndindex(a.shape):
        rest = np.delete(np.delete(a, row, axis=0), column, axis=1)
        found[row, column] = (-1.0) ** (row + column) * np.linalg.det(rest)
    return found
''',
    "second_cofactors": '''\
def second_cofactors(a, t):
    """Return the derivative of the cofactors in a direction, also of singular matrices."""
    u, s, v, sign = decomposed(a)
    m = np.swapaxes(u, -1, -2) @ t @ np.swapaxes(v, -1, -2)
    own = np.eye(a.shape[-1], dtype=bool)
    left_out = own[:, None, :] | own[None, :, :]
    others = np.where(left_out, 1.0, s[..., None, None, :]).prod(axis=-1)
    diagonal = np.where(own, 0.0, others) @ np.diagonal(m, axis1=-2, axis2=-1)[..., None]
    middle = np.where(own, diagonal, -np.swapaxes(m, -1, -2) * others)
    return u @ middle @ v * sign
''',
    "einsum": '''\
def einsum(equation, *factors):
    """Return a sum of products, of many factors pair by pair."""
    return np.einsum(equation, *factors, optimize=len(factors) > 2)
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
    return reached(lambda factors: einsum(equation, *factors), arrays[:half], arrays[half:])
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
}
"""Functions by name; each may call those that stand in it."""
