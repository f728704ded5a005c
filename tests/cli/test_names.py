"""Names through pipes: what a graph's reader is told is what one command is told."""

from __future__ import annotations

import pytest

from .conftest import Run

LINES = [
    ("A*exp(-Ea/(R*T))", ["eval", "--A", "1", "--Ea", "0", "--R", "1", "--T", "300"], "1\n"),
    ("x*tau", ["eval", "--x", "1", "--tau", "2"], "2\n"),
    ("x*tau", ["eval", "--x", "1", "--set", "tau=2"], "2\n"),
    ("x*tau", ["eval", "--x", "1"], "6.283185307179586\n"),
    ("pi*x^e", ["eval", "--x", "3", "--pi", "2", "--e", "2"], "18\n"),
    ("[1, pi]*x", ["eval", "--x", "2", "--pi", "3"], "[2, 6]\n"),
    ("f(a) = a*tau; f(x)", ["grad", "--x", "3", "--tau", "2"], "d/dtau = 3\nd/dx = 2\n"),
    ("f(a) = a*y; f(x)", ["grad", "--x", "3", "--y", "2"], "d/dy = 3\nd/dx = 2\n"),
    ("x*tau", ["grad", "--x", "3", "--tau", "2", "--wrt", "tau"], "d/dtau = 3\n"),
    ("x*tau^2", ["diff", "--wrt", "tau"], "input tau\n2*tau*x\n"),
    ("x*tau^2", ["diff", "--wrt", "x, π"], ""),
    ("x*pi^2", ["diff", "--wrt", "π"], "input pi\n2*pi*x\n"),
    ("e^x", ["eval", "--x", "1", "--e", "2"], "2\n"),
    ("e^x + exp(x)", ["eval", "--x", "1", "--e", "2"], "4.718281828459045\n"),
    ("f(a, b) = a^b; f(e, x)", ["eval", "--x", "1", "--e", "2"], "2\n"),
    ("x*e^2", ["diff", "--mixed", "e,x"], "input e\n2*e\n"),
    ("x*tau^2", ["taylor", "--order", "2", "--at", "tau=0", "--x", "3"], "3*tau^2\n"),
    ("x*tau^2", ["hess", "--wrt", "tau", "--x", "3", "--tau", "1"], "tau,tau = 6\n"),
    ("x*tau", ["jvp", "--vector", "tau=1", "--x", "3", "--tau", "1"], "d = 3\n"),
    ("x*tau", ["check", "--wrt", "tau", "--claim", "x"],
     "✓ this is d/dtau: it agrees at 20 points drawn\n"),
]  # fmt: skip


@pytest.mark.parametrize(("formula", "words", "stdout"), LINES)
def test_a_pipe_equals_one_command(run: Run, formula: str, words: list[str], stdout: str) -> None:
    command, *options = words
    graph = run("parse", formula).stdout
    one = run(command, formula, *options)
    piped = run(command, "-", *options, stdin=graph)
    assert (piped.exit_code, piped.stdout) == (one.exit_code, one.stdout)
    assert piped.stdout == stdout
    assert not stdout or not piped.stderr


def test_optimize_keeps_a_constants_name(run: Run) -> None:
    graph = run("optimize", "x*tau", "--format", "graphdef").stdout
    done = run("eval", "-", "--x", "1", "--tau", "2", stdin=graph)
    assert (done.stdout, done.stderr) == ("2\n", "")


def test_without_a_value_a_constant_that_is_asked_for_needs_one(run: Run) -> None:
    done = run("grad", "x*tau", "--wrt", "tau", "--x", "1")
    assert (done.exit_code, done.stderr) == (2, "error: no value for tau: add --tau VALUE\n")


def test_a_file_leaves_a_constant_alone_after_a_pipe_too(run: Run) -> None:
    graph = run("parse", "x + e").stdout
    with open("e.txt", "w") as file:
        file.write("e = 3\nx = 1\n")
    done = run("eval", "-", "--bindings", "e.txt", stdin=graph)
    assert done.stdout == "3.718281828459045\n"
    assert done.stderr == (
        "warning: e in a file leaves the constant e alone: to make it an input write --e VALUE\n"
    )
