"""What blocks and comprehensions do: branches that are taken or joined, loops that are unrolled."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from ..autodiff.constants import CONSTANTS
from ..autodiff.eager import VALUE, Unknown
from ..autodiff.errors import GraphError
from ..autodiff.ops import OPS
from .expressions import Literal, constant_called
from .tape import Recording

if TYPE_CHECKING:
    from ..autodiff.evaluate import Value
    from .build import Builder
    from .lexer import Token


TURN = 100
"""A turn of a loop counts as much as so many nodes: so long it may take."""


class Branch(NamedTuple):
    """A condition, and what is done where it holds."""

    test: Recording
    block: Recording


class Series(NamedTuple):
    """The items of a comprehension, and the bracket that it is in."""

    opening: Token
    items: list[int]


class State(NamedTuple):
    """What a turn of a loop depends on: numbers that were drawn, and the names that it assigns."""

    drawn: int
    names: dict[str, int]


class Way(NamedTuple):
    """What a branch leads to: the names that it assigns, its outputs, its last assignment."""

    names: dict[str, int]
    outputs: list[int]
    last: Token | None


# -- if -------------------------------------------------------------------------------------------


def branched(builder: Builder, branches: Sequence[Branch], otherwise: Recording | None) -> None:
    """Take the branch whose condition holds; join them all where that is not known."""
    pending: list[tuple[int, Branch]] = []
    for branch in branches:
        condition = int(branch.test.play())
        holds = decided(builder, condition, branch.test.opening)
        if holds:
            otherwise = branch.block
            break
        if holds is None:
            pending.append((condition, branch))
    if pending:
        join(builder, pending, otherwise)
    elif otherwise:
        otherwise.play()


def decided(builder: Builder, condition: int, word: Token) -> bool | None:
    """Tell whether a condition holds, None where that is not known while the text is read."""
    try:
        value = builder.value(condition)
    except Unknown as found:
        if not builder.given.dynamic:
            return None
        unknown(builder, "condition", found, word)
    if getattr(value, "size", 1) != 1 and not builder.given.dynamic:
        return None
    return truth(builder, value, word)


def truth(builder: Builder, value: Value, word: Token) -> bool:
    """Tell whether a value is true: a number that is not 0."""
    number = only(value)
    if number is None:
        shape = getattr(value, "shape", ())
        builder.fail(f"a condition is one number, not an array of shape {shape}", word)
    return number != 0.0


def only(value: Value) -> float | None:
    """Return a value that is one number, also in an array; None for all other arrays."""
    if isinstance(value, float | int):
        return value
    return float(value.item()) if value.size == 1 else None


def join(
    builder: Builder, pending: Sequence[tuple[int, Branch]], otherwise: Recording | None
) -> None:
    """Build all branches, and select what they assign and put out by their conditions."""
    word = pending[0][1].test.opening
    before = builder.last
    blocks = [*(branch.block for _, branch in pending), otherwise]
    ways = [apart(builder, block, word) for block in blocks]
    for name in dict.fromkeys(name for way in ways for name in way.names):
        old = meaning(builder, name)
        meanings = [way.names.get(name, old) for way in ways]
        if None not in meanings:
            builder.bind(name, selected(builder, pending, meanings))
    if len({len(way.outputs) for way in ways}) > 1:
        counts = " and ".join(str(len(way.outputs)) for way in ways)
        builder.fail(
            f"the branches have {counts} outputs", word, "give each as many, or name the values"
        )
    for outputs in zip(*(way.outputs for way in ways), strict=True):
        builder.program.outputs.append(selected(builder, pending, outputs))
    builder.last = next((way.last for way in reversed(ways) if way.last), before)


def apart(builder: Builder, block: Recording | None, word: Token) -> Way:
    """Build a branch, take back what it did to names and outputs, and return that."""
    outer, builder.changed = builder.changed, {}
    builder.last = None
    outputs, names = builder.program.outputs, builder.names
    first = len(outputs)
    if block:
        block.play()
    way = Way({name: names[name] for name in builder.changed}, outputs[first:], builder.last)
    del outputs[first:]
    for name, old in builder.changed.items():
        if old is None:
            del names[name], builder.known[name]
            builder.partial[name] = word
        else:
            names[name] = builder.known[name] = old
    builder.changed = outer
    return way


def meaning(builder: Builder, name: str) -> int | None:
    """Return what a name means before the branches, None where it means nothing yet."""
    if name in CONSTANTS and name not in builder.names and name not in builder.inputs:
        return constant_called(builder.graph, name)
    return builder.names.get(name)


def selected(
    builder: Builder, pending: Sequence[tuple[int, Branch]], nodes: Sequence[int | None]
) -> int:
    """Return the node of the first branch whose condition holds, else the last."""
    *others, found = nodes
    for (condition, branch), node in zip(reversed(pending), reversed(others), strict=True):
        if node != found:
            builder.graph.at = branch.test.opening[2]
            found = builder.graph.add(OPS["where"], (condition, node, found))  # type: ignore[arg-type]
    assert found is not None
    return found


# -- while ----------------------------------------------------------------------------------------


def whiled(builder: Builder, test: Recording, block: Recording) -> None:
    """Run a block as long as its condition holds."""
    outer, builder.changed = builder.changed, {}
    before: State | None = None
    for turns in count(1):
        condition = int(test.play())
        if not truth(builder, known(builder, condition, test.opening), test.opening):
            break
        here = State(builder.drawn, {name: builder.names[name] for name in builder.changed})
        if before and repeats(builder, before, here):
            builder.fail("this loop never ends: nothing in it changes", test.opening)
        if turns & (turns - 1) == 0:
            before = here
        turn(builder, test.opening)
        block.play()
    if outer is not None:
        for name, old in builder.changed.items():
            outer.setdefault(name, old)
    builder.changed = outer


def repeats(builder: Builder, before: State, here: State) -> bool:
    """Tell whether all is as it was before: then it will be so again.

    States are kept at the turns 1, 2, 4, ...: so a circle of any length is found, and few are kept.
    """
    if before.drawn != here.drawn or before.names.keys() != here.names.keys():
        return False
    changed = [(before.names[name], node) for name, node in here.names.items()]
    known_first = sorted(changed, key=lambda pair: not builder.eager().has(pair[1]))
    return all(old == new or same(builder, old, new) for old, new in known_first)


def same(builder: Builder, old: int, new: int) -> bool:
    """Tell whether two nodes have values that are known and the same to the last bit."""
    try:
        one, other = builder.value(old), builder.value(new)
    except Unknown:
        return False
    if isinstance(one, float | int) or isinstance(other, float | int):
        return repr(one) == repr(other)
    return one.shape == other.shape and one.tobytes() == other.tobytes()


# -- for ------------------------------------------------------------------------------------------


def each(builder: Builder, word: Token, name: Token, low: int, high: int) -> Iterator[None]:
    """Let a name be low, low + 1, ... as far as high, one after the other, and then what it was."""
    builder.check_name(name[1], name[2])
    first, times = bounds(builder, word, low, high)
    text, graph = name[1], builder.graph
    outer = builder.known.get(text)
    shadowed = text in builder.variables
    builder.variables.add(text)
    turn(builder, word, times)
    for step in range(times):
        graph.at = name[2]
        builder.known[text] = Literal(graph.constant(first + step))
        yield
    if not shadowed:
        builder.variables.discard(text)
    builder.known.pop(text, None)
    if outer is not None:
        builder.known[text] = outer


def bounds(builder: Builder, word: Token, low: int, high: int) -> tuple[float, int]:
    """Return the first value of a loop's variable and how many it takes."""
    first, last = [bound(builder, node, word) for node in (low, high)]
    return first, max(0, math.floor(last - first) + 1)


