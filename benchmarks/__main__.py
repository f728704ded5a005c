"""Run all measurements and print their tables; exit status 1 where one misses its target."""

from __future__ import annotations

import platform
import sys

from . import data, gradients, hessian, memory, optimize, parsing, simplify, start_up, training
from .report import table

MEASUREMENTS = {
    "Start-up": start_up.rows,
    "Parsing": parsing.rows,
    "Value and gradient": gradients.rows,
    "Printed derivatives": simplify.rows,
    "Second order": hessian.rows,
    "Optimized graphs": optimize.rows,
    "Training": training.rows,
    "Memory": memory.rows,
    "Tables": data.rows,
}

print(f"Python {platform.python_version()}, {platform.system()} {platform.machine()}\n")
missed = False
for title, measure in MEASUREMENTS.items():
    rows = list(measure())
    missed |= not all(row.holds for row in rows)
    print(table(title, rows), flush=True)
sys.exit(missed)
