"""Quotes that are open at the end of a block."""

from __future__ import annotations

from random import Random

import pytest

from cgraph.cli.table.quotes import open_quote


@pytest.mark.parametrize(
    ("block", "start"),
    [
        (b"", None),
        (b"a,b\n", None),
        (b'"a","b"\n', None),
        (b'"a""b"', None),
        (b'5" pipe\n', None),
        (b'"a"b"c\n', None),
        (b' "a\n', None),
        (b'"', 0),
        (b'a,"b\nc\n', 2),
        (b'a\r"b', 2),
        (b'"a"",b""\nc', 0),
        (b'5" pipe,"open\n', 8),
        (b'5" pipe,5" pipe\n"open', 16),
    ],
)
def test_where_it_is(block: bytes, start: int | None) -> None:
    assert open_quote(block, b",", len(block)) == start


def by_letter(block: bytes) -> int | None:
    """Return the same as `open_quote`, letter by letter."""
    begins, quoted, inside, start = True, False, False, 0
    for k, letter in enumerate(block):
        if letter == ord('"') and (begins or quoted):
            start = k if begins else start
            begins, quoted, inside = False, True, not inside
        elif not inside:
            begins, quoted = letter in b",\n", False
    return start if inside else None


def test_it_agrees_with_a_look_at_each_letter() -> None:
    random = Random(1)
    for _ in range(20_000):
        block = bytes(random.choices(b'""a,\n', k=random.randint(1, 12)))
        assert open_quote(block, b",", len(block)) == by_letter(block), block
