"""Shared by all tests: the repository's root, and the switch that rewrites committed outputs."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    # A job in the background ignores it, and so would all that tests run and interrupt.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite",
        action="store_true",
        help="write what the commands print into samples/ and docs/ instead of comparing",
    )


@pytest.fixture
def rewrite(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--rewrite"))
