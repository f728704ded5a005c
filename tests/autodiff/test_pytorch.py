"""What `inspect` says of autograd's nodes is what PyTorch says: names, inputs, leaves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from cgraph.autodiff.graph import Graph
from cgraph.autodiff.inputs import input_shapes
from cgraph.autodiff.ops import OPS
from cgraph.autodiff.pytorch import tracked
from cgraph.autodiff.shapes import known_shapes
from cgraph.parser import parse

Tree = Any
"""A function's name and the trees of its next functions; None where nothing is differentiated."""

NUMBERS = {"x": 0.7, "y": 1.3, "c": 2.0}
ARRAYS = {
    "X": np.arange(1.0, 10.0).reshape(3, 3) + np.eye(3),
    "v": np.array([1.0, 2.0, 3.0]),
    "B": np.arange(18.0).reshape(2, 3, 3),
}

FORMULAS: dict[str, Callable[[Any, Any], Any]] = {
    "x*y + x": lambda t, n: n.x * n.y + n.x,
    "x^2*3": lambda t, n: n.x**2 * 3,
    "x^y": lambda t, n: n.x**n.y,
    "x^c": lambda t, n: n.x**n.c,
    "2^x": lambda t, n: 2**n.x,
    "c^x": lambda t, n: n.c**n.x,
    "3 - x": lambda t, n: 3 - n.x,
    "x - 3": lambda t, n: n.x - 3,
    "c - x": lambda t, n: n.c - n.x,
    "-x/3": lambda t, n: -n.x / 3,
    "x/y": lambda t, n: n.x / n.y,
    "y = x^2; y*detach(y)": lambda t, n: (n.x**2) * (n.x**2).detach(),
    "detach(x)*y": lambda t, n: n.x.detach() * n.y,
    "where(x > 0, x, y)": lambda t, n: t.where(n.x > 0, n.x, n.y),
    "sin(x) if x > y else 3": lambda t, n: t.where(n.x > n.y, n.x.sin(), 3.0),
    "(x > y)*x": lambda t, n: (n.x > n.y) * n.x,
    "max(x, y)": lambda t, n: t.maximum(n.x, n.y),
    "min(x, exp(y))": lambda t, n: t.minimum(n.x, n.y.exp()),
    "clip(x, 0, 1)": lambda t, n: n.x.clamp(0, 1),
    "clip(x, y, c)": lambda t, n: t.clamp(n.x, n.y, n.c),
    "mod(x, 3) + mod(x, y)": lambda t, n: t.remainder(n.x, 3) + t.remainder(n.x, n.y),
    "floor(x) + sign(y)": lambda t, n: n.x.floor() + n.y.sign(),
    "log1p(x)*expm1(y)": lambda t, n: n.x.log1p() * n.y.expm1(),
    "atan2(x, y)": lambda t, n: t.atan2(n.x, n.y),
    "polygamma(2, x)": lambda t, n: t.polygamma(2, n.x),
    "relu(x) + leaky_relu(y) + gelu(x)*elu(y)": lambda t, n: (
        n.x.relu()
        + t.nn.functional.leaky_relu(n.y)
        + t.nn.functional.gelu(n.x) * t.nn.functional.elu(n.y)
    ),
    "degrees(x) + radians(y)": lambda t, n: n.x.rad2deg() + n.y.deg2rad(),
    "sum(X)": lambda t, n: n.X.sum(),
    "sum(X, 0)": lambda t, n: n.X.sum(0),
    "mean(X) + mean(v, 0)": lambda t, n: n.X.mean() + n.v.mean(0),
    "prod(v) + prod(v, 0)": lambda t, n: n.v.prod() + n.v.prod(0),
    "max(v) + max(X, axis=0)": lambda t, n: n.v.max() + n.X.amax(0),
    "min(v) + min(X, axis=0)": lambda t, n: n.v.min() + n.X.amin(0),
    "relu(X @ X)": lambda t, n: (n.X @ n.X).relu(),
    "X @ v": lambda t, n: n.X @ n.v,
    "v @ v": lambda t, n: n.v @ n.v,
    "X.T": lambda t, n: n.X.T,
    "transpose(B)": lambda t, n: n.B.permute(2, 1, 0),
    "softmax(v) + log_softmax(v)": lambda t, n: n.v.softmax(-1) + n.v.log_softmax(-1),
    "logsumexp(v)": lambda t, n: n.v.logsumexp(-1),
    "v[0] + sum(v[0:2])": lambda t, n: n.v[0] + n.v[0:2].sum(),
    "reshape(X, [9])": lambda t, n: n.X.reshape(9),
    "concat(v, v)": lambda t, n: t.cat([n.v, n.v]),
    "[x, y]": lambda t, n: t.stack([n.x, n.y]),
    "det(X) + trace(X)": lambda t, n: t.linalg.det(n.X) + n.X.trace(),
    "inv(X)": lambda t, n: t.linalg.inv(n.X),
    "solve(X, v)": lambda t, n: t.linalg.solve(n.X, n.v),
    "cumsum(v) + var(v)": lambda t, n: n.v.cumsum(0) + n.v.var(),
    "diag(v)": lambda t, n: n.v.diag(),
    "diag(X)": lambda t, n: n.X.diag(),
}
"""Formulas, and the same in PyTorch of the module and the tensors; `c` has no gradient."""


