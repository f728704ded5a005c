"""`cgraph optimize`, and `--optimize` on the commands that run, draw and export."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import pytest

import cgraph
from cgraph.cli import optimize
from cgraph.cli.timing import BATCH, SETTLED, best_times, duration
from cgraph.exporters.registry import EXPORTERS

from .conftest import Run


@pytest.mark.parametrize(
    ("words", "stdout", "stderr"),
    [
        (["x^3/10 + sin(0)*y"], "x*x*x*0.1 + 0*y\n", "note: 10 nodes before, 9 after\n"),
        (["(x+y)*(y+x)"], "(x + y)*(x + y)\n", "note: 5 nodes before, 4 after\n"),
        (["p = x/3; q = floor(p); p + q", "--output", "p"], "x*0.3333333333333333\n",
         "note: 3 nodes before, 3 after\n"),
        (["x^2", "--grad"], "d_dx = 2*x\nx*x\nd_dx\n", "note: 4 nodes before, 4 after\n"),
        (["exp(x)", "--grad"], "d_dx = exp(x)\nd_dx\nd_dx\n", "note: 2 nodes before, 2 after\n"),
        (["loss = x*fc.w; loss", "--grad", "--wrt", "fc.w"],
         "dloss_dfc.w = x\nloss = x*fc.w\nloss\nx\n", "note: 3 nodes before, 3 after\n"),
        (["d_dx = 3; x*d_dx", "--grad"], "d_dx = 3\nx*3\n3\n", "note: 3 nodes before, 3 after\n"),
        (["x*2/2", "--json", "-q"],
         '{"formula": "x*2*0.5", "nodes": {"before": 4, "after": 5}}\n', ""),
    ],
)  # fmt: skip
def test_programs(run: Run, words: list[str], stdout: str, stderr: str) -> None:
    done = run("optimize", *words)
    assert (done.stdout, done.stderr) == (stdout, stderr)


def test_the_program_reads_back_with_its_derivatives(run: Run) -> None:
    text = run("optimize", "g = x^3*exp(-y)/7", "--grad").stdout
    names = "g,dg_dx,dg_dy"
    found = run("eval", text, "--output", names, "--x", "1.5", "--y", "2", "--json").stdout
    value, gradient = cgraph.value_and_grad("x^3*exp(-y)/7", {"x": 1.5, "y": 2})
    expected = [value, *gradient.values()]
    read = [json.loads(line)["value"] for line in found.splitlines()]
    assert read == pytest.approx(expected, rel=1e-15)


def test_with_values_it_says_how_long_a_run_takes(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def times(actions: Sequence[Callable[[], list[float]]]) -> list[float]:
        before, after = [action() for action in actions]
        assert before[-1] == after[-1]
        return [2e-5, 1e-5]

    monkeypatch.setattr(optimize, "best_times", times)
    done = run("optimize", "x^3 + y", "--x", "2", "--y", "3")
    assert done.stderr == "note: 5 nodes before, 5 after; 20 us before, 10 us after\n"
    held = json.loads(run("optimize", "input x = 2; x^3", "--json", "-q").stdout)
    assert held["nodes"] == {"before": 3, "after": 3}
    assert held["seconds"] == {"before": 2e-5, "after": 1e-5}
    assert run("optimize", "x^3 + y", "--x", "2").stderr == "note: 5 nodes before, 5 after\n"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(1.5, "1.5 s"), (0.01234, "12.3 ms"), (7.9e-6, "7.9 us"), (123e-9, "123 ns"), (0.0, "0 ns")],
)
def test_times(seconds: float, text: str) -> None:
    assert duration(seconds) == text


class Clock:
    """A clock that stands still but where actions take time."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def action(self, *seconds: float) -> Callable[[], None]:
        """Return an action that takes these times, the last again and again."""
        left = list(seconds)

        def act() -> None:
            self.now += left.pop(0) if len(left) > 1 else left[0]

        return act


def test_the_shortest_times_count() -> None:
    clock = Clock()
    slow, fast = clock.action(9.0, 0.5, 0.25, 0.125), clock.action(0.0625)
    assert best_times([slow, fast], clock) == [0.125, 0.0625]


def test_a_batch_takes_its_time() -> None:
    clock = Clock()
    assert best_times([clock.action(2.0**-20)], clock) == [2.0**-20]
    assert clock.now > 8 * BATCH


