"""`--dynamic`, on every command that takes values."""

from __future__ import annotations

import pytest

from .conftest import Run

LOOP = "r = x; while abs(r) > 1 { r = r/2 }; r"
AT = ("--dynamic", "--x", "5")


@pytest.mark.parametrize(
    ("words", "stdout"),
    [
        (["eval"], "0.625\n"),
        (["grad"], "dr/dx = 0.125\n"),
        (["jac"], "dr/dx = 0.125\n"),
        (["hess"], "x,x = 0\n"),
        (["jvp", "--vector", "x=2"], "dr = 0.25\n"),
        (["vjp", "--vector", "2"], "d/dx = 0.25\n"),
        (["hvp", "--vector", "x=2"], "Hv[x] = 0\n"),
        (["diff"], "0.125\n"),
        (["inspect", "--inputs"], "x\n"),
        (["optimize"], "x*0.5*0.5*0.5\n"),
        (["export", "--format", "cg"], "r = x/2/2/2\n"),
    ],
)
def test_a_loop_that_depends_on_data(run: Run, words: list[str], stdout: str) -> None:
    command, *rest = words
    done = run(command, LOOP, *AT, *rest, "-q")
    assert (done.exit_code, done.stdout) == (0, stdout), done.stderr


@pytest.mark.parametrize("command", ["eval", "diff"])
def test_what_the_loop_goes_by_is_used(run: Run, command: str) -> None:
    assert run(command, LOOP, *AT).stderr == ""


@pytest.mark.parametrize(
    ("command", "part"),
    [
        ("render", 'tooltip="x/2/2/2\\nvalue 0.625"'),
        ("explain", "  dr/dx = 0.125   (differences: 0.125 ✓)"),
        ("check", "✓ all agree to 1e-06"),
    ],
)
def test_others_run_it_too(run: Run, command: str, part: str) -> None:
    done = run(command, LOOP, *AT)
    assert (done.exit_code, done.stderr) == (0, "")
    assert part in done.stdout


def test_a_trace_is_saved(run: Run) -> None:
    trace = run("parse", LOOP, *AT)
    assert (trace.exit_code, trace.stderr) == (0, "")
    assert run("eval", "--x", "7", stdin=trace.stdout).stdout == "0.875\n"
    assert "warning: --y is not used" in run("parse", LOOP, *AT, "--y", "1").stderr


@pytest.mark.parametrize("command", ["eval", "grad", "parse"])
def test_a_loop_without_its_value(run: Run, command: str) -> None:
    told = "the loop needs the value of 'x' (give it: --x VALUE)"
    done = run(command, LOOP, "--dynamic")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.splitlines()[0] == f"<formula>:1:8: error: {told}"


def test_a_static_loop_is_refused(run: Run) -> None:
    done = run("eval", LOOP, "--x", "5")
    told = "a loop whose length depends on data needs its values (run with --dynamic)"
    assert done.exit_code == 1
    assert done.stderr.splitlines()[0] == f"<formula>:1:8: error: {told}"