def bound(builder: Builder, node: int, word: Token) -> float:
    """Return a bound of a loop. Raises `FormulaError` where it is none."""
    number = only(known(builder, node, word))
    if number is None or not math.isfinite(number):
        builder.fail("the bounds of a loop are finite numbers", word)
    return number


def turn(builder: Builder, word: Token, times: int = 1) -> None:
    """Take note of turns of a loop. Raises `GraphError` where there are too many."""
    builder.turns += times
    most = builder.program.max_nodes // TURN
    if builder.turns > most:
        raise GraphError(
            f"the program would run loops for more than {most:,} turns",
            builder.program.place(word[2], len(word[1])),
            "raise the limit with --max-nodes",
        )


# -- what must be known ---------------------------------------------------------------------------


def known(builder: Builder, node: int, word: Token) -> Value:
    """Return the value of what a loop depends on. Raises `FormulaError` where it is not known."""
    try:
        return builder.value(node)
    except Unknown as found:
        if found.what == VALUE and not builder.given.dynamic:
            told = "a loop whose length depends on data needs its values"
            builder.fail(told, word, "run with --dynamic")
        unknown(builder, "loop", found, word)


def unknown(builder: Builder, what: str, found: Unknown, word: Token) -> NoReturn:
    """Raise the error for what cannot be known, as an input is not given."""
    name = found.name
    if found.what == VALUE:
        builder.fail(f"the {what} needs the value of '{name}'", word, f"give it: --{name} VALUE")
    builder.fail(
        f"the {what} needs the shape of '{name}'", word, f"declare it: input {name}: (10, 2)"
    )
