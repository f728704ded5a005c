"""GraphDef as protobuf and TensorBoard read it."""

# protobuf has no types.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportMissingTypeStubs=false

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest
from google.protobuf import json_format, text_format
from hypothesis import given
from tensorboard.compat.proto.graph_pb2 import GraphDef  # pyright: ignore[reportAttributeAccessIssue]

from cgraph.autodiff.errors import GraphError
from cgraph.autodiff.evaluate import evaluate
from cgraph.autodiff.graph import Graph
from cgraph.autodiff.ops import OPS, Op
from cgraph.autodiff.shapes import infer
from cgraph.exporters.graphdef import graphdef_json, graphdef_text, op_name
from cgraph.parser import parse
from cgraph.parser.graphdef import read as read_graphdef

from ..autodiff.tensors import CASES as CALLS
from ..autodiff.tensors import Case, attributes_of, built
from .drawing import WRITABLE, arity, graphs
from .sameness import likeness

PROGRAM = """
input fc1.weight: (2, 3)
input r = [[0.1, -0.0], [nan, -inf]]
f(a) = a*a + 1
p = f(fc1.weight)
q = p
α_1*p + max(r, p, 2) - (p < 1)
p
"""


def nodes(text: str) -> dict[str, dict[str, object]]:
    return {node["name"]: node for node in json.loads(graphdef_json(parse(text)))["node"]}


def test_the_documented_form() -> None:
    assert graphdef_json(parse("x*x")) == (
        '{"node": [\n'
        ' {"name": "x", "op": "Placeholder", "input": [], "attr": {"dtype": {"type": "DT_DOUBLE"},'
        ' "shape": {"shape": {"unknownRank": true}}}},\n'
        ' {"name": "mul", "op": "Mul", "input": ["x", "x"], "attr": {"T": {"type": "DT_DOUBLE"},'
        ' "_outputs": {"list": {"i": ["0"]}}, "_operands": {"list": {"s": ["eA==", "eA=="]}}}}\n'
        '], "versions": {"producer": 22}}\n'
    )


def test_ops_have_tensorflows_names_where_it_has_them() -> None:
    found = {name: node["op"] for name, node in nodes("max(x, y) + max(x, y, 1) - gelu(x)").items()}
    assert found["max"] == "Maximum"
    assert found["max_1"] == "max"
    assert found["gelu"] == "gelu"
    assert found["add"] == "AddV2"


def test_numbers_are_exact() -> None:
    graph = parse("x + 0.1 - 5e-324")
    graph.outputs.append(graph.constant(-0.0))
    text = graphdef_json(graph)
    assert '"doubleVal": [0.1]' in text
    assert '"doubleVal": [5e-324]' in text
    assert '"doubleVal": [-0.0]' in text


def test_protobuf_reads_both_forms_alike() -> None:
    graph = parse(PROGRAM)
    shapes = {graph.outputs[0]: (2, 3), graph.outputs[1]: (), 0: None}
    from_json = json_format.Parse(graphdef_json(graph, shapes), GraphDef())
    from_text = text_format.Parse(graphdef_text(graph, shapes), GraphDef())
    assert str(from_json) == str(from_text)
    assert [node.name for node in from_json.node][:2] == ["fc1/weight", "r"]


@given(graphs())
def test_protobuf_reads_any_graph(graph: Graph) -> None:
    from_json = json_format.Parse(graphdef_json(graph), GraphDef())
    from_text = text_format.Parse(graphdef_text(graph), GraphDef())
    assert str(from_json) == str(from_text)


def test_the_text_has_one_field_a_line() -> None:
    line = re.compile(r' *([a-z_]+ \{|\}|[a-z_]+: ("([^"\\]|\\.)*"|[\w.+-]+))')
    assert all(line.fullmatch(each) for each in graphdef_text(parse(PROGRAM)).splitlines())


