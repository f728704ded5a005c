"""LaTeX: the formula and its derivatives in an `align` environment, for amsmath."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from ...autodiff.graph import shape_of_nested
from ...autodiff.ops import OPS
from ..names import legal
from .forms import PRODUCT, Form, Piece, Target
from .identifiers import plain
from .reserved import words as words_of
from .walk import code, no_function_name

if TYPE_CHECKING:
    from ...autodiff.graph import Nested, Node, Shape
    from ...autodiff.ops import Op
    from ..options import Options
    from ..scene import Scene

SUM = OPS["add"].precedence
MINUS = (SUM + PRODUCT) // 2
"""How tightly a minus binds: what is a product after it is a product with it."""

LIBRARY = words_of("arccos arcsin arctan cos cosh cot coth csc max min sec sin sinh tan tanh")
"""The functions that LaTeX has a command for; others are set upright."""

SIGNS: dict[str, str | Form] = {
    **{sign: sign for sign in "<>"},
    **{sign: f"{{0:{SUM}}} {sign} {{1:{MINUS + 1}}}" for sign in "+-"},
    "-x": Form(f"-{{0:{PRODUCT}}}", MINUS),
    "*": rf"{{0:{MINUS}}} \cdot {{1:{PRODUCT}}}",
    "/": "/",
    "%": Form(r"{0:71} \bmod {1:71}", MINUS - 1),
    "^": "^",
    "<=": r"\le",
    ">=": r"\ge",
    "==": "=",
    "!=": r"\ne",
    "and": r"{0:?41} \land {1:?41}",
    "or": r"{0:?41} \lor {1:?41}",
    "not": r"\lnot {0:?100}",
}

LETTERS = words_of(
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau "
    "upsilon phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
)
"""The Greek letters that LaTeX has."""

OTHERWISE = {"lamda": "lambda", "Lamda": "Lambda", "omicron": "o"}
"""Letters that Unicode calls otherwise, or LaTeX has no command for."""

NAME = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")
"""What a function may be called: nothing in it is a sign of TeX."""

MOST = 36
"""An array of more entries is not written out."""

CONSTANTS = {math.pi: r"\pi", math.inf: r"\infty", -math.inf: r"-\infty"}


def export(scene: Scene, options: Options) -> str:
    """Return the equations. Raises as `walk.code` does."""
    if options.name and not NAME.fullmatch(options.name):
        raise no_function_name(TARGET, options.name, plain(options.name))
    taken = {*scene.graph.placeholders, *scene.graph.names}
    called = next(letter for letter in (*"fghFGH", "result") if letter not in taken)
    found = code(TARGET, scene, options._replace(name=called))
    names = symbols(scene, options.name, called)
    named = zip(names, found.values, strict=True)
    values = [f"{name} &= {value}" for name, value in named if value != name]
    slopes = [
        rf"\frac{{\partial {name}}}{{\partial {symbol(by)}}} &= {slope}"
        for name, gradient in zip(names, found.gradients, strict=False)
        for by, slope in gradient.items()
    ]
    lines = " \\\\\n".join([*found.lines, *values, *slopes])
    return f"\\begin{{align*}}\n{lines}\n\\end{{align*}}\n"


def symbols(scene: Scene, told: str, called: str) -> list[str]:
    """Return what outputs are called: as they are, else all alike with their numbers."""
    names = [scene.graph.output_name(output) for output in scene.primals]
    if len(names) == 1:
        return [symbol(told or names[0] or called)]
    function = symbol(told or called)
    return [
        symbol(name) if name and not told else f"{function}_{{{k}}}"
        for k, name in enumerate(names, start=1)
    ]


def symbol(name: str) -> str:
    """Return a name as a symbol: Greek letters, what follows a `_` or is a number as its index."""
    parts = re.findall(r"\d+|[^\d._]+", name)
    if not parts or parts[0].isdigit():  # `_` and `_1` are names, 1 is none
        parts = [r"\_", *parts]
    first, *rest = map(letters, parts)
    return f"{first}_{{{', '.join(rest)}}}" if rest else first


def letters(word: str) -> str:
    """Return a word as LaTeX sets it: one letter, a Greek letter's name, or an upright word."""
    if not word.isascii() and len(word) > 1:
        parts = list(map(letters, re.findall(r"[ -~]+|[^ -~]", word)))
        # A command ends where no letter follows it.
        return "".join(f"{part} " if part[1:] in LETTERS else part for part in parts).rstrip()
    if not word.isascii():
        word = legal(word)
        word = OTHERWISE.get(word, word)
    if word in LETTERS:
        return f"\\{word}"
    return word if word == r"\_" or len(word) == 1 or word.isdigit() else rf"\mathrm{{{word}}}"


