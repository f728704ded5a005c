"""The elementwise formulas of the measurements, each with its derivatives written by hand.

A formula is there three times: as cgraph's text; as a function of a library, for those that
differentiate Python; and with its derivatives as statements, which NumPy runs on whole arrays and
Numba in one loop. numexpr makes a pass for each of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Columns = tuple[NDArray[np.float64], ...]

INPUTS = ("x", "y", "z")
OUTPUTS = ("value", "dx", "dy", "dz")
FUNCTIONS = ("arctan", "cos", "exp", "log", "sin", "sqrt", "tanh")
"""What the statements call."""

BYTES_A_ROW = 8 * len(INPUTS + OUTPUTS)
"""What value and gradient must read and write."""


class Formula(NamedTuple):
    """A formula of x, y, z: its text, its function of a library, its derivatives by hand."""

    name: str
    text: str
    function: Callable[..., Any]
    by_hand: str
    by_numexpr: str


def product(m: Any, x: Any, y: Any, z: Any) -> Any:
    """Return the cheap formula, in any library."""
    return (x + y) * z


def waves(m: Any, x: Any, y: Any, z: Any) -> Any:
    """Return the transcendental formula, in a library."""
    return m.sin(x) * m.exp(-(y**2)) + m.log(1 + x**2 * z**2)


def fifty(m: Any, x: Any, y: Any, z: Any) -> Any:
    """Return the formula of 50 operations, in a library."""
    r2 = x**2 + y**2 + z**2
    r = m.sqrt(r2 + 0.1)
    a = x * y
    b = y * z
    g = 1 + r2
    u = m.exp(-r / 2) * (1 - r / 3)
    v = m.sin(a) * m.cos(b)
    w = m.log(g) * m.arctan(x - z)
    p = a * z / g
    q = m.tanh(x + b) / m.sqrt(1 + y**2)
    s = (x - y) ** 3 / (2 + m.cos(z))
    t = 1 / (1 + m.exp(-x * z))
    return u + v + w + p + q - s * t + y * m.exp(-(z**2))


HAND_OF_CHEAP = """
dz = x + y
value = dz*z
dx = 1*z
dy = 1*z
"""

CHEAP = Formula("cheap", "(x+y)*z", product, HAND_OF_CHEAP, HAND_OF_CHEAP)

TRANSCENDENTAL = Formula(
    "transcendental",
    "sin(x)*exp(-y^2) + log(1 + x^2*z^2)",
    waves,
    """
s = sin(x)
e = exp(-y*y)
k = x*z
g = 1 + k*k
h = 2*k/g
value = s*e + log(g)
dx = cos(x)*e + h*z
dy = -2*y*s*e
dz = h*x
""",
    """
s = sin(x)
e = exp(-y*y)
h = 2*x*z/(1 + x*x*z*z)
value = s*e + log(1 + x*x*z*z)
dx = cos(x)*e + h*z
dy = -2*y*s*e
dz = h*x
""",
)

HAND_OF_FIFTY = """
y2 = y*y
r2 = x*x + y2 + z*z
r = sqrt(r2 + 0.1)
a = x*y
b = y*z
g = 1 + r2
e = exp(-r/2)
c = 1 - r/3
sa = sin(a)
cb = cos(b)
l = log(g)
d = x - z
h = arctan(d)
p = a*z/g
k = 1 + y2
root = sqrt(k)
th = tanh(x + b)
q = th/root
n = x - y
c2 = 2 + cos(z)
s = n*n*n/c2
t = 1/(1 + exp(-x*z))
i = exp(-z*z)
value = e*c + sa*cb + l*h + p + q - s*t + y*i
on_r2 = 2*(h - p)/g - e*(0.5*c + 1/3)/r
on_a = cos(a)*cb + z/g
on_m = (1 - th*th)/root
on_b = on_m - sa*sin(b)
on_d = l/(1 + d*d)
on_n = 3*n*n/c2*t
on_xz = s*t*(1 - t)
dx = on_r2*x + on_a*y + on_d + on_m - on_n - on_xz*z
dy = on_r2*y + on_a*x + on_b*z - q*y/k + on_n + i
dz = on_r2*z + on_b*y - on_d + a/g - s*t*sin(z)/c2 - on_xz*x - 2*y*z*i
"""

FIFTY = Formula(
    "50 operations",
    "r2 = x^2 + y^2 + z^2; r = sqrt(r2 + 0.1); a = x*y; b = y*z; g = 1 + r2\n"
    "u = exp(-r/2)*(1 - r/3); v = sin(a)*cos(b); w = log(g)*atan(x - z); p = a*z/g\n"
    "q = tanh(x + b)/sqrt(1 + y^2); s = (x - y)^3/(2 + cos(z)); t = 1/(1 + exp(-x*z))\n"
    "u + v + w + p + q - s*t + y*exp(-z^2)",
    fifty,
    HAND_OF_FIFTY,
    HAND_OF_FIFTY,
)

FORMULAS = {formula.name: formula for formula in (CHEAP, TRANSCENDENTAL, FIFTY)}


def statements(source: str) -> list[tuple[str, str]]:
    """Return the names and the expressions of statements, in order."""
    pairs = [line.partition(" = ") for line in source.splitlines() if line]
    return [(name, expression) for name, _, expression in pairs]


def drawn(rows: int) -> Columns:
    """Return the columns x, y and z, drawn."""
    draw = np.random.default_rng(0)
    return tuple(draw.uniform(-2.0, 2.0, rows) for _ in INPUTS)
