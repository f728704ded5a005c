"""What is written under TensorFlow's names, run as TensorFlow's op definitions say."""

# protobuf has no types.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportMissingTypeStubs=false, reportUnknownLambdaType=false

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from google.protobuf import text_format
from tensorboard.compat.proto.graph_pb2 import GraphDef  # pyright: ignore[reportAttributeAccessIssue]

from cgraph.autodiff.evaluate import evaluate
from cgraph.autodiff.graph import Graph, Shapes
from cgraph.autodiff.ops import OPS
from cgraph.autodiff.shapes import known_shapes
from cgraph.exporters.graphdef import graphdef_text
from cgraph.exporters.text import formula
from cgraph.parser import parse
from cgraph.parser.graphdef import read

from ..autodiff.tensors import CASES, Case, built, values
from .sameness import likeness

REDUCED = {"T", "Tidx", "keep_dims"}

DEFINED: dict[str, tuple[int | None, set[str]]] = {
    **dict.fromkeys(("Sum", "Mean", "Prod", "Max", "Min"), (2, REDUCED)),
    "BroadcastTo": (2, {"T", "Tidx"}),
    "ConcatV2": (None, {"N", "T", "Tidx"}),
    "Const": (0, {"dtype", "value"}),
    "Cumsum": (2, {"T", "Tidx", "exclusive", "reverse"}),
    "Einsum": (None, {"N", "T", "equation"}),
    "LogSoftmax": (1, {"T"}),
    "MatMul": (2, {"T", "transpose_a", "transpose_b"}),
    "MatrixDeterminant": (1, {"T"}),
    "MatrixInverse": (1, {"T", "adjoint"}),
    "Pack": (None, {"N", "T", "axis"}),
    "Placeholder": (0, {"dtype", "shape"}),
    "Range": (3, {"Tidx"}),
    "Rank": (1, {"T"}),
    "Reshape": (2, {"T", "Tshape"}),
    "Softmax": (1, {"T"}),
    "Sub": (2, {"T"}),
    "Transpose": (2, {"T", "Tperm"}),
}
"""How many inputs ops of TensorFlow take, and their attributes, as its op definitions have them."""


def reduced(function: Any) -> Any:
    def run(node: Any, x: Any, axes: Any) -> Any:
        return function(x, axis=tuple(np.ravel(axes)), keepdims=node.attr["keep_dims"].b)

    return run


def cumulated(node: Any, x: Any, axis: Any) -> Any:
    assert not node.attr["exclusive"].b
    if node.attr["reverse"].b:
        return np.flip(np.cumsum(np.flip(x, int(axis)), int(axis)), int(axis))
    return np.cumsum(x, int(axis))


def softmax(node: Any, x: Any) -> Any:
    powers = np.exp(x)
    return powers / powers.sum(axis=-1, keepdims=True)


def constant(node: Any) -> Any:
    tensor = node.attr["value"].tensor
    held = tensor.int_val if tensor.int_val or tensor.dtype == 3 else tensor.double_val
    return np.array(held, dtype=int if tensor.dtype == 3 else float).reshape(
        [dim.size for dim in tensor.tensor_shape.dim]
    )


RUN: dict[str, Any] = {
    "BroadcastTo": lambda node, x, shape: np.broadcast_to(x, shape),
    "ConcatV2": lambda node, *xs: np.concatenate(xs[:-1], int(xs[-1])),
    "Const": constant,
    "Cumsum": cumulated,
    "Einsum": lambda node, *xs: np.einsum(node.attr["equation"].s.decode(), *xs),
    "LogSoftmax": lambda node, x: np.log(softmax(node, x)),
    "MatMul": lambda node, a, b: a @ b,
    "MatrixDeterminant": lambda node, x: np.linalg.det(x),
    "MatrixInverse": lambda node, x: np.linalg.inv(x),
    "Max": reduced(np.max),
    "Mean": reduced(np.mean),
    "Min": reduced(np.min),
    "Pack": lambda node, *xs: np.stack(xs, node.attr["axis"].i),
    "Prod": reduced(np.prod),
    "Range": lambda node, first, end, step: np.arange(first, end, step),
    "Rank": lambda node, x: np.ndim(x),
    "Reshape": lambda node, x, shape: np.reshape(x, shape),
    "Softmax": softmax,
    "Sub": lambda node, x, y: x - y,
    "Sum": reduced(np.sum),
    "Transpose": lambda node, x, perm: np.transpose(x, perm),
}


