"""Code for other languages gives what the formulas give: run by gcc, node, Python and SymPy."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cgraph
from cgraph.autodiff.errors import FormulaError
from cgraph.autodiff.graph import Graph
from cgraph.autodiff.ops import OPS, Expr, Op
from cgraph.autodiff.results import gradients
from cgraph.exporters.code import c, javascript, latex, python, symbolic
from cgraph.exporters.code.forms import form_of
from cgraph.exporters.code.lower import Lowered, lowered
from cgraph.exporters.compose import Wanted, scene_of
from cgraph.exporters.options import Options
from cgraph.exporters.registry import by_name
from cgraph.exporters.scene import Scene

from ..autodiff.samples import arity, elementwise, moderate
from ..autodiff.tensors import CASES as CALLS
from ..autodiff.tensors import Case, attributes_of, built, first_cases, values
from ..test_cases import CASES, SCALAR, bound, label, number
from ..test_cases import read as read_cases
from . import latex_reader
from .running import (
    Answer,
    Run,
    compiled,
    exported,
    once,
    run_c,
    run_javascript,
    run_python,
    run_sympy,
)

TARGETS = {
    target.name: target
    for target in (
        python.TARGET,
        c.target_of("double"),
        javascript.TARGET,
        latex.TARGET,
        symbolic.TARGET,
    )
}
RELATIVE = 1e-12
TENSOR = read_cases("tensor")


def run_of(case: dict[str, Any], target: str, name: str) -> Run:
    """Return a case as code with its derivatives."""
    values = bound(case)
    return Run(name, exported(case["expr"], target, name), values, list(values))


def agree(found: float, expected: float) -> bool:
    """Tell whether two numbers are the same to 1e-12."""
    if found == expected or (found != found and expected != expected):
        return True
    return abs(found - expected) <= RELATIVE * abs(expected) + 1e-16


def wrong(case: dict[str, Any], found: Answer) -> list[Any]:
    """Return what an answer says otherwise than its case."""
    pairs = [(found.value, case["value"])]
    pairs += [(slope, case["grad"][name]) for name, slope in found.gradient.items()]
    return [(label(case), *pair) for pair in pairs if not agree(pair[0], number(pair[1]))]


def assert_all_hold(cases: Sequence[dict[str, Any]], found: Sequence[Answer]) -> None:
    """Compare answers with their cases."""
    assert [line for case, one in zip(cases, found, strict=True) for line in wrong(case, one)] == []


def in_order(case: dict[str, Any], run: Run) -> Run:
    """Return the run with its arguments in the order in which the formula has them."""
    names = [name for name in cgraph.parse(case["expr"]).inputs if name in run.values]
    return run._replace(values={name: run.values[name] for name in names}, wrt=run.wrt and names)


def runs(target: str, cases: Sequence[dict[str, Any]]) -> list[Run]:
    """Return cases as code, each with a name of its own."""
    return [in_order(case, run_of(case, target, f"case_{k}")) for k, case in enumerate(cases)]


@pytest.mark.parametrize("standard", ["c99", "c11"])
def test_c_holds(standard: str, tmp_path: Path) -> None:
    assert_all_hold(CASES, run_c(runs("c", CASES), tmp_path, f"-std={standard}"))


def test_javascript_holds(tmp_path: Path) -> None:
    assert_all_hold(CASES, run_javascript(runs("javascript", CASES), tmp_path))


def test_python_holds() -> None:
    assert_all_hold(CASES, [run_python(run) for run in runs("python", CASES)])


def test_sympy_holds() -> None:
    assert_all_hold(SCALAR, [run_sympy(run) for run in runs("sympy", SCALAR)])


# Op by op


def of_op(op: Op) -> Graph:
    """Return the graph of an op at inputs."""
    graph = Graph()
    args = tuple(graph.placeholder(f"x{k}") for k in range(arity(op)))
    graph.outputs = [graph.add(op, args, attributes_of(op))]
    return graph


def op_runs(target: str) -> list[tuple[Op, Run]]:
    """Return each op that a target can write, at points of its domain."""
    found: list[tuple[Op, Run]] = []
    for op in elementwise():
        if op.name not in lacking(target):
            source = exported(of_op(op), target, f"op_{op.name}", grad=False)
            for point in moderate(op, 6):
                values = {f"x{k}": x for k, x in enumerate(point)}
                found.append((op, Run(f"op_{op.name}", source, values, [])))
    return found


def assert_ops_hold(runs: Sequence[tuple[Op, Run]], found: Sequence[Answer]) -> None:
    """Compare what ops give with what they are."""
    for (op, run), one in zip(runs, found, strict=True):
        expected = op.scalar(*run.values.values())
        # A definition may lose digits next to an end of the domain.
        assert one.value == pytest.approx(expected, rel=1e-11, abs=1e-15), (op.name, run.values)


def test_ops_in_c(tmp_path: Path) -> None:
    runs = op_runs("c")
    assert_ops_hold(runs, run_c([run for _, run in runs], tmp_path))


def test_ops_in_javascript(tmp_path: Path) -> None:
    runs = op_runs("javascript")
    assert_ops_hold(runs, run_javascript([run for _, run in runs], tmp_path))


def test_ops_in_python() -> None:
    runs = op_runs("python")
    assert_ops_hold(runs, [run_python(run) for _, run in runs])


def test_ops_in_sympy() -> None:
    runs = op_runs("sympy")[::3]
    assert_ops_hold(runs, [run_sympy(run) for _, run in runs])


def lacking(target: str) -> set[str]:
    """Return the ops that a target cannot write."""
    return {op.name for op in OPS.values() if word(target, op) == "-"}


def word(target: str, op: Op) -> str:
    """Return how a target writes an op: by its own word, by the definition, or (`-`) not at all."""
    if not op.array:
        return "own"
    if form_of(TARGETS[target], op):
        return "own"
    if op.definition is None:
        return "-"
    graph = Graph()
    inner = op.definition(*[Expr(graph, graph.placeholder(str(k))) for k in range(arity(op))])
    parts = {node.op for _, node in graph.walk(graph.needed([inner.node]))}
    return "-" if any(word(target, part) == "-" for part in parts) else "definition"


def test_gaps_are_known(rewrite: bool) -> None:
    path = Path(__file__).parent / "gaps.txt"
    lines = [f"{'op':<14}{''.join(f'{name:<12}' for name in TARGETS)}".rstrip()]
    for op in sorted(OPS.values(), key=lambda op: op.name):
        words = [word(name, op) for name in TARGETS]
        if set(words) != {"own"}:
            lines.append(f"{op.name:<14}{''.join(f'{one:<12}' for one in words)}".rstrip())
    found = "\n".join([*lines, ""])
    if rewrite:
        path.write_text(found)
    else:
        assert path.read_text() == found


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        (
            "polygamma(2, x)",
            "<formula>:1:1: error: Basic has no polygamma (the other code formats may have it)\n"
            "  1 | polygamma(2, x)\n    | ^",
        ),
        (
            "digamma(x) + 1",
            "<formula>:1:1: error: Basic has no polygamma, which the derivative of digamma needs "
            "(without --grad it is not needed)\n  1 | digamma(x) + 1\n    | ^",
        ),
    ],
)
def test_a_language_that_has_neither_word_nor_definition_says_so(
    formula: str, message: str
) -> None:
    graph = cgraph.parse(formula).graph
    scene, _ = scene_of(graph, graph.outputs, {}, Wanted(graph.placeholders, backward=True))
    with pytest.raises(FormulaError) as caught:
        lowered(Lowered(graph, scene.outputs), lambda op: op.name != "polygamma", "Basic")
    assert str(caught.value) == message


# Drawn graphs


def drawn(seed: int) -> tuple[Graph, dict[str, float]]:
    """Return a graph of a dozen ops and values for its inputs, always the same ones."""
    draw = random.Random(seed)
    graph = Graph()
    nodes = [graph.placeholder(name) for name in ("x", "int", "α.w", "e")]
    nodes += [graph.constant(draw.choice([0.0, -0.0, -2.0, 0.01, 3.0, 1e300])) for _ in range(2)]
    for _ in range(draw.randint(2, 12)):
        op = draw.choice(elementwise())
        nodes.append(graph.add(op, tuple(draw.choice(nodes) for _ in range(arity(op)))))
    graph.outputs = nodes[-1:]
    values = [0.0, 1.0, 2.0, -1.0, draw.uniform(-3.0, 3.0), draw.uniform(0.0, 1.0)]
    return graph, {name: draw.choice(values) for name in graph.inputs()}


def drawn_runs(target: str) -> list[tuple[Run, Answer]]:
    """Return drawn graphs as code, with what they are."""
    found: list[tuple[Run, Answer]] = []
    for seed in range(120):
        graph, values = drawn(seed)
        with suppress(FormulaError):
            run = Run(f"f{seed}", exported(graph, target, f"f{seed}"), values, list(values))
            result = gradients(graph, graph.outputs, graph.inputs(), values)[0]
            assert isinstance(result.value, float)
            found.append((run, Answer(result.value, result.gradient)))  # type: ignore[arg-type]
    assert len(found) > 100
    return found


def assert_drawn_hold(runs: Sequence[tuple[Run, Answer]], found: Sequence[Answer]) -> None:
    """Compare answers with what the graphs are; definitions lose digits next to ends of domains."""
    for (run, expected), one in zip(runs, found, strict=True):
        same = pytest.approx([expected.value, *expected.gradient.values()], 1e-9, 1e-12, True)
        assert [one.value, *one.gradient.values()] == same, run


def test_drawn_graphs_in_c(tmp_path: Path) -> None:
    runs = drawn_runs("c")
    assert_drawn_hold(runs, run_c([run for run, _ in runs], tmp_path, "-std=c99"))


def test_drawn_graphs_in_javascript(tmp_path: Path) -> None:
    runs = drawn_runs("javascript")
    assert_drawn_hold(runs, run_javascript([run for run, _ in runs], tmp_path))


def test_drawn_graphs_in_c_floats_compile(tmp_path: Path) -> None:
    sources = [
        exported(drawn(int(run.name[1:]))[0], "c", run.name, real="float")
        for run, _ in drawn_runs("c")
    ]
    helpers = {name: c.typed(source, "float") for name, source in c.HELPERS.items()}
    compiled("#include <math.h>\n" + once(sources, helpers), tmp_path, "-std=c99", "-c")


# Shapes and sizes


def test_python_takes_arrays() -> None:
    scope: dict[str, Any] = {}
    exec(exported("x^2*y", "python"), scope)
    x, y = np.array([1.0, 2.0, 3.0]), np.array([[1.0], [10.0]])
    value, gradient = scope["f"](x, y)
    np.testing.assert_array_equal(value, x**2 * y)
    np.testing.assert_array_equal(gradient["x"], 2 * x * y)


def python_of(graph: Graph) -> Any:
    """Return the function that a graph is in Python, with derivatives by all inputs."""
    scene, _ = scene_of(graph, graph.outputs, {}, Wanted(graph.placeholders, backward=True))
    scope: dict[str, Any] = {}
    exec(str(by_name("python").export(scene, Options(name="f"))), scope)
    return scope["f"]


def assert_same(found: tuple[Any, dict[str, Any]], graph: Graph, given: Any) -> None:
    """Compare what a function gives with what the graph is, to 1e-12 and in shape."""
    expected = gradients(graph, graph.outputs, graph.placeholders, given)[0]
    for one, other in [
        (found[0], expected.value),
        *((found[1][name], slope) for name, slope in expected.gradient.items()),
    ]:
        assert np.shape(one) == np.shape(other)
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("case", CALLS, ids=str)
def test_python_calls_do_what_ours_do(case: Case) -> None:
    graph, _, result = built(case)
    given = values(case)
    graph.outputs = [result.node]
    graph.shapes = {name: np.shape(value) for name, value in given.items()}
    assert_same(python_of(graph)(*given.values()), graph, given)


@pytest.mark.parametrize("case", TENSOR, ids=label)
def test_python_holds_for_tensors(case: dict[str, Any]) -> None:
    graph = cgraph.parse(case["expr"]).graph
    given = {name: np.asarray(case["bind"][name], np.float64) for name in graph.inputs()}
    graph.shapes = {name: np.shape(value) for name, value in given.items()}
    value, gradient = python_of(graph)(*given.values())
    np.testing.assert_allclose(value, case["value"], rtol=1e-10, atol=1e-13)
    for name, slope in case["grad"].items():
        np.testing.assert_allclose(gradient[name], slope, rtol=1e-10, atol=1e-13)


def test_python_has_nan_where_matrices_are_singular() -> None:
    graph = cgraph.parse("input A: (2, 2, 2); input b: (2,); solve(A, b) + logdet(A)").graph
    given = {"A": np.array([[[1.0, 2.0], [2.0, 4.0]], [[1.0, 0.0], [0.0, 2.0]]]), "b": np.ones(2)}
    assert_same(python_of(graph)(*given.values()), graph, given)
    value, _ = python_of(graph)(*given.values())
    assert np.isnan(value).tolist() == [[True, True], [False, False]]


@pytest.mark.parametrize("op", ["det", "logdet", "inv"])
def test_python_has_nan_where_matrices_have_no_value(op: str) -> None:
    graph = cgraph.parse(f"input S: (2, 2, 2); {op}(sqrt(S))").graph
    given = {"S": np.array([-np.eye(2), [[4.0, 1.0], [1.0, 9.0]]])}
    assert_same(python_of(graph)(*given.values()), graph, given)


@pytest.mark.parametrize("formula", ["floor([1, 2]*t)", "sign([1, 2] - t)", "([1, 2] > t)*2"])
def test_python_derivatives_have_the_shape_of_their_inputs(formula: str) -> None:
    graph = cgraph.parse(formula).graph
    assert_same(python_of(graph)(1.5), graph, {"t": 1.5})


def test_python_is_written_with_slices_and_quotes() -> None:
    graph = cgraph.parse('input fc1.weight: (4, 4)\neinsum("ij->i", fc1.weight[1:3, ::-1])').graph
    scene, _ = scene_of(graph, graph.outputs, {}, Wanted({}))
    source = str(by_name("python").export(scene))
    assert "def f(fc1_weight):" in source
    assert "return einsum('ij->i', fc1_weight[1:3, ::-1])" in source


def test_python_needs_shapes_where_elements_mix() -> None:
    with pytest.raises(FormulaError, match="sum needs the shape of x"):
        exported("sum(x^2)", "python")
    assert "return np.sum(x * x, axis=None, keepdims=False)" in exported(
        "sum(x*x)", "python", grad=False
    )


@pytest.mark.parametrize("target", ["c", "javascript", "sympy"])
@pytest.mark.parametrize("case", [*first_cases().values()], ids=str)
def test_languages_without_arrays_say_so(case: Case, target: str) -> None:
    graph, _, result = built(case)
    graph.outputs = [result.node]
    with pytest.raises(FormulaError) as caught:
        exported(graph, target, grad=False)
    title = TARGETS[target].title
    assert str(caught.value) == (
        f"error: code in {title} is for numbers: here is an array (--format python takes arrays)"
    )


@pytest.mark.parametrize("case", CALLS, ids=str)
def test_latex_has_words_for_every_call(case: Case) -> None:
    graph, _, result = built(case)
    graph.outputs = [result.node]
    graph.shapes = {name: np.shape(value) for name, value in values(case).items()}
    source = exported(graph, "latex")
    assert "f &= " in source
    assert "axis None" not in source
    assert source.count("{") == source.count("}")
    assert not re.search(r"\}[\^_]\{[^{}]*\}\^", source)


def test_python_derivatives_have_the_shape_of_what_they_are_by() -> None:
    given = {"x": np.array([1.0, 2.0, np.nan])}
    scope: dict[str, Any] = {}
    graph = cgraph.parse("w*x").graph
    by = {name: graph.placeholders[name] for name in ("w", "x")}
    scene, _ = scene_of(graph, graph.outputs, given, Wanted(by, backward=True))
    exec(str(by_name("python").export(scene)), scope)
    value, gradient = scope["f"](2.0)
    np.testing.assert_array_equal(value, [2.0, 4.0, np.nan])
    assert math.isnan(gradient["w"])
    np.testing.assert_array_equal(gradient["x"], [2.0, 2.0, np.nan])


@pytest.mark.parametrize("target", TARGETS)
def test_a_long_chain_is_many_short_lines(target: str) -> None:
    text = "x" + "".join(f"; x{k} = sin({f'x{k - 1}' if k else 'x'})*0.5" for k in range(3000))
    source = exported(text.replace("x; ", "", 1), target)
    assert max(map(len, source.splitlines())) < 500
    if target == "python":
        scope: dict[str, Any] = {}
        exec(source, scope)
        assert abs(scope["f"](1.0)[0]) < 1e-300


def test_same_graph_same_code() -> None:
    graph = cgraph.parse("p = gelu(x); p*relu(y)*max(x, y, 2)").graph
    scene = Scene(graph, graph.outputs)
    for target in TARGETS:
        assert by_name(target).export(scene) == by_name(target).export(scene)


def test_each_helper_brings_those_that_it_calls(tmp_path: Path) -> None:
    for formula in ("mod(x, 2)", "erf(x)", "erfc(x)", "gamma(x)", "lgamma(x)"):
        run = Run("f", exported(formula, "javascript", grad=False), {"x": 2.5}, [])
        expected = cgraph.evaluate(formula, {"x": 2.5})
        assert run_javascript([run], tmp_path)[0].value == pytest.approx(expected, 1e-13)


# LaTeX


def read_latex(run: Run) -> Answer:
    """Return what equations say at values."""
    values = {latex.symbol(name): value for name, value in run.values.items()}
    found = latex_reader.read(run.source, values)
    head = latex.symbol(run.name)
    slopes = {
        name: found[rf"\frac{{\partial {head}}}{{\partial {latex.symbol(name)}}}"]
        for name in run.wrt
    }
    return Answer(found[head], slopes)


def test_latex_reads_back() -> None:
    runs = [run_of(case, "latex", f"F{k}") for k, case in enumerate(SCALAR)]
    assert_all_hold(SCALAR, [read_latex(run) for run in runs])


def test_ops_in_latex() -> None:
    runs = op_runs("latex")
    assert_ops_hold(runs, [read_latex(run) for _, run in runs])


@pytest.mark.parametrize(
    ("name", "symbol"),
    [
        ("x", "x"),
        ("x_1", "x_{1}"),
        ("x12", "x_{12}"),
        ("alpha", r"\alpha"),
        ("λ", r"\lambda"),
        ("\u03bf", "o"),
        ("Δx", r"\Delta x"),
        ("σ", r"\sigma"),
        ("Ω_max", r"\Omega_{\mathrm{max}}"),
        ("fc1.weight", r"\mathrm{fc}_{1, \mathrm{weight}}"),
        ("Beta", r"\mathrm{Beta}"),
    ],
)
def test_symbols(name: str, symbol: str) -> None:
    assert latex.symbol(name) == symbol


def test_latex_is_readable() -> None:
    written = exported("beta*x_1^2/sqrt(k) - exp(-x_1)", "latex", grad=False)
    formula = r"f &= \frac{\beta \cdot x_{1}^{2}}{\sqrt{k}} - e^{-x_{1}}"
    assert written == f"\\begin{{align*}}\n{formula}\n\\end{{align*}}\n"


@pytest.mark.parametrize(
    ("formula", "written"),
    [
        ("A @ x", r"A \, x"),
        ("A.T @ x_1[0]", r"A^{\top} \, \left(x_{1}\right)_{0}"),
        ("x[1:3, -1]^2", r"\left(x_{1:3, -1}\right)^{2}"),
        ("A.T^2", r"\left(A^{\top}\right)^{2}"),
        ("inv(A.T)", r"\left(A^{\top}\right)^{-1}"),
        ("solve(A, b)", r"A^{-1} \, b"),
        ("2*sum(x^2)", r"2 \cdot \left(\sum x^{2}\right)"),
        ("sum(x, axis=0)", r"\sum_{\text{axis 0}} x"),
        ("var(x, ddof=1)", r"\operatorname{var}_{\text{ddof 1}}\left(x\right)"),
        (
            "cumsum(x, axis=0, reverse=1)",
            r"\operatorname{cumsum}_{\text{axis 0, reverse}}\left(x\right)",
        ),
        ("norm(x) + det(A)", r"\left\lVert x \right\rVert + \det\left(A\right)"),
        ("softmax(x)", r"\operatorname{softmax}\left(x\right)"),
        ("outer(x, y)*2", r"\left(x \, y^{\top}\right) \cdot 2"),
        ("[[1, 2], [3, 4]] @ x", r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix} \, x"),
        ("[1, 2] @ x", r"\begin{pmatrix} 1 \\ 2 \end{pmatrix} \, x"),
        ("arange(100) @ x", r"\left[\dots\right]_{100} \, x"),
        ('einsum("ij->ji", x)', r"\operatorname{einsum}_{ij \to ji}\left(x\right)"),
        ("reshape(x, [2, 3])", r"\operatorname{reshape}_{2 \times 3}\left(x\right)"),
        ("zeros(2, 3)*x", r"\left[0\right]_{2 \times 3} \cdot x"),
    ],
)
def test_latex_of_tensors(formula: str, written: str) -> None:
    found = exported(formula, "latex", grad=False)
    assert found == f"\\begin{{align*}}\nf &= {written}\n\\end{{align*}}\n"


def test_latex_names_what_the_program_names() -> None:
    written = exported("p = x + y; g = p*z", "latex", "", grad=False)
    assert written == "\\begin{align*}\np &= x + y \\\\\ng &= p \\cdot z\n\\end{align*}\n"


def test_latex_calls_the_result_what_no_input_is_called() -> None:
    written = exported("f*x", "latex", "", grad=False)
    assert written == "\\begin{align*}\ng &= f \\cdot x\n\\end{align*}\n"
