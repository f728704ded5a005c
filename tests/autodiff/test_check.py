"""Checks of derivatives: numerical ones against mpmath, verdicts, claims."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

import mpmath
import pytest

from cgraph import parser
from cgraph.autodiff.check import Component, Verdict, components
from cgraph.autodiff.claim import POINTS, findings
from cgraph.autodiff.complex_step import complex_form, complex_step, jumps
from cgraph.autodiff.errors import FormulaError, MissingExtraError, UsageError, pip_line
from cgraph.autodiff.graph import Graph
from cgraph.autodiff.local import template
from cgraph.autodiff.numerical import slopes
from cgraph.autodiff.ops import OPS, Op
from cgraph.autodiff.ops.rules import Expr
from cgraph.autodiff.points import drawn
from cgraph.autodiff.precise import form
from cgraph.autodiff.program import Program

from ..test_cases import EDGES, SCALAR, bound, label
from . import reference
from .samples import elementwise, moderate

mp: Any = mpmath.mp


def checked(text: str, precision: int | None = None, **given: float) -> list[Component]:
    """Return the components of a formula's gradient."""
    graph = parser.parse(text, inputs=given)
    return components(graph, graph.outputs[0], graph.inputs(), given, precision=precision)


def verdicts(text: str, **given: float) -> list[Verdict]:
    return [one.verdict for one in checked(text, None, **given)]


# Slopes


def defined(
    function: Callable[[float], float], domain: Callable[[float], bool]
) -> Callable[[float], float]:
    def held(x: float) -> float:
        return function(x) if domain(x) else math.nan

    return held


SMOOTH: list[tuple[Callable[[float], float], float, float]] = [
    (math.sin, 1.0, math.cos(1.0)),
    (math.exp, 20.0, math.exp(20.0)),
    (lambda x: math.sin(1e3 * x), 1.0, 1e3 * math.cos(1e3)),
    (lambda x: math.exp(-((1e3 * x) ** 2)), 1e-3, -2e3 * math.exp(-1.0)),
    (lambda x: x * x, 1e150, 2e150),
    (lambda x: 1.0 / x, 1e-3, -1e6),
    (defined(math.sqrt, lambda x: x >= 0.0), 1e-9, 0.5 / math.sqrt(1e-9)),
    (defined(math.log, lambda x: x > 0.0), 1e-9, 1e9),
    (abs, 1e-8, 1.0),
    (abs, -1e-8, -1.0),
]


@pytest.mark.parametrize(("function", "x", "true"), SMOOTH)
def test_a_slope_is_within_its_error(
    function: Callable[[float], float], x: float, true: float
) -> None:
    found = slopes(function, x)
    assert found.best.slope == pytest.approx(true, rel=1e-9)
    assert abs(found.best.slope - true) <= 10 * found.best.error
    assert not found.jump
    assert not found.kink(1e-6)


def test_the_sides_tell_kinks_jumps_and_cusps() -> None:
    kink = slopes(abs, 0.0)
    assert (kink.left.slope, kink.right.slope, kink.kink(1e-6)) == (-1.0, 1.0, True)
    jump = slopes(lambda x: float(math.floor(x)), 1.0)
    assert (jump.jump, jump.right.slope, jump.left.slope) == (True, 0.0, math.inf)
    edge = slopes(defined(math.sqrt, lambda x: x >= 0.0), 0.0)
    assert (edge.best.slope, math.isnan(edge.left.slope)) == (math.inf, True)
    cusp = slopes(lambda x: math.sqrt(abs(x)), 0.0)
    assert (cusp.left.slope, cusp.right.slope, cusp.kink(1e-6)) == (-math.inf, math.inf, True)
    assert math.isnan(slopes(lambda x: math.nan, 0.0).best.slope)


# Verdicts


