"""Attributes of calls, indices, transposes and matrix products, as nodes and as errors."""

from __future__ import annotations

import pytest

from cgraph.autodiff.errors import FormulaError
from cgraph.autodiff.graph import check
from cgraph.parser import parse

from .graphs import read, written

CALLS = [
    ("fold(x)", "fold(x; None, False)"),
    ("fold(x, axis=0)", "fold(x; 0, False)"),
    ("fold(x, keepdims=1, axis=-1)", "fold(x; -1, True)"),
    ("fold(x, axis=[0, 1])", "fold(x; (0, 1), False)"),
    ("fold(x, axis=None, keepdims=True)", "fold(x; None, True)"),
    ("fold(x, keepdims=false)", "fold(x; None, False)"),
    ("fold(x, y)", "fold2(x, y)"),
    ("scan(x, 1)", "scan(x; 1)"),
    ("scan(x, axis=3 - 2)", "scan(x; 1)"),
    ("k = 1; scan(x, axis=k)", "scan(x; 1)"),
    ("turned(x)", "turned(x; None)"),
    ("turned(x, [1, 0])", "turned(x; (1, 0))"),
    ("shaped(x, [3, 2])", "shaped(x; (3, 2))"),
    ("shaped(x, 3, 2)", "shaped(x; (3, 2))"),
    ("shaped(x, 6)", "shaped(x; (6,))"),
    ("shaped(x, shape=[2*3])", "shaped(x; (6,))"),
    ("put(x, [4, 5], 1:3, 0)", "put(x; (4, 5), '1:3, 0')"),
    ("put(x, 4, ::2)", "put(x; (4,), '::2')"),
    ("join(x, y)", "join(x, y; 0)"),
    ("join([x, y])", "join(x, y; 0)"),
    ("join([x, y], axis=1)", "join(x, y; 1)"),
    ("join([x, y], 1)", "join(x, y; 1)"),
    ("join([x])", "join(x; 0)"),
    ("join([[1, 2], [3]])", "join([1, 2], [3]; 0)"),
    ("join( # a comment\n [[1, 2], 3])", "join([1, 2], 3; 0)"),
    ("join([1, 2], [3, 4])", "join([1, 2], [3, 4]; 0)"),
    ('product(x, y, equation="ij,jk->ik")', "product(x, y; 'ij,jk->ik')"),
    ("product('ij,jk->ik', x, y)", "product(x, y; 'ij,jk->ik')"),
    ("worded(x, 'ij->ji')", "worded(x; 'ij->ji')"),
    ('worded(x, "it\'s # no comment")', "worded(x; \"it's # no comment\")"),
    ("blur(x, window=5) + blur(x, window=5)", "add(blur(x, 0.5; 5, 1), blur(x, 0.5; 5, 2))"),
    ("blur(x, serial=9) + blur(x)", "add(blur(x, 0.5; 3, 9), blur(x, 0.5; 3, 1))"),
    ("blur(x, 0.1, 7)", "blur(x, 0.1; 7, 1)"),
    ("rooted(x)", "add(sqrt(x), mul(sqrt(x), 2))"),
    ("rooted(x, factor=3)", "add(sqrt(x), mul(sqrt(x), 3))"),
    ("filled(2, value=5)", "[5, 5]"),
    ("filled([2, 1], 5)*x", "mul([[5], [5]], x)"),
    ("f(a) = fold(a, axis=0); f(x)", "fold(x; 0, False)"),
    ("f(a) = fold(a, axis=None, keepdims=true); f(x)", "fold(x; None, True)"),
    ("f(a) = blur(a); f(x) + f(x)", "add(blur(x, 0.5; 3, 1), blur(x, 0.5; 3, 2))"),
    ("f(a) = blur(a); g(a) = f(a) - f(a); g(x) + g(x)",
     "add(sub(blur(x, 0.5; 3, 1), blur(x, 0.5; 3, 2)), "
     "sub(blur(x, 0.5; 3, 3), blur(x, 0.5; 3, 4)))"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "tree"), CALLS)
def test_call(text: str, tree: str) -> None:
    assert read(text) == tree
    check(parse(text))


