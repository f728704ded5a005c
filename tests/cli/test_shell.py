"""The installed command in a real shell: pipes, exit codes, signals, encodings."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from subprocess import PIPE, CompletedProcess
from types import ModuleType

import pytest

from cgraph.__main__ import main

ENV = {
    **os.environ,
    "PATH": sysconfig.get_path("scripts") + os.pathsep + os.environ["PATH"],
    "LC_ALL": "C.UTF-8",
}


def bash(
    line: str, stdin: int = subprocess.DEVNULL, env: Mapping[str, str] = ENV
) -> CompletedProcess[str]:
    """Run a line in bash; pipes fail as their commands do."""
    words = ["bash", "-o", "pipefail", "-c", line]
    return subprocess.run(
        words, stdin=stdin, env=env, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize(
    ("line", "stdout"),
    [
        ('cgraph eval "(x+y)*z" --x 1 --y 3 --z -3', "-12\n"),
        ('echo "(x+y)*z" | cgraph grad --x 1 --y 3 --z -3', "d/dx = -3\nd/dy = -3\nd/dz = 4\n"),
        ('cgraph parse "(x+y)*z" | cgraph eval --x 1 --y 3 --z -3', "-12\n"),
        ("printf 'x^2\\nx^3\\n' | cgraph eval --x 2", "4\n8\n"),
        ("printf '2\\n3\\n' | while read x; do cgraph eval 'x^2' --x $x; done", "4\n9\n"),
        ("cgraph eval -f <(echo 'x^2') --x 3", "9\n"),
        ("cgraph eval x --x 3 -o >(cat) && sleep 0.2", "3\n"),
        ("cgraph eval x --x 3 -o a.txt && cat a.txt && ls", "3\na.txt\n"),
        ("python -m cgraph eval x --x 3", "3\n"),
        ("(cgraph eval x --x 3; cgraph eval x --x 4 -o /dev/stdout) >> a; cat a", "3\n4\n"),
    ],
)
def test_lines_that_people_type(line: str, stdout: str) -> None:
    done = bash(line)
    assert (done.returncode, done.stdout, done.stderr) == (0, stdout, "")


@pytest.mark.parametrize(
    "line",
    [
        "cgraph functions | head -1",
        "yes x | head -100000 | cgraph eval --lines --x 2 | head -1",
        "cgraph parse 'x*y' | true",
    ],
)
def test_a_closed_pipe_ends_it_quietly(line: str) -> None:
    done = bash(f"set +o pipefail; {line}")
    assert (done.returncode, done.stderr) == (0, "")


def test_lines_without_an_end_are_answered_as_they_come() -> None:
    done = bash("set +o pipefail; ulimit -v 500000; yes x | cgraph eval --lines --x 2 | head -600")
    assert (done.returncode, done.stdout, done.stderr) == (0, "2\n" * 600, "")


def test_a_line_is_answered_before_the_next_one_comes() -> None:
    words = ["cgraph", "eval", "--lines", "--x", "2"]
    with subprocess.Popen(words, stdin=PIPE, stdout=PIPE, env=ENV) as process:
        assert process.stdin
        assert process.stdout
        for line, answer in ((b"x^2\n", b"4\n"), (b"x^3\n", b"8\n")):
            process.stdin.write(line)
            process.stdin.flush()
            assert process.stdout.readline() == answer
        process.stdin.close()
        assert process.wait(timeout=30) == 0


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            "cgraph eval --lines < /dev/zero",
            "<stdin>:1: it has no end, or more than 67,108,864 bytes",
        ),
        (
            "cgraph eval -f /dev/zero",
            "cannot read /dev/zero: it has no end, or more than 268,435,456 bytes",
        ),
        (
            "cgraph eval x --bindings /dev/zero",
            "cannot read /dev/zero: it has no end, or more than 268,435,456 bytes",
        ),
        (
            "cgraph eval x --x @/dev/../dev/zero.csv",
            "cannot read /dev/../dev/zero.csv: No such file or directory",
        ),
        (
            "ln -s /dev/zero x.npy; cgraph eval x --x @x.npy",
            "cannot read x.npy: it has no end, or more than 268,435,456 bytes",
        ),
        (
            "(echo x; cat /dev/zero) | cgraph eval x --data - -o out",
            "<stdin>:2: it has no end, or more than 67,108,864 bytes",
        ),
        (
            "(printf '{\"x\": 1}\\n{'; cat /dev/zero) | cgraph eval x --data - -o out",
            "<stdin>:2: it has no end, or more than 67,108,864 bytes",
        ),
        (
            "yes '' | cgraph eval x --data -",
            "<stdin> is empty, as far as its first 67,108,864 bytes say",
        ),
        (
            "head -c 200000000 /dev/zero | gzip -1 > x.csv.gz; cgraph eval x --data x.csv.gz",
            "x.csv.gz:1: it has no end, or more than 67,108,864 bytes",
        ),
    ],
)
def test_what_has_no_end_is_refused(line: str, told: str) -> None:
    done = bash(f"set +o pipefail; ulimit -v 4000000; {line}")
    assert (done.stdout, done.stderr) == ("", f"error: {told}\n")
    assert done.returncode == 1


@pytest.mark.parametrize(
    ("line", "code", "stderr"),
    [
        ("cgraph eval x --x 1 > /dev/full", 1,
         "error: cannot write to stdout: No space left on device\n"),
        ("cgraph eval x --x 1 >&-", 1, "error: cannot write to stdout: it is closed\n"),
        ("cgraph --help >&-", 1, "error: cannot write to stdout: it is closed\n"),
        ("cgraph eval x 2>&-", 2, ""),
        ("cgraph eval x * y", 2, None),
    ],
)  # fmt: skip
def test_exit_codes(line: str, code: int, stderr: str | None) -> None:
    done = bash(line)
    assert (done.returncode, done.stdout) == (code, "")
    assert stderr is None or done.stderr == stderr


@pytest.mark.parametrize(
    "words",
    [
        "--help",
        "--version",
        "eval -h",
        "functions",
        "completion bash",
        "parse x",
        "eval --lines <<< '1'",
        "eval x --data rows.csv",
        "eval x --data rows.csv -o /dev/stdout",
    ],
)
def test_a_full_disk_is_told_whatever_is_printed(words: str) -> None:
    Path("rows.csv").write_text("x\n1\n")
    done = bash(f"cgraph {words} > /dev/full")
    told = "error: cannot write to stdout: No space left on device\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", told)


def test_a_full_disk_is_told_of_completions() -> None:
    asked = {"_CGRAPH_COMPLETE": "bash_complete", "COMP_WORDS": "cgraph ev", "COMP_CWORD": "1"}
    done = bash("cgraph > /dev/full", env={**ENV, **asked})
    told = "error: cannot write to stdout: No space left on device\n"
    assert (done.returncode, done.stderr) == (1, told)


@pytest.mark.parametrize("name", ["out.csv", "out.jsonl.gz", "out.parquet", "out.arrow", "out.npz"])
def test_a_disk_that_is_full_in_the_middle_of_a_table(name: str) -> None:
    """A limit on the size of files stands for the disk; Python ignores the signal that comes."""
    bash("(echo x; seq 300000) > rows.csv; echo old > out")
    done = bash(f"ulimit -f 100; cgraph eval 'sin(x)' --data rows.csv -o {name}")
    told = f"error: cannot write {name}: File too large\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", told)
    assert sorted(os.listdir()) == ["out", "rows.csv"]


def test_a_missing_formula_at_a_terminal_is_not_waited_for() -> None:
    ours, theirs = pty.openpty()
    done = bash("cgraph grad --x 1", stdin=theirs)
    os.close(ours)
    os.close(theirs)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        'usage: cgraph grad "(x+y)*z" [OPTIONS]\n'
        "       cgraph grad -f FILE [OPTIONS]\n"
        '       echo "(x+y)*z" | cgraph grad [OPTIONS]\n'
        "error: no formula (cgraph grad --help says more)\n"
    )


def hear_interrupts() -> None:
    """Undo what a shell does to the jobs that it runs in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_an_interrupt() -> None:
    os.mkfifo("values")
    words = [sys.executable, "-m", "cgraph", "eval", "x", "--bindings", "values"]
    process = subprocess.Popen(words, stdout=PIPE, stderr=PIPE, env=ENV, preexec_fn=hear_interrupts)
    with open("values", "w"):  # opens when the command does, which then waits for a text
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=30)
    assert (process.returncode, stdout, stderr) == (130, b"", b"")


