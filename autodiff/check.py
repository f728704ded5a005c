"""Checks of derivatives: reverse mode, forward mode and values alone beside each other, or a claim.

The numerical derivative knows nothing of partials. It is taken by a complex step where the ops
allow it, else by differences; `precise.py` takes it in as many digits as one likes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from .complex_step import STEP, complex_step
from .digits import rounding
from .errors import UsageError
from .evaluate import complete, run
from .frozen import frozen
from .numerical import Slopes, slopes
from .ops.registry import OPS
from .ops.rules import Expr
from .program import Program
from .results import Run, gradients
from .reverse import reverse
from .shapes import shapes_at

if TYPE_CHECKING:
    from .evaluate import Value
    from .graph import Graph

TOLERANCE = 1e-6

ROOT_OF_STEP = STEP ** (1 / 3)
"""How far a complex step may be off where the second derivative is infinite, as x^(4/3)'s at 0."""

MOST_COMPONENTS = 1000
"""So many components of a gradient are compared at most."""

FEW_DIGITS = 1e-9
"""The relative error at which rounding has left few digits, whatever tolerance is asked for."""

MOST_WORK = 60_000
"""So many operations the formulas that are compared have at most, one for each component."""


class Verdict(Enum):
    """How a component came out; the value is what a reader is told."""

    AGREES = "agrees"
    DIFFERS = "differs"
    KINK = "kink"
    JUMP = "jump"
    INFINITE = "infinite"
    UNDEFINED = "no value"
    UNSETTLED = "unsettled"
    EDGE = "edge"
    LOST = "digits lost"


class Component(NamedTuple):
    """One number of a gradient, as each way finds it.

    `how` is the way of the numerical one, `left` and `right` are the slopes on either side; `text`
    has the numerical one in all digits where there are more than a float holds.
    """

    name: str
    reverse: float
    forward: float
    numerical: float
    how: str
    left: float
    right: float
    error: float
    verdict: Verdict
    text: str = ""
    held: tuple[str, ...] = ()
    """What was taken as constant."""
    of: int = 1
    """How many components there are; in large formulas only some are compared."""


class Place(NamedTuple):
    """A component of a gradient: the name it is by, and the element where that is an array."""

    name: str
    element: tuple[int, ...] | None

    def __str__(self) -> str:
        """Return `x`, or `x[0, 1]`."""
        if self.element is None:
            return self.name
        return f"{self.name}[{', '.join(map(str, self.element))}]"

    def of(self, value: Value) -> float:
        """Return its element of a value."""
        if isinstance(value, float | int):
            return float(value)
        return float(value[self.element or ()])


class Along:
    """(The sum of) an output as a function of one component of what it is differentiated by.

    What differentiation takes as constant is constant; `held` names it.
    """

    def __init__(
        self, graph: Graph, output: int, place: Place, node: int, given: Mapping[str, Value]
    ) -> None:
        values = run(Program(graph, [node, output]), given)
        self.x = place.of(values[node])
        self.place = place
        graph, output, self.name = cut(graph, output, node, place.name)
        inputs = {**given, self.name: values[node]}
        self.graph, self.output, self.given, self.held = frozen(graph, output, inputs)
        self.program = Program(self.graph, [self.output])

    def __call__(self, x: float) -> float:
        """Return the value where the component is x."""
        moved = self.given | {self.name: self.moved(x)}
        return total(run(self.program, moved)[self.output])

    def moved(self, x: float) -> Value:
        """Return what it is differentiated by, the component replaced by x."""
        value = self.given[self.name]
        if isinstance(value, float | int):
            return x
        moved = value.copy()
        moved[self.place.element or ()] = x
        return moved


def total(value: Value) -> float:
    """Return the sum of a value's elements."""
    return float(value if isinstance(value, float | int) else value.sum())


def cut(graph: Graph, output: int, node: int, name: str) -> tuple[Graph, int, str]:
    """Return a graph in which the node is an input, with the output and the input's name in it.

    The graph itself where the node is an input already.
    """
    if node in graph.placeholders.values():
        return graph, output, name
    from .graph import Graph

    copy, found = Graph(graph.max_nodes), dict[int, int]()
    copy.seed = graph.seed
    while name in graph.placeholders:
        name += "_"
    for index, old in graph.walk(graph.needed([output])):
        if index == node:
            found[index] = copy.placeholder(name)
        else:
            found[index] = copy.adopt(old, tuple([found[arg] for arg in old.args]))
    return copy, found[output] if output in found else copy.placeholder(name), name


