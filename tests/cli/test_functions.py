# pyright: basic
"""`cgraph functions`."""

from __future__ import annotations

import json
import math
from collections.abc import Callable

import pytest

from cgraph.autodiff.evaluate import evaluate
from cgraph.autodiff.graph import Graph
from cgraph.autodiff.ops import Op, rows
from cgraph.cli.reference import TOPICS, defined, differentiable

from .conftest import Run


def test_every_row_is_there(run: Run) -> None:
    top, *entries = run("functions").stdout.split("\n\n")
    public = [op for op in rows() if not op.internal]
    assert [entry.splitlines()[0] for entry in entries] == [op.usage for op in public]
    names = {name for line in top.splitlines() for name in line.split()}
    assert {op.function for op in public} <= names


def test_every_row_is_of_a_topic_or_internal(run: Run) -> None:
    for op in rows():
        assert (op.topic in TOPICS) != op.internal, op.name
    for topic in TOPICS:
        found = run("functions", *topic.split()).stdout.split("\n\n")
        usages = [op.usage for op in rows() if op.topic == topic]
        assert [entry.splitlines()[0] for entry in found] == usages


def test_what_derivatives_alone_are_written_with_is_found_by_its_name(run: Run) -> None:
    assert run("functions", "dsinc").stdout.startswith("dsinc(n, x)\n")
    assert "\ndsinc(" not in run("functions").stdout
    lines = run("functions", "sinc", "x", "--json").stdout.splitlines()
    assert "dsinc" not in {json.loads(line)["name"] for line in lines}


def test_an_entry(run: Run) -> None:
    assert run("functions", "sqrt").stdout == (
        "sqrt(x)\n"
        "  the square root\n"
        "  d/dx = 1/(2*sqrt(x))\n"
        "  defined: x >= 0\n"
        "  differentiable: x > 0\n"
        "  convention: the derivative at 0 is inf; both zeros count as 0\n"
    )


def test_a_name_may_mean_several_rows(run: Run) -> None:
    entries = run("functions", "log").stdout.split("\n\n")
    assert [entry.splitlines()[0] for entry in entries] == ["log(x)", "log(x, base)"]


@pytest.mark.parametrize(
    ("terms", "found"),
    [
        (["ln"], {"log"}),
        (["arctan2"], {"atan2"}),
        (["square", "ROOT"], {"sqrt"}),
        (["inverse", "sinh"], {"asinh", "acsch"}),
    ],
)
def test_search(run: Run, terms: list[str], found: set[str]) -> None:
    lines = run("functions", *terms, "--json").stdout.splitlines()
    assert {json.loads(line)["name"] for line in lines} == found


def test_json(run: Run) -> None:
    assert json.loads(run("functions", "asinh", "--json").stdout) == {
        "name": "asinh",
        "signature": "asinh(x)",
        "aliases": ["arcsinh", "arsinh"],
        "meaning": "the inverse of sinh",
        "derivative": {"x": "1/hypot(1, x)"},
        "topic": "hyperbolic",
        "domain": "any real number",
        "differentiable": "any real number",
        "convention": "",
    }


def test_the_nearest_come_first(run: Run) -> None:
    found = [line for line in run("functions", "Log").stdout.splitlines() if line[:1].strip()]
    assert found[:2] == ["log(x)", "log(x, base)"]
    assert run("functions", "POW").stdout.startswith("pow(x, y)\n")


def test_nothing_found(run: Run) -> None:
    done = run("functions", "sinn")
    assert (done.exit_code, done.stdout) == (1, "")
    told = "no function has 'sinn' in its name or meaning (did you mean 'sin'?)"
    assert done.stderr == f"error: {told}\n"


def test_every_printed_derivative_reads_back(run: Run) -> None:
    for line in run("functions", "--json").stdout.splitlines():
        for name, text in json.loads(line)["derivative"].items():
            assert run("parse", text).exit_code == 0, (name, text)


