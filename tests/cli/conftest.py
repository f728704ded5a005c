"""Running the command line within the test process."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest
from click.testing import CliRunner, Result

from cgraph.cli.main import cli

Run: TypeAlias = Callable[..., Result]


@pytest.fixture(name="run")
def run_() -> Run:
    """Return a function that runs `cgraph` with words, and a text on stdin."""

    def run(*words: str, stdin: str | bytes = "") -> Result:
        return CliRunner().invoke(cli, list(words), input=stdin)

    return run


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(str(tmp_path))
