"""The forms in which stories are written: to add one, enter its writer here."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple

from .story import Story


class Form(NamedTuple):
    """What file names end in, and the function, from stories to text, that writes it."""

    ending: str
    function: str


FORMATS = {
    "text": Form(".txt", ".write:texts"),
    "markdown": Form(".md", ".write:markdowns"),
    "latex": Form(".tex", ".latex:latexes"),
    "html": Form(".html", ".html:html"),
}


def written(stories: Sequence[Story], form: str | None, ending: str) -> str:
    """Return the stories in a form, or in the one that a file's ending means, else as text."""
    by_ending = next((name for name, it in FORMATS.items() if it.ending == ending), "text")
    module, _, name = FORMATS[form or by_ending].function.partition(":")
    found: str = getattr(import_module(module, __package__), name)(stories)
    return found
