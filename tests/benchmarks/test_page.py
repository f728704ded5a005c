"""Tables, the page and its plot, from rows as measurements yield them."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from cgraph.benchmarks.page import page, write
from cgraph.benchmarks.plot import PANELS
from cgraph.benchmarks.report import Point, Row, at_most, duration, of_a_call, table
from cgraph.benchmarks.suite import Measured, Measurement

MEASUREMENT = Measurement("adding", "Additions", "How fast numbers are added.")
ROWS = [
    Row("cgraph", "1 s", point=Point("a call", "cgraph", 0.0, 1e-6)),
    at_most("cgraph / another", 1.0, 4.0, 0.5),
    at_most("cgraph / a third", 1.0, 0.5, 1.5),
    at_most("cgraph / a fourth", 1.0, 0.5),
]
TABLE = """\
### Additions

| | measured | target | |
|---|---|---|---|
| cgraph | 1 s |  |  |
| cgraph / another | 0.25 (1 s / 4 s) | at most 0.5 | holds |
| cgraph / a third | 2.00 (1 s / 500 ms) | at most 1.5 | MISSED |
| cgraph / a fourth | 2.00 (1 s / 500 ms) |  |  |
"""


def test_a_table_says_what_holds() -> None:
    assert table("Additions", ROWS) == TABLE


@pytest.mark.parametrize(
    ("time", "told"),
    [(12.34, "12.3 s"), (0.119, "119 ms"), (2.5e-6, "2.5 µs"), (3e-9, "3 ns")],
)
def test_durations_have_the_unit_that_suits(time: float, told: str) -> None:
    assert duration(time) == told


def test_a_page_has_notes_tables_and_the_machine() -> None:
    told = page([Measured(MEASUREMENT, ROWS)], "plot.svg")
    assert "\n## Additions\n\nHow fast numbers are added.\n\n| | measured | target | |\n" in told
    assert "](plot.svg)\n" in told
    assert "\n## The machine\n\n| | |\n|---|---|\n| date | " in told


def test_a_call_that_is_short_is_repeated() -> None:
    calls: list[int] = []
    times = of_a_call({"short": lambda: calls.append(1)}, 3)
    assert len(calls) > 1000
    assert 0.0 < times["short"] < 1e-4


def test_nothing_is_drawn_of_nothing(tmp_path: Path) -> None:
    write(tmp_path / "page.md", [Measured(MEASUREMENT, ROWS[1:])])
    assert not (tmp_path / "page.svg").exists()
    assert "](page.svg)" not in (tmp_path / "page.md").read_text()


@pytest.mark.filterwarnings("default")
@pytest.mark.skipif(find_spec("matplotlib") is None, reason="matplotlib draws the plot")
def test_the_plot_is_drawn_beside_the_page(tmp_path: Path) -> None:
    points = [
        Point(panel.points, series, x, y)
        for panel in PANELS
        for series in ("cgraph", "another")
        for x, y in ((10.0, 1.0), (100.0, 2.0))
    ]
    rows = [Row(point.series, "", point=point) for point in points]
    write(tmp_path / "page.md", [Measured(MEASUREMENT, rows)])
    assert (tmp_path / "page.svg").read_text().startswith("<?xml")
    assert "](page.svg)" in (tmp_path / "page.md").read_text()
