"""Where answers go: stdout, or a file that is written beside its place and then renamed."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Iterable
from contextlib import closing, contextmanager
from itertools import chain
from typing import TypeAlias

import click

from ..autodiff.errors import DataError, UsageError

Answer: TypeAlias = "str | bytes | Generator[bytes, None, None] | None"
"""What a command has to say: text, bytes of a format, at once or in parts that follow on, or
nothing where it wrote files itself."""


STDOUT = ("-", "/dev/stdout")


def write(answers: Iterable[Answer], to: str | None = None) -> None:
    """Write answers to stdout, each when it comes, or to the file `to`, whole or not at all."""
    if to is None or to in STDOUT:
        for answer in answers:
            print_answer(answer)
    else:
        contents = parts(answers)
        first = next(contents, None)
        if first is not None:
            from ..exporters.files import save

            with closing(contents), ended_by_signals():
                save(chain([first], contents), to)


@contextmanager
def ended_by_signals() -> Generator[None, None, None]:
    """Let a signal that ends the process be an exit like others, which leaves nothing behind."""
    import signal

    def leave(number: int, frame: object) -> None:
        raise SystemExit(128 + number)

    try:
        before = {one: signal.signal(one, leave) for one in (signal.SIGTERM, signal.SIGHUP)}
    except (ValueError, AttributeError):  # not the main thread, or a system without them
        before = {}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def parts(answers: Iterable[Answer]) -> Generator[bytes, None, None]:
    """Yield answers as the bytes of a file; one that comes in parts, part by part."""
    for answer in answers:
        if isinstance(answer, Generator):
            with closing(answer):
                yield from answer
        elif answer is not None:
            yield encoded(answer)


def print_answer(answer: Answer) -> None:
    """Print an answer; of one that comes in parts each is seen through when it comes."""
    if isinstance(answer, Generator):
        with closing(answer):
            for part in answer:
                print_answer(part)
                flush()
        return
    if sys.stdout is None:
        raise DataError("cannot write to stdout: it is closed")
    with reported_as_stdout():
        if isinstance(answer, str):
            print_text(answer)
        elif answer is not None:
            if b"\0" in answer and sys.stdout.isatty():
                raise UsageError("a terminal shows no binary data", hint="write to a file: -o FILE")
            sys.stdout.flush()
            sys.stdout.buffer.write(answer)


def print_text(text: str) -> None:
    """Print a text. Raises `DataError` for a letter that stdout's encoding lacks."""
    try:
        sys.stdout.write(text)
    except UnicodeEncodeError as error:
        hint = "set PYTHONIOENCODING=utf-8, or write to a file: -o FILE"
        raise unwritten(error, "to stdout", hint) from None


def unwritten(error: UnicodeEncodeError, where: str, hint: str | None = None) -> DataError:
    """Return the error for a letter that an encoding lacks."""
    code = ord(error.object[error.start])
    letter = error.object[error.start] if chr(code).isprintable() else "a letter"
    told = f"cannot write {where}: {error.encoding} has no {letter} (U+{code:04X})"
    return DataError(told, hint=None if "utf" in error.encoding.lower() else hint)


def flush() -> None:
    """See what was printed through to whoever reads it, if stdout is open."""
    if sys.stdout is not None:
        with reported_as_stdout():
            sys.stdout.flush()


@contextmanager
def reported_as_stdout() -> Generator[None, None, None]:
    """Report what goes wrong with stdout as a `DataError`, and give up on it.

    A pipe that nobody reads any more raises `BrokenPipeError` as ever.
    """
    try:
        yield
    except OSError as error:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            raise
        raise DataError(f"cannot write to stdout: {error.strerror}") from None


def in_parts(texts: Iterable[str]) -> Generator[bytes, None, None]:
    """Yield an answer in parts, each to be seen as soon as it is there."""
    for text in texts:
        yield encoded(text)


def encoded(answer: str | bytes) -> bytes:
    """Return an answer as the bytes of a file. Raises `DataError` for what is no letter."""
    try:
        return answer if isinstance(answer, bytes) else answer.encode()
    except UnicodeEncodeError as error:
        raise unwritten(error, "a file") from None


def show_help(ctx: click.Context, param: click.Parameter, wanted: bool) -> None:
    """Print the help of a command, as all is printed, and end."""
    if wanted and not ctx.resilient_parsing:
        print_answer(f"{ctx.get_help()}\n")
        ctx.exit()


class Helpful(click.Command):
    """A command whose help is printed as answers are."""

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return the option that asks for help."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.callback = show_help
        return option
