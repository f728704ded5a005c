"""Many formulas: drawn, compared in batches, on two cores, and what came of it."""

from __future__ import annotations

import argparse
import faulthandler
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from .checks import Finding, Look, look_at
from .draw import Drawer
from .exports import compare_exports, compare_rows
from .shrink import shrunk

BATCH = 50
TABLES = 4
"""One formula of so many is run on a table too."""
SECONDS = 120
"""After this long a formula hangs: the process ends, and tells where."""


@dataclass
class Report:
    """What was compared, and what was found."""

    formulas: int = 0
    compared: Counter[str] = field(default_factory=Counter[str])
    findings: list[tuple[int, Finding]] = field(default_factory=list[tuple[int, Finding]])

    def add(self, other: Report) -> None:
        """Take in another report."""
        self.formulas += other.formulas
        self.compared.update(other.compared)
        self.findings += other.findings

    @property
    def foreign(self) -> list[tuple[int, Finding]]:
        """The exceptions that are none of cgraph's own."""
        return [one for one in self.findings if "exception" in one[1].kind]

    def told(self) -> Iterator[str]:
        """Yield the lines of a summary."""
        yield f"{self.formulas} formulas, {sum(self.compared.values())} comparisons"
        for kind, count in sorted(self.compared.items()):
            yield f"  {count:8} {kind}"
        disagreements = len(self.findings) - len(self.foreign)
        yield f"{len(self.foreign)} foreign exceptions, {disagreements} disagreements"
        for kind, count in Counter(one.kind for _, one in self.findings).most_common():
            yield f"  {count:8} {kind}"


def batch(seeds: Sequence[int], arrays: bool, shrink: bool = True) -> Report:
    """Return the report of some formulas."""
    report = Report()
    looks: list[tuple[int, Look]] = []
    for seed in seeds:
        faulthandler.dump_traceback_later(SECONDS, exit=True)
        look = look_at(Drawer(seed, arrays).case())
        looks.append((seed, look))
        report.formulas += 1
    with tempfile.TemporaryDirectory() as folder:
        good = [look for _, look in looks if look.gradient is not None]
        compare_exports(good, Path(folder))
        compare_rows([look for look in good if len(look.case.text) % TABLES == 0], Path(folder))
    for seed, look in looks:
        report.compared.update(look.compared)
        for finding in look.findings:
            faulthandler.dump_traceback_later(SECONDS, exit=True)
            report.findings.append((seed, shrunk(finding) if shrink else finding))
    faulthandler.cancel_dump_traceback_later()
    return report


def run(
    kind: str,
    count: int,
    seed: int,
    *,
    cores: int = 1,
    shrink: bool = True,
    tell: Callable[[Report], None] = lambda part: None,
) -> Report:
    """Return the report of `count` formulas from a seed on; each batch's is told as it is there."""
    seeds = range(seed, seed + count)
    parts = [seeds[k : k + BATCH] for k in range(0, count, BATCH)]
    work = partial(batch, arrays=kind == "array", shrink=shrink)
    report = Report()
    with ProcessPoolExecutor(cores) if cores > 1 else nullcontext() as pool:
        for part in pool.map(work, parts) if pool else map(work, parts):
            report.add(part)
            tell(part)
    return report


def main() -> None:
    """Read the options, run, and print the report."""
    parser = argparse.ArgumentParser(prog="python -m cgraph.tests.fuzz", description=__doc__)
    parser.add_argument("--kind", choices=("scalar", "array"), default="scalar")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0, help="the first formula's")
    parser.add_argument("--cores", type=int, default=1)
    parser.add_argument("--no-shrink", action="store_true")
    parser.add_argument("--show", type=int, default=5, help="how many findings of a kind to print")
    asked = parser.parse_args()
    shown: Counter[str] = Counter()

    def tell(part: Report) -> None:
        for seed, finding in part.findings:
            shown[finding.kind] += 1
            if shown[finding.kind] <= asked.show:
                print(f"[{asked.kind} {seed}] {finding}", flush=True)

    how = {"cores": asked.cores, "shrink": not asked.no_shrink}
    report = run(asked.kind, asked.count, asked.seed, **how, tell=tell)
    print("\n".join(report.told()))
    sys.exit(1 if report.findings else 0)
