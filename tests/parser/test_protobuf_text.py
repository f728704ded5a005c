"""Protobuf's text format, held to protobuf's own reader."""

# protobuf has no types.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportMissingTypeStubs=false

from __future__ import annotations

import pytest
from google.protobuf import json_format, text_format
from hypothesis import given
from tensorboard.compat.proto.graph_pb2 import GraphDef  # pyright: ignore[reportAttributeAccessIssue]

from cgraph.autodiff.errors import DataError
from cgraph.autodiff.graph import Graph
from cgraph.exporters.graphdef import graphdef_json, graphdef_text
from cgraph.parser import is_graph, load
from cgraph.parser.graphdef import read

from ..exporters.drawing import graphs
from ..exporters.sameness import likeness

HAND_WRITTEN = r"""
# by hand: any order, any spacing, all spellings
versions: { producer: 0x16, min_consumer: 010 };
node { attr { key: 'value' value { tensor { dtype: DT_DOUBLE tensor_shape { dim { size: 3 } }
    double_val: [-1.5e0, 2f, -inf] } } } op: "Co" 'nst' name: "c" }
node <name: "x", op: "Placeholder" attr { value { type: DT_DOUBLE } key: "dtype" }>
node { name: "\x61\144d", op: "Add" input: ["x", "c"] input: "^x"
  attr { key: "_note" value { list { s: "\303\244\n" s: "\u00e4" b: true b: f } } } }
"""


@given(graphs())
def test_any_graph_is_read_as_text(graph: Graph) -> None:
    assert likeness(read(graphdef_text(graph))) == likeness(graph)


@pytest.mark.parametrize(
    "text",
    ["fc1.weight*x; α + T1", "input r = [[0.1, -0.0], [nan, -inf]]; r + 1", "mean(x, axis=1)", "3"],
)
def test_protobufs_own_text_is_read(text: str) -> None:
    graph = load(text)
    message = json_format.Parse(graphdef_json(graph), GraphDef())
    for printed in (str(message), text_format.MessageToString(message, as_one_line=True)):
        assert is_graph(printed)
        assert likeness(load(printed)) == likeness(graph)


def test_what_is_written_by_hand_is_read_as_protobuf_reads_it() -> None:
    message = text_format.Parse(HAND_WRITTEN, GraphDef())
    assert is_graph(HAND_WRITTEN)
    assert graphdef_json(read(HAND_WRITTEN)) == graphdef_json(
        read(json_format.MessageToJson(message))
    )
    assert list(message.node[-1].input) == ["x", "c", "^x"]


@pytest.mark.parametrize("text", ["node < 3", "node", "node*{", "x # node {", "versions + 1"])
def test_formulas_are_none(text: str) -> None:
    assert not is_graph(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("node {", "expected a field or }"),
        ("node { name: }", "expected what name is"),
        ("node { name }", "expected : or { after name"),
        ("node { 3 }", "expected a field or }"),
        ("node { } }", "expected a field"),
        ('node { name: "a }', "unexpected sign"),
        ('node { name: "\\377" }', "name is not text in UTF-8"),
        ("node { input: [1 2] }", "expected , or ]"),
        ('node { name: -"a" }', "expected what name is"),
        ("node { x: 1e999 }", "the number is too large for a float64"),
        ("node { " + "a { " * 200, "nested too deeply"),
        ("node { " + "a { " * 200_000, "nested too deeply"),
        ("node { name: " + "# " * 50_000 + "\n$ }", "unexpected sign"),
    ],
)
def test_refusals(text: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        read(text, "g.pbtxt")
    assert caught.value.message == f"not a GraphDef in protobuf's text format: {message}"
    assert str(caught.value).startswith("g.pbtxt:")


def test_an_error_has_its_place() -> None:
    with pytest.raises(DataError) as caught:
        read('node {\n  name: "x"\n  op = "Placeholder"\n}\n', "g.pbtxt")
    assert str(caught.value) == (
        "g.pbtxt:3:6: error: not a GraphDef in protobuf's text format: unexpected sign\n"
        '  3 |   op = "Placeholder"\n'
        "    |      ^"
    )


def test_lists_of_messages() -> None:
    text = """
    node [{ name: "c" op: "Const" attr { key: "value" value { tensor { dtype: DT_DOUBLE
        tensor_shape { dim: [{ size: 2 }, <size: 1>] } double_val: [1, 2] } } } }]
    """
    message = text_format.Parse(text, GraphDef())
    assert is_graph(text)
    assert likeness(load(text)) == likeness(load(json_format.MessageToJson(message)))
