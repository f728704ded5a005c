"""Value and gradient of each row of a CSV file, beside PyArrow reading and writing the columns."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from cgraph.cli.table.arrow import arrow

from .report import Row, interleaved

LONGER = 1.5
MEMORY = 400.0
"""Megabytes that a run may take, however long the file is."""

BYTES = int(float(os.environ.get("CGRAPH_BENCH_DATA", 2e8)))
"""The size of the file; 1e9 is the one aimed at."""

CHUNK = 500_000
ROUNDS = 3

FORMULAS = {
    "(x+y)*z": "a sum and a product",
    "sin(x)*exp(-y^2) + log(1 + x^2*z^2)": "transcendental",
}

COPY = """
import sys
from pyarrow import csv
wanted = csv.ConvertOptions(include_columns=["x", "y", "z", "t"])
with csv.open_csv(sys.argv[1], convert_options=wanted) as rows:
    with csv.CSVWriter(sys.argv[2], rows.schema) as file:
        for batch in rows:
            file.write_batch(batch)
"""
"""What reads three columns and carries one along, and writes four."""


def rows() -> Iterator[Row]:
    """Yield the time of each formula beside PyArrow's own, and the memory that it takes."""
    with TemporaryDirectory() as folder:
        path, out = Path(folder, "rows.csv"), str(Path(folder, "out.csv"))
        write(path)
        peaks: list[float] = []
        copy = [sys.executable, "-c", COPY, str(path), out]
        for text, what in FORMULAS.items():
            grad = [*cgraph("grad", text, path), "-o", out]
            actions: dict[str, Callable[[], object]] = {
                "grad": partial(run, grad),
                "copy": partial(run, copy),
            }
            times = interleaved(actions, ROUNDS)
            ratio = times["grad"] / times["copy"]
            size = path.stat().st_size / 1e6
            found = f"{ratio:.2f} ({times['grad']:.2f} s / {times['copy']:.2f} s)"
            told = f"{size:,.0f} MB of CSV, {what}: value and gradient / PyArrow's read and write"
            yield Row(told, found, f"{LONGER}", ratio <= LONGER)
            peaks.append(peak_of(grad))
        peak = max(peaks)
        yield Row("the most memory of one", f"{peak:.0f} MB", f"{MEMORY:.0f} MB", peak <= MEMORY)


def cgraph(command: str, text: str, path: Path) -> list[str]:
    """Return a call for a table."""
    return [sys.executable, "-m", "cgraph", command, text, "--data", str(path)]


def run(command: Sequence[str]) -> None:
    """Run a command to its end."""
    subprocess.run(command, check=True)


def peak_of(command: Sequence[str]) -> float:
    """Return how many megabytes a command takes at its peak."""
    child = subprocess.Popen(command)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, "it runs to its end"
    return usage.ru_maxrss / 1e3


def write(path: Path) -> None:
    """Write a table of random numbers."""
    csv, rng = arrow("csv"), np.random.default_rng(0)
    with path.open("wb") as file:
        while file.tell() < BYTES:
            first = file.tell() == 0
            columns: dict[str, Any] = {"id": np.arange(CHUNK)}
            columns |= {name: rng.random(CHUNK) + 0.1 for name in ("x", "y", "z")}
            columns["t"] = rng.normal(size=CHUNK)
            table = arrow().table(columns)
            csv.write_csv(table, file, csv.WriteOptions(include_header=first))