def as_tensorflow(text: str, inputs: dict[str, Any]) -> Any:
    """Return the last node of a file as TensorFlow has it, which goes by its inputs."""
    made: dict[str, Any] = {}
    found: Any = None
    for node in text_format.Parse(text, GraphDef()).node:
        args = [made[name] for name in node.input]
        count, attributes = DEFINED[node.op]
        assert count in (None, len(args)), node
        assert {name for name in node.attr if name[0] != "_"} <= attributes, node
        if "N" in attributes:
            assert node.attr["N"].i == len(args) - (node.op == "ConcatV2")
        found = inputs[node.name] if node.op == "Placeholder" else RUN[node.op](node, *args)
        made[node.name] = found
    return found


def told_by_tensorflow(text: str) -> bool:
    return all(node.op in DEFINED for node in text_format.Parse(text, GraphDef()).node)


def written(case: Case, known: bool) -> tuple[Graph, dict[str, Any], str]:
    graph, _, result = built(case)
    graph.outputs = [result.node]
    given = {name: np.asarray(one) for name, one in values(case).items()}
    shapes: Shapes = {}
    if known:
        sizes = {name: one.shape for name, one in given.items()}
        shapes = known_shapes(graph, graph.needed(graph.outputs), sizes)
    return graph, given, graphdef_text(graph, shapes)


@pytest.mark.parametrize("known", [False, True], ids=["shapes unknown", "shapes known"])
@pytest.mark.parametrize("case", CASES, ids=str)
def test_tensorflow_has_the_same_value(case: Case, known: bool) -> None:
    graph, given, text = written(case, known)
    assert likeness(read(text)) == likeness(graph)
    if told_by_tensorflow(text):
        expected = evaluate(graph, graph.outputs, given)[0]
        found = as_tensorflow(text, given)
        assert np.shape(found) == np.shape(expected)
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def test_every_op_that_moves_is_run() -> None:
    names = {op.graphdef for op in OPS.values() if op.move is not None} - {None}
    run = {
        node.op
        for case in CASES
        for node in text_format.Parse(written(case, True)[2], GraphDef()).node
    }
    assert names <= run & DEFINED.keys()


@pytest.mark.parametrize("text", ["cumsum(x)", "x[1:3]", "norm(x, axis=0)", "softmax(x, axis=0)"])
def test_what_tensorflow_cannot_say_has_a_name_of_ours(text: str) -> None:
    ops = {node.op for node in text_format.Parse(graphdef_text(parse(text)), GraphDef()).node}
    assert len(ops - DEFINED.keys()) == 1
    assert all(op.islower() for op in ops - DEFINED.keys())


@pytest.mark.parametrize(
    ("text", "op", "attributes"),
    [
        ("sum(x, axis=1)", "Sum", '{"axis": {"i": "1"}}'),
        ("sum(x)", "Sum", '{"axis": {}, "keep_dims": {"b": false}}'),
        ("mean(x, axis=[0, 1])", "Mean", '{"axis": {"list": {"i": ["0", "1"]}}}'),
        ("x.T", "Transpose", "{}"),
        ("reshape(x, [2, -1])", "Reshape", '{"shape": {"list": {"i": ["2", "-1"]}}}'),
        ("cumsum(x, axis=0)", "Cumsum", '{"axis": {"i": "0"}}'),
        ("one_hot(x, classes=3)", "OneHot", '{"classes": {"i": "3"}}'),
    ],
)
def test_what_was_written_with_attributes_is_read(text: str, op: str, attributes: str) -> None:
    x = '{"name": "x", "op": "Placeholder"}'
    y = f'{{"name": "y", "op": "{op}", "input": ["x"], "attr": {attributes}}}'
    graph = read(f'{{"node": [{x}, {y}]}}')
    assert formula(graph, graph.outputs[0]) == text
