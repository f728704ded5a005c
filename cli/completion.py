"""`cgraph completion`: the script by which a shell completes cgraph's command lines."""

from __future__ import annotations

import click
from click.shell_completion import ShellComplete, get_completion_class

from . import options
from .command import Command

EXAMPLES = """
eval "$(cgraph completion bash)"
cgraph completion zsh > ~/.zfunc/_cgraph
cgraph completion fish > ~/.config/fish/completions/cgraph.fish
"""


@click.command("completion", cls=Command, examples=EXAMPLES)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@options.out
def command(shell: str) -> str:
    """Print the completion script of a shell: bash, zsh or fish.

    With it the shell completes commands, options and their choices, files, and the inputs of the
    formula on the line.
    """
    kind = get_completion_class(shell)
    assert kind is not None
    group = click.get_current_context().find_root().command
    # The base class's source: bash's own first runs a bash to ask for its version.
    return ShellComplete.source(kind(group, {}, "cgraph", "_CGRAPH_COMPLETE")) + "\n"
