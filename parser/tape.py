"""Recordings: the reductions of a part of the text, to be run later, once or many times.

A block, the item of a comprehension or a function's body is not run while it is read. Its rules
are reduced all the same, so that the grammar is checked; what they would do is kept in order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from .lexer import Token

Action: TypeAlias = Callable[..., Any]

MAX_DEPTH = 100
"""The most recordings that may be in one another."""

TOO_DEEP = f"blocks and brackets with 'for' are at most {MAX_DEPTH} deep"

AT_ONCE = ("record", "recorded", "header", "define", "declare")
"""Actions that are run while a recording is made: they begin and end recordings, or refuse to."""


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
    """The actions of the rules as they are now: run, or kept while a recording is made."""

    def __init__(self, names: Sequence[str], live: Callable[[str], Action]) -> None:
        self._names = names
        self._live = [live(name) for name in names]
        self._keeping: list[Action] = []
        self.open: list[Recording] = []
        """The recordings that are being made, the innermost last."""
        self.actions = self._live.copy()
        """The action of each rule; the same list all the time."""

    def action(self, name: str) -> Action:
        """Return the action of a name as it is now."""
        return self.actions[self._names.index(name)]

    def start(self, opening: Token) -> Recording:
        """Begin a recording."""
        if not self.open:
            self._keeping = self._keeping or [
                self._keeper(*rule) for rule in zip(self._names, self._live, strict=True)
            ]
            self.actions[:] = self._keeping
        recording = Recording(opening)
        self.open.append(recording)
        return recording

    def stop(self, result: Any, closing: Token) -> Recording:
        """End the innermost recording and return it."""
        recording = self.open.pop()
        recording.result, recording.closing = result, closing
        if not self.open:
            self.actions[:] = self._live
        return recording

    def _keeper(self, name: str, action: Action) -> Action:
        """Return what keeps an action."""
        if name in AT_ONCE or name == "-":
            return action

        def keep(*values: Any) -> Slot:
            return self.open[-1].keep(name, action, values)

        return keep
