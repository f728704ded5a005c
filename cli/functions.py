"""`cgraph functions`: the function reference, made from the op table."""

from __future__ import annotations

import click

from ..autodiff.errors import CgraphError, did_you_mean
from ..autodiff.ops import FUNCTIONS
from . import options
from .command import Command
from .forms import json_line
from .reference import TOPICS, entry, overview, record, search

EXAMPLES = """
cgraph functions
cgraph functions atan2
cgraph functions hyperbolic
cgraph functions logarithm --json
"""


@click.command("functions", cls=Command, examples=EXAMPLES)
@click.argument("terms", nargs=-1, metavar="[TERM]...")
@options.json
@options.out
def command(terms: tuple[str, ...], as_json: bool) -> str:
    """Print the functions by topic, then what each means, its derivatives and domains.

    TERMs are names of functions, that of a topic, or words: then the functions of these names are
    printed, those of the topic, or those that have all the words in their names or meanings. Where
    a function has a value and no derivative a convention says what is taken for it.
    """
    found = search(terms)
    if not found:
        what = f"no function has '{' '.join(terms)}' in its name or meaning"
        raise CgraphError(what, hint=did_you_mean(terms[0], [*FUNCTIONS, *TOPICS]))
    if as_json:
        return "".join(map(json_line, map(record, found)))
    return "\n".join([*([] if terms else [overview()]), *map(entry, found)])
