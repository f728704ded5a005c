"""Small texts that cost much: each is answered, or refused with a word, in bounded time and memory.

Each runs in a process of its own, which ends at a limit far above what it takes.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

pytest.importorskip("resource", reason="this system does not limit processes")

SECONDS, BYTES = 20, 2**31
LIMITED = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_CPU, ({SECONDS}, {SECONDS}))
resource.setrlimit(resource.RLIMIT_AS, ({BYTES}, {BYTES}))
from cgraph.__main__ import main
main()
"""


class Ended(NamedTuple):
    """How a process ended, and what it wrote."""

    code: int
    stdout: str
    stderr: str


def limited(*words: str, program: str = "", folder: Path) -> Ended:
    """Run a command on a program within limits."""
    path = folder / "program.cg"
    path.write_text(program)
    file = ["-f", str(path)] if program else []
    command = [sys.executable, "-c", LIMITED, *words, *file]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    return Ended(done.returncode, done.stdout, done.stderr)


def doubling(count: int, link: str = "{0}*{0}") -> str:
    """Return a program whose value has 2^count operations when it is written out."""
    links = [f"a{k + 1} = {link.format(f'a{k}')}" for k in range(count)]
    return "; ".join(["a0 = x + 1", *links])


def test_steps_by_hand_are_refused_where_a_line_would_be_long(tmp_path: Path) -> None:
    done = limited("diff", "--steps", program=doubling(16), folder=tmp_path)
    told = "by hand a line would have more than 2,000 operations, as parts are repeated"
    hint = "without --steps there is the derivative, with named parts"
    assert done == Ended(2, "", f"error: {told} ({hint})\n")


@pytest.mark.parametrize("link", ["{0}*{0}", "sin({0})*exp({0})"])
@pytest.mark.parametrize(
    "words",
    [
        ["diff"],
        ["simplify"],
        ["explain", "--x", "0.1"],
        ["explain", "--x", "0.1", "--format", "html"],
        ["check", "--x", "-0.5"],
        ["export", "--format", "latex", "--grad"],
        ["export", "--format", "sympy", "--grad"],
    ],
    ids=" ".join,
)
def test_parts_that_are_used_again_are_named(words: list[str], link: str, tmp_path: Path) -> None:
    done = limited(*words, program=doubling(40, link), folder=tmp_path)
    assert done.code == 0
    assert 0 < len(done.stdout) < 300_000


def test_a_long_derivative_is_left_as_it_is(tmp_path: Path) -> None:
    done = limited("diff", "d(x^x, x, 5)", folder=tmp_path)
    told = "note: simplification stopped after much work: this is right, and longer than need be\n"
    assert (done.code, done.stderr) == (0, told)


def test_a_derivative_that_nobody_could_read_is_refused(tmp_path: Path) -> None:
    done = limited("diff", "d(x^x, x, 7)", folder=tmp_path)
    told = "a derivative of 175,732 operations is too long to be read"
    assert done == Ended(1, "", f"error: {told} (cgraph eval has its value: d(f, x))\n")


def test_names_that_are_not_used_are_looked_for_once(tmp_path: Path) -> None:
    lines = [f"y{k} = x{k % 50}*x{(k + 1) % 50} + {k}" for k in range(20_000)]
    given = [f"--x{k}=1" for k in range(50)]
    done = limited("eval", *given, program="\n".join(lines), folder=tmp_path)
    assert (done.code, done.stdout) == (0, "20000\n")


@pytest.mark.parametrize("words", [["eval", "--x", "0.2"], ["grad", "--x", "0.2"]])
def test_outputs_cost_what_they_need(words: list[str], tmp_path: Path) -> None:
    lines = [f"x*{k} + sin(x)^{k % 7}" for k in range(20_000)]
    done = limited(*words, program="\n".join(lines), folder=tmp_path)
    assert done.code == 0
    assert len(done.stdout.splitlines()) == len(lines) * (1 + (words[0] == "grad"))


def test_many_derivatives_of_one_output(tmp_path: Path) -> None:
    names = [f"x{k}" for k in range(5000)]
    done = limited("diff", program="+".join(names), folder=tmp_path)
    assert done == Ended(0, "".join(f"# d/d{name}\n1\n" for name in names), "")


def test_derivatives_are_printed_when_they_are_known(tmp_path: Path) -> None:
    path = tmp_path / "program.cg"
    path.write_text("\n".join(f"x^{k} + sin(x)^{k % 7}" for k in range(2, 5000)))
    command = [sys.executable, "-m", "cgraph", "diff", "-f", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "# d(x^2 + sin(x)^2)/dx\n"
        assert process.poll() is None
        process.kill()


@pytest.mark.parametrize(
    ("command", "what", "program"),
    [
        ("hess", "Hessian", " + ".join(f"(x{k + 1} - x{k}^2)^2" for k in range(1999))),
        ("jac", "Jacobian", "\n".join(f"x{k + 1} - x{k}^2" for k in range(1999))),
    ],
)
def test_matrices_of_very_many_names_are_refused(
    command: str, what: str, program: str, tmp_path: Path
) -> None:
    values = tmp_path / "values.json"
    values.write_text(json.dumps({f"x{k}": 0.5 for k in range(2000)}))
    given = ["--bindings", str(values)]
    done = limited(command, *given, program=program, folder=tmp_path)
    size = "2,000 x 2,000" if command == "hess" else "1,999 x 2,000"
    hint = "--sparse has those that can be other than 0; or choose some with --wrt"
    assert done == Ended(2, "", f"error: the {what} has {size} entries by name ({hint})\n")
    done = limited(command, *given, "--sparse", program=program, folder=tmp_path)
    assert done.code == 0


@pytest.mark.parametrize(
    ("words", "code", "stderr"),
    [
        (["export", "--format", "c"], 1, "code in C is for numbers: here is an array"),
        (["export", "--format", "graphdef"], 0, ""),
        (["explain"], 2, "is an array, and numbers are explained"),
    ],
)
def test_what_has_no_use_for_values_computes_none(
    words: list[str], code: int, stderr: str, tmp_path: Path
) -> None:
    """The inverses take more memory than there is."""
    command, *rest = words
    done = limited(command, "inv(eye(10000))@inv(2*eye(10000))", *rest, folder=tmp_path)
    assert done.code == code
    assert stderr in done.stderr