def components(
    graph: Graph,
    output: int,
    wrt: Mapping[str, int],
    bindings: Mapping[str, Value],
    tolerance: float = TOLERANCE,
    precision: int | None = None,
) -> list[Component]:
    """Return each component of the gradient of (the sum of) an output by `wrt` (name to node).

    `precision` asks for the numerical derivative in so many digits. Raises `UsageError` for a
    missing value, for more components than are compared, and for arrays where digits are asked for;
    `FormulaError` for shapes that do not fit; `MissingExtraError` without mpmath.
    """
    given = complete(graph, bindings)
    back = gradients(graph, [output], wrt, given, Run("reverse"))[0]
    ahead = gradients(graph, [output], wrt, given, Run("forward"))[0]
    spread = rounding(graph, output, wrt, given)
    places = list(every_place(back.gradient))
    if len(places) > MOST_COMPONENTS:
        told = f"the gradient has {len(places):,} components"
        told += f", and {MOST_COMPONENTS:,} are compared at most"
        raise UsageError(told, hint="check fewer with --wrt")
    count = len(places)
    work = len(places) * len(graph.needed([output]))
    places = places[:: -(-work // MOST_WORK) or 1]
    names = {place.name for place in places}
    off = slopes_off(graph, output, {name: wrt[name] for name in wrt if name in names}, given)
    found: list[Component] = []
    for place in places:
        along = Along(graph, output, place, wrt[place.name], given)
        pair = place.of(back.gradient[place.name]), place.of(ahead.gradient[place.name])
        sides = slopes(along, along.x, spread.size)
        one = compared(along, *pair, total(back.value), sides, tolerance, precision)
        if lost(one, total(back.value), (spread.error, off[place.name]), tolerance):
            one = one._replace(verdict=Verdict.LOST)
        found.append(one._replace(of=count))
    return found


def slopes_off(
    graph: Graph, output: int, wrt: Mapping[str, int], given: Mapping[str, Value]
) -> dict[str, float]:
    """Return how far each derivative may be off by rounding, by name."""
    by = list(wrt.values())
    shapes = shapes_at(graph, graph.needed([output, *by]), given)
    found = zip(wrt, reverse(graph, output, by, shapes), strict=True)
    return {name: rounding(graph, slope, wrt, given).error for name, slope in found}


def lost(one: Component, value: float, errors: tuple[float, float], tolerance: float) -> bool:
    """Tell whether rounding leaves too few digits of the value, or of the derivative, to judge it.

    `errors` is how far rounding may put the two off. Where all agree it must be much: a derivative
    that should be 0 has no digits to lose.
    """
    slope = abs(one.reverse)
    if not math.isfinite(slope) or not math.isfinite(value):
        return False
    of_value, of_slope = errors
    few = max(tolerance, FEW_DIGITS)
    if one.verdict is Verdict.AGREES:
        return of_slope > few * max(1.0, abs(value), slope)
    if one.verdict is Verdict.JUMP:  # so it seems where the value is rounded to few digits
        return of_value > few * abs(value)
    return one.verdict in (Verdict.DIFFERS, Verdict.UNSETTLED) and of_slope > few * slope


def second_components(
    graph: Graph,
    output: int,
    wrt: Mapping[str, int],
    bindings: Mapping[str, Value],
    tolerance: float = TOLERANCE,
    precision: int | None = None,
) -> list[Component]:
    """Return each second derivative of (the sum of) an output, as `components` does the first.

    They are the components of the gradients of each derivative: that one is differentiated in both
    modes, and differences are taken of its values. Of two names there is one block, as the other
    is its transpose. Raises as `components` does.
    """
    given = complete(graph, bindings)
    by = list(wrt.values())
    shapes = shapes_at(graph, graph.needed([output, *by]), given)
    slopes = dict(zip(wrt, reverse(graph, output, by, shapes), strict=True))
    values = gradients(graph, [output], wrt, given, Run("reverse"))[0].gradient
    places = list(every_place(values))
    if len(places) ** 2 > MOST_COMPONENTS:
        told = f"there are {len(places) ** 2:,} second derivatives"
        told += f", and {MOST_COMPONENTS:,} are compared at most"
        raise UsageError(told, hint="check fewer with --wrt")
    names, found = list(wrt), list[Component]()
    for place in places:
        others = {name: wrt[name] for name in names[names.index(place.name) :]}
        slope = entry_of(graph, slopes[place.name], place)
        row = components(graph, slope, others, given, tolerance, precision)
        found += [one._replace(name=f"{place},{one.name}") for one in row]
    return found


def entry_of(graph: Graph, node: int, place: Place) -> int:
    """Return the node of a component of an array."""
    if not place.element:
        return node
    return OPS["index"](Expr(graph, node), attrs=(", ".join(map(str, place.element)),)).node


def every_place(gradient: Mapping[str, Value]) -> Iterator[Place]:
    """Yield the components of a gradient."""
    for name, value in gradient.items():
        if isinstance(value, float | int):
            yield Place(name, None)
        else:
            from numpy import ndindex

            yield from (Place(name, index) for index in ndindex(value.shape))


def compared(
    along: Along,
    reverse: float,
    forward: float,
    value: float,
    sides: Slopes,
    tolerance: float,
    precision: int | None,
) -> Component:
    """Return a component as the three ways find it, with the verdict."""
    slope, doubt, how, text = numerical(along, sides, precision)
    found = verdict((reverse, forward, slope), doubt, value, sides, tolerance)
    error = max(relative(reverse, slope), relative(reverse, forward))
    if found is Verdict.AGREES and error > tolerance:
        # The numerical one cannot see so small a derivative: it is held against the value.
        error = abs(reverse - slope) / max(1.0, abs(value))
    return Component(
        name=str(along.place),
        reverse=reverse,
        forward=forward,
        numerical=slope,
        how=how,
        left=sides.left.slope,
        right=sides.right.slope,
        error=error,
        verdict=found,
        text=text,
        held=tuple(along.held),
    )


def numerical(along: Along, sides: Slopes, precision: int | None) -> tuple[float, float, str, str]:
    """Return the numerical derivative, how far it may be off, how it was taken, all its digits."""
    if precision is not None:
        from .precise import difference

        text = difference(along.program, along.given, along.name, precision)
        return float(text), 10.0**-precision, f"{precision} digits", text
    step = complex_step(along.program, along.given, along.name, along.place.element)
    # Where the values end a complex function has a branch point, and many values around it.
    if step is not None and math.isfinite(step) and not sides.edge:
        return step, ROOT_OF_STEP, "complex step", ""
    return sides.best.slope, sides.best.error, "differences", ""


def verdict(
    found: Sequence[float], doubt: float, value: float, sides: Slopes, tolerance: float
) -> Verdict:
    """Return how (reverse, forward, numerical) came out; what has no derivative cannot fail."""
    reverse, forward, slope = found
    unlike = not alike(reverse, forward, tolerance)
    if unlike and not abs(reverse - forward) <= min(sides.rounding, tolerance):
        return Verdict.DIFFERS
    if value != value:
        return Verdict.UNDEFINED
    if reverse != reverse:
        told = Verdict.JUMP if sides.jump else Verdict.KINK if sides.kink(tolerance) else None
        return told or Verdict.UNDEFINED
    if math.isinf(reverse) and not math.isfinite(sides.best.slope):
        return Verdict.INFINITE
    if sides.jump:
        return Verdict.JUMP
    if sides.kink(tolerance):
        return Verdict.KINK
    if alike(reverse, slope, tolerance):
        return Verdict.AGREES
    apart = abs(reverse - slope)
    floor = tolerance * max(1.0, abs(value))
    if apart <= doubt <= floor or apart <= min(sides.rounding, floor):
        return Verdict.AGREES
    if sides.edge:
        return Verdict.EDGE
    return Verdict.UNSETTLED if not apart > doubt or slope != slope else Verdict.DIFFERS


def alike(x: float, y: float, tolerance: float) -> bool:
    """Tell whether two numbers are the same, or both nan, up to a relative error."""
    return relative(x, y) <= tolerance


def relative(x: float, y: float) -> float:
    """Return the difference of two numbers beside the larger one; 0 for nan beside nan."""
    if x == y or (x != x and y != y):
        return 0.0
    if not (math.isfinite(x) and math.isfinite(y)):
        return math.inf
    return abs(x - y) / max(abs(x), abs(y))