def test_what_is_open_is_not_opened_anew(tmp_path: Path) -> None:
    log = tmp_path / "log"
    bash(f"(cgraph eval 1 -o /dev/stderr; echo next >&2; cgraph eval 2 -o /dev/fd/2) 2> {log}")
    assert log.read_text() == "1\nnext\n2\n"


def test_an_early_interrupt_ends_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted(ModuleType):
        def __getattr__(self, name: str) -> object:
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "cgraph.cli.main", Interrupted("cgraph.cli.main"))
    monkeypatch.setattr("gc.disable", lambda: None)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 130


INTERRUPTED_AT = """
import os, signal, sys
wanted = sys.argv[1]
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == wanted:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
sys.modules.pop(wanted, None)
from cgraph.__main__ import main
sys.argv = ["cgraph", "eval", "[x, 1]", "--x", "1"]
main()
"""


@pytest.mark.parametrize(
    "module", ["typing", "signal", "cgraph.cli", "cgraph.cli.main", "click", "cgraph.cli.eval"]
)
def test_an_interrupt_while_modules_are_loaded(module: str) -> None:
    words = [sys.executable, "-c", INTERRUPTED_AT, module]
    done = subprocess.run(
        words, capture_output=True, env=ENV, check=False, preexec_fn=hear_interrupts, timeout=60
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def test_controls_do_not_reach_the_terminal() -> None:
    done = bash("cgraph eval $'x\\e[31m' --x 1 --bindings $'a\\e[32m'")
    assert done.returncode == 1
    assert "\x1b" not in done.stderr


def test_letters_that_an_encoding_lacks() -> None:
    ascii_only = {**ENV, "PYTHONIOENCODING": "ascii"}
    done = bash("cgraph grad 'α^2' --α 3", env=ascii_only)
    told = "cannot write to stdout: ascii has no \\u03b1 (U+03B1)"
    hint = "set PYTHONIOENCODING=utf-8, or write to a file: -o FILE"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"error: {told} ({hint})\n")
    done = bash("cgraph grad 'α^2' --α 3 -o a.txt; cat a.txt", env=ascii_only)
    assert (done.returncode, done.stdout) == (0, "d/dα = 6\n")
    done = bash("cgraph grad 'x^2' --x 3", env=ascii_only)
    assert (done.returncode, done.stdout) == (0, "d/dx = 6\n")
    done = bash("cgraph grad 'α^2' --α 3 --json", env=ascii_only)
    assert done.stdout == '{"value": 9.0, "gradient": {"\\u03b1": 6.0}}\n'
    done = bash("cgraph eval 'α^2 + β'  --α 3", env=ascii_only)
    assert done.stderr == "error: no value for \\u03b2: add --\\u03b2 VALUE\n"


