"""GraphDef JSON read back, read from other tools, and refused."""

# protobuf has no types.
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportMissingTypeStubs=false

from __future__ import annotations

import base64
import json
import random
import struct

import pytest
from google.protobuf import json_format
from hypothesis import given
from tensorboard.compat.proto.graph_pb2 import GraphDef  # pyright: ignore[reportAttributeAccessIssue]

from cgraph.autodiff.errors import CgraphError, DataError, GraphError
from cgraph.autodiff.evaluate import evaluate
from cgraph.autodiff.gradient import gradient
from cgraph.autodiff.graph import Graph, check
from cgraph.exporters.graphdef import graphdef_json
from cgraph.exporters.text import formula, program
from cgraph.parser import graphdef, parse
from cgraph.parser.graphdef import read

from ..autodiff.tensors import CASES as CALLS
from ..autodiff.tensors import Case, built
from ..exporters.drawing import graphs
from ..exporters.sameness import likeness

PROGRAMS = [
    "(x + y)*z",
    "p = x^2; p; p*y; p",
    "a = x; b = a; dead = y + 1; a*2",
    "fc1.weight*x; _x + α; T1",
    "input r = [[0.1, -0.0], [nan, -inf]]; input X: (10, 2); input s: (); X*r + s",
    "f(a) = max(a, 2, 3); f(x) + f(y)",
    "3",
    "x; x; -0.0; inf",
    "leaky_relu(x) + clip(x, -1, 1) + where(x < 0, 1, 2)",
    "fc1 = x; fc1.w = x*y; fc1.w.g = -y; z = fc1.w + fc1.w.g",
]


@pytest.mark.parametrize("text", PROGRAMS)
def test_what_was_written_is_read(text: str) -> None:
    graph = parse(text)
    back = read(graphdef_json(graph))
    check(back)
    assert likeness(back) == likeness(graph)


@given(graphs())
def test_any_graph_is_read(graph: Graph) -> None:
    assert likeness(read(graphdef_json(graph))) == likeness(graph)


@pytest.mark.parametrize("text", PROGRAMS)
def test_protobufs_own_json_is_read(text: str) -> None:
    graph = parse(text)
    message = json_format.Parse(graphdef_json(graph), GraphDef())
    assert likeness(read(json_format.MessageToJson(message))) == likeness(graph)
    snake = json_format.MessageToJson(message, preserving_proto_field_name=True)
    assert likeness(read(snake)) == likeness(graph)


def test_scopes_come_back() -> None:
    text = graphdef_json(parse("f(a) = a*2; f(x) + 1"))
    assert graphdef_json(read(text)) == text


def test_derivatives_are_read() -> None:
    graph = parse("x*sin(y)")
    graph.outputs += gradient(graph, graph.outputs[0], list(graph.placeholders.values()))
    text = graphdef_json(graph)
    assert graphdef_json(read(text)) == text


def test_ops_that_carry_a_shape_are_read() -> None:
    graph = parse("x*y")
    shapes = {0: (2, 3), 1: (3,), 2: (2, 3)}
    graph.outputs = gradient(graph, 2, [0, 1], "reverse", shapes)
    assert likeness(read(graphdef_json(graph))) == likeness(graph)


def test_order_does_not_matter() -> None:
    whole = json.loads(graphdef_json(parse("p = x*y + z; q = sin(p)^2; q - p; p")))
    random.Random(1).shuffle(whole["node"])
    assert program(read(json.dumps(whole))) == "p = x*y + z\nq = sin(p)^2\nq - p\np\n"


def test_depth_is_no_obstacle() -> None:
    graph = Graph()
    node = graph.placeholder("x")
    one = graph.constant(1.0)
    add = parse("a + b").nodes[-1].op
    for _ in range(20_000):
        node = graph.add(add, (node, one))
    graph.outputs = [node]
    whole = json.loads(graphdef_json(graph))
    whole["node"].reverse()
    assert len(read(json.dumps(whole))) == len(graph)


