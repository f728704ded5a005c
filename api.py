"""The public API: a formula in, its value, its exact derivatives, its picture out.

A `Formula` is a parsed program. Bindings map each input's name to a number or an array (anything
NumPy takes for one); results are floats, or float64 arrays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import fspath
from typing import TYPE_CHECKING, Any, TypeAlias

from .autodiff.errors import UsageError
from .autodiff.evaluate import complete
from .autodiff.graph import Graph
from .autodiff.results import Plan, gradients, plan, results, values
from .autodiff.shapes import shapes_at

if TYPE_CHECKING:
    from os import PathLike

    from .autodiff.evaluate import Value
    from .autodiff.gradient import Mode
    from .autodiff.origin import Culprit

Bindings: TypeAlias = Mapping[str, Any]


class Formula:
    """A parsed program; call it with its inputs by name to evaluate it.

    In a notebook it shows as its picture.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of its inputs, in the order in which they appear."""
        return tuple(self.graph.inputs())

    def __call__(self, **bindings: Any) -> Any:
        """Return its value, a tuple where it has several outputs. Raises as `evaluate` does."""
        return evaluate(self, bindings)

    def render(
        self,
        path: str | PathLike[str] | None = None,
        bindings: Bindings | None = None,
        *,
        grad: bool = False,
        wrt: Sequence[str] | None = None,
        edges: str = "none",
        **style: Any,
    ) -> str | bytes | None:
        """Draw the graph, with the values that `bindings` determine and with `grad` gradients.

        `path` says the format by its ending and is written whole or not at all; without one the SVG
        is returned, as text. `edges` is "shape", "partial" or "none"; `style` is direction, theme,
        digits and dpi as `cgraph render` has them. Raises `CgraphError` where the format is unknown
        or the graph too large to draw.
        """
        from .exporters.compose import Wanted, scene_of
        from .exporters.files import save
        from .exporters.options import Options
        from .exporters.registry import by_name, by_path

        graph, nodes = self.graph, self.graph.outputs
        given = numbers(graph, bindings or {}, partly=not grad)
        wanted = Wanted(variables(graph, wrt, one(nodes) if grad else nodes), grad, edges=edges)
        scene, _ = scene_of(graph, nodes, given, wanted)
        exporter = by_name("svg") if path is None else by_path(fspath(path))
        picture = exporter.export(scene, Options(**style))
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

        return program(self.graph)

    def __repr__(self) -> str:
        """Return the call that makes it."""
        return f"cgraph.parse({str(self)!r})"


def parse(text: str, inputs: Sequence[str] = ()) -> Formula:
    """Return the formula that `text` says; DESIGN's language, or GraphDef JSON.

    `inputs` names the constants (pi, e, tau) that are to be inputs. Raises `CgraphError` with the
    place and the remedy where the text is no formula.
    """
    from .parser import load

    return Formula(load(text, name="<formula>", inputs=tuple(inputs)))


def evaluate(formula: Formula, bindings: Bindings, output: str | None = None) -> Any:
    """Return the value of the formula: a float, or a float64 array of its broadcast shape.

    With several outputs, a tuple of them, unless `output` names one value of the program. Raises
    `UsageError` for a missing or unknown name, `FormulaError` for shapes that do not fit.
    """
    graph = formula.graph
    nodes = chosen(graph, output)
    found = [result.value for result in values(graph, nodes, numbers(graph, bindings))]
    return found[0] if len(found) == 1 else tuple(found)


def value_and_grad(
    formula: Formula,
    bindings: Bindings,
    mode: Mode = "reverse",
    wrt: Sequence[str] | None = None,
    output: str | None = None,
) -> tuple[Any, dict[str, Any]]:
    """Return the value and the gradient, a dict from name to derivative in that input's shape.

    `wrt` names inputs or named values, default all inputs; `mode` is "reverse", "forward" or
    "auto". The gradient of an array is that of its sum. Raises as `evaluate` does, and `UsageError`
    where the formula has several outputs and `output` names none.
    """
    graph = formula.graph
    nodes = one(chosen(graph, output))
    by = variables(graph, wrt, nodes)
    result = gradients(graph, nodes, by, numbers(graph, bindings), mode)[0]
    return result.value, result.gradient


def grad(
    formula: Formula,
    bindings: Bindings,
    mode: Mode = "reverse",
    wrt: Sequence[str] | None = None,
    output: str | None = None,
) -> dict[str, Any]:
    """Return the gradient; see `value_and_grad`."""
    return value_and_grad(formula, bindings, mode, wrt, output)[1]


class Compiled:
    """A formula made ready once to be run many times: `program(x=1.0, y=3.0)`.

    It returns the value, or with `grad` the pair of value and gradient. What is made ready depends
    on the shapes of the inputs; each combination is prepared at its first use.
    """

    def __init__(
        self,
        graph: Graph,
        nodes: Sequence[int],
        wrt: Mapping[str, int],
        mode: Mode,
        grad: bool,
    ) -> None:
        self._graph = graph
        self._nodes = tuple(nodes)
        self._wrt = dict(wrt)
        self._mode = mode
        self._grad = grad
        self._plans: dict[object, Plan] = {}

    def __call__(self, **bindings: Any) -> Any:
        """Run it. Raises as `evaluate` does."""
        given = complete(self._graph, numbers(self._graph, bindings))
        key = tuple([getattr(value, "shape", ()) for value in given.values()])
        plan = self._plans.get((key, tuple(given)))
        if plan is None:
            plan = self._plans[key, tuple(given)] = self._plan(given)
        found = results(self._graph, plan, given)
        if self._grad:
            return found[0].value, found[0].gradient
        return found[0].value if len(found) == 1 else tuple(result.value for result in found)

    def _plan(self, given: Mapping[str, Value]) -> Plan:
        needed = self._graph.needed([*self._nodes, *self._wrt.values()])
        shapes = shapes_at(self._graph, needed, given)
        return plan(self._graph, self._nodes, self._wrt, self._mode, shapes)


def compile(
    formula: Formula,
    grad: bool = False,
    mode: Mode = "reverse",
    wrt: Sequence[str] | None = None,
    output: str | None = None,
) -> Compiled:
    """Return the formula as a program that is built once and run many times; see `Compiled`.

    Raises `UsageError` for unknown names, and with `grad` for a formula of several outputs.
    """
    graph = formula.graph
    nodes = chosen(graph, output)
    return Compiled(graph, nodes, variables(graph, wrt, one(nodes)) if grad else {}, mode, grad)


def chosen(graph: Graph, output: str | None) -> list[int]:
    """Return the node that `output` names, or the formula's outputs."""
    return graph.outputs if output is None else [named(graph, output)]


