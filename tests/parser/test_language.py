"""What formulas and programs mean, as nodes."""

# ruff: noqa: RUF001 (pasted characters are the subject)

from __future__ import annotations

import pytest

from cgraph.autodiff.errors import CgraphError
from cgraph.autodiff.graph import check
from cgraph.parser import is_graph, load, parse

from .graphs import read, written

PRECEDENCE = """
    -x^2                    neg(pow(x, 2))
    2^3^2                   pow(2, pow(3, 2))
    2^-x                    pow(2, neg(x))
    -x^-2                   neg(pow(x, -2))
    x**3                    pow(x, 3)
    a - b - c               sub(sub(a, b), c)
    a/b/c                   div(div(a, b), c)
    a/b*c                   mul(div(a, b), c)
    a*b % c                 mod(mul(a, b), c)
    a + b*c                 add(a, mul(b, c))
    (a + b)*c               mul(add(a, b), c)
    -a*b                    mul(neg(a), b)
    a*-b                    mul(a, neg(b))
    --x                     neg(neg(x))
    +x                      x
    a < b + 1               less(a, add(b, 1))
    0 < x < 1               and(less(0, x), less(x, 1))
    a <= b == c != d        and(and(less_equal(a, b), equal(b, c)), not_equal(c, d))
    a >= b and b > c        and(greater_equal(a, b), greater(b, c))
    a or b and not c        or(a, and(b, not(c)))
    not a == b              not(equal(a, b))
    a if c else b           where(c, a, b)
    a if c else b if d else e_   where(c, a, where(d, b, e_))
    a + 1 if c or d else b  where(or(c, d), add(a, 1), b)
    sin(x)^2                pow(sin(x), 2)
    max(a, b, c)            max(a, b, c)
    log(x)                  log(x)
    ln(x)                   log(x)
    log(x, 3)               log_base(x, 3)
    leaky_relu(x)           leaky_relu(x, 0.01)
    pow(x, y) + mod(x, y)   add(pow(x, y), mod(x, y))
"""

NUMBERS = """
    1                       1
    .5                      0.5
    2.                      2
    1e-3                    0.001
    1_000                   1000
    1_000.000_1e+1_0        10000001000000
    2e3                     2000
    -2                      -2
    -0.0                    -0
    x^-2                    pow(x, -2)
    -(2)                    neg(2)
    -2^2                    neg(pow(2, 2))
    --2                     neg(-2)
    +2                      2
    pi                      3.141592653589793
    e                       2.718281828459045
    tau                     6.283185307179586
    -inf                    -inf
    nan                     nan
    [1, 2, 3]               [1, 2, 3]
    [[1, 2], [3, -4]]       [[1, 2], [3, -4]]
    [1/4, -inf, 2^3, -(1)]  [0.25, -inf, 8, -1]
    [pi/4, 1]  stack(div(3.141592653589793, 4), 1; 0)
    [1, 2]*x                mul([1, 2], x)
    [-[1, 2], 2*[3, 4]]     [[-1, -2], [6, 8]]
"""

COEFFICIENTS = """
    2x                      mul(2, x)
    2x^3                    mul(2, pow(x, 3))
    -2x^2                   mul(-2, pow(x, 2))
    --2x                    mul(2, x)
    +2x                     mul(2, x)
    2x*3                    mul(mul(2, x), 3)
    2x/3                    div(mul(2, x), 3)
    a*2x                    mul(a, mul(2, x))
    a*-2x                   mul(a, mul(-2, x))
    3sin(x)                 mul(3, sin(x))
    2(x + 1)                mul(2, add(x, 1))
    2(x + 1)^2              mul(2, pow(add(x, 1), 2))
    2e                      mul(2, 2.718281828459045)
    2e1                     20
    2e1x                    mul(20, x)
    .5x + 2.x               add(mul(0.5, x), mul(2, x))
    0x                      mul(0, x)
    0b                      mul(0, b)
    e1                      e1
    1if c else 2            where(c, 1, 2)
    3 - 2x                  sub(3, mul(2, x))
    x^(2y)                  pow(x, mul(2, y))
    1/(2x)                  div(1, mul(2, x))
"""

PASTED = """
    3 − x                   sub(3, x)
    3 – x                   sub(3, x)
    a × b · c               mul(mul(a, b), c)
    a ÷ b                   div(a, b)
    2πr                     mul(2, πr)
    2π                      mul(2, 3.141592653589793)
    √x                      sqrt(x)
    √x²                     pow(sqrt(x), 2)
    √(x + 1)                sqrt(add(x, 1))
    √√x                     sqrt(sqrt(x))
    √sin(x)                 sqrt(sin(x))
    2√x                     mul(2, sqrt(x))
    -√x                     neg(sqrt(x))
    x²                      pow(x, 2)
    x⁻¹                     pow(x, -1)
    x¹²                     pow(x, 12)
    x⁺²                     pow(x, 2)
    -x²                     neg(pow(x, 2))
    2^x²                    pow(2, pow(x, 2))
    x²^3                    pow(pow(x, 2), 3)
    sin(x)²                 pow(sin(x), 2)
    2x²                     mul(2, pow(x, 2))
    x ≤ y                   less_equal(x, y)
    x ≥ y                   greater_equal(x, y)
    x ≠ y                   not_equal(x, y)
    （ｘ ＋ １）＊２．５     mul(add(x, 1), 2.5)
    max（a，b）             max(a, b)
    ٣ + x                   add(3, x)
    α_1 + été               add(α_1, été)
    க்ஷ + x₁                add(க்ஷ, x1)
    ₁x + 𝑥₁₀*µ              add(₁x, mul(x10, μ))
    Ⅷ                       VIII
    x\u00a0+\u2009y         add(x, y)
    2\u2062x                mul(2, x)
    e\u0301te               \u00e9te
"""

