"""`cgraph diff`: what it prints reads back, and agrees with `grad` and with mpmath."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

import cgraph
from cgraph.autodiff.gradient import gradient
from cgraph.autodiff.symbolic import derivatives
from cgraph.exporters.short import short

from ..autodiff import reference
from ..autodiff.reference import mp
from ..test_cases import SCALAR, bound, label
from .conftest import Run


@pytest.mark.parametrize(
    ("words", "stdout"),
    [
        (["x^2*sin(x)", "--wrt", "x"], "2*x*sin(x) + x^2*cos(x)\n"),
        (["log(x)"], "1/x\n"),
        (["x^2*y^3"], "# d/dx\n2*x*y^3\n# d/dy\n3*x^2*y^2\n"),
        (["x^2*y^3", "--order", "2", "--wrt", "y,x"],
         "# d^2/dy^2\n6*x^2*y\n# d^2/dx^2\n2*y^3\n"),
        (["x^2*y^3", "--mixed", "x,y"], "6*x*y^2\n"),
        (["g = x^3*y; x^2", "--mixed", "x,y,x"],
         "0\n"),
        (["p = x + y; g = p^2*z", "--wrt", "p,z"], "# dg/dp\n2*z*(x + y)\n# dg/dz\n(x + y)^2\n"),
        (["x^2; x^3", "--wrt", "x"], "# d(x^2)/dx\n2*x\n# d(x^3)/dx\n3*x^2\n"),
        (["a = x^2; b = x^3", "--output", "a,b"], "# da/dx\n2*x\n# db/dx\n3*x^2\n"),
        (["relu(x)"], "where(x > 0, 1, 0)\n"),
        (["x if x > 0 else 0"], "where(x > 0, 1, 0)\n"),
        (["x^n", "--wrt", "x"], "where(x or n, n*x^(n - 1), 0)\n"),
        (["input r = 0.05; r*x^2", "--wrt", "x"], "input r = 0.05\n2*r*x\n"),
        (["input e; e*x^2", "--wrt", "x"], "input e\n2*e*x\n"),
        (["e*x", "--wrt", "x", "--e", "5"], "input e\ne\n"),
        (["x^2*y", "--json"], '{"derivative": {"x": "2*x*y", "y": "x^2"}}\n'),
        (["x; x^2", "--json"], '{"output": "x", "derivative": {"x": "1"}}\n'
         '{"output": "x^2", "derivative": {"x": "2*x"}}\n'),
    ],
)  # fmt: skip
def test_forms(run: Run, words: list[str], stdout: str) -> None:
    done = run("diff", *words)
    assert (done.exit_code, done.stdout, done.stderr) == (0, stdout, "")


def test_it_flows_into_eval(run: Run) -> None:
    assert run("eval", "--x", "2", stdin=run("diff", "x^3", "--wrt", "x").stdout).stdout == "12\n"


def nested(times: int) -> str:
    """Return the nesting of f -> sin(f)*f."""
    text = "x"
    for _ in range(times):
        text = f"sin({text})*({text})"
    return text


def test_a_long_derivative_is_a_short_program(run: Run) -> None:
    text = nested(8)
    graph = cgraph.parse(text).graph
    own = len(graph.needed(graph.outputs))
    program = run("diff", text).stdout
    read = cgraph.parse(program)
    assert len(read.graph.needed(read.graph.outputs)) <= 4 * own
    assert program.startswith("t1 = ")
    slope = cgraph.grad(text, {"x": 1.3})["x"]
    assert math.isclose(read(x=1.3), slope, rel_tol=1e-12)
    flat = run("diff", text, "--flat").stdout
    assert flat.count("\n") == 1
    assert math.isclose(cgraph.parse(flat)(x=1.3), slope, rel_tol=1e-12)


def test_many_names_are_differentiated_by_at_once(run: Run) -> None:
    text = " + ".join(f"{k}*x{k}^2" for k in range(1, 31))
    assert run("diff", text).stdout == "".join(f"# d/dx{k}\n{2 * k}*x{k}\n" for k in range(1, 31))


def printed(text: str, name: str, order: int = 1) -> str:
    """Return what is printed for a derivative."""
    graph = cgraph.parse(text).graph
    path = [graph.placeholders[name]] * order
    return short(graph, derivatives(graph, graph.outputs[0], [path]))


@pytest.mark.parametrize("case", SCALAR, ids=label)
def test_a_printed_derivative_agrees_with_grad(case: dict[str, Any]) -> None:
    point = bound(case)
    for name, slope in cgraph.grad(case["expr"], point).items():
        read = cgraph.parse(printed(case["expr"], name))
        found = read(**{one: point[one] for one in read.inputs})
        same = found == slope or (found != found and slope != slope)
        assert same or abs(found - slope) <= 1e-12 * abs(slope), (name, found, slope)


@pytest.mark.parametrize("case", SCALAR, ids=label)
def test_a_printed_second_derivative_agrees_with_mpmath(case: dict[str, Any]) -> None:
    """The difference of the exact first derivative's own graph is taken in mpmath."""
    point = bound(case)
    for name in point:
        graph = cgraph.parse(case["expr"]).graph
        (first,) = gradient(graph, graph.outputs[0], [graph.placeholders[name]])
        left, right = reference.sides(graph, first, point, name)
        if not mp.isfinite(left) or abs(left - right) > 1e-12 * abs(left) + 1e-30:
            continue
        read = cgraph.parse(printed(case["expr"], name, 2))
        found = read(**{one: point[one] for one in read.inputs})
        true = float((left + right) / 2)
        assert abs(found - true) <= 1e-9 * abs(true) + 1e-300, (name, found, true)


