"""The words of a command line, told apart: options, values for names, and the formula.

A formula may begin with a minus, so a short option counts only as a whole word. What looks like
`--name` is a value for an input, unless the command has an option of that name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from ..autodiff.errors import UsageError, closest
from .names import is_name, mentions, normal

DASHES = ("-", *map(chr, range(0x2010, 0x2015)), "\u2212")
"""The hyphen, and what editors make of one or two of them."""


class Option(NamedTuple):
    """What must be known of an option: its long spelling, and what stands for its value."""

    long: str
    metavar: str | None
    """None where the option takes no value."""


class Assignment(NamedTuple):
    """A value for a name, as text; `spelled` is how the name was given it, `--x` or `--set x`."""

    name: str
    text: str
    spelled: str


Elsewhere: TypeAlias = Callable[..., "UsageError | None"]
"""From the name of an option: the error where other commands have it."""


class Words:
    """The words of one call: `options` of the command, `assignments` to names, `formulas`.

    Raises `UsageError` where a word lacks its value, or, while `lenient` (as a line that is still
    being typed), passes over it. `--x` may be a formula too: it is one where it lacks a value,
    there is no other formula, and x has its value elsewhere.
    """

    def __init__(
        self,
        words: list[str],
        options: Mapping[str, Option],
        lenient: bool = False,
        elsewhere: Elsewhere | None = None,
    ) -> None:
        self.options: list[str] = []
        self.assignments: list[Assignment] = []
        self.formulas: list[str] = []
        self._known = options
        self._elsewhere = elsewhere
        self._lacking: dict[str, UsageError] = {}
        self._rest = words[::-1]
        while self._rest:
            self._take(self._rest.pop())
        if self._lacking and not lenient:
            self._settle()

    def _settle(self) -> None:
        """Settle what a word without its value is."""
        (word, error), *others = self._lacking.items()
        if others or self.formulas or word not in [one.spelled for one in self.assignments]:
            raise error
        self.formulas.append(word)

    def _take(self, word: str) -> None:
        name, equals, value = word.partition("=") if word[:2] == "--" else (word, "", "")
        option = self._known.get(name)
        if word == "--":
            self.formulas += reversed(self._rest)
            self._rest.clear()
        elif option is None and not is_name_option(name):
            self.formulas.append(word)
        elif option is not None and option.metavar is None:
            self._take_flag(option, value if equals else None)
        else:
            self._take_valued(name, option, value if equals else self._value_of(name, option))

    def _take_flag(self, option: Option, value: str | None) -> None:
        if value is not None:
            hint = f"for a variable of that name write --set {option.long[2:]}={value}"
            raise UsageError(f"{option.long} takes no value", hint=hint)
        self.options.append(option.long)

    def _take_valued(self, name: str, option: Option | None, value: str | None) -> None:
        if value is None:
            return
        if option is None:
            self.assignments.append(Assignment(normal(name[2:]), value, name))
        else:
            self.options.append(f"{option.long}={value}")

    def _value_of(self, name: str, option: Option | None) -> str | None:
        """Return the word that follows, taken; None, and an error to raise, where there is none."""
        if self._rest and not self._is_option(self._rest[-1]):
            return self._rest.pop()
        self._lacking[name] = self._no_value(name, option)
        return None

    def _is_option(self, word: str) -> bool:
        name = word.partition("=")[0]
        return word == "--" or word in self._known or is_name_option(name)

    def _no_value(self, name: str, option: Option | None) -> UsageError:
        if option is None and self._elsewhere and (error := self._elsewhere(name[2:])):
            return error
        if "-" in name[2:] and option is None:
            near = closest(name, [known for known in self._known if len(known) > 2])
            return UsageError(f"unknown {name}", hint=f"did you mean {near}?" if near else None)
        follows = f", but {self._rest[-1]} follows" if self._rest else ""
        metavar = option.metavar if option else "VALUE"
        near = None if option else closest(name, [known for known in self._known if len(known) > 2])
        hint = f"did you mean {near}?" if near else None
        return UsageError(f"{name} needs a value{follows or f': {name} {metavar}'}", hint=hint)


def is_name_option(word: str) -> bool:
    """Tell whether a word can only be an option or an input: `--x`, `--fc1.weight`, `--dpy`."""
    name = word[2:]
    return word[:2] == "--" and (is_name(name) or is_name(name.replace("-", "_")))


def too_many(words: Words, args: list[str], command: str) -> UsageError:
    """Return the error for more than one formula word, with the remedy for what was meant."""
    return (
        _stdin_twice(words)
        or _option_as_variable(words, args)
        or _short_binding(words)
        or _bare_bindings(words)
        or _file(words, command)
        or _unquoted(words, command)
    )


def _stdin_twice(words: Words) -> UsageError | None:
    """`- -`."""
    if words.formulas.count("-") < 2:
        return None
    return UsageError("'-' is given twice, but stdin can be read once")


def _option_as_variable(words: Words, args: list[str]) -> UsageError | None:
    """`value^2 --value 3`, where --value takes no value: the 3 is left over."""
    for before, word in pairwise(args):
        others = [text for text in words.formulas if text != word]
        if before in words.options and word in words.formulas and mentions(others, before[2:]):
            return is_an_option(before[2:], word)
    return None


def is_an_option(name: str, value: str) -> UsageError:
    """Return the error for an option whose name is a variable's."""
    return UsageError(f"--{name} is an option; for the variable write --set {name}={value}")


