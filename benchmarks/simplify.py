# pyright: basic
"""Printed derivatives of a hundred textbook formulas, beside SymPy's simplified ones.

Operations are counted in both as cgraph reads them, a minus sign before a number among them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import sympy

from cgraph import parse
from cgraph.autodiff.rules.view import View
from cgraph.autodiff.symbolic import derivatives
from cgraph.exporters.short import short

from .report import Row

NO_LONGER, AT_MOST = 80, 2.0

FORMULAS = """
x^5; 3*x^4 - 2*x^2 + 7; (x^2 + 1)^10; (3*x - 2)^7; x*(x - 1)*(x + 2); 1/x; 1/x^3; sqrt(x); x^(2/3); 1/sqrt(x)
(x + 1)/(x - 1); x/(1 + x^2); (x^2 - 1)/(x^2 + 1); (a*x + b)/(c*x + d); 1/(1 + x^4); x^2/(x + 1); (1 - x)^3/(1 + x); x + 1/x; (x + 1/x)^2; 1/(x^2 + a^2)
sqrt(1 + x^2); sqrt(a^2 - x^2); x*sqrt(1 - x^2); x/sqrt(1 + x^2); sqrt(x + sqrt(x)); 1/sqrt(1 - x^2); (1 + sqrt(x))^3; sqrt((1 - x)/(1 + x)); cbrt(x); sqrt(x)*(x - 1)
exp(2*x); exp(-x^2); x*exp(x); x^2*exp(-x); exp(x)/x; exp(x)/(1 + exp(x)); exp(sin(x)); (exp(x) - exp(-x))/2; exp(sqrt(x)); 2^x
log(x); log(1 + x^2); x*log(x) - x; log(x)/x; log(x)^2; log(log(x)); x^2*log(x); log(x + sqrt(x^2 + 1)); log((1 + x)/(1 - x)); log(cos(x))
sin(3*x); cos(x^2); sin(x)^2; x*sin(x); x^2*cos(x); sin(x)/x; tan(x); sin(x)*cos(x); sin(x)/(1 + cos(x)); tan(x)^2
sec(x); cot(x); sin(x)^3*cos(x); sin(cos(x)); cos(x)^4 - sin(x)^4; x*tan(x); exp(-x)*sin(x); exp(a*x)*cos(b*x); sin(x + y)*cos(x - y); csc(x)^2
asin(x); acos(x); atan(x); atan(1/x); x*atan(x); asin(x/a); atan(y/x); x*asin(x) + sqrt(1 - x^2); atan((1 + x)/(1 - x)); asin(sqrt(x))
sinh(x); cosh(x)^2; tanh(x); x*sinh(x) - cosh(x); asinh(x); atanh(x); log(cosh(x)); 1/cosh(x); x^x; x^n
A*exp(-k*t)*cos(w*t); 1/(1 + exp(-x)); exp(-(x - m)^2/(2*s^2)); m*v^2/2; G*m*M/r^2; V*x/(K + x); P*(1 + r/n)^(n*t); a*x^2 + b*x + c; sqrt(x^2 + y^2); x/(x^2 + y^2)
"""  # noqa: E501
"""One variable is differentiated by in each: x, or the first that appears."""


class Compared(NamedTuple):
    """A formula, its derivative as either prints it, and the operations of both."""

    formula: str
    ours: str
    theirs: str
    operations: tuple[int, int]


def formulas() -> list[str]:
    """Return the hundred formulas."""
    return [text.strip() for text in FORMULAS.replace("\n", ";").split(";") if text.strip()]


def compared(text: str) -> Compared:
    """Return one formula's derivatives."""
    graph = parse(text).graph
    inputs = graph.inputs()
    name = "x" if "x" in inputs else next(iter(inputs))
    (node,) = derivatives(graph, graph.outputs[0], [[inputs[name]]])
    ours = short(graph, [node], flat=True).strip()
    theirs = by_sympy(text, name, list(inputs))
    return Compared(text, ours, theirs, (operations(ours), operations(theirs)))


def by_sympy(text: str, name: str, inputs: list[str]) -> str:
    """Return SymPy's derivative, simplified, in our spelling."""
    symbols = {one: sympy.Symbol(one, real=True) for one in inputs}
    read: Any = sympy.sympify
    expression = read(text.replace("^", "**"), locals=symbols)
    found = sympy.simplify(sympy.diff(expression, symbols[name]))
    return str(found).replace("**", "^").replace("Abs", "abs")


def operations(text: str) -> int:
    """Return the number of operations in a formula."""
    graph = parse(text).graph
    return View(graph, derived=False).size(graph.outputs[0])


def rows() -> Iterator[Row]:
    """Yield how many derivatives are no longer than SymPy's, and how much longer the longest is."""
    found = [compared(text) for text in formulas()]
    good = sum(ours <= theirs for _, _, _, (ours, theirs) in found)
    what = f"derivatives no longer than SymPy's, of {len(found)} formulas"
    yield Row(what, str(good), f"{NO_LONGER}", good >= NO_LONGER)
    longest = max(found, key=lambda it: it.operations[0] / max(1, it.operations[1]))
    ratio = longest.operations[0] / max(1, longest.operations[1])
    yield Row(
        f"the longest, of `{longest.formula}`", f"{ratio:.2f} x", f"{AT_MOST} x", ratio <= AT_MOST
    )


def main() -> None:
    """Print the hundred, a line each."""
    print("| formula | cgraph | SymPy | |\n|---|---|---|---|")
    for formula, ours, theirs, (mine, other) in map(compared, formulas()):
        told = f"{mine} : {other}{' longer' * (mine > other)}"
        print(f"| `{formula}` | `{ours}` | `{theirs}` | {told} |")


if __name__ == "__main__":
    main()
