"""Error reports, to the letter."""

from __future__ import annotations

import pytest

from cgraph.autodiff.errors import (
    NOWHERE,
    WIDTH,
    CgraphError,
    DataError,
    FormulaError,
    GraphError,
    MissingExtraError,
    Place,
    Sources,
    UsageError,
    closest,
    did_you_mean,
    excerpt,
)


def test_a_report_has_place_message_remedy_line_and_carets() -> None:
    place = Place("net.cg", 3, 9, "y = a + sinn(x)", 4)
    error = FormulaError("unknown function 'sinn'", place, "did you mean 'sin'?")
    assert str(error) == (
        "net.cg:3:9: error: unknown function 'sinn' (did you mean 'sin'?)\n"
        "  3 | y = a + sinn(x)\n"
        "    |         ^^^^"
    )
    assert (error.line, error.column, error.hint) == (3, 9, "did you mean 'sin'?")


def test_a_report_without_a_place_is_one_line() -> None:
    assert str(UsageError("no value for y")) == "error: no value for y"
    assert str(UsageError("no value for y", hint="add --y")) == "error: no value for y (add --y)"
    error = UsageError("no value for y")
    assert (error.line, error.column, error.place) == (None, None, None)


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (CgraphError, 1),
        (FormulaError, 1),
        (GraphError, 1),
        (DataError, 1),
        (MissingExtraError, 1),
        (UsageError, 2),
    ],
)
def test_exit_codes_say_whose_fault_it_is(kind: type[CgraphError], code: int) -> None:
    assert kind("anything").exit_code == code


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (Place("", 1, 1, "", 1), "  1 | \n    | ^"),
        (Place("", 1, 4, "x +", 1), "  1 | x +\n    |    ^"),
        (Place("", 12, 3, "a ? b", 1), "  12 | a ? b\n     |   ^"),
        (Place("", 1, 3, "\tx?", 1), "  1 |  x?\n    |   ^"),
        (Place("", 1, 2, "x\x1b[31m\x9b", 1), "  1 | x\ufffd[31m\ufffd\n    |  ^"),
        (Place("", 1, 5, "1 + sinn", 40), "  1 | 1 + sinn\n    |     ^^^^"),
    ],
)
def test_carets_stand_under_what_is_meant(place: Place, expected: str) -> None:
    assert excerpt(place) == expected


@pytest.mark.parametrize("column", [1, 40, 51, 52, 150, 260, 299, 300, 301])
def test_a_long_line_is_cut_to_a_window_around_the_place(column: int) -> None:
    text = "".join(chr(0x4E00 + k) for k in range(300))
    line, carets = excerpt(Place("", 7, column, text, 2)).splitlines()
    assert line.startswith("  7 | ")
    assert len(line) <= len("  7 | ") + WIDTH + 2 * len("...")
    at = carets.index("^")
    if column <= 300:
        assert line[at] == text[column - 1]
    else:
        assert at == len(line)
    assert line.startswith("  7 | ...") == (column > 51)
    assert line.endswith("...") == (column < 251)


def test_carets_end_where_the_window_does() -> None:
    line, carets = excerpt(Place("", 1, 60, "x" * 300, 500)).splitlines()
    assert len(carets) == len(line) - len("...")


def test_one_integer_is_a_place_in_any_text() -> None:
    sources = Sources()
    assert sources.place(0) is None
    library = sources.add("lib.cg", "a = 1\nb = 2")
    main = sources.add("<formula>", "a + b\r\n c")
    assert sources.place(NOWHERE) is None
    assert sources.place(library.start + 6, 1) == Place("lib.cg", 2, 1, "b = 2", 1)
    assert sources.place(main.start) == Place("<formula>", 1, 1, "a + b", 1)
    assert sources.place(main.start + 8, 0) == Place("<formula>", 2, 2, " c", 1)
    assert str(sources.place(main.start + 8)) == "<formula>:2:2"


def test_lines_are_counted_from_the_first() -> None:
    sources = Sources()
    source = sources.add("<stdin>", "x +\ny", first_line=7)
    assert sources.place(source.start + 4) == Place("<stdin>", 8, 1, "y", 1)


@pytest.mark.parametrize(
    ("name", "known", "expected"),
    [
        ("alpah", ["beta", "alpha"], "alpha"),
        ("Sin", ["sinh", "sin"], "sin"),
        ("MAX", ["max"], "max"),
        ("x", ["X", "xx"], None),
        ("w13", ["w12"], None),
        ("anything", [], None),
        ("a" * 101, ["a" * 100], None),
        ("v10000", [f"v{k}" for k in range(10_001)], None),
    ],
)
def test_slips(name: str, known: list[str], expected: str | None) -> None:
    assert closest(name, known) == expected
    assert did_you_mean(name, known) == (expected and f"did you mean '{expected}'?")


def test_sources_know_where_an_offset_is() -> None:
    sources = Sources()
    sources.add("a.cg", "x + y")
    second = sources.add("b.cg", "f(x)")
    assert sources.source(second.start) == second
    assert sources.source(NOWHERE) is None
