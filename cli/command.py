"""The commands' own kind of click command: examples first in help, and words told apart our way."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from ..autodiff.errors import UsageError
from .endings import check_ending
from .names import mentions
from .options import RESERVED, DataOption
from .output import Helpful, write
from .words import Assignment, Elsewhere, Option, Words, is_an_option, is_binding, too_many

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

HELP = ["-h", "--help"]
VALUES = (
    "Give the input NAME a value: a number, a constant formula such as pi/4, [1, 2] or "
    "randn(10, 2), or @FILE "
    "(x.npy, w.npz:name, d.csv:column, v.json)."
)
DATA = "Data (the others go with --data FILE)"

ONLY_BY_SET = "These are names of options; an input of such a name is set by --set NAME=VALUE:"


class Command(Helpful):
    """A command that returns what it prints; its help opens with `examples`."""

    def __init__(self, *args: Any, examples: str = "", **settings: Any) -> None:
        settings.setdefault("context_settings", {"help_option_names": HELP})
        super().__init__(*args, **settings)
        self.examples = examples

    def invoke(self, ctx: click.Context) -> int:
        """Run the command, write its answer and return the exit code."""
        to = ctx.params.pop("out", None)
        check_ending(str(self.name), to)
        write([super().invoke(ctx)], to)
        return 0

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, those of a table under a heading of their own."""
        groups: dict[str, list[tuple[str, str]]] = {"Options": []}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None and not isinstance(param, click.Argument):
                of_table = isinstance(param, DataOption)
                groups.setdefault(DATA if of_table else "Options", []).append(record)
        for title, records in groups.items():
            with formatter.section(title):
                formatter.write_dl(records)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples, then what the command does."""
        write_examples(self.examples, formatter)
        super().format_help_text(ctx, formatter)


class FormulaCommand(Command):
    """A command that answers a question about each formula it is given.

    It takes values for inputs where it has the options for them; with `values_with` only beside
    that option.
    """

    def __init__(self, *args: Any, values_with: str = "", **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.values_with = values_with

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Tell the words apart and let click read the options among them."""
        if wants_help(args) and not ctx.resilient_parsing:
            return super().parse_args(ctx, ["--help"])
        elsewhere = partial(self._elsewhere, ctx)
        words = Words(args, self._options(ctx), ctx.resilient_parsing, elsewhere)
        if not ctx.resilient_parsing:
            self._refuse(words, args, elsewhere)
        ctx.meta["words"] = words
        try:
            return super().parse_args(ctx, [*words.options, "--", *words.formulas[:1]])
        except click.BadParameter as error:
            raise self._not_accepted(error, words) or error from None

    def invoke(self, ctx: click.Context) -> int:
        """Answer for each formula, write the answers and return the exit code."""
        from .question import Request
        from .run import answers

        assert self.callback is not None
        words: Words = ctx.meta["words"]
        check_ending(str(self.name), ctx.params.get("out"))
        request = Request(str(self.name), words.assignments, words.options, ctx.params)
        write(answers(request, partial(self.callback, **ctx.params)), request.out)
        return int(request.failed or (request.strict and request.warned))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return what may follow on the line, the inputs of its formula first."""
        from click.shell_completion import CompletionItem

        from .complete import inputs

        takes = self.takes_values and (not self.values_with or ctx.params.get("dynamic"))
        wanted = inputs(ctx) if takes and incomplete[:1] == "-" else []
        options = [f"--{name}" for name in wanted]
        items = [CompletionItem(option, help="an input") for option in options]
        found = [item for item in items if item.value.startswith(incomplete)]
        return found + super().shell_complete(ctx, incomplete)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write how inputs get their values, then the options."""
        if self.takes_values:
            with formatter.section("Values"):
                formatter.write_dl([("--NAME VALUE", VALUES)])
        super().format_options(ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write which names only `--set` can give a value."""
        if self.takes_values:
            names = ", ".join(name for name in RESERVED if "-" not in name)
            formatter.write_paragraph()
            formatter.write_text(f"{ONLY_BY_SET} {names}.")

    @property
    def takes_values(self) -> bool:
        """Whether the command takes values for inputs."""
        return any(param.name == "assignments" for param in self.params)

    def _options(self, ctx: click.Context) -> dict[str, Option]:
        found: dict[str, Option] = {}
        for param in self.get_params(ctx):
            if isinstance(param, click.Option):
                metavar = None if param.is_flag else param.make_metavar(ctx)
                option = Option(max(param.opts, key=len), metavar)
                found.update(dict.fromkeys(param.opts, option))
        return found

    def _elsewhere(self, ctx: click.Context, name: str, variable: str = "") -> UsageError | None:
        """Return the error for an option that other commands have, where there are such.

        `variable` is what to write where a variable of that name may have been meant.
        """
        those = [one for one in owners(ctx, f"--{name}") if one != self.name]
        if not those:
            return None
        has = f"{' and '.join(filter(None, (', '.join(those[:-1]), those[-1])))} ha"
        hint = f"{has}{'ve' if len(those) > 1 else 's'} it"
        return UsageError(f"{self.name} has no option --{name}", hint=hint + variable)

    def _refuse(self, words: Words, args: list[str], elsewhere: Elsewhere) -> None:
        """Raise `UsageError` where the words cannot be meant as they stand."""
        alone = self.values_with and self.values_with not in words.options
        for name, value, spelled in given(words) if alone else words.assignments:
            option = name.replace("_", "-")
            if option in RESERVED and spelled.startswith("--"):
                if not alone and self.takes_values and mentions(words.formulas, name):
                    raise is_an_option(name, value)
                unread = not alone and self.takes_values and not words.formulas
                variable = f"; for a variable of that name write --set {name}={value}"
                if error := elsewhere(option, variable if unread else ""):
                    raise error
            if alone or not self.takes_values:
                hint = f"give {spelled} {value} to the command that reads the graph"
                but = f" without {self.values_with}" if alone else ""
                raise UsageError(f"{self.name} takes no values{but}", hint=hint)
            if option in RESERVED:
                hint = f"for a variable of that name write --set {name}={value}"
                raise UsageError(f"{self.name} has no option --{name}", hint=hint)
        if len(words.formulas) > 1:
            raise too_many(words, args, str(self.name))
        for word in words.formulas:
            if word[:1] == "-" and is_binding(word):
                raise UsageError(f"{word} is no option: write -{word}")

    def _not_accepted(self, error: click.BadParameter, words: Words) -> UsageError | None:
        """Return the remedy where a value was meant for a variable that an option is called."""
        option = max(error.param.opts, key=len) if error.param else ""
        for word in words.options:
            spelled, _, value = word.partition("=")
            if spelled == option and mentions(words.formulas, option[2:]):
                return is_an_option(option[2:], value)
        return None


def owners(ctx: click.Context, option: str) -> list[str]:
    """Return the commands that have an option."""
    group = ctx.find_root().command
    if not isinstance(group, click.Group):
        return []
    commands = {name: group.get_command(ctx, name) for name in group.list_commands(ctx)}
    return [
        name
        for name, command in commands.items()
        if command and any(option in param.opts for param in command.params)
    ]


def given(words: Words) -> list[Assignment]:
    """Return what gives values, by whatever option."""
    options = (word.partition("=") for word in words.options)
    others = [
        Assignment("", value, name) for name, _, value in options if name in ("--set", "--bindings")
    ]
    return words.assignments + others


def write_examples(examples: str, formatter: click.HelpFormatter) -> None:
    """Write examples as a section of a help page, never wrapped."""
    with formatter.section("Examples"):
        for line in examples.strip().splitlines():
            formatter.write(f"{'':{formatter.current_indent}}{line}\n")


def wants_help(args: Iterable[str]) -> bool:
    """Tell whether help is asked for before the options end."""
    for word in args:
        if word in HELP:
            return True
        if word == "--":
            break
    return False
