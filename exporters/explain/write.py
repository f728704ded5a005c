"""A story as plain text and as Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ...autodiff.ops import OPS
from ..text import formula
from .story import Derivative, Formula, Line, Member, Step, Story

NEGATIVE = re.compile(r"([*/%]|[-+] )(-(?:[\d.]+(?:e[-+]?\d+)?|inf))")
"""A negative number behind an operator, which a reader wants in brackets."""

NEGATED = re.compile(r"-\((\d[\d.]*(?:e[-+]?\d+)?)\)")
"""A number that is negated, which needs no brackets."""


def plain(member: Member) -> str:
    """Return a member of an equation as text."""
    if isinstance(member, Formula):
        text = NEGATED.sub(r"-\1", formula(member.graph, member.node))
        text = NEGATIVE.sub(r"\1(\2)", text)
        return f"({text})" if compares(member) else text
    if isinstance(member, Derivative):
        sign = "∂" if member.partial else "d"
        return f"{sign}{member.of}/{sign}{member.by}"
    return sum_of(member.terms, plain, " * ")


def compares(member: Formula) -> bool:
    """Tell whether a formula is a comparison, which would run into the equation around it."""
    op = member.graph.nodes[member.node].op
    return op.infix is not None and op.precedence < OPS["add"].precedence


def sum_of(
    terms: tuple[tuple[Member, ...], ...],
    write: Callable[[Member], str],
    times: str = " * ",
    plus: str = " + ",
    brackets: str = "({})",
) -> str:
    """Return a sum of products; a negative number that is not the first is in brackets."""
    written: list[str] = []
    for term in terms:
        factors = [
            brackets.format(write(factor)) if negative(factor) and (k or written) else write(factor)
            for k, factor in enumerate(term)
        ]
        written.append(times.join(factors))
    return plus.join(written)


def negative(member: Member) -> bool:
    """Tell whether a member is a negative number."""
    value = member.graph.literal(member.node) if isinstance(member, Formula) else None
    return value is not None and value < 0.0


def sentence(line: Line) -> str:
    """Return an equation and the remark on it."""
    text = " = ".join(map(plain, line.members))
    return f"{text}   ({line.remark})" if text and line.remark else text or line.remark


def text(story: Story) -> str:
    """Return the story as text."""
    blocks = [story.title]
    for chapter in story.chapters:
        saying = f": {chapter.saying}" if chapter.saying else ""
        lines = [f"{chapter.title}{saying}"]
        for step in chapter.steps:
            lines += [f"  {line}" for line in step_lines(step)]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def step_lines(step: Step) -> list[str]:
    """Return a step's lines, those below the operation they are about indented."""
    indent = "  " if step.about else ""
    about = [sentence(step.about)] if step.about else []
    return [*about, *(f"{indent}{sentence(line)}" for line in step.lines)]


def markdown(story: Story) -> str:
    """Return the story as Markdown: a heading for each chapter, an item for each step."""
    blocks = [f"# {code(story.title)}"]
    for chapter in story.chapters:
        blocks.append(f"## {chapter.title}")
        if chapter.saying:
            blocks.append(f"{chapter.saying[:1].upper()}{chapter.saying[1:]}.")
        blocks.append("\n".join(item for step in chapter.steps for item in items(step)))
    return "\n\n".join(blocks) + "\n"


def items(step: Step) -> list[str]:
    """Return a step as items of a list."""
    indent = "  " if step.about else ""
    about = [f"- {marked(step.about)}"] if step.about else []
    return [*about, *(f"{indent}- {marked(line)}" for line in step.lines)]


def marked(line: Line) -> str:
    """Return an equation as code and the remark behind it."""
    equation = " = ".join(map(plain, line.members))
    return " ".join(filter(None, [code(equation) if equation else "", line.remark]))


def code(text: str) -> str:
    """Return text between backquotes."""
    return f"`{text}`"


def texts(stories: Sequence[Story]) -> str:
    """Return stories as text."""
    return "\n".join(map(text, stories))


def markdowns(stories: Sequence[Story]) -> str:
    """Return stories as Markdown."""
    return "\n".join(map(markdown, stories))
