"""`python -m cgraph.parser.make_tables`: has Lark compile grammar.lark and writes tables.py.

Lark is needed here and in tests only. A conflict in the grammar is an error, never resolved
silently.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from lark import Lark
from lark.grammar import Rule
from lark.lexer import Lexer, PatternStr
from lark.parsers.lalr_analysis import IntParseTable, Shift

from .lexer import END

HERE = Path(__file__).parent
GRAMMAR = HERE / "grammar.lark"
TABLES = HERE / "tables.py"

HEADER = '''"""The LALR tables of grammar.lark, made by `make tables`: not for editing.

RULES: the symbol that a rule makes, from how many values, and its action; `-` hands the value up.
STEPS: a line a state, of steps and the symbols at which they are taken: on to state n >= 0, or back
by rule ~n. They are text because only the states that a formula visits are ever read.
"""

# ruff: noqa: E501

'''


class NoLexer(Lexer):
    """Stands in for the lexer, which Lark need not run to make tables."""

    def __init__(self, lexer_conf: object) -> None:
        """Take what Lark hands to a lexer."""

    def lex(self, lexer_state: object, parser_state: object) -> Iterator[Any]:
        """Yield nothing."""
        yield from ()


def compiled() -> Lark:
    """Return Lark's parser of the grammar; raise `GrammarError` at a conflict."""
    return Lark(GRAMMAR.read_text("utf-8"), parser="lalr", lexer=NoLexer, strict=True)


def tables() -> str:
    """Return the text of tables.py for the grammar as it is now."""
    lark = compiled()
    steps, start = steps_of(lark)
    rules = [f"{rule.origin.name} {len(rule.expansion)} {action_of(rule)}" for rule in lark.rules]
    order = in_order(steps, start)
    lines: list[str] = []
    for state in order:
        groups: dict[int, str] = {}
        for symbol, step in steps[state].items():
            step = order.get(step, step)
            groups[step] = f"{groups.get(step, step)} {symbol}"
        lines.append("; ".join(groups.values()))
    return "\n".join(
        [HEADER + 'RULES = """\\', *rules, '"""', "", 'STEPS = """\\', *lines, '"""', ""]
    )


def steps_of(lark: Lark) -> tuple[dict[int, dict[str, int]], int]:
    """Return where symbols lead in each of Lark's states, to a state or by ~rule, and the start."""
    table = cast(IntParseTable, lark.parser.parser.parser.parse_table)
    rows = cast("dict[int, dict[str, tuple[object, Any]]]", table.states)
    rules, kinds = {rule: number for number, rule in enumerate(lark.rules)}, kinds_of(lark)
    steps: dict[int, dict[str, int]] = {
        state: {
            kinds.get(symbol, symbol): target if action is Shift else ~rules[target]
            for symbol, (action, target) in sorted(row.items())
        }
        for state, row in rows.items()
    }
    end = table.end_states["start"]
    steps[end][END] = end  # Lark stops here; the driver takes the last token and is done
    return steps, table.start_states["start"]


def kinds_of(lark: Lark) -> dict[str, str]:
    """Return the lexer's name for each of Lark's terminals: what it is written as, if anything."""
    return {
        terminal.name: terminal.pattern.value
        for terminal in lark.terminals
        if isinstance(terminal.pattern, PatternStr)
    }


def action_of(rule: Rule) -> str:
    """Return a rule's action, "-" where it hands up its only value."""
    assert rule.alias or len(rule.expansion) == 1, f"{rule} needs an alias"
    return rule.alias or "-"


def in_order(steps: dict[int, dict[str, int]], start: int) -> dict[int, int]:
    """Return each state's number when counted from the start, the same in every run of Lark."""
    order = {start: 0}
    for state in (queue := [start]):
        for step in steps[state].values():
            if step >= 0 and step not in order:
                order[step] = len(order)
                queue.append(step)
    return order


if __name__ == "__main__":
    TABLES.write_text(tables(), "utf-8")
