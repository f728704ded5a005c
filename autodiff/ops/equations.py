"""Einstein's notation: the rules of `einsum("ij,jk->ik", x, y)`, by rewriting its equation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from .parts import diag
from .registry import OPS
from .rules import At, Expr
from .structure import full, in_shape, number, whole

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
    if equation is None:
        return None
    sizes = sizes_of(equation, args[: len(equation.operands)])
    return None if sizes is None else tuple(sizes[x] for x in equation.result)


class Factor(NamedTuple):
    """A factor of a sum of products: its letters, and where it is reached; None is everywhere."""

    letters: str
    value: Expr
    held: Expr | None = None


def summed(factors: Sequence[Factor], result: str) -> Expr:
    """Return the sum of products; a 0 where a factor is not reached annihilates even inf."""
    equation = Equation(tuple(factor.letters for factor in factors), result)
    values = [factor.value for factor in factors]
    if all(factor.held is None for factor in factors):
        return OPS["einsum"](*values, attrs=(str(equation),))
    masks = [number(values[0], 1.0) if one.held is None else one.held for one in factors]
    return OPS["einsum_reached"](*values, *masks, attrs=(str(equation),))


def factors_of(equation: Equation, at: At) -> list[Factor]:
    """Return the operands, with their masks where the op takes some."""
    count = len(equation.operands)
    masks = at.args[count:] or (None,) * count
    each = zip(equation.operands, at.args, masks, strict=False)
    return [Factor(letters, value, held) for letters, value, held in each]


def einsum_flow(k: int, at: At, flow: Expr) -> Expr:
    """Return the tangent that that of operand k causes: it stands in the operand's place."""
    equation = _equation(at)
    factors = factors_of(equation, at)
    factors[k] = Factor(equation.operands[k], whole(k, at, flow), at.held)
    return summed(factors, equation.result)


def _equation(at: At) -> Equation:
    equation = equation_of(at.attrs[0])
    assert equation is not None, "shapes were inferred"
    return equation


def einsum_back(k: int, at: At, flow: Expr) -> Expr:
    """Return the cotangent of operand k: the sum of products with the others, and the result's.

    Letters that stand nowhere else are repeated; of a letter that the operand has twice the
    diagonal is meant.
    """
    equation = _equation(at)
    sizes = sizes_of(equation, at.shapes[: len(equation.operands)]) or {}
    own = equation.operands[k]
    rest = factors_of(equation, at)
    del rest[k]
    factors = [Factor(equation.result, flow, at.held), *rest]
    there = "".join(factor.letters for factor in factors)
    target = ""
    for letter in own:
        if letter in target:
            twin = next(x for x in _alphabet() if x not in sizes)
            sizes[twin] = sizes[letter]
            identity = diag(full(flow, 1.0, (sizes[letter],)))
            # Beside the diagonal nothing is read: its zeros annihilate even inf.
            factors.append(Factor(letter + twin, identity, identity))
            target += twin
        else:
            target += letter
    lonely = "".join(x for x in dict.fromkeys(own) if x not in there)
    if lonely:
        factors.append(Factor(lonely, full(flow, 1.0, tuple(sizes[x] for x in lonely))))
    return in_shape(at, summed(factors, target), at.shapes[k])


def leaves_holes(attrs: tuple[Any, ...]) -> tuple[bool, bool]:
    """Tell whether entries of an operand are not read: those beside the diagonal of `ii`."""
    equation = equation_of(attrs[0])
    assert equation is not None, "attributes are valid"
    return False, any(len(set(letters)) < len(letters) for letters in equation.operands)


def _alphabet() -> str:
    lower = "".join(map(chr, range(ord("a"), ord("z") + 1)))
    return lower + lower.upper()