@pytest.mark.parametrize("op", WRITABLE, ids=lambda op: op.name)
def test_every_op_is_written(op: Op) -> None:
    graph = Graph()
    graph.outputs = [
        graph.add(op, tuple(map(graph.placeholder, "abcd"[: arity(op)])), attributes_of(op))
    ]
    read = json_format.Parse(graphdef_json(graph), GraphDef())
    ours = op.graphdef_last or (op.graphdef_input and not op.graphdef_input.none)
    said = None not in attributes_of(op) or not ours
    assert read.node[-1].op == (op_name(op, arity(op)) if said else op.name)


def test_no_two_ops_are_written_alike() -> None:
    written = [name for op in OPS.values() for name in {op.name, op.graphdef} if name]
    assert len(written) == len(set(written))


def as_tensorflow(text: str, x: Any) -> Any:
    """Return the last node of a file, read as TensorFlow reads it: softmax has no axis there."""
    made: dict[str, Any] = {}
    found: Any = None
    for node in json_format.Parse(text, GraphDef()).node:
        args = [made[name] for name in node.input]
        match node.op:
            case "Placeholder":
                found = x
            case "Const":
                found = np.array(node.attr["value"].tensor.int_val)
            case "Transpose":
                found = np.transpose(*args)
            case "Softmax" | "LogSoftmax":
                own = {"T"} | {name for name in node.attr if name.startswith("_")}
                assert set(node.attr) == own, "TensorFlow drops what it does not know"
                powers = np.exp(args[0])
                found = powers / powers.sum(axis=-1, keepdims=True)
                found = np.log(found) if node.op == "LogSoftmax" else found
            case _:
                raise AssertionError(node.op)
        made[node.name] = found
    return found


@pytest.mark.parametrize("function", ["softmax", "log_softmax"])
@pytest.mark.parametrize(
    ("shape", "axis"), [((2, 3), 0), ((2, 3), 1), ((2, 3, 4), 1), ((2, 3, 4), -3), ((3,), 0)]
)
def test_what_goes_along_an_axis_is_turned_for_tensorflow(
    function: str, shape: tuple[int, ...], axis: int
) -> None:
    graph = parse(f"input x: {shape}; {function}(x, axis={axis})")
    shapes = infer(graph, {"x": shape}, graph.needed(graph.outputs))
    text = graphdef_json(graph, shapes)
    x = np.random.default_rng(1).normal(size=shape)
    expected = evaluate(graph, graph.outputs, {"x": x})[0]
    np.testing.assert_allclose(as_tensorflow(text, x), expected, rtol=1e-13)
    assert likeness(read_graphdef(text)) == likeness(graph)


def test_an_axis_without_its_transpositions_is_refused() -> None:
    graph = parse("input x: (2, 3); softmax(x, axis=0)")
    text = graphdef_json(graph, {graph.outputs[0]: (2, 3)})
    broken = text.replace('"input": ["softmax/before"]', '"input": ["x"]')
    assert broken != text
    with pytest.raises(GraphError) as caught:
        read_graphdef(broken)
    assert "node 'softmax': _axis is for what stands between two transpositions" in str(
        caught.value
    )


def test_an_axis_among_an_unknown_number_is_ours() -> None:
    found = nodes("softmax(x, axis=1) + log_softmax(x, axis=0) + softmax(x)")
    ops = [node["op"] for node in found.values()]
    assert ops == ["Placeholder", "softmax", "log_softmax", "AddV2", "Softmax", "AddV2"]


@pytest.mark.parametrize("function", ["sum", "mean", "prod", "max", "min"])
def test_attributes_have_tensorflows_names(function: str) -> None:
    graph = parse(f"{function}(x, axis=0, keepdims=1)")
    text = graphdef_json(graph)
    assert '"keep_dims": {"b": true}' in text
    assert "keepdims" not in text
    assert likeness(read_graphdef(text)) == likeness(graph)


@pytest.mark.parametrize("case", CALLS, ids=str)
def test_the_text_of_calls_has_a_field_a_line(case: Case) -> None:
    graph, _, result = built(case)
    graph.outputs = [result.node]
    for line in graphdef_text(graph).splitlines():
        assert re.fullmatch(r' *(\}|\w+ \{|\w+: ("[^"]*"|\S+))', line), line
