"""Products: a coefficient times powers of bases, collected and written in the shortest form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

from ..ops import OPS
from ..ops.arithmetic import div, mul, neg, sub
from ..ops.powers import exp, hypot, pow_, sqrt
from ..ops.rounding import abs_, sign
from ..ops.rules import Expr
from .numbers import HALF, ONE, Ratio, number_node, number_of, plus, raised, ratio, times
from .view import PRODUCTS, View

if TYPE_CHECKING:
    from ..graph import Graph
    from ..ops.table import Op

NATURAL = -1
"""The base of `exp`, as if it were a node."""

Ranked: TypeAlias = tuple[tuple[int, str, str], int]

Key: TypeAlias = tuple[frozenset[tuple[int, Ratio]], frozenset[tuple[int, int, Ratio]]]


class Product:
    """A coefficient, the exponent of each base, and for each base the exponents with names in them.

    `growing` maps a base to (exponent's node: factor before it): x^n/x^(2*m) has {n: 1, 2*m: -1}.
    """

    __slots__ = ("coefficient", "growing", "powers")

    def __init__(self, coefficient: Ratio = ONE) -> None:
        self.coefficient = coefficient
        self.powers: dict[int, Ratio] = {}
        self.growing: dict[int, dict[int, Ratio]] = {}

    @property
    def key(self) -> Key:
        """What makes two terms equal but for their coefficients."""
        growing = [(b, e, r) for b, parts in self.growing.items() for e, r in parts.items()]
        return frozenset(self.powers.items()), frozenset(growing)

    @property
    def alone(self) -> int | None:
        """The node that the product is but for its coefficient, if it is a single one."""
        if len(self.powers) == 1 and not self.growing:
            ((base, exponent),) = self.powers.items()
            return base if exponent == ONE else None
        return None

    def copy(self, coefficient: Ratio | None = None) -> Product:
        """Return a product of its own with the same powers, and another coefficient if given."""
        found = Product(self.coefficient if coefficient is None else coefficient)
        found.powers = dict(self.powers)
        found.growing = {base: dict(parts) for base, parts in self.growing.items()}
        return found

    def scale(self, number: Ratio) -> None:
        """Multiply by a number."""
        self.coefficient = times(self.coefficient, number)

    def multiply(self, base: int, exponent: Ratio) -> None:
        """Multiply by a power: x^a*x^b is x^(a + b), where x is not 0 if the exponent goes."""
        total = plus(self.powers[base], exponent) if base in self.powers else exponent
        self.powers[base] = total
        if not total.top:
            del self.powers[base]

    def grow(self, base: int, exponent: int, factor: Ratio) -> None:
        """Multiply by a power whose exponent is no number."""
        parts = self.growing.setdefault(base, {})
        parts[exponent] = plus(parts[exponent], factor) if exponent in parts else factor
        if not parts[exponent].top:
            del parts[exponent]
        if not parts:
            del self.growing[base]

    def raised(self, exponent: float) -> Product:
        """Return the product to a whole power."""
        found, factor = Product(raised(self.coefficient, exponent)), Ratio(exponent, 1.0)
        found.powers = {base: times(power, factor) for base, power in self.powers.items()}
        found.growing = {
            base: {node: times(part, factor) for node, part in parts.items()}
            for base, parts in self.growing.items()
        }
        return found

    def times(self, other: Product, sign: float = 1.0) -> Product:
        """Return the product with another, or with sign -1 the quotient, coefficients included."""
        found = Product(times(self.coefficient, raised(other.coefficient, sign)))
        found.powers.update(self.powers)
        found.growing = {base: dict(parts) for base, parts in self.growing.items()}
        for base, exponent in other.powers.items():
            found.multiply(base, exponent if sign > 0 else -exponent)
        for base, parts in other.growing.items():
            for node, factor in parts.items():
                found.grow(base, node, factor if sign > 0 else -factor)
        return found


def atom(node: int, coefficient: Ratio = ONE) -> Product:
    """Return the product of a coefficient and one node, whatever it is."""
    found = Product(coefficient)
    found.powers[node] = ONE
    return found


def product_of(view: View, node: int) -> Product:
    """Return a node as a product; chains are looked through as far as `view` allows."""
    graph, found, entered = view.graph, Product(), {node}
    pending: list[tuple[int, Ratio]] = [(node, ONE)]
    while pending:
        index, exponent = pending.pop()
        view.work += 1
        op, args, _ = graph.nodes[index]
        number = number_of(graph, index)
        if number is not None and (number.top or exponent.top > 0):
            found.scale(raised(number, exponent.top))
        elif op in PRODUCTS and (index in entered or view.opens(index, PRODUCTS)):
            if op is neg:
                found.scale(raised(Ratio(-1.0, 1.0), exponent.top))
            pending += [(args[-1], -exponent if op is div else exponent)]
            pending += [(arg, exponent) for arg in args[:-1]]
        else:
            inner = list(enter(view, found, index, exponent))
            entered.update(base for base, _ in inner)
            pending += inner
    return found


def enter(view: View, found: Product, index: int, exponent: Ratio) -> Iterator[tuple[int, Ratio]]:
    """Multiply by a node to a whole power; yield what is to be looked into instead.

    A power x^0.5 that is not sqrt(x) at -inf stays as it is.
    """
    graph = view.graph
    op, args, _ = graph.nodes[index]
    own = HALF if op is sqrt else number_of(graph, args[1]) if op is pow_ else None
    if own is not None and not (own.whole or has_root(view, args[0])) and shut(view, op, exponent):
        found.multiply(index, exponent)
    elif own is not None:
        total = times(own, exponent)
        if own.whole and simple(graph, args[0]):
            yield args[0], total
        else:
            found.multiply(plain(graph, args[0], total), total)
    elif op is exp:
        found.grow(NATURAL, *with_factor(view, args[0], exponent))
    elif op is pow_:
        found.grow(args[0], args[1], exponent)
    else:
        found.multiply(plain(graph, index, exponent), exponent)


def shut(view: View, op: Op, exponent: Ratio) -> bool:
    """Tell whether a root stays as it is: x^0.5 at -inf, and sqrt(x) where it is a divisor -0."""
    return op is pow_ or (not view.derived and (exponent.top < 0 or view.signing))


def has_root(view: View, base: int) -> bool:
    """Tell whether x^0.5 is sqrt(x): they differ at -inf, and at -0 by the sign of a zero."""
    op = view.graph.nodes[base].op
    return (op.nonnegative and (view.derived or op is not sqrt)) or view.bounded(base)


def simple(graph: Graph, base: int) -> bool:
    """Tell whether a whole power of a base is looked into: of a power, or of a number times x."""
    op, args, _ = graph.nodes[base]
    if op in (mul, div):
        return any(number_of(graph, arg) is not None for arg in args)
    return op in (neg, pow_, sqrt, exp)


def plain(graph: Graph, base: int, exponent: Ratio) -> int:
    """Return the base without an `abs` that an even exponent makes idle."""
    op, args, _ = graph.nodes[base]
    return args[0] if op is abs_ and exponent.whole and exponent.top % 2 == 0 else base


# -- writing --------------------------------------------------------------------------------------


def written(view: View, product: Product) -> int:
    """Return the product's node: `a/b` rather than `a*b^-1`, the sign where it costs least."""
    graph, product = view.graph, product.copy()
    quotients(graph, product)
    if view.derived:
        doubled(view, product)
        lengths(view, product)
    if not view.signing:
        magnitudes(graph, product)
    tops, bottoms = factors(view, product)
    top, bottom = product.coefficient
    if top == -1.0 and not view.signing and (flipped := flip(view, tops, bottoms)):
        tops, bottoms, top = *flipped, 1.0
    if not tops or abs(top) != 1.0:
        tops = [graph.constant(top), *tops]
    elif top == -1.0:
        tops = [graph.add(neg, (tops[0],)), *tops[1:]]
    if bottom != 1.0:
        bottoms = [graph.constant(bottom), *bottoms]
    return (
        graph.add(div, (chain(graph, tops), chain(graph, bottoms)))
        if bottoms
        else chain(graph, tops)
    )


def chain(graph: Graph, nodes: list[int]) -> int:
    """Return the product of nodes, from left to right."""
    found = nodes[0]
    for node in nodes[1:]:
        found = graph.add(mul, (found, node))
    return found


def flip(view: View, tops: list[int], bottoms: list[int]) -> tuple[list[int], list[int]] | None:
    """Return the factors with a difference turned round, which takes a minus sign away.

    Below the line only to a reader: 1/-(x - x) is -inf, and 1/(x - x) is inf.
    """
    graph = view.graph
    for where, nodes in enumerate((tops, bottoms)):
        for k, node in enumerate(nodes):
            op, args, _ = graph.nodes[node]
            if where and not view.derived:
                break
            if op is sub and graph.nodes[args[0]].op not in (sub, neg, OPS["add"]):
                turned = [*nodes[:k], graph.add(sub, args[::-1]), *nodes[k + 1 :]]
                return (turned, bottoms) if where == 0 else (tops, turned)
    return None


def factors(view: View, product: Product) -> tuple[list[int], list[int]]:
    """Return the factors above and below the line, numbers aside: names, sums, then functions.

    Where values are kept they stay in the order in which they were, but for exponentials.
    """
    graph = view.graph
    found: tuple[list[Ranked], list[Ranked]] = ([], [])
    powers = dict(product.powers)
    for base, parts in product.growing.items():
        numeric = powers.pop(base, None)
        below = all(factor.top < 0 for factor in (*parts.values(), *filter(None, [numeric])))
        node = power_of_names(view, base, parts, numeric, -1.0 if below else 1.0)
        found[below].append((rank(graph, node), node))
    grown = [len(side) for side in found]
    for base, exponent in powers.items():
        below = exponent.top < 0
        node = power(graph, base, -exponent if below else exponent)
        found[below].append((rank(graph, base), node))
    for side, first in zip(found, grown, strict=True):
        if view.derived:
            side.sort(key=lambda it: it[0])
        else:
            side[:] = side[first:] + side[:first]
    tops, bottoms = ([node for _, node in side] for side in found)
    return tops, bottoms


def rank(graph: Graph, node: int) -> tuple[int, str, str]:
    """Return where a factor stands among others: inputs by name, sums, then functions."""
    op, args, attrs = graph.nodes[node]
    name = "" if args else str(attrs[0])
    return (0 if not args else 1 if op.infix else 2), name.casefold(), name


def power(graph: Graph, base: int, exponent: Ratio) -> int:
    """Return a power with a number for its exponent."""
    if exponent == ONE:
        return base
    if exponent == HALF or exponent.value == 0.5:
        return graph.add(sqrt, (base,))
    return graph.add(pow_, (base, number_node(graph, exponent)))


def power_of_names(
    view: View, base: int, parts: dict[int, Ratio], numeric: Ratio | None, sign: float
) -> int:
    """Return base^(sum of the parts): x^n*x is x^(n + 1), where x is not 0."""
    graph = view.graph
    total: Expr | None = None
    for node, factor in parts.items():
        scaled = ratio(sign * factor.top, factor.bottom)
        part = Expr(graph, multiple(view, node, ratio(abs(scaled.top), scaled.bottom)))
        if total is None:
            total = part if scaled.top > 0 else -part
        else:
            total = total + part if scaled.top > 0 else total - part
    assert total is not None
    if numeric is not None:
        shift = sign * numeric.value
        total = total + shift if shift > 0 else total - -shift
    return graph.add(exp, (total.node,)) if base == NATURAL else graph.add(pow_, (base, total.node))


def quotients(graph: Graph, product: Product) -> None:
    """Collect sin(u)/cos(u) into tan(u), and what else the table calls the quotient of two."""
    for base, exponent in list(product.powers.items()):
        op, args, _ = graph.nodes[base]
        if op.name not in RATIOS or exponent.top < 0:
            continue
        below, quotient_op = RATIOS[op.name]
        under = graph.add(below, args)
        share = product.powers.get(under)
        if share is not None and share.top < 0 and share.whole and exponent.whole:
            count = exponent if exponent.value <= -share.value else -share
            product.multiply(base, -count)
            product.multiply(under, count)
            product.multiply(graph.add(quotient_op, args), count)


RATIOS = {op.quotient[0]: (OPS[op.quotient[1]], op) for op in OPS.values() if op.quotient}
"""What stands above the line, to what stands below it and the op that is their quotient."""


def doubled(view: View, product: Product) -> None:
    """Put sin(2*u) for 2*sin(u)*cos(u), and so for what else has such a theorem of addition."""
    graph = view.graph
    for base in list(product.powers):
        op, args, _ = graph.nodes[base]
        if op.addition is None or product.coefficient.top % 2.0 or not product.coefficient.top:
            continue
        other = graph.add(OPS[op.addition[0]], args)
        if product.powers.get(base) == product.powers.get(other) == ONE:
            product.scale(HALF)
            product.multiply(base, -ONE)
            product.multiply(other, -ONE)
            product.multiply(graph.add(op, (multiple(view, args[0], Ratio(2.0, 1.0)),)), ONE)


def magnitudes(graph: Graph, product: Product) -> None:
    """Put abs(u) for u*sign(u), and sign(u) for u/abs(u) where u is not 0."""
    for base, exponent in list(product.powers.items()):
        op, args, _ = graph.nodes[base]
        fits = (op is sign and exponent == ONE) or (op is abs_ and exponent == -ONE)
        if fits and product.powers.get(args[0]) == ONE:
            product.multiply(args[0], -ONE)
            product.multiply(base, -exponent)
            product.multiply(graph.add(abs_ if op is sign else sign, args), ONE)


def lengths(view: View, product: Product) -> None:
    """Put hypot(y, x)^2 for y^2*hypot(1, x/y)^2, and so for its other even powers."""
    graph = view.graph
    for base, exponent in list(product.powers.items()):
        op, args, _ = graph.nodes[base]
        if (
            op is not hypot
            or graph.literal(args[0]) != 1.0
            or exponent.top % 2.0
            or not exponent.whole
        ):
            continue
        inner = product_of(view, args[1])
        tops, bottoms = factors(view, inner)
        scale = Product(Ratio(abs(inner.coefficient.bottom), 1.0))
        scale.powers = {node: -power for node, power in inner.powers.items() if power.top < 0}
        if bottoms and not inner.growing:
            tops = [graph.constant(abs(inner.coefficient.top))] * (
                inner.coefficient.top not in (1.0, -1.0) or not tops
            ) + tops
            sides = written(view, scale), chain(graph, tops)
            product.multiply(base, -exponent)
            product.multiply(graph.add(hypot, sides), exponent)
            for node, power in scale.powers.items():
                product.multiply(node, times(power, -exponent))
            product.scale(raised(scale.coefficient, -exponent.top))


def multiple(view: View, node: int, factor: Ratio) -> int:
    """Return a number times x, collected with the coefficient that x may have."""
    if factor == ONE:
        return node
    graph = view.graph
    if not view.derived:
        found = atom(node, factor)
        return written(view, found)
    found = product_of(View(graph, True), node)
    found.scale(factor)
    return written(View(graph, True), found)


def with_factor(view: View, node: int, factor: Ratio) -> tuple[int, Ratio]:
    """Return (x, 2) for 2*x and a factor 1: what is alike in exp(x) and exp(2*x)."""
    graph = view.graph
    op, args, _ = graph.nodes[node]
    if op not in (mul, div):
        return node, factor
    if not view.derived:
        k = 0 if op is mul else 1
        number = number_of(graph, args[k])
        if number is None or number.top <= 0:
            return node, factor
        return args[1 - k], times(factor, number if op is mul else raised(number, -1.0))
    found = product_of(View(graph, True), node)
    if found.coefficient.top > 0 and finite(found) and found.coefficient != ONE:
        factor = times(factor, found.coefficient)
        found.coefficient = ONE
        return written(View(graph, True), found), factor
    return node, factor


def finite(product: Product) -> bool:
    """Tell whether its coefficient and exponents are numbers that can be written."""
    growing = (part for parts in product.growing.values() for part in parts.values())
    numbers = (product.coefficient, *product.powers.values(), *growing)
    return all(number.finite for number in numbers)
