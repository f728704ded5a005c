"""The entry point: it finds the command, reports what goes wrong and settles the exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import click

from ..autodiff.errors import CgraphError, UsageError, closest
from . import report
from .names import is_name
from .output import Helpful, flush, print_answer, reported_as_stdout

COMMANDS = (
    "eval",
    "grad",
    "diff",
    "simplify",
    "optimize",
    "jac",
    "hess",
    "hvp",
    "jvp",
    "vjp",
    "taylor",
    "explain",
    "check",
    "parse",
    "render",
    "export",
    "inspect",
    "functions",
    "completion",
)

MEANT = {
    **dict.fromkeys(("calc", "compute", "evaluate", "value"), "eval"),
    **dict.fromkeys(("backward", "derive", "differentiate", "gradient"), "grad"),
    "derivative": "diff",
    **dict.fromkeys(("jacobian", "jacfwd", "jacrev"), "jac"),
    **dict.fromkeys(("series", "expand"), "taylor"),
    **dict.fromkeys(("verify", "test", "gradcheck"), "check"),
    **dict.fromkeys(("draw", "graph", "picture", "plot", "show", "dot", "png", "svg"), "render"),
    **dict.fromkeys(("ops", "docs", "reference"), "functions"),
    **{name: f"export --format {name}" for name in ("latex", "c", "javascript", "python", "sympy")},
    **dict.fromkeys(("codegen", "convert", "tensorboard", "save"), "export"),
    **dict.fromkeys(("json", "graphdef", "ast"), "parse"),
}
"""Commands by the names that they have elsewhere."""

NO_SOLVER = "cgraph evaluates and differentiates: it neither solves nor integrates"
NO_FIT = "cgraph fits nothing: cgraph grad FORMULA --data FILE gives an optimizer its gradients"
NEVER = {
    **dict.fromkeys(("fit", "minimize", "minimise", "train", "regress"), NO_FIT),
    **dict.fromkeys(("fsolve", "integrate", "integral"), NO_SOLVER),
}
"""What cgraph does not do, by the names of commands that would."""

EXAMPLES = """
cgraph eval "(x+y)*z" --x 1 --y 3 --z -3
cgraph grad "(x+y)*z" --x 1 --y 3 --z -3
cgraph render "(x+y)*z" --x 1 --y 3 --z -3 --grad -o graph.png
cgraph parse "(x+y)*z" | cgraph grad --x 1 --y 3 --z -3
"""

INTERRUPTED = 130
ROOT = os.path.dirname(os.path.dirname(__file__))


class CommandLine(Helpful, click.Group):
    """The group of commands; each is a module here, imported when it is first used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order in which help lists them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of a name, if there is one."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f".{cmd_name}", __package__).command
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the options before the command, which all ask about cgraph itself."""
        known = {spelling for param in self.get_params(ctx) for spelling in param.opts}
        if args and args[0] not in known:
            args = ["--", *args]
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the first word names. Raises `UsageError` with the remedy."""
        name, *rest = args
        command = self.get_command(ctx, name)
        if command is None and not ctx.resilient_parsing:
            raise UsageError(no_command(name))
        return name, command, rest

    def main(self, args: Sequence[str] | None = None, *rest: Any, **settings: Any) -> Any:
        """Run one command line and exit; `args` are those of the process unless given."""
        words = sys.argv[1:] if args is None else list(args)
        sys.exit(outcome(lambda: self._run(words, asked=args is None)))

    def _run(self, words: list[str], asked: bool) -> int:
        """Run a command line; the process itself may be `asked` for completions instead."""
        try:
            if asked:
                complete(self)
            with self.make_context("cgraph", words) as ctx:
                code: int = self.invoke(ctx)
        except click.exceptions.Exit as end:
            code = end.exit_code
        flush()
        return code

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples, then what cgraph does."""
        from .command import write_examples

        write_examples(EXAMPLES, formatter)
        super().format_help_text(ctx, formatter)


def outcome(run: Callable[[], int]) -> int:
    """Return the exit code of a run; what goes wrong is reported, never as a traceback."""
    try:
        return run()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return 0
    except Exception as error:
        if came_from_interrupt(error):
            return INTERRUPTED
        report.error(told_of(error))
        return error.exit_code if isinstance(error, CgraphError | click.ClickException) else 1


def came_from_interrupt(error: BaseException | None) -> bool:
    """Tell whether an error is what somebody made of an interrupt, as Python makes within a class.

    `RuntimeError: Error calling __set_name__` is such a one.
    """
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def told_of(error: Exception) -> str:
    """Return the report of an error."""
    if isinstance(error, CgraphError):
        return str(error)
    if isinstance(error, click.ClickException):
        return told_by_click(error)
    return "error: out of memory" if isinstance(error, MemoryError) else told_of_bug(error)


def no_command(word: str) -> str:
    """Return what to say of a first word that is no command."""
    if os.path.isfile(word):
        return f"'{word}' is not a command; did you mean cgraph eval -f {word}?"
    if word == "help":
        return "'help' is not a command; write cgraph --help, or cgraph COMMAND --help"
    if word.lower() in NEVER:
        return f"'{word}' is not a command; {NEVER[word.lower()]}"
    near = MEANT.get(word.lower()) or closest(word, [*COMMANDS, "--help", "--version"])
    if near and near.startswith("--"):
        return f"cgraph has no option {word}; did you mean {near}?"
    if word.startswith("--"):
        return f"{word} comes before the command: write cgraph eval FORMULA {word} ..."
    if near:
        return f"'{word}' is not a command; did you mean cgraph {near}?"
    if is_name(word) and len(word) > 3:
        return f"'{word}' is not a command; the commands are {', '.join(COMMANDS)}"
    return f"'{word}' is not a command; did you mean cgraph eval \"{word}\"?"


def told_by_click(error: click.ClickException) -> str:
    """Return click's complaint in the form of our own."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return error.message
    if isinstance(error, click.MissingParameter) and error.param:
        option = isinstance(error.param, click.Option)
        name = max(error.param.opts, key=len) if option else error.param.human_readable_name
        return f"error: {name} is missing"
    message = error.message.rstrip(".")
    if isinstance(error, click.BadParameter) and error.param and error.param.opts:
        message = f"{max(error.param.opts, key=len)}: {message}"
    message = message.replace("valid integer range", "whole number")
    return f"error: {message[:1].lower()}{message[1:]}"


