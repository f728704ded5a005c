"""What blocks and comprehensions do: branches that are taken or joined, loops that are unrolled."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from ..autodiff.constants import CONSTANTS
from ..autodiff.eager import VALUE, Unknown
from ..autodiff.errors import GraphError
from ..autodiff.ops import OPS
from .expressions import Literal
from .tape import Recording

if TYPE_CHECKING:
    from .build import Builder
    from .lexer import Token


class Branch(NamedTuple):
    """A condition, and what is done where it holds."""

    test: Recording
    block: Recording


class Series(NamedTuple):
    """The items of a comprehension, and the bracket that it is in."""

    opening: Token
    items: list[int]


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


def truth(builder: Builder, value: object, word: Token) -> bool:
    """Tell whether a value is true: a number that is not 0."""
    if getattr(value, "size", 1) != 1:
        shape = getattr(value, "shape", ())
        builder.fail(f"a condition is one number, not an array of shape {shape}", word)
    return bool(value != 0.0)


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
        return builder.graph.constant(CONSTANTS[name])
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
    seen: set[tuple[object, ...]] = set()
    size = -1
    while True:
        condition = int(test.play())
        if not truth(builder, known(builder, condition, test.opening), test.opening):
            break
        if len(builder.graph) > size:
            size = len(builder.graph)
            seen.clear()
        state = (condition, *[(name, builder.names[name]) for name in builder.changed])
        if state in seen:
            builder.fail("this loop never ends: nothing in it changes", test.opening)
        seen.add(state)
        turn(builder, test.opening)
        block.play()
    if outer is not None:
        for name, old in builder.changed.items():
            outer.setdefault(name, old)
    builder.changed = outer


# -- for ------------------------------------------------------------------------------------------


def each(builder: Builder, word: Token, name: Token, low: int, high: int) -> Iterator[None]:
    """Let a name be low, low + 1, ... as far as high, one after the other, and then what it was."""
    builder.check_name(name[1], name[2])
    first, count = bounds(builder, word, low, high)
    text, graph = name[1], builder.graph
    outer = builder.known.get(text)
    shadowed = text in builder.variables
    builder.variables.add(text)
    turn(builder, word, count)
    for step in range(count):
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
    ends = [known(builder, node, word) for node in (low, high)]
    for end in ends:
        if getattr(end, "size", 1) != 1 or not math.isfinite(end):
            builder.fail("the bounds of a loop are finite numbers", word)
    first, last = map(float, ends)
    return first, max(0, math.floor(last - first) + 1)


def turn(builder: Builder, word: Token, count: int = 1) -> None:
    """Take note of turns of a loop. Raises `GraphError` where there are too many."""
    builder.turns += count
    most = builder.program.max_nodes
    if builder.turns > most:
        raise GraphError(
            f"the program would run loops for more than {most:,} turns",
            builder.program.place(word[2], len(word[1])),
            "raise the limit with --max-nodes",
        )


# -- what must be known ---------------------------------------------------------------------------


def known(builder: Builder, node: int, word: Token) -> float:
    """Return the value of what a loop depends on. Raises `FormulaError` where it is not known."""
    try:
        return builder.value(node)  # type: ignore[return-value]
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
