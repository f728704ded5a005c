"""Columns of a sparse matrix that one pass finds together: colours.

Greedy, with a set of colours for each row as the bits of one whole number, so that a column is
coloured in as many steps as it has entries.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .pattern import Indices, Pattern, starts_of, transposed


class Colouring(NamedTuple):
    """The colour of each column, from 0 on, and how many colours there are."""

    colours: Indices
    number: int


def coloured(rows: Pattern, width: int) -> Colouring:
    """Return colours for the columns, so that no row has entries in two of one colour.

    Of three attempts the one with the fewest: columns in their order and colours in turn, which is
    best for stencils; columns in their order, or the most crowded first, and the first colour free.
    """
    least = int(rows.lengths.max(initial=0))
    if least <= 1:
        return Colouring(np.zeros(width, dtype=np.int64), least)
    columns, order = transposed(rows, width), np.arange(width)
    found = greedy(columns, rows.height, order, least, in_turn=True)
    if found.number == least:
        return found
    crowded = np.argsort(-weighed(columns, rows.lengths), kind="stable")
    others = [greedy(columns, rows.height, one, least) for one in (crowded, order)]
    return min([found, *others], key=lambda one: one.number)


def weighed(columns: Pattern, weights: Indices) -> Indices:
    """Return for each row of `columns` the sum of the weights of its entries."""
    totals = starts_of(weights[columns.columns])
    return totals[columns.starts[1:]] - totals[columns.starts[:-1]]


def greedy(
    columns: Pattern, height: int, order: Indices, least: int, in_turn: bool = False
) -> Colouring:
    """Return colours of columns taken in an order, each the first that its rows do not have.

    There are `least` at first, and one more where all are taken. `in_turn` the search begins behind
    the colour that was given last.
    """
    used = [0] * height
    found = np.zeros(columns.height, dtype=np.int64)
    entries, queue = columns.lists(), listed(order)
    every, last = (1 << least) - 1, 0
    for column in queue:
        mine = entries[column]
        taken = 0
        for row in mine:
            taken |= used[row]
        free = every & ~taken
        if not free:
            free = every + 1
            every |= free
        free = free >> last << last or free
        free &= -free
        for row in mine:
            used[row] |= free
        number = free.bit_length()
        found[column] = number - 1
        last = number if in_turn else 0
    return Colouring(found, every.bit_length())


def listed(numbers: Indices) -> list[int]:
    """Return whole numbers as Python's own, which are faster one by one."""
    found: list[int] = numbers.tolist()
    return found


def starred(rows: Pattern) -> Colouring:
    """Return colours for the columns of a symmetric matrix, of which one triangle is to be found.

    Neighbours differ, and so do ends of a path of four unless its middle does: then of each entry
    and its mirror image one is alone in its row with its colour. Columns with more entries first.
    """
    star = Star(rows)
    for column in listed(np.argsort(-rows.lengths, kind="stable")):
        star.colour(column)
    return Colouring(np.array(star.colours, dtype=np.int64), max(star.colours, default=-1) + 1)


class Star:
    """A star colouring while it grows; sets of colours are the bits of a whole number."""

    def __init__(self, rows: Pattern) -> None:
        self._neighbours = [
            [other for other in entries if other != k] for k, entries in enumerate(rows.lists())
        ]
        self.colours = [-1] * rows.height
        self._around = [0] * rows.height
        """The colours of a column's neighbours."""
        self._first: list[dict[int, int]] = [{} for _ in range(rows.height)]
        """A neighbour of each of these colours."""
        self._beyond = [0] * rows.height
        """The colours of neighbours that have another neighbour of the column's colour."""

    def colour(self, column: int) -> None:
        """Give a column the first colour that it may have."""
        taken = 0
        for other in self._neighbours[column]:
            mine = self.colours[other]
            taken |= self._around[other] if mine < 0 else 1 << mine | self._beyond[other]
        free = ~taken & (taken + 1)
        found = self.colours[column] = free.bit_length() - 1
        for other in self._neighbours[column]:
            twin = self._first[other].setdefault(found, column)
            self._around[other] |= free
            if twin != column:
                # Two of one colour beside `other`: it has been given its own colour before.
                bit = 1 << self.colours[other]
                self._beyond[column] |= bit
                self._beyond[twin] |= bit