@pytest.mark.parametrize("case", CALLS, ids=str)
def test_attributes_read_back(case: Case) -> None:
    graph, _, result = built(case)
    graph.outputs = [result.node]
    assert likeness(read(graphdef_json(graph))) == likeness(graph)


def test_an_attribute_that_is_none_is_not_its_default() -> None:
    graph = parse("input x: (2, 3); softmax(x, axis=None)")
    assert likeness(read(graphdef_json(graph))) == likeness(graph)


# -- other tools ----------------------------------------------------------------------------------


def node(name: str, op: str, *inputs: str, **attributes: object) -> dict[str, object]:
    return {"name": name, "op": op, "input": list(inputs), "attr": attributes}


def const(name: str, **tensor: object) -> dict[str, object]:
    return node(name, "Const", value={"tensor": tensor})


def document(*nodes: dict[str, object]) -> str:
    return json.dumps({"node": nodes})


def test_a_foreign_graph_is_read() -> None:
    graph = read(
        document(
            node("init", "NoOp"),
            node("dense/kernel", "VarHandleOp"),
            node("dense/kernel/read", "ReadVariableOp", "dense/kernel"),
            node("x", "Placeholder"),
            node("dense/mul", "Mul", "x:0", "dense/kernel/read", "^init"),
            node("loss", "Add", "dense/mul", "x"),
            node("out", "Identity", "loss"),
        )
    )
    assert formula(graph, graph.outputs[0]) == "x*dense.kernel + x"
    assert list(graph.placeholders) == ["dense.kernel", "x"]
    assert list(graph.names) == ["loss", "out"]
    assert evaluate(graph, graph.outputs, {"dense.kernel": 3.0, "x": 2.0}) == [8.0]


def test_names_that_formulas_cannot_spell() -> None:
    graph = read(document(*(node(name, "Placeholder") for name in ("a/b", "a.b", "1-x", "T/T"))))
    assert list(graph.placeholders) == ["a.b", "a.b_", "_1_x", "_T._T"]


@pytest.mark.parametrize(
    ("tensor", "value"),
    [
        ({"doubleVal": [1.5]}, 1.5),
        ({"double_val": 1.5}, 1.5),
        ({"tensorShape": {}, "floatVal": ["-Infinity"]}, float("-inf")),
        ({"int64Val": ["7"]}, 7.0),
        ({"boolVal": [True]}, 1.0),
        ({"tensorShape": {"dim": [{"size": "3"}]}, "doubleVal": [1, 2]}, (1.0, 2.0, 2.0)),
        ({"tensor_shape": {"dim": [{"size": 2}, {"size": 1}]}, "intVal": [1, 2]}, ((1.0,), (2.0,))),
        ({"tensorShape": {"dim": [{"size": 0}]}}, ()),
        (
            {
                "dtype": "DT_INT32",
                "tensorShape": {"dim": [{"size": 2}]},
                "tensorContent": base64.b64encode(struct.pack("<2i", -1, 5)).decode(),
            },
            (-1.0, 5.0),
        ),
    ],
)
def test_constants(tensor: dict[str, object], value: object) -> None:
    graph = read(document(const("c", **tensor)))
    assert graph.nodes[graph.outputs[0]].attrs == (value,)


# -- errors ---------------------------------------------------------------------------------------