INDICES = [
    ("v[0]", "index(v; '0')"),
    ("v[-1]", "index(v; '-1')"),
    ("v[1:3]", "index(v; '1:3')"),
    ("v[:]", "index(v; ':')"),
    ("v[::]", "index(v; ':')"),
    ("v[0:3:1]", "index(v; ':3')"),
    ("v[ : : 2 ]", "index(v; '::2')"),
    ("v[1::2]", "index(v; '1::2')"),
    ("v[1:5:2]", "index(v; '1:5:2')"),
    ("v[0::-1]", "index(v; '0::-1')"),
    ("v[:-1]", "index(v; ':-1')"),
    ("A[1]", "index(A; '1')"),
    ("A[:,1]", "index(A; ':, 1')"),
    ("A[0, 2]", "index(A; '0, 2')"),
    ("A[1:3, ::-1]", "index(A; '1:3, ::-1')"),
    ("A[..., 0]", "index(A; '..., 0')"),
    ("A[None, :]", "index(A; 'None, :')"),
    ("A[newaxis]", "index(A; 'None')"),
    ("x [0]", "index(x; '0')"),
    ("x[\n 0\n]", "index(x; '0')"),
    ("sin(x)[0]", "index(sin(x); '0')"),
    ("(a + b)[1]", "index(add(a, b); '1')"),
    ("[x, y][0]", "index(stack(x, y; 0); '0')"),
    ("A[0][1]", "index(index(A; '0'); '1')"),
    ("2x[0]", "mul(2, index(x; '0'))"),
    ("-x[0]^2", "neg(pow(index(x; '0'), 2))"),
    ("x[0]²", "pow(index(x; '0'), 2)"),
    ("√x[0]", "sqrt(index(x; '0'))"),
    ("i = 3; x[i - 1]", "index(x; '2')"),
    ("i = 1; x[:2i]", "index(x; ':2')"),
    ("x[1 if 2 > 1 else 0]", "index(x; '1')"),
    ("f(a) = a[0]; f(x)", "index(x; '0')"),
    ("A.T", "transpose(A; None)"),
    ("fc1.weight.T", "transpose(fc1.weight; None)"),
    ("(A@B).T", "transpose(matmul(A, B); None)"),
    ("x[0].T[1]", "index(transpose(index(x; '0'); None); '1')"),
    ("A .T", "transpose(A; None)"),
    ("A.T.T", "transpose(transpose(A; None); None)"),
    ("A.T^2", "pow(transpose(A; None), 2)"),
    ("2A.T", "mul(2, transpose(A; None))"),
    ("sin(x).T", "transpose(sin(x); None)"),
    ("α.T", "transpose(α; None)"),
    ("x.T2 + y.x1.Tx", "add(x.T2, y.x1.Tx)"),
    ("A @ B @ c", "matmul(matmul(A, B), c)"),
    ("x @ A.T + b", "add(matmul(x, transpose(A; None)), b)"),
    ("a*b @ -c", "matmul(mul(a, b), neg(c))"),
    ("A @ 2x", "matmul(A, mul(2, x))"),
]


@pytest.mark.parametrize(("text", "tree"), INDICES)
def test_index_and_transpose(text: str, tree: str) -> None:
    assert read(text) == tree
    check(parse(text))


def test_nodes_know_their_place() -> None:
    graph = parse("x + A[0].T*fold(b, axis=0)")
    columns = {written(graph, node): at for node, at in enumerate(graph.spans)}
    assert columns["index(A; '0')"] == 5
    assert columns["transpose(index(A; '0'); None)"] == 8
    assert columns["fold(b; 0, False)"] == 11


def test_a_composition_of_several_nodes_is_a_scope() -> None:
    graph = parse("f(x) = rooted(x); x + rooted(y) + f(z); filled(2)")
    scopes = {written(graph, node): scope for node, scope in graph.scopes.items()}
    assert scopes == {
        "sqrt(y)": "rooted",
        "2": "rooted",
        "mul(sqrt(y), 2)": "rooted",
        "add(sqrt(y), mul(sqrt(y), 2))": "rooted",
        "sqrt(z)": "f/rooted",
        "mul(sqrt(z), 2)": "f/rooted",
        "add(sqrt(z), mul(sqrt(z), 2))": "f/rooted",
    }
    assert {graph.spans[node] for node, scope in graph.scopes.items() if scope == "rooted"} == {22}


DATA = "where it depends on data, run with --dynamic"

