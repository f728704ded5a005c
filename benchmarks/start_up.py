"""Start-up of commands on scalars, over that of `python -c "import click"`."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from functools import partial

from .report import Row, interleaved

TARGET = 2.0
ROUNDS = 40
FORMULA = "(x+y)*z"
BINDINGS = ("--x", "1", "--y", "3", "--z", "-3")
CGRAPH = f"{sysconfig.get_path('scripts')}/cgraph"


def rows() -> Iterator[Row]:
    """Yield the ratio of each command."""
    commands = {
        "import click": (sys.executable, "-c", "import click"),
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


def running(*command: str) -> Callable[[], object]:
    """Return an action that runs a command."""
    return partial(subprocess.run, command, check=True, stdout=subprocess.DEVNULL)
