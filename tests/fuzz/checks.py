# pyright: basic
"""What is compared of a formula: with the truth, and all ways with each other."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import cgraph
from cgraph.autodiff.errors import CgraphError
from cgraph.autodiff.ops.leaves import constant
from cgraph.exporters.compose import Wanted, scene_of
from cgraph.exporters.options import Options
from cgraph.exporters.registry import by_name

from ..exporters.sameness import likeness
from . import reach, truth
from .awkward import is_awkward
from .meaning import Floats as FloatField
from .meaning import Meaning
from .structure import MIXING, MOVING, NoTruth
from .terms import Case, Term, plain, walk

LOOSE = 1e-9
"""How far apart two of our own ways may be where no truth says how far rounding leads."""


@dataclass(frozen=True)
class Finding:
    """A disagreement, or an exception that is none of cgraph's own."""

    check: str
    kind: str
    case: Case
    found: str
    right: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.case}\n  found {self.found}\n  right {self.right}"


@dataclass
class Look:
    """One formula being looked at: its values, and what was compared."""

    case: Case
    formula: Any
    given: dict[str, Any]
    compared: dict[str, int] = field(default_factory=dict[str, int])
    findings: list[Finding] = field(default_factory=list[Finding])
    value: Any = None
    gradient: Any = None
    scale: float = 1.0
    """The size of the value and of the gradient."""
    inner: float = 1.0
    """The size of what they are made from, where that is ordinary."""
    awkward: bool = False
    check: str = ""
    declared: Any = None
    """The formula with the shapes of its inputs declared."""

    def count(self, kind: str) -> None:
        """Count a comparison."""
        self.compared[kind] = self.compared.get(kind, 0) + 1

    def found(self, kind: str, found: Any, right: Any) -> None:
        """Note a disagreement."""
        self.findings.append(
            Finding(self.check, kind + self.place, self.case, show(found), show(right))
        )

    @property
    def place(self) -> str:
        """Where the formula is looked at, in words."""
        if not all(np.isfinite(value).all() for value in self.given.values()):
            return " at infinities"
        if self.value is not None and not np.isfinite(np.asarray(self.value)).all():
            return " where the value is not finite"
        return " at an awkward point" if self.awkward else ""

    def same(self, kind: str, found: Any, right: Any, relative: float = LOOSE) -> None:
        """Compare two results of our own: nan with nan, and the same shape."""
        self.count(kind)
        if not alike(found, right, relative, self.slack(relative)):
            self.found(kind, found, right)

    def slack(self, relative: float) -> float:
        """Return how far apart numbers of this formula may be whatever their size."""
        size = max(self.scale, self.inner * truth.is_random(self.case.term))
        return relative * size + 1e-300


