"""Einstein's notation: the rules of `einsum("ij,jk->ik", x, y)`, by rewriting its equation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from .parts import diag
from .registry import OPS
from .rules import At, Expr
from .structure import full, in_shape, whole

if TYPE_CHECKING:
    from ..graph import Shape


class Equation(NamedTuple):
    """The letters of each operand's axes, and those of the result's."""

    operands: tuple[str, ...]
    result: str

    def __str__(self) -> str:
        """Return it as it is written."""
        return f"{','.join(self.operands)}->{self.result}"


def equation_of(text: str) -> Equation | None:
    """Return an equation, None where it is none; a result that is not said has what stands once."""
    left, arrow, right = text.replace(" ", "").partition("->")
    operands = tuple(left.split(","))
    letters = "".join(operands)
    result = right if arrow else "".join(sorted(x for x in set(letters) if letters.count(x) == 1))
    known = letters.isascii() and (letters.isalpha() or not letters)
    fits = set(result) <= set(letters) and len(set(result)) == len(result)
    return Equation(operands, result) if known and fits else None


def is_equation(text: str) -> bool:
    """Tell whether a text is an equation."""
    return equation_of(text) is not None


def sizes_of(equation: Equation, shapes: tuple[Shape, ...]) -> dict[str, int] | None:
    """Return the size of each letter, None where the shapes do not fit."""
    if [*map(len, equation.operands)] != [*map(len, shapes)]:
        return None
    found: dict[str, int] = {}
    for letters, shape in zip(equation.operands, shapes, strict=True):
        for letter, size in zip(letters, shape, strict=True):
            if found.setdefault(letter, size) != size:
                return None
    return found


def einsum_shape(attrs: tuple[Any, ...], args: tuple[Shape, ...]) -> Shape | None:
    """Return the result's shape."""
    equation = equation_of(attrs[0])
    sizes = equation and sizes_of(equation, args)
    return None if equation is None or sizes is None else tuple(sizes[x] for x in equation.result)


def einsum_flow(k: int, at: At, flow: Expr) -> Expr:
    """Return the tangent that that of operand k causes: it stands in the operand's place."""
    args = [whole(k, at, flow) if place == k else arg for place, arg in enumerate(at.args)]
    return OPS["einsum"](*args, attrs=at.attrs)


def einsum_back(k: int, at: At, flow: Expr) -> Expr:
    """Return the cotangent of operand k: the sum of products with the others, and the result's.

    Letters that stand nowhere else are repeated; of a letter that the operand has twice the
    diagonal is meant.
    """
    equation = equation_of(at.attrs[0])
    assert equation is not None, "shapes were inferred"
    sizes = sizes_of(equation, at.shapes) or {}
    own = equation.operands[k]
    rest = [
        (x, arg)
        for j, (x, arg) in enumerate(zip(equation.operands, at.args, strict=True))
        if j != k
    ]
    factors = [(equation.result, flow), *rest]
    there = "".join(letters for letters, _ in factors)
    target = ""
    for letter in own:
        if letter in target:
            twin = next(x for x in _alphabet() if x not in sizes)
            sizes[twin] = sizes[letter]
            factors.append((letter + twin, diag(full(flow, 1.0, (sizes[letter],)))))
            target += twin
        else:
            target += letter
    lonely = "".join(x for x in dict.fromkeys(own) if x not in there)
    if lonely:
        factors.append((lonely, full(flow, 1.0, tuple(sizes[x] for x in lonely))))
    back = Equation(tuple(letters for letters, _ in factors), target)
    return in_shape(
        at, OPS["einsum"](*[arg for _, arg in factors], attrs=(str(back),)), at.shapes[k]
    )


def _alphabet() -> str:
    lower = "".join(map(chr, range(ord("a"), ord("z") + 1)))
    return lower + lower.upper()
