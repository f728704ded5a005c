"""The walk of a call: each formula becomes a question, each question an answer."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator

from ..autodiff.errors import CgraphError, DataError, UsageError
from . import report
from .names import mentions
from .output import Answer, flush
from .question import Question, Request
from .source import ARGUMENT, Text

LONGEST_PATH = 4096

TIDY = 256
"""After so many lines what was made for them goes, which by itself it does not."""


def answers(request: Request, answer: Callable[[Question], Answer]) -> Iterator[Answer]:
    """Yield the answer for each formula; where each line is one, a bad line is only reported."""
    for count, text in enumerate(request.texts.programs(), 1):
        try:
            if text.fault:
                raise text.fault
            found = answer(Question(request, text))
        except CgraphError as error:
            meant = meant_as_file(text) or meant_as_variable(error, request, text)
            error.hint = meant or error.hint
            if text.line is None:
                raise
            report.error(on_line(error, text))
            request.failed = True
        else:
            yield found
            if request.afterwards or request.texts.lines:
                flush()
            while request.afterwards:
                report.statistics(request.afterwards.pop(0))
        if count % TIDY == 0:
            gc.collect()
    if request.texts.lines:
        for assignment in request.bindings.never_used():
            request.warn_unused(assignment, request.bindings.inputs)


def meant_as_file(text: Text) -> str | None:
    """Return the remedy where the formula is the name of a file."""
    from os.path import isfile

    if text.name != ARGUMENT or len(text.text) > LONGEST_PATH or not isfile(text.text):
        return None
    return f"to read the program in that file: -f {text.text}"


def meant_as_variable(error: CgraphError, request: Request, text: Text) -> str | None:
    """Return the remedy where an option's value was meant for a variable that is called like it."""
    if not isinstance(error, UsageError | DataError) or "--set" in error.message:
        return None
    named = (name for name, value in request.options.items() if value)
    name = next((name for name in named if mentions([text.text], name[2:])), None)
    return f"for the variable write --set {name[2:]}={request.options[name]}" if name else None


def on_line(error: CgraphError, text: Text) -> str:
    """Return the report of an error in a line, which it says where the error knows no place."""
    return str(error) if error.place else f"{text.name}:{text.line}: {error}"
