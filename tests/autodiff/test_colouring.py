"""Colours: no two columns of one in a row, and a triangle of a symmetric matrix from stars."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from cgraph.autodiff.colouring import coloured, starred
from cgraph.autodiff.pattern import Pattern, rows_of

drawn = settings(max_examples=60, derandomize=True, deadline=None)


def rows_from(matrix: object) -> Pattern:
    """Return the pattern of a matrix."""
    return rows_of(csr_array(np.asarray(matrix, dtype=bool)))


def band(size: int, width: int) -> np.ndarray:
    """Return a matrix with entries next to its diagonal."""
    places = np.arange(size)
    return abs(places[:, None] - places) <= width


def arrow(size: int) -> np.ndarray:
    """Return a matrix with a diagonal, a last row and a last column."""
    found = np.eye(size)
    found[-1] = found[:, -1] = 1
    return found


def counted(colours: np.ndarray) -> Counter[int]:
    """Return how often each colour is there."""
    return Counter(map(int, colours))


def most(counts: Counter[int]) -> int:
    """Return how often the most frequent is there."""
    return max(counts.values(), default=0)


@st.composite
def matrices(draw: st.DrawFn) -> np.ndarray:
    """Draw a matrix of true and false."""
    height, width = draw(st.integers(0, 12)), draw(st.integers(0, 12))
    chance = draw(st.sampled_from([0.05, 0.2, 0.5]))
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    return generator.random((height, width)) < chance


@drawn
@given(matrices())
def test_no_row_has_two_columns_of_a_colour(matrix: np.ndarray) -> None:
    colours, number = coloured(rows_from(matrix), matrix.shape[1])
    assert len(colours) == matrix.shape[1]
    assert not colours.size or 0 <= min(colours) <= max(colours) <= max(number - 1, 0)
    assert all(most(counted(colours[row])) <= 1 for row in matrix)


@drawn
@given(matrices())
def test_stars_find_each_entry_or_its_mirror_image(matrix: np.ndarray) -> None:
    size = min(matrix.shape)
    half = matrix[:size, :size]
    whole = half | half.T
    colours = starred(rows_from(whole)).colours
    seen = [counted(colours[row]) for row in whole]
    for i, j in np.argwhere(whole).tolist():
        assert seen[i][colours[j]] == 1 or seen[j][colours[i]] == 1
        assert i == j or colours[i] != colours[j]


@pytest.mark.parametrize(
    ("matrix", "columns", "stars"),
    [
        (np.eye(5), 1, 1),
        (np.zeros((3, 3)), 0, 1),
        (np.ones((3, 3)), 3, 3),
        (band(20, 1), 3, 3),
        (band(20, 2), 5, 5),
        (arrow(20), 20, 2),
    ],
)
def test_how_many_colours(matrix: np.ndarray, columns: int, stars: int) -> None:
    rows = rows_from(matrix)
    assert coloured(rows, matrix.shape[1]).number == columns
    assert starred(rows).number == stars
