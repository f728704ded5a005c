"""The driver against Lark itself, on the same grammar: the same verdict and the same graph."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark import Lark, UnexpectedToken
from lark import Token as LarkToken
from lark.lexer import Lexer

from cgraph.autodiff.errors import CgraphError
from cgraph.autodiff.graph import Graph, check
from cgraph.parser import parse
from cgraph.parser.build import ACTIONS, KEEPING, Builder
from cgraph.parser.driver import Unexpected, run
from cgraph.parser.lexer import END, tokens
from cgraph.parser.make_tables import GRAMMAR, TABLES, compiled, kinds_of, tables

from .graphs import all_of
from .test_attributes import CALLS, INDICES
from .test_attributes import REFUSALS as REFUSED_ATTRIBUTES
from .test_blocks import PROGRAMS as BLOCK_PROGRAMS
from .test_language import COEFFICIENTS, NAMES, NUMBERS, PASTED, PRECEDENCE, PROGRAMS, cases
from .test_refused import BLOCKS, plain

ROOT = Path(__file__).parents[2]


class Tokens(Lexer):
    """Hands the tokens of our lexer to Lark, under Lark's names."""

    names: dict[str, str]

    def __init__(self, lexer_conf: object) -> None:
        self.names = {kind: name for name, kind in kinds_of(compiled()).items()}

    def lex(self, text: Any) -> Iterator[LarkToken]:  # type: ignore[override]
        graph = Actions.builder.program
        for kind, word, at in tokens(graph.sources.add("<formula>", text), graph.sources):
            if kind != END:
                yield LarkToken(self.names.get(kind, kind), word, at)


class Actions:
    """Lark's callbacks: the actions of a builder that the next parse goes to."""

    builder: Builder

    def __getattr__(self, name: str) -> Callable[[Sequence[object]], object]:
        if not name.islower() or name.startswith("__"):
            raise AttributeError(name)

        def call(values: Sequence[object]) -> object:
            actions = KEEPING if self.builder.tape.open else ACTIONS
            return actions[name](self.builder, *map(ours, values))

        return call


def ours(value: object) -> object:
    """Return Lark's token as one of ours, all other values as they are."""
    return (value.type, str(value), value.start_pos) if isinstance(value, LarkToken) else value


@cache
def lark() -> Lark:
    return Lark(
        GRAMMAR.read_text("utf-8"),
        parser="lalr",
        lexer=Tokens,
        strict=True,
        keep_all_tokens=True,
        transformer=Actions(),
    )


def by_lark(text: str) -> Graph:
    """Return the graph that Lark makes with the same actions."""
    Actions.builder = builder = Builder(Graph())
    lark().parse(text)
    builder.finish()
    return builder.program


def by_driver(text: str) -> Graph:
    """Return the graph that the driver makes; a syntax error is not explained."""
    builder = Builder(Graph())
    source = builder.program.sources.add("<formula>", text)
    run(tokens(source, builder.program.sources), builder)
    builder.finish()
    return builder.program


def verdict(read: Callable[[str], Graph], text: str) -> object:
    """Return all that a graph says, or what is wrong and where."""
    try:
        return all_of(read(text))
    except CgraphError as error:
        return str(error)
    except Unexpected as error:
        kind, _, at = error.token
    except UnexpectedToken as error:
        token = cast(LarkToken, error.token)
        kind, at = token.type, token.start_pos or 0
    return END if kind == END else at


def assert_same(text: str) -> None:
    assert verdict(by_driver, text) == verdict(by_lark, text)


EXPRESSIONS = PRECEDENCE + NUMBERS + COEFFICIENTS + PASTED + NAMES
TEXTS = [
    *(text for text, _ in cases(EXPRESSIONS) + PROGRAMS + CALLS + INDICES + BLOCK_PROGRAMS),
    *(text for text, *_ in REFUSED_ATTRIBUTES),
    *(plain(block.split("\n")[0].removeprefix("refused: ")) for block in BLOCKS),
    *(sample.read_text("utf-8") for sample in sorted(ROOT.glob("samples/**/*.cg"))),
]


@pytest.mark.parametrize(
    "text", [text for text in TEXTS if "\r" not in text and "\ufeff" not in text]
)
def test_same_as_lark(text: str) -> None:
    assert_same(text)


NAME = st.sampled_from(["x", "y", "a.b", "pi", "f", "π", "sin"])
NUMBER = st.sampled_from(["1", ".5", "2e3", "0", "1_0."])


INFIX = "+ - * / ^ % ** < <= == != and or × ≤ @"


