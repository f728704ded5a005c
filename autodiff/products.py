"""Products of derivatives with vectors, without the matrices: one pass each.

The vector is an input that no formula can name, so another vector needs no other graph.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from .errors import UsageError
from .evaluate import complete
from .flow import Flow, merged, settled
from .forward import push
from .results import Result
from .reverse import pull, reverse
from .seeds import fit, hidden_input, run_passes, shapes_of
from .shapes import shapes_at
from .undefined import Undefined, derivative

if TYPE_CHECKING:
    from .evaluate import Value
    from .graph import Graph, Shape
    from .shapes import Inferred


class Tangent(NamedTuple):
    """An output at the bindings, and its derivative along the vector."""

    result: Result
    tangent: Value


class Bent(NamedTuple):
    """The value and gradient of an output, and the Hessian times the vector by name."""

    result: Result
    product: dict[str, Value]


class Arrow(NamedTuple):
    """A vector for the shapes of some nodes: the flow that starts at each, and its numbers."""

    flows: dict[int, Flow]
    numbers: dict[str, Value]


def jvp(
    graph: Graph,
    nodes: Sequence[int],
    along: Mapping[str, int],
    vector: Mapping[str, Value],
    bindings: Mapping[str, Value],
) -> list[Tangent]:
    """Return the Jacobian of each of `nodes` by `along` (name to node), times a vector.

    The tangent has the shape of its output. Raises `UsageError` for an input without a value or a
    vector that does not fit, `FormulaError` for shapes that do not fit.
    """
    given = complete(graph, bindings)
    shapes = shapes_at(graph, graph.needed([*nodes, *along.values()]), given)
    arrow = arrow_at(graph, along, vector, shapes)
    flows = push(graph, nodes, arrow.flows, shapes)
    slopes = [settled(flow).node for flow in flows]
    done = run_passes(graph, [*nodes, *slopes], [], {**given, **arrow.numbers})
    found: list[Tangent] = []
    called = graph.first_names()
    for k, (node, slope) in enumerate(zip(nodes, slopes, strict=True)):
        value = done.values[node]
        tangent = fit(done.values[slope], shapes_of([node], shapes)[0])
        blamed = [] if k else done.culprits
        result = Result(node, called.get(node), value, {}, blamed)
        found.append(Tangent(result, derivative(value, tangent)))
    return found


def vjp(
    graph: Graph,
    nodes: Mapping[str, int],
    wrt: Mapping[str, int],
    vector: Mapping[str, Value],
    bindings: Mapping[str, Value],
) -> tuple[list[Result], dict[str, Value]]:
    """Return a vector (a cotangent for each of `nodes`) times their Jacobian by each of `wrt`.

    A product has the shape of what it is by. Raises as `jvp` does.
    """
    given = complete(graph, bindings)
    shapes = shapes_at(graph, graph.needed([*nodes.values(), *wrt.values()]), given)
    arrow = arrow_at(graph, nodes, vector, shapes)
    by = list(wrt.values())
    slopes = pull(graph, arrow.flows, by, shapes)
    done = run_passes(graph, [*nodes.values(), *slopes], [], {**given, **arrow.numbers})
    products = {node: done.values[slope] for node, slope in zip(by, slopes, strict=True)}
    undefined = Undefined(graph, shapes)
    for node in nodes.values():
        products = undefined.apply(node, done.values[node], products, given)
    called = graph.first_names()
    results = [
        Result(node, called.get(node), done.values[node], {}, [] if k else done.culprits)
        for k, node in enumerate(nodes.values())
    ]
    return results, {name: products[node] for name, node in wrt.items()}


def hvp(
    graph: Graph,
    nodes: Sequence[int],
    wrt: Mapping[str, int],
    along: Mapping[str, int],
    vector: Mapping[str, Value],
    bindings: Mapping[str, Value],
) -> list[Bent]:
    """Return the Hessian of each of `nodes`, its rows by `wrt`, its columns by `along`, times a
    vector: forward along the vector over reverse.

    Names that the vector does not have are left out of `along`. Raises as `jvp` does.
    """
    given = complete(graph, bindings)
    return [hessian_times(graph, node, wrt, along, vector, given) for node in nodes]


def hessian_times(
    graph: Graph,
    node: int,
    wrt: Mapping[str, int],
    along: Mapping[str, int],
    vector: Mapping[str, Value],
    given: Mapping[str, Value],
) -> Bent:
    """Return the value and gradient of a node, and its Hessian times a vector."""
    by = list(wrt.values())
    shapes = shapes_at(graph, graph.needed([node, *by, *along.values()]), given)
    slopes = reverse(graph, node, by, shapes)
    if shapes is not None:
        shapes = shapes_at(graph, graph.needed([node, *by, *along.values(), *slopes]), given)
    arrow = arrow_at(graph, along, vector, shapes)
    bent = [settled(flow).node for flow in push(graph, slopes, arrow.flows, shapes)]
    done = run_passes(graph, [node, *slopes, *bent], [], {**given, **arrow.numbers})
    value = done.values[node]
    plain = {start: done.values[slope] for start, slope in zip(by, slopes, strict=True)}
    defined = Undefined(graph, shapes).apply(node, value, plain, given)
    first: dict[str, Value] = {}
    second: dict[str, Value] = {}
    for name, start, bend in zip(wrt, by, bent, strict=True):
        first[name] = defined[start]
        whole = fit(done.values[bend], shapes_of([start], shapes)[0])
        second[name] = derivative(first[name], whole)
    return Bent(Result(node, graph.output_name(node), value, first, done.culprits), second)


def arrow_at(
    graph: Graph, along: Mapping[str, int], vector: Mapping[str, Value], shapes: Inferred | None
) -> Arrow:
    """Return the flows that a vector starts. Raises `UsageError` where its shapes do not fit."""
    flows: dict[int, Flow] = {}
    numbers: dict[str, Value] = {}
    for name, node in along.items():
        (shape,) = shapes_of([node], shapes)
        entry = f"vector for {name}"
        numbers[entry] = fit(checked(name, vector[name], shape), shape)
        flow = Flow(hidden_input(graph, entry, node, shapes), None)
        flows[node] = merged([flows[node], flow]) if node in flows else flow
    return Arrow(flows, numbers)


def checked(name: str, value: Value, shape: Shape) -> Value:
    """Return what a vector has for a name. Raises `UsageError` where it is of another shape."""
    found: Shape = () if isinstance(value, float | int) else value.shape
    if found not in ((), shape):
        raise UsageError(f"the vector has shape {found} for {name}, which has shape {shape}")
    return value
