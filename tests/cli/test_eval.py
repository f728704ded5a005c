"""`cgraph eval`, and what all commands share: sources, bindings, forms of output."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from .conftest import Run


def test_the_first_example(run: Run) -> None:
    done = run("eval", "(x+y)*z", "--x", "1", "--y", "3", "--z", "-3")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "-12\n", "")


@pytest.mark.parametrize(
    ("words", "stdout"),
    [
        (["x^2; x^3", "--x", "2"], "4\n8\n"),
        (["p = x + y; g = p*z", "--x=1", "--y=3", "--z=-3"], "-12\n"),
        (["p = x + y; g = p*z", "--x=1", "--y=3", "--output", "p"], "p = 4\n"),
        (["p = x; q = 2x", "--x=1", "--output", "q,p"], "q = 2\np = 1\n"),
        (["p = x; q = 2x", "--x=1", "--output", "q", "--output", "x"], "q = 2\nx = 1\n"),
        (["x/3", "--x", "1", "--digits", "3"], "0.333\n"),
        (["x", "--x", "-inf"], "-inf\n"),
        (["x^2", "--x", "[1, 2, 3]"], "[1, 4, 9]\n"),
        (["x + y", "--x", "[[1], [2]]", "--y", "[10, 20]"], "[[11, 21], [12, 22]]\n"),
        (["2*3"], "6\n"),
        (["mode*x", "--set", "mode=3", "--x", "2"], "6\n"),
        (["a.b", "--a.b", "2"], "2\n"),
        (["α^2", "--α", "3"], "9\n"),
        (["input r = 5; r*x", "--x", "2"], "10\n"),
        (["input r = 5; r*x", "--x", "2", "--r", "1"], "2\n"),
        (["e"], "2.718281828459045\n"),
        (["e", "--e", "5"], "5\n"),
        (["x^2; x^3", "--x", "2", "--json"],
         '{"output": "x^2", "value": 4.0}\n{"output": "x^3", "value": 8.0}\n'),
        (["1/x", "--x", "0", "--json", "-q"], '{"value": "Infinity"}\n'),
        (["p = x", "--x", "1", "--json", "--output", "p"], '{"output": "p", "value": 1.0}\n'),
        (["x", "--x", "[1, nan]", "--json"], '{"value": [1.0, "NaN"]}\n'),
        (["-x^2", "--x", "3"], "-9\n"),
        (["--x", "3", "--", "-q", "--q", "1"], None),
    ],
)  # fmt: skip
def test_forms(run: Run, words: list[str], stdout: str | None) -> None:
    done = run("eval", *words)
    if stdout is None:
        assert done.exit_code == 2
    else:
        assert (done.exit_code, done.stdout, done.stderr) == (0, stdout, "")


# -- where the formula comes from ------------------------------------------------------------------


@pytest.mark.parametrize("words", [[], ["-"], ["-f", "-"]])
def test_from_stdin(run: Run, words: list[str]) -> None:
    assert run("eval", *words, "--x", "2", stdin="x^2\nx^3\n").stdout == "4\n8\n"


def test_with_an_argument_stdin_is_not_touched(run: Run) -> None:
    assert run("eval", "x", "--x", "2", stdin=b"\xff\xff").stdout == "2\n"


def test_files_are_libraries_but_for_the_program(run: Run) -> None:
    Path("lib.cg").write_text("sq(a) = a^2\n7\n")
    Path("prog.cg").write_text("sq(x) + 1\r\n")
    assert run("eval", "-f", "lib.cg", "-f", "prog.cg", "--x", "3").stdout == "10\n"
    assert run("eval", "-f", "lib.cg", "sq(x)", "--x", "3").stdout == "9\n"
    assert run("eval", "-f", "lib.cg").stdout == "7\n"


def test_each_line_its_own_formula(run: Run) -> None:
    done = run("eval", "--lines", "--x", "2", stdin="x^2\nx + foo(1)\n\n# no\ny\nx^3\n")
    assert done.exit_code == 1
    assert done.stdout == "4\n8\n"
    first, *_, last = done.stderr.splitlines()
    assert first.startswith("<stdin>:2:5: error: unknown function 'foo'")
    assert last == "<stdin>:5: error: no value for y: add --y VALUE; unknown --x"


def test_graphs_flow_between_commands(run: Run) -> None:
    graph = run("parse", "p = x + y; p*z").stdout
    assert run("eval", "--x=1", "--y=3", "--z=-3", stdin=graph).stdout == "-12\n"
    assert run("eval", "--x=1", "--y=3", "--output=p", stdin=graph).stdout == "p = 4\n"


def test_graphs_flow_line_by_line(run: Run) -> None:
    graphs = run("parse", "--lines", stdin="x^2\nx^3\n").stdout
    assert graphs.count("\n") == 2
    assert run("eval", "--lines", "--x", "2", stdin=graphs).stdout == "4\n8\n"


@pytest.mark.parametrize(
    ("words", "code", "stderr"),
    [
        (["-f", "no.cg"], 1, "error: cannot read no.cg: No such file or directory\n"),
        (["-f", "."], 1, "error: cannot read .: Is a directory\n"),
        (["-f", "bytes.cg"], 1, "error: bytes.cg is not text in UTF-8 (byte 0xff at offset 2)\n"),
        (["-", "-"], 2, "error: '-' is given twice, but stdin can be read once\n"),
        (["-", "-f", "-"], 2, "error: stdin can be read once, not for the formula and for -f -\n"),
        (["--bindings", "-"], 2,
         "error: stdin can be read once, not for the formula and for --bindings -\n"),
        (["x", "--lines"], 2,
         "error: --lines reads formulas from stdin or a file, not from an argument\n"),
    ],
)  # fmt: skip
def test_sources_that_cannot_be_read(run: Run, words: list[str], code: int, stderr: str) -> None:
    Path("bytes.cg").write_bytes(b"x+\xff")
    done = run("eval", *words)
    assert (done.exit_code, done.stdout, done.stderr) == (code, "", stderr)


def test_the_name_of_a_file_is_no_formula(run: Run) -> None:
    Path("net.cg").write_text("x^2")
    done = run("eval", "net.cg", "--x", "2")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == (
        "error: no value for net.cg: add --net.cg VALUE; unknown --x"
        " (to read the program in that file: -f net.cg)\n"
    )
    assert run("eval", "./net.cg").stderr.count("(to read the program in that file: -f ./net.cg)")


def test_an_empty_argument_is_an_empty_formula(run: Run) -> None:
    done = run("eval", "", stdin="1")
    assert done.exit_code == 1
    assert done.stdout == ""
    assert "error: " in done.stderr


# -- who gives values ------------------------------------------------------------------------------


def test_files_win_over_defaults_and_options_over_files(run: Run) -> None:
    Path("a.json").write_text('{"x": 1, "y": [1, 2], "r": "Infinity", "unused": 3}')
    Path("b.txt").write_text("# later\nx = pi/2  # half a turn\n\nr=-1\n")
    np.savez("c.npz", x=np.float32(0.5))
    program = "input r = 5; x; r"
    assert run("eval", program, "--x", "0").stdout == "0\n5\n"
    assert run("eval", program, "--bindings", "a.json").stdout == "1\ninf\n"
    two = ["--bindings", "a.json", "--bindings", "b.txt"]
    assert run("eval", program, *two).stdout == "1.5707963267948966\n-1\n"
    assert run("eval", program, *two, "--bindings", "c.npz").stdout == "0.5\n-1\n"
    assert run("eval", program, *two, "--x", "3").stdout == "3\n-1\n"


def test_bindings_from_stdin(run: Run) -> None:
    assert run("eval", "x", "--bindings", "-", stdin="x = 2").stdout == "2\n"
    assert run("eval", "x", "--bindings", "-", stdin='{"x": 2}').stdout == "2\n"


def test_files_never_rebind_a_constant(run: Run) -> None:
    Path("e.txt").write_text("e = 3\nx = 1\n")
    done = run("eval", "x + e", "--bindings", "e.txt")
    assert done.stdout == "3.718281828459045\n"
    assert done.stderr == (
        "warning: e in a file leaves the constant e alone: to make it an input write --e VALUE\n"
    )
    assert run("eval", "x + 1", "--bindings", "e.txt").stderr == ""
    assert run("eval", "x + e", "--bindings", "e.txt", "--e", "4").stdout == "5\n"


@pytest.mark.parametrize(
    ("words", "stderr"),
    [
        (["x+y*z", "--x", "1"], "no value for y, z: add --y VALUE --z VALUE"),
        (["mode*x", "--x", "1"], "no value for mode: add --set mode=VALUE"),
        (["alpha*x", "--alpah", "1", "--x", "2"], "unknown --alpah; did you mean --alpha?"),
        (["alpha*y", "--alpah", "1"],
         "unknown --alpah; did you mean --alpha? no value for y: add --y VALUE"),
        (["x*y", "--x", "1", "--q", "2"], "no value for y: add --y VALUE; unknown --q"),
        (["x", "--x", "1", "--x", "2"], "x is given twice: 1 and 2"),
        (["x", "--x", "1", "--set", "x=2"], "x is given twice: 1 and 2"),
        (["x", "--set", "x"], "--set takes NAME=VALUE, not 'x'"),
        (["x", "--set", "2=x"], "--set takes NAME=VALUE, not '2=x'"),
        (["xy", "--x", "3", "--y", "4"],
         "no value for 'xy', which is one name; to multiply, write x*y"),
        (["2*math.pi*r", "--r", "3"],
         "no value for 'math.pi'; the constant is written pi"),
        (["output^2", "--output", "3"],
         "no value is called '3' (for the variable write --set output=3)"),
        (["x", "--x", ""], "--x needs a value"),
        (["xx", "--x", "3"], "no value for 'xx', which is one name; to multiply, write x*x"),
        (["πr^2", "--r", "3"],
         "no value for 'πr', which is one name; to multiply, write π*r"),
        (["х + y", "--x", "3"],
         "no value for 'х' (Cyrillic, U+0445); you gave --x (Latin);"
         " no value for y: add --y VALUE"),
        (["mode*x", "--mode", "3", "--x", "1"],
         "--mode is an option; for the variable write --set mode=3"),
        (["digits*x", "--digits", "3", "--x", "1"],
         "--digits is an option; for the variable write --set digits=3"),
        (["x", "--mode", "3", "--x", "1"],
         "eval has no option --mode (grad, jac and explain have it)"),
        (["x", "--x", "1", "--sparse"],
         "eval has no option --sparse (jac and hess have it)"),
        (["p = x", "--x", "1", "--output", "q"], "no value is called 'q' (known: x, p)"),
        (["x", "--x", "1", "--digits", "many"], "--digits: 'many' is not a whole number"),
        (["x", "--x", "1", "--digits", "0"], "--digits: 0 is not in the range 1<=x<=17"),
    ],
)  # fmt: skip
def test_values_that_are_missing_or_wrong(run: Run, words: list[str], stderr: str) -> None:
    done = run("eval", *words)
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"error: {stderr}\n")


def test_many_missing_values_are_cut(run: Run) -> None:
    done = run("eval", "+".join(f"x{k}" for k in range(1000)))
    assert done.exit_code == 2
    assert " and 980 more: add --x0 VALUE " in done.stderr
    assert len(done.stderr) < 600


def test_a_value_that_is_no_constant_is_shown(run: Run) -> None:
    done = run("eval", "x", "--x", "1 + abc")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("--x:1:5: error: ")
    assert done.stderr.endswith("  1 | 1 + abc\n    |     ^^^\n")


def test_a_name_that_is_not_used_is_a_warning(run: Run) -> None:
    words = ["eval", "p = x; p", "--x", "1"]
    assert run(*words, "--q", "2").stderr == "warning: --q is not used\n"
    assert run(*words, "--q", "2").exit_code == 0
    assert run(*words, "--q", "2", "--strict").exit_code == 1
    assert run(*words, "--q", "2", "--strict", "-q").stderr == ""
    told = "warning: --p is not used: the formula computes p\n"
    assert run(*words, "--p", "2").stderr == told


def test_an_input_that_the_asked_value_does_not_need_is_no_matter(run: Run) -> None:
    done = run("eval", "p = x; p*z", "--output", "p", "--x", "1", "--z", "2")
    assert (done.stdout, done.stderr) == ("p = 1\n", "")


# -- warnings --------------------------------------------------------------------------------------


def test_who_made_the_nan(run: Run) -> None:
    told = "warning: log(x - 2) is nan at x - 2 = -1 (line 1, column 5)\n"
    done = run("eval", "y + log(x - 2)", "--x", "1", "--y", "1")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "nan\n", told)
    done = run("eval", "y + log(x - 2)", "--x", "1", "--y", "1", "--strict")
    assert (done.exit_code, done.stdout, done.stderr) == (1, "nan\n", told)
    done = run("eval", "y + log(x - 2)", "--x", "1", "--y", "1", "-q")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "nan\n", "")


def test_a_large_array_is_shown_in_summary(run: Run) -> None:
    np.save("x.npy", np.arange(5000.0))
    done = run("eval", "2x", "--x", "@x.npy")
    assert done.stdout == "(5000,), norm 4.082e+05, [0, 2, 4, ...]\n"
    assert done.stderr == (
        "note: arrays of more than 100 numbers are in summary: --json or -o g.npz for all\n"
    )
    assert run("eval", "2x; 3x", "--x", "@x.npy").stderr == done.stderr
    assert "..." not in run("eval", "2x", "--x", "arange(100)").stdout
    done = run("eval", "2x", "--x", "@x.npy", "--json")
    assert json.loads(done.stdout)["value"][-1] == 9998
    assert done.stderr == ""
    assert run("eval", "2x", "--x", "@x.npy", "-o", "y.npz").stderr == ""
    with np.load("y.npz") as held:
        assert held["value"][-1] == 9998


def test_a_name_that_some_line_uses_is_used(run: Run) -> None:
    done = run("eval", "--lines", "--x", "1", "--y", "2", "--q", "3", stdin="x\ny\n")
    assert (done.stdout, done.stderr) == ("1\n2\n", "warning: --q is not used\n")
