"""The value and the gradient of a long formula, from its text."""

from __future__ import annotations

from collections.abc import Iterator

from cgraph import grad, parse, value_and_grad

from .parsing import products
from .report import Row, seconds

TARGET = 3.0
COUNT = 100_000


def rows() -> Iterator[Row]:
    """Yield the time in both modes, parsing included."""
    text = products(COUNT)
    time = seconds(lambda: value_and_grad(parse(text), {"x": 0.5}))
    what = f"{COUNT:,} terms of `x*c`: value and gradient"
    yield Row(what, f"{time:.2f} s", f"{TARGET:.0f} s", time <= TARGET)
    time = seconds(lambda: grad(parse(text), {"x": 0.5}, mode="forward"))
    yield Row("the same in forward mode", f"{time:.2f} s", f"{TARGET:.0f} s", time <= TARGET)
