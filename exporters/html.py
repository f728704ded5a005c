"""Graphviz's HTML-like labels: words, tables, and boxes with a cell for each ordered operand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from ..autodiff.errors import printable
from .themes import Look
from .typography import shortened, width

SMALL = 8
"""The size of the text at an operand's port, in points."""


class Word(NamedTuple):
    """A text in a size, in a tag or in none."""

    text: str
    size: int
    tag: str = ""

    def html(self, color: str) -> str:
        """Return it as HTML for Graphviz, which takes no empty text."""
        if not self.text:
            return ""
        inner = escape(self.text)
        inner = f"<{self.tag}>{inner}</{self.tag}>" if self.tag else inner
        return f'<FONT COLOR="{color}" POINT-SIZE="{self.size}">{inner}</FONT>'

    @property
    def width(self) -> int:
        """Its width in points, on the safe side: bold letters are wider."""
        return round(width(self.text, self.size) * (1.08 if self.tag else 1.02)) + 2


def one_line(text: str, most: int) -> str:
    """Return the text in at most so many characters, none of them forbidden in XML."""
    return printable(shortened(text, most))


def cell(inner: str = "", **attributes: object) -> str:
    """Return a cell; attributes are written in capitals."""
    listed = "".join(f' {name.upper()}="{value}"' for name, value in attributes.items())
    return f"<TD{listed}>{inner}</TD>"


def table(rows: Iterable[str], **attributes: object) -> str:
    """Return a table of rows of cells, without lines unless attributes say otherwise."""
    plain = {"border": 0, "cellborder": 0, "cellspacing": 0, "cellpadding": 0}
    listed = "".join(f' {name.upper()}="{value}"' for name, value in (plain | attributes).items())
    return f"<TABLE{listed}>{''.join(f'<TR>{row}</TR>' for row in rows)}</TABLE>"


def rounded(rows: Iterable[str], look: Look, wide: int, high: int, exact: bool) -> str:
    """Return a rounded box of that size inside, port `v`, around rows of cells.

    One that is not `exact` grows where a font is wider than Helvetica, or what stands below it.
    """
    return table(
        rows,
        port="v",
        border=1,
        style="ROUNDED",
        color=look.line,
        bgcolor=look.fill,
        fixedsize=str(exact).upper(),
        width=wide + 2,
        height=high + 2,
    )


def labelled(word: Word, look: Look, least: tuple[int, int], sure: bool) -> str:
    """Return a box around a word, not smaller than `least`; `sure` is that its width is right."""
    wide, high = max(least[0], word.width + 12), least[1]
    exact = sure or wide == least[0]
    return rounded([cell(word.html(look.ink), width=wide, height=high)], look, wide, high, exact)


def with_ports(
    word: Word, look: Look, ports: Sequence[str], side: str, least: int, sure: bool
) -> str:
    """Return a box around a word with cells `a0`, `a1`, ... for operands along a side (w, n, s)."""
    words = [Word(port, SMALL) for port in ports]
    widest = max(label.width for label in words) + 4
    inner, count = max(least, word.width + 12), len(words)
    exact = sure or inner == least
    written = word.html(look.ink)
    if side == "w":
        each = max(14, (least + 2) // count)
        strip = [_port(k, label, look, widest, each) for k, label in enumerate(words)]
        strip[0] += cell(written, rowspan=count, width=inner - 6, height=each * count)
        return rounded(strip, look, inner - 6 + widest, each * count, exact)
    each = max(widest, inner // count)
    ends = "".join(_port(k, label, look, each, 13) for k, label in enumerate(words))
    middle = cell(written, colspan=count, width=each * count, height=least - 6)
    rows = [ends, middle] if side == "n" else [middle, ends]
    return rounded(rows, look, each * count, least + 7, exact)


def _port(k: int, label: Word, look: Look, wide: int, high: int) -> str:
    return cell(label.html(look.ink), port=f"a{k}", width=wide, height=high)
