"""Python on NumPy: a function of numbers or arrays, elementwise with broadcasting.

NAME(x, y)      the value, a tuple where there are several outputs
NAME(x, y)      with the derivatives: the value, and a dict from name to derivative
                two tuples of these where there are several outputs
"""

from __future__ import annotations

import builtins
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import chain, repeat
from typing import TYPE_CHECKING, NamedTuple

from ...autodiff.gradient import gradient
from ...autodiff.inputs import input_shapes
from ...autodiff.ops.rules import Expr
from ...autodiff.ops.selection import where
from ...autodiff.optimize import optimized
from ...autodiff.shapes import infer
from ...autodiff.undefined import holes
from .forms import Form, Piece, Target
from .identifiers import unicode
from .python_helpers import HELPERS
from .reserved import PYTHON
from .sizes import Size, Unfit, Versions, unlike, varying, versions
from .walk import Code, code

if TYPE_CHECKING:
    from ...autodiff.graph import Nested, Shapes
    from ...autodiff.ops import Op
    from ..options import Options
    from ..scene import Scene
    from .sizes import Shaped

SIGNS = {
    **{sign: sign for sign in ("+", "-", "*", "/", "@", "<", "<=", ">", ">=", "==", "!=")},
    "and": "{0:?100} & {1:?100}",
    "or": "{0:?100} | {1:?100}",
    "not": "~{0:?100}",
}

EACH = "np.where(np.isnan({value}), np.nan, slope)[()]"
"""Where there is no value there is no derivative."""


def export(scene: Scene, options: Options) -> str:
    """Return a module with the function. Raises as `walk.code` does."""
    made = written(scene, options)
    found, lines = made.code, body(made)
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


class Written(NamedTuple):
    """Code, the shapes that it is fixed to, and for which outputs nan is where it must be.

    Of an input's shape None is what callers may choose. Derivatives may be without a word: of a
    number all derivatives are, and entry by entry where all have the output's shape and nothing
    mixes. `numbers` are the inputs that must be numbers, as derivatives are made for shapes.
    """

    code: Code
    fixed: Mapping[str, Sequence[int | None]] = {}
    numbers: Sequence[str] = ()
    is_defined: Sequence[bool] = ()


def written(scene: Scene, options: Options) -> Written:
    """Return a scene as code, for all sizes that it can be written for."""
    graph = scene.graph
    if not scene.derivatives or not any(infer_at(scene, input_shapes(graph, scene.given)).values()):
        return Written(code(TARGET, scene, options))
    shapes = input_shapes(graph, scene.given)
    numbers = [name for name in graph.inputs(scene.outputs) if not shapes.get(name)]
    sizes = varying(scene)
    while True:
        unmistakable = infer_at(scene, unlike(scene, sizes))
        mixed = [mixes(scene, output, unmistakable) for output in scene.primals]
        try:
            made = versions(scene, sizes, partial(derived, scene, mixed))
            text = code(TARGET, scene, options, made)
            return Written(text, fixed_shapes(scene, sizes, made), numbers, mixed)
        except Unfit as unfit:
            sizes.remove(unfit.size)


def fixed_shapes(
    scene: Scene, sizes: Sequence[Size], made: Versions
) -> Mapping[str, Sequence[int | None]]:
    """Return the shapes of the inputs that code is fixed to, None for an axis that may vary.

    Where all is element by element, it is fixed to none.
    """
    graph = scene.graph
    if not any(node.op.move for _, node in graph.walk(graph.needed(made.outputs[-1]))):
        return {}
    free = {axis for size in sizes for axis in size.axes}
    shapes = {name: made.actual.get(name, ()) for name in graph.inputs(scene.outputs)}
    found = {
        name: [None if (name, k) in free else size for k, size in enumerate(shape)]
        for name, shape in shapes.items()
        if name not in scene.given
    }
    return {name: axes for name, axes in found.items() if any(size is not None for size in axes)}


def infer_at(scene: Scene, inputs: Shaped) -> Shapes:
    """Return the shapes of outputs and of what they are differentiated by, and all they need."""
    return infer(scene.graph, inputs, scene.graph.needed([*scene.primals, *scene.wrt]))


