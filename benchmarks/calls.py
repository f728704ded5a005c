"""Value and gradient of a small formula at numbers: microseconds a call."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from cgraph import compile

from .apart import apart, settle
from .peers import imported, is_installed
from .report import Point, Row, duration, of_a_call

FORMULA = "(x+y)*z"
POINT = (1.0, 3.0, -3.0)
RIGHT = (-12.0, -3.0, -3.0, 4.0)
TARGET = 3e-6
ROUNDS = 15

Call = Callable[[], tuple[float, ...]]
"""Numbers to numbers: value and derivatives."""


def function(x: Any, y: Any, z: Any) -> Any:
    """Return the formula in whichever numbers."""
    return (x + y) * z


def by_cgraph() -> Call:
    """Return cgraph's call."""
    program = compile(FORMULA, grad=True)
    x, y, z = POINT

    def call() -> tuple[float, ...]:
        value, gradient = program(x=x, y=y, z=z)
        return value, *gradient.values()

    return call


def by_hand() -> Call:
    """Return the call of a Python function with its derivatives written by hand."""

    def closure(x: float, y: float, z: float) -> tuple[float, dict[str, float]]:
        total = x + y
        return total * z, {"x": z, "y": z, "z": total}

    def call() -> tuple[float, ...]:
        value, gradient = closure(*POINT)
        return value, *gradient.values()

    return call


def by_casadi() -> Call:
    """Return the call of a CasADi function."""
    casadi: Any = imported("casadi")
    inputs = [casadi.SX.sym(name) for name in "xyz"]
    value = function(*inputs)
    gradient = casadi.gradient(value, casadi.vertcat(*inputs))
    run = casadi.Function("f", inputs, [value, *casadi.vertsplit(gradient)])
    return lambda: tuple(map(float, run(*POINT)))


def by_autograd() -> Call:
    """Return autograd's call."""
    make_vjp: Any = imported("autograd").make_vjp

    def whole(args: Sequence[Any]) -> Any:
        return function(*args)

    def call() -> tuple[float, ...]:
        pull, value = make_vjp(whole)(POINT)
        return value, *pull(1.0)

    return call


def by_torch() -> Call:
    """Return PyTorch's call."""
    torch: Any = imported("torch")

    def call() -> tuple[float, ...]:
        inputs = [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in POINT]
        value = function(*inputs)
        return value.item(), *(part.item() for part in torch.autograd.grad(value, inputs))

    return call


def by_jax() -> Call:
    """Return JAX's call, compiled."""
    jax: Any = imported("jax")
    jax.config.update("jax_enable_x64", True)
    run = jax.jit(jax.value_and_grad(function, argnums=(0, 1, 2)))

    def call() -> tuple[float, ...]:
        value, gradient = run(*POINT)
        return float(value), *map(float, gradient)

    return call


class Caller(NamedTuple):
    """Who is called, and the package that it takes."""

    name: str
    package: str
    ready: Callable[[], Call]


CALLERS = (
    Caller("cgraph", "cgraph", by_cgraph),
    Caller("a Python function by hand", "cgraph", by_hand),
    Caller("CasADi", "casadi", by_casadi),
    Caller("autograd", "autograd", by_autograd),
    Caller("PyTorch", "torch", by_torch),
    Caller("JAX jit", "jax", by_jax),
)


def rows(quick: bool = False) -> Iterator[Row]:
    """Yield the time of a call, then those of others."""
    times: dict[str, float] = apart("calls")
    ours = times["cgraph"]
    what = f"`{FORMULA}`: value and gradient"
    found = duration(ours)
    target = f"at most {duration(TARGET)}"
    yield Row(f"{what}, cgraph", found, target, ours <= TARGET, point("cgraph", ours))
    for caller in CALLERS[1:]:
        time = times.get(caller.name)
        if time is None:
            yield Row(f"{caller.name} / cgraph", f"skipped: {caller.package} is not installed")
            continue
        found = f"{time / ours:.2f} ({duration(time)} / {duration(ours)})"
        yield Row(f"{caller.name} / cgraph", found, point=point(caller.name, time))


def point(name: str, time: float) -> Point:
    """Return the time of a call as the plot has it."""
    return Point("a call", name, 0.0, time)


def compared() -> dict[str, float]:
    """Return the seconds of each call, after all have found what is right."""
    calls = {caller.name: caller.ready() for caller in CALLERS if is_installed(caller.package)}
    for name, call in calls.items():
        assert call() == RIGHT, name
    return of_a_call(dict(calls), ROUNDS)


if __name__ == "__main__":
    settle()
    print(json.dumps(compared()))
