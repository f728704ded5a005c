"""A sequence whose entries are made when they are asked for: of many, the first is soon there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar, overload

T = TypeVar("T")


class Lazy(Sequence[T]):
    """So many entries, each made by its place and kept."""

    def __init__(self, count: int, make: Callable[[int], T]) -> None:
        self._places = range(count)
        self._make = make
        self._made: dict[int, T] = {}

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._places)

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[T]: ...
    def __getitem__(self, place: int | slice) -> T | Sequence[T]:
        """Return an entry, or those of a slice. Raises `IndexError` beyond the end."""
        if isinstance(place, slice):
            return [self[k] for k in self._places[place]]
        index = self._places[place]
        if index not in self._made:
            self._made[index] = self._make(index)
        return self._made[index]
