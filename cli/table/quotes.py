"""Quotes in blocks of CSV: which are open, as PyArrow and the module `csv` take them.

A quote begins a cell or is a letter like others; in a cell that it began, two of them are one.
"""

from __future__ import annotations

import re
from collections import deque
from functools import cache

import numpy as np

QUOTE, LINE_ENDS = b'"', b"\r\n"


def open_quote(block: bytes, delimiter: bytes, end: int) -> int | None:
    """Return where the quote stands that is open at a place in a block, None where none is.

    The block begins outside of quotes.
    """
    if block.find(QUOTE, 0, end) < 0 or paired(block, delimiter, end):
        return None
    cells = deque(quoted_cell(delimiter).finditer(block, 0, end), maxlen=1)
    return cells[0].start("begin") if cells and not cells[0]["end"] else None


def paired(block: bytes, delimiter: bytes, end: int) -> bool:
    """Tell whether all quotes plainly come in pairs, each of which begins a cell or goes on in it.

    This is quick; where it is not so plain, a quote may be a letter like others.
    """
    letters = np.frombuffer(block, np.uint8, end)
    quotes = np.flatnonzero(letters == QUOTE[0])
    if len(quotes) % 2:
        return False
    before = np.zeros(256, np.bool_)
    before[list(delimiter + LINE_ENDS + QUOTE)] = True
    odd = ~before[letters[quotes[::2] - 1]]
    # What stands before the first letter of a block is the end of a line.
    return not odd[1:].any() and (quotes[0] == 0 or not odd[0])


@cache
def quoted_cell(delimiter: bytes) -> re.Pattern[bytes]:
    """Return the pattern of a cell in quotes, which may lack the last of them."""
    begins = rb"(?:\A|(?<=[\r\n" + re.escape(delimiter) + rb"]))"
    return re.compile(begins + rb'(?P<begin>")[^"]*(?:""[^"]*)*(?P<end>"?)')
