"""Linear algebra of square matrices, and of stacks of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .comparison import not_equal
from .matrices import Factor, batches, matmul, multiply, reshaped
from .parts import on_diagonal, sum_to_shape
from .reductions import sum_
from .rules import At, Expr, Move
from .selection import where
from .structure import broadcast_to, in_shape, reshape, swapped, whole
from .table import Op, Torch

if TYPE_CHECKING:
    from ..graph import Shape


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


def _anywhere(k: int, at: At, mask: Expr) -> Expr:
    """Return for each entry of each matrix whether the matrix has anything in the mask."""
    return in_shape(at, cornered(at, _entries(at, whole(k, at, mask))), at.shapes[0])


def _entries(at: At, x: Expr) -> Expr:
    """Return the sum of the entries of each matrix."""
    return sum_(x, attrs=((-2, -1), False))


def _sum_of_matrix(k: int, at: At, flow: Expr) -> Expr:
    return _entries(at, whole(k, at, flow))


def _each_of_matrix(k: int, at: At, flow: Expr) -> Expr:
    return in_shape(at, cornered(at, flow), at.shapes[0])


def _number_of_matrix_move(partial: Callable[[At], Expr]) -> Move:
    """Return what a number for each matrix states: (at) -> its partials by the entries."""
    return Move(
        pushforward=_sum_of_matrix,
        transpose=_each_of_matrix,
        shape=_number_of_matrix,
        scale=lambda k, at: partial(at),
        need=SQUARE,
    )


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
    topic="matrices",
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


det: Op = Op(
    name="det",
    signature="det(x)",
    topic="matrices",
    doc="the determinant of a square matrix",
    array=".forms.matrices_arrays:det",
    move=_number_of_matrix_move(lambda at: cofactors(at.args[0])),
    convention="of a singular matrix the third derivative is nan, of one that is not finite "
    "the second",
    graphdef="MatrixDeterminant",
    spelling={"python": "np.linalg.det({0})", "latex": r"\det\left({0}\right)"},
    torch=Torch("LinalgDetBackward0"),
)


def _cofactor_flow(k: int, at: At, flow: Expr) -> Expr:
    return second_cofactors(at.args[0], whole(k, at, flow))


cofactors: Op = Op(
    name="cofactors",
    signature="cofactors(x)",
    internal=True,
    doc="the derivative of det(x) by each entry of x",
    array=".forms.matrices_arrays:cofactors",
    move=Move(
        pushforward=_cofactor_flow,
        transpose=_cofactor_flow,
        shape=_square,
        reached=(_anywhere, _anywhere),
        weighs=True,
        need=SQUARE,
    ),
    jumps=True,
    convention="of a singular matrix the second derivative is nan, of one that is not finite "
    "the first",
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


second_cofactors: Op = Op(
    name="second_cofactors",
    signature="second_cofactors(x, t)",
    internal=True,
    doc="the derivative of cofactors(x) in the direction t",
    array=".forms.matrices_arrays:second_cofactors",
    move=Move(
        pushforward=_second_flow,
        transpose=_second_flow,
        shape=_second_shape,
        reached=(_anywhere, _anywhere),
        weighs=True,
        need="two square matrices of one size",
    ),
    jumps=True,
    convention="of a singular matrix the derivative by x is nan; of one that is not finite "
    "there is no value",
    spelling={"python": "second_cofactors({0}, {1})"},
)


def _inverse_transposed(at: At) -> Expr:
    return swapped(inv(at.args[0]), len(at.shapes[0]))


logdet: Op = Op(
    name="logdet",
    signature="logdet(x)",
    topic="matrices",
    doc="the logarithm of the determinant, without overflow",
    defined="matrices of a positive determinant",
    array=".forms.matrices_arrays:logdet",
    move=_number_of_matrix_move(_inverse_transposed),
    jumps=True,
    convention="nan where the determinant is negative",
    spelling={"python": "logdet({0})", "latex": r"\ln\det\left({0}\right)"},
    torch=Torch("LinalgSlogdetBackward0"),
)


def _inverted(k: int, at: At, flow: Expr) -> Expr:
    return _between(at, at.result, whole(k, at, flow))


def _inverted_back(k: int, at: At, flow: Expr) -> Expr:
    return _between(at, swapped(at.result, len(at.shapes[0])), flow)


def _between(at: At, inverse: Expr, flow: Expr) -> Expr:
    """Return minus the product of a flow with the inverse on both sides."""
    shape = at.shapes[0]
    side = Factor(inverse, shape)
    first = multiply(side, Factor(flow, shape, at.held))
    if at.held is None:
        return -matmul(first, inverse)
    held = _any_in_column(at, at.held, shape)
    return -multiply(Factor(first, shape, held), side)


inv: Op = Op(
    name="inv",
    signature="inv(x)",
    topic="matrices",
    doc="the inverse of a square matrix",
    defined="regular matrices",
    array=".forms.matrices_arrays:inv",
    move=Move(
        pushforward=_inverted,
        transpose=_inverted_back,
        shape=_square,
        reached=(_anywhere, _anywhere),
        weighs=True,
        need=SQUARE,
    ),
    jumps=True,
    convention="nan where the matrix is singular",
    rule="inverse",
    graphdef="MatrixInverse",
    spelling={"python": "inv({0})", "latex": r"{0:101}^{{-1}}"},
    torch=Torch("LinalgInvExBackward0"),
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
    moved = -multiply(Factor(tangent, at.shapes[0], at.held), _columns(at, at.result))
    return reshaped(solve(a, moved), at.shape(moved), at.shape(at.result))


def _columns(at: At, x: Expr, held: Expr | None = None) -> Factor:
    """Return a solution, or what has its shape, as matrices: a vector is a column."""
    shape = at.shape(at.result)
    factor = Factor(x, shape, held)
    return factor if len(at.shapes[1]) > 1 else factor.reshaped((*shape, 1))


def _solved_back(k: int, at: At, flow: Expr) -> Expr:
    columns = _columns(at, flow, at.held)
    back = solve(swapped(at.args[0], len(at.shapes[0])), columns.value)
    held = None
    if columns.held is not None:
        # What arrives in a column of the solution reaches the column of the right side, all of it;
        # nothing comes from the others, though their matrix may be singular.
        held = _any_in_column(at, columns.held, columns.shape)
        back = where(held, back, 0.0)
    if k == 1:
        flat = reshaped(back, at.shape(back), at.shape(at.result))
        return sum_to_shape(at, flat, at.shapes[1])
    factor = Factor(back, columns.shape, held)
    return sum_to_shape(at, -multiply(factor, _columns(at, at.result).turned()), at.shapes[0])


def _any_in_column(at: At, mask: Expr, shape: Shape) -> Expr:
    """Return for each entry whether its column has anything in the mask."""
    counted = not_equal(in_shape(at, mask, shape), 0.0)
    return in_shape(at, sum_(counted, attrs=(-2, True)), shape)


def _solution_reached(k: int, at: At, mask: Expr) -> Expr:
    """Return where a solution is reached: where anything in its matrix, or its column, is."""
    shape = at.shape(at.result)
    if k == 1:
        columns = _columns(at, in_shape(at, whole(k, at, mask), shape))
        spread = _any_in_column(at, columns.value, columns.shape)
        return reshaped(spread, columns.shape, shape)
    matrices = cornered(at, _entries(at, whole(k, at, mask)))
    spread = in_shape(at, matrices, _columns(at, at.result).shape)
    return reshaped(spread, at.shape(spread), shape)


def _sides_reached(k: int, at: At, mask: Expr) -> Expr:
    """Return where an argument is reached from a mask of the solution."""
    columns = _columns(at, mask)
    spread = _any_in_column(at, columns.value, columns.shape)
    if k == 1:
        flat = reshaped(spread, columns.shape, at.shape(at.result))
        return sum_to_shape(at, flat, at.shapes[1])
    one = sum_(spread, attrs=((-2, -1), True))
    size = at.shapes[0][-1]
    return sum_to_shape(at, in_shape(at, one, (*columns.shape[:-2], size, size)), at.shapes[0])


solve: Op = Op(
    name="solve",
    signature="solve(a, b)",
    topic="matrices",
    doc="the x with a @ x = b, where b is a vector or a matrix",
    defined="regular matrices",
    array=".forms.matrices_arrays:solve",
    move=Move(
        pushforward=_solved,
        transpose=_solved_back,
        shape=_solved_shape,
        reached=(_solution_reached, _sides_reached),
        weighs=True,
        need="a square matrix and a right side of its size",
    ),
    jumps=True,
    convention="nan where the matrix is singular",
    rule="solution",
    spelling={"python": "solve({0}, {1})", "latex": r"({0:101}^{{-1}} \, {1:101})"},
    torch=Torch("LinalgSolveExBackward0"),
)