def test_a_terminal_gets_colours_and_no_binary() -> None:
    ours, theirs = pty.openpty()
    env = {**ENV, "TERM": "xterm"}
    env.pop("NO_COLOR", None)
    words = ["cgraph", "render", "x", "--format", "png"]
    done = subprocess.run(words, stdout=theirs, stderr=theirs, env=env, timeout=60, check=False)
    os.close(theirs)
    shown = os.read(ours, 10_000).decode()
    os.close(ours)
    assert done.returncode == 2
    assert shown == (
        "\x1b[1;31merror:\x1b[0m a terminal shows no binary data (write to a file: -o FILE)\r\n"
    )


def test_a_run_on_scalars_imports_only_what_it_needs() -> None:
    program = (
        "import sys; from cgraph.cli.main import cli\n"
        "sys.argv = ['cgraph', 'grad', '(x+y)*z', '--x', '1', '--y', '3', '--z', '-3']\n"
        "try: cli()\nexcept SystemExit: print(*sorted(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=ENV, check=True
    )
    loaded = set(done.stdout.splitlines()[-1].split())
    needless = {"numpy", "scipy", "lark", "json", "tempfile", "shutil", "subprocess", "difflib",
                "click.testing", "click.shell_completion", "cgraph.exporters.dot",
                "cgraph.exporters.registry", "cgraph.exporters.graphdef", "cgraph.parser.explain",
                "cgraph.api", "cgraph.cli.data"}  # fmt: skip
    assert not loaded & needless
