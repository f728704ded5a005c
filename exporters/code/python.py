"""Python on NumPy: a function of numbers or arrays, elementwise with broadcasting.

NAME(x, y)      the value, a tuple where there are several outputs
NAME(x, y)      with the derivatives: the value, and a dict from name to derivative
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ...autodiff.inputs import input_shapes
from ...autodiff.ops.rules import Expr
from ...autodiff.ops.selection import where
from ...autodiff.shapes import infer
from ...autodiff.undefined import holes
from .forms import Form, Piece, Target
from .identifiers import PYTHON, unicode
from .python_helpers import HELPERS
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
"""Where there is no value there is no derivative."""


def export(scene: Scene, options: Options) -> str:
    """Return a module with the function. Raises as `walk.code` does."""
    settled = defined(scene)
    found = code(TARGET, settled or scene, options)
    lines = body(found, settled is not None)
    function = [
        '@np.errstate(all="ignore")',
        f"def {found.name}({', '.join(found.parameters.values())}):",
        f'    """{described(found)}"""',
        *(f"    {line}" for line in lines),
    ]
    sources = [helper.rstrip() for helper in dict.fromkeys(found.helpers)]
    from_scipy = any("special." in text for text in [*sources, *lines])
    head = ["import numpy as np", *["from scipy import special"] * from_scipy]
    blocks = ["\n".join(head), *sources, "\n".join(function)]
    return "\n\n\n".join(blocks) + "\n"


def defined(scene: Scene) -> Scene | None:
    """Return a scene whose derivatives are nan where what reads their input has no value.

    None where that is plain: of a number all derivatives are, and entry by entry where all have the
    output's shape.
    """
    graph, (output, *_) = scene.graph, scene.outputs
    wrt, first = list(scene.wrt), len(scene.outputs) - len(scene.wrt)
    nodes = graph.needed([output, *wrt])
    shapes = infer(graph, input_shapes(graph, scene.given), nodes)
    alone = all(shapes[by] == shapes[output] for by in wrt)
    entrywise = alone and not any(node.op.move for _, node in graph.walk(nodes))
    if not scene.labels or not shapes[output] or entrywise:
        return None
    slopes = [
        slope if mask is None else where(mask, math.nan, Expr(graph, slope)).node
        for slope, mask in zip(
            scene.outputs[first:], holes(graph, output, wrt, shapes), strict=True
        )
    ]
    return scene._replace(outputs=[*scene.outputs[:first], *slopes])


def described(found: Code) -> str:
    """Return the docstring's first line."""
    what = "value" if len(found.values) == 1 else "values"
    return f"Return the {what}{' and the derivatives by name' if found.gradient else ''}."


def body(found: Code, is_defined: bool) -> list[str]:
    """Return the statements; derivatives may be defined as they are, else nan is put among them."""
    lines = [f"{name} = np.asarray({name}, np.float64)" for name in found.parameters.values()]
    lines += found.lines
    value = ", ".join(found.values)
    if not found.gradient:
        return [*lines, f"return {value}"]
    slopes = [f'    "{name}": {slope},' for name, slope in found.gradient]
    known = "np.asarray(slope)[()]" if is_defined else EACH.format(value)
    checked = f"    name: {known} for name, slope in gradient.items()"
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
    let=let,
    # np.power takes a lone 0.5 for sqrt.
    careful={"pow": lambda last: last is None or last == 0.5},
)