def larger(smaller: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    infix = st.sampled_from(INFIX.split(" "))
    return st.one_of(
        st.tuples(smaller, infix, smaller).map(" ".join),
        st.tuples(st.sampled_from(["-", "+", "not ", "√"]), smaller).map("".join),
        smaller.map("({})".format),
        st.tuples(NUMBER, smaller).map("".join),
        smaller.map("{}²".format),
        st.tuples(st.sampled_from(["sin", "f", "exp"]), smaller).map("{0[0]}({0[1]})".format),
        st.tuples(smaller, smaller).map("max({0[0]}, {0[1]})".format),
        st.tuples(smaller, smaller, smaller).map("{0[0]} if {0[1]} else {0[2]}".format),
        st.lists(smaller, min_size=1, max_size=3).map(", ".join).map("[{}]".format),
        smaller.map("({}).T".format),
        st.tuples(NAME, INDEX).map("".join),
        st.tuples(smaller, INDEX).map("({0[0]}){0[1]}".format),
        st.tuples(st.sampled_from(["fold", "sin", "f"]), smaller, DETAIL).map(
            "{0[0]}({0[1]}, {0[2]})".format
        ),
    )


PART = st.sampled_from(["0", "-1", "1:3", ":", "::2", "x", "1.5", "...", "None", "2 - 1:", "::-1"])
INDEX = st.lists(PART, min_size=1, max_size=2).map(", ".join).map("[{}]".format)
DETAIL = st.sampled_from(["axis=0", "axis=[0, 1], keepdims=1", "'a'", "1:2", "axis=x", "3, q=2"])


EXPRESSION = st.recursive(st.one_of(NAME, NUMBER), larger, max_leaves=12)
STATEMENT = st.one_of(
    EXPRESSION,
    st.tuples(NAME, EXPRESSION).map(" = ".join),
    st.tuples(st.sampled_from(["f(x)", "g(x, y)", "f()"]), EXPRESSION).map(" = ".join),
    st.tuples(NAME, EXPRESSION).map(lambda both: f"input {both[0]} = {both[1]}"),
    NAME.map("input {}: (2, 3)".format),
)


def blocks(smaller: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    body = st.lists(smaller, max_size=2).map("\n".join).map("{{ {} }}".format)
    condition = st.one_of(EXPRESSION, st.sampled_from(["0", "1 > 0", "n < 2"]))
    bounds = st.sampled_from(["1 to 2", "2 to 1", "0.5 to 2", "x to 2", "to to to"])
    return st.one_of(
        st.tuples(condition, body).map("if {0[0]} {0[1]}".format),
        st.tuples(condition, body, body).map("if {0[0]} {0[1]} else {0[2]}".format),
        st.tuples(condition, body, condition, body).map(
            "if {0[0]} {0[1]}\nelse if {0[2]} {0[3]}".format
        ),
        st.tuples(condition, body).map("while {0[0]} {0[1]}".format),
        st.tuples(NAME, bounds, body).map("for {0[0]} in {0[1]} {0[2]}".format),
        st.tuples(EXPRESSION, NAME, bounds).map("y = [{0[0]} for {0[1]} in {0[2]}]".format),
        st.tuples(st.sampled_from(["sum", "max", "f", "sin"]), EXPRESSION, NAME, bounds).map(
            "{0[0]}({0[1]} for {0[2]} in {0[3]})".format
        ),
        st.tuples(EXPRESSION, bounds).map("h(n) = sum({0[0]} for k in {0[1]})\nh(2)".format),
    )


BLOCK = st.recursive(STATEMENT, blocks, max_leaves=4)


@given(st.lists(BLOCK, min_size=1, max_size=3).map("\n".join))
def test_drawn_blocks_are_the_same_as_by_lark(text: str) -> None:
    assert_same(text)


@given(st.lists(STATEMENT, min_size=1, max_size=4).map("\n".join))
def test_drawn_programs_are_the_same_as_by_lark(text: str) -> None:
    assert_same(text)


SCRAPS = (
    "x y f( sin( ( ) [ ] , ; = == < + - * / ^ √ ² 2 2x .5 if else and not input for in : @ # 1e "
    ".T ... 'a' \"b c\" axis= 1:2 [0] fold(x, { } while sum( to 0"
)


@given(st.lists(st.sampled_from([*SCRAPS.split(" "), " ", "\n"]), max_size=14).map("".join))
def test_scraps_are_the_same_as_by_lark(text: str) -> None:
    assert_same(text)


CHARACTERS = "xyzT012.()[]{}+-*/^%=<>!,;:@#_ \n\t√²⁻π½×≤（|&'\"\\$éЖ\u200d\u0301\uff41\uff11e"


@given(st.text(st.sampled_from(CHARACTERS)))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        graph = parse(text)
    except CgraphError as error:
        assert error.place is not None  # noqa: PT017 (what is read need not be refused)
    else:
        check(graph)


def test_tables_are_up_to_date() -> None:
    assert TABLES.read_text("utf-8") == tables()


def test_a_conflict_in_the_grammar_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "broken.lark"
    broken.write_text(
        GRAMMAR.read_text("utf-8").replace('"=" choice   ', '"(" list ")"   '), "utf-8"
    )
    monkeypatch.setattr("cgraph.parser.make_tables.GRAMMAR", broken)
    with pytest.raises(Exception, match=r"conflict|collision"):
        tables()


HEAVY = ("lark", "numpy", "pathlib", "tempfile", "difflib", "unicodedata", "json")
ON_ERRORS = ("explain", "mistakes", "misuse", "characters", "graphdef", "json_text")

LOADED = """
import sys
before = set(sys.modules)
from cgraph.parser import parse
parse('(x+y)*z^2 - 3sin(x)')
print(*set(sys.modules) - before)
"""


def test_a_formula_that_parses_loads_little() -> None:
    command = [sys.executable, "-c", LOADED]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert not {*HEAVY, *(f"cgraph.parser.{name}" for name in ON_ERRORS)} & set(loaded)
