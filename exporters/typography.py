"""How wide text is in Helvetica, and how to make Graphviz's built-in estimate agree.

Without a font library Graphviz takes each byte of a letter beyond ASCII for a space: a minus sign
is too wide, a Chinese letter too narrow, both off-centre. Spaces around the text make up for it.
"""

from __future__ import annotations

import unicodedata

ASCII = (
    *(278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278),
    *(556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556),
    *(1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778),
    *(667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556),
    *(333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556),
    *(556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584),
)
"""Widths of the characters from the space on, in thousandths of the size (Helvetica's own)."""

BEYOND = {"…": 1000, "×": 584, "÷": 584, "−": 584, "∂": 494, "Σ": 592, "Π": 722, "≈": 549}
"""Widths of signs beyond ASCII."""

SPACE = 278


def width(text: str, size: float) -> float:
    """Return the width of a line of text in points, in Helvetica of that size."""
    return sum(map(_width, text)) * size / 1000


def fitted(text: str) -> str:
    """Return the text with the spaces that make Graphviz's estimate of its width come true."""
    strange = [letter for letter in text if not letter.isascii()]
    estimate = sum(SPACE * len(letter.encode()) for letter in strange)
    excess = estimate - sum(map(_width, strange))
    # A space in front moves text to the right by half of what it adds to the estimate.
    before, after = max(0, round(excess / SPACE)), max(0, round(-excess / SPACE))
    return " " * before + text + " " * after


BUNDLED = (
    *((0x20, 0x52F), (0x5D0, 0x5EA), (0x1D00, 0x1DBF), (0x1E00, 0x1FFE), (0x2010, 0x205E)),
    *((0x2070, 0x209C), (0x20A0, 0x20BE), (0x2100, 0x214F)),
)
"""The letters that the fonts inside graphviz-pure have."""

SYMBOLS = "←↑→↓↔↕∂∆∏∑−∙√∞∟∩∫≈≠≡≤≥"
"""And its mathematical signs."""


def lacking(text: str) -> str:
    """Return the first character of the text that graphviz-pure's fonts lack, or nothing."""
    for letter in text:
        known = any(first <= ord(letter) <= last for first, last in BUNDLED)
        if not known and letter not in SYMBOLS and letter.isprintable():
            return letter
    return ""


def shortened(text: str, most: int) -> str:
    """Return the text in at most so many characters, its middle left out."""
    if len(text) <= most:
        return text
    return f"{text[: most - most // 3 - 1]}…{text[-(most // 3) :]}"


def _width(letter: str) -> int:
    if " " <= letter <= "~":
        return ASCII[ord(letter) - 32]
    if letter in BEYOND:
        return BEYOND[letter]
    if unicodedata.combining(letter):
        return 0
    return 1000 if unicodedata.east_asian_width(letter) in "WF" else 570
