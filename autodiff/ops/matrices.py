"""Products of vectors, matrices and stacks of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from .arithmetic import PRODUCT
from .comparison import not_equal, or_
from .equations import einsum_back, einsum_flow, einsum_shape, is_equation, leaves_holes
from .parts import sum_to_shape
from .reductions import sum_
from .rules import Along, At, Expr, Move
from .selection import where
from .structure import broadcast_to, full, in_shape, number, reshape, swapped, whole
from .table import Attr, Op, Torch

if TYPE_CHECKING:
    from ..graph import Shape


def batches(shapes: Sequence[Shape]) -> Shape | None:
    """Return the shape of the stack that stacks of these shapes broadcast to."""
    from ..shapes import broadcast

    return broadcast(shapes)


def of_ones(rule: Along) -> Along:
    """Return a rule with ones for the arguments: where there is a product, there is a path."""

    def masked(k: int, at: At, mask: Expr) -> Expr:
        ones = tuple([full(arg, 1.0, s) for arg, s in zip(at.args, at.shapes, strict=True)])
        return rule(k, at._replace(args=ones, held=None), mask)

    return masked


def of_masks(rule: Along) -> Along:
    """Return the rule of a row of factors, then masks for them, with what counts of the factors."""

    def masked(k: int, at: At, mask: Expr) -> Expr:
        half = len(at.args) // 2
        there = tuple(
            [
                in_shape(at, or_(not_equal(held, 0.0), not_equal(value, 0.0)), shape)
                for value, held, shape in zip(at.args, at.args[half:], at.shapes, strict=False)
            ]
        )
        return rule(k, at._replace(args=there, shapes=at.shapes[:half], held=None), mask)

    return masked


# -- products of matrices -------------------------------------------------------------------------


class Factor(NamedTuple):
    """A factor of a product of matrices, its shape, and where it is reached; None is everywhere."""

    value: Expr
    shape: Shape
    held: Expr | None = None

    def each(self, change: Callable[[Expr], Expr], shape: Shape) -> Factor:
        """Return the factor with its entries moved by `change` to a shape, its mask as well."""
        if self.held is None:
            return Factor(change(self.value), shape)
        return Factor(
            change(self.value), shape, change(broadcast_to(self.held, attrs=(self.shape,)))
        )

    def reshaped(self, shape: Shape) -> Factor:
        """Return the factor in another shape."""
        if shape == self.shape:
            return self
        return self.each(lambda x: reshape(x, attrs=(shape,)), shape)

    def turned(self) -> Factor:
        """Return the factor with its last two axes exchanged."""
        *stack, rows, columns = self.shape
        return self.each(lambda x: swapped(x, len(self.shape)), (*stack, columns, rows))


def multiply(left: Factor, right: Factor) -> Expr:
    """Return the matrix product; a 0 where a factor is not reached annihilates even inf."""
    if left.held is None and right.held is None:
        return matmul(left.value, right.value)
    one = number(left.value, 1.0)
    return matmul_reached(left.value, right.value, left.held or one, right.held or one)


def _factors(at: At) -> tuple[Factor, Factor]:
    """Return the arguments, with their masks where the op takes some."""
    masks = at.args[2:] or (None, None)
    left, right = (Factor(*each) for each in zip(at.args, at.shapes, masks, strict=False))
    return left, right


def _product_shape(attrs: tuple[Any, ...], args: tuple[Shape, ...]) -> Shape | None:
    a, b = args[:2]
    if not a or not b or a[-1] != b[-2 if len(b) > 1 else 0]:
        return None
    stack = batches([a[:-2], b[:-2]])
    if stack is None:
        return None
    return (*stack, *a[-2:-1], *(b[-1:] if len(b) > 1 else ()))


def _multiplied(k: int, at: At, flow: Expr) -> Expr:
    left, right = _factors(at)
    tangent = Factor(whole(k, at, flow), at.shapes[k], at.held)
    return multiply(tangent, right) if k == 0 else multiply(left, tangent)


def _multiplied_back(k: int, at: At, flow: Expr) -> Expr:
    left, right = _factors(at)
    back = Factor(flow, at.shape(at.result), at.held)
    match len(left.shape), len(right.shape):
        case (1, 1):
            part = flow * at.args[1 - k]
            return part if at.held is None else where(at.held, part, 0.0)
        case (2, 1):
            return multiply(left.turned(), back) if k else _each_by_each(back, right)
        case (1, 2):
            return _each_by_each(left, back) if k else multiply(right, back)
        case _:
            return _multiplied_stacks(k, at, left, right, back)


def _each_by_each(column: Factor, row: Factor) -> Expr:
    """Return the products of each entry of a vector with each of another."""
    if column.held is None and row.held is None:
        return outer(column.value, row.value)
    (height,), (width,) = column.shape, row.shape
    return multiply(column.reshaped((height, 1)), row.reshaped((1, width)))


def _multiplied_stacks(k: int, at: At, left: Factor, right: Factor, back: Factor) -> Expr:
    """Return the cotangent of a factor that may be a stack; a vector counts as a row or column."""
    row = (1, *left.shape)[-2:] if len(left.shape) == 1 else left.shape
    column = (*right.shape, 1) if len(right.shape) == 1 else right.shape
    stack = batches([row[:-2], column[:-2]]) or ()
    product = back.reshaped((*stack, row[-2], column[-1]))
    if k == 0:
        part, matrix = multiply(product, right.reshaped(column).turned()), row
    else:
        part, matrix = multiply(left.reshaped(row).turned(), product), column
    return reshaped(sum_to_shape(at, part, matrix), matrix, at.shapes[k])


def reshaped(x: Expr, shape: Shape, wanted: Shape) -> Expr:
    """Return x, of a shape, in the shape that is wanted."""
    return x if shape == wanted else reshape(x, attrs=(wanted,))


def _not_of_numbers(attrs: tuple[Any, ...], args: tuple[Shape, ...]) -> str | None:
    if all(args[:2]):
        return None
    return f"matmul needs arrays, not numbers: {' @ '.join(map(str, args[:2]))}"


def _product_reached(k: int, at: At, mask: Expr) -> Expr:
    """Return where a product is reached: in the rows (columns) of the factor that have anything."""
    axis: int | None = -1 if k == 0 else -2
    if len(at.shapes[k]) == 1:
        axis = None
    lines = sum_(whole(k, at, mask), attrs=(axis, len(at.shapes[1 - k]) > 1))
    return in_shape(at, lines, at.shape(at.result))


def _factor_reached(k: int, at: At, mask: Expr) -> Expr:
    """Return where a factor is reached: in the rows (columns) that the product is reached in."""
    wanted, shape = at.shapes[k], at.shape(at.result)
    if len(wanted) == 1:
        return in_shape(at, sum_(mask, attrs=(None, False)), wanted)
    if len(at.shapes[1 - k]) == 1:
        shape = (*shape, 1) if k == 0 else (*shape[:-1], 1, *shape[-1:])
        mask = reshape(mask, attrs=(shape,))
    lines = sum_(mask, attrs=(-1 if k == 0 else -2, True))
    return sum_to_shape(at, in_shape(at, lines, (*shape[:-2], *wanted[-2:])), wanted)


PRODUCTS: Mapping[tuple[int, ...], str] = {
    (1, 1): "DotBackward0",
    (2, 1): "MvBackward0",
    (3, 3): "BmmBackward0",
}

matmul: Op = Op(
    name="matmul",
    signature="matmul(x, y)",
    topic="matrices",
    doc="the matrix product, also written x @ y: of vectors, matrices and stacks of matrices",
    array=".forms.matrices_arrays:matmul",
    aliases=("dot",),
    move=Move(
        pushforward=_multiplied,
        transpose=_multiplied_back,
        shape=_product_shape,
        reached=(_product_reached, _factor_reached),
        need="inner sizes to agree",
        misfit=_not_of_numbers,
    ),
    infix="@",
    sign="@",
    precedence=PRODUCT,
    rule="product",
    graphdef="MatMul",
    spelling={"latex": r"{0:70} \, {1:71}"},
    torch=Torch("MmBackward0", ranks=PRODUCTS),
)

matmul_reached: Op = Op(
    name="matmul_reached",
    signature="matmul_reached(x, y, p, q)",
    internal=True,
    doc="x @ y, where a 0 of x that p does not hold for, or of y and q, counts for nothing, even "
    "times inf",
    array=".forms.reached_arrays:matmul_reached",
    move=Move(
        pushforward=_multiplied,
        transpose=_multiplied_back,
        shape=_product_shape,
        reached=(of_masks(_multiplied), of_masks(_multiplied_back)),
        weighs=True,
        need="inner sizes to agree",
        misfit=_not_of_numbers,
    ),
    labels=lambda args: (2, 3),
    sign="@",
    rule="product",
    spelling={
        "python": "matmul_reached({0}, {1}, {2}, {3})",
        "latex": r"({0:70} \, {1:71})",
    },
)


def _outer(k: int, at: At, flow: Expr) -> Expr:
    tangent = whole(k, at, flow)
    return outer(tangent, at.args[1]) if k == 0 else outer(at.args[0], tangent)


def _outer_shape(attrs: tuple[Any, ...], args: tuple[Shape, ...]) -> Shape | None:
    return args[0] + args[1] if list(map(len, args)) == [1, 1] else None


def _outer_back(k: int, at: At, flow: Expr) -> Expr:
    back = Factor(flow, at.shape(at.result), at.held)
    other = Factor(at.args[1 - k], at.shapes[1 - k])
    return multiply(back, other) if k == 0 else multiply(other, back)


outer: Op = Op(
    name="outer",
    signature="outer(x, y)",
    topic="matrices",
    doc="the matrix of the products of each entry of x with each of y",
    array=".forms.matrices_arrays:outer",
    move=Move(
        pushforward=_outer,
        transpose=_outer_back,
        shape=_outer_shape,
        reached=(of_ones(_outer), of_ones(_outer_back)),
        weighs=True,
        need="two vectors",
    ),
    spelling={
        "python": "np.multiply.outer({0}, {1})",
        "latex": r"({0:101} \, {1:101}^{{\top}})",
    },
    torch=Torch("MulBackward0"),
)


# -- Einstein's notation --------------------------------------------------------------------------

AXES = "a letter for each axis, and one size for each letter"

einsum: Op = Op(
    name="einsum",
    signature="einsum(x, *more)",
    topic="matrices",
    doc='the sum of products that an equation says: einsum("ij,jk->ik", x, y)',
    array=".forms.matrices_arrays:einsum",
    attributes=(Attr("equation", "text", valid=is_equation),),
    move=Move(
        pushforward=einsum_flow,
        transpose=einsum_back,
        shape=einsum_shape,
        reached=(of_ones(einsum_flow), of_ones(einsum_back)),
        holes=leaves_holes,
        need=AXES,
    ),
    graphdef="Einsum",
    spelling={
        "python": "einsum({equation!r}, {args})",
        "latex": r"\operatorname{{einsum}}_{{{told}}}\left({args}\right)",
    },
)

einsum_reached: Op = Op(
    name="einsum_reached",
    signature="einsum_reached(x, *more)",
    internal=True,
    doc="einsum of the first half of its arguments, where a 0 that is not reached (the other half "
    "is 0 there) counts for nothing, even times inf",
    array=".forms.reached_arrays:einsum_reached",
    attributes=(Attr("equation", "text", valid=is_equation),),
    move=Move(
        pushforward=einsum_flow,
        transpose=einsum_back,
        shape=einsum_shape,
        reached=(of_masks(einsum_flow), of_masks(einsum_back)),
        weighs=True,
        holes=leaves_holes,
        need=AXES,
    ),
    labels=lambda args: tuple(range(len(args) // 2, len(args))),
    spelling={
        "python": "einsum_reached({equation!r}, {args})",
        "latex": r"\operatorname{{einsum}}_{{{told}}}\left({args}\right)",
    },
)