def test_a_kink_is_told(run: Run) -> None:
    assert json.loads(run("functions", "relu", "--json").stdout)["kink"] == "at 0"
    told = "  convention: the derivative at 0 is 0\n  no second derivative: at 0\n"
    assert run("functions", "relu").stdout.endswith(told)


POINTS = (-3.0, -2.5, -2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
WHOLE: dict[str, Callable[[float], bool]] = {
    "any real number": lambda x: True,
    "any real number but 0": lambda x: x != 0,
    "any real number but 0, -1, -2, ...": lambda x: x > 0 or x != math.floor(x),
    "any real number but odd multiples of pi/2": lambda x: True,
    "any real number but multiples of pi": lambda x: x != 0,
    "any real number but the whole ones": lambda x: x != math.floor(x),
    "any real number but the whole ones, 0 apart": lambda x: x == 0 or x != math.floor(x),
    "any real number but halves of odd numbers": lambda x: x - math.floor(x) != 0.5,
    "any real number, but not at 0": lambda x: x != 0,
    "x > 0": lambda x: x > 0,
    "x >= 0": lambda x: x >= 0,
    "x > -1": lambda x: x > -1,
    "x > 1": lambda x: x > 1,
    "x >= 1": lambda x: x >= 1,
    "-1 < x < 1": lambda x: -1 < x < 1,
    "-1 <= x <= 1": lambda x: -1 <= x <= 1,
    "0 < x < 1": lambda x: 0 < x < 1,
    "0 < x <= 1": lambda x: 0 < x <= 1,
    "x < -1 or x > 1": lambda x: not -1 <= x <= 1,
    "x <= -1 or x >= 1": lambda x: not -1 < x < 1,
}
"""What the words mean of one number; poles of a multiple of pi are no floats, but for 0."""


ONE = [
    op
    for op in rows()
    if isinstance(op, Op) and op.move is None and op.least == op.most == 1 and not op.internal
    if op.name not in ("stop_gradient", "checkpoint")
]


@pytest.mark.parametrize("op", ONE, ids=lambda op: op.name)
def test_domains_are_those_of_values_and_slopes(op: Op) -> None:
    graph = Graph()
    node = graph.add(op, (graph.placeholder("x"),))

    def value(x: float) -> float:
        return float(evaluate(graph, [node], {"x": x})[0])

    for x in POINTS:
        assert math.isfinite(value(x)) == WHOLE[defined(op)](x), x
        steps = [2.0**-k for k in (16, 20, 24)]
        left = [(value(x) - value(x - h)) / h for h in steps]
        right = [(value(x + h) - value(x)) / h for h in steps]
        smooth = all(abs(b - a) < 1e-3 * max(1.0, abs(a)) for a, b in zip(left, right, strict=True))
        settled = all(abs(s[-1] - s[0]) < 1e-3 * max(1.0, abs(s[0])) for s in (left, right))
        assert (smooth and settled) == WHOLE[differentiable(op)](x), x


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("abs", ("any real number", "any real number, but not at 0")),
        ("relu", ("any real number", "any real number, but not at 0")),
        ("floor", ("any real number", "any real number but the whole ones")),
        ("tan", ("any real number but odd multiples of pi/2",) * 2),
        ("max", ("any real number", "any real number, but not where several are the greatest")),
        ("where", ("any real number", "any real number but where the condition changes")),
        ("sqrt", ("x >= 0", "x > 0")),
        ("hypot", ("any real number", "any real number, but not at (0, 0)")),
    ],
)
def test_where_there_is_a_value_and_where_a_derivative(
    run: Run, name: str, said: tuple[str, str]
) -> None:
    found = json.loads(run("functions", name, "--json").stdout.splitlines()[0])
    assert (found["domain"], found["differentiable"]) == said


def test_several_names(run: Run) -> None:
    entries = run("functions", "sqrt", "floor").stdout.split("\n\n")
    assert [entry.splitlines()[0] for entry in entries] == ["sqrt(x)", "floor(x)"]