def show(value: Any) -> str:
    """Return a result as a finding tells it."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{k}: {show(v)}" for k, v in value.items()) + "}"
    return value if isinstance(value, str) else repr(np.asarray(value).tolist())


def alike(found: Any, right: Any, relative: float, slack: float = 0.0) -> bool:
    """Tell whether two results agree: dictionaries by name, arrays by entry."""
    if isinstance(right, Mapping):
        return found.keys() == right.keys() and all(
            alike(found[name], right[name], relative, slack) for name in right
        )
    one, two = np.asarray(found, np.float64), np.asarray(right, np.float64)
    if one.shape != two.shape:
        return False
    with np.errstate(all="ignore"):
        size = np.maximum(np.abs(one), np.abs(two))
        near = np.abs(one - two) <= relative * size + slack
    return bool(np.all((one == two) | (np.isnan(one) & np.isnan(two)) | near))


# -- with the truth -----------------------------------------------------------------------------


def check_value(look: Look) -> None:
    """Compare the value with the truth."""
    true = truth.value_of(look.case)
    value = np.asarray(look.value)
    right = true.exact if true.exact is not None else true.ieee
    if right is None:
        look.count("value: no truth")
        return
    look.count("value")
    if value.shape != right.shape:
        look.found("value's shape", value, right)
        return
    fits = np.zeros(value.shape, bool)
    with np.errstate(all="ignore"):
        if true.exact is not None and true.tolerance is not None:
            off = np.abs(value - true.exact)
            if truth.is_random(look.case.term):
                off -= 1e-12 * look.inner
            fits |= (off <= true.tolerance) | np.isnan(true.tolerance) & ~np.isfinite(value)
            fits |= (value == true.exact) | (np.isnan(value) & np.isnan(true.exact))
            fits |= (true.tolerance > np.abs(true.exact)) & np.isfinite(value)
            fits |= (np.abs(true.exact) < 1e-290) & (np.abs(value) < 1e-290)
        if true.ieee is not None:
            rough = 1e-11 if true.exact is None else 1e-13
            fits |= (value == true.ieee) | (np.isnan(value) & np.isnan(true.ieee))
            fits |= np.abs(value - true.ieee) <= rough * np.abs(true.ieee)
    ordinary = all(is_ordinary(value) for value in look.case.point.values())
    if truth.is_random(look.case.term) and not (ordinary and np.isfinite(right).all()):
        look.count("value: elimination of numbers of very different sizes")
    elif not fits.all():
        look.found("value", value, right)


def check_slopes(look: Look) -> None:
    """Compare the gradient with differences, where the formula is smooth."""
    if not np.isfinite(np.asarray(look.value)).all():
        look.count("slopes: no finite value")
        return
    for along in directions(look):
        try:
            true = truth.slope_of(look.case, along)
        except NoTruth as reason:
            look.count(f"slopes: {reason}")
            continue
        found, size = product(look.gradient, along)
        look.count("slopes")
        if compare(found, true, size * 1e-11 + 1e-13 * look.inner + underflow(along)):
            continue
        if look.awkward:
            look.count("slopes: a convention decides")
            continue
        moving = {name: show(v) for name, v in along.items() if np.any(v)}
        ordinary = all(is_ordinary(value) for value in look.case.point.values())
        if truth.is_random(look.case.term) and not ordinary:
            look.count("slopes: elimination of numbers of very different sizes")
            continue
        look.found("slope", look.gradient, f"along {moving}: {true.true!r}, and not {found!r}")
        return


def check_reach(look: Look) -> None:
    """Compare the gradient where some of the value is not finite: nan only where that reaches."""
    if np.isfinite(np.asarray(look.value)).all() or np.ndim(look.value) == 0:
        return
    try:
        may, does = reach.reached(look.case)
        if is_random(look.case):
            raise NoTruth("elimination")
    except NoTruth as reason:
        look.count(f"reach: {reason}")
        return
    for name, slopes in look.gradient.items():
        for at in np.ndindex(np.shape(slopes)):
            slope = float(np.asarray(slopes)[at])
            if does[name][at]:
                look.count("reach: no derivative")
                if not np.isnan(slope):
                    look.found("reach", look.gradient, f"nan by {name}{list(at)}")
                    return
            elif not may[name][at] and not reached_slope(look, name, at, slope):
                return


def reached_slope(look: Look, name: str, at: tuple[int, ...], slope: float) -> bool:
    """Tell whether the derivative by an entry that reaches what is finite is that of it."""
    along = truth.unit(look.case, name, at)
    try:
        true = truth.slope_of(look.case, along)
    except NoTruth as reason:
        look.count(f"reach: {reason}")
        return True
    look.count("reach: a derivative")
    found = slope * float(along[name][at])
    fits = compare(found, true, underflow(along))
    if not fits:
        look.found("reach", look.gradient, f"by {name}{list(at)} {true.true!r}, and not {found!r}")
    return fits


def is_random(case: Case) -> bool:
    """Tell whether elimination is a part of a formula."""
    return truth.is_random(case.term)


def directions(look: Look) -> Iterator[truth.Direction]:
    """Yield one direction, and that of each entry where there are few."""
    case = look.case
    names = list(look.given)
    entries = [(name, at) for name in names for at in np.ndindex(case.point[name].shape)]
    if len(entries) > 1:
        yield truth.direction(case)
    if len(entries) <= 4:
        for name, at in entries:
            yield truth.unit(case, name, at)


def product(gradient: Mapping[str, Any], along: truth.Direction) -> tuple[float, float]:
    """Return the derivative along a direction, and the size of what it is summed from."""
    with np.errstate(all="ignore"):
        parts = [
            np.where(along[name] == 0, 0.0, np.asarray(slope) * along[name])
            for name, slope in gradient.items()
        ]
        return float(sum(p.sum() for p in parts)), float(sum(np.abs(p).sum() for p in parts))


def extent(along: truth.Direction) -> tuple[float, float]:
    """Return the least and the greatest square of the sizes of a direction."""
    sizes = [float(x) * float(x) for value in along.values() for x in np.abs(value).flat if x]
    return min(sizes, default=1.0), max(sizes, default=1.0)


def underflow(along: truth.Direction) -> float:
    """Return what slopes that are too small for a float64 may come to."""
    return float(sum(np.abs(size).sum() for size in along.values())) * 1e-290


def compare(found: float, true: truth.Number, slack: float) -> bool:
    """Tell whether a number is the truth, as far as rounding lets it be known."""
    if not np.isfinite(true.true) or (true.tolerance > abs(true.true) + 1e-3 and found == found):
        return True
    return bool(abs(found - true.true) <= true.tolerance + slack)


def check_second(look: Look) -> None:
    """Compare the Hessian and its product with differences, and with each other."""
    count = sum(np.size(value) for value in look.given.values())
    if not look.given or count > 6:
        return
    along = {name: truth.direction(look.case)[name] for name in look.given}
    rows, size = hessian_times(look, along)
    vector = {name: plain(value) for name, value in along.items()}
    hvp = cgraph.hvp(look.formula, look.given, vector)
    look.count("hess and hvp")
    reach = max(float(np.max(np.abs(v), initial=0.0)) for v in along.values())
    ordinary = all(is_ordinary(value[np.isfinite(value)]) for value in look.case.point.values())
    slack = 1e-9 * size * reach + 1e-12 * look.inner
    if ordinary and np.isfinite(size) and not alike(hvp, rows, 1e-7, slack):
        look.found("hess and hvp", {"hess": rows, "hvp": hvp}, "the same")
    if not np.isfinite(np.asarray(look.value)).all():
        return
    try:
        true = truth.bend_of(look.case, {**truth.zeros(look.case), **along})
    except NoTruth as reason:
        look.count(f"second: {reason}")
        return
    for name, found in (("hess", rows), ("hvp", hvp)):
        if not bends_as(look, f"second ({name})", found, along, true):
            return


def hessian_times(look: Look, along: truth.Direction) -> tuple[dict[str, Any], float]:
    """Return the Hessian times a direction, and the size of its numbers."""
    hessian = cgraph.hessian(look.formula, look.given)
    with np.errstate(all="ignore"):
        rows: dict[str, Any] = {
            one: sum(
                np.tensordot(np.asarray(hessian[one][two]), along[two], np.ndim(along[two]))
                for two in along
            )
            for one in along
        }
        blocks = [block for row in hessian.values() for block in row.values()]
        return rows, float(sum(np.nansum(np.abs(block)) for block in blocks))


def bends_as(
    look: Look, kind: str, rows: Mapping[str, Any], along: truth.Direction, true: truth.Number
) -> bool:
    """Tell whether second derivatives are the truth along a direction, and note where not."""
    look.count(kind)
    found, scale = product(rows, along)
    sizes = abs(float(np.sum(look.value))) + product(look.gradient, along)[1]
    slack = 1e-9 * scale + 1e-10 * sizes + 1e-12 * look.inner + underflow(along)
    least, most = extent(along)
    if true.true and not 1e-290 * most < abs(true.true) < 1e290 * least:
        look.count("second: out of range")
    elif compare(found, true, slack):
        return True
    elif look.awkward:
        look.count("second: a convention decides")
    else:
        look.found(kind, rows, f"along {show(along)}: {true.true!r}, and not {found!r}")
    return False


# -- our own ways -------------------------------------------------------------------------------


def check_modes(look: Look) -> None:
    """Compare both modes, and the Jacobians' sums."""
    value, forward = cgraph.value_and_grad(look.formula, look.given, mode="forward")
    look.same("value with derivatives", value, look.value, 1e-12)
    look.same("modes", forward, look.gradient)
    for mode in ("reverse", "forward"):
        rows = cgraph.jacobian(look.formula, look.given, mode=mode)
        axes = tuple(range(np.ndim(look.value)))
        with np.errstate(all="ignore"):
            sums = {name: np.sum(np.asarray(block), axis=axes) for name, block in rows.items()}
        if all(np.isfinite(block).all() for block in rows.values()):
            look.same(f"jacobian, {mode}", sums, look.gradient)