@pytest.mark.parametrize("case", SCALAR, ids=label)
def test_every_scalar_case_agrees(case: dict[str, Any]) -> None:
    graph = parser.parse(case["expr"], inputs=case["bind"])
    found = components(graph, graph.outputs[0], graph.inputs(), bound(case))
    assert {one.verdict for one in found} <= {Verdict.AGREES}


@pytest.mark.parametrize("case", EDGES, ids=label)
@pytest.mark.parametrize("precision", [None, 30])
def test_no_edge_fails(case: dict[str, Any], precision: int | None) -> None:
    graph = parser.parse(case["expr"], inputs=case["bind"])
    found = components(graph, graph.outputs[0], graph.inputs(), bound(case), precision=precision)
    assert not {one.verdict for one in found} & {Verdict.DIFFERS, Verdict.UNSETTLED}


@pytest.mark.parametrize(
    ("text", "x", "verdict"),
    [
        ("x^2", 3.0, Verdict.AGREES),
        ("abs(x)", 0.0, Verdict.KINK),
        ("max(x, 1)", 1.0, Verdict.KINK),
        ("where(x > 0, sqrt(x), 0)", 0.0, Verdict.KINK),
        ("floor(x)", 1.0, Verdict.JUMP),
        ("sqrt(x)", 0.0, Verdict.INFINITE),
        ("log(x)", -1.0, Verdict.UNDEFINED),
        ("relu(x)^2", 0.0, Verdict.AGREES),
        ("x^1.5", 0.0, Verdict.AGREES),
        ("(1e8 + abs(x)) - 1e8", 1.3, Verdict.AGREES),
        ("(1e14 + abs(sin(x))) - 1e14", 1.3, Verdict.UNSETTLED),
    ],
)
def test_verdicts(text: str, x: float, verdict: Verdict) -> None:
    assert verdicts(text, x=x) == [verdict]


def wrong(r: Expr, x: Expr) -> Expr:
    return 1.0001 - r * r


@pytest.mark.parametrize("name", ["tanh", "silu"])
def test_a_wrong_rule_is_found(name: str) -> None:
    op, right = OPS[name], OPS[name].partials
    object.__setattr__(op, "partials", (wrong,))
    template.cache_clear()
    try:
        found = checked(f"{name}(x)", x=0.5)[0]
    finally:
        object.__setattr__(op, "partials", right)
        template.cache_clear()
    assert found.verdict is Verdict.DIFFERS
    assert found.how == ("complex step" if name == "tanh" else "differences")


def test_named_values_and_elements_are_components() -> None:
    import numpy as np

    graph = parser.parse("p = x*y; p*sin(p)")
    by = {"p": graph.names["p"], "x": graph.placeholders["x"]}
    found = components(graph, graph.outputs[0], by, {"x": np.array([1.0, 2.0]), "y": 3.0})
    assert [one.name for one in found] == ["p[0]", "p[1]", "x[0]", "x[1]"]
    assert {one.verdict for one in found} == {Verdict.AGREES}


def test_there_are_limits() -> None:
    import numpy as np

    graph = parser.parse("x^2")
    with pytest.raises(UsageError, match="1,000 are compared at most"):
        components(graph, graph.outputs[0], graph.inputs(), {"x": np.zeros(1001)})
    with pytest.raises(UsageError, match="--precision is for numbers"):
        components(graph, graph.outputs[0], graph.inputs(), {"x": np.zeros(2)}, precision=30)


# Ways to take numerical derivatives


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("x^2*sin(x)/exp(x) - sqrt(x)", True),
        ("floor(x)*x + (x > 0)*x", True),
        ("x^x + tanh(log(x))", True),
        ("abs(x)", False),
        ("max(x, 1)", False),
    ],
)
def test_the_complex_step_is_taken_where_it_is_allowed(text: str, allowed: bool) -> None:
    graph = parser.parse(text)
    found = complex_step(Program(graph, graph.outputs), {"x": 1.3}, "x", None)
    assert (found is not None) is allowed
    if found is not None:
        true = reference.sides(graph, graph.outputs[0], {"x": 1.3}, "x")[1]
        assert found == pytest.approx(float(true), rel=1e-14)


