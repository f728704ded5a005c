"""Text to graph: the LALR driver over Lark's tables, and the reading of a whole program.

Most reductions climb the ladder of precedence from rung to rung without doing anything; where such
a climb ends is remembered, so that it costs one look-up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ..autodiff.errors import Source
from ..autodiff.graph import MAX_NODES, Graph, undisturbed
from .build import ACTIONS, KEEPING, Builder
from .expressions import Given
from .lexer import Token, tokens
from .tables import RULES, STEPS

if TYPE_CHECKING:
    from ..autodiff.evaluate import Value
    from ..autodiff.graph import Shape

RULE = [
    (symbol, int(count), action) for symbol, count, action in map(str.split, RULES.splitlines())
]
LINES = STEPS.splitlines()


class Unexpected(Exception):
    """A token that no rule allows where it stands."""

    def __init__(self, token: Token, states: list[int]) -> None:
        super().__init__()
        self.token = token
        self.states = states


class Steps(dict[int, dict[str, int]]):
    """The steps of each state, read from the tables at the first visit."""

    def __missing__(self, state: int) -> dict[str, int]:
        """Return and keep the steps of a state."""
        row: dict[str, int] = {}
        for group in LINES[state].split("; "):
            step, *symbols = group.split(" ")
            row.update(dict.fromkeys(symbols, int(step)))
        self[state] = row
        return row


class Climbs(dict[tuple[int, str, str], tuple[int, int | None]]):
    """Where (state below, symbol made, next token's kind) leads when idle reductions are done.

    With that state goes the step that it takes at the token, None where there is none.
    """

    def __missing__(self, key: tuple[int, str, str]) -> tuple[int, int | None]:
        """Return and keep where a climb ends."""
        below, symbol, kind = key
        state = STEP[below][symbol]
        step = STEP[state].get(kind)
        if step is not None and step < 0 and RULE[~step][2] == "-":
            state, step = self[below, RULE[~step][0], kind]
        self[key] = state, step
        return state, step


STEP = Steps()
CLIMB = Climbs()


def run(stream: Iterable[Token], builder: Builder) -> None:
    """Drive the tables over the tokens, calling the action of each rule that is found."""
    states, values, recordings = [0], list[object](), builder.tape.open
    for token in stream:
        kind = token[0]
        step = STEP[states[-1]].get(kind)
        while step is None or step < 0:
            if step is None:
                raise Unexpected(token, states)
            symbol, count, name = RULE[~step]
            action = (KEEPING if recordings else ACTIONS)[name]
            if count == 1:
                values[-1] = action(builder, values[-1])
                state, step = CLIMB[states[-2], symbol, kind]
                states[-1] = state
            else:
                first = len(values) - count
                values[first:] = (action(builder, *values[first:]),)
                del states[first + 1 :]
                state, step = CLIMB[states[-1], symbol, kind]
                states.append(state)
        states.append(step)
        values.append(token)


def parse(
    text: str,
    *,
    name: str = "<formula>",
    inputs: Iterable[str] = (),
    library: Iterable[tuple[str, str]] = (),
    max_nodes: int = MAX_NODES,
    first_line: int = 1,
    shapes: Mapping[str, Shape] | None = None,
    values: Mapping[str, Value] | None = None,
    dynamic: bool = False,
    seed: int = 0,
    training: bool = False,
) -> Graph:
    """Return the graph of a formula or program.

    `name` is what error reports call the text, `first_line` the number of its first line; `inputs`
    are names that are inputs though they are constants (`e`); each (name, text) of `library` is
    read first, and its bare expressions are no outputs.

    `shapes` and `values` are what is known of inputs, looked up by `get` where the program depends
    on it. With `dynamic` the program runs while it is read: conditions and bounds are evaluated,
    and only what is executed is in the graph; `seed` is for what draws random numbers, `training`
    says which mode is meant.

    Raises `FormulaError` where the text is no
    formula, `GraphError` where the graph would have more than `max_nodes` nodes.
    """
    graph = Graph(max_nodes)
    graph.seed, graph.training = seed, training
    given = Given(shapes or {}, values or {}, dynamic)
    return built(Builder(graph, inputs, given), text, name, library, first_line)


def built(
    builder: Builder,
    text: str,
    name: str,
    library: Iterable[tuple[str, str]] = (),
    first_line: int = 1,
) -> Graph:
    """Return the graph of a builder, which reads a text. Raises as `parse` does."""
    graph = builder.program
    with undisturbed():
        for title, part in library:
            read(builder, title, part)
        source = read(builder, name, text, first_line)
    builder.finish()
    if not graph.outputs:
        from .explain import no_output

        raise no_output(source, graph.sources)
    return graph


def read(builder: Builder, name: str, text: str, first_line: int = 1) -> Source:
    """Read one text into the program that is being built, and return it as a source."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    sources = builder.program.sources
    source = sources.add(name, text.removeprefix("\ufeff"), first_line)
    builder.begin()
    try:
        run(tokens(source, sources), builder)
    except Unexpected as found:
        from .explain import unexpected

        raise unexpected(source, sources, found.states, found.token[2]) from None
    return source


def is_graph(text: str) -> bool:
    """Tell whether a text is a GraphDef rather than a formula.

    Its first sign is `{` in JSON; in protobuf's text format it begins with `node {`.
    """
    if text.lstrip("\ufeff \t\r\n")[:1] == "{":
        return True
    if "{" not in text:
        return False
    from .protobuf_text import is_graph

    return is_graph(text)


def load(
    text: str,
    *,
    name: str = "<formula>",
    inputs: Iterable[str] = (),
    library: Iterable[tuple[str, str]] = (),
    max_nodes: int = MAX_NODES,
    first_line: int = 1,
    shapes: Mapping[str, Shape] | None = None,
    values: Mapping[str, Value] | None = None,
    dynamic: bool = False,
    seed: int = 0,
    training: bool = False,
    asked: Iterable[str] = (),
) -> Graph:
    """Return the graph of a formula, a program or a GraphDef, whichever the text is.

    Of a GraphDef what the values called as in `asked` do not need is not judged.
    """
    if is_graph(text):
        from .graphdef import read as read_graphdef

        return read_graphdef(text, name, max_nodes, first_line, frozenset(inputs), frozenset(asked))
    return parse(
        text,
        name=name,
        inputs=inputs,
        library=library,
        max_nodes=max_nodes,
        first_line=first_line,
        shapes=shapes,
        values=values,
        dynamic=dynamic,
        seed=seed,
        training=training,
    )