def check_rewritten(look: Look) -> None:
    """Compare what simplify and optimize make of it, in value and gradient.

    In a formula without any array a name that has no shape is a number. What simplify makes has
    the same value wherever there is one.
    """
    formulas = {"": look.declared}
    if has_arrays(look.case.term) or all(np.ndim(value) == 0 for value in look.given.values()):
        formulas["any shapes, "] = look.formula
    for said, formula in formulas.items():
        for name, rewrite in (("simplify", cgraph.simplify), ("optimize", cgraph.optimize)):
            rewritten(look, f"{said}{name}", rewrite(formula))
        text = str(cgraph.simplify(formula))
        again = cgraph.evaluate(text, only(text, look.given))
        if np.isfinite(np.asarray(look.value)).all():
            look.same(f"{said}simplify read again", again, look.value)


def has_arrays(term: Term) -> bool:
    """Tell whether a formula says that there are arrays."""
    moving = {*MOVING, *MIXING, "gradient", "hessian", "each"}
    return any(one.op in moving or np.ndim(one.attrs.get("value", 0.0)) for one in walk(term))


def rewritten(look: Look, kind: str, made: Any) -> None:
    """Compare a formula that has been made of another one."""
    given = {one: look.given[one] for one in made.inputs}
    value, gradient = cgraph.value_and_grad(made, given)
    told = np.isfinite(np.asarray(look.value)).all()
    if told or "optimize" in kind:
        look.same(f"{kind}: value", value, look.value)
    if told and all(np.isfinite(slope).all() for slope in look.gradient.values()):
        whole = {one: gradient.get(one, np.zeros(np.shape(look.given[one]))) for one in look.given}
        look.same(f"{kind}: gradient", whole, look.gradient)


