"""The graph: interned, topological by construction, and checked."""

from __future__ import annotations

import math

import pytest

from cgraph.autodiff.errors import NOWHERE, GraphError
from cgraph.autodiff.gradient import gradient
from cgraph.autodiff.graph import ELSEWHERE, Graph, Nested, Node, check
from cgraph.autodiff.ops import OPS, Expr, fill, lookup
from cgraph.autodiff.ops.registry import register
from cgraph.autodiff.ops.table import Op

from .derivatives import on_scalars
from .samples import arity, moderate

ADD, MUL, SIN, WHERE = OPS["add"], OPS["mul"], OPS["sin"], OPS["where"]


def test_arrays_are_one_node_where_their_bits_and_shapes_agree() -> None:
    graph = Graph()
    rows = ((1.0, -0.0), (math.nan, 2.0))
    assert graph.constant(rows) == graph.constant(((1.0, -0.0), (math.nan, 2.0)))
    others: list[Nested] = [
        ((1.0, 0.0), (math.nan, 2.0)),
        (1.0, -0.0, math.nan, 2.0),
        (),
        ((), ()),
        ((),),
    ]
    assert len({graph.constant(value) for value in (rows, *others)}) == 6
    check(graph)


def test_equal_nodes_are_one_node() -> None:
    graph = Graph()
    x, y = graph.placeholder("x"), graph.placeholder("y")
    assert graph.placeholder("x") == x
    assert graph.add(ADD, (x, y)) == graph.add(ADD, (x, y))
    assert graph.add(ADD, (x, y)) != graph.add(ADD, (y, x))
    check(graph)


def test_constants_are_one_node_when_their_bits_agree() -> None:
    graph = Graph()
    for value in (1.0, 0.0, -0.0, math.nan, math.inf, (1.0, -0.0), (1.0, 0.0), (math.nan,)):
        assert graph.constant(value) == graph.constant(value)
    assert len(graph) == 8
    check(graph)


def test_a_nan_of_any_make_is_one_node() -> None:
    graph = Graph()
    assert graph.constant(math.nan) == graph.constant(float("nan"))


def test_the_limit_on_nodes_is_an_error_that_names_the_remedy() -> None:
    graph = Graph(max_nodes=2)
    graph.add(SIN, (graph.placeholder("x"),))
    with pytest.raises(GraphError) as caught:
        graph.constant(1.0)
    assert caught.value.message == "the graph would have more than 2 nodes"
    assert caught.value.hint == "raise the limit with --max-nodes"
    assert graph.placeholder("x") == 0, "what there is stays within reach"


def test_needed_nodes_come_in_order() -> None:
    graph = Graph()
    x, y = graph.placeholder("x"), graph.placeholder("y")
    a = graph.add(SIN, (x,))
    b = graph.add(SIN, (y,))
    c = graph.add(MUL, (a, a))
    assert graph.needed([c]) == [x, a, c]
    assert graph.needed([b, c]) == [x, y, a, b, c]
    assert graph.needed([]) == []
    assert list(graph.inputs([c])) == ["x"]
    assert bytes(graph.dependents([x], c)) == b"\1\0\1\0\1"
    assert bytes(graph.dependents([c], a)) == b"\0\0\0", "a source beyond the last node marks none"


def test_closed_nodes_have_no_input_in_them() -> None:
    graph = Graph()
    two = Expr(graph, graph.constant(2.0))
    x = Expr(graph, graph.placeholder("x"))
    assert (two * two + 1.0).closed
    assert not (two * x).closed
    assert (two * two).closed, "asked again"
    assert two.literal == 2.0
    assert (two * two).literal is None


def test_a_long_chain_overflows_nothing() -> None:
    graph = Graph()
    x = here = Expr(graph, graph.placeholder("x"))
    for _ in range(20_000):
        here = SIN(here)
    assert not here.closed
    assert len(graph.needed([here.node])) == 20_001
    slopes = [gradient(graph, here.node, [x.node], mode)[0] for mode in ("reverse", "forward")]
    assert len(graph) < 100_000
    assert all(slope > here.node for slope in slopes)


def test_names_belong_to_nodes_and_not_the_other_way_round() -> None:
    graph = Graph()
    x = graph.placeholder("x")
    graph.names |= {"a": x, "b": x}
    assert graph.names_of() == {x: ["a", "b"]}
    assert graph.output_name(x) == "a"
    assert (graph.named("b"), graph.named("x"), graph.named("c")) == (x, x, None)


def test_nodes_of_a_pass_keep_place_and_origin() -> None:
    graph = Graph()
    x = graph.placeholder("x")
    graph.at = 4
    y = graph.add(SIN, (x,))
    graph.at = NOWHERE
    slope = gradient(graph, y, [x])[0]
    assert graph.spans[slope] == 4
    assert graph.came_from[slope] == y
    assert (graph.at, graph.origin) == (NOWHERE, NOWHERE)


