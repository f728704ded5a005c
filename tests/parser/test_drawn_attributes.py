"""Functions at attributes of any size, sign and kind: a value, or an error that speaks."""

from __future__ import annotations

from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

import cgraph
from cgraph.autodiff.errors import CgraphError
from cgraph.autodiff.ops.table import rows

ROWS = [row for row in rows() if row.attributes and row.function not in ("constant", "placeholder")]

NUMBER = st.sampled_from(
    [
        "0",
        "1",
        "2",
        "3",
        "-1",
        "-2",
        "0.5",
        "1e9",
        "1e18",
        "1e300",
        "-1e300",
        "nan",
        "inf",
        "-inf",
        "1e-300",
    ]
)
LIST = st.lists(NUMBER, min_size=1, max_size=3).map(lambda entries: f"[{', '.join(entries)}]")
TEXT = st.sampled_from(
    ["'ij,jk->ik'", "'ii->i'", "'->'", "'ij'", "'a,b->ab'", "''", "'...i'", "'i->ii'"]
)
SLICE = st.sampled_from([":", "1:", "::-1", "::0", "5:2", "...", "None", ":1e18", "1e300:"])
ARGUMENT = st.sampled_from(
    ["2", "zeros(0)", "zeros(0, 3)", "[1, 2, 3]", "[[1, 2], [3, 4]]", "ones(2, 1, 3)", "nan", "x"]
)
VALUE = st.one_of(NUMBER, LIST, TEXT, SLICE, st.sampled_from(["None", "true", "false"]))


@st.composite
def calls(draw: st.DrawFn) -> str:
    """Return a call of a function that has attributes, by name or after the arguments."""
    row = draw(st.sampled_from(ROWS))
    most = row.least + 1 if row.most is None else row.most
    arguments = draw(st.lists(ARGUMENT, min_size=row.least, max_size=most))
    loose = draw(st.lists(VALUE, max_size=2))
    chosen = draw(st.lists(st.sampled_from(row.attributes), max_size=2, unique=True))
    named = [f"{attr.name}={draw(VALUE)}" for attr in chosen]
    return f"{row.function}({', '.join([*arguments, *loose, *named])})"


@settings(deadline=None)
@given(calls(), st.sampled_from(["{}", "sum({})", "{}[0]", "len({})"]))
def test_no_call_is_a_surprise(call: str, around: str) -> None:
    with suppress(CgraphError):
        cgraph.value_and_grad(around.format(call), {"x": 1.0})