REFUSALS = [
    ("fold(x, axes=0)", 9, "axes", "fold takes no 'axes' (did you mean 'axis'?)"),
    ("fold(x, q=0)", 9, "q", "fold takes no 'q' (fold(x, axis=None, keepdims=0))"),
    ("fold(x, axis=0, axis=1)", 17, "axis",
     "'axis' is given twice (fold(x, axis=None, keepdims=0))"),
    ("scan(x, 0, axis=1)", 12, "axis", "'axis' is given twice (scan(x, axis))"),
    ("fold(axis=0, x)", 6, "axis",
     "'axis=' comes before an argument without a name (put those with names last)"),
    ("sin(x, axis=0)", 8, "axis",
     "an argument cannot be given by its name, 'axis' "
     "(give the value alone; to compare, write ==)"),
    ("fold(x, y, axis=0)", 12, "axis",
     "an argument cannot be given by its name, 'axis' "
     "(give the value alone; to compare, write ==)"),
    ("f(x) = x; f(a, axis=0)", 16, "axis", "f takes its arguments without names (f(x))"),
    ("d(x^2, by=x)", 8, "by",
     "d takes its arguments without names (d(f, x) or d(f, x, order))"),
    ("scan(x)", 1, "scan", "scan needs its axis (scan(x, axis))"),
    ("scan(x, 0, 1)", 1, "scan", "scan takes 1 argument, 3 given (scan(x, axis))"),
    ("scan(axis=0)", 1, "scan", "scan takes 1 argument, 0 given (scan(x, axis))"),
    ("fold(x, axis=1.5)", 9, "axis", "axis is a whole number or a list of them, not 1.5"),
    ("fold(x, axis=[0, 0.5])", 9, "axis",
     "axis is a whole number or a list of them, not [0, 0.5]"),
    ("fold(x, keepdims=2)", 9, "keepdims", "keepdims is 0 or 1, not 2"),
    ("fold(x, keepdims=[1])", 9, "keepdims", "keepdims is 0 or 1, not [1]"),
    ("fold(x, axis='a')", 9, "axis", "axis is a whole number or a list of them, not 'a'"),
    ("shaped(x, 2, 0.5)", 1, "shaped", "shape is a size or a list of sizes, not [2, 0.5]"),
    ("shaped(x, inf)", 1, "shaped", "shape is a size or a list of sizes, not [inf]"),
    ("turned(x, 1.5)", 1, "turned", "axes is a list of whole numbers, not 1.5"),
    ("worded(x, 3)", 1, "worded", 'equation is a text in quotes, "...", not 3'),
    ("blur(x, window=0.5)", 9, "window", "window is a whole number, not 0.5"),
    ("rooted(x, factor=[1, 2])", 11, "factor", "factor is a number, not [1, 2]"),
    ("fold(x, axis=y)", 9, "axis", f"the axis of fold must be a constant ({DATA})"),
    ("scan(x, y + 1)", 1, "scan", f"the axis of scan must be a constant ({DATA})"),
    ("put(x, 3, 0.5)", 1, "put", "index is a whole number or a slice, not 0.5"),
    ("sin(1:2)", 6, ":", "a slice is no value (a slice is an index, as in x[1:3])"),
    ("sin(...)", 5, "...", "'...' is no value (a slice is an index, as in x[1:3])"),
    ("sin('x')", 5, "'x'", "this function asks for no text"),
    ("v[0.5]", 2, "[", "an index is a whole number or a slice, not 0.5"),
    ("v[nan]", 2, "[", "an index is a whole number or a slice, not nan"),
    ("v[[0, 1]]", 2, "[", "an index is a whole number or a slice, not [0, 1]"),
    ("v[len(y)]", 2, "[", "an index needs the shape of 'y' (declare it: input y: (10, 2))"),
    ("product(x, y, 3:)", 16, ":", "a slice is no value (a slice is an index, as in x[1:3])"),
    ("worded(x, ...)", 1, "worded", 'equation is a text in quotes, "...", not ...'),
    ("put(x, 2, 'a')", 1, "put", "index is a whole number or a slice, not 'a'"),
    ("put(x, 2:3, 1)", 1, "put", "shape is a size or a list of sizes, not a slice"),
    ("join()", 1, "join", "join takes at least 1 argument, 0 given (join(x, *more, axis=0))"),
    ("v[::0]", 2, "[", "an index is a whole number or a slice, not a slice with step 0"),
    ("v[x]", 2, "[", f"an index must be a constant ({DATA})"),
    ("v[:x]", 2, "[", f"an index must be a constant ({DATA})"),
    ("[[1, 2], [3]]*2", 1, "[",
     "the entries of an array have one shape, not shape (1,) and shape (2,)"),
    ("fold([[1, 2], [3]])", 6, "[",
     "the entries of an array have one shape, not shape (1,) and shape (2,)"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "column", "token", "message"), REFUSALS)
def test_refusal(text: str, column: int, token: str, message: str) -> None:
    with pytest.raises(FormulaError) as refused:
        parse(text)
    carets = " " * (column - 1) + "^" * len(token)
    report = f"<formula>:1:{column}: error: {message}\n  1 | {text}\n    | {carets}"
    assert str(refused.value) == report


UNEVEN = "[[1, 2], [3]]"
REFUSED = "the entries of an array have one shape, not shape (1,) and shape (2,)"


@pytest.mark.parametrize(
    "text",
    [
        "_", "-_", "_ + x", "x < _", "_²", "(_)", "_.T", "y = _", "[x, _]", "input y = _",
        "sin(_)", "sum(_)", "sum(_, axis=0)", "sum(x, axis=_)", "reshape(x, _)", "x[_]", "d(_, x)",
        "x if _ else y", "if _ { y = 1 }", "for i in 1 to _ { y = i }", "sum(_ for i in 1 to 2)",
        "join((_))", "join(_ + 1)", "join(_, _)", "join([_, x])", "f(a) = a; f(_)",
        "f(a) = _; f(1)", "join(a, b) = a; join(_, 1)",
    ],
)  # fmt: skip
def test_a_list_that_is_no_array_is_refused_but_as_a_call_s_arguments(text: str) -> None:
    with pytest.raises(FormulaError) as refused:
        parse(text.replace("_", UNEVEN))
    assert refused.value.message == REFUSED
    assert refused.value.place is not None
    assert refused.value.place.column == text.index("_") + 1
