"""JavaScript: an ES module that exports a function of numbers.

NAME(x, y)      the value, an array where there are several outputs
NAME(x, y)      with the derivatives: { value, gradient: { x, y } }, each an array of several
"""

from __future__ import annotations

import re
from math import isfinite
from typing import TYPE_CHECKING

from .forms import Form, Piece, Target
from .identifiers import unicode
from .javascript_helpers import HELPERS
from .reserved import JAVASCRIPT, words
from .walk import Code, code

if TYPE_CHECKING:
    from ...autodiff.ops import Op
    from ..options import Options
    from ..scene import Scene

LIBRARY = words(
    "abs acos acosh asin asinh atan atan2 atanh cbrt ceil cos cosh exp expm1 floor hypot log log10 "
    "log1p log2 sign sin sinh sqrt tan tanh trunc"
)
"""The functions of Math that do what formulas mean by their names."""

SIGNS = {
    **{sign: sign for sign in ("+", "-", "*", "/", "<", "<=", ">", ">=")},
    "==": "{0:51} === {1:51}",
    "!=": "{0:51} !== {1:51}",
    "and": "{0:?41} && {1:?41}",
    "or": "{0:?41} || {1:?41}",
    "not": "!{0:?100}",
}


def export(scene: Scene, options: Options) -> str:
    """Return the module. Raises as `walk.code` does."""
    found = code(TARGET, scene, options)
    head = f"export function {found.name}({', '.join(found.parameters.values())}) {{\n"
    function = head + "".join(f"  {line}\n" for line in body(found)) + "}\n"
    return "\n".join([*found.helpers, function])


def body(found: Code) -> list[str]:
    """Return the statements; where there is no value there is no derivative."""
    if len(found.values) != 1:
        return [*found.lines, *several(found)]
    value = found.values[0]
    if not found.gradients:
        return [*found.lines, f"return {value};"]
    slopes = {key(name): slope for name, slope in found.gradients[0].items()}
    none = ", ".join(f"{name}: NaN" for name in slopes)
    shown = "value" if value == "value" else f"value: {value}"
    return [
        *found.lines,
        f"if (Number.isNaN({value})) {{ // where there is no value there is no derivative",
        f"  return {{ {shown}, gradient: {{ {none} }} }};",
        "}",
        "return {",
        f"  {shown},",
        "  gradient: {",
        *(f"    {name}: {slope}," for name, slope in slopes.items()),
        "  },",
        "};",
    ]


def several(found: Code) -> list[str]:
    """Return the statements that return several outputs, each with its gradient beside it."""
    values = f"[{', '.join(found.values)}]"
    if not found.gradients:
        return [f"return {values};"]
    lines = ["return {", f"  value: {values},", "  gradient: ["]
    for value, slopes in zip(found.values, found.gradients, strict=True):
        here = ", ".join(f"{key(name)}: {slope}" for name, slope in slopes.items())
        none = ", ".join(f"{key(name)}: NaN" for name in slopes)
        lines.append(f"    Number.isNaN({value}) ? {{ {none} }} : {{ {here} }},")
    return [*lines, "  ],", "};"]


def key(name: str) -> str:
    """Return a name as the key of an object."""
    if name == "__proto__":  # as it stands it would be what the object inherits from
        return f'["{name}"]'
    return name if unicode(name) == name else f'"{name}"'


def library(op: Op) -> str | None:
    """Return the function of Math for an op."""
    return f"Math.{op.name}" if op.name in LIBRARY else None


def let(name: str, piece: Piece) -> str:
    """Return a declaration."""
    return f"const {name} = {piece.text};"


def number(value: float) -> str:
    """Return a number with all its digits."""
    text = repr(value).replace("inf", "Infinity").replace("nan", "NaN")
    return re.sub(r"\.0$", "", text)


TARGET = Target(
    name="javascript",
    title="JavaScript",
    signs=SIGNS,
    library=library,
    helpers=HELPERS,
    number=number,
    as_number=Form("{0:?11} ? 1 : 0", 10),
    as_truth=Form("{0:51} !== 0", 50, truth=True),
    identifier=unicode,
    reserved=JAVASCRIPT,
    let=let,
    # 1 to an infinite power is NaN in Math.pow.
    careful={"pow": lambda last: last is None or not isfinite(last)},
)
