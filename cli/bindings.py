"""Values for a formula's inputs: who gives them, who wins, and what to say where one is missing.

The program's default comes first, then `--bindings` files in order, then options.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING

from ..autodiff.constants import CONSTANTS, FREE
from ..autodiff.errors import CgraphError, UsageError, closest, printable
from .names import is_name, normal
from .options import RESERVED
from .values import value_of
from .words import Assignment

if TYPE_CHECKING:
    from ..autodiff.evaluate import Value
    from ..autodiff.graph import Graph
    from .data import Table

MANY = 20
"""A report lists at most so many names."""


class Bindings(Mapping[str, "Value"]):
    """The values that one call gives, by name, each read when it is first used."""

    def __init__(
        self, assignments: Sequence[Assignment], tables: Sequence[str], seed: int = 0
    ) -> None:
        self._assigned = without_repeats(assignments)
        self._tables = tables
        self._seed = seed
        self._values: dict[str, Value] = {}
        self._used: set[str] = set()
        self._read: set[str] = set()
        self._in_files: Table | None = None

    def begin(self) -> None:
        """Forget what the reading of another program took."""
        self._read.clear()

    @property
    def constants(self) -> tuple[str, ...]:
        """The constants that an option makes inputs."""
        return tuple(name for name in FREE if name in self._assigned)

    def __getitem__(self, name: str) -> Value:
        """Return the value of a name, read at its first use. Raises `KeyError` for none."""
        self._read.add(name)
        if name not in self._values:
            if name in self._assigned:
                _, text, spelled = self._assigned[name]
                self._values[name] = value_of(text, spelled, name, self._seed)
            else:
                self._values[name] = self.in_files()[name]()
        return self._values[name]

    def __bool__(self) -> bool:
        """Tell whether anything may be given, without reading a file."""
        return bool(self._assigned or self._tables)

    def __iter__(self) -> Iterator[str]:
        """Yield the names."""
        return iter({**self._assigned, **self.in_files()})

    def __len__(self) -> int:
        """Return the number of names."""
        return len({**self._assigned, **self.in_files()})

    def of(self, wanted: Iterable[str]) -> dict[str, Value]:
        """Return the values given for those of the wanted inputs that have one."""
        return {name: self[name] for name in wanted if name in self}

    def in_files(self) -> Table:
        """Return what the files say, the later one winning."""
        if self._in_files is None:
            self._in_files = {}
            for table in self._tables:
                from .data import read_table

                self._in_files.update(read_table(table, self._seed))
        return self._in_files

    def option(self, name: str) -> Assignment | None:
        """Return what an option gives a name, if one does."""
        return self._assigned.get(name)

    def unused(self, inputs: Iterable[str]) -> list[Assignment]:
        """Return what options give and neither these inputs nor the reading of a program took."""
        taken = {*inputs, *self._read}
        self._used.update(taken.intersection(self._assigned))
        return [one for name, one in self._assigned.items() if name not in taken]

    @property
    def inputs(self) -> Set[str]:
        """The inputs of all formulas so far."""
        return self._used

    def never_used(self) -> list[Assignment]:
        """Return what options give and no input of any formula so far took."""
        return self.unused(self._used)


def assigned(text: str) -> Assignment:
    """Return what `--set name=value` says. Raises `UsageError` where it does not read so."""
    name, equals, value = text.partition("=")
    name = normal(name.strip())
    if not equals or not is_name(name):
        raise UsageError(f"--set takes NAME=VALUE, not {text!r}")
    return Assignment(name, value, f"--set {name}")


def without_repeats(assignments: Sequence[Assignment]) -> dict[str, Assignment]:
    """Return the assignments by name. Raises `UsageError` for a name that has two."""
    found: dict[str, Assignment] = {}
    for one in assignments:
        other = found.setdefault(one.name, one)
        if other is not one:
            raise UsageError(f"{one.name} is given twice: {other.text} and {one.text}")
    return found


def missing_values(missing: Sequence[str], unused: Sequence[Assignment]) -> UsageError:
    """Return the error that names all inputs without a value, and how to give them one.

    A name that was given in vain may explain one that is missing; the others are listed.
    """
    spelled = {one.name: one.spelled for one in unused}
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
    from .lookalike import lookalike, told_apart, two_names

    twin = lookalike(name, spelled)
    if twin:
        mine, other = told_apart(name, twin)
        return f"no value for '{name}' ({mine}); you gave {spelled.pop(twin)} ({other})"
    parts = two_names(name, spelled)
    if parts:
        for part in parts:
            spelled.pop(part, None)
        return f"no value for '{name}', which is one name; to multiply, write {'*'.join(parts)}"
    module, _, last = name.rpartition(".")
    if module and last in CONSTANTS:
        return f"no value for '{name}'; the constant is written {last}"
    near = closest(name, spelled)
    return f"unknown {spelled.pop(near)}; did you mean --{name}?" if near else None


def slip(one: Assignment, inputs: Iterable[str], bindings: Bindings) -> UsageError | None:
    """Return the error for a value that nothing uses, where it cannot be meant as it stands.

    Its name is nearly that of an input or of an option, or has a dash in it, or it is no value.
    """
    spelled = f"unknown {one.spelled}"
    near = closest(one.name, [*inputs, *RESERVED])
    if near:
        return UsageError(f"{spelled}; did you mean --{near}?")
    if "-" in one.name:
        return UsageError(spelled, hint="the name of an input has no dash in it")
    try:
        bindings[one.name]
    except CgraphError:
        told = f"{spelled}, and {printable(one.text)!r} is no value"
        return UsageError(told, hint="an input of that name would take one")
    return None


def no_value(names: Sequence[str]) -> str:
    """Return the sentence for inputs without a value, with options ready to paste."""
    listed, added = names[:MANY], f" and {len(names) - MANY} more" * (len(names) > MANY)
    return f"no value for {', '.join(listed)}{added}: add {' '.join(map(option_for, listed))}"


def option_for(name: str) -> str:
    """Return the option that gives a name its value."""
    return f"--set {name}=VALUE" if name in RESERVED else f"--{name} VALUE"


def rebound_in_files(graph: Graph, names: Iterable[str]) -> list[str]:
    """Return the constants that a formula reads and files would give another value."""
    if not graph.letters:
        return []
    inside = {graph.letters[node] for node in graph.needed(graph.outputs) if node in graph.letters}
    return [name for name in FREE if name in inside and name in names]
