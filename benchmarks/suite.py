"""All measurements, by name, in the order in which they are reported."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from .report import Row


class Measurement(NamedTuple):
    """A module with a function `rows`, its title, what it measures in a sentence or two.

    What `scales` has a quick form.
    """

    name: str
    title: str
    note: str
    scales: bool = False

    def rows(self, quick: bool) -> Iterable[Row]:
        """Yield its rows, as they are measured."""
        module: Any = import_module(f".{self.name}", __package__)
        found: Iterable[Row] = module.rows(quick) if self.scales else module.rows()
        return found


class Measured(NamedTuple):
    """A measurement and what it found."""

    measurement: Measurement
    rows: list[Row]

    @property
    def holds(self) -> bool:
        """Whether all its targets are reached."""
        return all(row.holds for row in self.rows)


SUITE = (
    Measurement(
        "start_up",
        "Start-up",
        "A command from nothing to its answer, beside the import of its option parser alone; then "
        "how long others take to be imported.",
    ),
    Measurement(
        "calls",
        "Small calls",
        "Numbers in, numbers out: a compiled value and gradient at one point.",
        scales=True,
    ),
    Measurement(
        "throughput",
        "Rows a second",
        "Value and the derivative by x, y and z for each row, in float64, on two threads, all in "
        "one process and in turns. Outputs are fresh at each call where nothing else is said. The "
        "limits are a loop with derivatives written by hand, fused and made parallel by Numba, and "
        "a copy of as many bytes as the formula must read and write.",
        scales=True,
    ),
    Measurement(
        "growth",
        "Many rows",
        "The time of a row among ever more rows, outputs reused, a process each.",
        scales=True,
    ),
    Measurement(
        "peak",
        "Peak memory",
        "What a call takes at its peak beside its inputs and outputs, a process each; libraries "
        "are loaded and programs compiled before.",
        scales=True,
    ),
    Measurement(
        "costs",
        "Gradients over values",
        "The time of value and gradient over that of the value alone, at ever more inputs and for "
        "each function that works element by element. Outputs are reused; fresh ones cost what the "
        "allocator takes for their number too.",
        scales=True,
    ),
    Measurement(
        "texts",
        "Text to gradient",
        "From text to the numbers of value and gradient: sums of "
        "`sin(x_i*c)*exp(-x_j^2)/(1+x_k^2)` over ten inputs, no two terms the same. CasADi, JAX "
        "and PyTorch have no reader and are fed through Python's, a statement a term.",
        scales=True,
    ),
    Measurement(
        "data", "Tables", "A large CSV file through `--data`, beside PyArrow's reading and writing."
    ),
    Measurement("parsing", "Parsing", "Text to graph."),
    Measurement("gradients", "Long formulas", "Value and gradient of long formulas, from text."),
    Measurement("simplify", "Printed derivatives", "How short printed derivatives are."),
    Measurement("hessian", "Second order", "A Hessian beside gradients taken often."),
    Measurement(
        "sparse",
        "Sparse derivatives",
        "Structure, colouring and numbers of sparse Jacobians and Hessians beside CasADi.",
        scales=True,
    ),
    Measurement("optimize", "Optimized graphs", "Value and gradient, optimized and plain."),
    Measurement("training", "Training", "A step of training beside PyTorch's."),
    Measurement("memory", "Memory of networks", "A reverse pass beside what it must keep."),
)


def chosen(names: Sequence[str]) -> Iterator[Measurement]:
    """Yield the measurements of some names, all of them where there are none."""
    return (one for one in SUITE if not names or one.name in names)
