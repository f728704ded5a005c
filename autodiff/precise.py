"""Values and derivatives in as many digits as one likes, by mpmath."""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from .errors import MissingExtraError, UsageError, pip_line
from .ops.table import array_form

if TYPE_CHECKING:
    from .evaluate import Value
    from .ops.table import Op
    from .program import Program

INSTALL = pip_line("mpmath", "precision")

SPARE = 20
"""Digits beyond twice those asked for."""


def difference(program: Program, given: Mapping[str, Value], name: str, digits: int) -> str:
    """Return the derivative of the wanted node by an input, a number in so many digits.

    It is a central difference: a step of 10^-digits costs as many digits, and leaves as many.
    Raises `UsageError` for arrays and `MissingExtraError` without mpmath.
    """
    mp = context()
    if not program.is_scalar or not all(isinstance(value, float) for value in given.values()):
        raise UsageError("--precision is for numbers, not for arrays", hint="leave it out")
    with mp.workdps(2 * digits + SPARE):
        x = mp.mpf(given[name])
        step = mp.mpf(10) ** -(digits + SPARE // 4) * max(abs(x), mp.mpf(1))
        above, below = (in_full(program, {**given, name: x + s * step}) for s in (1, -1))
        slope = (above - below) / (2 * step)
        return str(mp.nstr(slope, digits))


def in_full(program: Program, given: Mapping[str, Any]) -> Any:
    """Return the value of the wanted node in the digits of mpmath's context."""
    mp = context()
    values: dict[int, Any] = {node: mp.mpf(value) for node, value in program.constants}
    values |= {node: mp.mpf(given[name]) for node, name in program.inputs}
    for step in program.steps:
        values[step.node] = real(form(step.op), [values[arg] for arg in step.args])
    return values[program.wanted[0]]


def real(function: Callable[..., Any], args: list[Any]) -> Any:
    """Return a function's value, nan where it has none among the real numbers."""
    mp = context()
    try:
        value = function(*args)
    except (ArithmeticError, ValueError):
        return mp.nan
    return mp.nan if isinstance(value, mp.mpc) else value


def form(op: Op) -> Callable[..., Any]:
    """Return the op in mpmath; a name that Python has for itself ends in `_` there."""
    taken = keyword.iskeyword(op.name) or hasattr(builtins, op.name)
    return array_form(f".forms.precise:{op.name}{'_' * taken}")


def context() -> Any:
    """Return mpmath's context. Raises `MissingExtraError` where mpmath is not installed."""
    try:
        from mpmath import mp
    except ImportError:
        told = "--precision needs mpmath, which is not installed"
        raise MissingExtraError(told, hint=INSTALL) from None
    return mp