def told_of_bug(error: Exception) -> str:
    """Return what to say of an error that nobody foresaw: the last place of ours that it passed."""
    trace, place = error.__traceback__, ""
    while trace:
        file = trace.tb_frame.f_code.co_filename
        if file.startswith(ROOT):
            place = f"{file[len(ROOT) + 1 :]}:{trace.tb_lineno}"
        trace = trace.tb_next
    return f"error: this is a bug in cgraph: {type(error).__name__}: {error} ({place})"


def complete(command: click.Command) -> None:
    """Answer the shell and end, where it asks for completions."""
    asked = os.environ.get("_CGRAPH_COMPLETE")
    if asked:
        from click.shell_completion import shell_complete

        with reported_as_stdout():
            code = shell_complete(command, {}, "cgraph", "_CGRAPH_COMPLETE", asked)
        raise click.exceptions.Exit(code)


def print_version(ctx: click.Context, param: click.Parameter, wanted: bool) -> None:
    """Print the version and end."""
    if wanted and not ctx.resilient_parsing:
        from .. import __version__

        print_answer(f"cgraph {__version__}\n")
        ctx.exit()


@click.group(
    cls=CommandLine, name="cgraph", context_settings={"help_option_names": ["-h", "--help"]}
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=print_version,
    help="Show the version and exit.",
)
def cli() -> None:
    """The derivative of any formula, at the shell: its value, its gradient, its picture."""
