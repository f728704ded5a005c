"""GraphDefs as TensorFlow 2.21 wrote them, read without it: `tensorflow/*.pbtxt`."""

from __future__ import annotations

import base64
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cgraph.autodiff.errors import CgraphError
from cgraph.autodiff.evaluate import evaluate
from cgraph.exporters.text import formula
from cgraph.parser import load
from cgraph.parser.graphdef import read

from .test_graphdef import X, const, document, node

HERE = Path(__file__).parent / "tensorflow"

KERNEL, BIAS = np.array([[1.0], [2.0]]), np.array([0.0])
ROWS = np.array([[1.0, 1.0], [0.5, -0.5]])


def text_of(name: str) -> str:
    return (HERE / f"{name}.pbtxt").read_text()


def test_axes_that_are_computed_from_the_rank() -> None:
    graph = read(text_of("axes"))
    assert [formula(graph, one) for one in graph.outputs] == [
        "sum(x*x)",
        "mean(y, axis=1, keepdims=1)",
        "concat(y, [[0, 0, 0], [0, 0, 0]])",
        "reshape(y, [-1])",
        "y@x.T",
        "softmax(y)",
    ]


def test_values_are_tensorflows() -> None:
    graph = read(text_of("axes"))
    x, y = np.array([[1.0, 2, 3], [4, 5, 6]]), np.array([[1.0, 2, 3], [0, 1, -1]])
    expected: list[object] = [
        91.0,
        [[2.0], [0.0]],
        [[1.0, 2, 3], [0, 1, -1], [0, 0, 0], [0, 0, 0]],
        [1.0, 2, 3, 0, 1, -1],
        [[14.0, 32.0], [-1.0, -1.0]],
        [
            [0.09003057317038046, 0.2447284710547976, 0.6652409557748218],
            [0.24472847105479759, 0.6652409557748218, 0.09003057317038045],
        ],
    ]
    for found, one in zip(evaluate(graph, graph.outputs, {"x": x, "y": y}), expected, strict=True):
        np.testing.assert_allclose(found, np.array(one), rtol=1e-13)


def test_what_trains_and_logs_is_no_output() -> None:
    graph = read(text_of("training"))
    assert [graph.output_name(one) for one in graph.outputs] == ["loss"]
    assert sorted(graph.placeholders) == ["dense.bias", "dense.kernel", "rate", "x"]
    assert graph.defaults == {"rate": 0.5}
    assert graph.shapes == {"rate": (), "dense.kernel": (2, 1), "dense.bias": (1,)}
    bound = {"x": ROWS, "dense.kernel": KERNEL, "dense.bias": BIAS}
    (loss,) = evaluate(graph, graph.outputs, bound)
    assert loss == pytest.approx(0.6018431149343162, rel=1e-14)
    (half,) = evaluate(graph, graph.outputs, {**bound, "rate": np.array(0.25)})
    assert half == pytest.approx(0.3009215574671581, rel=1e-14)


def test_constants_of_every_type() -> None:
    graph = read(text_of("constants"))
    held = {graph.nodes[one].attrs[0] for one in graph.outputs} - {"x"}
    assert held == {
        *((1.5, -2.0), (0.25, 3.0), (0.1, 0.2), (-3.0, 4.0), (250.0, 1.0), (-300.0, 4.0)),
        *((65000.0, 1.0), (7.0, 7.0), (-9.0, 1.0), (1.0, 0.0), (0.0, 0.0), 0.0),
        *(((0.0, 0.0), (0.0, 0.0)), ((7.0, 7.0, 7.0), (7.0, 7.0, 7.0))),
    }


# -- what no output needs -------------------------------------------------------------------------

DEAD = {
    "an unknown op": [node("dead", "Foo", "x")],
    "a bad attribute": [node("dead", "Sum", "x", axis={"s": "eDp5"})],
    "an axis that is computed": [node("dead", "Sum", "x", "x")],
    "a missing input": [node("dead", "Neg", "nowhere")],
    "another output": [node("dead", "Neg", "x:1")],
    "a cycle": [node("dead", "Neg", "dead2"), node("dead2", "Neg", "dead")],
    "a wrong number of inputs": [node("dead", "Mul", "x")],
    "a text": [const("dead", dtype="DT_STRING", stringVal=["aGk="])],
    "a tensor without type": [const("dead")],
    "what takes such": [node("deader", "Foo", "x"), node("dead", "Neg", "deader")],
    "a bad name": [node("dead", "Neg", "x", _names={"list": {"s": ["cApx"]}})],
    "the name of an input": [node("dead", "Neg", "x", _names={"list": {"s": ["eA=="]}})],
    "a bad default": [node("dead", "Placeholder", _default={"tensor": {}})],
    "a default that is computed": [node("dead", "PlaceholderWithDefault", "x")],
}


