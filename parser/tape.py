"""Recordings: the reductions of a part of the text, to be run later, once or many times.

A block, the item of a comprehension or a function's body is not run while it is read. Its rules
are reduced all the same, so that the grammar is checked; what they would do is kept in order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from .lexer import Token

Action: TypeAlias = Callable[..., Any]

MAX_DEPTH = 100
"""The most recordings that may be in one another."""

TOO_DEEP = f"blocks and brackets with 'for' are at most {MAX_DEPTH} deep"

AT_ONCE = ("record", "recorded", "header", "define", "declare", "-")
"""Actions that are run while a recording is made: they begin and end recordings, or refuse to; or
do nothing."""


class Slot(int):
    """What an action of a recording will return, by its number."""

    __slots__ = ()


class Recording:
    """Actions with their arguments, in order; `result` is what the last rule stands for."""

    def __init__(self, opening: Token) -> None:
        self.opening = opening
        """The token that it begins with."""
        self.closing = opening
        """The token that ends it."""
        self.steps: list[tuple[str, Action, tuple[Any, ...]]] = []
        self.result: Any = None

    def keep(self, name: str, action: Action, values: tuple[Any, ...]) -> Slot:
        """Append an action and return what stands for its value."""
        self.steps.append((name, action, values))
        return Slot(len(self.steps) - 1)

    def play(self) -> Any:
        """Run the actions and return the result."""
        made: list[Any] = []
        for _, action, values in self.steps:
            made.append(
                action(*[made[value] if type(value) is Slot else value for value in values])
            )
        return made[self.result] if type(self.result) is Slot else self.result

    def called(self, *names: str) -> list[tuple[Any, ...]]:
        """Return the arguments of all actions with one of these names, nested recordings too."""
        found: list[tuple[Any, ...]] = []
        pending = [self]
        while pending:
            for name, _, values in pending.pop().steps:
                if name in names:
                    found.append(values)
                pending += [value for value in values if isinstance(value, Recording)]
        return found


class Tape:
    """The recordings that are being made."""

    def __init__(self) -> None:
        self.open: list[Recording] = []
        """They are in one another, the innermost last; the same list all the time."""

    def start(self, opening: Token) -> Recording:
        """Begin a recording."""
        recording = Recording(opening)
        self.open.append(recording)
        return recording

    def stop(self, result: Any, closing: Token) -> Recording:
        """End the innermost recording and return it."""
        recording = self.open.pop()
        recording.result, recording.closing = result, closing
        return recording


class Actions(dict[str, Action]):
    """What the rules call, the builder first, by alias: found when it is first needed."""

    def __init__(self, find: Callable[[str], Action]) -> None:
        super().__init__()
        self.find = find

    def __missing__(self, name: str) -> Action:
        """Return and keep an action."""
        action = self[name] = self.find(name)
        return action
