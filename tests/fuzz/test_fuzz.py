# pyright: basic
"""A small part of the fuzzer, and that it would find what is wrong."""

from __future__ import annotations

import numpy as np
import pytest

from ..autodiff.reference import mp
from . import checks, meaning
from .draw import Drawer, known, truthless
from .floats import FLOATS
from .run import run
from .shrink import shrunk
from .terms import Case, Term, walk


@pytest.mark.parametrize(("kind", "count"), [("scalar", 80), ("array", 80)])
def test_random_formulas_are_right_by_all_ways(kind: str, count: int) -> None:
    report = run(kind, count, seed=0, shrink=False)
    assert report.formulas == count
    told = "\n".join(str(finding) for _, finding in report.findings)
    assert not told, told


def test_every_op_is_drawn() -> None:
    drawn = {one.op for seed in range(1200) for one in walk(Drawer(seed, True).case().term)}
    missing = {row.name for row in known()} - drawn
    assert not missing


def test_every_elementwise_op_has_a_truth() -> None:
    assert not truthless()


def sine() -> Case:
    return Case(Term("sin", (Term("input", attrs={"name": "x"}),)), {"x": np.asarray(0.5)})


def test_a_difference_is_found_and_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not checks.look_at(sine()).findings
    monkeypatch.setitem(meaning.CACHE, "sin", lambda x: mp.sin(x) * (1 + mp.mpf(10) ** -8))
    monkeypatch.setitem(FLOATS, "sin", np.cos)
    one = Term("sin", sine().term.args)
    whole = Term("mul", (Term("exp", (one,)), Term("add", (one, one))))
    findings = checks.look_at(Case(whole, sine().point)).findings
    assert {finding.kind for finding in findings} >= {"value", "slope", "second (hess)"}
    assert shrunk(findings[0]).case.text == "sin(x)"
