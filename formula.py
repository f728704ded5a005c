"""A formula as Python has it, and how what is given for its inputs is read."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from os import fspath
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from .autodiff.asked import node_of, one, variables
from .autodiff.constants import FREE
from .autodiff.errors import UsageError, did_you_mean
from .autodiff.graph import MAX_NODES, Graph
from .autodiff.results import values

if TYPE_CHECKING:
    from os import PathLike

    from .autodiff.evaluate import Value
    from .autodiff.graph import Shape

Bindings: TypeAlias = Mapping[str, Any]

Names: TypeAlias = str | Iterable[str]
"""A name, several in one text (`"x,y"`), or several texts."""

LONGEST = 60
"""So many characters of a value that is wrong are shown."""


class Formula:
    """A parsed program; call it with its inputs by name to evaluate it.

    In a notebook it shows as its picture.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.prepared: dict[object, Any] = {}
        """What finds its sparse derivatives, for each choice of them and the shapes of inputs; the
        graph in which constants are inputs."""

    def __reduce__(self) -> tuple[type[Formula], tuple[Graph]]:
        """Say how a copy is made, in this process or another: what is prepared is made anew."""
        return Formula, (self.graph,)

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of its inputs, in the order in which they appear."""
        return tuple(self.graph.inputs())

    def __call__(self, /, **bindings: Any) -> Any:
        """Return its value, a tuple where it has several outputs. Raises as `evaluate` does."""
        return evaluate(self, bindings)

    def render(
        self,
        path: str | PathLike[str] | None = None,
        bindings: Bindings | None = None,
        *,
        grad: bool = False,
        wrt: Names | None = None,
        edges: Literal["shape", "partial", "none"] = "none",
        direction: Literal["right", "up", "down"] = "right",
        theme: Literal["light", "dark"] = "light",
        digits: int = 4,
        dpi: int = 144,
    ) -> str | bytes | None:
        """Draw the graph, with the values that `bindings` determine and with `grad` gradients.

        `path` says the format by its ending and is written whole or not at all; without one the SVG
        is returned, as text. `edges` writes shapes or local derivatives on the edges, `digits`
        rounds numbers, `dpi` is that of a PNG. Raises `UsageError` for a word that is none of
        these, `CgraphError` where the format is unknown or the graph too large to draw.
        """
        from .exporters.compose import MEANINGS, Wanted, scene_of
        from .exporters.dot import DIRECTIONS
        from .exporters.files import save
        from .exporters.options import Options
        from .exporters.registry import by_name, by_path
        from .exporters.themes import THEMES

        one_of(edges, (*MEANINGS, "none"), "edges")
        one_of(direction, DIRECTIONS, "direction")
        one_of(theme, THEMES, "theme")
        wrt = names_by(wrt)
        graph = graph_of(self, bindings, wrt)
        nodes = graph.outputs
        given = numbers(graph, {} if bindings is None else bindings, partly=not grad)
        by = variables(graph, wrt, [one(nodes, "draw a formula of its own")] if grad else nodes)
        wanted = Wanted(by, grad, edges=edges, marked=wrt is not None)
        scene, _ = scene_of(graph, nodes, given, wanted)
        exporter = by_name("svg") if path is None else by_path(fspath(path))
        picture = exporter.export(scene, Options(direction, theme, digits, dpi))
        if path is None:
            return picture.decode() if isinstance(picture, bytes) else picture
        save(picture if isinstance(picture, bytes) else picture.encode(), fspath(path))
        return None

    def _repr_svg_(self) -> str:
        """Return the picture that a notebook shows."""
        picture = self.render()
        assert isinstance(picture, str)
        return picture

    def __str__(self) -> str:
        """Return the program as text that `parse` reads back."""
        from .exporters.text import program

        return program(self.graph).rstrip("\n")

    def __repr__(self) -> str:
        """Return the call that makes it."""
        return f"cgraph.parse({str(self)!r})"


def parse(
    text: str,
    inputs: Names = (),
    max_nodes: int = MAX_NODES,
    *,
    shapes: Mapping[str, Shape] | None = None,
    values: Bindings | None = None,
    dynamic: bool = False,
    training: bool = False,
    seed: int = 0,
) -> Formula:
    """Return the formula that `text` says, in the language of docs/language.md or as GraphDef JSON.

    `inputs` names the constants (pi, e, tau) that are to be inputs. `shapes` declares shapes of
    inputs, as `input X: (10, 2)` does in a program; `values` are known for their shapes, and with
    `dynamic` the program runs at them while it is read: only what is executed is in the graph.
    `training` is for dropout and batch_norm, which draw from `seed`. Raises `CgraphError` with the
    place and the remedy where the text is no formula, or has more than `max_nodes` nodes.
    """
    from .autodiff.inputs import declare
    from .autodiff.modes import settle
    from .parser import load

    if not isinstance(text, str):
        raise no_formula(text)
    known = {name: number(name, value) for name, value in by_name(values or {}, "values")}
    declared = {name: checked_shape(name, shape) for name, shape in by_name(shapes or {}, "shapes")}
    if not is_count(max_nodes):
        raise UsageError(f"a graph has room for one node or more, not for {max_nodes!r}")
    if not is_whole(seed):
        raise UsageError(f"a seed is a whole number from 0 on, not {seed!r}")
    graph = load(
        text,
        name="<formula>",
        inputs=names_in(inputs, "inputs"),
        max_nodes=max_nodes,
        shapes=declared,
        values=known,
        dynamic=dynamic,
        seed=seed,
        training=training,
    )
    graph.seed, graph.training = seed, training
    declare(graph, declared)
    settle(graph)
    return Formula(graph)


def evaluate(formula: Formula | str, bindings: Bindings, output: str | None = None) -> Any:
    """Return the value of the formula: a float, or a float64 array of its broadcast shape.

    With several outputs, a tuple of them, unless `output` names one value of the program. Raises
    `UsageError` for a missing or unknown name, `FormulaError` for shapes that do not fit.
    """
    graph = graph_of(formula, bindings)
    nodes = chosen(graph, output)
    found = [result.value for result in values(graph, nodes, numbers(graph, bindings))]
    return found[0] if len(found) == 1 else tuple(found)


def graph_of(
    formula: Formula | str, bindings: Bindings | None = None, by: Iterable[str] | None = None
) -> Graph:
    """Return the graph of a formula, which may be given as its text, read for some bindings.

    Constants (pi, e, tau) that are among the bindings or the names in `by` are inputs of it. Raises
    `UsageError` for what is no formula.
    """
    given = {} if bindings is None else dict(by_name(bindings, "bindings"))
    free = [name for name in FREE if name in given or name in (by or ())]
    if isinstance(formula, str):
        return parse(formula, free, values=given).graph
    if not isinstance(formula, Formula):
        raise no_formula(formula)
    if not free:
        return formula.graph
    found = formula.prepared.get(("freed", *free))
    if found is None:
        from .autodiff.symbolic import freed

        found = formula.prepared["freed", *free] = freed(formula.graph, free)
    graph: Graph = found
    return graph


def no_formula(given: object) -> UsageError:
    """Return the error for what stands where a formula should."""
    told = f"a formula is its text, or what cgraph.parse returns, not {shown(given)}"
    hint = None
    if isinstance(given, bytes | bytearray):
        hint = "decode it first: text.decode()"
    elif isinstance(given, Graph):
        hint = "cgraph.Formula(graph) makes one"
    return UsageError(told, hint=hint)


def by_name(given: object, what: str) -> Iterable[tuple[str, Any]]:
    """Return the items of what maps names to something. Raises `UsageError` where it does not."""
    if not isinstance(given, Mapping):
        told = f"{what} map names to values, as in {{'x': 1}}, not {shown(given)}"
        raise UsageError(told)
    items = cast("Mapping[object, Any]", given).items()
    for name, _ in items:
        if not isinstance(name, str):
            raise UsageError(f"a name is a text, as in {{'x': 1}}, not {shown(name)}")
    return cast("Iterable[tuple[str, Any]]", items)


def names_in(given: object, what: str) -> tuple[str, ...]:
    """Return names, of which a text is one, or several as in `x,y`.

    Raises `UsageError` for what is neither a text nor texts.
    """
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, Iterable) or isinstance(texts, bytes):
        raise no_names(given, what)
    found: list[str] = []
    for text in cast("Iterable[object]", texts):
        if not isinstance(text, str):
            raise no_names(given, what)
        found += [part.strip() for part in text.split(",")]
    return tuple(filter(None, found))


def names_by(wrt: Names | None) -> tuple[str, ...] | None:
    """Return the names that derivatives are by, None for all inputs."""
    return None if wrt is None else names_in(wrt, "wrt")


def no_names(given: object, what: str) -> UsageError:
    """Return the error for what stands where names should."""
    return UsageError(f"{what} takes a name, 'x', or several, ['x', 'y'], not {shown(given)}")


def shown(given: object) -> str:
    """Return a value as an error shows it."""
    text = repr(given)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def chosen(graph: Graph, output: str | None) -> list[int]:
    """Return the node that `output` names, or the formula's outputs."""
    if output is None:
        return graph.outputs
    if not isinstance(output, str):
        raise UsageError(f"output names one value, 'p', not {shown(output)}")
    return [node_of(graph, output)]


