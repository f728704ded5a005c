"""Which rows are not finite, and which lack a value."""

from __future__ import annotations

import math

import numpy as np

from cgraph.autodiff.rows import Column
from cgraph.autodiff.survey import Seen, Survey, lacking, survey

from .test_rows import rows_of

NAN, INF = math.nan, math.inf


def test_a_survey_tells_missing_from_nan_from_infinite() -> None:
    x = np.array([1.0, NAN, -1.0, 0.0, -2.0])
    found = rows_of("log(x)", {"x": 0.0}).run({"x": x}, 5)
    seen = survey({"x": x}, found.columns, 5)
    assert [one[:2] for one in seen] == [(1, 1), (2, 2), (1, 3)]
    assert seen.nan.row == {"x": -1.0}
    assert lacking({"x": x}, 5).tolist() == [False, True, False, False, False]
    assert survey({"x": x[:1]}, [np.ones(1)], 1) == Survey()


def test_a_survey_looks_into_arrays() -> None:
    column: Column = [np.array([1.0, NAN]), np.array([INF])]
    assert [one[:2] for one in survey({}, [column], 2)] == [(0, None), (1, 0), (1, 1)]


def test_surveys_follow_each_other() -> None:
    first, second = Survey(nan=Seen(2, 3, {})), Survey(nan=Seen(1, 0, {}), infinite=Seen(1, 1, {}))
    both = first.then(second, 10)
    assert [one[:2] for one in both] == [(0, None), (3, 3), (1, 11)]