def mixes(scene: Scene, output: int, shapes: Shapes) -> bool:
    """Tell whether entries of derivatives belong to other entries of an output than their own."""
    graph = scene.graph
    alone = all(shapes[by] == shapes[output] for by in scene.wrt)
    moved = any(node.op.move for _, node in graph.walk(shapes))
    return bool(shapes[output]) and not (alone and not moved)


def derived(scene: Scene, mixed: Sequence[bool], inputs: Shaped) -> Sequence[int]:
    """Return a scene's outputs at shapes of inputs; what mixes has nan where it has no value."""
    graph, found = scene.graph, list(scene.primals)
    wrt, shapes = list(scene.wrt), infer_at(scene, inputs)
    for output, is_mixed in zip(scene.primals, mixed, strict=True):
        slopes = gradient(graph, output, wrt, shapes=shapes)
        if is_mixed:
            masks = holes(graph, output, wrt, shapes)
            slopes = [
                slope if mask is None else where(mask, math.nan, Expr(graph, slope)).node
                for slope, mask in zip(slopes, masks, strict=True)
            ]
        found += slopes
    return optimized(graph, found) if scene.optimized else found


def described(found: Code) -> str:
    """Return the docstring's first line."""
    what = "value" if len(found.values) == 1 else "values"
    several = " of each" if len(found.gradients) > 1 else ""
    slopes = f" and the derivatives{several} by name" if found.gradients else ""
    return f"Return the {what}{slopes}."


def body(made: Written) -> list[str]:
    """Return the statements; derivatives may be defined as they are, else nan is put among them."""
    found = made.code
    lines = [f"{name} = np.asarray({name}, np.float64)" for name in found.parameters.values()]
    for name in [found.parameters[one] for one in made.numbers if one in found.parameters]:
        lines += [
            f"if {name}.ndim:",
            f'    raise ValueError("the derivatives are for a number {name}")',
        ]
    for name, axes in made.fixed.items():
        lines += fixing(found.parameters[name], axes)
    lines += found.lines
    if not found.gradients:
        return [*lines, f"return {', '.join(found.values)}"]
    known = [
        "np.asarray(slope)[()]" if is_defined else EACH.format(value=value)
        for value, is_defined in zip(
            found.values, chain(made.is_defined, repeat(False)), strict=False
        )
    ]
    if len(found.values) == 1:
        checked = f"    name: {known[0]} for name, slope in gradient.items()"
        slopes = entries(found.gradients[0])
        lines += ["gradient = {", *slopes, "}", f"return {found.values[0]}, {{", checked, "}"]
        return lines
    lines.append("gradients = [")
    for one in found.gradients:
        lines += ["    {", *(f"    {line}" for line in entries(one)), "    },"]
    lines += ["]", f"return ({', '.join(found.values)}), ("]
    for k, defined in enumerate(known):
        lines.append(f"    {{name: {defined} for name, slope in gradients[{k}].items()}},")
    return [*lines, ")"]


def fixing(name: str, axes: Sequence[int | None]) -> list[str]:
    """Return the statements that refuse an array of another shape than derivatives are made for."""
    if len(axes) == 1:
        wrong, what = f"len({name}) != {axes[0]}", f"{axes[0]} rows of {name}"
    else:
        known = [f"{name}.shape[{k}] != {size}" for k, size in enumerate(axes) if size is not None]
        wrong = " or ".join([f"{name}.ndim != {len(axes)}", *known])
        shape = ", ".join("n" if size is None else f"{size}" for size in axes)
        what = f"{name} of shape ({shape})"
    return [f"if {wrong}:", f'    raise ValueError("the derivatives are for {what}")']


def entries(slopes: Mapping[str, str]) -> list[str]:
    """Return derivatives by name as the lines of a dict."""
    return [f'    "{name}": {slope},' for name, slope in slopes.items()]


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
    reserved=PYTHON | {"np", "special", "gradient", "gradients", "name", "slope"},
    functions=used_by(HELPERS.values()),
    let=let,
    # np.power takes a lone 0.5 for sqrt.
    careful={"pow": lambda last: last is None or last == 0.5},
)
