"""All measurements are in the suite, load without peers, and end with the right status."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cgraph.benchmarks import suite
from cgraph.benchmarks.__main__ import main
from cgraph.benchmarks.machine import PACKAGES
from cgraph.benchmarks.report import Row
from cgraph.benchmarks.suite import SUITE, Measured, Measurement, chosen
from cgraph.tests.conftest import ROOT

HELD = Row("adding", "1.00 s", "2 s", True)
MISSED = Row("adding", "3.00 s", "2 s", False)


def test_every_module_that_measures_is_in_the_suite() -> None:
    measuring = {
        path.stem
        for path in (ROOT / "benchmarks").glob("*.py")
        if "\ndef rows(" in path.read_text()
    }
    assert {one.name for one in SUITE} == measuring


def test_modules_load_without_peers() -> None:
    peers = {*PACKAGES, "matplotlib"} - {"numpy", "scipy", "sympy"}
    lines = ["import sys", "from importlib import import_module"]
    lines += [f"sys.modules[{name!r}] = None" for name in sorted(peers)]
    lines += [f"import_module('cgraph.benchmarks.{one.name}')" for one in SUITE]
    lines += [f"import_module('cgraph.benchmarks.{name}')" for name in ("page", "plot")]
    subprocess.run([sys.executable, "-c", "\n".join(lines)], check=True)


def test_some_are_chosen_by_name() -> None:
    assert [one.name for one in chosen(["parsing", "start_up"])] == ["start_up", "parsing"]
    assert list(chosen([])) == list(SUITE)


def test_it_holds_where_all_rows_do() -> None:
    assert Measured(SUITE[0], [HELD, Row("for scale", "1.00 s")]).holds
    assert not Measured(SUITE[0], [HELD, MISSED]).holds


@pytest.mark.parametrize(("row", "status"), [(HELD, 0), (MISSED, 1)])
def test_the_exit_status_tells(
    row: Row,
    status: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    def rows(self: Measurement, quick: bool) -> Iterator[Row]:
        yield row

    monkeypatch.setattr(suite.Measurement, "rows", rows)
    page = tmp_path / "page.md"
    assert main(["--only", "calls", "--write", str(page)]) == status
    told = capsys.readouterr().out
    assert f"| {row.what} | {row.found} | 2 s | {row.verdict} |" in told
    assert f"| {row.what} | {row.found} | 2 s | {row.verdict} |" in page.read_text()
