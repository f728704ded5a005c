"""What the table has, whichever modules of rows are imported by now: each test is a new process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cgraph.autodiff.ops import OPS, lookup, rows, table

OPS_FOLDER = Path(table.__file__).parent


def told(expression: str) -> str:
    """Return the value of an expression in a process that has only just imported the table."""
    code = (
        "from cgraph.autodiff.ops import FUNCTIONS, OPS, lookup, rows\n"
        "assert 'sum' not in OPS.entered, 'the rows of arrays are not there yet'\n"
        f"print(({expression}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("OPS['sum'], 'sum' in OPS.entered", "(Op(sum), True)"),
        ("OPS['mul'], 'sum' in OPS.entered", "(Op(mul), False)"),
        ("'sum' in OPS, OPS.get('nothing'), 'sum' in FUNCTIONS", "(True, None, True)"),
        ("FUNCTIONS['max']", "(Op(max), Op(largest))"),
        ("lookup('max', 1), lookup('max', 2)", "(Op(largest), Op(max))"),
        ("lookup('max', 2), 'sum' in OPS.entered", "(Op(max), False)"),
        ("lookup('sinn', 1)", "None"),
        ("FUNCTIONS['dropout']", "(Composition(dropout),)"),
        ("len(OPS)", f"{len(OPS)}"),
        ("len([*OPS.values()])", f"{len(OPS)}"),
        ("len(rows())", f"{len(rows())}"),
    ],
)
def test_whoever_looks_finds_all(expression: str, expected: str) -> None:
    assert told(expression) == expected


def test_every_module_of_rows_is_imported() -> None:
    """A module of rows is imported with the package, or by `FURTHER`."""
    rows()
    for file in OPS_FOLDER.glob("*.py"):
        assert file.stem == "__init__" or f"{table.__package__}.{file.stem}" in sys.modules, file


def test_a_name_of_none_is_in_nothing() -> None:
    assert lookup("sinn", 1) is None
    with pytest.raises(KeyError):
        OPS["sinn"]
