"""Nonlinear regressions of NIST's StRD: at the certified parameters the residual is as certified.

There the sum of squares is least, so that its gradient is 0 beside what the rows add to it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import Run

SETS = sorted((Path(__file__).parents[1] / "cases" / "nist").glob("*.json"))


def words(case: dict[str, Any], path: Path) -> list[str]:
    """Return the call but for its command, at the certified parameters."""
    by = case["certified"]
    values = [word for name, value in by.items() for word in (f"--{name}", repr(value))]
    data = str(path.with_suffix(".csv"))
    return [f"(y - ({case['model']}))^2", "--data", data, *values, "--wrt", ",".join(by), "--json"]


@pytest.mark.parametrize("path", SETS, ids=[path.stem for path in SETS])
def test_the_sum_of_squares_and_its_gradient(run: Run, path: Path) -> None:
    case = json.loads(path.read_text())
    call = words(case, path)
    total = json.loads(run("grad", *call, "--reduce", "sum").output)
    rows = [json.loads(line) for line in run("grad", *call).output.splitlines()]
    assert total["value"] == pytest.approx(case["rss"], rel=1e-7, abs=1e-12)
    for name, slope in total["gradient"].items():
        added: list[float] = [row[f"d_{name}"] for row in rows]
        assert slope == pytest.approx(sum(added), rel=1e-9, abs=1e-9 * max(map(abs, added)))
        assert abs(slope) < 1e-5 * sum(map(abs, added))
