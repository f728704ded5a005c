"""A small part of the fuzzer, and that it would find what is wrong."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from cgraph.autodiff.ops import OPS

from . import checks
from .checks import Finding, alike
from .draw import Drawer, known, truthless
from .run import run
from .shrink import shrunk
from .terms import Case, Term, walk


@pytest.mark.parametrize(("kind", "count"), [("scalar", 70), ("array", 70)])
def test_random_formulas_are_right_by_all_ways(kind: str, count: int) -> None:
    report = run(kind, count, seed=0, shrink=False)
    assert report.formulas == count
    assert not report.findings, "\n".join(str(finding) for _, finding in report.findings)


def test_every_op_is_drawn() -> None:
    drawn = {one.op for seed in range(1500) for one in walk(Drawer(seed, True).case().term)}
    missing = {row.name for row in known()} - drawn
    assert not missing


def test_every_elementwise_op_has_a_truth() -> None:
    assert not truthless()


def x() -> Term:
    return Term("input", attrs={"name": "x"})


def case(op: str, *more: Term, at: Any) -> Case:
    return Case(Term(op, (x(), *more)), {"x": np.asarray(at, np.float64)})


def kinds(made: Case, check: str) -> list[str]:
    return [finding.kind for finding in checks.look_at(made, check).findings]


def test_a_wrong_partial_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(OPS["sinh"]), "partials", OPS["sinh"].partials, raising=False)
    assert kinds(case("sin", at=0.5), "slopes") == []
    truth = checks.truth.slope_of
    monkeypatch.setattr(checks.truth, "slope_of", lambda *args: truth(*args)._replace(true=0.5))
    assert kinds(case("sin", at=0.5), "slopes") == ["slope"]
