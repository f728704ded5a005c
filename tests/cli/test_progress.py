"""The line that says how far the work has come."""

from __future__ import annotations

import io
import sys

import pytest

from cgraph.cli import progress
from cgraph.cli.progress import Progress, line


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_line() -> None:
    assert line(1_234_567, None, 2_345_678.0) == "1,234,567 rows, 2,346,000 a second"
    assert line(5, 0.25, 10.0) == "[######------------------]  25%  5 rows, 10 a second"


def test_it_is_gone_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "AFTER", 0.0)
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    shown = Progress(wanted=True)
    shown.tell(10, 0.5)
    shown.clear()
    first, second, last = terminal.getvalue().split("\r")[1:]
    assert first.startswith("[############------------]  50%  10 rows")
    assert second == " " * len(first)
    assert last == ""


@pytest.mark.parametrize("stderr", [io.StringIO(), Terminal()])
def test_it_is_silent_in_pipes_and_where_it_is_not_wanted(
    monkeypatch: pytest.MonkeyPatch, stderr: io.StringIO
) -> None:
    monkeypatch.setattr(progress, "AFTER", 0.0)
    monkeypatch.setattr(sys, "stderr", stderr)
    shown = Progress(wanted=not stderr.isatty())
    shown.tell(10, 0.5)
    shown.clear()
    assert stderr.getvalue() == ""


def test_short_work_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    Progress(wanted=True).tell(10, 0.5)
    assert terminal.getvalue() == ""
