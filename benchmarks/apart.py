"""A measurement in a process of its own: on two cores, with two threads for every library."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

THREADS = 2
LIMITS = (
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
)
SETTINGS = {
    "JAX_PLATFORMS": "cpu",
    # Threads that wait by spinning keep each other from work where others want the cores too.
    "OMP_WAIT_POLICY": "passive",
    "TF_CPP_MIN_LOG_LEVEL": "3",
}
TUNING = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "PYTHONDONTWRITEBYTECODE")
"""What a shell may have set that would change what is measured."""


def apart(module: str, *args: object, seconds: float | None = None) -> Any:
    """Return what a module of the measurements prints as JSON, run with arguments.

    Raises `subprocess.TimeoutExpired` where it takes longer than some seconds.
    """
    kept = {name: value for name, value in os.environ.items() if name not in TUNING}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", f"cgraph.benchmarks.{module}", *map(str, args)],
        env=kept | SETTINGS | dict.fromkeys(LIMITS, str(THREADS)),
        check=True,
        stdout=subprocess.PIPE,
        timeout=seconds,
    )
    return json.loads(done.stdout.splitlines()[-1])


def settle() -> None:
    """Keep this process on two cores: not every library lets its threads be counted."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:THREADS])
