"""The public API."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

import cgraph
from cgraph.autodiff.errors import FormulaError, UsageError
from cgraph.autodiff.gradient import Mode
from cgraph.autodiff.graph import check

POINT = {"x": 1, "y": 3, "z": -3}
MODES: tuple[Mode, ...] = ("reverse", "forward", "auto")


def test_the_first_lines_of_the_readme() -> None:
    f = cgraph.parse("(x + y) * z")
    assert f.inputs == ("x", "y", "z")
    assert f(x=1, y=3, z=-3) == -12.0
    assert cgraph.evaluate(f, POINT) == -12.0
    assert cgraph.value_and_grad(f, POINT) == (-12.0, {"x": -3.0, "y": -3.0, "z": 4.0})
    assert cgraph.grad(f, POINT) == {"x": -3.0, "y": -3.0, "z": 4.0}


@pytest.mark.parametrize("mode", MODES)
def test_modes_agree(mode: Mode) -> None:
    f = cgraph.parse("x*sin(y) + z^x")
    point = {"x": 1.5, "y": 0.5, "z": 2.0}
    value, gradient = cgraph.value_and_grad(f, point, mode)
    assert value == pytest.approx(1.5 * math.sin(0.5) + 2.0**1.5)
    assert gradient["z"] == pytest.approx(1.5 * 2.0**0.5)
    assert list(gradient) == ["x", "y", "z"]
    assert all(type(slope) is float for slope in gradient.values())


@pytest.mark.parametrize("x", [2, 2.0, True + 1, np.float32(2), np.int64(2), np.array(2)])
def test_a_number_of_any_make_is_a_float(x: Any) -> None:
    value, gradient = cgraph.value_and_grad(cgraph.parse("x^2"), {"x": x})
    assert (value, gradient) == (4.0, {"x": 4.0})
    assert type(value) is type(gradient["x"]) is float


@pytest.mark.parametrize("mode", MODES)
def test_gradients_of_arrays_are_of_the_sum(mode: Mode) -> None:
    f = cgraph.parse("s*v^2 + w")
    bindings = {"s": 2.0, "v": [1, 2, 3], "w": [[1.0], [2.0]]}
    value, gradient = cgraph.value_and_grad(f, bindings, mode)
    assert value.tolist() == [[3.0, 9.0, 19.0], [4.0, 10.0, 20.0]]
    assert gradient["s"] == 28.0
    assert gradient["v"].tolist() == [8.0, 16.0, 24.0]
    assert gradient["w"].tolist() == [[3.0], [3.0]]
    assert value.dtype == gradient["v"].dtype == np.float64


def test_results_are_the_callers_own() -> None:
    x = np.array([1.0, 2.0])
    f = cgraph.parse("x + y")
    gradient = cgraph.grad(f, {"x": x, "y": 1.0})
    gradient["x"][0] = 7.0
    cgraph.evaluate(cgraph.parse("x"), {"x": x})[0] = 7.0
    assert x.tolist() == [1.0, 2.0]


def test_results_share_no_memory() -> None:
    x, y = np.array([1.0, 2.0]), np.array([3.0, 4.0])
    value, gradient = cgraph.value_and_grad("exp(x + y)", {"x": x, "y": y})
    value[0] = gradient["y"][0] = 7.0
    assert gradient["x"].tolist() == np.exp(x + y).tolist()
    gradient = cgraph.grad("x*y", {"x": x, "y": y})
    gradient["x"][0] = 7.0
    assert (gradient["y"].tolist(), y.tolist()) == ([1.0, 2.0], [3.0, 4.0])


def test_several_outputs_are_a_tuple() -> None:
    f = cgraph.parse("p = x^2\np\np + x")
    assert f(x=3.0) == (9.0, 12.0)
    assert cgraph.evaluate(f, {"x": 3.0}, output="p") == 9.0
    assert cgraph.grad(f, {"x": 3.0}, output="p") == {"x": 6.0}
    assert cgraph.compile(f)(x=3.0) == (9.0, 12.0)
    for attempt in (lambda: cgraph.grad(f, {"x": 3.0}), lambda: cgraph.compile(f, grad=True)):
        with pytest.raises(UsageError) as caught:
            attempt()
        assert str(caught.value) == (
            "error: a gradient is of one output, the formula has 2 (name it in output=)"
        )


def test_derivatives_by_named_values() -> None:
    f = cgraph.parse("p = x*y\nq = p^2\nq + x")
    point = {"x": 2.0, "y": 3.0}
    assert cgraph.grad(f, point, wrt=["p", "x"]) == {"p": 12.0, "x": 37.0}
    assert cgraph.grad(f, point, wrt=["q"]) == {"q": 1.0}
    assert cgraph.grad(f, point, wrt=["y"], output="p") == {"y": 2.0}
    assert cgraph.grad(f, point, wrt=["q"], output="p") == {"q": 0.0}
    assert cgraph.grad(f, point, wrt=[]) == {}


def test_defaults_stand_in_for_bindings() -> None:
    f = cgraph.parse("input r = 0.5\nr*x")
    assert f(x=4.0) == 2.0
    assert f(x=4.0, r=2.0) == 8.0
    assert cgraph.grad(f, {"x": 4.0}) == {"r": 4.0, "x": 0.5}


def test_constants_may_be_inputs() -> None:
    assert cgraph.parse("e^x").inputs == ("x",)
    assert cgraph.parse("e^x", inputs=("e",))(e=2.0, x=3.0) == 8.0


def test_no_value_no_derivative_and_the_graph_stays_plain() -> None:
    f = cgraph.parse("log(x)")
    value, gradient = cgraph.value_and_grad(f, {"x": -1.0})
    assert math.isnan(value)
    assert math.isnan(gradient["x"])


# Compiled programs


def test_a_program_runs_many_times() -> None:
    f = cgraph.parse("(x + y) * z")
    program = cgraph.compile(f, grad=True)
    nodes = None
    for _ in range(3):
        assert program(**POINT) == (-12.0, {"x": -3.0, "y": -3.0, "z": 4.0})
        assert nodes in (None, len(f.graph)), "it is built once"
        nodes = len(f.graph)
    assert cgraph.compile(f)(**POINT) == -12.0


@pytest.mark.parametrize("mode", MODES)
def test_a_program_takes_any_shapes(mode: Mode) -> None:
    program = cgraph.compile(cgraph.parse("s*v"), grad=True, mode=mode)
    for v, expected in (
        (3.0, 3.0),
        ([1.0, 2.0], 3.0),
        ([1.0, 2.0, 4.0], 7.0),
        (5.0, 5.0),
        ([[1.0], [2.0]], 3.0),
        ([1.0, 5.0], 6.0),
    ):
        value, gradient = program(s=2.0, v=v)
        assert np.array_equal(value, 2.0 * np.array(v))
        assert gradient["s"] == expected
        assert np.array_equal(gradient["v"], np.full(np.shape(v), 2.0))
    value, gradient = program(v=[1.0, 2.0], s=[[1.0], [1.0]])
    assert gradient["s"].tolist() == [[3.0], [3.0]]


def test_a_program_with_defaults_and_by_names() -> None:
    f = cgraph.parse("input r = 0.5\np = r*x\np^2")
    program = cgraph.compile(f, grad=True, wrt=["p"])
    assert program(x=4.0) == (4.0, {"p": 4.0})
    assert program(x=4.0, r=1.0) == (16.0, {"p": 8.0})
    assert cgraph.compile(f, output="p")(x=4.0) == 2.0


def test_a_program_without_inputs() -> None:
    assert cgraph.compile(cgraph.parse("1 + 1"))() == 2.0
    value, gradient = cgraph.compile(cgraph.parse("1 + 1"), grad=True)()
    assert (value, gradient) == (2.0, {})
    assert cgraph.value_and_grad(cgraph.parse("1 + 1"), {}) == (2.0, {})


# Errors


ERRORS: list[tuple[Callable[[cgraph.Formula], object], str]] = [
    (lambda f: f(x=1), "error: no value for y, z"),
    (lambda f: cgraph.grad(f, {}), "error: no value for x, y, z"),
    (lambda f: cgraph.compile(f)(x=1, z=2), "error: no value for y"),
    (lambda f: f(x=1, y=2, z=3, q=4), "error: 'q' is not an input of the formula"),
    (
        lambda f: f(x=1, y=2, z=3, alpah=4, alpha=1),
        "error: 'alpah' is not an input of the formula",
    ),
    (
        lambda f: f(x="1", y=2, z=3),
        "error: the value of 'x' is not a number or an array: '1'",
    ),
    (
        lambda f: f(x=[[1], [1, 2]], y=2, z=3),
        "error: the value of 'x' is not a number or an array: [[1], [1, 2]]",
    ),
    (
        lambda f: f(x=None, y=2, z=3),
        "error: the value of 'x' is not a number or an array: None",
    ),
    (lambda f: f(x=1j, y=2, z=3), "error: the value of 'x' is not a number or an array: 1j"),
    (
        lambda f: cgraph.evaluate(f, POINT, output="w"),
        "error: no value is called 'w' (known: x, y, z, sum1)",
    ),
    (
        lambda f: cgraph.grad(f, POINT, wrt=["w"]),
        "error: no value is called 'w' (known: x, y, z, sum1)",
    ),
    (
        lambda f: cgraph.compile(f, grad=True, wrt=["summ"]),
        "error: no value is called 'summ' (did you mean 'sum1'?)",
    ),
]


@pytest.mark.parametrize(("attempt", "report"), ERRORS)
def test_errors_say_what_there_is_not(
    attempt: Callable[[cgraph.Formula], object], report: str
) -> None:
    formula = cgraph.parse("sum1 = x + y\nsum1 * z")
    with pytest.raises(UsageError) as caught:
        attempt(formula)
    assert str(caught.value) == report
    assert caught.value.exit_code == 2


def test_a_near_miss_among_inputs_is_named() -> None:
    with pytest.raises(UsageError) as caught:
        cgraph.parse("alpha*x")(alpah=1.0, x=1.0)
    assert str(caught.value) == (
        "error: 'alpah' is not an input of the formula (did you mean 'alpha'?)"
    )


def test_shapes_that_do_not_fit_are_the_datas_fault() -> None:
    program = cgraph.compile(cgraph.parse("x + y"), grad=True)
    with pytest.raises(FormulaError, match="needs shapes that broadcast") as caught:
        program(x=[1.0, 2.0], y=[1.0, 2.0, 3.0])
    assert (caught.value.line, caught.value.column) == (1, 3)


def test_errors_of_the_formula_carry_their_place() -> None:
    with pytest.raises(cgraph.CgraphError) as caught:
        cgraph.parse("a + sinn(x)")
    assert (caught.value.line, caught.value.column) == (1, 5)
    assert caught.value.hint == "did you mean 'sin'?"


# The formula itself


def test_a_formula_prints_as_text_that_reads_back() -> None:
    f = cgraph.parse("p = x + y; p * z")
    again = cgraph.parse(str(f))
    assert again(**POINT) == -12.0
    assert eval(repr(f), {"cgraph": cgraph})(**POINT) == -12.0


def test_a_graph_as_json_is_a_formula_too() -> None:
    from cgraph.exporters.graphdef import graphdef_json

    f = cgraph.parse("(x + y) * z")
    again = cgraph.parse(graphdef_json(f.graph))
    assert cgraph.value_and_grad(again, POINT) == cgraph.value_and_grad(f, POINT)


def test_a_text_will_do_for_a_formula() -> None:
    assert cgraph.evaluate("x^2", {"x": 3}) == 9.0
    assert cgraph.grad("x^2", {"x": 3}) == {"x": 6.0}
    assert cgraph.compile("x^2", grad=True)(x=3) == (9.0, {"x": 6.0})


def test_a_declared_shape_is_held() -> None:
    formula = cgraph.parse("input X: (2, 3)\nX*2")
    assert formula(X=np.ones((2, 3))).shape == (2, 3)
    with pytest.raises(cgraph.FormulaError) as caught:
        formula(X=[1.0, 2.0])
    assert str(caught.value) == (
        "<formula>:1:7: error: X is declared with shape (2, 3), its value has shape (2,)\n"
        "  1 | input X: (2, 3)\n"
        "    |       ^"
    )


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ({"theme": "purple"}, "error: 'purple' is no theme (there are light, dark)"),
        ({"direction": "left"}, "error: 'left' is no direction (there are right, up, down)"),
        ({"edges": "bogus"}, "error: 'bogus' is no edges (there are partial, shape, none)"),
    ],
)
def test_words_that_are_none(word: dict[str, Any], message: str) -> None:
    with pytest.raises(cgraph.UsageError) as caught:
        cgraph.parse("x").render(**word)
    assert str(caught.value) == message


def test_a_mode_that_is_none() -> None:
    with pytest.raises(cgraph.UsageError, match="'sideways' is no mode"):
        cgraph.grad("x", {"x": 1}, mode="sideways")  # type: ignore[arg-type]


def test_the_picture_of_a_formula() -> None:
    assert "<svg" in str(cgraph.parse("x*y").render(bindings={"x": 2, "y": 3}, grad=True))
    assert "<svg" in str(cgraph.parse("x; y").render())


def test_derivatives_and_simple_forms_are_formulas() -> None:
    assert str(cgraph.diff("x^2*sin(x)", "x")) == "2*x*sin(x) + x^2*cos(x)"
    assert str(cgraph.diff("x^3*y^2", "x", "y")) == "6*x^2*y"
    assert cgraph.diff("input a = 2\na*x^2", "x")(x=3) == 12.0
    assert str(cgraph.simplify("x + x + sin(y)^2 + cos(y)^2")) == "2*x + 1"
    with pytest.raises(UsageError, match="no value is called 'z'"):
        cgraph.diff("x", "z")


def test_the_fastest_form_is_a_formula() -> None:
    fast = cgraph.optimize("p = x^2 + y*1; p/4 + sin(0)*p")
    assert str(fast) == "p = x*x + y\np*0.25 + 0*p"
    assert fast(x=2, y=4) == 2.0
    assert set(fast.graph.scopes.values()) == {"fused_1", "fused_2"}
    assert "<svg" in str(fast.render())


def test_sparse_matrices() -> None:
    chain = cgraph.parse("X[1:] - X[:-1]^2; s*X[0]")
    for s in (2.0, 3.0):
        found = cgraph.jacobian(chain, {"X": [1, 2, 3], "s": s}, sparse=True)
        assert isinstance(found, csr_array)
        assert found.toarray().tolist() == [[-2, 1, 0, 0], [0, -4, 1, 0], [s, 0, 0, 1]]
        found.data[:] = 0
        found.eliminate_zeros()
    longer = cgraph.jacobian(chain, {"X": [1, 2], "s": 1}, wrt=["X"], sparse=True)
    assert longer.toarray().tolist() == [[-2, 1], [1, 0]]
    energy = "sum((X[1:] - X[:-1]^2)^2)"
    bent = cgraph.hessian(energy, {"X": [1, 2, 3]}, sparse=True)
    assert bent.toarray().tolist() == cgraph.hessian(energy, {"X": [1, 2, 3]})["X"]["X"].tolist()


def test_what_finds_sparse_matrices_is_kept_by_a_formula() -> None:
    square = cgraph.parse("x^2")
    for x in ([1.0], [1.0, 2.0], [3.0, 4.0]):
        cgraph.jacobian(square, {"x": x}, sparse=True)
    cgraph.hessian(square, {"x": [1.0]}, sparse=True)
    assert len(square.prepared) == 3


# -- what is wanted --------------------------------------------------------------------------------

WANTED = "bindings map names to values, as in {'x': 1}, not "
MISUSES: list[tuple[Callable[[], object], str]] = [
    (lambda: cgraph.parse(None),  # type: ignore[arg-type]
     "a formula is its text, or what cgraph.parse returns, not None"),
    (lambda: cgraph.parse(b"x"),  # type: ignore[arg-type]
     "a formula is its text, or what cgraph.parse returns, not b'x' "
     "(decode it first: text.decode())"),
    (lambda: cgraph.parse(cgraph.parse("x")),  # type: ignore[arg-type]
     "a formula is its text, or what cgraph.parse returns, not cgraph.parse('x')"),
    (lambda: cgraph.evaluate(3, {}),  # type: ignore[arg-type]
     "a formula is its text, or what cgraph.parse returns, not 3"),
    (lambda: cgraph.grad("x", [1]), f"{WANTED}[1]"),  # type: ignore[arg-type]
    (lambda: cgraph.grad("x", 1), f"{WANTED}1"),  # type: ignore[arg-type]
    (lambda: cgraph.grad(cgraph.parse("x"), [1]), f"{WANTED}[1]"),  # type: ignore[arg-type]
    (lambda: cgraph.grad("x", {1: 2}),  # type: ignore[dict-item]
     "a name is a text, as in {'x': 1}, not 1"),
    (lambda: cgraph.parse("x").render(bindings=[1]), f"{WANTED}[1]"),  # type: ignore[arg-type]
    (lambda: cgraph.hvp("x", {"x": 1}, [1]),  # type: ignore[arg-type]
     "vector map names to values, as in {'x': 1}, not [1]"),
    (lambda: cgraph.jvp("x", {"x": 1}, 1),  # type: ignore[arg-type]
     "vector map names to values, as in {'x': 1}, not 1"),
    (lambda: cgraph.grad("x", {"x": 1}, wrt=1),  # type: ignore[arg-type]
     "wrt takes a name, 'x', or several, ['x', 'y'], not 1"),
    (lambda: cgraph.grad("x", {"x": 1}, wrt=[1]),  # type: ignore[list-item]
     "wrt takes a name, 'x', or several, ['x', 'y'], not [1]"),
    (lambda: cgraph.parse("x", inputs=1),  # type: ignore[arg-type]
     "inputs takes a name, 'x', or several, ['x', 'y'], not 1"),
    (lambda: cgraph.diff("x", 1),  # type: ignore[arg-type]
     "diff takes a name, 'x', or several, ['x', 'y'], not 1"),
    (lambda: cgraph.diff("x*y"),
     'there are 2 inputs to differentiate by (as in cgraph.diff(f, "x"))'),
    (lambda: cgraph.diff("3"), "there is no input to differentiate by"),
    (lambda: cgraph.grad("x", {"x": 1}, mode="up"),  # type: ignore[arg-type]
     "'up' is no mode (there are reverse, forward, auto)"),
    (lambda: cgraph.compile("x", mode="up"),  # type: ignore[arg-type]
     "'up' is no mode (there are reverse, forward, auto)"),
    (lambda: cgraph.evaluate("x", {"x": 1}, output=1),  # type: ignore[arg-type]
     "output names one value, 'p', not 1"),
    (lambda: cgraph.taylor("x", {"x": 1}, "2"),  # type: ignore[arg-type]
     "an order is a whole number from 0 on, not '2'"),
    (lambda: cgraph.taylor("x*y", {"x": 1, "y": 2}, 2, wrt="x,y"),
     "a series is in one input, not in x, y"),
    (lambda: cgraph.parse("x", seed="1"),  # type: ignore[arg-type]
     "a seed is a whole number from 0 on, not '1'"),
    (lambda: cgraph.parse("x", max_nodes="1"),  # type: ignore[arg-type]
     "a graph has room for one node or more, not for '1'"),
    (lambda: cgraph.parse("x", values=[1]),  # type: ignore[arg-type]
     "values map names to values, as in {'x': 1}, not [1]"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "told"), MISUSES)
def test_a_misuse_says_what_is_wanted(call: Callable[[], object], told: str) -> None:
    with pytest.raises(UsageError) as refused:
        call()
    assert str(refused.value) == f"error: {told}"


@pytest.mark.parametrize("wrt", ["xy", ["xy"], ("xy",), " xy "])
def test_a_text_is_one_name(wrt: Any) -> None:
    f = cgraph.parse("x*y*xy")
    at = {"x": 2, "y": 3, "xy": 5}
    assert cgraph.grad(f, at, wrt=wrt) == {"xy": 6.0}
    assert cgraph.value_and_grad(f, at, wrt=wrt)[1] == {"xy": 6.0}
    assert cgraph.compile(f, grad=True, wrt=wrt)(**at)[1] == {"xy": 6.0}
    assert cgraph.jacobian(f, at, wrt=wrt) == {"xy": 6.0}
    assert cgraph.hessian(f, at, wrt=wrt) == {"xy": {"xy": 0.0}}
    assert cgraph.hvp(f, at, {"x": 1}, wrt=wrt) == {"xy": 3.0}
    assert cgraph.vjp(f, at, 1, wrt=wrt) == {"xy": 6.0}
    assert str(cgraph.diff(f, *([wrt] if isinstance(wrt, str) else wrt))) == "x*y"
    assert cgraph.parse("x*tau", inputs="tau").inputs == ("x", "tau")


@pytest.mark.parametrize("wrt", ["x,xy", "x, xy", ["x", "xy"], ["x,xy"]])
def test_several_names_in_a_text_are_as_at_the_shell(wrt: Any) -> None:
    at = {"x": 2, "y": 3, "xy": 5}
    assert cgraph.grad("x*y*xy", at, wrt=wrt) == {"x": 15.0, "xy": 6.0}


def test_the_derivative_of_one_input_needs_no_name() -> None:
    assert str(cgraph.diff("x^2*sin(x)")) == "2*x*sin(x) + x^2*cos(x)"
    assert str(cgraph.diff("p = x^2; p; x", output="p")) == "2*x"


@pytest.mark.parametrize("make", [str, cgraph.parse])
def test_a_binding_or_a_name_makes_a_constant_an_input(make: Callable[[str], Any]) -> None:
    f, at = make("x*tau^2"), {"x": 3, "tau": 2}
    assert cgraph.evaluate(f, at) == 12.0
    assert cgraph.evaluate(f, {"x": 1}) == math.tau**2
    assert cgraph.grad(f, at) == {"x": 4.0, "tau": 12.0}
    assert cgraph.grad(f, at, wrt="tau") == {"tau": 12.0}
    assert cgraph.taylor(f, at, 2, wrt="tau") == [12.0, 12.0, 3.0]
    assert cgraph.jvp(f, at, {"tau": 1}) == 12.0
    assert cgraph.compile(f, grad=True, wrt="tau")(x=3.0, tau=2.0) == (12.0, {"tau": 12.0})
    assert str(cgraph.diff(f, "tau")) == "input tau\n2*tau*x"
    assert cgraph.parse("x*tau^2")(x=3, tau=2) == 12.0


def test_the_origin_of_a_nan_is_found_in_an_optimized_derivative() -> None:
    f = cgraph.optimize(cgraph.parse("d(log(x)*y, x)/y"))
    check(f.graph)
    assert math.isnan(cgraph.evaluate(f, {"x": 0, "y": 0}))


@pytest.mark.parametrize("text", [
    "d(log(x)*y, x)/y", "d(d(sqrt(x)/y, x), y)", "f(a) = d(log(a), a); f(x)*f(y)",
    "p = d(x^2/y, x); p*log(y)", "input x: (); input y: (); d(sum([x, y]^3), x)",
])  # fmt: skip
def test_every_rewritten_graph_has_side_tables_that_hold(text: str) -> None:
    f = cgraph.parse(text)
    for one in (f, cgraph.optimize(f), cgraph.optimize(cgraph.optimize(f)), cgraph.simplify(f)):
        check(one.graph)
        cgraph.evaluate(one, dict.fromkeys(one.inputs, 0.0))