def own_tree(text: str) -> Tree:
    """Return the tree of the output's function as cgraph has it."""
    graph = parse(text)
    given: dict[str, Any] = {**NUMBERS, **ARRAYS}
    by = [node for name, node in graph.inputs().items() if name != "c"]
    nodes = graph.needed(graph.outputs)
    shapes = known_shapes(graph, nodes, input_shapes(graph, given))
    functions = tracked(graph, nodes, by, shapes)

    def tree(node: int) -> Tree:
        if node not in functions:
            return None
        name, following = functions[node]
        if name is None:
            return "AccumulateGrad"
        args = list(graph.nodes[node].args)
        below = []
        for called, _ in following:
            # The argument that the function is of: those that are left out stand between.
            while called_of(functions, args[0]) != called:
                args.pop(0)
            below.append(tree(args.pop(0)))
        return (name, below)

    return tree(graph.outputs[-1])


def called_of(functions: Mapping[int, Any], node: int) -> str | None:
    return (functions[node].grad_fn or "AccumulateGrad") if node in functions else None


def torch_tree(function: Any) -> Tree:
    """Return the tree of a function of PyTorch's."""
    if function is None:
        return None
    name = function.name().rpartition("::")[2]
    if name == "AccumulateGrad":
        return name
    return (name, [torch_tree(one) for one, _ in function.next_functions])


@pytest.mark.parametrize("text", FORMULAS)
def test_functions_are_those_of_pytorch(text: str) -> None:
    torch = pytest.importorskip("torch")

    class Tensors:
        """The inputs as tensors."""

    for name, value in (NUMBERS | ARRAYS).items():
        tensor = torch.tensor(value, dtype=torch.double, requires_grad=name != "c")
        setattr(Tensors, name, tensor)
    result = FORMULAS[text](torch, Tensors)
    assert own_tree(text) == torch_tree(result.grad_fn)


@pytest.mark.parametrize("text", ["x > y", "detach(x^2)", "x > 0 and not y > 0", "len(v)"])
def test_what_pytorch_does_not_track(text: str) -> None:
    graph = parse(text)
    nodes = graph.needed(graph.outputs)
    functions = tracked(graph, nodes, graph.inputs().values(), {})
    assert graph.outputs[-1] not in functions


def test_every_op_has_a_function_or_none() -> None:
    for op in OPS.values():
        count = op.most or 2
        assert op.torch.inputs is None or set(op.torch.inputs) < set(range(count))
        assert all(max(places) < count for places in op.torch.numbers)
        if op.torch.name == "":
            assert op.stops or op.labels or set(op.partials) == {None} or not op.most


def test_a_named_value_by_which_is_differentiated() -> None:
    graph: Graph = parse("p = x + y; p*z")
    nodes = graph.needed(graph.outputs)
    functions = tracked(graph, nodes, [graph.names["p"]], {})
    assert functions[graph.names["p"]] == ("AddBackward0", [(None, 0), (None, 0)])
    assert functions[graph.outputs[0]] == ("MulBackward0", [("AddBackward0", 0), (None, 0)])
