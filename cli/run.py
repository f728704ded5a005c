"""The walk of a call: each formula becomes a question, each question an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..autodiff.errors import CgraphError
from . import report
from .output import Answer
from .question import Question, Request
from .source import ARGUMENT, Text

LONGEST_PATH = 4096


def answers(request: Request, answer: Callable[[Question], Answer]) -> Iterator[Answer]:
    """Yield the answer for each formula; where each line is one, a bad line is only reported."""
    for text in request.sources.programs():
        try:
            found = answer(Question(request, text))
        except CgraphError as error:
            if text.line is None:
                error.hint = meant_as_file(text) or error.hint
                raise
            report.error(on_line(error, text))
            request.failed = True
        else:
            yield found
    if request.sources.lines:
        for given in request.bindings.never_used():
            request.warn_unused(given)


def meant_as_file(text: Text) -> str | None:
    """Return the remedy where the formula is the name of a file."""
    from os.path import isfile

    if text.name != ARGUMENT or len(text.text) > LONGEST_PATH or not isfile(text.text):
        return None
    return f"to read the program in that file: -f {text.text}"


def on_line(error: CgraphError, text: Text) -> str:
    """Return the report of an error in a line, which was read as a text of its own."""
    if error.place is None:
        return f"{text.name}:{text.line}: {error}"
    if error.place.source == text.name and text.line is not None:
        error.place = error.place._replace(line=text.line)
    return str(error)
