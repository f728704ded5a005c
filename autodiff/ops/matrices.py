"""Products of vectors, matrices and stacks of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .arithmetic import PRODUCT
from .equations import einsum_back, einsum_flow, einsum_shape, is_equation
from .parts import sum_to_shape
from .reductions import sum_
from .rules import Along, At, Expr, Move
from .structure import full, in_shape, reshape, swapped, transpose, whole
from .table import Attr, Op

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
        return rule(k, at._replace(args=ones), mask)

    return masked


def _product_shape(attrs: tuple[Any, ...], args: tuple[Shape, ...]) -> Shape | None:
    a, b = args
    if not a or not b or a[-1] != b[-2 if len(b) > 1 else 0]:
        return None
    stack = batches([a[:-2], b[:-2]])
    if stack is None:
        return None
    return (*stack, *a[-2:-1], *(b[-1:] if len(b) > 1 else ()))


def _multiplied(k: int, at: At, flow: Expr) -> Expr:
    tangent = whole(k, at, flow)
    return matmul(tangent, at.args[1]) if k == 0 else matmul(at.args[0], tangent)


def _multiplied_back(k: int, at: At, flow: Expr) -> Expr:
    a, b = at.args
    ranks = tuple(map(len, at.shapes))
    match ranks:
        case (1, 1):
            return flow * at.args[1 - k]
        case (2, 1):
            return outer(flow, b) if k == 0 else matmul(transpose(a, attrs=(None,)), flow)
        case (1, 2):
            return matmul(b, flow) if k == 0 else outer(a, flow)
        case _:
            return _multiplied_stacks(k, at, flow)


def _multiplied_stacks(k: int, at: At, flow: Expr) -> Expr:
    """Return the cotangent of a factor that may be a stack; a vector counts as a row or column."""
    left, right = at.shapes
    row, column = (1, *left)[-2:] if len(left) == 1 else left, right
    if len(right) == 1:
        column = (*right, 1)
    stack = batches([row[:-2], column[:-2]]) or ()
    a, b = (
        reshaped(arg, shape, matrix)
        for arg, shape, matrix in zip(at.args, at.shapes, (row, column), strict=True)
    )
    product = reshaped(flow, at.shape(flow), (*stack, row[-2], column[-1]))
    if k == 0:
        part, matrix = matmul(product, swapped(b, len(column))), row
    else:
        part, matrix = matmul(swapped(a, len(row)), product), column
    return reshaped(sum_to_shape(at, part, matrix), matrix, at.shapes[k])


def reshaped(x: Expr, shape: Shape, wanted: Shape) -> Expr:
    """Return x, of a shape, in the shape that is wanted."""
    return x if shape == wanted else reshape(x, attrs=(wanted,))


def _outer(k: int, at: At, flow: Expr) -> Expr:
    tangent = whole(k, at, flow)
    return outer(tangent, at.args[1]) if k == 0 else outer(at.args[0], tangent)


def _outer_shape(attrs: tuple[Any, ...], args: tuple[Shape, ...]) -> Shape | None:
    return args[0] + args[1] if list(map(len, args)) == [1, 1] else None


def _outer_back(k: int, at: At, flow: Expr) -> Expr:
    return matmul(flow, at.args[1]) if k == 0 else matmul(at.args[0], flow)


def _not_of_numbers(attrs: tuple[Any, ...], args: tuple[Shape, ...]) -> str | None:
    if all(args):
        return None
    return f"matmul needs arrays, not numbers: {' @ '.join(map(str, args))}"


def _product_reached(k: int, at: At, mask: Expr) -> Expr:
    return _lines(k, at, whole(k, at, mask), at.shape(at.result), _multiplied)


def _factor_reached(k: int, at: At, mask: Expr) -> Expr:
    return _lines(k, at, mask, at.shapes[k], _multiplied_back)


def _lines(k: int, at: At, mask: Expr, shape: Shape, rule: Along) -> Expr:
    """Return where a product of matrices is reached: in the rows (columns) that have anything."""
    if [*map(len, at.shapes)] != [2, 2]:
        return of_ones(rule)(k, at, mask)
    return in_shape(at, sum_(mask, attrs=(-1 if k == 0 else -2, True)), shape)


matmul: Op = Op(
    name="matmul",
    signature="matmul(x, y)",
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
)

outer: Op = Op(
    name="outer",
    signature="outer(x, y)",
    doc="the matrix of the products of each entry of x with each of y",
    array=".forms.matrices_arrays:outer",
    move=Move(
        pushforward=_outer,
        transpose=_outer_back,
        shape=_outer_shape,
        reached=(of_ones(_outer), of_ones(_outer_back)),
        need="two vectors",
    ),
    spelling={
        "python": "np.multiply.outer({0}, {1})",
        "latex": r"({0:101} \, {1:101}^{{\top}})",
    },
)

einsum: Op = Op(
    name="einsum",
    signature="einsum(x, *more)",
    doc='the sum of products that an equation says: einsum("ij,jk->ik", x, y)',
    array=".forms.matrices_arrays:einsum",
    attributes=(Attr("equation", "text", valid=is_equation),),
    move=Move(
        pushforward=einsum_flow,
        transpose=einsum_back,
        shape=einsum_shape,
        reached=(of_ones(einsum_flow), of_ones(einsum_back)),
        need="a letter for each axis, and one size for each letter",
    ),
    graphdef="Einsum",
    spelling={
        "python": "np.einsum({equation!r}, {args})",
        "latex": r"\operatorname{{einsum}}_{{{told}}}\left({args}\right)",
    },
)
