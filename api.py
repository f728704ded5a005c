"""The public API: a formula in, its value, its exact derivatives, its picture out.

A `Formula` is a parsed program; where one is wanted its text will do. Bindings map each input's
name to a number or an array (anything NumPy takes for one); results are floats, or float64 arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from os import fspath
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar, cast, overload

from .autodiff.asked import named, node_of, one, variables
from .autodiff.compiled import Ready
from .autodiff.errors import UsageError, did_you_mean
from .autodiff.evaluate import complete, shape_of
from .autodiff.graph import MAX_NODES, Graph
from .autodiff.results import Run, gradients, values

if TYPE_CHECKING:
    from os import PathLike

    from scipy.sparse import csr_array

    from .autodiff.evaluate import Value
    from .autodiff.gradient import Mode
    from .autodiff.graph import Shape

Bindings: TypeAlias = Mapping[str, Any]

T = TypeVar("T")

REMEDY = "name it in output="


class Formula:
    """A parsed program; call it with its inputs by name to evaluate it.

    In a notebook it shows as its picture.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.prepared: dict[object, Any] = {}
        """What finds its sparse derivatives, for each choice of them and the shapes of inputs."""

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
        wrt: Sequence[str] | None = None,
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
        graph, nodes = self.graph, self.graph.outputs
        given = numbers(graph, bindings or {}, partly=not grad)
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
    inputs: Sequence[str] = (),
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

    known = {name: number(name, value) for name, value in (values or {}).items()}
    declared = {name: checked_shape(name, shape) for name, shape in (shapes or {}).items()}
    if seed < 0 or seed != int(seed):
        raise UsageError(f"a seed is a whole number from 0 on, not {seed!r}")
    graph = load(
        text,
        name="<formula>",
        inputs=tuple(inputs),
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


def value_and_grad(
    formula: Formula | str,
    bindings: Bindings,
    mode: Mode = "reverse",
    wrt: Sequence[str] | None = None,
    output: str | None = None,
    checkpoint: bool = False,
) -> tuple[Any, dict[str, Any]]:
    """Return the value and the gradient, a dict from name to derivative in that input's shape.

    `wrt` names inputs or named values, default all inputs; `mode` is "reverse", "forward" or
    "auto". The gradient of an array is that of its sum. With `checkpoint` few values are kept for
    the derivatives and the others computed again. Raises as `evaluate` does, and `UsageError` where
    the formula has several outputs and `output` names none.
    """
    graph = graph_of(formula, bindings)
    nodes = [one(chosen(graph, output), REMEDY)]
    by = variables(graph, wrt, nodes)
    result = gradients(graph, nodes, by, numbers(graph, bindings), Run(mode, checkpoint))[0]
    return result.value, result.gradient


def grad(
    formula: Formula | str,
    bindings: Bindings,
    mode: Mode = "reverse",
    wrt: Sequence[str] | None = None,
    output: str | None = None,
) -> dict[str, Any]:
    """Return the gradient; see `value_and_grad`."""
    return value_and_grad(formula, bindings, mode, wrt, output)[1]


class Compiled:
    """A formula made ready once to be run many times: `program(x=1.0, y=3.0)`.

    It returns the value (a tuple of them for several outputs), or with `grad` the pair of value and
    gradient, a dict from name to derivative. Of an array the gradient is that of its sum: the
    derivative by a column has that of each row, the derivative by a number is summed over all.

    Arrays of one shape are columns. Their rows are run in blocks, on all cores or on as many as
    `threads` says; beside the results that takes no more memory for more rows. What else is made
    ready depends on the shapes of the inputs; each combination is prepared at its first use.

    `program(x=..., out=result)` writes into the arrays of an earlier result, in the form in which
    it was returned, instead of new ones. Where the formula has an input called `out`, that is the
    input, and `run` takes the result.
    """

    def __init__(
        self, graph: Graph, nodes: Sequence[int], wrt: Mapping[str, int], grad: bool, how: Run
    ) -> None:
        self._graph = graph
        self._ready = Ready(graph, nodes, wrt, how)
        self._count = len(nodes)
        self._by = tuple(wrt) if grad else None

    def __call__(self, /, **bindings: Any) -> Any:
        """Run it at a value for each input, by name. Raises as `evaluate` and `run` do."""
        found = self._ready.at_floats(bindings)
        if found is None:
            out = None if "out" in self._graph.placeholders else bindings.pop("out", None)
            return self.run(bindings, out)
        return self._told(found)

    def run(self, bindings: Bindings, out: Any = None) -> Any:
        """Run it at bindings, and write into the arrays of `out`, an earlier result, if given.

        Raises as `evaluate` does, and `UsageError` for an `out` of another form or of other shapes,
        and for one that shares memory with an input.
        """
        given = complete(self._graph, numbers(self._graph, bindings))
        return self._told(self._ready.at(given, () if out is None else self._spaces(out, given)))

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of its inputs, in the order in which they appear."""
        return tuple(self._graph.inputs())

    def __repr__(self) -> str:
        by = "" if self._by is None else f", derivatives by {', '.join(self._by) or 'nothing'}"
        return f"<compiled: inputs {', '.join(self.inputs) or 'none'}{by}>"

    @property
    def _form(self) -> str:
        """The form of a result, in words."""
        if self._by is not None:
            return "(value, {name: derivative})"
        return "a value" if self._count == 1 else "a tuple of values"

    def _told(self, found: Sequence[Value]) -> Any:
        """Return the results in their form."""
        if self._by is not None:
            return found[0], dict(zip(self._by, found[1:], strict=True))
        return found[0] if self._count == 1 else tuple(found)

    def _spaces(self, out: Any, given: Mapping[str, Value]) -> Sequence[Any]:
        """Return the arrays in a result, None for numbers."""
        from .autodiff.arrays import spaces

        try:
            if self._by is not None:
                value, gradient = out
                return spaces([value, *(gradient[name] for name in self._by)], given.values())
            return spaces([out] if self._count == 1 else list(out), given.values())
        except (AttributeError, TypeError, ValueError, KeyError):
            told = "out= takes what a run of this program returned"
            raise UsageError(told, hint=f"its form is {self._form}") from None


def compile(
    formula: Formula | str,
    grad: bool = False,
    mode: Mode = "reverse",
    wrt: Sequence[str] | None = None,
    output: str | None = None,
    *,
    optimize: bool = True,
    threads: int | None = None,
) -> Compiled:
    """Return the formula as a program that is built once and run many times; see `Compiled`.

    It is optimized (see `optimize`) unless told not to. `threads` is how many cores it uses at
    most, None for all that there are. Raises `UsageError` for unknown names, and with `grad` for a
    formula of several outputs.
    """
    graph = graph_of(formula)
    nodes = chosen(graph, output)
    by = variables(graph, wrt, [one(nodes, REMEDY)]) if grad else {}
    if threads is not None and not is_count(threads):
        raise UsageError(f"a program runs on one thread or more, not on {threads!r}")
    return Compiled(graph, nodes, by, grad, Run(mode, False, optimize, threads))


def graph_of(formula: Formula | str, bindings: Bindings | None = None) -> Graph:
    """Return the graph of a formula, which may be given as its text, read for some bindings."""
    if not isinstance(formula, str):
        return formula.graph
    return parse(formula, values=bindings).graph


def chosen(graph: Graph, output: str | None) -> list[int]:
    """Return the node that `output` names, or the formula's outputs."""
    return graph.outputs if output is None else [node_of(graph, output)]


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


def diff(formula: Formula | str, *wrt: str, output: str | None = None) -> Formula:
    """Return the derivative by one name after another, as a formula in its simplest form.

    `diff("x^3*y", "x", "x")` is the second derivative by x; its inputs are scalars. Raises
    `UsageError` for an unknown name, and where the formula has several outputs and `output` names
    none.
    """
    from .autodiff.symbolic import derivatives, extracted

    graph = graph_of(formula)
    node = one(chosen(graph, output), REMEDY)
    path = list(named(graph, wrt).values())
    return Formula(extracted(graph, derivatives(graph, node, [path])))


def simplify(formula: Formula | str) -> Formula:
    """Return the formula in its simplest form: the same value wherever it has one."""
    from .autodiff import simplify as rules
    from .autodiff.symbolic import extracted

    graph = graph_of(formula)
    return Formula(extracted(graph, rules.simplify(graph, graph.outputs)))


def optimize(formula: Formula | str) -> Formula:
    """Return the formula at its fastest: the same values from fewer and cheaper operations.

    Numbers are computed, what is the same is computed once, and `x^2` is `x*x`, `x/10` `x*0.1`,
    where that may change a last digit and nothing else. Chains of elementwise operations are scopes
    of its graph, `fused_1`.
    """
    from .autodiff.optimize import optimize

    graph = graph_of(formula)
    return Formula(optimize(graph, graph.outputs).graph)


@overload
def jacobian(
    formula: Formula | str,
    bindings: Bindings,
    mode: Mode = "auto",
    wrt: Sequence[str] | None = None,
    output: str | None = None,
    *,
    sparse: Literal[True],
) -> csr_array: ...


@overload
def jacobian(
    formula: Formula | str,
    bindings: Bindings,
    mode: Mode = "auto",
    wrt: Sequence[str] | None = None,
    output: str | None = None,
    *,
    sparse: Literal[False] = False,
) -> Any: ...


def jacobian(
    formula: Formula | str,
    bindings: Bindings,
    mode: Mode = "auto",
    wrt: Sequence[str] | None = None,
    output: str | None = None,
    *,
    sparse: bool = False,
) -> Any:
    """Return the derivatives of the formula, a dict from name to Jacobian by it.

    A Jacobian has the shape of the output followed by that of the input; it is a float where both
    are. With several outputs, a tuple of such dicts. "auto" is the mode with the fewer passes.

    With `sparse` it is one SciPy matrix: its rows are the entries of all outputs in order, its
    columns those of all inputs (of `wrt`). What is 0 at all values is left out, and columns that no
    row has two of are found together. A `Formula` keeps what was prepared for the shapes of its
    inputs: found again at other values it takes a fraction of the time. Raises as `evaluate` does.
    """
    graph = graph_of(formula, bindings)
    nodes = chosen(graph, output)
    by = variables(graph, wrt, nodes)
    given = numbers(graph, bindings)
    if sparse:
        from .autodiff.sparse import SparseJacobian

        given = complete(graph, given)
        key = ("jacobian", *nodes, *by.items(), mode)
        ready = kept(formula, key, given, lambda: SparseJacobian(graph, nodes, by, given, mode))
        return ready.at(given).matrix
    from .autodiff.jacobian import jacobians

    return sole([result.gradient for result in jacobians(graph, nodes, by, given, mode)])


@overload
def hessian(
    formula: Formula | str,
    bindings: Bindings,
    wrt: Sequence[str] | None = None,
    output: str | None = None,
    *,
    sparse: Literal[True],
) -> csr_array: ...


@overload
def hessian(
    formula: Formula | str,
    bindings: Bindings,
    wrt: Sequence[str] | None = None,
    output: str | None = None,
    *,
    sparse: Literal[False] = False,
) -> dict[str, dict[str, Any]]: ...


def hessian(
    formula: Formula | str,
    bindings: Bindings,
    wrt: Sequence[str] | None = None,
    output: str | None = None,
    *,
    sparse: bool = False,
) -> dict[str, dict[str, Any]] | csr_array:
    """Return the second derivatives by name and name.

    A block has the shape of the first input followed by that of the second. The Hessian of an array
    is that of its sum. With `sparse` it is one SciPy matrix, as of `jacobian`. Raises as
    `value_and_grad` does.
    """
    graph = graph_of(formula, bindings)
    nodes = [one(chosen(graph, output), REMEDY)]
    by = variables(graph, wrt, nodes)
    given = numbers(graph, bindings)
    if sparse:
        from .autodiff.sparse import SparseHessian

        given = complete(graph, given)
        key = ("hessian", *nodes, *by.items())
        ready = kept(formula, key, given, lambda: SparseHessian(graph, nodes[0], by, given))
        return ready.at(given).matrix
    from .autodiff.hessian import hessians

    return hessians(graph, nodes, by, given)[0].hessian


def kept(
    formula: Formula | str, key: object, given: Mapping[str, Value], prepare: Callable[[], T]
) -> T:
    """Return what is prepared for the shapes of inputs, which a `Formula` keeps."""
    if isinstance(formula, str):
        return prepare()
    shapes = {name: shape_of(value) for name, value in given.items()}
    whole = key, *sorted(shapes.items())
    if whole not in formula.prepared:
        formula.prepared[whole] = prepare()
    found: T = formula.prepared[whole]
    return found


def hvp(
    formula: Formula | str,
    bindings: Bindings,
    vector: Bindings,
    wrt: Sequence[str] | None = None,
    output: str | None = None,
) -> dict[str, Any]:
    """Return the Hessian times a vector, a dict from name to a value in that input's shape.

    `vector` maps names to numbers or arrays; a name that it leaves out counts as 0. Raises as
    `value_and_grad` does, and `UsageError` for a vector that does not fit.
    """
    from .autodiff.products import hvp

    graph = graph_of(formula, bindings)
    nodes = [one(chosen(graph, output), REMEDY)]
    by = variables(graph, wrt, nodes)
    along = {name: number(name, value) for name, value in vector.items()}
    columns = named(graph, along)
    return hvp(graph, nodes, by, columns, along, numbers(graph, bindings))[0].product


def jvp(
    formula: Formula | str, bindings: Bindings, vector: Bindings, output: str | None = None
) -> Any:
    """Return the Jacobian times a vector: the derivative of the formula in that direction.

    It has the output's shape; with several outputs it is a tuple. `vector` maps names to numbers or
    arrays; a name that it leaves out counts as 0. Raises as `evaluate` does, and `UsageError` for a
    vector that does not fit.
    """
    from .autodiff.products import jvp

    graph = graph_of(formula, bindings)
    along = {name: number(name, value) for name, value in vector.items()}
    by = named(graph, along)
    found = jvp(graph, chosen(graph, output), by, along, numbers(graph, bindings))
    return sole([one.tangent for one in found])


def vjp(
    formula: Formula | str,
    bindings: Bindings,
    vector: Any,
    wrt: Sequence[str] | None = None,
    output: str | None = None,
) -> dict[str, Any]:
    """Return a vector times the Jacobian, a dict from name to a value in that input's shape.

    `vector` is a number or an array for the one output, or a sequence of them, one for each of
    several. Raises as `evaluate` does, and `UsageError` for a vector that does not fit.
    """
    from .autodiff.products import vjp

    graph = graph_of(formula, bindings)
    nodes = chosen(graph, output)
    parts = [vector] if len(nodes) == 1 else list(vector)
    if len(parts) != len(nodes):
        raise UsageError(f"the vector has {len(parts)} parts for {len(nodes)} outputs")
    weights = {f"output {k + 1}": number("vector", part) for k, part in enumerate(parts)}
    outputs = dict(zip(weights, nodes, strict=True))
    by = variables(graph, wrt, nodes)
    return vjp(graph, outputs, by, weights, numbers(graph, bindings))[1]


def taylor(
    formula: Formula | str,
    bindings: Bindings,
    order: int,
    wrt: str | None = None,
    output: str | None = None,
) -> list[float]:
    """Return the coefficients of the Taylor series around the bindings, from order 0 to `order`.

    It is in powers of `wrt`, which may be left out where there is one input. Raises as `evaluate`
    does, `UsageError` where the formula has several outputs or inputs and none is named,
    `FormulaError` where a value is an array.
    """
    from .autodiff.taylor import expansions

    graph = graph_of(formula, bindings)
    nodes = [one(chosen(graph, output), REMEDY)]
    inputs = list(graph.inputs(nodes))
    if wrt is None and len(inputs) != 1:
        raise UsageError(f"there are {len(inputs)} inputs to expand in", hint="name one in wrt=")
    name = inputs[0] if wrt is None else wrt
    return expansions(graph, nodes, name, order, numbers(graph, bindings))[0].coefficients


def sole(found: Sequence[Any]) -> Any:
    """Return the one thing that was found, or all of them as a tuple."""
    return found[0] if len(found) == 1 else tuple(found)