COMPLEX = [op for op in elementwise() if complex_form(op) and not jumps(op)]


@pytest.mark.parametrize("op", COMPLEX, ids=lambda op: op.name)
def test_a_complex_step_loses_no_digits(op: Op) -> None:
    graph = Graph()
    names = [f"x{k}" for k in range(op.least)]
    node = graph.add(op, tuple(map(graph.placeholder, names)))
    for point in moderate(op, 4, 3.0):
        for k, name in enumerate(names):
            given = dict(zip(names, point, strict=True))
            found = complex_step(Program(graph, [node]), given, name, None)
            true = float(reference.slope(op.name, k, point))
            assert found == pytest.approx(true, rel=1e-13, abs=1e-15)


@pytest.mark.parametrize("op", elementwise(), ids=lambda op: op.name)
def test_every_op_has_a_precise_form(op: Op) -> None:
    for point in moderate(op, 4):
        with mp.workdps(40):
            found = form(op)(*map(mp.mpf, point))
            true = mp.mpf(reference.VALUES[op.name](*map(mp.mpf, point)))
            assert abs(found - true) <= abs(true) * mp.mpf(10) ** -30 + mp.mpf(10) ** -35


def test_digits_are_right() -> None:
    with mp.workdps(60):
        x = mp.mpf(1.3)
        true = str(mp.nstr(2 * x * mp.sin(x) + x**2 * mp.cos(x), 50))
    assert checked("x^2*sin(x)", precision=50, x=1.3)[0].text[:48] == true[:48]


def test_mpmath_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mpmath", None)
    with pytest.raises(MissingExtraError) as error:
        checked("x^2", precision=50, x=1.0)
    assert str(error.value) == (
        "error: --precision needs mpmath, which is not installed "
        f"({pip_line('mpmath', 'precision')})"
    )


# Claims


def claimed(text: str, claim: str, by: str = "x", **given: float) -> list[Any]:
    graph = parser.parse(text)
    return findings(graph, (by, graph.placeholders[by]), parser.parse(claim), given, 1e-6)


def test_a_right_claim_is_right_at_all_points() -> None:
    found = claimed("log(1+exp(-y*w*x))", "-y*x/(1+exp(y*w*x))", "w")
    assert len(found) == POINTS
    assert all(one.right for one in found)


def test_a_wrong_claim_ends_the_search() -> None:
    (found,) = claimed("x^2*sin(x)", "2x*cos(x)")
    assert (found.point, found.right, found.sides) == ({"x": 1.3}, False, None)


@pytest.mark.parametrize(
    ("text", "claim"),
    [("asin(x)", "1/sqrt(1-x^2)"), ("acosh(x)", "1/sqrt(x^2-1)"), ("log(-x)", "1/x")],
)
def test_points_are_drawn_where_there_are_values(text: str, claim: str) -> None:
    assert all(one.right for one in claimed(text, claim))


def test_a_claim_may_differ_at_a_kink() -> None:
    (found,) = claimed("abs(x)", "1", x=0.0)
    assert not found.right
    assert found.sides is not None


def test_points_are_the_same_at_every_run() -> None:
    names = [f"x{k}" for k in range(9)]
    first, again = list(drawn(names, {})), list(drawn(names, {}))
    assert first == again
    assert list(first[0].values())[:2] == [1.3, 0.7]
    assert not any(float(x).is_integer() for point in first for x in point.values())


def test_a_claim_may_not_fit() -> None:
    with pytest.raises(UsageError, match="the claim speaks of t, the formula does not"):
        claimed("x^2", "2t")
    with pytest.raises(FormulaError, match="none has a value and a derivative"):
        claimed("log(-x^2)", "x")
