"""The public API: a formula in, its value, its exact derivatives, its picture out.

A `Formula` is a parsed program; where one is wanted its text will do. Bindings map each input's
name to a number or an array (anything NumPy takes for one); results are floats, or float64 arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

from .autodiff.asked import named, node_of, one, variables
from .autodiff.compiled import Ready
from .autodiff.errors import UsageError
from .autodiff.evaluate import complete, shape_of
from .autodiff.graph import Graph
from .autodiff.results import Run, gradients
from .formula import (
    Bindings,
    Formula,
    Names,
    by_name,
    chosen,
    graph_of,
    is_count,
    is_whole,
    names_by,
    names_in,
    number,
    numbers,
    one_of,
    shown,
)

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from .autodiff.evaluate import Value
    from .autodiff.gradient import Mode

T = TypeVar("T")

REMEDY = "name it in output="

MODES = ("reverse", "forward", "auto")


def value_and_grad(
    formula: Formula | str,
    bindings: Bindings,
    mode: Mode = "reverse",
    wrt: Names | None = None,
    output: str | None = None,
    checkpoint: bool = False,
) -> tuple[Any, dict[str, Any]]:
    """Return the value and the gradient, a dict from name to derivative in that input's shape.

    `wrt` names inputs or named values, default all inputs; `mode` is "reverse", "forward" or
    "auto". The gradient of an array is that of its sum. With `checkpoint` few values are kept for
    the derivatives and the others computed again. Raises as `evaluate` does, and `UsageError` where
    the formula has several outputs and `output` names none.
    """
    one_of(mode, MODES, "mode")
    graph = graph_of(formula, bindings, wrt := names_by(wrt))
    nodes = [one(chosen(graph, output), REMEDY)]
    by = variables(graph, wrt, nodes)
    result = gradients(graph, nodes, by, numbers(graph, bindings), Run(mode, checkpoint))[0]
    return result.value, result.gradient


def grad(
    formula: Formula | str,
    bindings: Bindings,
    mode: Mode = "reverse",
    wrt: Names | None = None,
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
        self._made_of = graph, nodes, wrt, grad, how
        self._graph = graph
        self._ready = Ready(graph, nodes, wrt, how)
        self._count = len(nodes)
        self._by = tuple(wrt) if grad else None

    def __reduce__(self) -> tuple[type[Compiled], tuple[Any, ...]]:
        """Say how a copy is made, in this process or another: it is made ready anew."""
        return Compiled, self._made_of

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
    wrt: Names | None = None,
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
    one_of(mode, MODES, "mode")
    graph = graph_of(formula, by=(wrt := names_by(wrt)))
    nodes = chosen(graph, output)
    by = variables(graph, wrt, [one(nodes, REMEDY)]) if grad else {}
    if threads is not None and not is_count(threads):
        raise UsageError(f"a program runs on one thread or more, not on {threads!r}")
    return Compiled(graph, nodes, by, grad, Run(mode, False, optimize, threads))


def diff(formula: Formula | str, *wrt: str, output: str | None = None) -> Formula:
    """Return the derivative by one name after another, as a formula in its simplest form.

    `diff("x^3*y", "x", "x")` is the second derivative by x; its inputs are scalars. The name may be
    left out where there is one input. Raises `UsageError` for an unknown name, and where the
    formula has several outputs or inputs and none is named.
    """
    from .autodiff.symbolic import derivatives, extracted

    names = [name for text in wrt for name in names_in(text, "diff")]
    graph = graph_of(formula, by=names)
    node = one(chosen(graph, output), REMEDY)
    names = names or [sole_input(graph, node, "differentiate by", 'as in cgraph.diff(f, "x")')]
    path = [node_of(graph, name) for name in names]
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
    wrt: Names | None = None,
    output: str | None = None,
    *,
    sparse: Literal[True],
) -> csr_array: ...


@overload
def jacobian(
    formula: Formula | str,
    bindings: Bindings,
    mode: Mode = "auto",
    wrt: Names | None = None,
    output: str | None = None,
    *,
    sparse: Literal[False] = False,
) -> Any: ...


def jacobian(
    formula: Formula | str,
    bindings: Bindings,
    mode: Mode = "auto",
    wrt: Names | None = None,
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
    one_of(mode, MODES, "mode")
    graph = graph_of(formula, bindings, wrt := names_by(wrt))
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
    wrt: Names | None = None,
    output: str | None = None,
    *,
    sparse: Literal[True],
) -> csr_array: ...


@overload
def hessian(
    formula: Formula | str,
    bindings: Bindings,
    wrt: Names | None = None,
    output: str | None = None,
    *,
    sparse: Literal[False] = False,
) -> dict[str, dict[str, Any]]: ...


def hessian(
    formula: Formula | str,
    bindings: Bindings,
    wrt: Names | None = None,
    output: str | None = None,
    *,
    sparse: bool = False,
) -> dict[str, dict[str, Any]] | csr_array:
    """Return the second derivatives by name and name.

    A block has the shape of the first input followed by that of the second. The Hessian of an array
    is that of its sum. With `sparse` it is one SciPy matrix, as of `jacobian`. Raises as
    `value_and_grad` does.
    """
    graph = graph_of(formula, bindings, wrt := names_by(wrt))
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
    wrt: Names | None = None,
    output: str | None = None,
) -> dict[str, Any]:
    """Return the Hessian times a vector, a dict from name to a value in that input's shape.

    `vector` maps names to numbers or arrays; a name that it leaves out counts as 0. Raises as
    `value_and_grad` does, and `UsageError` for a vector that does not fit.
    """
    from .autodiff.products import hvp

    along = along_of(vector)
    graph = graph_of(formula, bindings, [*((wrt := names_by(wrt)) or ()), *along])
    nodes = [one(chosen(graph, output), REMEDY)]
    by = variables(graph, wrt, nodes)
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

    along = along_of(vector)
    graph = graph_of(formula, bindings, along)
    by = named(graph, along)
    found = jvp(graph, chosen(graph, output), by, along, numbers(graph, bindings))
    return sole([one.tangent for one in found])


def vjp(
    formula: Formula | str,
    bindings: Bindings,
    vector: Any,
    wrt: Names | None = None,
    output: str | None = None,
) -> dict[str, Any]:
    """Return a vector times the Jacobian, a dict from name to a value in that input's shape.

    `vector` is a number or an array for the one output, or a sequence of them, one for each of
    several. Raises as `evaluate` does, and `UsageError` for a vector that does not fit.
    """
    from .autodiff.products import vjp

    graph = graph_of(formula, bindings, wrt := names_by(wrt))
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

    if not is_whole(abs(order) if isinstance(order, int) else order):  # below 0 is told below
        raise UsageError(f"an order is a whole number from 0 on, not {shown(order)}")
    names = names_by(wrt) or ()
    graph = graph_of(formula, bindings, names)
    nodes = [one(chosen(graph, output), REMEDY)]
    if len(names) > 1:
        raise UsageError(f"a series is in one input, not in {', '.join(names)}")
    name = names[0] if names else sole_input(graph, nodes[0], "expand in", "name one in wrt=")
    return expansions(graph, nodes, name, order, numbers(graph, bindings))[0].coefficients


def along_of(vector: Bindings) -> dict[str, Value]:
    """Return a vector's entries as floats and float64 arrays, by name."""
    return {name: number(name, value) for name, value in by_name(vector, "vector")}


def sole_input(graph: Graph, node: int, to_do: str, remedy: str) -> str:
    """Return the name of the one input of a node. Raises `UsageError` where there is not one."""
    inputs = list(graph.inputs([node]))
    if not inputs:
        raise UsageError(f"there is no input to {to_do}")
    if len(inputs) > 1:
        raise UsageError(f"there are {len(inputs)} inputs to {to_do}", hint=remedy)
    return inputs[0]


def sole(found: Sequence[Any]) -> Any:
    """Return the one thing that was found, or all of them as a tuple."""
    return found[0] if len(found) == 1 else tuple(found)