def library(op: Op) -> str | None:
    """Return LaTeX's name for an op, upright where it has none."""
    known = next((name for name in (op.name, *op.aliases) if name in LIBRARY), None)
    upright = (op.function or op.name).replace("_", r"\_")
    return f"\\{known}" if known else rf"\operatorname{{{{{upright}}}}}"


def call(name: str) -> Form:
    """Return the call of a function."""
    return Form(rf"{name}\left({{args}}\right)")


def let(name: str, piece: Piece) -> str:
    """Return an equation."""
    return f"{name} &= {piece.text}"


def number(value: float) -> str:
    """Return a number; large and small ones with a power of ten."""
    if value in CONSTANTS:
        return CONSTANTS[value]
    if value != value:
        return r"\mathrm{nan}"
    mantissa, _, exponent = repr(value).removesuffix(".0").partition("e")
    return rf"{mantissa.removesuffix('.0')} \times 10^{{{int(exponent)}}}" if exponent else mantissa


def array(value: Nested) -> str:
    """Return a constant vector or matrix; one of more axes, or a large one, by its shape alone."""
    shape = shape_of_nested(value)
    if len(shape) > 2 or math.prod(shape) > MOST:
        return rf"\left[\dots\right]_{{{sizes(shape)}}}"
    entries = cast("tuple[Nested, ...]", value)
    rows = [row if isinstance(row, tuple) else (row,) for row in entries]
    written = [" & ".join(number(cast("float", x)) for x in row) for row in rows]
    inside = r" \\ ".join(written)
    return rf"\begin{{pmatrix}} {inside} \end{{pmatrix}}"


def sizes(shape: Iterable[object]) -> str:
    """Return a shape as it is written."""
    return r" \times ".join(map(str, shape))


def words(node: Node) -> dict[str, object]:
    """Return the attributes as LaTeX writes them: named below a reduction, else in a row.

    That a reduction keeps its axes is left to the reader.
    """
    held = list(zip(node.op.attributes, node.attrs, strict=True))
    named = [
        attr.name if value is True else f"{attr.name} {value}"
        for attr, value in held
        if value not in (attr.default, None) and attr.name != "keepdims"
    ]
    told = [
        sizes(cast("Shape", value)) if attr.kind == "shape" else as_told(value)
        for attr, value in held
        if value is not None
    ]
    below = rf"_{{\text{{{', '.join(named)}}}}}" if named else ""
    return {"below": below, "told": r",\; ".join(told)}


def as_told(held: object) -> str:
    """Return an attribute as a subscript."""
    return str(held).replace("->", r" \to ").replace("...", r"\dots ").replace("_", r"\_")


TARGET = Target(
    name="latex",
    title="LaTeX",
    signs=SIGNS,
    library=library,
    number=number,
    array=array,
    words=words,
    as_number=Form(r"\left[{0:?}\right]"),
    as_truth=Form(r"{0:51} \ne 0", 50, truth=True),
    brackets=r"\left({}\right)",
    identifier=symbol,
    reserved=frozenset(),
    let=let,
    asks_value=False,
    simplifies=True,
    sign=MINUS,
    call=call,
    shared=60,
    longest=400,
)
