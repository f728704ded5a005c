"""The group: first words that are no command, help, and what becomes of errors."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from cgraph.autodiff.errors import DataError
from cgraph.cli import report
from cgraph.cli.main import COMMANDS, cli
from cgraph.cli.options import RESERVED

from .conftest import Run

COMMAND = click.Context(cli)


@pytest.mark.parametrize(
    ("words", "stderr"),
    [
        (["(x+y)*z", "--x", "1"],
         "'(x+y)*z' is not a command; did you mean cgraph eval \"(x+y)*z\"?"),
        (["-x^2"], "'-x^2' is not a command; did you mean cgraph eval \"-x^2\"?"),
        (["x"], "'x' is not a command; did you mean cgraph eval \"x\"?"),
        ([""], "'' is not a command; did you mean cgraph eval \"\"?"),
        (["evla", "x"], "'evla' is not a command; did you mean cgraph eval?"),
        (["--versoin"], "cgraph has no option --versoin; did you mean --version?"),
        (["solve"], f"'solve' is not a command; the commands are {', '.join(COMMANDS)}"),
        (["derive"], "'derive' is not a command; did you mean cgraph grad?"),
        (["help", "grad"],
         "'help' is not a command; write cgraph --help, or cgraph COMMAND --help"),
        (["--x", "1", "eval", "x"],
         "--x comes before the command: write cgraph eval FORMULA --x ..."),
    ],
)  # fmt: skip
def test_a_first_word_that_is_no_command(run: Run, words: list[str], stderr: str) -> None:
    done = run(*words)
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"error: {stderr}\n")


def test_no_words_at_all_get_help_on_stderr(run: Run) -> None:
    done = run()
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("Usage: cgraph [OPTIONS] COMMAND [ARGS]...\n\nExamples:\n")


def test_the_version(run: Run) -> None:
    from cgraph import __version__

    assert run("--version").stdout == f"cgraph {__version__}\n"


@pytest.mark.parametrize("words", [["--help"], ["-h"], *([name, "--help"] for name in COMMANDS)])
def test_help_opens_with_examples(run: Run, words: list[str]) -> None:
    done = run(*words)
    assert (done.exit_code, done.stderr) == (0, "")
    usage, examples = done.stdout.split("\n\n")[:2]
    assert usage.startswith("Usage: cgraph ")
    assert examples.startswith("Examples:\n  ")
    assert "cgraph " + " ".join(words[:-1]) in examples


def test_help_is_given_wherever_it_is_asked_for(run: Run) -> None:
    asked = run("eval", "--help").stdout
    assert run("eval", "x", "--x", "-h").stdout == asked
    assert run("eval", "x", "x", "--help").stdout == asked


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_documented(name: str) -> None:
    command = cli.get_command(COMMAND, name)
    assert command is not None
    assert command.help
    for param in command.params:
        if isinstance(param, click.Option):
            assert param.help, param.name
            assert max(len(opt) for opt in param.opts) > 2, "a short option needs a long name"


def test_the_reserved_names_are_all_options_and_no_others() -> None:
    found = {"help"}
    for name in COMMANDS:
        command = cli.get_command(COMMAND, name)
        assert command is not None
        for param in command.params:
            if isinstance(param, click.Option):
                found |= {opt[2:] for opt in param.opts if opt.startswith("--")}
    assert sorted(found) == list(RESERVED)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("eval", "data col delimiter decimal nulls na keep reduce"),
        ("grad", "data col delimiter decimal nulls na keep reduce"),
        ("jac", "data col delimiter decimal nulls na keep"),
        ("check", "data col delimiter decimal nulls na limit"),
        ("hess", ""),
    ],
)
def test_options_of_a_table_are_listed_apart(run: Run, name: str, options: str) -> None:
    rest, _, data = run(name, "--help").stdout.partition(
        "\nData (the others go with --data FILE):\n"
    )
    found = [line.split()[0] for line in data.splitlines() if line.startswith("  --")]
    assert found == [f"--{option}" for option in options.split()]
    assert not any(f"\n  {option} " in rest for option in found)


def test_the_reserved_names_are_in_help(run: Run) -> None:
    text = " ".join(run("eval", "--help").stdout.split())
    assert ", ".join(name for name in RESERVED if "-" not in name) in text


# -- what goes wrong -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        (KeyboardInterrupt(), 130, ""),
        (MemoryError(), 1, "error: out of memory\n"),
        (ZeroDivisionError("by zero"), 1, "error: this is a bug in cgraph: ZeroDivisionError: "),
    ],
)
def test_an_error_is_never_a_traceback(
    monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, told: str
) -> None:
    def fail(ctx: click.Context) -> None:
        raise error

    monkeypatch.setattr(cli, "invoke", fail)
    done = CliRunner().invoke(cli, ["eval", "x"])
    assert (done.exit_code, done.stdout) == (code, "")
    assert done.stderr.startswith(told)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("kind", [RuntimeError, DataError])
def test_an_interrupt_is_one_whatever_becomes_of_it(
    monkeypatch: pytest.MonkeyPatch, kind: type[Exception]
) -> None:
    def fail(ctx: click.Context) -> None:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as error:
            raise kind("Error calling __set_name__") from error

    monkeypatch.setattr(cli, "invoke", fail)
    done = CliRunner().invoke(cli, ["eval", "x"])
    assert (done.exit_code, done.stdout, done.stderr) == (130, "", "")


def test_colours_are_for_terminals_that_want_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert report.coloured()
    monkeypatch.setenv("NO_COLOR", "1")
    assert not report.coloured()
    monkeypatch.setenv("NO_COLOR", "")
    monkeypatch.setenv("TERM", "dumb")
    assert not report.coloured()


def test_a_coloured_report(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(report, "coloured", lambda: True)
    report.warning("of error: nothing")
    assert capsys.readouterr().err == "\x1b[1;33mwarning:\x1b[0m of error: nothing\n"