def test_a_failing_pass_leaves_the_graph_usable() -> None:
    graph = Graph(max_nodes=2)
    y = graph.add(SIN, (graph.placeholder("x"),))
    with pytest.raises(GraphError):
        gradient(graph, y, [0])
    assert graph.origin == NOWHERE
    check(graph)


def test_nodes_get_the_scope_they_are_made_in() -> None:
    graph = Graph()
    x = graph.placeholder("x")
    graph.scope = "f/g"
    y = graph.add(SIN, (x,))
    assert graph.scopes == {y: "f/g"}


def broken(*nodes: Node) -> Graph:
    """Return a graph of an input and nodes that `add` would not have made."""
    graph = Graph()
    graph.placeholder("x")
    graph.nodes.extend(nodes)
    graph.spans.extend([NOWHERE] * len(nodes))
    return graph


@pytest.mark.parametrize(
    ("node", "message"),
    [
        (Node(SIN, (1,), ()), "node 1 (sin) has an argument that is not before it"),
        (Node(SIN, (-1,), ()), "node 1 (sin) has an argument that is not before it"),
        (Node(SIN, (0, 0), ()), "node 1 (sin) has 2 arguments"),
        (Node(OPS["max"], (0,), ()), "node 1 (max) has 1 arguments"),
        (Node(SIN, (0,), (1.0,)), "node 1 (sin) has 1 attributes"),
        (Node(OPS["placeholder"], (), ("x",)), "node 1 (placeholder) is there twice"),
    ],
)
def test_check_finds_what_is_wrong(node: Node, message: str) -> None:
    with pytest.raises(GraphError) as caught:
        check(broken(node))
    assert caught.value.message == message


def test_check_looks_at_the_side_tables() -> None:
    graphs = [broken() for _ in range(7)]
    graphs[0].outputs.append(7)
    graphs[1].names["z"] = 7
    graphs[2].placeholders["z"] = 7
    graphs[3].scopes[7] = "f"
    graphs[4].came_from[7] = ELSEWHERE
    graphs[5].spans.append(0)
    graphs[6].letters[7] = "e"
    for graph in graphs:
        with pytest.raises(GraphError, match="a side table speaks of a node that does not exist"):
            check(graph)


@pytest.mark.parametrize("origin", [1, 7, NOWHERE])
def test_check_refuses_an_origin_that_is_not_before_its_node(origin: int) -> None:
    graph = broken(Node(SIN, (0,), ()))
    graph.came_from[1] = origin
    with pytest.raises(GraphError) as refused:
        check(graph)
    told = f"node 1 was made for node {origin}, which is not before it"
    assert refused.value.message == told
    graph.came_from[1] = ELSEWHERE
    check(graph)


# The table's own rules


def test_a_call_finds_its_row_by_the_number_of_arguments() -> None:
    assert lookup("log", 1) is OPS["log"]
    assert lookup("log", 2) is OPS["log_base"]
    assert lookup("ln", 1) is OPS["log"]
    assert lookup("log", 3) is None
    assert lookup("leaky_relu", 1) is lookup("leaky_relu", 2) is OPS["leaky_relu"]
    assert lookup("max", 5) is OPS["max"]
    assert lookup("max", 1) is OPS["largest"]
    assert lookup("max", 0) is None
    assert lookup("sinn", 1) is None


def test_what_a_call_leaves_out_is_filled_in() -> None:
    graph = Graph()
    x = graph.placeholder("x")
    node = OPS["leaky_relu"](Expr(graph, x)).node
    assert graph.nodes[node].args == fill(OPS["leaky_relu"], graph, (x,)) == (x, 1)
    assert graph.literal(1) == 0.01
    assert fill(OPS["sin"], graph, (x,)) == (x,)
    assert fill(OPS["leaky_relu"], graph, (x, x)) == (x, x)


def test_a_name_is_taken_once() -> None:
    with pytest.raises(ValueError, match="a call of sin may mean sin or sin"):
        register(SIN)
    with pytest.raises(ValueError, match="two rows are called sin"):
        Op(name="sin", signature="", doc="another", array="")


@pytest.mark.parametrize("op", [op for op in OPS.values() if op.definition], ids=lambda op: op.name)
def test_a_definition_says_what_the_op_is(op: Op) -> None:
    assert op.definition is not None
    graph = Graph()
    args = [Expr(graph, graph.placeholder(str(k))) for k in range(arity(op))]
    node = op.definition(*args).node
    check(graph)
    sample = moderate(op)
    values = [op.scalar(*point) for point in sample]
    # A definition may lose digits next to an end of the domain.
    assert on_scalars(graph, node, sample) == pytest.approx(values, rel=1e-8)


def test_each_call_has_a_scope_of_its_own() -> None:
    graph = Graph()
    assert [graph.inner_scope(name) for name in ("f", "f", "f_1", "f", "g")] == [
        *("f", "f_1", "f_1_1", "f_2", "g"),
    ]
    graph.scope = "f_1"
    assert [graph.inner_scope("f"), graph.inner_scope("f")] == ["f_1/f", "f_1/f_1"]