def test_measuring_ends() -> None:
    clock = Clock()
    best_times([clock.action(3.0)], clock)
    assert clock.now == 9.0
    clock = Clock()
    best_times([clock.action(2.0**-5)], clock)
    assert clock.now == (2 + 1 + SETTLED) * 2.0**-5


@pytest.mark.parametrize("format_", [it.name for it in EXPORTERS.values() if it.writes == "text"])
def test_every_text_format_takes_the_result(run: Run, format_: str) -> None:
    done = run("optimize", "f(t) = exp(t^2/3); f(x)*f(y)", "--grad", "--format", format_, "-q")
    assert (done.exit_code, done.stderr) == (0, "")
    assert (
        done.stdout
        == run(
            "export", "f(t) = exp(t^2/3); f(x)*f(y)", "--grad", "--optimize", "--format", format_
        ).stdout
    )


@pytest.mark.parametrize("name", ["g.png", "g.svg", "g.json", "g.c", "g.py"])
def test_files_by_their_ending(run: Run, name: str) -> None:
    assert run("optimize", "x^2/3 + y", "-o", name, "-q").exit_code == 0
    with open(name, "rb") as file:
        assert file.read()


def test_a_graph_goes_on_to_another_command(run: Run) -> None:
    graph = run("optimize", "x^2/2 + x^3/3", "--format", "graphdef", "-q").stdout
    assert '"fused_1/mul"' in graph
    assert run("eval", "--x", "2", stdin=graph).stdout == "4.666666666666666\n"


@pytest.mark.parametrize(
    ("words", "stdout", "stderr"),
    [
        (["eval", "x^3/10", "--x", "3"], "2.7\n", ""),
        (["eval", "p = x/10; p^2", "--x", "3", "--output", "p"], "p = 0.30000000000000004\n", ""),
        (["grad", "x^3/10", "--x", "3", "--value"], "value = 2.7\nd/dx = 2.7\n", ""),
        (["grad", "log(x)/3 + 2*y", "--x", "-2", "--y", "-1"], "d/dx = nan\nd/dy = nan\n",
         "warning: log(x) is nan at x = -2 (line 1, column 1)\n"),
        (["grad", "p = x*1; p*y", "--wrt", "p", "--x", "[1, 2]", "--y", "3", "-q"],
         "d/dp = [3, 3]\n", ""),
    ],
)  # fmt: skip
def test_the_graph_that_runs_is_optimized(
    run: Run, words: list[str], stdout: str, stderr: str
) -> None:
    done = run(*words, "--optimize")
    assert (done.stdout, done.stderr) == (stdout, stderr)


def test_outputs_that_become_one_keep_their_derivatives(run: Run) -> None:
    words = ["grad", "x^2; x*x", "--x", "3", "--optimize"]
    plain = run(*words)
    assert plain.stdout == "# x^2\nd/dx = 6\n# x*x\nd/dx = 6\n"
    for mode in ("reverse", "forward"):
        assert run(*words, "--checkpoint", "--mode", mode).stdout == plain.stdout


def test_the_graph_that_is_drawn_is_optimized(run: Run) -> None:
    words = ["render", "p = x^2*1; p/3", "--x", "2", "--grad", "--wrt", "x,p", "--optimize"]
    drawn = run(*words).stdout
    assert "^" not in drawn
    assert "÷" not in drawn
    assert drawn.count("×") == 2
    backward = run("render", "sin(x)/2", "--backward", "--optimize").stdout
    assert "d/dx" in backward
    assert "0.5" in backward


def test_several_outputs_each_have_a_gradient(run: Run) -> None:
    done = run("optimize", "p = x*y; q = x^2; p; q", "--grad", "-q")
    assert done.stdout == (
        "dp_dy = x\ndp_dx = y\np = x*y\nq = x*x\ndq_dx = 2*x\ndq_dy = 0\np\nq\ny\nx\ndq_dx\n0\n"
    )


def test_gradients_of_outputs_without_names_have_numbers(run: Run) -> None:
    done = run("optimize", "x*y\nx^2", "--grad", "-q")
    assert "d1_dx = y\n" in done.stdout
    assert "d2_dx = 2*x\n" in done.stdout


def test_with_arrays_the_derivatives_have_their_shapes(run: Run) -> None:
    text = run("optimize", "x*y", "--grad", "--x", "[1, 2]", "--y", "3", "-q").stdout
    assert "sum_to(" in text
