"""Whoever is compared with finds what is right, at sizes that take no time."""

from __future__ import annotations

import numpy as np
import pytest

from cgraph import parse
from cgraph.autodiff.program import Program
from cgraph.benchmarks import calls, costs, texts
from cgraph.benchmarks.formulas import FIFTY, FORMULAS, TRANSCENDENTAL, drawn
from cgraph.benchmarks.peers import OURS, PEERS, TRUTH, Peer, check

ROWS = 100
SLOW = ("PyTorch compiled",)
"""They take long to be made ready."""


@pytest.mark.parametrize("name", FORMULAS)
def test_derivatives_by_hand_are_ours(name: str) -> None:
    columns = drawn(ROWS)
    found = OURS.ready(FORMULAS[name], columns)()
    check("cgraph", found, TRUTH.ready(FORMULAS[name], columns)())


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_peers_find_what_is_right(peer: Peer) -> None:
    if not peer.installed or peer.name in SLOW:
        pytest.skip(f"{peer.name} is not installed, or slow to be made ready")
    columns = drawn(ROWS)
    found = peer.ready(TRANSCENDENTAL, columns)()
    check(peer.name, found, TRUTH.ready(TRANSCENDENTAL, columns)())


def test_what_is_wrong_is_found() -> None:
    right = TRUTH.ready(TRANSCENDENTAL, drawn(ROWS))()
    wrong = [right[0], right[1] + 1e-6, *right[2:]]
    with pytest.raises(AssertionError, match="dx of a peer"):
        check("a peer", wrong, right)


def test_fifty_operations_are_fifty() -> None:
    graph = parse(FIFTY.text).graph
    assert len(Program(graph, graph.outputs).operations) == 50


def test_a_python_function_by_hand_is_right() -> None:
    assert calls.by_hand()() == calls.by_cgraph()() == calls.RIGHT


@pytest.mark.parametrize("what", costs.FORMULAS)
@pytest.mark.parametrize("count", [1, 2, 30])
def test_formulas_of_many_inputs_have_so_many(what: str, count: int) -> None:
    assert len(parse(costs.text_of(what, count)).inputs) == count


@pytest.mark.parametrize("count", [10, 1_000])
def test_terms_have_the_derivatives_that_are_said(count: int) -> None:
    terms = texts.drawn(count)
    point = np.linspace(-0.9, 0.9, 10)
    value, gradient = texts.by_cgraph(str(terms), point.tolist())
    true, slopes = terms.at(point)
    assert np.allclose([value, *gradient], [true, *slopes], rtol=1e-12)
    assert len(set(str(terms).split(" + "))) == count
