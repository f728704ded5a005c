"""SymPy: a script that builds the formula as an expression of symbols, and its derivatives."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from .forms import Form, Piece, Target
from .identifiers import unicode
from .reserved import PYTHON, words
from .walk import code

if TYPE_CHECKING:
    from ...autodiff.ops import Op
    from ..options import Options
    from ..scene import Scene

LIBRARY = words(
    "acos acosh acot acoth acsc acsch asec asech asin asinh atan atan2 atanh cos cosh cot coth csc "
    "csch digamma erf erfc exp floor gamma log polygamma sec sech sign sin sinh sqrt tan tanh"
)
"""The functions of SymPy that mean what formulas mean by their names."""

SIGNS = {
    **{sign: sign for sign in ("+", "-", "*", "/", "<", "<=", ">", ">=")},
    "==": "sp.Eq({0}, {1})",
    "!=": "sp.Ne({0}, {1})",
    "and": "sp.And({0:?}, {1:?})",
    "or": "sp.Or({0:?}, {1:?})",
    "not": "sp.Not({0:?})",
}

HELPERS = {
    "dsinc": '''\
def dsinc(n, x):
    """Return the n-th derivative of sin(pi*x)/(pi*x), which is the integral of cos(pi*x*t)."""
    t = sp.Dummy(real=True)
    if sp.sympify(n).is_Integer:
        return sp.diff(sp.sinc(sp.pi*t), t, n).subs(t, x)
    return sp.Integral((sp.pi*t)**n*sp.cos(sp.pi*(x*t + n/2)), (t, 0, 1))
''',
}

NAMED = {math.pi: "sp.pi", math.e: "sp.E", math.inf: "sp.oo", -math.inf: "-sp.oo"}
EXACT = 2.0**53
"""Whole numbers below it are exact as they stand."""


def export(scene: Scene, options: Options) -> str:
    """Return the script. Raises as `walk.code` does."""
    found = code(TARGET, scene, options)
    lines = ["import sympy as sp", ""]
    lines += [f"\n{helper}\n" for helper in found.helpers]
    lines += [
        f'{called} = sp.Symbol("{name}", real=True)' for name, called in found.parameters.items()
    ]
    lines += found.lines
    values = ", ".join(found.values)
    lines.append(f"{found.name} = {values}")
    if found.gradients:
        lines.append(f"gradient = {', '.join(map(dictionary, found.gradients))}")
    return "\n".join(lines) + "\n"


def dictionary(slopes: Mapping[str, str]) -> str:
    """Return derivatives by name as a dict, a line each."""
    return "\n".join(["{", *(f'    "{name}": {slope},' for name, slope in slopes.items()), "}"])


def library(op: Op) -> str | None:
    """Return SymPy's function for an op."""
    return f"sp.{op.name}" if op.name in LIBRARY else None


def let(name: str, piece: Piece) -> str:
    """Return an assignment."""
    return f"{name} = {piece.text}"


def number(value: float) -> str:
    """Return a number, whole ones and named ones exactly."""
    if value in NAMED:
        return NAMED[value]
    if value != value:
        return "sp.nan"
    whole = abs(value) < EXACT and value == math.floor(value)
    return str(int(value)) if whole else repr(value)


TARGET = Target(
    name="sympy",
    title="SymPy",
    signs=SIGNS,
    library=library,
    helpers=HELPERS,
    number=number,
    as_number=Form("sp.Piecewise((1, {0:?}), (0, True))"),
    as_truth=Form("sp.Ne({0}, 0)", truth=True),
    identifier=unicode,
    reserved=PYTHON | {"sp", "gradient"},
    let=let,
    asks_value=False,
    alone=Form("sp.S({0})"),
    simplifies=True,
    shared=40,
    longest=200,
)
