"""`cgraph completion`, and what the shells then ask."""

from __future__ import annotations

import pytest
from click.shell_completion import CompletionItem, ShellComplete

from cgraph.cli.main import cli

from .conftest import Run


def asked(*words: str) -> list[str]:
    """Return what a shell would offer for the last word."""
    complete = ShellComplete(cli, {}, "cgraph", "_CGRAPH_COMPLETE")
    found: list[CompletionItem] = complete.get_completions(list(words[:-1]), words[-1])
    return [item.value if item.type == "plain" else item.type for item in found]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts(run: Run, shell: str) -> None:
    done = run("completion", shell)
    assert (done.exit_code, done.stderr) == (0, "")
    assert f"_CGRAPH_COMPLETE={shell}_complete" in done.stdout


def test_no_such_shell(run: Run) -> None:
    assert (
        run("completion", "csh").stderr
        == "error: shell: 'csh' is not one of 'bash', 'zsh', 'fish'\n"
    )
    assert run("completion").exit_code == 2


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["e"], ["eval", "explain", "export"]),
        (["eval", "alpha*x", "--a"], ["--alpha"]),
        (["grad", "alpha*x", "--alpha", "1", "--wr"], ["--wrt"]),
        (["grad", "alpha*x", "--alpha", "1", "--a"], []),
        (["grad", "alpha*x", "--mode", "r"], ["reverse"]),
        (["grad", "p = alpha*x", "--wrt", "x,"], ["x,alpha", "x,x", "x,p"]),
        (["eval", "p = alpha*x", "--output", "p"], ["p"]),
        (["eval", "alpha*(", "--a"], []),
        (["eval", "-", "--a"], []),
        (["eval", "--a"], []),
        (["eval", "-f", ""], ["file"]),
        (["render", "x", "--format", "p"], ["png", "pdf"]),
        (["export", "x", "--format", "p"], ["png", "pdf", "pbtxt", "python"]),
        (["parse", "digit*x", "--d"], ["--dynamic"]),
        (["parse", "digit*x", "--dynamic", "--d"], ["--digit"]),
        (["completion", "z"], ["zsh"]),
    ],
)
def test_offers(words: list[str], found: list[str]) -> None:
    assert asked(*words) == found


def test_inputs_come_before_options() -> None:
    assert asked("eval", "alpha*x", "--")[:3] == ["--alpha", "--x", "--file"]