X = node("x", "Placeholder")
REFUSED = [
    ("", "not JSON: expecting value"),
    ('{"node": [', "not JSON: expecting value"),
    ("[1]", "not a GraphDef: an object with a list of nodes was expected"),
    ('{"node": []}', "not a GraphDef: an object with a list of nodes was expected"),
    ('{"node": [3]}', "not a GraphDef: each node must be an object with a name"),
    ('{"node": [{"op": "Add"}]}', "not a GraphDef: each node must be an object with a name"),
    ("[" * 100_000, "JSON nested too deeply"),
    (f'{{"node": {"1" * 5000}}}', "a number has too many digits"),
    (document({"name": "a"}), "node 'a' has no op"),
    (document({"name": "a", "op": "Neg", "attr": 3}), "'attr' of node 'a' must be an object"),
    (
        document({"name": "a", "op": "Neg", "input": 3}),
        "'input' of node 'a' must be a list of names",
    ),
    (document({"name": "a", "op": "Neg", "input": [3]}), "'input' of node 'a' must be a list of"),
    (document(X, X), "two nodes are called 'x'"),
    (document(X, node("a", "Neg", "y")), "node 'a' has the input 'y', which is not there"),
    (document(X, node("a", "Neg", "x:1")), "node 'a' takes output 1 of 'x', which has only 0"),
    (
        document(X, node("a", "Sinn", "x")),
        "node 'a' has the unknown op 'Sinn' (did you mean 'Sin'?)",
    ),
    (document(X, node("a", "Mul", "x")), "node 'a': Mul takes 2 inputs, not 1"),
    (document(X, node("a", "Maximum", "x", "x", "x")), "node 'a': Maximum takes 2 inputs, not 3"),
    (document(X, node("a", "max", "x")), "node 'a': max takes at least 2 inputs, not 1"),
    (document(X, node("a", "Identity", "x", "x")), "node 'a' has the unknown op 'Identity'"),
    (document(node("a", "Neg", "a")), "a cycle: a <- a"),
    (
        document(X, node("a", "Neg", "b"), node("b", "Add", "x", "c"), node("c", "Neg", "a")),
        "a cycle: a <- b <- c <- a",
    ),
    (
        document(*(node(f"n{k}", "Neg", f"n{(k + 1) % 99}") for k in range(99))),
        "a cycle: n0 <- n1 <- n2 <- n3 <- n4 <- n5 <- n6 <- n7 <- ... <- n0",
    ),
    (document(const("c")), "node 'c': 0 values do not fill a tensor of shape ()"),
    (document(node("c", "Const")), "node 'c': it needs a tensor of known shape"),
    (document(const("c", doubleVal=[1, 2])), "node 'c': 2 values do not fill a tensor of shape ()"),
    (document(const("c", doubleVal=["x"])), "node 'c': \"x\" is not a number"),
    (document(const("c", doubleVal=[[1]])), "node 'c': [1] is not a number"),
    (
        document(const("c", dtype="DT_STRING", tensorContent="")),
        "a tensor of DT_STRING has no numbers",
    ),
    (document(const("c", dtype="DT_FLOAT", tensorContent="AAA=")), "2 bytes are no tensor of DT_F"),
    (document(const("c", dtype="DT_FLOAT", tensorContent="A")), "node 'c': \"A\" is not base64"),
    (document(const("c", doubleVal=[10**400])), "node 'c': 1000000000"),
    (
        document(const("c", tensorShape={"dim": [{"size": "9" * 12}]}, doubleVal=[1])),
        "node 'c': a tensor of shape (999999999999,) is too large",
    ),
    (document(const("c", tensorShape={"dim": [{"size": True}]})), "true is not a whole number"),
    (document(const("c", tensorShape={"dim": 3})), "a shape needs a list of sizes"),
    (document(node("x", "Placeholder", _name={"s": 3})), "node 'x': 3 is not a text in base64"),
    (document(node("x", "Placeholder", _name={"list": {"s": []}})), "node 'x': '' is not a name"),
    (document(node("x", "Placeholder", _name={"s": "gA=="})), '"gA==" is not a text in base64'),
    (
        document(X, node("a", "Neg", "x", _names={"list": {"s": ["cApx"]}})),
        r"node 'a': 'p\nq' is not a name",
    ),
    (
        document(node("a", "Neg", "b", _names={"list": {"s": ["eA=="]}}), node("b", "Neg", "x"), X),
        "node 'a' is called 'x', as an input is",
    ),
    (document(node("a", "NoOp")), "the graph has no output"),
    (
        document(X, node("a", "Neg", "x", _outputs={"list": {"i": []}})),
        "no node has a place in _outputs",
    ),
    (
        document(X, node("a", "Neg", "x", _outputs={"list": {"i": "0"}})),
        "node 'a': it needs a list of whole numbers",
    ),
    (document(X, node("a", "Neg", "x", _outputs={"i": "0"})), "it needs a list of whole numbers"),
    (document(X, node("a", "Neg", "x", _outputs={})), "it needs a list of whole numbers"),
    ('{"node": [1e400]}', "net.json:1:11: error: the number is too large for a float64"),
    (document(X, node("a", "Neg", "x", "x")), "node 'a': Neg takes 1 input, not 2"),
    (document(X, node("a", "Reshape", "x")), "node 'a': it needs the attribute shape"),
    (document(X, node("a", "Sum", "x", "x")), "node 'a': its axis must be a constant, 'x' is none"),
    (
        document(X, const("c", doubleVal=[0.5]), node("a", "Sum", "x", "c")),
        "node 'a': it needs a list of whole numbers",
    ),
    (
        document(X, node("a", "MatMul", "x", "x", transpose_b={"b": True})),
        "node 'a': MatMul with transpose_b is not read",
    ),
    (
        document(X, node("a", "Sum", "x", axis={"s": "eDp5"})),
        "node 'a': the attribute axis must be a whole number (i) or a list of them, "
        'not {"s": "eDp5"}',
    ),
    (
        document(X, node("a", "Sum", "x", axis=3)),
        "node 'a': the attribute axis must be a whole number (i) or a list of them, not 3",
    ),
    (
        document(X, node("a", "Sum", "x", keepdims={"i": "1"})),
        'node \'a\': the attribute keepdims must be true or false (b), not {"i": "1"}',
    ),
    (
        document(X, node("a", "index", "x", index={"s": "eDp5"})),
        "node 'a': the attribute index must be an index such as 1:3, 0 in base64 (s), "
        'not {"s": "eDp5"}',
    ),
    (
        document(X, node("a", "Einsum", "x", equation={"s": "aS1q"})),
        "node 'a': the attribute equation must be a text that it can have, in base64 (s), "
        'not {"s": "aS1q"}',
    ),
    (
        document(X, node("a", "OneHot", "x", classes={})),
        "node 'a': the attribute classes must be a whole number (i) from 0 on, not {}",
    ),
    (
        document(X, node("a", "Reshape", "x", shape={"shape": {"unknownRank": True}})),
        "node 'a': the attribute shape must be a known shape",
    ),
    (
        document(X, node("a", "dropped", "x", p={"tensor": {}}, serial={"i": "1"})),
        "node 'a': the attribute p must be a number (tensor)",
    ),
    (
        document(node("x", "Placeholder", _outputs={"list": {"i": ["1"]}})),
        "must number the outputs",
    ),
    (
        document(node("x", "Placeholder", _outputs={"list": {"i": [[]]}})),
        "[] is not a whole number",
    ),
]


