"""Run the measurements and print their tables; exit status 1 where one misses its target.

`python -m cgraph.benchmarks --only throughput --quick`; `--write docs/benchmarks.md` keeps them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from .page import machine, write
from .report import table
from .suite import SUITE, Measured, chosen


def main(argv: Sequence[str] | None = None) -> int:
    """Return the exit status."""
    options = arguments().parse_args(argv)
    found: list[Measured] = []
    for one in chosen(options.only):
        found.append(Measured(one, list(one.rows(options.quick))))
        print(table(one.title, found[-1].rows), flush=True)
        if options.write is not None:
            write(options.write, found, options.quick)
    print(machine())
    return 0 if all(one.holds for one in found) else 1


def arguments() -> argparse.ArgumentParser:
    """Return what reads the command line."""
    parser = argparse.ArgumentParser("python -m cgraph.benchmarks", description=__doc__)
    names = [one.name for one in SUITE]
    parser.add_argument(
        "--only", action="append", default=[], choices=names, help="a measurement; may be repeated"
    )
    parser.add_argument("--quick", action="store_true", help="smaller, and less to rely on")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="write a page, and its plot")
    return parser


if __name__ == "__main__":
    sys.exit(main())
