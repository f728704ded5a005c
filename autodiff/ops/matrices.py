"""Matrix products and linear algebra."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .arithmetic import PRODUCT
from .equations import einsum_back, einsum_flow, einsum_shape, is_equation
from .parts import on_diagonal, sum_to_shape
from .reductions import sum_
from .rules import Along, At, Expr, Move
from .structure import broadcast_to, full, in_shape, reshape, swapped, transpose, whole
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

# -- square matrices ------------------------------------------------------------------------------

SQUARE = "a square matrix"


def _square(attrs: tuple[Any, ...], args: tuple[Shape, ...]) -> Shape | None:
    shape = args[0]
    return shape if len(shape) > 1 and shape[-1] == shape[-2] else None


def _number_of_matrix(attrs: tuple[Any, ...], args: tuple[Shape, ...]) -> Shape | None:
    return None if _square(attrs, args) is None else args[0][:-2]


def cornered(at: At, flow: Expr) -> Expr:
    """Return a number for each matrix so that it broadcasts to the matrices."""
    shape = at.shapes[0]
    return flow if len(shape) == 2 else reshape(flow, attrs=((*shape[:-2], 1, 1),))


def _everywhere(k: int, at: At, mask: Expr) -> Expr:
    """Return, for each matrix, whether the mask has anything in it, for each entry."""
    shape = at.shapes[0]
    if at.shape(mask) == shape:
        mask = _entries(at, mask)
    return in_shape(at, cornered(at, mask), shape)


def _entries(at: At, x: Expr) -> Expr:
    """Return the sum of the entries of each matrix."""
    return sum_(x, attrs=((-2, -1), False))


def _of_all(k: int, at: At, mask: Expr) -> Expr:
    return _entries(at, whole(k, at, mask))


def _traced_shape(attrs: tuple[Any, ...], args: tuple[Shape, ...]) -> Shape | None:
    return () if len(args[0]) == 2 else None


def _traced(k: int, at: At, flow: Expr) -> Expr:
    return trace(whole(k, at, flow))


def _traced_back(k: int, at: At, flow: Expr) -> Expr:
    shape = at.shapes[0]
    return on_diagonal(at, broadcast_to(flow, attrs=((min(shape),),)), shape)


trace: Op = Op(
    name="trace",
    signature="trace(x)",
    doc="the sum of the diagonal of a matrix",
    array=".forms.matrices_arrays:trace",
    move=Move(
        pushforward=_traced,
        transpose=_traced_back,
        holes=(False, True),
        shape=_traced_shape,
        need="a matrix",
    ),
    spelling={"python": "np.trace({0})", "latex": r"\operatorname{{tr}}\left({0}\right)"},
)


def _determined(k: int, at: At, flow: Expr) -> Expr:
    return _entries(at, cofactors(at.args[0]) * whole(k, at, flow))


def _determined_back(k: int, at: At, flow: Expr) -> Expr:
    return cornered(at, flow) * cofactors(at.args[0])


det: Op = Op(
    name="det",
    signature="det(x)",
    doc="the determinant of a square matrix",
    array=".forms.matrices_arrays:det",
    move=Move(
        pushforward=_determined,
        transpose=_determined_back,
        shape=_number_of_matrix,
        reached=(_of_all, _everywhere),
        need=SQUARE,
    ),
    convention="of a singular matrix the third derivative is nan",
    graphdef="MatrixDeterminant",
    spelling={"python": "np.linalg.det({0})", "latex": r"\det\left({0}\right)"},
)


def _cofactor_flow(k: int, at: At, flow: Expr) -> Expr:
    return second_cofactors(at.args[0], whole(k, at, flow))


cofactors: Op = Op(
    name="cofactors",
    signature="cofactors(x)",
    doc="the derivative of det(x) by each entry of x",
    array=".forms.matrices_arrays:cofactors",
    move=Move(
        pushforward=_cofactor_flow,
        transpose=_cofactor_flow,
        shape=_square,
        reached=(_everywhere, _everywhere),
        need=SQUARE,
    ),
    jumps=True,
    convention="of a singular matrix the second derivative is nan",
    spelling={"python": "cofactors({0})"},
)


def _second_shape(attrs: tuple[Any, ...], args: tuple[Shape, ...]) -> Shape | None:
    return _square(attrs, args) if args[0] == args[1] else None


def _second_flow(k: int, at: At, flow: Expr) -> Expr:
    """Return what a tangent causes, or a cotangent: derivatives of det do not mind the order."""
    a, t = at.args
    u = whole(k, at, flow)
    if k == 1:
        return second_cofactors(a, u)
    rank = len(at.shapes[0])
    inverse = swapped(inv(a), rank)
    turned = -matmul(matmul(inverse, swapped(u, rank)), inverse)
    back, second = swapped(t, rank), second_cofactors(a, u)
    whole_part = cornered(at, _entries(at, second * t)) * inverse
    whole_part = whole_part + cornered(at, _entries(at, cofactors(a) * t)) * turned
    part = matmul(matmul(turned, back), cofactors(a)) + matmul(matmul(inverse, back), second)
    return whole_part - part


def _anywhere(k: int, at: At, mask: Expr) -> Expr:
    return _everywhere(k, at, whole(k, at, mask))


second_cofactors: Op = Op(
    name="second_cofactors",
    signature="second_cofactors(x, t)",
    doc="the derivative of cofactors(x) in the direction t",
    array=".forms.matrices_arrays:second_cofactors",
    move=Move(
        pushforward=_second_flow,
        transpose=_second_flow,
        shape=_second_shape,
        reached=(_anywhere, _anywhere),
        need="two square matrices of one size",
    ),
    jumps=True,
    convention="of a singular matrix the derivative by x is nan",
    spelling={"python": "second_cofactors({0}, {1})"},
)


def _inverse_transposed(at: At) -> Expr:
    return swapped(inv(at.args[0]), len(at.shapes[0]))


def _log_determined(k: int, at: At, flow: Expr) -> Expr:
    return _entries(at, _inverse_transposed(at) * whole(k, at, flow))


def _log_determined_back(k: int, at: At, flow: Expr) -> Expr:
    return cornered(at, flow) * _inverse_transposed(at)


logdet: Op = Op(
    name="logdet",
    signature="logdet(x)",
    doc="the logarithm of the determinant, without overflow",
    array=".forms.matrices_arrays:logdet",
    move=Move(
        pushforward=_log_determined,
        transpose=_log_determined_back,
        shape=_number_of_matrix,
        reached=(_of_all, _everywhere),
        need=SQUARE,
    ),
    jumps=True,
    convention="nan where the determinant is negative",
    spelling={"python": "logdet({0})", "latex": r"\ln\det\left({0}\right)"},
)


def _inverted(k: int, at: At, flow: Expr) -> Expr:
    return -matmul(matmul(at.result, whole(k, at, flow)), at.result)


def _inverted_back(k: int, at: At, flow: Expr) -> Expr:
    turned = swapped(at.result, len(at.shapes[0]))
    return -matmul(matmul(turned, flow), turned)


inv: Op = Op(
    name="inv",
    signature="inv(x)",
    doc="the inverse of a square matrix",
    array=".forms.matrices_arrays:inv",
    move=Move(
        pushforward=_inverted,
        transpose=_inverted_back,
        shape=_square,
        reached=(_everywhere, _everywhere),
        need=SQUARE,
    ),
    jumps=True,
    convention="nan where the matrix is singular",
    rule="inverse",
    graphdef="MatrixInverse",
    spelling={"python": "inv({0})", "latex": r"{0:101}^{{-1}}"},
)


def _solved_shape(attrs: tuple[Any, ...], args: tuple[Shape, ...]) -> Shape | None:
    a, b = args
    if _square((), (a,)) is None or not b or b[-2 if len(b) > 1 else 0] != a[-1]:
        return None
    if len(b) == 1:
        return a[:-1]
    stack = batches([a[:-2], b[:-2]])
    return None if stack is None else (*stack, *b[-2:])


def _solved(k: int, at: At, flow: Expr) -> Expr:
    a, tangent = at.args[0], whole(k, at, flow)
    if k == 1:
        return solve(a, tangent)
    moved = -matmul(tangent, _columns(at, at.result))
    return reshaped(solve(a, moved), at.shape(moved), at.shape(at.result))


def _columns(at: At, x: Expr) -> Expr:
    """Return a solution, or what has its shape, as matrices: a vector is a column."""
    shape = at.shape(x)
    return x if len(at.shapes[1]) > 1 else reshape(x, attrs=((*shape, 1),))


def _solved_back(k: int, at: At, flow: Expr) -> Expr:
    back = solve(swapped(at.args[0], len(at.shapes[0])), _columns(at, flow))
    if k == 1:
        flat = reshaped(back, at.shape(back), at.shape(at.result))
        return sum_to_shape(at, flat, at.shapes[1])
    solution = _columns(at, at.result)
    turned = swapped(solution, len(at.shape(solution)))
    return sum_to_shape(at, -matmul(back, turned), at.shapes[0])


def _solution_reached(k: int, at: At, mask: Expr) -> Expr:
    return full(mask, 1.0, at.shape(at.result)) * _any(mask)


def _solution_back(k: int, at: At, mask: Expr) -> Expr:
    return full(mask, 1.0, at.shapes[k]) * _any(mask)


def _any(mask: Expr) -> Expr:
    return sum_(mask, attrs=(None, False))


solve: Op = Op(
    name="solve",
    signature="solve(a, b)",
    doc="the x with a @ x = b, where b is a vector or a matrix",
    array=".forms.matrices_arrays:solve",
    move=Move(
        pushforward=_solved,
        transpose=_solved_back,
        shape=_solved_shape,
        reached=(_solution_reached, _solution_back),
        need="a square matrix and a right side of its size",
    ),
    jumps=True,
    convention="nan where the matrix is singular",
    rule="solution",
    spelling={"python": "solve({0}, {1})", "latex": r"({0:101}^{{-1}} \, {1:101})"},
)
