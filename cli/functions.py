"""`cgraph functions`: the function reference, made from the op table."""

from __future__ import annotations

import click

from ..autodiff.errors import CgraphError, did_you_mean
from ..autodiff.ops import FUNCTIONS
from . import options
from .command import Command
from .forms import json_line
from .reference import entry, record, search

EXAMPLES = """
cgraph functions
cgraph functions atan2
cgraph functions logarithm --json
"""


@click.command("functions", cls=Command, examples=EXAMPLES)
@click.argument("terms", nargs=-1, metavar="[TERM]...")
@options.json
@options.out
def command(terms: tuple[str, ...], as_json: bool) -> str:
    """Print what each function means, its derivative, domain and conventions.

    With TERMs, print the function of that name, or those whose names or meanings have them all.
    """
    found = search(terms)
    if not found:
        what = f"no function has '{' '.join(terms)}' in its name or meaning"
        raise CgraphError(what, hint=did_you_mean(terms[0], FUNCTIONS))
    return "".join(map(json_line, map(record, found))) if as_json else "\n".join(map(entry, found))
