"""What an op that moves elements takes each entry from: exact where one alone is taken."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cgraph.autodiff.ops import OPS
from cgraph.autodiff.reach import BASE, Call, Reach, Sources

Shape = tuple[int, ...]


def asked(
    op: str, shapes: tuple[Shape, ...], attrs: tuple[Any, ...], followed: tuple[int, ...] = (0,)
) -> list[Sources]:
    """Return the sources of a call."""
    row = OPS[op]
    move = row.move
    assert move is not None
    result = move.shape(attrs, shapes)
    assert result is not None
    return Reach().sources(Call(row, attrs, shapes, result, followed, 0))


def entries(sources: Sources) -> list[list[int]]:
    """Return the entries that each of the result comes from."""
    which = sources.which.tolist()
    if sources.groups is None:
        return [[one] if one >= 0 else [] for one in which]
    groups = sources.groups.lists()
    return [groups[one] if one >= 0 else [] for one in which]


SOURCES: list[tuple[str, Shape, tuple[Any, ...], list[list[int]]]] = [
    ("index", (4,), ("::-2",), [[3], [1]]),
    ("transpose", (2, 2), (None,), [[0], [2], [1], [3]]),
    ("place", (2,), ((4,), "1:3"), [[], [0], [1], []]),
    ("diag", (2,), (), [[0], [], [], [1]]),
    ("diag", (2, 2), (), [[0], [3]]),
    ("broadcast_to", (2,), ((2, 2),), [[0], [1], [0], [1]]),
    ("sum", (2, 3), (1, False), [[0, 1, 2], [3, 4, 5]]),
    ("sum", (2, 2), (0, True), [[0, 2], [1, 3]]),
    ("sum_to", (2, 2), ((2,),), [[0, 2], [1, 3]]),
    ("prod", (2, 2), (None, False), [[0, 1, 2, 3]]),
    ("softmax", (2, 2), (-1,), [[0, 1], [0, 1], [2, 3], [2, 3]]),
    ("len", (2,), (), [[]]),
    ("sum", (0,), (None, False), [[]]),
]


@pytest.mark.parametrize(("op", "shape", "attrs", "expected"), SOURCES)
def test_sources(op: str, shape: Shape, attrs: tuple[Any, ...], expected: list[list[int]]) -> None:
    (found,) = asked(op, (shape,), attrs)
    assert entries(found) == expected


def test_arguments_that_are_laid_together_are_asked_together() -> None:
    (found,) = asked("concat", ((2,), (1,), (2,)), (0,), (0, 2))
    assert entries(found) == [[0], [1], [], [2], [3]]
    first, second = asked("matmul", ((2, 2), (2, 2)), (), (0, 1))
    assert entries(first) == [[0, 1], [0, 1], [2, 3], [2, 3]]
    assert entries(second) == [[0, 2], [1, 3], [0, 2], [1, 3]]


def test_numbers_of_several_digits() -> None:
    size = 3 * BASE
    (found,) = asked("index", ((size, 2),), (":, 1",))
    assert found.which.tolist() == list(range(1, 2 * size, 2))
    (found,) = asked("mean", ((2, size),), (1, False))
    assert [len(one) for one in entries(found)] == [size, size]
    (found,) = asked("sum", ((BASE + 1,),), (None, False))
    assert entries(found) == [list(range(BASE + 1))]


def test_what_is_dropped_is_not_followed() -> None:
    (found,) = asked("dropped", ((50,),), (0.5, 1))
    kept = found.which >= 0
    assert 0 < kept.sum() < 50
    assert np.array_equal(found.which[kept], np.flatnonzero(kept))
