"""A story as LaTeX for amsmath: a section for each chapter, an equation a line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..code.forms import Target
from ..code.latex import LETTERS, TARGET, letters, symbol
from ..code.walk import Names, Writer
from .story import Derivative, Formula, Line, Member, Step, Story
from .write import sum_of

WHOLE = replace(TARGET, shared=10**9, longest=10**9)
SPECIAL = {sign: f"\\{sign}" for sign in "#$%&_{}"} | {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "∂": r"$\partial$",
    "✓": r"$\checkmark$",
}
"""What text must not contain as it is."""


def latex(story: Story) -> str:
    """Return the story as a part of a document; amsmath and amssymb are needed."""
    blocks = [f"\\section*{{{prose(story.title)}}}"]
    for chapter in story.chapters:
        blocks.append(f"\\subsection*{{{prose(chapter.title)}}}")
        if chapter.saying:
            blocks.append(f"{prose(chapter.saying[:1].upper() + chapter.saying[1:])}.")
        lines = [line for step in chapter.steps for line in rows(step)]
        if lines:
            inside = " \\\\\n".join(lines)
            blocks.append(f"\\begin{{align*}}\n{inside}\n\\end{{align*}}")
    return "\n\n".join(blocks) + "\n"


def rows(step: Step) -> list[str]:
    """Return a step as rows, those below the operation they are about set off."""
    about = [row(step.about, "")] if step.about else []
    return [*about, *(row(line, r"\qquad " if step.about else "") for line in step.lines)]


def row(line: Line, lead: str) -> str:
    """Return an equation, aligned at its first sign, and its remark."""
    first, *others = [math(member, WHOLE) for member in line.members] or [""]
    remark = f" && \\text{{{prose(line.remark)}}}" if line.remark else ""
    equation = " = ".join(others)
    return f"{lead}{first} &= {equation}{remark}" if others else f"{lead}{first} &{remark}"


def math(member: Member, target: Target) -> str:
    """Return a member of an equation."""
    if isinstance(member, Formula):
        return written(member, target)
    if isinstance(member, Derivative):
        sign = r"\partial " if member.partial else "d"
        return rf"\frac{{{sign}{symbol(member.of)}}}{{{sign}{symbol(member.by)}}}"
    return sum_of(
        member.terms, lambda factor: math(factor, target), r" \cdot ", " + ", TARGET.brackets
    )


def written(member: Formula, target: Target) -> str:
    """Return a formula as a target writes it, without statements of its own."""
    graph = member.graph
    called = {node: target.identifier(name) for name, node in graph.placeholders.items()}
    writer = Writer(target, graph, Names(target, ()), called)
    return writer.written([member.node])[0]


def prose(text: str) -> str:
    """Return text in which LaTeX finds nothing to do."""
    return "".join(SPECIAL.get(letter) or spelled(letter) for letter in text)


def spelled(letter: str) -> str:
    """Return a letter as LaTeX prints it: Greek ones are symbols."""
    found = letter if letter.isascii() else letters(letter)
    return f"${found}$" if found[:1] == "\\" and found[1:] in LETTERS else letter


def latexes(stories: Sequence[Story]) -> str:
    """Return stories as LaTeX."""
    return "\n".join(map(latex, stories))