def one(nodes: Sequence[int]) -> Sequence[int]:
    """Return the nodes if there is one. Raises `UsageError` where there are several."""
    if len(nodes) != 1:
        raise UsageError(
            f"a gradient is of one output, the formula has {len(nodes)}", hint="name it in output="
        )
    return nodes


def named(graph: Graph, name: str) -> int:
    """Return the node of an input or a named value. Raises `UsageError` where there is none."""
    node = graph.named(name)
    if node is None:
        raise UsageError(f"no value is called {name!r}", hint=near_miss(name, known_names(graph)))
    return node


def known_names(graph: Graph) -> list[str]:
    """Return the names of the inputs and of the named values."""
    return list(dict.fromkeys([*graph.inputs(), *graph.names]))


def variables(graph: Graph, wrt: Sequence[str] | None, nodes: Sequence[int]) -> dict[str, int]:
    """Return the nodes to differentiate by, by name: those of `wrt`, or all inputs of `nodes`."""
    if wrt is None:
        return graph.inputs(nodes)
    return {name: named(graph, name) for name in wrt}


def near_miss(name: str, known: Sequence[str]) -> str | None:
    """Return a question that names the likeliest of `known`, None where none is near."""
    from difflib import get_close_matches

    close = get_close_matches(name, known, n=1)
    return f"did you mean {close[0]!r}?" if close else None


def numbers(graph: Graph, bindings: Bindings, partly: bool = False) -> dict[str, Value]:
    """Return the bindings as floats and float64 arrays.

    Raises `UsageError` for a name that is no input, a value that is no number, and (unless
    `partly`) inputs, all of them at once, that have neither a value nor a default.
    """
    found = {name: number(name, value) for name, value in bindings.items()}
    if found.keys() == graph.placeholders.keys():
        return found
    unknown = [name for name in found if name not in graph.placeholders]
    if unknown:
        hint = near_miss(unknown[0], list(graph.placeholders))
        raise UsageError(f"{unknown[0]!r} is not an input of the formula", hint=hint)
    missing = [name for name in graph.inputs() if name not in found and name not in graph.defaults]
    if missing and not partly:
        raise UsageError(f"no value for {', '.join(missing)}")
    return found


def number(name: str, value: Any) -> Value:
    """Return a value as a float or a float64 array. Raises `UsageError` where it is no number."""
    if isinstance(value, (float, int)):
        return float(value)
    from .autodiff.arrays import as_array

    try:
        return as_array(value)
    except (TypeError, ValueError):
        raise UsageError(f"the value of {name!r} is not a number or an array: {value!r}") from None


def warning_of(graph: Graph, culprit: Culprit) -> str:
    """Return the sentence that names who made a result nan or infinite, and at which values."""
    from .exporters.text import formula
    from .exporters.text import number as spelled

    told = culprit.node if culprit.primal is None else culprit.primal
    what = formula(graph, told, limit=60)
    node = graph.nodes[told]
    at = ", ".join(
        dict.fromkeys(
            f"{formula(graph, arg, limit=40)} = {spelled(value)}"
            for arg, value in zip(node.args, culprit.args, strict=True)
            if graph.literal(arg) is None
        )
    )
    subject = what if culprit.primal is None else f"the derivative of {what}"
    element = f", element {list(culprit.element)}" if culprit.element else ""
    place = graph.place(graph.spans[told])
    where = f" (line {place.line}, column {place.column})" if place else ""
    return f"{subject} is {spelled(culprit.value)}" + (f" at {at}" if at else "") + element + where
