"""First guesses: each works where only one meaning is possible, or is told how it is written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from .conftest import Run


@pytest.fixture(autouse=True)
def _files(_in_an_empty_folder: None) -> None:
    Path("decay.csv").write_text("x,y\n1,2\n3,4\n")
    Path("f.cg").write_text("p = x*y\n")
    Path("w.pt").write_bytes(b"PK\x03\x04")
    np.save("t.npy", np.arange(3.0))
    np.savez("w.npz", x=np.arange(2.0), y=np.ones(2))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["eval", "x*y", "decay.csv"],
         'decay.csv is a file: write cgraph eval "x*y" --data decay.csv'),
        (["grad", "decay.csv", "x*y"],
         'decay.csv is a file: write cgraph grad "x*y" --data decay.csv'),
        (["eval", "x*y", "w.npz"], 'w.npz is a file: write cgraph eval "x*y" --bindings w.npz'),
        (["eval", "p*2", "f.cg"], 'f.cg is a file: write cgraph eval "p*2" -f f.cg'),
        (["render", "x*y", "a.png"], 'a.png is a file: write cgraph render "x*y" -o a.png'),
        (["grad", "x*y", "a.svg"], 'a.svg is a file: write cgraph render "x*y" -o a.svg'),
        (["export", "x*y", "a.c"], 'a.c is a file: write cgraph export "x*y" -o a.c'),
        (["eval", "x*y", "--bindings", "decay.csv"],
         "cannot read decay.csv as values by name (a table: --data decay.csv)"),
        (["eval", "x*y", "--bindings", "t.npy"],
         "cannot read t.npy as values by name (one array: --NAME @t.npy)"),
        (["eval", "x*y", "--bindings", "w.pt"],
         "cannot read w.pt as values by name (save it by numpy.savez('weights.npz', "
         "**{name: values}) and give --bindings weights.npz)"),
    ],
)  # fmt: skip
def test_files(run: Run, words: list[str], told: str) -> None:
    done = run(*words)
    assert done.stdout == ""
    assert done.stderr == f"error: {told}\n"
    assert done.exit_code in (1, 2)


@pytest.mark.parametrize(
    "words",
    [
        ["eval", "x*y", "--data", "decay.csv"],
        ["eval", "x*y", "--bindings", "w.npz"],
        ["eval", "p*2", "-f", "f.cg", "--bindings", "w.npz"],
        ["render", "x*y", "-o", "a.svg"],
        ["export", "x*y", "-o", "a.c"],
        ["eval", "2x", "--x", "@t.npy"],
        ["eval", "2x", "--x", "@w.npz:x"],
    ],
)
def test_what_is_advised_works(run: Run, words: list[str]) -> None:
    assert run(*words).exit_code == 0


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        ("t.npy", "to take it from a file write --x @t.npy"),
        ("w.npz:x", "to take it from a file write --x @w.npz:x"),
        ("none.npy", "to take it from a file write --x @none.npy"),
        ("1,2,3", "write [1, 2, 3] for an array"),
        ("1 2 3", "write [1, 2, 3] for an array"),
        ("(1, 2.5)", "write [1, 2.5] for an array"),
        ("{1, -2}", "write [1, -2] for an array"),
        ("[1 2]", "write [1, 2] for an array"),
        ("1,000", "write 1000 for thousands, 1.000 for a decimal number"),
        ("1,5", "write 1.5 for a decimal number, [1, 5] for an array"),
        ("1,234,567", "write 1234567 for thousands"),
    ],
)
@pytest.mark.parametrize("option", ["--x", "--set"])
def test_values(run: Run, value: str, hint: str, option: str) -> None:
    done = run("eval", "2x", option, value if option == "--x" else f"x={value}")
    assert (done.exit_code, done.stdout) == (2, "")
    hint = hint if option == "--x" else hint.replace("--x @", "--set x @")
    assert done.stderr.splitlines()[0].endswith(f"({hint})")


@pytest.mark.parametrize(
    ("word", "command"),
    [
        ("jacobian", "jac"),
        ("hessian", "hess"),
        ("backward", "grad"),
        ("gradient", "grad"),
        ("derivative", "diff"),
        ("latex", "export --format latex"),
        ("python", "export --format python"),
        ("c", "export --format c"),
        ("svg", "render"),
        ("plot", "render"),
        ("series", "taylor"),
        ("json", "parse"),
        ("evaluate", "eval"),
    ],
)
def test_commands(run: Run, word: str, command: str) -> None:
    done = run(word, "x*y")
    told = f"error: '{word}' is not a command; did you mean cgraph {command}?\n"
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", told)
    point = ["--x", "1", "--y", "2"] if command in ("jac", "hess", "grad", "eval") else []
    formula = "x^2" if command == "taylor" else "x*y"
    assert run(*command.split(), formula, *point).exit_code == 0


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("fit", "cgraph fits nothing: cgraph grad FORMULA --data FILE gives an optimizer its "
         "gradients"),
        ("integrate", "cgraph evaluates and differentiates: it neither solves nor integrates"),
    ],
)  # fmt: skip
def test_what_there_is_no_command_for(run: Run, word: str, told: str) -> None:
    done = run(word, "x*y")
    assert (done.exit_code, done.stderr) == (2, f"error: '{word}' is not a command; {told}\n")


@pytest.mark.parametrize(
    ("words", "stdout"),
    [
        (["diff", "f(x) = x^2*sin(x)"], "2*x*sin(x) + x^2*cos(x)\n"),
        (["eval", "g(t) = t + 1; f(x, y) = x*g(y)", "--x", "2", "--y", "3"], "8\n"),
        (["grad", "k = 3; f(x) = k*x^2", "--x", "2"], ""),
        (["eval", "f(x) = sum(x^k for k in 1 to 2)", "--x", "2"], "6\n"),
    ],
)
def test_a_function_alone_is_taken_itself(run: Run, words: list[str], stdout: str) -> None:
    done = run(*words)
    if stdout:
        assert (done.exit_code, done.stdout, done.stderr) == (0, stdout, "")
    else:  # an assignment is there, and is the output
        assert done.exit_code == 1


def test_the_derivative_by_another_name(run: Run) -> None:
    done = run("eval", "diff(x^2, x)", "--x", "1")
    told = "<formula>:1:1: error: unknown function 'diff' (the derivative is d(f, x))"
    assert done.stderr.splitlines()[0] == told


@pytest.mark.parametrize(
    ("command", "ending", "hint"),
    [
        ("explain", ".pdf", "it writes .txt, .html, .tex, .md"),
        ("diff", ".npy", "it writes text"),
        ("diff", ".csv", "it writes text"),
        ("simplify", ".png", "cgraph render makes pictures"),
        ("check", ".svg", "cgraph render makes pictures"),
        ("inspect", ".html", "cgraph explain writes pages"),
        ("parse", ".npz", "it writes text"),
        ("eval", ".png", "cgraph render makes pictures"),
        ("grad", ".py", "cgraph export writes code"),
        ("hess", ".tex", "cgraph explain writes pages"),
        ("taylor", ".c", "cgraph export writes code"),
        ("functions", ".pdf", "cgraph render makes pictures"),
    ],
)
def test_an_ending_that_a_command_does_not_write(
    run: Run, command: str, ending: str, hint: str
) -> None:
    formula = () if command == "functions" else ("x^2",)
    done = run(command, *formula, "-o", f"out{ending}")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == f"error: {command} does not write {ending} ({hint})\n"
    assert not Path(f"out{ending}").exists()
