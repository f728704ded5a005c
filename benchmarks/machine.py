"""What measurements were taken on: the machine, Python, and every library beside cgraph."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterator
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from cgraph.autodiff.sweep import cores

PACKAGES = (
    "numpy",
    "scipy",
    "autograd",
    "casadi",
    "jax",
    "numba",
    "numexpr",
    "pyarrow",
    "symengine",
    "sympy",
    "torch",
)
CPU, MEMORY = Path("/proc/cpuinfo"), Path("/proc/meminfo")
CACHE = Path("/sys/devices/system/cpu/cpu0/cache")


def description() -> Iterator[tuple[str, str]]:
    """Yield what is to be known about the machine, and what it is."""
    yield "date", date.today().isoformat()
    yield "processor", processor()
    yield "cores", str(cores())
    caches = [cache for cache in map(cache_of, range(4)) if cache]
    if caches:
        yield "caches", ", ".join(caches)
    yield "memory", f"{memory() / 2**30:.0f} GiB"
    yield "system", f"{platform.system()} {platform.machine()}"
    yield "Python", platform.python_version()
    for package in PACKAGES:
        yield package, version_of(package)


def processor() -> str:
    """Return the name of the processor, as the system has it."""
    told = CPU.read_text().splitlines() if CPU.exists() else []
    names = [line.partition(":")[2].strip() for line in told if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown"


def memory() -> int:
    """Return the bytes of memory."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def available() -> int:
    """Return the bytes of memory that are free, or all where that is not told."""
    told = re.search(r"MemAvailable:\s+(\d+) kB", MEMORY.read_text() if MEMORY.exists() else "")
    return 1024 * int(told[1]) if told else memory()


def cache_of(index: int) -> str:
    """Return a cache of the first core, `L2 1024K`, or nothing where it is not told."""
    folder = CACHE / f"index{index}"
    if not folder.exists() or (folder / "type").read_text().strip() == "Instruction":
        return ""
    level, size = ((folder / name).read_text().strip() for name in ("level", "size"))
    return f"L{level} {size}"


def version_of(package: str) -> str:
    """Return the version of a package, or that it is not there."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
