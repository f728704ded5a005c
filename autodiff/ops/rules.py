"""What rules are written with: expressions of a graph, and where a rule stands.

An op that works element by element states partials; one that moves or mixes elements a `Move`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar, cast

from .registry import OPS

if TYPE_CHECKING:
    from ..graph import Graph, Shape, Shapes


class Expr:
    """A node together with its graph, so that rules read as mathematics."""

    __slots__ = ("graph", "node")

    def __init__(self, graph: Graph, node: int) -> None:
        self.graph = graph
        self.node = node

    @property
    def literal(self) -> float | None:
        """The number of a scalar constant, None for all else."""
        return self.graph.literal(self.node)

    @property
    def closed(self) -> bool:
        """Whether no input is in it."""
        return self.graph.is_closed(self.node)

    @property
    def number(self) -> float | None:
        """The value of a scalar that has no input in it, None for all else."""
        if not self.closed:
            return None
        from ..evaluate import evaluate

        value = evaluate(self.graph, [self.node], {})[0]
        return value if isinstance(value, float) else None

    def __neg__(self) -> Expr:
        return OPS.entered["neg"](self)

    def __add__(self, other: Operand) -> Expr:
        return OPS.entered["add"](self, other)

    def __radd__(self, other: float) -> Expr:
        return OPS.entered["add"](other, self)

    def __sub__(self, other: Operand) -> Expr:
        return OPS.entered["sub"](self, other)

    def __rsub__(self, other: float) -> Expr:
        return OPS.entered["sub"](other, self)

    def __mul__(self, other: Operand) -> Expr:
        return OPS.entered["mul"](self, other)

    def __rmul__(self, other: float) -> Expr:
        return OPS.entered["mul"](other, self)

    def __truediv__(self, other: Operand) -> Expr:
        return OPS.entered["div"](self, other)

    def __rtruediv__(self, other: float) -> Expr:
        return OPS.entered["div"](other, self)

    def __pow__(self, other: Operand) -> Expr:
        return OPS.entered["pow"](self, other)


Operand: TypeAlias = Expr | float


class Quotient(NamedTuple):
    """A partial that is a quotient: what stands above, divided by one after the other below.

    It is not made apart. A flow is multiplied by what is above, and then divided: 1/x^n, which has
    underflowed where x is large, is never there without the factor that belongs to it.
    """

    top: Operand
    below: tuple[Expr, ...]


Slope: TypeAlias = Operand | Quotient
"""What a flow is multiplied by."""

T = TypeVar("T")

# The numbers of arguments one by one, so that type checkers know those of a lambda.
Rule: TypeAlias = (
    Callable[[Expr, Expr], T]
    | Callable[[Expr, Expr, Expr], T]
    | Callable[[Expr, Expr, Expr, Expr], T]
)
"""(result, *args) -> what an op says of one argument."""

Partial: TypeAlias = Rule[Operand] | None
"""The partial derivative by one argument; None is 0 everywhere."""

Condition: TypeAlias = Rule[Expr] | None
"""Where (not 0) the argument is selected; None is always."""

Definition: TypeAlias = (
    Callable[[Expr], Expr] | Callable[[Expr, Expr], Expr] | Callable[[Expr, Expr, Expr], Expr]
)
"""The op as a composition of others, of its arguments."""


class At(NamedTuple):
    """Where a rule stands: its node's result, arguments, attributes and argument shapes.

    `known` gives the shape of every node, also of those that rules append; it is None where all
    are scalars. `held` says where (not 0) the flow that a rule is given has arrived; its other
    entries are zeros that annihilate even inf. None is everywhere.
    """

    result: Expr
    args: tuple[Expr, ...]
    attrs: tuple[Any, ...]
    shapes: tuple[Shape, ...]
    known: Shapes | None = None
    held: Expr | None = None

    def shape(self, expr: Expr) -> Shape:
        """Return the shape of an expression."""
        return self.known[expr.node] if self.known is not None else ()


Along: TypeAlias = Callable[[int, At, Expr], Expr]
"""(k, at, flow) -> what becomes of a tangent of argument k, or of a cotangent on its way to it."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True, slots=True)
class Move:
    """What an op that moves or mixes elements states instead of partials.

    (k, at, flow) -> the tangent that argument k's tangent causes, and the cotangent of argument k
    that the result's cotangent causes; (attrs, argument shapes) -> the result's shape, None
    where those of the arguments do not go together.

    A reduction is a rule for each element, and a sum: `scale` is (k, at) -> the partial derivative
    by the elements of argument k, in its shape, `selected` where they are selected; they are taken
    before the pushforward and after the transpose.
    """

    pushforward: Along
    transpose: Along
    shape: Callable[[tuple[Any, ...], tuple[Shape, ...]], Shape | None]
    together: Callable[[At, Sequence[Expr]], Expr] | None = None
    """(at, the tangents of all arguments) -> the result's, where that is shorter than the sum."""
    scale: Callable[[int, At], Operand] | None = None
    selected: Callable[[int, At], Expr] | None = None
    reached: tuple[Along, Along] | None = None
    """Where a mask (1 and 0) of a tangent arrives, and one of a cotangent, for the ops that weigh
    elements by numbers of any sign; None: where the mask does as a flow."""
    weighs: bool = False
    """Whether it multiplies a flow, entry by entry, by numbers that may be infinite, so that what
    comes out where none has arrived need not be 0. A sum of such products heeds `At.held`."""
    holes: tuple[bool, bool] | Callable[[tuple[Any, ...]], tuple[bool, bool]] = (False, False)
    """Whether a tangent, and a cotangent, has zeros after it where none has arrived; or (attrs) ->
    that."""
    joined: str = ""
    """Of a reduction, `"module:function"`: (results for parts, sizes of the parts) -> that for the
    whole; empty where they do not tell it."""
    need: str = "shapes that go together"
    """What it needs of its arguments' shapes."""
    misfit: Callable[[tuple[Any, ...], tuple[Shape, ...]], str | None] | None = None
    """(attrs, argument shapes) -> what to say of arguments that do not go together, where there is
    more to say than the need."""

    def has_holes(self, at: At, back: bool) -> bool:
        """Tell whether a tangent, or with `back` a cotangent, has zeros where none arrived."""
        holes = self.holes(at.attrs) if callable(self.holes) else self.holes
        return holes[back]

    def local(self, k: int, at: At) -> tuple[Operand, Expr | None]:
        """Return the partial by the elements of argument k, and the condition it is under."""
        scale = 1.0 if self.scale is None else self.scale(k, at)
        return scale, None if self.selected is None else self.selected(k, at)

    def tangent(self, at: At, flows: Mapping[int, Expr]) -> Expr:
        """Return the tangent that those of some arguments cause; the others have 0."""
        if self.together is not None:
            zero = Expr(at.result.graph, at.result.graph.constant(0.0))
            return self.together(at, [flows.get(k, zero) for k in range(len(at.args))])
        found: Expr | None = None
        for k, flow in flows.items():
            part = self.pushforward(k, at, flow)
            found = part if found is None else found + part
        assert found is not None
        return found


class Each(NamedTuple):
    """The rule of an op that takes any number of arguments: (result, *args) -> one for each."""

    rule: Callable[..., Sequence[Any]]


def asking(rules: tuple[Rule[Any] | None, ...] | Each, at: At) -> Callable[[int], Any]:
    """Return a function from an argument's number to what its rule says, None without a rule."""
    if isinstance(rules, Each):
        return rules.rule(at.result, *at.args).__getitem__
    if not rules:
        return lambda k: None

    def ask(k: int) -> Any:
        rule = cast("Callable[..., Any] | None", rules[k])
        return None if rule is None else rule(at.result, *at.args)

    return ask