def numbers(graph: Graph, bindings: Bindings, partly: bool = False) -> dict[str, Value]:
    """Return the bindings as floats and float64 arrays.

    Raises `UsageError` for a name that is no input, a value that is no number, and (unless
    `partly`) inputs, all of them at once, that have neither a value nor a default.
    """
    found = {name: number(name, value) for name, value in by_name(bindings, "bindings")}
    if found.keys() == graph.placeholders.keys():
        return found
    unknown = [name for name in found if name not in graph.placeholders]
    if unknown:
        hint = did_you_mean(unknown[0], list(graph.placeholders))
        raise UsageError(f"{unknown[0]!r} is not an input of the formula", hint=hint)
    missing = [name for name in graph.inputs() if name not in found and name not in graph.defaults]
    if missing and not partly:
        raise UsageError(f"no value for {', '.join(missing)}")
    return found


def checked_shape(name: str, shape: object) -> Shape:
    """Return a shape as a tuple of sizes. Raises `UsageError` where it is none."""
    found: list[int] = []
    for size in cast("Iterable[object]", shape if isinstance(shape, tuple | list) else (None,)):
        if not isinstance(size, int) or size < 0:
            told = f"the shape of {name!r} is a tuple of sizes such as (10, 2), not {shape!r}"
            raise UsageError(told)
        found.append(int(size))
    return tuple(found)


def is_whole(number: object) -> bool:
    """Tell whether something is a whole number from 0 on."""
    return isinstance(number, int | float) and number >= 0 and number == number // 1


def is_count(number: object) -> bool:
    """Tell whether something is a whole number from 1 on."""
    return isinstance(number, int) and number >= 1


def one_of(word: str, known: Collection[str], what: str) -> None:
    """Raise `UsageError` unless a word is one of those known."""
    if word not in known:
        raise UsageError(f"'{word}' is no {what}", hint=f"there are {', '.join(known)}")


def number(name: str, value: Any) -> Value:
    """Return a value as a float or a float64 array. Raises `UsageError` where it is no number."""
    if isinstance(value, (float, int)):
        with suppress(OverflowError):
            return float(value)
    from .autodiff.arrays import as_array

    try:
        return as_array(value)
    except (TypeError, ValueError):
        raise UsageError(f"the value of {name!r} is not a number or an array: {value!r}") from None
