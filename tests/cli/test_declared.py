"""`--shape`, and what is known without values."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from .conftest import Run

NET = """h = relu(X @ fc1.weight + fc1.bias)
loss = mean((h @ fc2.weight + fc2.bias - y)^2)
"""
SHAPES = (
    "--shape", "X=10,2", "--shape", "fc1.weight=2,4", "--shape", "fc1.bias=4",
    "--shape", "fc2.weight=4,1", "--shape", "fc2.bias=1", "--shape", "y=10,1",
)  # fmt: skip


def test_a_network_is_drawn_without_data(run: Run) -> None:
    picture = run("render", NET, *SHAPES, "--edges", "shape")
    assert (picture.exit_code, picture.stderr) == (0, "")
    assert picture.stdout.count("(10, 4)") == 3


def test_shapes_are_exported(run: Run) -> None:
    graph = json.loads(run("export", NET, *SHAPES, "--format", "graphdef").stdout)
    last = graph["node"][-1]["attr"]
    assert last["_output_shapes"] == {"list": {"shape": [{}]}}
    assert all("_output_shapes" in node["attr"] for node in graph["node"])


def test_a_graph_keeps_its_shapes(run: Run) -> None:
    graph = run("parse", NET, *SHAPES).stdout
    assert run("grad", "--shapes", "--wrt", "fc1.*", stdin=graph).stdout == (
        "fc1.weight (2, 4)\nfc1.bias (4,)\n"
    )


@pytest.mark.parametrize("shape", ["x=3", "x=3,", "x=(3,)", "x=[3]", " x = ( 3 )"])
def test_how_a_shape_is_written(run: Run, shape: str) -> None:
    assert run("eval", "2x", "--shape", shape, "--x", "[1, 2, 3]").stdout == "[2, 4, 6]\n"


@pytest.mark.parametrize("shape", ["x=", "x=()"])
def test_the_shape_of_a_number(run: Run, shape: str) -> None:
    assert run("eval", "2x", "--shape", shape, "--x", "1").stdout == "2\n"


@pytest.mark.parametrize(
    ("formula", "words", "code", "stderr"),
    [
        ("x", ["--shape", "x"], 2, "error: --shape takes NAME=SIZES, as in X=10,2, not 'x'"),
        ("x", ["--shape", "2=3"], 2, "error: --shape takes NAME=SIZES, as in X=10,2, not '2=3'"),
        ("x", ["--shape", "x=2.5"], 2,
         "error: --shape x: a size is a whole number from 1 on, not '2.5' (--shape x=10,2)"),
        ("x", ["--shape", "x=0"], 2,
         "error: --shape x: a size is a whole number from 1 on, not '0' (--shape x=10,2)"),
        ("x", ["--shape", "x=2,,3"], 2,
         "error: --shape x: a size is a whole number from 1 on, not '' (--shape x=10,2)"),
        ("x", ["--shape", "x=2", "--shape", "x=3"], 2,
         "error: --shape x is given twice: (2,) and (3,)"),
        ("alpha*x", ["--shape", "alpah=2"], 2,
         "error: 'alpah' is not an input of the formula (did you mean 'alpha'?)"),
        ("alpha*x", ["--shape", "q=2"], 2,
         "error: 'q' is not an input of the formula (inputs: alpha, x)"),
        ("1 + 1", ["--shape", "q=2"], 2, "error: 'q' is not an input of the formula"),
        ("p = 2x; p", ["--shape", "p=2"], 2,
         "error: 'p' is not an input of the formula"
         " (the formula computes it; a shape is declared of an input)"),
        ("input x: (4)\nx", ["--shape", "x=2"], 1,
         "<formula>:1:7: error: x is declared with shape (4,), not (2,)\n"
         "  1 | input x: (4)\n    |       ^"),
        ("2*x", ["--shape", "x=2", "--x", "[1, 2, 3]"], 1,
         "<formula>:1:3: error: x is declared with shape (2,), its value has shape (3,)\n"
         "  1 | 2*x\n    |   ^"),
        ("2*x", ["--shape", "x=2", "--x", "1"], 1,
         "<formula>:1:3: error: x is declared with shape (2,), its value has shape ()\n"
         "  1 | 2*x\n    |   ^"),
    ],
)  # fmt: skip
def test_shapes_that_cannot_be(
    run: Run, formula: str, words: list[str], code: int, stderr: str
) -> None:
    done = run("eval", formula, *words)
    assert (done.exit_code, done.stdout, done.stderr) == (code, "", f"{stderr}\n")


@pytest.mark.parametrize(
    "command", ["eval", "grad", "render", "inspect", "export", "parse", "diff", "check", "optimize"]
)
def test_a_misfit_is_told_by_every_command(run: Run, command: str) -> None:
    done = run(command, "sum(X @ Y + b)", "--shape", "X=2,3", "--shape", "Y=4,5")
    assert (done.exit_code, done.stdout, done.stderr) == (
        1,
        "",
        "<formula>:1:7: error: matmul needs inner sizes to agree: (2, 3) @ (4, 5)\n"
        "  1 | sum(X @ Y + b)\n    |       ^\n",
    )


def test_each_line_has_its_own_inputs(run: Run) -> None:
    done = run("inspect", "--lines", "--shape", "x=2", "--json", stdin="x\ny\n")
    assert [json.loads(line).get("shape") for line in done.stdout.splitlines()] == [[2], None]


def test_a_loop_over_what_is_declared_or_given(run: Run) -> None:
    loop = "s = 0\nfor i in 0 to len(x) - 1 { s = s + i*x[i] }\ns"
    assert run("eval", loop, "--x", "[1, 2, 3]").stdout == "8\n"
    np.save("x.npy", np.ones(4))
    assert run("eval", loop, "--x", "@x.npy").stdout == "6\n"
    Path("b.json").write_text('{"x": [1, 1]}')
    assert run("eval", loop, "--bindings", "b.json").stdout == "1\n"
    graph = run("parse", loop, "--shape", "x=3").stdout
    assert run("eval", "--x", "[1, 2, 3]", stdin=graph).stdout == "8\n"
    told = "the loop needs the shape of 'x' (declare it: input x: (10, 2))"
    assert run("parse", loop).stderr.splitlines()[0] == f"<formula>:2:1: error: {told}"


def test_the_shapes_of_a_gradient(run: Run) -> None:
    assert run("grad", NET, *SHAPES, "--shapes", "--wrt", "fc2.*,h").stdout == (
        "fc2.weight (4, 1)\nfc2.bias (1,)\nh (10, 4)\n"
    )
    assert run("grad", "x*y", "--shapes", "--x", "[1, 2]", "--y", "1").stdout == "x (2,)\ny ()\n"
    done = run("grad", "x*y", "--shapes", "--x", "[1, 2]", "--shape", "y=", "--json")
    assert done.stdout == '{"shapes": {"x": [2], "y": []}}\n'
    done = run("grad", "x*y", "--shapes", "--shape", "x=2", "--shape", "y=2", "-o", "s.json")
    assert Path("s.json").read_text() == '{"shapes": {"x": [2], "y": [2]}}\n'


@pytest.mark.parametrize(
    ("words", "stderr"),
    [
        (["x*y"], "no shape for x, y: add --shape x=SIZES --shape y=SIZES"),
        (["x*y", "--x", "1", "-o", "s.npz"], "shapes are written as text or JSON, not as .npz"),
    ],
)
def test_shapes_that_are_not_known(run: Run, words: list[str], stderr: str) -> None:
    done = run("grad", "--shapes", *words)
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"error: {stderr}\n")


def test_names_by_a_pattern(run: Run) -> None:
    words = ("p.a = x; p.b = p.a*x.y; p.b + x.z", "--x", "2", "--x.y", "3", "--x.z", "1")
    assert run("grad", *words, "--wrt", "x.*").stdout == "d/dx.y = 2\nd/dx.z = 1\n"
    assert run("grad", *words, "--wrt", "*").stdout == "d/dx = 3\nd/dx.y = 2\nd/dx.z = 1\n"
    assert run("grad", *words, "--wrt", "p.*").stdout == "d/dp.a = 3\nd/dp.b = 1\n"
    assert run("grad", *words, "--wrt", "x.z,*z").stdout == "d/dx.z = 1\n"
    assert run("eval", *words, "--output", "p.*").stdout == "p.a = 2\np.b = 6\n"
    done = run("grad", *words, "--wrt", "q*")
    assert (done.exit_code, done.stderr) == (2, "error: no name fits 'q*'\n")
    done = run("eval", *words, "--output", "q*")
    assert (done.exit_code, done.stderr) == (2, "error: no name fits 'q*'\n")
