"""GraphDef as protobuf and TensorBoard read it."""

# protobuf has no types.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportMissingTypeStubs=false

from __future__ import annotations

import json
import re

import pytest
from google.protobuf import json_format, text_format
from hypothesis import given
from tensorboard.compat.proto.graph_pb2 import GraphDef  # pyright: ignore[reportAttributeAccessIssue]

from cgraph.autodiff.graph import Graph
from cgraph.autodiff.ops import OPS, Op
from cgraph.exporters.graphdef import graphdef_json, graphdef_text, op_name
from cgraph.parser import parse

from ..autodiff.tensors import CASES as CALLS
from ..autodiff.tensors import Case, attributes_of, built
from .drawing import WRITABLE, arity, graphs

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
    assert read.node[-1].op == op_name(op, arity(op))


def test_no_two_ops_are_written_alike() -> None:
    written = [name for op in OPS.values() for name in {op.name, op.graphdef} if name]
    assert len(written) == len(set(written))


@pytest.mark.parametrize("case", CALLS, ids=str)
def test_the_text_of_calls_has_a_field_a_line(case: Case) -> None:
    graph, _, result = built(case)
    graph.outputs = [result.node]
    for line in graphdef_text(graph).splitlines():
        assert re.fullmatch(r' *(\}|\w+ \{|\w+: ("[^"]*"|\S+))', line), line
