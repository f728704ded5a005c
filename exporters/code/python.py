"""Python on NumPy: a function of numbers or arrays, elementwise with broadcasting.

NAME(x, y)      the value, a tuple where there are several outputs
NAME(x, y)      with the derivatives: the value, and a dict from name to derivative
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from .forms import Form, Piece, Target
from .identifiers import unicode
from .python_helpers import HELPERS
from .reserved import PYTHON
from .walk import Code, code

if TYPE_CHECKING:
    from ...autodiff.graph import Nested
    from ...autodiff.ops import Op
    from ..options import Options
    from ..scene import Scene

SIGNS = {
    **{sign: sign for sign in ("+", "-", "*", "/", "@", "<", "<=", ">", ">=", "==", "!=")},
    "and": "{0:?100} & {1:?100}",
    "or": "{0:?100} | {1:?100}",
    "not": "~{0:?100}",
}

EACH = "np.where(np.isnan({0}), np.nan, slope)[()]"
WHOLE = "derivative({0}, slope)"
"""Where there is no value there is no derivative: element by element, or where elements mix."""


def export(scene: Scene, options: Options) -> str:
    """Return a module with the function. Raises as `walk.code` does."""
    found = code(TARGET, scene, options)
    lines = body(found)
    special = ["from scipy import special"] if any("special." in line for line in lines) else []
    head = ["import numpy as np", *special]
    function = [
        '@np.errstate(all="ignore")',
        f"def {found.name}({', '.join(found.parameters.values())}):",
        f'    """{described(found)}"""',
        *(f"    {line}" for line in lines),
    ]
    needed = ["sum_to", "derivative"] if found.mixes and found.gradient else []
    helpers = [*found.helpers, *(HELPERS[name] for name in needed)]
    sources = [helper.rstrip() for helper in dict.fromkeys(helpers)]
    blocks = ["\n".join(head), *sources, "\n".join(function)]
    return "\n\n\n".join(blocks) + "\n"


def described(found: Code) -> str:
    """Return the docstring's first line."""
    what = "value" if len(found.values) == 1 else "values"
    return f"Return the {what}{' and the derivatives by name' if found.gradient else ''}."


def body(found: Code) -> list[str]:
    """Return the statements; where there is no value there is no derivative."""
    lines = [f"{name} = np.asarray({name}, np.float64)" for name in found.parameters.values()]
    lines += found.lines
    value = ", ".join(found.values)
    if not found.gradient:
        return [*lines, f"return {value}"]
    slopes = [f'    "{name}": {slope},' for name, slope in found.gradient]
    known = WHOLE if found.mixes else EACH
    checked = f"    name: {known.format(value)} for name, slope in gradient.items()"
    return [*lines, "gradient = {", *slopes, "}", f"return {value}, {{", checked, "}"]


def library(op: Op) -> str | None:
    """Return NumPy's function for an op, which the op's own row knows."""
    module, _, name = op.array.partition(":")
    return f"np.{name}" if module == "numpy" else None


def let(name: str, piece: Piece) -> str:
    """Return an assignment."""
    return f"{name} = {piece.text}"


def number(value: float) -> str:
    """Return a number with all its digits."""
    text = repr(value)
    return text if text[-1].isdigit() else text.replace("nan", "np.nan").replace("inf", "np.inf")


def array(value: Nested) -> str:
    """Return an array."""
    return f"np.array({nested(value)})"


def nested(value: Nested) -> str:
    """Return nested brackets."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(nested, value))}]"
    return number(value)


def used_by(sources: Iterable[str]) -> frozenset[str]:
    """Return Python's own functions that sources use, which no other may hide."""
    return frozenset(re.findall(r"\w+", " ".join(sources))) & frozenset(dir(builtins))


TARGET = Target(
    name="python",
    title="Python",
    signs=SIGNS,
    library=library,
    helpers=HELPERS,
    number=number,
    array=array,
    alone=Form("np.float64({0})"),
    as_number=Form("np.where({0:?}, 1.0, 0.0)"),
    as_truth=Form("{0:51} != 0.0", 50, truth=True),
    identifier=unicode,
    reserved=PYTHON | {"np", "special", "gradient", "name", "slope"},
    functions=used_by(HELPERS.values()),
    let=let,
)
