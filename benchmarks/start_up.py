"""Start-up of commands on scalars, over that of `python -c "import click"`."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from functools import partial

from .peers import is_installed
from .report import Row, duration, interleaved

TARGET = 2.0
ROUNDS = 40
OTHERS = ("numpy", "casadi", "symengine", "sympy", "jax", "torch")
FEW_ROUNDS = 5
FORMULA = "(x+y)*z"
BINDINGS = ("--x", "1", "--y", "3", "--z", "-3")
CGRAPH = f"{sysconfig.get_path('scripts')}/cgraph"


def rows() -> Iterator[Row]:
    """Yield the ratio of each command."""
    commands = {
        "import click": importing("click"),
        "eval": (CGRAPH, "eval", FORMULA, *BINDINGS),
        "grad": (CGRAPH, "grad", FORMULA, *BINDINGS),
        "parse": (CGRAPH, "parse", FORMULA),
    }
    times = interleaved({name: running(*words) for name, words in commands.items()}, ROUNDS)
    unit = times.pop("import click")
    for name, time in times.items():
        what = f'`cgraph {name} "{FORMULA}" ...` / `python -c "import click"`'
        found = f"{time / unit:.2f} ({1e3 * time:.0f} ms / {1e3 * unit:.0f} ms)"
        yield Row(what, found, f"{TARGET}", time / unit <= TARGET)
    yield from of_others()


def of_others() -> Iterator[Row]:
    """Yield how long it takes to import others, for scale."""
    there = [package for package in OTHERS if is_installed(package)]
    names = ["click", *there]
    times = interleaved({name: running(*importing(name)) for name in names}, FEW_ROUNDS)
    unit = times.pop("click")
    for name, time in times.items():
        found = f"{time / unit:.2f} ({duration(time)} / {duration(unit)})"
        yield Row(f'`python -c "import {name}"` / `python -c "import click"`', found)


def importing(name: str) -> tuple[str, ...]:
    """Return the command that imports a module and ends."""
    return (sys.executable, "-c", f"import {name}")


def running(*command: str) -> Callable[[], object]:
    """Return an action that runs a command."""
    return partial(subprocess.run, command, check=True, stdout=subprocess.DEVNULL)
