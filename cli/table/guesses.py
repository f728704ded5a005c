"""What a table of text is set with where nobody says it: other separators, blanks, comments."""

from __future__ import annotations

import re
from typing import NamedTuple

from .options import Form

SEPARATORS = {";": "';'", "\t": "a tab"}
"""What may separate cells where no comma does, and what it is called."""

BLANKS = re.compile(rb"[ \t]+")
COMMENT = b"#"


class Guess(NamedTuple):
    """How a table is begun: what separates its cells, and where its header is.

    With `blanks` its cells are set apart with any number of them, and `delimiter` is what a line
    has in their place when it is read. `notes` say what was taken for what.
    """

    delimiter: str
    blanks: bool
    header: bytes
    notes: tuple[str, ...]


def guessed(block: bytes, form: Form, name: str) -> Guess:
    """Return how the first lines of a table are meant."""
    text, notes = uncommented(block, form, name)
    lines = [line for line in text.split(b"\n", 32) if line.strip()][:2]
    head = lines[0] if lines else b""
    if form.delimiter.encode() in head or b"," in head or b'"' in head:
        return Guess(form.delimiter, False, text, notes)
    for separator, called in SEPARATORS.items():
        if separator.encode() in head.strip():
            told = f"{name}: cells are separated by {called}, as its header says"
            return Guess(separator, False, text, (*notes, told))
    cells = [line.split() for line in lines]
    if len(cells) == 2 and len(cells[0]) == len(cells[1]) > 1 and any(map(is_number, cells[1])):
        told = f"{name}: cells are separated by blanks, as its header says"
        return Guess("\t", True, text, (*notes, told))
    return Guess(form.delimiter, False, text, notes)


def uncommented(block: bytes, form: Form, name: str) -> tuple[bytes, tuple[str, ...]]:
    """Return a table from its header on, what stands before it are comments.

    The last of these is the header where nothing but numbers follows, as NumPy writes it.
    """
    rest, comments = block, list[bytes]()
    while rest.startswith(COMMENT) and b"\n" in rest:
        line, _, rest = rest.partition(b"\n")
        comments.append(line)
    if not comments:
        return block, ()
    first = rest.partition(b"\n")[0].strip()
    cells = re.split(rb"[,;\s]+", first)
    if first and all(map(is_number, cells)):
        head = comments[-1].lstrip(b"# ")
        names = re.split(rb"[,;\s]+", head.strip())
        if len(names) == len(cells):
            return head + b"\n" + rest, (f"{name}: its header is a comment",)
    if len(comments) == 1 and form.delimiter.encode() in comments[0] and not is_header(first, form):
        return block, ()
    count = "line is a comment" if len(comments) == 1 else f"{len(comments)} lines are comments"
    return rest, (f"{name}: the first {count}",)


def is_header(line: bytes, form: Form) -> bool:
    """Tell whether a line has no number among its cells."""
    cells = re.split(rb"[,;\t]", line)
    return not any(is_number(cell.strip()) for cell in cells)


def is_number(cell: bytes) -> bool:
    """Tell whether a cell is a number, or the word for one."""
    try:
        float(cell)
    except ValueError:
        return False
    return True


def with_tabs(block: bytes) -> bytes:
    """Return lines whose cells are set apart with blanks with one tab for each run of them."""
    return b"\n".join(BLANKS.sub(b"\t", line.strip()) for line in block.split(b"\n"))
