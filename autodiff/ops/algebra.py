"""Linear algebra of square matrices, and of stacks of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .matrices import batches, matmul, reshaped
from .parts import on_diagonal, sum_to_shape
from .reductions import sum_
from .rules import At, Expr, Move
from .structure import broadcast_to, full, in_shape, reshape, swapped, whole
from .table import Op

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