def only(text: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of the inputs that a text has."""
    return {name: given[name] for name in cgraph.parse(text, values=given).inputs}


def check_written(look: Look) -> None:
    """Read the text and the GraphDef JSON again: the same graph, the same value."""
    graph = look.formula.graph
    text = str(look.formula)
    again = cgraph.parse(text, values=look.given)
    look.count("text read again")
    if likeness(again.graph) != likeness(graph):
        value = cgraph.evaluate(again, look.given)
        if not alike(value, look.value, 0.0):
            look.found("text read again", value, look.value)
    scene, _ = scene_of(graph, graph.outputs, {}, Wanted(graph.outputs and {}))
    written = by_name("graphdef").export(scene)
    assert isinstance(written, str)
    read = cgraph.parse(written)
    look.same("GraphDef read again", cgraph.evaluate(read, look.given), look.value, 0.0)


def check_diff(look: Look) -> None:
    """Print the derivative, read it again, and compare its value with the gradient.

    What is printed is a textbook's form, and numbers are to be of ordinary size there.
    """
    written = [node.value for node in look.formula.graph.nodes if node.op is constant]
    if not all(map(is_ordinary, [*look.given.values(), *written])):
        return
    if not np.isfinite(np.asarray(look.value)).all() or np.ndim(look.value):
        return
    for name in look.given:
        text = str(cgraph.diff(look.declared, name))
        value = cgraph.evaluate(text, only(text, look.given))
        slope = look.gradient[name]
        if np.isfinite(np.asarray(slope)).all():
            look.same("diff read again", np.broadcast_to(value, np.shape(slope)), slope)


def is_ordinary(value: Any) -> bool:
    """Tell whether numbers are 0 or neither large nor small."""
    sizes = np.abs(np.asarray(value))
    return bool(np.all((sizes == 0) | ((sizes > 1e-9) & (sizes < 1e9))))


def check_compiled(look: Look) -> None:
    """Compare compiled programs: numbers, and columns of numbers."""
    program = cgraph.compile(look.formula, grad=True)
    value, gradient = program(**look.given)
    look.same("compiled: value", value, look.value)
    look.same("compiled: gradient", gradient, look.gradient)
    numbers = all(np.ndim(value) == 0 for value in look.given.values())
    if numbers and look.given and not has_arrays(look.case.term):
        columns = {name: np.array([x, 0.5, x]) for name, x in look.given.items()}
        value, gradient = program(**columns)
        look.same("columns: value", np.asarray(value)[0], look.value)
        firsts = {name: np.asarray(column)[0] for name, column in gradient.items()}
        look.same("columns: gradient", firsts, look.gradient)


def check_python(look: Look) -> None:
    """Run the exported Python function."""
    outputs = look.declared.graph.outputs
    if not look.given or len(look.declared.graph.inputs(outputs)) < len(look.given):
        return
    run_python(look, "python", look.declared)
    graph = look.formula.graph
    try:
        exported(graph, "python", "f", look.given)
    except CgraphError:
        look.count("python: shapes are needed")
        return
    run_python(look, "python, any shapes", look.formula)


def run_python(look: Look, kind: str, formula: Any) -> None:
    """Run a formula's exported Python function."""
    source = exported(formula.graph, "python", "f", look.given)
    scope: dict[str, Any] = {}
    exec(compile(source, "<exported>", "exec"), scope)
    with np.errstate(all="ignore"):
        try:
            value, gradient = scope["f"](*look.given.values())
        except ValueError as error:
            if formula is look.declared or "are for a number" not in str(error):
                raise
            look.count(f"{kind}: derivatives are for a number")
            return
    look.same(f"{kind}: value", value, look.value)
    # Without shapes the code is elementwise: a derivative is one for each entry of the result.
    alone = not has_arrays(look.case.term) and all(
        np.shape(one) == np.shape(value) for one in look.given.values()
    )
    if formula is look.declared or alone:
        look.same(f"{kind}: gradient", gradient, look.gradient)


def exported(graph: Any, target: str, name: str, given: Mapping[str, Any]) -> str:
    """Return a formula as code with its gradient."""
    inputs = {one: graph.placeholders[one] for one in given}
    scene, _ = scene_of(graph, graph.outputs, {}, Wanted(inputs, backward=True))
    written = by_name(target).export(scene, Options(name=name))
    assert isinstance(written, str)
    return written


CHECKS: dict[str, Callable[[Look], None]] = {
    "value": check_value,
    "modes": check_modes,
    "slopes": check_slopes,
    "reach": check_reach,
    "second order": check_second,
    "rewritten": check_rewritten,
    "written": check_written,
    "diff": check_diff,
    "compiled": check_compiled,
    "python": check_python,
}


def look_at(case: Case, wanted: str | None = None) -> Look:
    """Make all comparisons of a formula, or those of one check."""
    look = Look(case, None, case.bindings())
    warnings.simplefilter("error")
    checks = {name: check for name, check in CHECKS.items() if wanted in (None, name)}
    for name, check in {"read": read, **checks}.items():
        look.check = name
        try:
            check(look)
        except CgraphError as error:
            told = str(error).split("\n")[0]
            if "(declare it: input" in told:
                look.count(f"{name}: shapes are needed")
            else:
                look.found(f"{name}: refused", told, "no error")
        except Exception as error:
            look.found(f"{name}: exception", f"{type(error).__name__}: {error}", "none")
        if look.gradient is None:
            break
    return look


def read(look: Look) -> None:
    """Read a formula, and find its value and gradient."""
    look.gradient = None
    text, given = look.case.text, look.given
    look.formula = cgraph.parse(text, values=given)
    look.given = {name: given[name] for name in look.formula.inputs}
    known = look.formula.graph.placeholders
    shapes = {name: np.shape(value) for name, value in given.items() if name in known}
    look.declared = cgraph.parse(text, shapes=shapes)
    look.awkward = is_awkward(look.case)
    look.value, gradient = cgraph.value_and_grad(look.formula, look.given)
    sizes = [np.abs(np.asarray(v)) for v in (look.value, *gradient.values())]
    look.scale = max(float(np.max(s[np.isfinite(s)], initial=0.0)) for s in sizes)
    look.inner = max(look.scale, inner_size(look.case))
    look.gradient = gradient


def inner_size(case: Case) -> float:
    """Return the size of the largest term, 1 to 1000."""
    meaning = Meaning(FloatField(), case.point)
    with suppress(NoTruth), np.errstate(all="ignore"):
        meaning.of(case.term)
    sizes = [float(x) for value in meaning.memo.values() for x in np.abs(value).flat]
    return max([1.0, *(x for x in sizes if x < 1000)])
