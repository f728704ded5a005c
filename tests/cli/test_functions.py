"""`cgraph functions`."""

from __future__ import annotations

import json

import pytest

from cgraph.autodiff.ops import rows

from .conftest import Run


def test_every_row_is_there(run: Run) -> None:
    entries = run("functions").stdout.split("\n\n")
    assert [entry.splitlines()[0] for entry in entries] == [op.usage for op in rows()]


def test_an_entry(run: Run) -> None:
    assert run("functions", "sqrt").stdout == (
        "sqrt(x)\n"
        "  the square root\n"
        "  d/dx = 1/(2*sqrt(x))\n"
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
        "domain": "any real number",
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