@pytest.mark.parametrize("dead", DEAD.values(), ids=list(DEAD))
@pytest.mark.parametrize("first", [True, False], ids=["before", "behind"])
def test_what_no_output_needs_is_not_judged(dead: list[dict[str, object]], first: bool) -> None:
    live = [X, node("y", "Exp", "x", _outputs={"list": {"i": ["0"]}})]
    graph = read(document(*dead, *live) if first else document(*live, *dead))
    assert [formula(graph, one) for one in graph.outputs] == ["exp(x)"]
    assert evaluate(graph, graph.outputs, {"x": 0.0}) == [1.0]


@pytest.mark.parametrize("dead", DEAD.values(), ids=list(DEAD))
def test_what_is_not_asked_for_is_not_judged(dead: list[dict[str, object]]) -> None:
    text = document(X, node("loss", "Exp", "x"), *dead)
    graph = load(text, asked=["loss"])
    assert evaluate(graph, [graph.names["loss"]], {"x": 0.0}) == [1.0]


def test_an_output_is_judged() -> None:
    with pytest.raises(CgraphError) as caught:
        read(document(X, node("a", "Exp", "x"), node("b", "Zzzzzz", "x")), "net.json")
    assert "node 'b' has the unknown op 'Zzzzzz' (--output NAME asks for a value" in str(
        caught.value
    )


@pytest.mark.parametrize(
    ("op", "more"),
    [
        ("AssignVariableOp", {}),
        ("SaveV2", {}),
        ("ResourceApplyGradientDescent", {}),
        ("PrintV2", {}),
        ("ScalarSummary", {"T": {"type": "DT_FLOAT"}}),
        ("Identity", {"T": {"type": "DT_STRING"}}),
        ("Identity", {"T": {"type": 7}}),
    ],
)
def test_what_has_no_number_is_no_output(op: str, more: dict[str, object]) -> None:
    graph = read(document(X, node("y", "Exp", "x"), node("z", op, "x", **more)))
    assert [formula(graph, one) for one in graph.outputs] == ["exp(x)"]


# -- tensors, defaults, handles, casts ------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["DT_DOUBLE", "DT_FLOAT", "DT_INT32", "DT_BOOL", "DT_HALF", 1, 2])
@pytest.mark.parametrize("more", [{}, {"doubleVal": []}, {"tensorContent": ""}], ids=str)
@pytest.mark.parametrize(
    ("sizes", "value"), [([], 0.0), (["2"], (0.0, 0.0)), (["1", "2"], ((0.0, 0.0),)), (["0"], ())]
)
def test_zeros_have_no_values(
    dtype: object, more: dict[str, object], sizes: list[str], value: object
) -> None:
    shape = {"dim": [{"size": size} for size in sizes]}
    graph = read(document(const("c", dtype=dtype, tensorShape=shape, **more)))
    assert graph.nodes[graph.outputs[0]].attrs == (value,)


DEFAULT = node("d", "PlaceholderWithDefault", "c", shape={"shape": {"unknownRank": True}})


@pytest.mark.parametrize("between", [[], [node("c", "Identity", "k")]], ids=["plain", "identity"])
def test_a_default_is_the_binding_where_there_is_none(between: list[dict[str, object]]) -> None:
    constant = const("k" if between else "c", dtype="DT_FLOAT", floatVal=[0.5])
    graph = read(document(X, constant, *between, DEFAULT, node("y", "Mul", "x", "d")))
    assert evaluate(graph, graph.outputs, {"x": 4.0}) == [2.0]
    assert evaluate(graph, graph.outputs, {"x": 4.0, "d": 3.0}) == [12.0]
    assert formula(graph, graph.outputs[0]) == "x*d"