@pytest.mark.parametrize(
    ("words", "code", "stderr"),
    [
        (["x^2", "--x", "3"], 0,
         "warning: --x is not used: diff prints a formula (cgraph grad: its value)\n"),
        (["x^2", "--mixed", "x,y"], 2, "error: no value is called 'y' (known: x)\n"),
        (["x^2", "--mixed", "x", "--wrt", "x"], 2,
         "error: --mixed says it all (leave out --wrt and --order)\n"),
        (["x^2", "--mixed", ","], 2,
         "error: --mixed takes the names to differentiate by (--mixed x,y)\n"),
    ],
)  # fmt: skip
def test_what_is_told(run: Run, words: list[str], code: int, stderr: str) -> None:
    done = run("diff", *words)
    assert (done.exit_code, done.stderr) == (code, stderr)


def test_lines(run: Run) -> None:
    done = run("diff", "--lines", stdin="x^2\nx +\nsin(x)\n")
    assert (done.exit_code, done.stdout) == (1, "2*x\ncos(x)\n")


STORY = """\
d/dx((x^2 + y^3)*2)
  = 2*d/dx(x^2 + y^3)          constant factor
  = 2*(d/dx(x^2) + d/dx(y^3))  sum
  = 2*(2x + d/dx(y^3))         power
  = 2*(2x + 0)                 constant
  = 2*(2x) = 4x"""


def test_steps(run: Run) -> None:
    words = ("diff", "(x^2 + y^3)*2", "--wrt", "x", "--steps")
    assert run(*words).stdout == f"{STORY}\n"
    assert run(*words, "--x", "2", "--y", "3").stdout == f"{STORY} = 8 ✓\n"
    assert run(*words, "--x", "2").stdout == f"{STORY}\n"


def test_steps_of_a_second_derivative_and_of_two_names(run: Run) -> None:
    done = run("diff", "x^3", "--steps", "--order", "2", "--x", "1")
    first = "d/dx(x^3)\n  = 3x^2  power\n  = 3 ✓\n"
    second = "d/dx(3x^2)\n  = 3*d/dx(x^2)  constant factor\n  = 3*(2x)       power\n  = 6x = 6 ✓\n"
    assert done.stdout == f"{first}\n{second}"
    assert run("diff", "x*y", "--steps").stdout.count("d/d") == 2


@pytest.mark.parametrize(
    ("words", "heads"),
    [
        (["x*y"], ["d/dx(x*y)", "d/dy(x*y)"]),
        (["x^2*y", "--order", "2"],
         ["d/dx(x^2*y)", "d/dx(2x*y)", "d/dy(x^2*y)", "d/dy(x^2)"]),
        (["x^2*y", "--mixed", "x,y"], ["d/dx(x^2*y)", "d/dy(2x*y)"]),
    ],
)  # fmt: skip
def test_steps_by_each_name_begin_with_the_formula(
    run: Run, words: list[str], heads: list[str]
) -> None:
    lines = run("diff", *words, "--steps").stdout.splitlines()
    assert [line for line in lines if line.startswith("d/d")] == heads


def test_steps_of_a_list(run: Run) -> None:
    lines = run("diff", "[x, x^2]*x", "--steps", "--x", "2").stdout.splitlines()
    assert lines[2].split("  ")[1:] == ["= [1, d/dx(x^2)]*x + [x, x^2]*1", "entry by entry"]
    assert lines[-1] == "  = [1, 2x]*x + [x, x^2] = x*[1, 2x] + [x, x^2] = [4, 12]"


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("[x, x^2]", "[1, 2*x]"),
        ("[x]", "[1]"),
        ("[relu(x), 3, x^2]", "[where(x > 0, 1, 0), 0, 2*x]"),
        ("[x*[1, 2], [3, 4]]", "[[1, 2], [0, 0]]"),
        ("[[x, 1], [x^2, x]]", "[[1, 0], [2*x, 1]]"),
    ],
)
def test_the_derivative_of_a_list_is_the_list_of_derivatives(
    run: Run, text: str, printed: str
) -> None:
    assert run("diff", text).stdout == f"{printed}\n"
    values = run("eval", "--x", "3", stdin=f"{printed}\n").stdout
    assert run("eval", f"d({text}, x)", "--x", "3").stdout == values


def test_json_holds_what_is_printed(run: Run) -> None:
    held = json.loads(run("diff", nested(8), "--json").stdout)
    assert held["derivative"]["x"] + "\n" == run("diff", nested(8)).stdout
