"""Graphs, formulas and programs copy, and go to other processes, with the same results."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any

import numpy as np
import pytest

import cgraph
from cgraph.autodiff.errors import CgraphError, UsageError
from cgraph.autodiff.evaluate import evaluate
from cgraph.autodiff.graph import check
from cgraph.autodiff.ops import OPS
from cgraph.autodiff.ops.table import Builtin, rows

from .exporters.sameness import likeness
from .transcript import ROOT


def pickled(protocol: int, one: Any) -> Any:
    return pickle.loads(pickle.dumps(one, protocol))


WAYS: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    **{f"pickle {k}": partial(pickled, k) for k in range(pickle.HIGHEST_PROTOCOL + 1)},
}

FORMULAS = (
    "x*y", "d(x^3*y, x) + sigmoid(y)", "f(a) = a*tau; f(x) + f(y)", "p = x + y; p; p*2",
    "where(x > 0, sqrt(x), 0)*y", "input r = 0.5; x*y^r", "sum([x, y]*softmax([1, y]))",
    "max(x, y, 0)", "relu(x)*y",
)  # fmt: skip
POINT = {"x": 2.0, "y": 3.0}


@pytest.mark.parametrize("way", WAYS)
def test_a_row_of_the_table_is_one_object(way: str) -> None:
    every: list[Builtin] = [*rows(), *OPS.values()]
    assert all(WAYS[way](row) is row for row in every)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("text", FORMULAS)
def test_a_copy_gives_the_same(text: str, way: str) -> None:
    f = cgraph.parse(text)
    other = WAYS[way](f)
    assert (str(other), other.inputs, other(**POINT)) == (str(f), f.inputs, f(**POINT))
    graph = WAYS[way](f.graph)
    check(graph)
    assert likeness(graph) == likeness(f.graph)
    assert evaluate(graph, graph.outputs, POINT | {"r": 0.5}) == evaluate(
        f.graph, f.graph.outputs, POINT | {"r": 0.5}
    )
    assert (graph.spans, graph.scopes, graph.came_from, graph.letters, graph.made_by) == (
        f.graph.spans, f.graph.scopes, f.graph.came_from, f.graph.letters, f.graph.made_by
    )  # fmt: skip
    assert graph.add(*graph.nodes[-1]) == len(graph) - 1


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("text", [text for text in FORMULAS if "; p;" not in text])
def test_a_copy_of_a_program_gives_the_same(text: str, way: str) -> None:
    program = cgraph.compile(text, grad=True)
    before = program(**POINT, **({"r": 0.5} if "r =" in text else {}))
    other = WAYS[way](program)
    assert repr(other) == repr(program)
    assert other(**POINT, **({"r": 0.5} if "r =" in text else {})) == before


@pytest.mark.parametrize("way", WAYS)
def test_what_is_prepared_is_made_anew(way: str) -> None:
    f = cgraph.parse("[x*y, x]")
    found = cgraph.jacobian(f, POINT, sparse=True).toarray()
    other = WAYS[way](f)
    assert not other.prepared
    assert (cgraph.jacobian(other, POINT, sparse=True).toarray() == found).all()


def test_samples_are_copied() -> None:
    for path in sorted((ROOT / "samples").glob("*.cg")):
        graph = cgraph.parse(path.read_text()).graph
        assert likeness(pickle.loads(pickle.dumps(graph))) == likeness(graph)


def test_errors_go_between_processes() -> None:
    with pytest.raises(CgraphError) as refused:
        cgraph.parse("a + sinn(x)")
    assert str(pickle.loads(pickle.dumps(refused.value))) == str(refused.value)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_pool_of_processes_gives_the_same(method: str) -> None:
    f = cgraph.parse("d(x^3*y, x) + sigmoid(y)*tau")
    program = cgraph.compile(f, grad=True)
    column = np.linspace(0.0, 1.0, 100_000)
    expected = program(x=column, y=2.0)  # on threads, which a fork does not take along
    context = multiprocessing.get_context(method)
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        assert pool.submit(cgraph.evaluate, f, POINT).result() == f(**POINT)
        assert pool.submit(cgraph.grad, f, POINT).result() == cgraph.grad(f, POINT)
        value, gradient = pool.submit(program, x=column, y=2.0).result()
        assert (value == expected[0]).all()
        assert (gradient["x"] == expected[1]["x"]).all()
        with pytest.raises(UsageError):
            pool.submit(cgraph.evaluate, f, {"q": 1}).result()
