"""`--stats` and `--checkpoint`."""

from __future__ import annotations

import pytest

from .conftest import Run

CHAIN = "\n".join(["h = sin(x)", *["h = sin(h)"] * 24, "h"])


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["eval", "x", "--x=2"], "0 nodes run; nothing kept for a backward pass; "
         "at most 0 bytes alive"),
        (["eval", "sin(x)", "--x=2"], "1 node run; nothing kept for a backward pass; "
         "at most 8 bytes alive"),
        (["eval", "exp(sin(x))*y", "--x=[1, 2, 3]", "--y=2"], "3 nodes run; "
         "nothing kept for a backward pass; at most 48 bytes alive"),
        (["grad", "(x+y)*z", "--x=1", "--y=3", "--z=-3"], "2 nodes run; "
         "nothing kept for a backward pass; at most 16 bytes alive"),
        (["grad", "sin(x)*y", "--x=1", "--y=3", "--wrt=x"], "4 nodes run, "
         "2 of them for the backward pass; nothing kept for it; at most 24 bytes alive"),
        (["grad", "sin(exp(x))", "--x=1"], "4 nodes run, 2 of them for the backward pass; "
         "1 value kept for it (8 bytes); at most 32 bytes alive"),
        (["grad", "sin(exp(x))", "--x=1", "--mode=forward"], "4 nodes run, "
         "2 of them for the pass of tangents; 1 value kept for it (8 bytes); "
         "at most 32 bytes alive"),
        (["grad", CHAIN, "--x=1"], "74 nodes run, 49 of them for the backward pass; "
         "24 values kept for it (192 bytes); at most 208 bytes alive"),
        (["grad", CHAIN, "--x=1", "--checkpoint"], "90 nodes run, "
         "49 of them for the backward pass, 16 of them again; "
         "8 values kept for it (64 bytes); at most 88 bytes alive"),
        (["eval", CHAIN, "--x=1", "--checkpoint"], "25 nodes run; "
         "nothing kept for a backward pass; at most 16 bytes alive"),
    ],
)  # fmt: skip
def test_statistics_follow_the_result(run: Run, words: list[str], told: str) -> None:
    done = run(*words, "--stats")
    assert (done.exit_code, done.stderr) == (0, f"stats: {told}\n")
    plain = run(*words)
    assert (plain.stdout, plain.stderr) == (done.stdout, "")
    assert done.output == f"{done.stdout}{done.stderr}"


@pytest.mark.parametrize("command", ["eval", "grad"])
def test_json_stays_as_it_is(run: Run, command: str) -> None:
    done = run(command, "x^2", "--x", "3", "--json", "--stats", "-q")
    assert done.stdout == run(command, "x^2", "--x", "3", "--json").stdout
    assert done.stderr.startswith("stats: ")


def test_each_line_has_its_own(run: Run) -> None:
    done = run("eval", "--lines", "--x", "2", "--stats", stdin="sin(x)\ny\nx\n")
    first, *error, last = done.stderr.splitlines()
    assert first.startswith("stats: 1 node run;")
    assert last.startswith("stats: 0 nodes run;")
    assert "no value for y" in error[0]


def test_a_checkpoint_changes_no_bit(run: Run) -> None:
    words = ["grad", CHAIN, "--x", "[0.1, 0.2, 0.7]", "--value", "-q"]
    assert run(*words, "--checkpoint").stdout == run(*words).stdout


def test_warnings_come_first(run: Run) -> None:
    done = run("grad", "log(x)", "--x", "0", "--checkpoint", "--stats")
    warning, stats = done.stderr.splitlines()
    assert warning.startswith("warning: log(x) is -inf")
    assert stats.startswith("stats: ")
