"""The complex step: f(x + ih) has h*f'(x) for its imaginary part, and no digit is lost to it.

An op can take it where NumPy's function for it takes complex numbers. An op that jumps is read at
the real part, where its derivative is 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from .evaluate import run
from .ops.rules import Each
from .ops.table import array_form

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .evaluate import Value
    from .ops.table import Op
    from .program import Program

STEP = 2.0**-300
"""So small that its square is nothing beside 1."""


def complex_step(
    program: Program, given: Mapping[str, Value], name: str, index: tuple[int, ...] | None
) -> float | None:
    """Return the derivative of (the sum of) the wanted node by an input or an element of it.

    None where an op on the way has no form for complex numbers.
    """
    import numpy as np

    real = run(program, given, keep=True)
    moved: dict[int, Any] = {}
    for node, label in program.inputs:
        if label == name:
            direction = np.zeros(np.shape(given[name]), dtype=complex)
            direction[index or ()] = 1j * STEP
            moved[node] = given[name] + direction
    with np.errstate(all="ignore"):
        for step in program.steps:
            if not any(arg in moved for arg in step.args) or jumps(step.op):
                continue
            form = complex_form(step.op)
            if form is None:
                return None
            moved[step.node] = form(*[moved.get(arg, real[arg]) for arg in step.args], *step.attrs)
    (wanted,) = program.wanted
    found: NDArray[np.complex128] = np.asarray(moved.get(wanted, 0.0), dtype=np.complex128)
    return float(np.sum(np.imag(found))) / STEP


def jumps(op: Op) -> bool:
    """Tell whether an op has derivative 0 wherever it has one."""
    op = op.plain or op
    return not isinstance(op.partials, Each) and op.move is None and not any(op.partials)


def complex_form(op: Op) -> Callable[..., Any] | None:
    """Return an op on complex arrays, None where there is no such form."""
    if op.complex:
        return array_form(op.complex)
    form = op.on_arrays()
    takes: list[str] = getattr(form, "types", [])
    count = getattr(form, "nin", 0)
    return form if f"{'D' * count}->D" in takes and not op.conditions else None