@pytest.mark.parametrize(("text", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_refusals(text: str, message: str) -> None:
    with pytest.raises(CgraphError) as caught:
        read(text, "net.json")
    assert message in str(caught.value)
    assert caught.value.exit_code == 1


def test_an_error_in_the_json_has_its_place() -> None:
    with pytest.raises(DataError) as caught:
        read('{"node": [\n  {"name" "x"}]}', "net.json")
    assert str(caught.value) == (
        "net.json:2:11: error: not JSON: expecting ':' delimiter\n"
        '  2 |   {"name" "x"}]}\n'
        "    |           ^"
    )


def test_an_error_in_a_node_has_its_place() -> None:
    with pytest.raises(GraphError) as caught:
        read('{"node": [{"name": "x", "op": "Placeholder"},\n {"name": "a", "op": "Xyz"}]}', "-")
    assert str(caught.value) == (
        "-:2:3: error: node 'a' has the unknown op 'Xyz'\n"
        '  2 |  {"name": "a", "op": "Xyz"}]}\n'
        "    |   ^^^^^^^^^^^"
    )


def whole_numbers(name: str, *numbers: int, single: bool = False) -> dict[str, object]:
    sizes = {} if single else {"dim": [{"size": str(len(numbers))}]}
    return const(name, dtype="DT_INT32", tensorShape=sizes, intVal=list(numbers))


@pytest.mark.parametrize(
    ("nodes", "text"),
    [
        (
            [whole_numbers("c", 0, 1), node("a", "Sum", "x", "c", keep_dims={"b": True})],
            "sum(x, axis=[0, 1], keepdims=1)",
        ),
        (
            [whole_numbers("c", 1, single=True), node("a", "Mean", "x", "c")],
            "mean(x, axis=1)",
        ),
        ([whole_numbers("c", -1), node("a", "Max", "x", "c")], "max(x, axis=[-1])"),
        ([whole_numbers("c", 3, -1), node("a", "Reshape", "x", "c")], "reshape(x, [3, -1])"),
        ([whole_numbers("c", 1, 0), node("a", "Transpose", "x", "c")], "transpose(x, axes=[1, 0])"),
        (
            [whole_numbers("c", 1, single=True), node("a", "ConcatV2", "x", "x", "c")],
            "concat(x, x, axis=1)",
        ),
        (
            [
                whole_numbers("c", 0, single=True),
                node("d", "Identity", "c"),
                node("a", "Cumsum", "x", "d", exclusive={"b": False}),
            ],
            "cumsum(x, axis=0)",
        ),
    ],
)
def test_axes_and_shapes_of_other_tools_are_inputs(
    nodes: list[dict[str, object]], text: str
) -> None:
    graph = read(document(X, *nodes))
    assert formula(graph, graph.outputs[0]) == text


def test_the_limit_on_nodes() -> None:
    with pytest.raises(GraphError, match="more than 2 nodes"):
        read(graphdef_json(parse("x + y")), max_nodes=2)


def test_sizes_that_are_declared_are_added_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def const(name: str, *numbers: float) -> dict[str, object]:
        tensor = {"tensorShape": {"dim": [{"size": "600"}]}, "doubleVal": numbers}
        return {"name": name, "op": "Const", "attr": {"value": {"tensor": tensor}}}

    monkeypatch.setattr(graphdef, "MOST_NUMBERS", 1000)
    few = [const(f"c{k}", *[float(k)] * 600) for k in range(5)]
    assert len(read(json.dumps({"node": [*few, const("c", 9.0)]}), "net.json").outputs) == 6
    with pytest.raises(GraphError) as caught:
        read(json.dumps({"node": [const("a", 1.0), const("b", 1.0), const("c", 1.0)]}), "net.json")
    assert caught.value.message == (
        "node 'b': the tensors up to here have 1,198 numbers that are not written out, "
        "and at most 1,000 may be so"
    )


@pytest.mark.parametrize("text", ["abs(x)", "relu(x)", "max(x, y)", "clip(x, 0, y)", "hypot(x, y)"])
def test_what_has_a_kink_is_read_with_it(text: str) -> None:
    graph = parse(f"d({text}, x)^2")
    again = read(graphdef_json(graph))
    assert graphdef_json(again) == graphdef_json(graph)
    assert again.kinked
    assert [node.op for node in again.nodes] == [
        node.op for _, node in graph.walk(graph.needed(graph.outputs))
    ]


def test_a_twin_of_another_op_is_refused() -> None:
    text = graphdef_json(parse("d(abs(x), x)")).replace('"op": "Sign"', '"op": "Tanh"')
    with pytest.raises(GraphError) as caught:
        read(text)
    assert "node 'gradients/sign': _twin is 'kink sign', which is no twin of Tanh" in str(
        caught.value
    )