NAMES = """
    fc1.weight*x            mul(fc1.weight, x)
    T                       T
    gamma*x                 mul(gamma, x)
    gamma(x)*gamma          mul(gamma(x), gamma)
    input + 1               add(input, 1)
    input                   input
    to*x                    mul(to, x)
    if_ + notx              add(if_, notx)
    e_                      e_
"""


def cases(table: str) -> list[tuple[str, str]]:
    """Return the pairs in a table: a formula, two or more spaces, what it is."""
    lines = [line.strip() for line in table.split("\n") if line.strip()]
    return [(text.strip(), tree.strip()) for text, tree in (line.split("  ", 1) for line in lines)]


@pytest.mark.parametrize(
    ("text", "tree"), cases(PRECEDENCE + NUMBERS + COEFFICIENTS + PASTED + NAMES)
)
def test_expression(text: str, tree: str) -> None:
    graph = parse(text)
    assert written(graph) == tree
    check(graph)


PROGRAMS = [
    ("p = x + y; p*z", "mul(add(x, y), z)"),
    ("p = x + y\np*z\n", "mul(add(x, y), z)"),
    ("p = 1; p = p + x; p", "add(1, x)"),
    ("p = 1; f(a) = p*a; p = 2; f(x) + p", "add(mul(1, x), 2)"),
    ("p = x", "x"),
    ("p = x; q = 2", "2"),
    ("\n\n# a comment\n ; p = x # and one more\n;;", "x"),
    ("p = (x\n + # within\n y)\np", "add(x, y)"),
    ("max(x,\r\n y)\r\n", "max(x, y)"),
    ("p = x\rp^2", "pow(x, 2)"),
    ("\ufeffx + 1", "add(x, 1)"),
    ("input e; e*x", "mul(e, x)"),
    ("e = x; 2e", "mul(2, x)"),
    ("pi = 3; pi", "3"),
    ("π = 3; pi", "3"),
    ("input r = 0.05\nr*x", "mul(r, x)"),
    ("input X: (10, 2)\nX", "X"),
    ("e*x; e = 2", "mul(2.718281828459045, x)"),
    ("f = 2; f(x) = x^2; f*f(3)", "mul(2, pow(3, 2))"),
    ("sin = 2; sin(x)*sin", "mul(sin(x), 2)"),
]


@pytest.mark.parametrize(("text", "tree"), PROGRAMS)
def test_program(text: str, tree: str) -> None:
    assert read(text) == tree


def test_outputs_are_the_bare_expressions_in_order() -> None:
    graph = parse("p = x^2; p; p*y; p")
    assert [written(graph, node) for node in graph.outputs] == [
        "pow(x, 2)",
        "mul(pow(x, 2), y)",
        "pow(x, 2)",
    ]
    assert graph.names == {"p": graph.outputs[0]}


def test_inputs_are_in_the_order_in_which_they_appear() -> None:
    assert list(parse("f(a) = k*a; b + f(c)").inputs()) == ["k", "b", "c"]
    assert list(parse("input z; y + x*z").inputs()) == ["z", "y", "x"]


def test_declarations() -> None:
    graph = parse("input r = 1/4; input X: (10, 2); input v: (2) = [1, 2]; input s: (); r*X*v*s")
    assert graph.defaults == {"r": 0.25, "v": (1.0, 2.0)}
    assert graph.shapes == {"X": (10, 2), "v": (2,), "s": ()}


def test_names_that_are_inputs_though_they_are_constants() -> None:
    assert read("e*x + pi", inputs=("e",)) == "add(mul(e, x), 3.141592653589793)"
    assert read("f(x) = e^x; f(2)", inputs=("e",)) == "pow(e, 2)"
    assert read("e = 3; e*x", inputs=("e",)) == "mul(3, x)"
    with pytest.raises(CgraphError, match="'inf' is a constant"):
        parse("x", inputs=("inf",))
    with pytest.raises(CgraphError, match="'if' is a reserved word"):
        parse("x", inputs=("if",))


def test_library_is_read_first_and_puts_nothing_out() -> None:
    library = [("a.cg", "k = 2; sq(x) = k*x^2; sq(7)"), ("b.cg", "cube(x) = x*sq(x)")]
    graph = parse("cube(y)", library=library)
    assert written(graph) == "mul(y, mul(2, pow(y, 2)))"
    with pytest.raises(CgraphError) as refused:
        parse("x", library=[("a.cg", "y = (")])
    assert str(refused.value).startswith("a.cg:1:5: error: '(' is never closed")
    with pytest.raises(CgraphError, match="the formula is empty"):
        parse("# nothing", library=library)


def test_spans_point_at_the_operator_or_the_function() -> None:
    graph = parse("(x+y) * sin(z)")
    columns = {written(graph, node): at for node, at in enumerate(graph.spans)}
    assert columns == {
        "x": 1,
        "y": 3,
        "add(x, y)": 2,
        "z": 12,
        "sin(z)": 8,
        "mul(add(x, y), sin(z))": 6,
    }


def test_nan_and_zeros_keep_their_bits() -> None:
    graph = parse("[nan, -0.0, 0]")
    (value,) = graph.nodes[graph.outputs[0]].attrs
    assert repr(value) == "(nan, -0.0, 0.0)"


def test_load_tells_graphs_from_formulas() -> None:
    assert is_graph('\ufeff \n {"node": []}')
    assert not is_graph("x + 1")
    assert written(load("x + 1")) == "add(x, 1)"
    graph = load('{"node": [{"name": "x", "op": "Placeholder"}]}')
    assert written(graph) == "x"