def test_a_default_that_is_computed_is_refused() -> None:
    with pytest.raises(CgraphError) as caught:
        read(document(X, node("c", "Exp", "x"), DEFAULT, node("y", "Mul", "x", "d")))
    assert "node 'd': its default must be a constant, 'c' is none" in str(caught.value)


@pytest.mark.parametrize("attribute", ["dtype", "T"])
@pytest.mark.parametrize("op", ["Placeholder", "_Arg"])
@pytest.mark.parametrize("kind", ["DT_RESOURCE", 20])
def test_the_shape_of_a_handle_is_not_the_variables(attribute: str, op: str, kind: object) -> None:
    handle = node("w", op, shape={"shape": {}}, **{attribute: {"type": kind}})
    reading = node("r", "ReadVariableOp", "w", dtype={"type": "DT_FLOAT"})
    graph = read(document(handle, reading, node("y", "Neg", "r")))
    assert graph.shapes == {}
    (found,) = evaluate(graph, graph.outputs, {"w": np.array([1.0, 2.0])})
    np.testing.assert_array_equal(found, [-1.0, -2.0])


def test_the_shape_at_a_variable_is_the_variables() -> None:
    sizes = {"shape": {"dim": [{"size": "2"}]}}
    shown: dict[str, object] = {"list": {"shape": [{}]}}
    kind = {"type": "DT_FLOAT"}
    variable = node("w", "VarHandleOp", shape=sizes, dtype=kind, _output_shapes=shown)
    graph = read(document(variable, node("y", "ReadVariableOp", "w")))
    assert graph.shapes == {"w": (2,)}


@pytest.mark.parametrize(
    ("source", "target", "kept"),
    [
        ("DT_DOUBLE", "DT_FLOAT", True), ("DT_INT32", "DT_DOUBLE", True),
        ("DT_INT64", "DT_INT32", True), ("DT_DOUBLE", "DT_INT32", False),
        ("DT_FLOAT", "DT_BOOL", False), ("DT_INT32", "DT_BOOL", False),
    ],
)  # fmt: skip
def test_a_cast_hands_on_what_it_does_not_change(source: str, target: str, kept: bool) -> None:
    cast = node("y", "Cast", "x", SrcT={"type": source}, DstT={"type": target})
    text = document(X, cast, node("z", "Neg", "y"))
    if kept:
        assert formula(read(text), read(text).outputs[0]) == "-x"
    else:
        with pytest.raises(CgraphError, match="Cast to DT_"):
            read(text)


def test_numbers_of_half_a_length() -> None:
    sizes = {"dim": [{"size": "2"}]}
    graph = read(document(const("c", dtype="DT_HALF", tensorShape=sizes, halfVal=[15872, 49152])))
    assert graph.nodes[graph.outputs[0]].attrs == ((1.5, -2.0),)


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        (
            const("c", dtype="DT_DOUBLE", tensorShape={"dim": [{"size": "3"}]},
                  tensorContent=base64.b64encode(struct.pack("<1d", 1.0)).decode()),
            "node 'c': 1 values do not fill a tensor of shape (3,)",
        ),
        (
            node("c", "Div", "x", "x", T={"type": "DT_INT32"}),
            "node 'c': Div of DT_INT32 leaves out the remainder, and is not read",
        ),
        (
            node("c", "RealDiv", "x", "x", T={"type": "DT_INT64"}),
            "node 'c': RealDiv of DT_INT64 leaves out the remainder, and is not read",
        ),
        (node("c", "Sum", "x", "x", "x"), "node 'c': Sum takes 2 inputs, not 3"),
        (
            node("c", "Cast", "x", SrcT={"type": "DT_DOUBLE"}, DstT={"type": "DT_INT32"}),
            "node 'c': Cast to DT_INT32 changes numbers, and is not read",
        ),
    ],
)  # fmt: skip
def test_what_would_be_read_otherwise_is_refused(bad: Any, told: str) -> None:
    with pytest.raises(CgraphError) as caught:
        read(document(X, bad))
    assert told in str(caught.value)


def test_quotients_of_numbers_are_read() -> None:
    graph = read(document(X, node("c", "Div", "x", "x", T={"type": "DT_DOUBLE"})))
    assert formula(graph, graph.outputs[0]) == "x/x"
