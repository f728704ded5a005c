"""Values for a formula's inputs: who gives them, who wins, and what to say where one is missing.

The program's default comes first, then `--bindings` files in order, then options.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from ..autodiff.errors import UsageError
from .names import closest, is_name, mentions, normal
from .options import RESERVED
from .values import value_of
from .words import Given

if TYPE_CHECKING:
    from ..autodiff.evaluate import Value
    from ..autodiff.graph import Graph

CONSTANTS = ("pi", "e", "tau")
MANY = 20
"""A report lists at most so many names."""


class Bindings:
    """The values that one call gives, each read when it is first used."""

    def __init__(self, given: Sequence[Given], tables: Sequence[str]) -> None:
        self._given = without_repeats(given)
        self._tables = tables
        self._values: dict[str, Value] = {}
        self._used: set[str] = set()
        self._in_files: dict[str, Value] | None = None

    @property
    def constants(self) -> tuple[str, ...]:
        """The constants that an option makes inputs."""
        return tuple(name for name in CONSTANTS if name in self._given)

    def values(self, wanted: Iterable[str]) -> dict[str, Value]:
        """Return the values given for those of the wanted inputs that have one."""
        from_files = self.in_files()
        found: dict[str, Value] = {}
        for name in wanted:
            if name in self._given:
                found[name] = self._value(self._given[name])
            elif name in from_files:
                found[name] = from_files[name]
        return found

    def in_files(self) -> Mapping[str, Value]:
        """Return what the files say, the later one winning."""
        if self._in_files is None:
            self._in_files = {}
            for table in self._tables:
                from .data import read_table

                self._in_files.update(read_table(table))
        return self._in_files

    def unused(self, inputs: Iterable[str]) -> list[Given]:
        """Return what options give and none of these inputs takes."""
        self._used.update(inputs)
        return [given for name, given in self._given.items() if name not in inputs]

    def never_used(self) -> list[Given]:
        """Return what options give and no input of any formula so far took."""
        return self.unused(self._used)

    def _value(self, given: Given) -> Value:
        if given.name not in self._values:
            self._values[given.name] = value_of(given.text, given.spelled)
        return self._values[given.name]


def assigned(text: str) -> Given:
    """Return what `--set name=value` gives. Raises `UsageError` where it does not read so."""
    name, equals, value = text.partition("=")
    name = normal(name.strip())
    if not equals or not is_name(name):
        raise UsageError(f"--set takes NAME=VALUE, not {text!r}")
    return Given(name, value, f"--set {name}")


def without_repeats(given: Sequence[Given]) -> dict[str, Given]:
    """Return the values by name. Raises `UsageError` for a name that is given twice."""
    found: dict[str, Given] = {}
    for one in given:
        other = found.setdefault(one.name, one)
        if other is not one:
            raise UsageError(f"{one.name} is given twice: {other.text} and {one.text}")
    return found


def missing_values(missing: Sequence[str], unused: Sequence[Given]) -> UsageError:
    """Return the error that names all inputs without a value, and how to give them one.

    A name that was given in vain may explain one that is missing; the others are listed.
    """
    spelled = {given.name: given.spelled for given in unused}
    told: list[str] = []
    rest: list[str] = []
    for name in missing:
        sentence = explained(name, spelled)
        (told if sentence else rest).append(sentence or name)
    if rest:
        told.append(no_value(rest))
    unknown = f"; unknown {', '.join(spelled.values())}" if spelled else ""
    return UsageError("; ".join(told).replace("?; ", "? ") + unknown)


def explained(name: str, spelled: dict[str, str]) -> str | None:
    """Return why a name has no value, if one can tell; what explains it is taken from `spelled`."""
    from ..parser.lookalike import hint_for_missing, lookalike

    sentence = hint_for_missing(name, spelled)
    if sentence:
        spelled.pop(lookalike(name, spelled) or "", None)
        return sentence
    for at in range(1, len(name)):
        first, second = name[:at], name[at:]
        if first in spelled and second in spelled:
            for part in {first, second}:
                del spelled[part]
            return f"no value for '{name}', which is one name; to multiply, write {first}*{second}"
    near = closest(name, spelled)
    return f"unknown {spelled.pop(near)}; did you mean --{name}?" if near else None


def no_value(names: Sequence[str]) -> str:
    """Return the sentence for inputs without a value, with options ready to paste."""
    listed, added = names[:MANY], f" and {len(names) - MANY} more" * (len(names) > MANY)
    return f"no value for {', '.join(listed)}{added}: add {' '.join(map(option_for, listed))}"


def option_for(name: str) -> str:
    """Return the option that gives a name its value."""
    return f"--set {name}=VALUE" if name in RESERVED else f"--{name} VALUE"


def rebound_in_files(graph: Graph, names: Iterable[str], text: str) -> list[str]:
    """Return the constants that a formula reads and files would give another value."""
    inside = [name for name in CONSTANTS if name in names]
    return [
        name
        for name in inside
        if name not in graph.placeholders and name not in graph.names and mentions([text], name)
    ]