def _short_binding(words: Words) -> UsageError | None:
    """`-x 1`, `—x 1`."""
    for word, value in pairwise(words.formulas):
        if word[:1] in DASHES and is_name(word[1:]):
            return UsageError(f"{word} {value} is no option: write --{word[1:]} {value}")
    return None


def _bare_bindings(words: Words) -> UsageError | None:
    """`x=1 y=2`."""
    # The first may be a program: `p = x + y; g = p*z`.
    texts = [text for k, text in enumerate(words.formulas) if k or " " not in text]
    found = [text.partition("=") for text in texts if is_binding(text)]
    if not found:
        return None
    options = " ".join(f"--{name.strip().lstrip('-')} {value.strip()}" for name, _, value in found)
    first = "".join(found[0])
    return UsageError(f"'{first}' looks like a binding: write {options}")


ROLES = {
    "--data": (".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".parquet", ".arrow", ".npy", ".gz"),
    "--bindings": (".npz",),
    "-f": (".cg", ".txt"),
    "-o": (".png", ".svg", ".pdf", ".dot", ".tex", ".html", ".md", ".c", ".js", ".py"),
}
"""What options take files with these endings."""


WRITERS = {
    "render": (".png", ".svg", ".pdf", ".dot"),
    "export": (".c", ".js", ".py"),
    "explain": (".html", ".md"),
}
"""The commands that write files with these endings."""


def _file(words: Words, command: str) -> UsageError | None:
    """`"x*y" decay.csv`, `F a.png`."""
    from os.path import isfile, splitext

    if len(words.formulas) != 2:
        return None
    formula, file = words.formulas
    if isfile(formula) and not isfile(file):
        formula, file = file, formula
    ending = splitext(file)[1].lower()
    role = next((role for role, endings in ROLES.items() if ending in endings), None)
    if role is None or not (role == "-o" or isfile(file)):
        return None
    if role == "-o":
        command = next((who for who, own in WRITERS.items() if ending in own), command)
    return UsageError(f'{file} is a file: write cgraph {command} "{formula}" {role} {file}')


def is_binding(text: str) -> bool:
    """Tell whether a word reads `name=value`."""
    name, equals, value = text.partition("=")
    return bool(equals) and is_name(name.strip().lstrip("-")) and value[:1] != "="


def _unquoted(words: Words, command: str) -> UsageError:
    """`x * y` without quotes, where the shell may have put file names for the star."""
    from os.path import exists

    shown: list[str] = []
    for word in words.formulas:
        starred = "*" if exists(word) else word
        if not (starred == "*" and shown[-1:] == ["*"]):
            shown.append(starred)
    return UsageError(
        f"{len(words.formulas)} words where one formula was expected; put it in quotes: "
        f'cgraph {command} "{" ".join(shown)}"'
    )
